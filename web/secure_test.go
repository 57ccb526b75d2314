package web

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
	"lockstep/web/door"
	"lockstep/web/picture"
)

// The policy, word for word: the other tests compare a page's policy with this one.
func TestThePolicyAllowsThisSitesFilesAlone(t *testing.T) {
	const want = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	if door.Policy != want {
		t.Errorf("the policy of a page is\n%s\nand not\n%s", door.Policy, want)
	}
}

// Every answer, even a 404, lets its page do no more than it needs. Every cookie is out of reach of scripts, other
// sites and eavesdroppers.
func TestEveryRouteIsSecure(t *testing.T) {
	for _, base := range []string{"", "/tools"} {
		o := behind(t, "192.0.2.1")
		o.BasePath = base
		s := New(o)
		defer s.Close()
		site := s.Handler()
		cookies := map[string]bool{}
		check := func(method, path string) {
			for _, scheme := range []string{"http", "https"} {
				w, r := httptest.NewRecorder(), httptest.NewRequest(method, path, nil)
				r.Header.Set("X-Forwarded-For", "203.0.113.5")
				r.Header.Set("X-Forwarded-Proto", scheme)
				site.ServeHTTP(w, r)
				want := map[string]string{
					"Content-Security-Policy":      door.Policy,
					"X-Content-Type-Options":       "nosniff",
					"Referrer-Policy":              "same-origin",
					"Cross-Origin-Resource-Policy": "same-origin",
				}
				if strings.HasPrefix(w.Result().Header.Get("Content-Type"), "image/svg") { // it has a style inside
					svg, style := picture.Favicon()
					want["Content-Security-Policy"] = "default-src 'none'; style-src " + door.HashSource([]byte(style))
					if !strings.Contains(string(svg), "<style>"+style+"</style>") {
						t.Errorf("the policy of %s allows another style than its own", path)
					}
				}
				if strings.Contains(path, views.SitePicture) { // other sites show it beside a link
					want["Cross-Origin-Resource-Policy"] = "cross-origin"
				}
				if scheme == "https" {
					want["Cross-Origin-Opener-Policy"] = "same-origin"
				}
				for name, want := range want {
					if got := w.Result().Header.Values(name); len(got) != 1 || got[0] != want {
						t.Errorf("%s %s (%d) has %s: %q", method, path, w.Code, name, got)
					}
				}
				if w.Result().Header.Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s %s may be read by other sites", method, path)
				}
				for _, c := range w.Result().Cookies() {
					prefix := ""
					if scheme == "https" {
						prefix = map[string]string{"": "__Host-", "/tools": "__Secure-"}[base]
					}
					name, ok := strings.CutPrefix(c.Name, prefix)
					if cookies[name] = true; !ok || strings.HasPrefix(name, "__") {
						t.Errorf("%s %s sets over %s a cookie named %s", method, path, scheme, c.Name)
					}
					if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure != (scheme == "https") || c.Path != base+"/" || c.Domain != "" {
						t.Errorf("%s %s sets over %s the cookie %s", method, path, scheme, c)
					}
				}
			}
		}
		// Parameters that name something; any other is some text.
		given := strings.NewReplacer("{id}", "aaaaaaaaaa", "{course}", "redis-lock", "{lesson}", "race", "{challenge}", "break", "{code}", "482913")
		routes := 0
		err := chi.Walk(s.routes().(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
			routes++
			path := regexp.MustCompile(`\{(\w+):[^/]*\}`).ReplaceAllString(strings.ReplaceAll(route, "{10}", ""), "{$1}")
			path = strings.ReplaceAll(given.Replace(path), "*", "js/run/page.js")
			check(method, base+path+"?lang=zh")
			return nil
		})
		if err != nil || routes < 30 {
			t.Errorf("%d routes were found: %v", routes, err)
		}
		for _, path := range []string{"/nothing", "/t/short", "/static/nothing", "/static/", "/p?lang=zh", "/explore?lang=zh"} {
			check("GET", base+path)
			check("DELETE", base+path)
		}
		if base != "" {
			check("GET", base)
			check("GET", "/")
			check("GET", "/nothing")
		}
		for _, name := range []string{door.LanguageCookie, door.SettingsCookie, door.VisitorCookie} {
			if !cookies[name] {
				t.Errorf("no answer sets the cookie %s", name)
			}
		}
	}
}
