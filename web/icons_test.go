package web

import (
	"html"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/web/present"
)

var titleTag = regexp.MustCompile(`<title>([^<]*)</title>`)

// No two pages have the same title, in either language: a title tells a tab from its neighbour.
func TestEveryPageHasItsOwnTitle(t *testing.T) {
	s := newSite(t, Options{})
	own := s.runOf("spawn C1 C2 naive\nstep C1 2\n")
	again := s.send("POST", own+"/reruns", url.Values{"program": {"getset"}}).Header.Get("Location")
	presenter := s.person()
	room, run := presenter.opens("spawn C1 C2 naive")
	phone := s.joins(room)

	type visit struct {
		of   *person
		path string
	}
	stranger := s.person()
	visits := []visit{{presenter, run}, {presenter, room + "/wall"}, {presenter, room + "/results"}, {presenter, room + "/remote"}, {presenter, room + "/screen"}, {presenter, room + "/single"}, {phone, room}, {stranger, room}}
	for _, path := range []string{
		"/", "/help", "/courses/redis-lock", "/courses/redis-lock/sources", "/courses/redis-lock/what-to-use", "/courses/redis-lock/test", "/courses/redis-lock/test?form=before", "/courses/redis-lock/test?form=after&after.winner=next",
		"/courses/redis-lock/test/handout", "/courses/redis-lock/test/handout?answers=1", "/courses/redis-lock/test/handout?form=after", "/programs/set-px", "/programs/redlock", "/programs/set-px/go", "/programs/set-px/java", "/programs/naive/go", "/explore", "/explore?program=set-px", "/explore?program=set-px&property=stuck",
		"/explore?program=set-px&property=none", "/p", own, own + "?step=1", strings.Split(again, "?")[0], again, "/t/bbbbbbbbbb", "/join",
		"/nothing", "/courses/none", "/courses/redis-lock/none", "/t/" + strings.Repeat("a", 10) + "/events?after=x",
	} {
		visits = append(visits, visit{stranger, path})
	}
	c := course.Builtin()
	for _, l := range append(append([]*course.Lesson{}, c.Lessons...), c.Incidents...) {
		path := "/courses/redis-lock/" + l.Name
		visits = append(visits, visit{stranger, path + "/handout"}, visit{stranger, path + "/handout?answers=1"})
		if l.Scenario != nil {
			visits = append(visits, visit{stranger, path})
		}
		if l.Again != nil {
			visits = append(visits, visit{stranger, path + "/again"})
		}
		for _, ch := range l.Challenges {
			visits = append(visits, visit{stranger, path + "/" + ch.Name})
		}
	}
	for _, l := range []string{"en", "zh"} {
		seen := map[string]string{}
		for _, v := range visits {
			join := "?"
			if strings.Contains(v.path, "?") {
				join = "&"
			}
			a := s.send("GET", v.path+join+"lang="+l, nil, "Cookie", v.of.cookie())
			if a.StatusCode == http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
				continue
			}
			found := titleTag.FindStringSubmatch(a.body)
			if found == nil || !strings.Contains(found[1], "Lockstep") || strings.HasPrefix(found[1], " ") {
				t.Errorf("%s has the title %q", v.path, found)
				continue
			}
			if other := seen[found[1]]; other != "" {
				t.Errorf("%s and %s are both called %q", other, v.path, found[1])
			}
			seen[found[1]] = v.path
		}
		if len(seen) < 70 {
			t.Errorf("only %d titles in %s: %v", len(seen), l, seen)
		}
	}
}

// A preview is what a chat makes of a link.
type preview struct {
	meta    map[string]string
	picture image.Image
}

var metaTag = regexp.MustCompile(`<meta (?:property|name)="([^"]*)" content="([^"]*)"`)

// previewOf reads a link as a chat does, that knows nobody: the page, and the picture that it names.
func (s *site) previewOf(path string) preview {
	s.Helper()
	p := preview{meta: map[string]string{}}
	for _, tag := range metaTag.FindAllStringSubmatch(s.get(path).body, -1) {
		p.meta[tag[1]] = html.UnescapeString(tag[2])
	}
	at := p.meta["og:image"]
	if !strings.HasPrefix(at, s.url+"/") {
		s.Fatalf("%s has its picture at %q", path, at)
	}
	a := s.get(strings.TrimPrefix(at, s.url))
	a.wants(s.T, http.StatusOK)
	var err error
	if p.picture, err = png.Decode(strings.NewReader(a.body)); err != nil {
		s.Fatalf("the picture of %s: %v", path, err)
	}
	if size := p.picture.Bounds().Size(); size != image.Pt(1200, 630) || p.meta["og:image:width"] != "1200" || p.meta["og:image:height"] != "630" {
		s.Errorf("the picture of %s measures %v", path, size)
	}
	return p
}

// px counts the px of a colour below the words of a picture.
func (p preview) px(c color.NRGBA) (n int) {
	for y := 200; y < 555; y++ {
		for x := range p.picture.Bounds().Dx() {
			if color.NRGBAModel.Convert(p.picture.At(x, y)) == c {
				n++
			}
		}
	}
	return n
}

// These are in static/css/tokens.css.
var (
	lightInk       = color.NRGBA{0x1b, 0x1f, 0x23, 255} // Redis' lane, the clients' heads
	lightBand      = color.NRGBA{0xc4, 0xe5, 0xf7, 255} // a key
	lightViolation = color.NRGBA{0x9c, 0x3d, 0x00, 255} // the flag of a violation
)

// A link says what happened in its run, and shows it.
func TestAChatShowsTheRunOfALink(t *testing.T) {
	s := newSite(t, Options{})
	broken := s.runOf(present.HomeScenario)
	calm := s.runOf("spawn C1 C2 naive\nstep C1 2\n")
	for _, program := range []string{"del-setnx", "set-px"} { // a chat asks for no search: it sees what others have asked
		s.get("/explore/answer?program="+program, "Accept", "application/json").wants(t, http.StatusOK)
	}
	for _, c := range []struct {
		path, title, sentence string
		lanes, keys, violated bool
	}{
		{"/", "Redis locks break. Break one.", "You decide whose command", true, true, true},
		{"/courses/redis-lock", "The Redis lock", "Locks made of Redis commands", true, true, true},
		{"/courses/redis-lock/race", "DEL and SETNX: the race", "two clients clear the same expired lock", true, true, false},
		{"/courses/redis-lock/race/break", "DEL and SETNX: the race", "", true, true, false},
		{broken, "Two clients hold the lock · del-setnx", "C1 and C2 are both in the critical section", true, true, true},
		{calm, "naive · 2 clients, 3 actions", "", true, true, false},
		{calm + "?step=1", "naive · 1 client, 1 action", "", true, false, false},
		{"/explore?program=set-px&property=stuck", "set-px: some client can always get in?", "5 ticks", false, false, false},
		{"/explore", "del-setnx: never two clients inside", "mutual-exclusion is violated", true, true, true},
		{"/explore?program=set-px", "set-px: never two clients inside", "mutual-exclusion holds", false, false, false},
		{"/p", "A run in a link", "", true, true, true},
		{"/p?s=" + coded(t, present.HomeScenario), "Two clients hold the lock · del-setnx", "C1 and C2 are both in the critical section", true, true, true},
		{"/p?s=" + coded(t, present.HomeScenario) + "&step=3", "del-setnx · 1 client, 3 actions", "", true, true, false},
		{"/nothing", "", "", true, true, true},
	} {
		p := s.previewOf(c.path)
		if !strings.Contains(p.meta["og:title"], c.title) || !strings.Contains(p.meta["og:description"], c.sentence) {
			t.Errorf("%s is %q: %q", c.path, p.meta["og:title"], p.meta["og:description"])
		}
		if p.meta["og:site_name"] != "Lockstep" || p.meta["twitter:card"] != "summary_large_image" || p.meta["og:url"] != s.url+c.path || p.meta["og:image:alt"] == "" || p.meta["og:locale"] != "en_US" {
			t.Errorf("%s says of itself %v", c.path, p.meta)
		}
		for what, seen := range map[string]struct {
			of     color.NRGBA
			wanted bool
		}{"lanes": {lightInk, c.lanes}, "keys": {lightBand, c.keys}, "a violation": {lightViolation, c.violated}} {
			if n := p.px(seen.of); (n > 300) != seen.wanted && !(what == "lanes" && !seen.wanted) {
				t.Errorf("the picture of %s has %d px of %s", c.path, n, what)
			}
		}
	}
}
