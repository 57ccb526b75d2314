package web

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"lockstep/web/door"
	"lockstep/web/limit"
)

// asked is what a handler of a server learns of a request.
func asked(t *testing.T, o Options, host, remote string, headers ...string) (s *Server, seen *http.Request) {
	t.Helper()
	s = New(o)
	t.Cleanup(s.Close)
	r := httptest.NewRequest("GET", "/", nil)
	r.Host, r.RemoteAddr = host, remote
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	s.Resolve(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r })).ServeHTTP(httptest.NewRecorder(), r)
	return s, seen
}

func behind(t *testing.T, proxies ...string) Options {
	t.Helper()
	all, err := limit.ParsePrefixes(proxies)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Proxies: all}
}

// The server believes only a trusted proxy about the visitor's address, and only the entry that the proxy added. The
// visitor may have made up everything left of it.
func TestOnlyATrustedProxyNamesTheVisitor(t *testing.T) {
	const xff = "X-Forwarded-For"
	for _, c := range []struct {
		name    string
		proxies []string
		remote  string
		headers []string
		want    string
	}{
		{"no proxy", nil, "203.0.113.5:4711", nil, "203.0.113.5"},
		{"a made-up header, no proxy", nil, "203.0.113.5:4711", []string{xff, "1.2.3.4"}, "203.0.113.5"},
		{"a made-up header, past the proxy", []string{"10.0.0.0/8"}, "203.0.113.5:4711", []string{xff, "1.2.3.4"}, "203.0.113.5"},
		{"through the proxy", []string{"10.0.0.1"}, "10.0.0.1:80", []string{xff, "203.0.113.5"}, "203.0.113.5"},
		{"through the proxy, with a made-up header", []string{"10.0.0.1"}, "10.0.0.1:80", []string{xff, "1.2.3.4, 203.0.113.5"}, "203.0.113.5"},
		{"the same in two headers", []string{"10.0.0.1"}, "10.0.0.1:80", []string{xff, "1.2.3.4", xff, "203.0.113.5"}, "203.0.113.5"},
		{"through two proxies", []string{"10.0.0.0/8"}, "10.0.0.1:80", []string{xff, "1.2.3.4, 203.0.113.5, 10.0.0.2"}, "203.0.113.5"},
		{"the proxy itself", []string{"10.0.0.1"}, "10.0.0.1:80", nil, "10.0.0.1"},
		{"a header that cannot be read", []string{"10.0.0.1"}, "10.0.0.1:80", []string{xff, "1.2.3.4, unknown"}, "10.0.0.1"},
		{"IPv6", []string{"::1"}, "[::1]:80", []string{xff, "2001:db8:1:2:3:4:5:6"}, "2001:db8:1:2:3:4:5:6"},
		{"IPv4 in IPv6", []string{"10.0.0.1"}, "[::ffff:10.0.0.1]:80", []string{xff, "::ffff:203.0.113.5"}, "203.0.113.5"},
	} {
		_, r := asked(t, behind(t, c.proxies...), "site.example", c.remote, c.headers...)
		if got := door.VisitorAddress(r).String(); got != c.want {
			t.Errorf("%s: the visitor is at %s, want %s", c.name, got, c.want)
		}
	}
}

// A visitor is a network. It has a name only by a cookie that this site has signed.
func TestAVisitorIsANetworkWithASignedName(t *testing.T) {
	for remote, want := range map[string]string{
		"203.0.113.5:1":              "203.0.113.5",
		"[::ffff:203.0.113.5]:1":     "203.0.113.5",
		"[2001:db8:1:2:3:4:5:6]:1":   "2001:db8:1::/56",
		"[2001:db8:1:ff:ffff::1]:1":  "2001:db8:1::/56",
		"[2001:db8:1:103:3:4:5:6]:1": "2001:db8:1:100::/56",
		"[fe80::1:2:3:4%eth0]:47110": "fe80::/56",
	} {
		s, r := asked(t, Options{}, "site.example", remote)
		own := "aaaaaaaaaa"
		for cookie, person := range map[string]string{
			"":                                     want,
			own:                                    want,
			own + ".":                              want,
			own + "." + s.Sign("other", own):       want,
			"bbbbbbbbbb." + s.Sign("visitor", own): want,
			own + "." + s.Sign("visitor", own):     own,
		} {
			r.Header.Set("Cookie", door.VisitorCookie+"="+cookie)
			var got door.Visitor
			s.Identify(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = door.VisitorOf(r) })).ServeHTTP(nil, r)
			if got != (door.Visitor{Network: want, Person: person}) {
				t.Errorf("%s with the cookie %q is %v, want %s, %s", remote, cookie, got, want, person)
			}
		}
	}
}

// A request came over https if a trusted proxy or the public URL says so.
func TestATrustedProxyOrThePublicURLSaysHTTPS(t *testing.T) {
	const proto = "X-Forwarded-Proto"
	for _, c := range []struct {
		name, remote string
		public       string
		headers      []string
		want         bool
	}{
		{"plain", "203.0.113.5:1", "", nil, false},
		{"a stranger says so", "203.0.113.5:1", "", []string{proto, "https"}, false},
		{"the proxy says so", "10.0.0.1:1", "", []string{proto, "https"}, true},
		{"the proxy has seen http", "10.0.0.1:1", "", []string{proto, "https, http"}, false},
		{"the proxy says nothing", "10.0.0.1:1", "", nil, false},
		{"the site is known to be there", "203.0.113.5:1", "https://site.example", nil, true},
		{"the site is known to be elsewhere", "203.0.113.5:1", "https://other.example", nil, false},
	} {
		o := behind(t, "10.0.0.1")
		o.PublicURL = c.public
		s, r := asked(t, o, "site.example", c.remote, c.headers...)
		if s.Https(r) != c.want {
			t.Errorf("%s: https is %t", c.name, s.Https(r))
		}
	}
}
