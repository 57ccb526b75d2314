package web

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	courseview "lockstep/views/course"
)

var headings = regexp.MustCompile(`(?s)<h([1-6])[^>]*>(.*?)</h[1-6]>`)

// markupTag has the tag by which markup names each language.
var markupTag = map[lang.Language]string{lang.English: "en", lang.Chinese: "zh-Hans"}

// Every page of the built-in course is whole in both languages.
func TestEveryCoursePageIsWhole(t *testing.T) {
	testtools.Long(t, "it asks for every page of the course")
	s := newSite(t, Options{})
	c := course.Builtin()
	for _, language := range []lang.Language{lang.English, lang.Chinese} {
		in := func(w lang.Text) string { return html.EscapeString(w.In(language)) }
		page := func(path string, texts ...string) {
			t.Helper()
			a := s.get(path, "Accept-Language", string(language))
			a.wants(t, http.StatusOK, append(texts, `<html lang="`+markupTag[language]+`"`)...)
			level := 0
			for _, found := range headings.FindAllStringSubmatch(a.body, -1) {
				if text := strings.TrimSpace(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(found[2], "")); text == "" {
					t.Errorf("%s in %s has an empty heading: %s", path, language, found[0])
				}
				if next := int(found[1][0] - '0'); next > level+1 {
					t.Errorf("%s in %s goes from a heading of level %d to %s", path, language, level, found[0])
				} else {
					level = next
				}
			}
			for _, key := range regexp.MustCompile(`>\s*course\.[a-z.-]+\s*<|%!?[sd(]`).FindAllString(a.body, -1) {
				t.Errorf("%s in %s lacks words: %s", path, language, key)
			}
		}
		titles := []string{in(c.Title)}
		for _, l := range c.All() {
			titles = append(titles, in(l.Title), in(l.Goal))
		}
		page("/courses/redis-lock", titles...)
		page("/courses/redis-lock/sources", in(c.Claims[0].Say), in(c.Claims[len(c.Claims)-1].Shown))
		for _, r := range c.Readings {
			page("/courses/redis-lock/"+r.Name, in(r.Title), in(r.Goal), r.Sections[0].Heading.In(language))
		}
		for _, l := range c.All() {
			texts, path := []string{in(l.Title), in(l.Goal), l.Lead.In(language)}, "/courses/redis-lock/"+l.Name
			page(path, texts...)
			for _, challenge := range l.Challenges {
				texts = append(texts, challenge.Heading.In(language))
				page(path+"/"+challenge.Name, challenge.Heading.In(language), challenge.Text.In(language))
			}
			ends := append([]string{in(l.Title), l.On.In(language), path + "/handout"}, texts[3:]...)
			if l.Scenario == nil {
				ends = texts // its challenges stand on its one card
			}
			page(path+"?done=1000", ends...)
			for _, m := range l.Moments {
				texts = append(texts, m.Heading.In(language), m.Text.In(language))
			}
			page("/courses/redis-lock/"+l.Name+"/handout", texts...)
			page("/courses/redis-lock/"+l.Name+"/handout?answers=1", texts...)
		}
	}
}

// A request for a missing course, lesson or challenge is refused in a sentence and leads to those that exist.
func TestAMissingCourseLeadsToTheOthers(t *testing.T) {
	s := newSite(t, Options{})
	for path, says := range map[string]struct{ en, zh, back string }{
		"/courses/nothing":                    {"There is no such course.", "没有这个课程。", "/courses/redis-lock"},
		"/courses/nothing/race":               {"There is no such course.", "没有这个课程。", "/courses/redis-lock"},
		"/courses/nothing/sources":            {"There is no such course.", "没有这个课程。", "/courses/redis-lock"},
		"/courses/redis-lock/nothing":         {"There is no such lesson in this course.", "这个课程里没有这一课。", "/courses/redis-lock"},
		"/courses/redis-lock/nothing/handout": {"There is no such lesson in this course.", "这个课程里没有这一课。", "/courses/redis-lock"},
	} {
		s.get(path+"?lang=en").wants(t, http.StatusNotFound, says.en, `href="`+says.back+`"`)
		s.get(path+"?lang=zh").wants(t, http.StatusNotFound, says.zh, `href="`+says.back+`"`)
	}
	a := s.get("/courses")
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/courses/redis-lock" {
		t.Errorf("/courses: %s, to %s", a.Status, a.Header.Get("Location"))
	}
}

const bareLesson = `---
title: Who <b>wins</b>?
goal: See one win.
scenario: |
  program naive
  spawn C1 C2
  step C1
  # @second
  step C2
  expect reply C2 0
  # @showed
predictions:
  second:
    one: expect reply C2 1
    zero: expect reply C2 0
challenges:
  hold:
    start: program naive timeout=2s retry=1s
    property: overlap
    clients: 2
    ticks: 2
    holds: true
---
Before it *begins*.

## C2 is second {#second}
What will Redis reply?

### 1, it has the lock {#one}
After the wrong guess.

### 0 {#zero}
After the right guess.

## What the run showed {#showed}
One won.

## Two inside? {#hold}
Try it.

### Solved {#solved}
It is proved.
`

// A teacher's own course is shown as far as it is right, with its mistakes.
func TestAFaultyCourseIsShownWithItsMistakes(t *testing.T) {
	own := course.Load(fstest.MapFS{
		"course.yaml":   {Data: []byte("title: {en: An evening}\nlessons:\n  - wins\n  - missing\n")},
		"wins.en.md":    {Data: []byte(bareLesson)},
		"not-listed.md": {Data: []byte("nothing")},
	}, "evening")
	if len(own.Lessons) != 1 {
		t.Fatalf("the lesson is not taken: %v", own.Mistakes)
	}
	s := newSite(t, Options{Courses: []*course.Course{own}, BasePath: "/tools"})
	s.get("/tools/courses/evening?lang=zh").wants(t, http.StatusOK,
		"本课程只有英文版。", `lang="en">An evening</h2>`, "这个课程里有一处错误", own.Mistakes[0].Sentence(lang.Chinese),
		`href="/tools/courses/redis-lock"`, `href="/tools/courses/evening/wins"`, "Who &lt;b&gt;wins&lt;/b&gt;?")
	s.get("/tools/courses/evening?lang=en").wants(t, http.StatusOK, "One mistake in this course", "course.yaml:4: ")
	s.get("/tools/courses/redis-lock?lang=en").wants(t, http.StatusOK, `href="/tools/courses/evening"`)
	s.get("/tools/courses/evening/wins?lang=zh").wants(t, http.StatusOK,
		"本课程只有英文版。", `<div class="prose" lang="en">`, "<em>begins</em>", `?begin=evening%2Fwins&amp;done=2"`)
	s.get("/tools/courses/evening/wins?done=9&lang=zh").wants(t, http.StatusOK, `href="/tools/courses/evening/wins/hold"`)
	s.get("/tools/courses/evening/wins/hold?lang=zh").wants(t, http.StatusOK, "本课程只有英文版。", `?begin=evening%2Fwins%2Fhold&amp;`)
	if a := s.get("/tools/courses/evening?lang=en"); strings.Contains(a.body, "only.") || strings.Contains(a.body, "sources") {
		t.Error("the page gives a notice without a reason")
	}
	s.get("/tools/courses/evening/sources?lang=en").wants(t, http.StatusNotFound, "This course quotes no sources.")
	s.get("/tools/courses/evening/wins/handout?lang=zh").wants(t, http.StatusOK, `lang="en">Who &lt;b&gt;wins`)
}

// A handout has the whole run. Only the one with answers has the outcome.
func TestAHandoutHasTheWholeRun(t *testing.T) {
	own := course.Load(fstest.MapFS{
		"course.yaml": {Data: []byte("title: {en: An evening}\nlessons: [wins]\n")}, "wins.en.md": {Data: []byte(bareLesson)},
	}, "evening")
	s := newSite(t, Options{Courses: []*course.Course{own}})
	answers := []string{"After the wrong guess.", "After the right guess.", "This came true.", "It cannot be broken within these bounds.", "It is proved."}
	always := []string{
		"program naive", "C2 receives (integer) 0 for SETNX lock.foo C2.", "spawn C1", "Tick", "1, it has the lock", "2 clients, 2 ticks of 1 s",
	}
	with := s.get("/courses/evening/wins/handout?lang=en&answers=1")
	with.wants(t, http.StatusOK, append(answers, always[:3]...)...)
	if n := strings.Count(with.body, `class="ticked"`); n != 1 {
		t.Errorf("%d answers are ticked, want one", n)
	}
	without := s.get("/courses/evening/wins/handout?lang=en")
	without.wants(t, http.StatusOK, always...)
	for _, text := range append(answers, `class="ticked"`) {
		if strings.Contains(without.body, text) {
			t.Errorf("the handout without answers says %q", text)
		}
	}
	if n := strings.Count(without.body, `class="box"`); n != 3 {
		t.Errorf("%d boxes, want one for each answer and one for \"not sure\"", n)
	}
	// A program's own text would give the surprise away.
	if race := s.get("/courses/redis-lock/race/handout?lang=en"); strings.Contains(race.body, "Fails") || !strings.Contains(race.body, "def </i>acquire(c):") {
		t.Error("the program is printed with its own comments, or not at all")
	}
}

// Every claim of the sources appears once, in its source's words.
func TestEveryClaimQuotesItsSource(t *testing.T) {
	s := newSite(t, Options{})
	c := course.Builtin()
	body := s.get("/courses/redis-lock/sources?lang=zh").body
	for _, claim := range c.Claims {
		quoted := html.EscapeString(claim.Quote)
		if claim.Verdict == "" || !strings.Contains(body, ">"+quoted+"</blockquote>") {
			t.Errorf("the page does not quote %q of %s", claim.Quote, claim.Source)
		}
	}
	for n := range c.Claims {
		if got := strings.Count(body, fmt.Sprintf(`<li id="claim-%d">`, n+1)); got != 1 {
			t.Errorf("there are %d claims of number %d", got, n+1)
		}
	}
	if !strings.Contains(body, `<blockquote id="quote-1" lang="en">`) {
		t.Error("an English quotation on a Chinese page is not marked as English")
	}
}

func TestAQuotationHasItsOwnLanguage(t *testing.T) {
	for quote, want := range map[string]lang.Language{"SETNX key value": lang.English, "若 key 已经存在": lang.Chinese, "“": lang.English} {
		if got := courseview.LanguageOf(quote); got != want {
			t.Errorf("%q is %s, want %s", quote, got, want)
		}
	}
}

// The map says how long each lesson takes, and the express path with the first challenge of each; so does the home page. The end
// of an express lesson leads to the next one of them.
func TestTheMapSaysHowLongItTakes(t *testing.T) {
	s := newSite(t, Options{})
	c := course.Builtin()
	first := c.Lessons[0]
	about := func(in lang.Language) (minutes int) {
		for _, l := range c.Express {
			minutes += l.Hurried(in)
		}
		return minutes
	}
	for in, want := range map[lang.Language][]string{
		lang.English: {fmt.Sprintf("%d min", first.Minutes), "Express", "These %d lessons, each with its first challenge, take about %d", "Next on the express path:"},
		lang.Chinese: {fmt.Sprintf("%d 分钟", first.Minutes), "速成", "学这 %d 课，每课只做第一个挑战，约 %d", "速成路线的下一课："},
	} {
		want[2] = fmt.Sprintf(want[2], len(c.Express), about(in))
		s.get("/courses/redis-lock?lang="+string(in)).wants(t, http.StatusOK, want[0], want[1], want[2], `id="express"`)
		s.get("/?lang="+string(in)).wants(t, http.StatusOK, want[0], want[1])
		s.get("/courses/redis-lock/"+first.Name+"?moment=showed&lang="+string(in)).wants(t, http.StatusOK, want[3], c.Express[1].Title.In(in))
	}
}

// The reply to a wrong answer begins with the misconception that it comes from; a handout with answers names it, too.
func TestAReplyNamesTheMisconception(t *testing.T) {
	s := newSite(t, Options{})
	says := course.Builtin().Misconception("overwrites").Says
	after := ""
	moments := course.Builtin().Lesson("one-winner").Moments
	for i, m := range moments {
		for _, a := range m.Answers {
			if a.Misconception != nil && a.Misconception.Name == "overwrites" {
				after = moments[i+1].Name
			}
		}
	}
	s.get("/courses/redis-lock/one-winner?moment="+after+"&lang=en").wants(t, http.StatusOK, `<p class="misconception">Misconception: <span>`+says.English+"</span></p>")
	s.get("/courses/redis-lock/one-winner/handout?answers=1&lang=zh").wants(t, http.StatusOK, says.Chinese)
	s.get("/courses/redis-lock/one-winner/handout?lang=zh").lacks(t, says.Chinese)
}
