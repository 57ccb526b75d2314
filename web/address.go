package web

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5/middleware"

	"lockstep/web/limit"
)

// Where a visitor is. A server in a workshop is asked directly; one on the internet
// by a proxy, which then is the only one to know the visitor's address and whether
// they came by https. What it says about that counts if it is one of
// Options.Proxies; headers from any other source are ignored.

// resolve finds the visitor's address and the names of their cookies, for those that come after it.
func (g *gateway) resolve(next http.Handler) http.Handler {
	next = g.prefixed(g.suspect(next))
	if len(g.proxies) == 0 {
		return middleware.ClientIPFromRemoteAddr(next)
	}
	texts := make([]string, len(g.proxies))
	for i, p := range g.proxies {
		texts[i] = p.String()
	}
	return middleware.ClientIPFromXFF(texts...)(next)
}

// suspect notices a proxy nearby that nobody has named: all that it brings count as
// one visitor, who soon asks too often.
func (g *gateway) suspect(next http.Handler) http.Handler {
	warn := sync.OnceFunc(func() {
		g.log.Warn("requests come through a proxy that is not trusted, and count as one visitor's; --trusted-proxies names it")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Forwarded-For") != "" && !g.fromProxy(r) {
			if a := limit.Peer(r.RemoteAddr); a.IsLoopback() || a.IsPrivate() {
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
	return limit.Peer(r.RemoteAddr)
}

// fromProxy reports whether a proxy that is trusted has handed the request on.
func (g *gateway) fromProxy(r *http.Request) bool {
	return limit.Contains(g.proxies, limit.Peer(r.RemoteAddr))
}

// forwarding are the headers by which a proxy is known.
var forwarding = []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Real-Ip", "Via"}

// forwarded reports whether a proxy has handed the request on, trusted or not.
func forwarded(r *http.Request) bool {
	return slices.ContainsFunc(forwarding, func(name string) bool { return r.Header.Get(name) != "" })
}

// https reports whether the visitor's browser has asked by https.
func (g *gateway) https(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	if g.isPublic(r) {
		return g.publicScheme == "https"
	}
	if !g.fromProxy(r) {
		return false
	}
	said := r.Header.Values("X-Forwarded-Proto")
	if len(said) == 0 {
		return false
	}
	all := strings.Split(said[len(said)-1], ",") // the last is what the proxy before this server has seen
	return strings.EqualFold(strings.TrimSpace(all[len(all)-1]), "https")
}
