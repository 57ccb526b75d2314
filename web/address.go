package web

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5/middleware"
)

// Where a visitor is, and where the site is for them. A server in a workshop is
// asked directly; one on the internet by a proxy, which then is the only one to
// know the visitor's address and whether they came by https. What it says about
// that counts if it is one of Options.Proxies; from anybody else it is nothing
// but a header that they have made up.

// ParsePrefixes reads networks (10.0.0.0/8, fd00::/8) and single addresses.
func ParsePrefixes(texts []string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if a, err := netip.ParseAddr(text); err == nil && a.Zone() == "" {
			all = append(all, netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", text)
		}
		all = append(all, p.Masked())
	}
	return all, nil
}

// resolve finds the visitor's address and the names of their cookies, for those that come after it.
func (s *Server) resolve(next http.Handler) http.Handler {
	next = s.prefixed(s.suspect(next))
	if len(s.proxies) == 0 {
		return middleware.ClientIPFromRemoteAddr(next)
	}
	texts := make([]string, len(s.proxies))
	for i, p := range s.proxies {
		texts[i] = p.String()
	}
	return middleware.ClientIPFromXFF(texts...)(next)
}

// suspect notices a proxy nearby that nobody has named: all that it brings count as
// one visitor, who soon asks too often.
func (s *Server) suspect(next http.Handler) http.Handler {
	warn := sync.OnceFunc(func() {
		s.log.Warn("requests come through a proxy that is not trusted, and count as one visitor's; --trusted-proxies names it")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Forwarded-For") != "" && !s.fromProxy(r) {
			if a := peer(r.RemoteAddr); a.IsLoopback() || a.IsPrivate() {
				warn()
			}
		}
		next.ServeHTTP(w, r)
	})
}

// visitorAddress is the address that resolve has found. A trusted proxy that
// names none, or none that can be read, is the visitor itself.
func visitorAddress(r *http.Request) netip.Addr {
	if a := middleware.GetClientIPAddr(r.Context()); a.IsValid() {
		return a
	}
	return peer(r.RemoteAddr)
}

// peer is the address of the other end of a connection.
func peer(remote string) netip.Addr {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap()
}

// fromProxy reports whether a proxy that is trusted has handed the request on.
func (s *Server) fromProxy(r *http.Request) bool {
	return contains(s.proxies, peer(r.RemoteAddr))
}

func contains(all []netip.Prefix, a netip.Addr) bool {
	for _, p := range all {
		if p.Contains(a.WithZone("")) {
			return true
		}
	}
	return false
}

// https reports whether the visitor's browser has asked by https.
func (s *Server) https(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	if s.public != "" {
		if u, err := url.Parse(s.public); err == nil && strings.EqualFold(u.Host, r.Host) {
			return u.Scheme == "https"
		}
	}
	if !s.fromProxy(r) {
		return false
	}
	said := r.Header.Values("X-Forwarded-Proto")
	if len(said) == 0 {
		return false
	}
	all := strings.Split(said[len(said)-1], ",") // the last is what the proxy before this server has seen
	return strings.EqualFold(strings.TrimSpace(all[len(all)-1]), "https")
}

// publicURL is where the site is for its visitors, without a slash at its end.
// Whoever opens a room on the server's own machine is told the address by which
// the phones in the room reach it.
func (s *Server) publicURL(r *http.Request) string {
	switch {
	case s.public != "":
		return s.public
	case s.local != "" && isLoopback(r.Host):
		return s.local + s.base
	case s.https(r):
		return "https://" + r.Host + s.base
	}
	return "http://" + r.Host + s.base
}

// isLoopback reports whether a host, with or without a port, is the machine that asks.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// PublicURL checks the address under which a site says it can be reached and
// gives it as it begins every other: scheme, host and base path. A path may be
// left out; another one than the base path would lead nowhere.
func PublicURL(text, base string) (string, error) {
	if text == "" {
		return "", nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return "", fmt.Errorf("the public URL %q is not one such as https://lockstep.example", text)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("the public URL has a scheme, a host and a path, and nothing else")
	case BasePath(u.Path) != "" && BasePath(u.Path) != BasePath(base):
		return "", fmt.Errorf("the public URL ends in %s, but the base path is %q", u.Path, BasePath(base))
	}
	return u.Scheme + "://" + u.Host + BasePath(base), nil
}
