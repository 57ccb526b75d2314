package door

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"lockstep/engine"
	"lockstep/views"
	"lockstep/web/limit"
)

// Anybody can make up a Host header: by hand, or in a browser by a name that leads to this server's address for a moment
// (DNS rebinding).
//
// With Where.PublicURL the site answers that host only. Without it the site answers every host, because a laptop in a
// class does not know its own name. But an address for others, on the wall or in a QR code, always names a host of this
// machine, or one that a trusted proxy has forwarded.

// A host is the host that a Host header or a URL names, in a form that compares with ==.
type host struct {
	name    string     // in lower case, without a dot at its end; an address as netip writes it
	address netip.Addr // if the name is an address
	port    uint16
}

// ParseHost reads a Host header. A header without a port has the scheme's. parseHost reports whether the text is a
// host: a name in ASCII, an IPv4 address, or an IPv6 address in brackets.
func ParseHost(text, scheme string) (h host, ok bool) {
	name, port, bracketed := text, "", strings.HasPrefix(text, "[")
	if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, ']') {
		name, port = text[:i], text[i+1:]
	}
	if bracketed {
		inside, closed := strings.CutSuffix(name[1:], "]")
		a, err := netip.ParseAddr(inside)
		if !closed || err != nil || !a.Is6() {
			return host{}, false
		}
		h.address = a.Unmap().WithZone("")
	} else {
		h.name = strings.ToLower(strings.TrimSuffix(name, "."))
		if len(h.name) > maxHostName || strings.Trim(h.name, HostLetters) != "" || strings.Contains("."+h.name+".", "..") {
			return host{}, false
		}
		if a, err := netip.ParseAddr(h.name); err == nil {
			h.address = a
		}
	}
	if h.address.IsValid() {
		h.name = h.address.String()
	}
	if h.port = defaultPort(scheme); port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return host{}, false
		}
		h.port = uint16(n)
	}
	return h, true
}

const (
	maxHostName = 253 // bytes
	HostLetters = "abcdefghijklmnopqrstuvwxyz0123456789-._"
)

func defaultPort(scheme string) uint16 {
	if scheme == "https" {
		return 443
	}
	return 80
}

// HostOf returns the host and the scheme of a URL.
func HostOf(text string) (h host, scheme string, ok bool) {
	u, err := url.Parse(text)
	if err != nil {
		return host{}, "", false
	}
	h, ok = ParseHost(u.Host, u.Scheme)
	return h, u.Scheme, ok
}

// loopback reports whether the host is the machine that asks.
func (h host) loopback() bool {
	return h.address.IsLoopback() || h.name == "localhost" || strings.HasSuffix(h.name, ".localhost")
}

// URL returns the beginning of the host's URLs, with that scheme.
func (h host) URL(scheme string) string {
	name := h.name
	if h.address.Is6() {
		name = "[" + name + "]"
	}
	if h.port != defaultPort(scheme) {
		name = net.JoinHostPort(h.name, strconv.Itoa(int(h.port)))
	}
	return scheme + "://" + name
}

// Addressed refuses requests for another host than the public URL's: pages, sockets and files alike. It lets two paths
// through. A balancer asks for /healthz by an address, and learns nothing private there. /metrics checks its host itself.
func (g *gateway) Addressed(next http.Handler) http.Handler {
	if g.public == "" {
		return next
	}
	warn := sync.OnceFunc(func() {
		g.Log.Warn("requests name another host than --public-url and are refused; a proxy has to hand on the Host that it was asked for")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, g.Base)
		if path != "/healthz" && path != "/metrics" && !g.isPublic(r) && !FromHere(r) {
			warn()
			g.Refused("hosts")
			http.Error(w, views.Say(Language(r), "error.host"), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isPublic reports whether a request names the host of the public URL.
func (g *gateway) isPublic(r *http.Request) bool {
	if g.public == "" {
		return false
	}
	h, ok := ParseHost(r.Host, g.publicScheme)
	return ok && h == g.publicHost
}

// IsOurs reports whether a request names this machine or the host of the public URL, with any port.
func (g *gateway) IsOurs(r *http.Request) bool {
	h, ok := ParseHost(r.Host, "http")
	return ok && (h.name == g.publicHost.name || g.machine.Has(h))
}

// FromHere reports whether this machine asks, by a name that leads no other machine here. A request that a proxy on this
// machine forwards comes from elsewhere.
func FromHere(r *http.Request) bool {
	h, ok := ParseHost(r.Host, "http")
	return ok && h.loopback() && limit.Peer(r.RemoteAddr).IsLoopback() && !Forwarded(r)
}

// fromOwnPage reports whether a request names no origin but this site's.
func fromOwnPage(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	from, scheme, ok := HostOf(origin)
	to, named := ParseHost(r.Host, scheme)
	return ok && named && from == to
}

// portOf returns the port that a request names.
func portOf(r *http.Request) string {
	h, _ := ParseHost(r.Host, "http")
	return strconv.Itoa(int(h.port))
}

// PublicURL returns the site's URL for its visitors, without a slash at its end. A host that a stranger has made up never
// gets into it.
func (g *gateway) PublicURL(r *http.Request) string {
	if g.public != "" {
		return g.public
	}
	return g.reached(r) + g.Base
}

// Reaches returns publicURL, and whether it leads no other machine here.
func (g *gateway) Reaches(r *http.Request) (url string, alone bool) {
	url = g.PublicURL(r)
	h, _, ok := HostOf(url)
	return url, ok && h.loopback()
}

// reached returns the scheme and host by which a request has reached this server, if others can use them too. A presenter
// who opens a room on the server's own machine gets the address that works for the phones in the room.
func (g *gateway) reached(r *http.Request) string {
	scheme := "http"
	if g.Https(r) {
		scheme = "https"
	}
	h, ok := ParseHost(r.Host, scheme)
	at, known := arrived(r)
	hereOnly := g.local == "" && known && at.Addr().IsLoopback() // the server listens for nobody else
	switch {
	case ok && h.loopback() && (hereOnly || g.local == "" && !known):
		return h.URL(scheme)
	case ok && !h.loopback() && g.FromProxy(r):
		return h.URL(scheme)
	case ok && !h.loopback() && !hereOnly && g.machine.Has(h):
		if known { // another port leads to another server
			h.port = at.Port()
		}
		return h.URL(scheme)
	case g.local != "":
		return g.local
	case known:
		return host{name: at.Addr().String(), address: at.Addr(), port: at.Port()}.URL(scheme)
	}
	return scheme + "://localhost"
}

// arrived returns this machine's address and port that have received a request.
func arrived(r *http.Request) (netip.AddrPort, bool) {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}, false
	}
	a := at.AddrPort()
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port()), true
}

// PublicURL checks a site's public address and returns it in the form that begins
// every other URL: scheme, host and base path. The text may leave out the path;
// any other path than the base path would lead nowhere.
func PublicURL(text, base string) (string, error) {
	if text == "" {
		return "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return "", engine.Refuse("the public URL %q is not one such as https://lockstep.example", "公开网址 %q 不是 https://lockstep.example 这样的网址", text)
	}
	h, ok := ParseHost(u.Host, u.Scheme)
	switch {
	case !ok:
		return "", engine.Refuse("the host of the public URL %q is neither a name in ASCII (xn--… for others) nor an address", "公开网址 %q 的主机既不是 ASCII 主机名（其他文字写成 xn--…）也不是地址", text)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", engine.Refuse("the public URL has a scheme, a host and a path, and nothing else", "公开网址只含协议、主机和路径")
	case BasePath(u.Path) != "" && BasePath(u.Path) != BasePath(base):
		return "", engine.Refuse("the public URL ends in %s, but the base path is %q", "公开网址以 %s 结尾，而 --base-path 是 %q", u.Path, BasePath(base))
	}
	return h.URL(u.Scheme) + BasePath(base), nil
}
