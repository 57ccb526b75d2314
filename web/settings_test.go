package web

import (
	"net/http"
	"net/url"
	"testing"
)

// A chosen setting is kept, leads back to the page, and stands on the root element.
func TestSettingsAreKept(t *testing.T) {
	s := newSite(t, Options{})
	s.get(aRun).wants(t, 200, `data-theme="auto" data-mode="desk" data-scale="1" data-speed="1" data-sound="off" data-speak="events" data-letters="on"`)
	a := s.send("POST", "/settings", url.Values{
		"theme": {"dark"}, "mode": {"projector"}, "scale": {"1.75"}, "speed": {"0.5"}, "sound": {"on"}, "speak": {"changes"}, "letters": {"off"}, "back": {aRun + "?step=2"},
	})
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != aRun+"?step=2" {
		t.Fatalf("%s, Location %q", a.Status, a.Header.Get("Location"))
	}
	cookie := a.Cookies()[0]
	if cookie.Name != "settings" || cookie.Path != "/" {
		t.Errorf("the cookie is %v", cookie)
	}
	header := cookie.Name + "=" + cookie.Value
	s.get(aRun, "Cookie", header).wants(t, 200, `data-theme="dark" data-mode="projector" data-scale="1.75" data-speed="0.5" data-sound="on" data-speak="changes" data-letters="off"`)

	// The form changes one of them. A ticked box comes after its hidden field, which stands for an unticked one.
	a = s.send("POST", "/settings", url.Values{"mode": {"desk"}, "sound": {"off"}, "letters": {"off", "on"}}, "Cookie", header)
	cookie = a.Cookies()[0]
	s.get(aRun, "Cookie", cookie.Name+"="+cookie.Value).wants(t, 200, `data-theme="dark" data-mode="desk" data-scale="1.75" data-speed="0.5" data-sound="off" data-speak="changes" data-letters="on"`)
}

// The settings in a link change that page and nothing else. Unknown values change nothing.
func TestTheSettingsOfALinkEndWithItsPage(t *testing.T) {
	s := newSite(t, Options{})
	a := s.get(aRun + "?theme=light&mode=projector&scale=2&step=3&lang=en")
	a.wants(t, 200, `data-theme="light" data-mode="projector" data-scale="2"`, `name="back" value="`+aRun+`?step=3"`)
	for _, cookie := range a.Cookies() {
		if cookie.Name == "settings" {
			t.Errorf("the link is kept: %v", cookie)
		}
	}
	s.get(aRun+`?theme="><b>&mode=&scale=9`, "Cookie", "settings=theme=loud&scale=%zz").wants(t, 200, `data-theme="auto" data-mode="desk" data-scale="1"`)
	s.send("POST", aRun+"/actions", url.Values{"action": {"nonsense"}}).wants(t, 422, `name="back" value="`+aRun+`"`)
}

// A base path may have the name of one of the site's own pages.
func TestABasePathMayBeNamedLikeAPage(t *testing.T) {
	s := newSite(t, Options{BasePath: "/t"})
	s.get("/t"+aRun).wants(t, 200, `name="back" value="`+aRun+`"`)
}

// The way back stays within the site.
func TestSettingsLeadNowhereElse(t *testing.T) {
	s := newSite(t, Options{})
	for _, back := range []string{"", "https://evil.example/", "//evil.example", `/\evil.example`, "/\t/evil.example", "evil", "javascript:alert(1)"} {
		a := s.send("POST", "/settings", url.Values{"back": {back}})
		if location := a.Header.Get("Location"); location != "/" {
			t.Errorf("back to %q leads to %q", back, location)
		}
	}
}
