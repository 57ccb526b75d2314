package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"lockstep/web/door"
)

// Over https the name of a cookie has the strongest prefix that the site can have, and it goes before any cookie that
// a neighbour could have set. An older cookie without a prefix still counts if there is no other, but identifies
// nobody.
func TestHTTPSCookiesHaveTheStrongestPrefix(t *testing.T) {
	const plain, https = "http", "https"
	for _, c := range []struct {
		name, base, scheme, sent, set, read string
		ok                                  bool
	}{
		{"http", "", plain, "a=1", "a", "1", true},
		{"http below a path", "/tools", plain, "a=1", "a", "1", true},
		{"http, with what was set over https", "", plain, "__Host-a=2; __Secure-a=3; a=1", "a", "1", true},
		{"http, with nothing else", "", plain, "__Host-a=2", "a", "", false},
		{"https", "", https, "__Host-a=2", "__Host-a", "2", true},
		{"https below a path", "/tools", https, "__Secure-a=3", "__Secure-a", "3", true},
		{"https, after http", "", https, "a=1", "__Host-a", "1", true},
		{"https below a path, after http", "/tools", https, "a=1", "__Secure-a", "1", true},
		{"https, with a neighbour's", "", https, "a=1; __Secure-a=3; __Host-a=2", "__Host-a", "2", true},
		{"https below a path, with that of a site at the root", "/tools", https, "a=1; __Host-a=2; __Secure-a=3", "__Secure-a", "3", true},
		{"https, with a neighbour's only", "", https, "__Secure-a=3", "__Host-a", "", false},
		{"https below a path, with that of a site at the root only", "/tools", https, "__Host-a=2", "__Secure-a", "", false},
		{"https, with nothing in it", "", https, "a=1; __Host-a=", "__Host-a", "", true},
		{"https, without any", "", https, "", "__Host-a", "", false},
	} {
		o := behind(t, "192.0.2.1")
		o.BasePath = c.base
		s := New(o)
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
		r.Header.Set("X-Forwarded-Proto", c.scheme)
		r.Header.Set("Cookie", c.sent)
		s.Resolve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if read, ok := door.Choice(r, "a"); read != c.read || ok != c.ok {
				t.Errorf("%s: %q is read as %q (%t), want %q", c.name, c.sent, read, ok, c.read)
			}
			known := c.ok && !strings.HasSuffix(c.name, "after http")
			if read, ok := door.Cookie(r, "a"); ok != known || ok && read != c.read {
				t.Errorf("%s: by %q somebody is known as %q (%t)", c.name, c.sent, read, ok)
			}
			s.SetCookie(w, r, http.Cookie{Name: "a", Value: "4", Path: "/elsewhere", Domain: ""})
		})).ServeHTTP(w, r)
		set := w.Result().Cookies()[0]
		if set.Name != c.set || set.Path != c.base+"/" || set.Secure != (c.scheme == https) || set.Domain != "" || !set.HttpOnly {
			t.Errorf("%s: the cookie is %s, want %s", c.name, set, c.set)
		}
		s.Close()
	}
}

// Over https a cookie without a prefix carries preferences and no identity: a neighbour under the same domain can have
// set it.
func TestNobodyIsKnownWithoutAPrefix(t *testing.T) {
	s := newSite(t, behind(t, "127.0.0.1"))
	teacher := s.person()
	room, _ := teacher.opens()
	ann := s.joins(room)
	teacher.does(room, "switch", "free", "on").wants(t, http.StatusSeeOther)
	https := []string{"X-Forwarded-Proto", "https", "X-Forwarded-For", "203.0.113.5"}
	ann.send("GET", room+"?lang=zh", nil)
	ann.send("POST", "/settings", url.Values{"theme": {"dark"}})
	for name := range ann.cookies {
		if strings.HasPrefix(name, "__") {
			t.Fatalf("over http a cookie is named %s", name)
		}
	}
	s.get(room, append(https, "Cookie", ann.cookie())...).wants(t, http.StatusOK, `lang="zh-Hans"`, `data-theme="dark"`)
	for _, who := range []*person{ann, teacher} {
		as := func(prefix string) answer {
			form := url.Values{"verb": {"name"}, "text": {"Ann"}}
			if who == teacher {
				form = url.Values{"verb": {"gather"}}
			}
			key := door.KeyCookie(code(room))
			return s.send("POST", room+"/do", form, append(https, "Cookie", prefix+key+"="+who.cookies[key])...)
		}
		as("").wants(t, http.StatusUnprocessableEntity)
		as("__Host-").wants(t, http.StatusSeeOther)
	}
	name := s.get("/").Cookies()[0].Value
	for prefix, names := range map[string]int{"": 1, "__Host-": 0} {
		if a := s.get("/", append(https, "Cookie", prefix+door.VisitorCookie+"="+name)...); len(a.Cookies()) != names {
			t.Errorf("a visitor known by %q is given %d names", prefix+door.VisitorCookie, len(a.Cookies()))
		}
	}
}
