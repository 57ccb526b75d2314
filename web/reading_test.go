package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/web/present"
)

var linked = regexp.MustCompile(`<a(?: rel="external")? href="([^"]*)"`)

// answered tells what the explorer finds where the page "What do I use?" leads to a question, beside what the page says about
// it.
var answered = map[string]explore.Verdict{
	"/explore?program=takeover-cas&property=lease-drift&clients=2":                                        explore.Holds,
	"/explore?program=naive&property=stuck&losses=1":                                                      explore.Violated,
	"/explore?program=set-px&property=overlap&delays=0":                                                   explore.Violated,
	"/explore?program=set-px&property=mutual-exclusion&clients=2&ticks=4":                                 explore.Holds,
	"/explore?program=set-px-fencing&property=stale-write&clients=2&ticks=4":                              explore.Holds,
	"/explore?program=set-px-fencing-incr&property=stale-write&clients=2":                                 explore.Violated,
	"/explore?program=redlock&property=mutual-exclusion&clients=2&nodes=3&ticks=2&node-crashes=1&lose=on": explore.Violated,
}

// Each link of a reading leads to a page of this site that exists, below its base path, or to another site and says so. Both
// languages have the same links.
func TestTheLinksOfAReading(t *testing.T) {
	s := newSite(t, Options{BasePath: "/tools"})
	c := course.Builtin()
	used := map[string]bool{}
	for _, r := range c.Readings {
		var first []string
		for _, language := range lang.All {
			page := s.get("/tools"+present.ReadingPath(c, r), "Accept-Language", string(language))
			page.wants(t, http.StatusOK)
			var links []string
			_, body, _ := strings.Cut(page.body, `<main class="course reading"`)
			for _, found := range linked.FindAllStringSubmatch(body, -1) {
				to := html.UnescapeString(found[1])
				links = append(links, to)
				if strings.HasPrefix(to, "https://") != strings.Contains(found[0], "external") {
					t.Errorf("%s in %s: %s", r.Name, language, found[0])
				}
				path, own := strings.CutPrefix(to, "/tools")
				if !own || used[path] {
					continue
				}
				used[path] = true
				s.get(to).wants(t, http.StatusOK)
				at, err := url.Parse(path)
				if err != nil {
					t.Fatal(err)
				}
				if lesson := c.Lesson(strings.TrimPrefix(at.Path, "/courses/redis-lock/")); lesson != nil && at.Query().Has("moment") && lesson.Moment(at.Query().Get("moment")) == nil {
					t.Errorf("%s leads to a missing moment: %s", r.Name, path)
				}
				if at.Path == "/explore" {
					theExplorerFinds(t, path, at.Query())
				}
			}
			if first == nil {
				first = links
			} else if !slices.Equal(first, links) {
				t.Errorf("%s leads elsewhere in %s:\n%q\n%q", r.Name, language, first, links)
			}
		}
		if len(first) < 20 {
			t.Errorf("%s has %d links", r.Name, len(first))
		}
	}
	for path := range answered {
		if !used[path] {
			t.Errorf("no reading leads to %s", path)
		}
	}
}

// theExplorerFinds checks the answer to a question that a page leads to.
func theExplorerFinds(t *testing.T, path string, fields url.Values) {
	t.Helper()
	q, err := present.ReadQuestion(fields)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	a, err := q.Search(explore.Budget{}, explore.Runtime{}, 0)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	if want, known := answered[path]; !known || a.Verdict != want {
		t.Errorf("%s: %s, where the page says %s", path, a.Verdict, want)
	}
}

// What a reading prints is the file of the course, letter by letter.
func TestAReadingPrintsItsFiles(t *testing.T) {
	s := newSite(t, Options{})
	body := s.get("/courses/redis-lock/what-to-use").body
	for _, says := range []string{"crypto/rand", "redis.clients.jedis.UnifiedJedis", "threading.Event()", "node:timers/promises"} {
		if !strings.Contains(html.UnescapeString(regexp.MustCompile(`</?i[^>]*>`).ReplaceAllString(body, "")), says) {
			t.Errorf("the page does not print %q", says)
		}
	}
	if strings.Contains(body, `class="language-`) {
		t.Error("a listing has no colours")
	}
}
