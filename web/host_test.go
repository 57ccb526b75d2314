package web

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/door"
	"lockstep/web/store"
)

// laptop is a machine in two networks.
func laptop() (names []string, addresses []netip.Addr) {
	for _, text := range []string{"127.0.0.1", "192.168.1.5", "10.0.0.7", "2001:db8::5"} {
		addresses = append(addresses, netip.MustParseAddr(text))
	}
	return door.NamesOf("Laptop", "search school.example\n"), addresses
}

func TestParseHost(t *testing.T) {
	for _, c := range []struct{ text, scheme, want string }{
		{"site.example", "https", "https://site.example"},
		{"SITE.Example", "https", "https://site.example"},
		{"site.example.", "https", "https://site.example"},
		{"site.example:443", "https", "https://site.example"},
		{"site.example.:443", "https", "https://site.example"},
		{"site.example:", "https", "https://site.example"},
		{"site.example:80", "https", "https://site.example:80"},
		{"site.example:443", "http", "http://site.example:443"},
		{"site.example:080", "http", "http://site.example"},
		{"xn--fiqs8s.example", "http", "http://xn--fiqs8s.example"},
		{"my_laptop", "http", "http://my_laptop"},
		{"127.0.0.1:8080", "http", "http://127.0.0.1:8080"},
		{"[2001:DB8:0:0::5]", "http", "http://[2001:db8::5]"},
		{"[2001:db8::5]:8080", "http", "http://[2001:db8::5]:8080"},
		{"[::ffff:10.0.0.7]:8080", "http", "http://10.0.0.7:8080"},
		{"[fe80::1%25eth0]:8080", "http", "http://[fe80::1]:8080"},
	} {
		if h, ok := door.ParseHost(c.text, c.scheme); !ok || h.URL(c.scheme) != c.want {
			t.Errorf("%q is read as %s (%t), want %s", c.text, h.URL(c.scheme), ok, c.want)
		}
	}
	for _, text := range []string{
		"", ".", "..", ".example", "site..example", ":", ":80", "a b", "a/b", "me@site.example", "site.example:0", "site.example:65536", "site.example:-1", "site.example:http", "site.example:80:80",
		"::1", "[::1", "::1]", "[127.0.0.1]", "[site.example]", "[]", "[::1]80", "[::1]x:80", "锁.example", "%73ite.example", "<b>", strings.Repeat("a", 254),
	} {
		if h, ok := door.ParseHost(text, "http"); ok {
			t.Errorf("%q is read as %s", text, h.URL("http"))
		}
	}
}

// Any text is a host or none. A URL made of a host names that host.
func FuzzHost(f *testing.F) {
	for _, text := range []string{"site.example:443", "[::ffff:127.0.0.1%25a]:80", "1.2.3.4.", ":", "[", "a:b:c", "\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, ok := door.ParseHost(text, "http")
		if !ok {
			return
		}
		made := h.URL("http")
		if again, scheme, ok := door.HostOf(made); !ok || again != h || scheme != "http" || strings.Trim(strings.TrimPrefix(made, "http://"), door.HostLetters+"[]:") != "" {
			t.Errorf("%q is read as %+v, and %s as %+v (%t)", text, h, made, again, ok)
		}
	})
}

// With a public URL, a request for another host gets no page, no file and no socket, and no text from its Host header.
func TestOtherHostsAreRefused(t *testing.T) {
	const site, v6 = "https://site.example", "https://[2001:db8::5]:8443"
	proxied := []string{"X-Forwarded-For", "203.0.113.5", "X-Forwarded-Proto", "https"}
	for _, c := range []struct {
		name, public, host, remote string
		headers                    []string
		refused                    bool
	}{
		{"the host", site, "site.example", "203.0.113.5:1", nil, false},
		{"with its port", site, "site.example:443", "203.0.113.5:1", nil, false},
		{"in capitals", site, "Site.Example", "203.0.113.5:1", nil, false},
		{"with a dot at its end", site, "site.example.", "203.0.113.5:1", nil, false},
		{"handed on by Caddy or nginx", site, "site.example", "127.0.0.1:1", proxied, false},
		{"handed on by a proxy that names itself instead", site, "127.0.0.1:8080", "127.0.0.1:1", proxied, true},
		{"handed on as another host", site, "evil.example", "127.0.0.1:1", proxied, true},
		{"handed on in another header", site, "evil.example", "127.0.0.1:1", append([]string{"X-Forwarded-Host", "site.example"}, proxied...), true},
		{"another port", site, "site.example:8080", "203.0.113.5:1", nil, true},
		{"the port of http", site, "site.example:80", "203.0.113.5:1", nil, true},
		{"a host below it", site, "evil.site.example", "203.0.113.5:1", nil, true},
		{"a host that begins with it", site, "site.example.evil.example", "203.0.113.5:1", nil, true},
		{"the address of the server", site, "192.168.1.5:8080", "192.168.1.7:1", nil, true},
		{"no host, as in HTTP/1.0", site, "", "203.0.113.5:1", nil, true},
		{"what is no host", site, "site.example/", "203.0.113.5:1", nil, true},
		{"this machine", site, "localhost:8080", "127.0.0.1:1", nil, false},
		{"this machine, over IPv6", site, "[::1]:8080", "[::1]:1", nil, false},
		{"this machine, said from another one", site, "localhost:8080", "203.0.113.5:1", nil, true},
		{"another host, from this machine", site, "evil.example", "127.0.0.1:1", nil, true},
		{"this machine, behind a proxy with any header", site, "localhost:8080", "127.0.0.1:1", []string{"Via", "1.1 x"}, true},
		{"an address", v6, "[2001:DB8:0::5]:8443", "203.0.113.5:1", nil, false},
		{"an address without its port", v6, "[2001:db8::5]", "203.0.113.5:1", nil, true},
		{"over http", "http://laptop.local:8080", "laptop.local:8080", "203.0.113.5:1", nil, false},
		{"over http, without its port", "http://laptop.local:8080", "laptop.local", "203.0.113.5:1", nil, true},
		{"the port of http, left out in the URL", "http://laptop.local", "laptop.local:80", "203.0.113.5:1", nil, false},
		{"no public URL", "", "evil.example", "203.0.113.5:1", nil, false},
	} {
		for _, base := range []string{"", "/tools"} {
			o := behind(t, "127.0.0.1")
			o.PublicURL, o.BasePath, o.Machine = c.public, base, laptop
			if c.public != "" {
				o.PublicURL += base
			}
			s := New(o)
			for _, path := range []string{"/t/aaaaaaaaaa", "/static/nothing", "/t/aaaaaaaaaa/live", "/healthz", "/p", "//p"} {
				for lang, says := range map[string]string{"en": "This server does not answer for this host name; nothing was done.\n", "zh": "本服务器不响应发往这个主机名的请求，未执行任何操作。\n"} {
					w, r := httptest.NewRecorder(), httptest.NewRequest("GET", base+path, nil)
					r.Host, r.RemoteAddr = c.host, c.remote
					r.Header.Set("Accept-Language", lang)
					for i := 0; i < len(c.headers); i += 2 {
						r.Header.Set(c.headers[i], c.headers[i+1])
					}
					s.Handler().ServeHTTP(w, r)
					refused := c.refused && path != "/healthz"
					if (w.Code == http.StatusMisdirectedRequest) != refused {
						t.Errorf("%s: %s%s is answered with %d", c.name, base, path, w.Code)
					}
					if refused && (w.Body.String() != says || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") || w.Header().Get("Content-Security-Policy") != door.Policy || len(w.Result().Cookies()) > 0) {
						t.Errorf("%s: %s%s is refused with %v: %s", c.name, base, path, w.Header(), w.Body)
					}
				}
			}
			s.Close()
		}
	}
}

// A request for another host opens no socket and posts nothing. The log says once what is wrong, and names nobody.
func TestOtherHostsOpenNothing(t *testing.T) {
	var log notebook
	s := newSite(t, Options{PublicURL: "http://site.example", Logger: door.NewLogger(&log, "text", 0), Metrics: here})
	dialer := &websocket.Dialer{NetDial: func(network, _ string) (net.Conn, error) {
		return net.Dial(network, strings.TrimPrefix(s.url, "http://"))
	}}
	for range 2 {
		_, r, err := dialer.Dial("ws://evil.example"+aRun+"/live", http.Header{"Origin": {"http://evil.example"}})
		if err == nil || r.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("a socket is opened under another host: %v, %v", err, r)
		}
		s.send("POST", "/runs", url.Values{"scenario": {"spawn C1 naive"}}, "Host", "evil.example").wants(t, http.StatusMisdirectedRequest)
	}
	if s.places() > 0 {
		t.Error("a run is kept")
	}
	conn, r, err := dialer.Dial("ws://site.example"+aRun+"/live", http.Header{"Origin": {"http://site.example"}})
	if err != nil {
		t.Fatalf("the public host gets no socket: %v, %v", err, r)
	}
	conn.Close()
	s.get("/metrics").wants(t, http.StatusOK, `lockstep_refused_total{reason="hosts"} 4`)
	if said := log.String(); strings.Count(said, "--public-url") != 1 || strings.Contains(said, "evil") {
		t.Errorf("the log says %s", said)
	}
}

// The phones in the room can open the address on the board, and nobody can make it up.
func TestTheAddressOnTheBoardOpens(t *testing.T) {
	const local = "http://192.168.1.5:8080"
	https := []string{"X-Forwarded-Proto", "https"}
	for _, c := range []struct {
		host, remote, at string // at: where the server is asked
		o                Options
		headers          []string
		want             string
	}{
		// The laptop in a class.
		{"192.168.1.5:8080", "192.168.1.7:1", "192.168.1.5:8080", Options{LocalURL: local}, nil, local},
		{"10.0.0.7:8080", "10.0.0.9:1", "10.0.0.7:8080", Options{LocalURL: local}, nil, "http://10.0.0.7:8080"},
		{"[2001:DB8::5]:8080", "10.0.0.9:1", "10.0.0.7:8080", Options{LocalURL: local}, nil, "http://[2001:db8::5]:8080"},
		{"Laptop.local:8080", "192.168.1.7:1", "192.168.1.5:8080", Options{LocalURL: local}, nil, "http://laptop.local:8080"},
		{"laptop:8080", "192.168.1.7:1", "192.168.1.5:8080", Options{LocalURL: local}, nil, "http://laptop:8080"},
		{"laptop.school.example.:8080", "192.168.1.7:1", "192.168.1.5:8080", Options{LocalURL: local}, nil, "http://laptop.school.example:8080"},
		{"localhost:8080", "127.0.0.1:1", "127.0.0.1:8080", Options{LocalURL: local}, nil, local},
		{"LOCALHOST", "127.0.0.1:1", "127.0.0.1:8080", Options{LocalURL: local, BasePath: "/tools/lockstep"}, nil, local + "/tools/lockstep"},
		{"127.0.0.2:8080", "127.0.0.1:1", "127.0.0.1:8080", Options{LocalURL: local}, nil, local},
		{"[::1]:8080", "[::1]:1", "[::1]:8080", Options{LocalURL: local}, nil, local},
		// These are made up.
		{"evil.example", "192.168.1.7:1", "192.168.1.5:8080", Options{LocalURL: local}, nil, local},
		{"evil.example", "192.168.1.7:1", "10.0.0.7:8080", Options{}, nil, "http://10.0.0.7:8080"},
		{"evil.example", "192.168.1.7:1", "[2001:db8::5]:80", Options{}, nil, "http://[2001:db8::5]"},
		{"evil.example", "192.168.1.7:1", "10.0.0.7:8080", Options{LocalURL: local}, https, local},
		{"laptop.evil.example", "192.168.1.7:1", "192.168.1.5:8080", Options{LocalURL: local}, nil, local},
		{"192.168.1.6:8080", "192.168.1.7:1", "192.168.1.5:8080", Options{LocalURL: local}, nil, local},
		{"192.168.1.5:9999", "192.168.1.7:1", "192.168.1.5:8080", Options{LocalURL: local}, nil, local},
		{"laptop.local:9999", "192.168.1.7:1", "192.168.1.5:8080", Options{}, nil, "http://laptop.local:8080"},
		{"localhost:9999", "192.168.1.7:1", "192.168.1.5:8080", Options{}, nil, local},
		{"0.0.0.0:8080", "127.0.0.1:1", "127.0.0.1:8080", Options{LocalURL: local}, nil, local},
		{"<b>", "192.168.1.7:1", "192.168.1.5:8080", Options{LocalURL: local}, nil, local},
		{"", "192.168.1.7:1", "192.168.1.5:8080", Options{LocalURL: local}, nil, local},
		{"evil.example", "192.168.1.7:1", "", Options{}, nil, "http://localhost"},
		// A server that only its own machine reaches, through a tunnel, too.
		{"localhost:8080", "127.0.0.1:1", "127.0.0.1:8080", Options{}, nil, "http://localhost:8080"},
		{"localhost:9000", "127.0.0.1:1", "127.0.0.1:8080", Options{}, nil, "http://localhost:9000"},
		{"evil.example", "127.0.0.1:1", "127.0.0.1:8080", Options{}, nil, "http://127.0.0.1:8080"},
		{"laptop:8080", "127.0.0.1:1", "127.0.0.1:8080", Options{}, nil, "http://127.0.0.1:8080"}, // /etc/hosts has it so
		// Behind a proxy that is trusted.
		{"site.example", "10.0.0.1:1", "10.0.0.7:8080", Options{BasePath: "tools/"}, https, "https://site.example/tools"},
		{"site.example:443", "10.0.0.1:1", "10.0.0.7:8080", Options{LocalURL: local}, https, "https://site.example"},
		{"site.example:8443", "10.0.0.1:1", "10.0.0.7:8080", Options{}, https, "https://site.example:8443"},
		{"site.example", "10.0.0.1:1", "10.0.0.7:8080", Options{}, nil, "http://site.example"},
		{"a b", "10.0.0.1:1", "10.0.0.7:8080", Options{LocalURL: local}, nil, local},
		// The operator names these.
		{"localhost:8080", "127.0.0.1:1", "127.0.0.1:8080", Options{LocalURL: local, PublicURL: "https://site.example"}, nil, "https://site.example"},
	} {
		c.o.Proxies, c.o.Machine = behind(t, "10.0.0.1").Proxies, laptop
		s, r := asked(t, c.o, c.host, c.remote, c.headers...)
		if c.at != "" {
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.at)))))
		}
		if got := s.PublicURL(r); got != c.want {
			t.Errorf("%s, asked by %s for %q, is said to be at %s, want %s", c.at, c.remote, c.host, got, c.want)
		}
	}
}

// A server that has been started again shows the address at which the presenter opened the room, whoever comes first. The presenter's
// next address takes its place.
func TestAParticipantsHostIsNotShownAfterARestart(t *testing.T) {
	kept := store.Memory(store.Options{})
	s := newSite(t, Options{Store: kept, Machine: laptop})
	teacher := s.person()
	room, _ := teacher.opens()
	opened := s.url
	again := newSite(t, Options{Store: kept, Machine: laptop, LocalURL: "http://192.168.1.5:8080"})
	again.roomOf(room) // an empty room forgets how its presenter reached it
	as := func(host, cookie, path string) answer {
		t.Helper()
		return again.send("GET", path, nil, "Host", host, "Cookie", cookie)
	}
	stranger := as("laptop.local", "", room+"/screen")
	stranger.wants(t, http.StatusOK, opened+room, `translate="no">`+strings.TrimPrefix(opened, "http://"))
	stranger.lacks(t, `translate="no">laptop.local`)
	as("laptop.local", teacher.cookie(), room+"/screen").wants(t, http.StatusOK, "http://laptop.local:")
	again.get(room+"/screen").wants(t, http.StatusOK, "http://laptop.local:")
}

// A made-up host appears nowhere in a room: not on the board, not in a pairing link, and not in the replay's link,
// before and after the presenter's next request.
func TestAMadeUpHostIsShownNowhere(t *testing.T) {
	s := newSite(t, Options{Machine: laptop, LocalURL: "http://192.168.1.5:8080"})
	teacher := s.person()
	room, _ := teacher.opens()
	_, leave, err := s.server.Rooms.Use(context.Background(), strings.TrimPrefix(room, "/r/")) // an empty room forgets how its presenter reached it
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	as := func(host, method, path string, form url.Values) answer {
		t.Helper()
		return s.send(method, path, form, "Host", host, "Cookie", teacher.cookie())
	}
	for _, host := range []string{"evil.example", "8.8.8.8", "laptop.evil.example:8080"} {
		for _, path := range []string{room, room + "/screen", room + "/present"} {
			as(host, "GET", path, nil).lacks(t, host)
		}
		as(host, "POST", room+"/remotes", url.Values{}).lacks(t, host)
		s.get(room+"/screen").lacks(t, host)
	}
	as("laptop.local", "GET", room+"/screen", nil).wants(t, http.StatusOK, "http://laptop.local:")
	s.get(room+"/screen").wants(t, http.StatusOK, "http://laptop.local:")
	as("evil.example", "POST", room+"/do", url.Values{"verb": {"end"}}).wants(t, http.StatusSeeOther)
	for _, host := range []string{"evil.example", strings.TrimPrefix(s.url, "http://")} {
		as(host, "GET", room+"/screen", nil).lacks(t, "evil.example")
	}
}

// While an address leads no phone here, the presenter of a room is warned, and so are the screens that show the code, and a
// reader of the first page, who may start a room. Each learns the flag that helps, in their language. Nobody else is warned,
// and nobody where phones come in.
func TestPresenterIsWarnedOfALoopbackAddress(t *testing.T) {
	for _, c := range []struct {
		o      Options
		warned bool
	}{
		{Options{}, true},
		{Options{LocalURL: "http://192.168.1.5:8080"}, false},
		{Options{PublicURL: "https://site.example"}, false},
	} {
		s := newSite(t, c.o)
		teacher := s.person()
		room, run := teacher.opens("spawn C1 naive")
		phone := s.joins(room)
		for _, page := range []struct {
			path  string
			who   *person
			words string // empty: it never warns
		}{{run, teacher, "present.alone"}, {room + "/single", teacher, "present.alone"}, {room + "/screen", phone, "present.alone"}, {room, phone, ""}} {
			for l, flag := range map[lang.Language]string{lang.English: "start it with --address :", lang.Chinese: "用 --address :"} {
				body := page.who.send("GET", page.path+"?lang="+string(l), nil).body
				_, port, _ := strings.Cut(strings.TrimPrefix(s.url, "http://"), ":")
				if says := strings.Contains(body, flag+port); says != (c.warned && page.words != "") {
					t.Errorf("with %+v, %s warns in %s: %t", c.o, page.path, l, says)
				} else if says && !strings.Contains(body, views.Say(l, page.words, port)) {
					t.Errorf("%s warns in %s in other words", page.path, l)
				}
			}
		}
	}
}

func TestNamesOf(t *testing.T) {
	for _, c := range []struct {
		hostname, resolver string
		want               []string
	}{
		{"laptop", "", []string{"laptop", "laptop", "laptop.local"}},
		{"Annas-MacBook.local", "# a comment\nnameserver 10.0.0.1\nsearch fritz.box .\n", []string{"annas-macbook.local", "annas-macbook", "annas-macbook.local", "annas-macbook.fritz.box"}},
		{"pc7.school.example.", "domain Lab.School.Example.\nsearch\n\n", []string{"pc7.school.example", "pc7", "pc7.local", "pc7.lab.school.example"}},
		{"localhost", "search school.example", nil},
		{"localhost.localdomain", "", nil},
		{"", "search school.example", nil},
	} {
		if got := door.NamesOf(c.hostname, c.resolver); !slices.Equal(got, c.want) {
			t.Errorf("%q is known as %q, want %q", c.hostname, got, c.want)
		}
	}
	if _, addresses := door.ThisMachine(); !slices.Contains(addresses, netip.MustParseAddr("127.0.0.1")) {
		t.Errorf("this machine is at %v", addresses)
	}
}

// The server asks the system for its names and addresses now and then, not for each request, and notices a change.
func TestTheMachineIsAskedNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks, address := 0, "192.168.1.5"
		m := door.NewMachine(door.Where{LocalURL: "http://192.168.1.4:8080", Machine: func() ([]string, []netip.Addr) {
			looks++
			return []string{"laptop"}, []netip.Addr{netip.MustParseAddr(address)}
		}})
		has := func(text string) bool {
			h, ok := door.ParseHost(text, "http")
			return ok && m.Has(h)
		}
		for range 1000 {
			if !has("192.168.1.5:80") || has("10.0.0.7") || !has("laptop") || has("evil.example") || !has("localhost") || !has("192.168.1.4") {
				t.Fatal("the machine has other hosts than it has said")
			}
		}
		if looks != 1 {
			t.Errorf("the system is asked %d times within a moment", looks)
		}
		address = "10.0.0.7"
		time.Sleep(door.LookEvery)
		if has("192.168.1.5:80") || !has("10.0.0.7") || looks != 2 {
			t.Errorf("after %v the machine has not been looked at again", door.LookEvery)
		}
	})
}

func TestPublicURL(t *testing.T) {
	for _, c := range []struct{ text, base, want string }{
		{"", "", ""},
		{"https://site.example", "", "https://site.example"},
		{"https://site.example/", "/", "https://site.example"},
		{"https://Site.Example.:443", "", "https://site.example"},
		{"http://192.168.1.5:8080", "", "http://192.168.1.5:8080"},
		{"http://[2001:DB8::5]:8080", "", "http://[2001:db8::5]:8080"},
		{"https://site.example", "/tools", "https://site.example/tools"},
		{"https://site.example/tools/", "tools", "https://site.example/tools"},
	} {
		if got, err := door.PublicURL(c.text, c.base); err != nil || got != c.want {
			t.Errorf("%s below %q is %q (%v), want %q", c.text, c.base, got, err, c.want)
		}
	}
	for _, text := range []string{
		"site.example", "//site.example", "ftp://site.example", "https://", "https://me@site.example", "https://site.example/?a", "https://site.example/#a", "https://site.example/other",
		"javascript:alert(1)", "https://锁.example", "https://site example", "https://site.example:0", "https://site.example:99999",
	} {
		if got, err := door.PublicURL(text, "/tools"); err == nil {
			t.Errorf("%s is taken as %s", text, got)
		}
	}
}
