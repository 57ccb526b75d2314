package web

import (
	"encoding/json"
	"html"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// oembedOf asks what to show of an address.
func (s *site) oembedOf(address, more string) (o oembed, a answer) {
	s.Helper()
	a = s.get("/oembed?url=" + url.QueryEscape(address) + more)
	if a.StatusCode == http.StatusOK {
		if err := json.Unmarshal([]byte(a.body), &o); err != nil {
			s.Fatalf("%s: %v in %s", address, err, a.body)
		}
	}
	return o, a
}

var discovered = regexp.MustCompile(`<link rel="alternate" type="application/json\+oembed" href="([^"]*)"`)

// A page names the address that says what to show in place of its link. It says it with the page's title: the picture of the
// link or, where sites may frame it, a frame.
func TestALinkIsEmbedded(t *testing.T) {
	bare, framing := newSite(t, Options{}), newSite(t, Options{EmbedFrom: moodle})
	for _, s := range []*site{bare, framing} {
		run := s.runOf("spawn C1 C2 naive\nstep C1 2\n")
		for _, c := range []struct{ path, title string }{
			{"/courses/redis-lock/race", "DEL and SETNX: the race"},
			{"/courses/redis-lock/race?lang=zh", "DEL 加 SETNX：竞态条件"},
			{"/courses/redis-lock/race/break", "Can two be inside? · DEL and SETNX: the race"},
			{"/courses/redis-lock/redis-mutex-6", ""},
			{"/explore?program=set-px", "set-px: never two clients inside"},
			{run, "naive · 2 clients, 3 actions"},
			{run + "?step=1", "naive · 1 client, 1 action"},
		} {
			found := discovered.FindStringSubmatch(s.get(c.path).body)
			if found == nil || !strings.HasPrefix(html.UnescapeString(found[1]), s.url+"/oembed?format=json&url=") {
				t.Errorf("%s names %q", c.path, found)
				continue
			}
			a := s.get(strings.TrimPrefix(html.UnescapeString(found[1]), s.url))
			a.wants(t, http.StatusOK)
			var o oembed
			if err := json.Unmarshal([]byte(a.body), &o); err != nil {
				t.Fatal(err)
			}
			title := titleTag.FindStringSubmatch(s.get(c.path).body)[1]
			if !strings.Contains(o.Title, c.title) || !strings.HasPrefix(c.path, "/t/") && html.UnescapeString(title) != o.Title+" – Lockstep" {
				t.Errorf("%s is called %q, and its page %q", c.path, o.Title, title)
			}
			if a.Header.Get("Content-Type") != "application/json" || o.Version != "1.0" || o.ProviderName != "Lockstep" || o.ProviderURL != s.url+"/" || o.CacheAge != oembedSeconds {
				t.Errorf("%s: %+v", c.path, o)
			}
			card := o.ThumbnailURL
			if s == bare {
				if card = o.URL; o.Type != "photo" || o.HTML != "" || o.Width != 1200 || o.Height != 630 {
					t.Errorf("without the flag %s is %+v", c.path, o)
				}
			} else {
				src := regexp.MustCompile(`<iframe src="([^"]*)" title="([^"]*)" width="960" height="640"`).FindStringSubmatch(o.HTML)
				if o.Type != "rich" || o.Width != 960 || o.Height != 640 || src == nil || html.UnescapeString(src[2]) != o.Title {
					t.Fatalf("with the flag %s is %+v", c.path, o)
				}
				at := strings.TrimPrefix(html.UnescapeString(src[1]), s.url)
				if !strings.HasPrefix(at, "/embed"+strings.Split(c.path, "?")[0]) {
					t.Errorf("%s is framed at %s", c.path, at)
				}
				s.get(at).wants(t, http.StatusOK, `data-frame="/embed"`)
			}
			picture := s.get(strings.TrimPrefix(card, s.url))
			if _, err := png.Decode(strings.NewReader(picture.body)); err != nil {
				t.Errorf("%s has the picture %q: %v", c.path, card, err)
			}
		}
	}
}

// An answer is no larger than the asker has room for. A picture is never cut: where it does not fit, the link is a link.
func TestAnEmbeddedLinkFits(t *testing.T) {
	bare, framing := newSite(t, Options{}), newSite(t, Options{EmbedFrom: moodle})
	for _, c := range []struct {
		more          string
		bare          string
		width, height int // of the frame
		pictured      bool
	}{
		{"", "photo", 960, 640, true},
		{"&maxwidth=600", "link", 600, 640, false},
		{"&maxheight=400", "link", 960, 400, false},
		{"&maxwidth=1200&maxheight=630", "photo", 960, 630, true},
		{"&maxwidth=320&maxheight=200&format=json", "link", 320, 200, false},
	} {
		address := bare.url + "/courses/redis-lock/race"
		if o, _ := bare.oembedOf(address, c.more); o.Type != c.bare || o.Type == "link" && (o.URL != "" || o.Width != 0 || o.ThumbnailURL != "") {
			t.Errorf("%s: %+v", c.more, o)
		}
		o, _ := framing.oembedOf(framing.url+"/courses/redis-lock/race", c.more)
		if o.Type != "rich" || o.Width != c.width || o.Height != c.height || (o.ThumbnailURL != "") != c.pictured {
			t.Errorf("%s: %+v", c.more, o)
		}
	}
}

// Nothing is said about another host's address, about pages without anything to embed, or about what only a room may see.
func TestOEmbedRefuses(t *testing.T) {
	s := newSite(t, Options{EmbedFrom: moodle})
	teacher := s.person()
	_, private := teacher.opens("spawn C1 C2 naive")
	const none = "url is not the address of a run, a lesson, a challenge or the explorer on this site."
	for _, c := range []struct {
		address, more string
		status        int
		says          string
	}{
		{"", "", 404, none},
		{"https://evil.example/courses/redis-lock/race", "", 404, none},
		{strings.Replace(s.url, "http://", "https://", 1) + "/explore", "", 404, none},
		{strings.Replace(s.url, "http://", "http://x@", 1) + "/explore", "", 404, none},
		{s.url + ".evil.example/explore", "", 404, none},
		{strings.Replace(s.url, "127.0.0.1", "evil.example", 1) + "/explore", "", 404, none},
		{"/explore", "", 404, none},
		{"//127.0.0.1/explore", "", 404, none},
		{s.url + "/", "", 404, none},
		{s.url + "/help", "", 404, none},
		{s.url + "/embed/explore", "", 404, none},
		{s.url + "/courses/redis-lock", "", 404, none},
		{s.url + "/courses/redis-lock/none", "", 404, none},
		{s.url + "/courses/redis-lock/race/none", "", 404, none},
		{s.url + "/courses/redis-lock/race/handout", "", 404, none},
		{s.url + "/courses/redis-lock/race/again", "", 404, none},
		{s.url + "/courses/redis-lock/what-to-use", "", 404, none},
		{s.url + "/t/nobodyhere", "", 404, none},
		{s.url + "/t/../explore", "", 404, none},
		{s.url + "/explore?clients=0", "", 404, none},
		{s.url + "/explore?own=1&source=x", "", 404, none},
		{s.url + private, "", 401, "Only the people of its room may see this run."},
		{s.url + "/explore?" + strings.Repeat("x", mostURL), "", 404, none},
		{s.url + "/explore", "&format=xml", 501, "oEmbed is answered in JSON only."},
		{s.url + "/explore", "&format=xml&lang=zh", 501, "oEmbed 只有 JSON 格式。"},
		{s.url + "/explore", "&maxwidth=wide", 400, "maxwidth and maxheight are whole numbers of px."},
		{s.url + "/explore", "&maxheight=-1", 400, "maxwidth and maxheight are whole numbers of px."},
		{s.url + "/explore?" + strings.Repeat("x", mostURL-len(s.url)-9), "", 200, ""},
	} {
		if _, a := s.oembedOf(c.address, c.more); a.StatusCode != c.status || !strings.Contains(a.body, c.says) {
			t.Errorf("%.80s %s is answered with %s: %s", c.address, c.more, a.Status, a.body)
		}
	}
	page := teacher.send("GET", private, nil)
	page.wants(t, http.StatusOK)
	page.lacks(t, "json+oembed")
	s.get("/").lacks(t, "json+oembed")
	s.get("/courses/redis-lock/race/handout").lacks(t, "json+oembed")
	until(t, "the questions have left no run behind", func() bool { return s.places() <= 1 })

	public := newSite(t, Options{PublicURL: "https://lockstep.example/tools", BasePath: "/tools"})
	if a := public.get("/tools/oembed?url="+url.QueryEscape("https://LOCKSTEP.example:443/tools/explore"), "Host", "lockstep.example"); a.StatusCode != http.StatusOK || !strings.Contains(a.body, `"provider_url":"https://lockstep.example/tools/"`) {
		t.Errorf("the public address is answered with %s: %s", a.Status, a.body)
	}
	if a := public.get("/tools/oembed?url="+url.QueryEscape("https://lockstep.example/explore"), "Host", "lockstep.example"); a.StatusCode != http.StatusNotFound {
		t.Errorf("an address above the site's is answered with %s", a.Status)
	}
}

// A title or an address with quotes stays inside its attribute of the frame.
func TestAFramesTitleIsText(t *testing.T) {
	const strange = `"><script>alert(1)</script>`
	got := iframe("https://lockstep.example/?a=1&b="+strange, strange, 1, 1)
	if strings.Contains(got, "<script") || strings.Contains(got, `""`) || !strings.Contains(got, `title="`+html.EscapeString(strange)+`"`) || !strings.Contains(got, "?a=1&amp;b=") {
		t.Error(got)
	}
}
