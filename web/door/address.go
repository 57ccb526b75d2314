package door

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5/middleware"

	"lockstep/web/limit"
)

// Visitors reach a server in a workshop directly. They reach one on the internet
// through a proxy, and only the proxy knows their address and whether they use
// https. The server trusts the headers of Where.Proxies, and ignores those
// from any other source.

// Resolve finds the visitor's address and the names of their cookies, for the handlers after it.
func (g *gateway) Resolve(next http.Handler) http.Handler {
	next = g.prefixed(g.suspect(next))
	if len(g.Proxies) == 0 {
		return middleware.ClientIPFromRemoteAddr(next)
	}
	texts := make([]string, len(g.Proxies))
	for i, p := range g.Proxies {
		texts[i] = p.String()
	}
	return middleware.ClientIPFromXFF(texts...)(next)
}

// suspect warns about a proxy nearby that --trusted-proxies does not name. All its
// visitors count as one, who soon asks too often.
func (g *gateway) suspect(next http.Handler) http.Handler {
	warn := sync.OnceFunc(func() {
		g.Log.Warn("requests come through a proxy that is not trusted, and count as one visitor's; --trusted-proxies names it")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Forwarded-For") != "" && !g.FromProxy(r) {
			if a := limit.Peer(r.RemoteAddr); a.IsLoopback() || a.IsPrivate() {
				warn()
			}
		}
		next.ServeHTTP(w, r)
	})
}

// VisitorAddress returns the address that resolve has found. A trusted proxy that
// names no readable address counts as the visitor.
func VisitorAddress(r *http.Request) netip.Addr {
	if a := middleware.GetClientIPAddr(r.Context()); a.IsValid() {
		return a
	}
	return limit.Peer(r.RemoteAddr)
}

// FromProxy reports whether a trusted proxy has forwarded the request.
func (g *gateway) FromProxy(r *http.Request) bool {
	return limit.Contains(g.Proxies, limit.Peer(r.RemoteAddr))
}

// forwarding lists the headers that reveal a proxy.
var forwarding = []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Real-Ip", "Via"}

// Forwarded reports whether any proxy, trusted or not, has forwarded the request.
func Forwarded(r *http.Request) bool {
	return slices.ContainsFunc(forwarding, func(name string) bool { return r.Header.Get(name) != "" })
}

// Https reports whether the visitor's browser uses https.
func (g *gateway) Https(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	if g.isPublic(r) {
		return g.publicScheme == "https"
	}
	if !g.FromProxy(r) {
		return false
	}
	said := r.Header.Values("X-Forwarded-Proto")
	if len(said) == 0 {
		return false
	}
	all := strings.Split(said[len(said)-1], ",") // the proxy next to this server wrote the last one
	return strings.EqualFold(strings.TrimSpace(all[len(all)-1]), "https")
}
