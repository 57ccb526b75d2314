package web

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine/course"
	"lockstep/web/shelf"
	"lockstep/web/store"
	"lockstep/web/store/sqlite"
)

// mine copies the course without a mistake into a directory named mine, and returns its shelf.
func mine(t *testing.T, o shelf.Options) (dir string, f *shelf.Follower) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "mine")
	if err := os.CopyFS(dir, os.DirFS("../engine/course/testdata/right")); err != nil {
		t.Fatal(err)
	}
	o.Courses, o.Tell = []string{dir}, func(string) {}
	f, err := shelf.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return dir, f
}

// replaceIn replaces words of a file of a course.
func replaceIn(t testing.TB, file, old, new string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil && !strings.Contains(string(text), old) {
		err = fmt.Errorf("there is no %q", old)
	}
	if err == nil {
		err = os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

const (
	ends     = "expect reply C2 0\n  # @showed"
	endsElse = "expect reply C2 1\n  # @showed"
	mistake  = `mine/first.en.md:10: C2 received &#34;0&#34; last, not &#34;1&#34;`
)

// An author sees each mistake where they look: at home, in the contents, and on the page of the lesson, which the course
// leaves out meanwhile. In a translation, a mistake stands above the lesson. A warning stands there, too.
func TestAnAuthorSeesMistakesOnThePage(t *testing.T) {
	dir, f := mine(t, shelf.Options{Watch: true})
	s := newSite(t, Options{Shelf: f.Shelf, BasePath: "/tools"})
	watched := `data-watch="/tools/watch" data-version="` + f.Version() + `"`
	s.get("/tools/").wants(t, http.StatusOK, watched) // the built-in course may have warnings, too
	for _, path := range []string{"/courses/mine", "/courses/mine/first"} {
		s.get("/tools"+path).wants(t, http.StatusOK, watched+" hidden>")
	}
	replaceIn(t, filepath.Join(dir, "first.en.md"), ends, endsElse)
	f.Look()
	for path, status := range map[string]int{"/": 200, "/courses/mine": 200, "/courses/mine/first": 404, "/courses/mine/first/break": 404, "/courses/mine/first/handout": 404, "/courses/mine/nothing": 404} {
		s.get("/tools"+path+"?lang=en").wants(t, status, ">One mistake in the course&#39;s files</p>", mistake, "This page loads again as soon as you save a file.")
	}
	s.get("/tools/courses/mine/first?lang=en").wants(t, 404, "The course leaves this lesson out until its mistakes are gone.")
	s.get("/tools/courses/mine/first?lang=zh").wants(t, 404, "这一课有错误，改好之前不会出现在课程里。", "课程文件里有一处错误", "mine/first.en.md:10: ")
	s.get("/tools/courses/mine/second?lang=en").lacks(t, "first.en.md")
	s.get("/tools/courses/redis-lock?lang=en").lacks(t, "first.en.md")

	replaceIn(t, filepath.Join(dir, "first.en.md"), endsElse, ends)
	replaceIn(t, filepath.Join(dir, "first.zh.md"), "{#late}", "{#later}")
	replaceIn(t, filepath.Join(dir, "first.en.md"), "minutes: 3", "minutes: 30")
	f.Look()
	s.get("/tools/courses/mine/first?lang=en").wants(t, 200, "One mistake in the course&#39;s files", "mine/first.zh.md:1: ", "<summary>2 warnings</summary>", "mine/first.en.md:1: ")
}

// Readers of a server without --watch see what they have always seen.
func TestReadersSeeNoAuthorsPage(t *testing.T) {
	dir, _ := mine(t, shelf.Options{})
	replaceIn(t, filepath.Join(dir, "first.en.md"), ends, endsElse)
	f, err := shelf.Open(shelf.Options{Courses: []string{dir}, Tell: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, Options{Shelf: f.Shelf})
	for path, status := range map[string]int{"/": 200, "/courses/mine": 200, "/courses/mine/first": 404, "/courses/mine/second": 200, "/watch": 404, aRun + "/fresh": 404} {
		a := s.get(path + "?lang=en")
		a.wants(t, status)
		a.lacks(t, "author", "watch.js")
	}
	s.get("/courses/mine?lang=en").wants(t, 200, "One mistake in this course")
}

// A page asks for the version, and loads again when it is another one. A run that has begun keeps its course and leads to the
// changed one, with as many actions done.
func TestAPageFollowsItsCourse(t *testing.T) {
	dir, f := mine(t, shelf.Options{Watch: true})
	s := newSite(t, Options{Shelf: f.Shelf})
	shown := f.Version()
	s.get("/watch").wants(t, 200, shown)
	run := s.send("POST", "/courses/mine/first", url.Values{}).Header.Get("Location")
	id := strings.Split(run, "?")[0]
	s.send("POST", id+"/lesson", url.Values{}).wants(t, http.StatusSeeOther)
	s.get(id+"?lang=en").wants(t, 200, "What does Redis reply?")

	replaceIn(t, filepath.Join(dir, "first.en.md"), "What does Redis reply?", "What does Redis say?")
	f.Look()
	if now := s.get("/watch").body; now == shown || now != f.Version() {
		t.Errorf("the version was %s and is %s", shown, now)
	}
	s.get(id+"?lang=en").wants(t, 200, "What does Redis reply?")
	fresh := s.get(id + "/fresh")
	fresh.wants(t, http.StatusSeeOther)
	if to := fresh.Header.Get("Location"); to != "/courses/mine/first?done=3" {
		t.Errorf("the run leads to %s", to)
	}
	s.get("/courses/mine/first?done=3&lang=en").wants(t, 200, "What does Redis say?")
	s.get(aRun+"/fresh").wants(t, 404)

	replaceIn(t, filepath.Join(dir, "first.en.md"), ends, endsElse)
	f.Look()
	s.get(id).wants(t, 200, "What does Redis reply?", mistake)
	if to := s.get(id + "/fresh").Header.Get("Location"); to != "/courses/mine/first" {
		t.Errorf("the run of a lesson that is left out leads to %s", to)
	}
	s.send("POST", id+"/lesson", url.Values{}).wants(t, http.StatusSeeOther)
	s.get(id).wants(t, 200, "One is first.")
}

// Courses are exchanged while people begin lessons and challenges, act in them, claim and look on. Each request works with
// the courses of one moment: none ends in a panic or a page of the wrong kind.
func TestCoursesAreExchangedUnderRuns(t *testing.T) {
	dir, f := mine(t, shelf.Options{Watch: true})
	s := newSite(t, Options{Shelf: f.Shelf})
	stop := make(chan struct{})
	var people sync.WaitGroup
	for i := range 3 {
		people.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				task := []string{"first", "first/break", "second/break"}[i]
				begun := s.send("POST", "/courses/mine/"+task, url.Values{})
				if begun.StatusCode == http.StatusNotFound {
					continue // the lesson is left out at this moment
				}
				id := strings.Split(begun.Header.Get("Location"), "?")[0]
				for _, form := range []struct{ path, name, value string }{{"/lesson", "guess", "one"}, {"/actions", "action", "spawn C3"}, {"/claims", "reason", "queue"}} {
					if a := s.send("POST", id+form.path, url.Values{form.name: {form.value}}); a.StatusCode >= 500 {
						t.Errorf("%s%s is answered with %d: %s", task, form.path, a.StatusCode, a.body)
					}
				}
				for _, path := range []string{id, id + "/fresh", id + ".txt", "/", "/courses/mine", "/courses", "/courses/mine/" + task} {
					if a := s.get(path); a.StatusCode >= 500 {
						t.Errorf("%s is answered with %d: %s", path, a.StatusCode, a.body)
					}
				}
			}
		})
	}
	lesson := filepath.Join(dir, "first.en.md")
	for range 6 {
		replaceIn(t, lesson, ends, endsElse)
		f.Look()
		replaceIn(t, lesson, endsElse, ends)
		replaceIn(t, lesson, "ticks: 1", "ticks: 2")
		f.Look()
		replaceIn(t, lesson, "ticks: 2", "ticks: 1")
		f.Look()
	}
	close(stop)
	people.Wait()
}

// The home page opens with the course that is served first, and the built-in one's links are there only where it is served.
func TestHomeShowsTheFirstCourseFirst(t *testing.T) {
	_, both := mine(t, shelf.Options{})
	_, only := mine(t, shelf.Options{Only: true})
	beside := newSite(t, Options{Shelf: both.Shelf})
	home := beside.get("/?order=1122&show=getset&lang=en")
	home.wants(t, 200, ">From the beginning: First</a>", `href="/courses/mine">A course without a mistake</a>`, `href="/courses/redis-lock/race"`)
	if own, other := strings.Index(home.body, `href="/courses/mine/second"`), strings.Index(home.body, `href="/courses/redis-lock/one-winner"`); own < 0 || own > other {
		t.Errorf("the own lessons stand at %d, those of the built-in course at %d", own, other)
	}
	alone := newSite(t, Options{Shelf: only.Shelf})
	for _, l := range []string{"en", "zh"} {
		for _, path := range []string{"/", "/help", "/explore", "/new", "/courses/mine", "/courses/mine/first"} {
			a := alone.get(path + "?lang=" + l)
			if a.StatusCode == http.StatusSeeOther {
				a = alone.get(a.Header.Get("Location"))
			}
			a.wants(t, 200)
			a.lacks(t, "/courses/redis-lock")
		}
	}
	alone.get("/?order=1122&show=getset&lang=en").wants(t, 200, "From the beginning: First", "Same order with GETSET")
	alone.get("/courses/redis-lock").wants(t, 404)
	for name, s := range map[string]*site{"beside": beside, "alone": alone} {
		if to := s.get("/courses").Header.Get("Location"); to != "/courses/mine" {
			t.Errorf("%s: the lessons are at %s", name, to)
		}
	}
	presenter := beside.person()
	_, run := presenter.opens("spawn C1 naive")
	panel := presenter.send("GET", run+"?lang=en", nil).body
	if own, other := strings.Index(panel, `value="mine/first/break"`), strings.Index(panel, `value="redis-lock/one-winner/`); own < 0 || own > other {
		t.Errorf("the room lists the own challenges at %d, the built-in ones at %d", own, other)
	}
}

// A course may have no lesson that can be played. Home then leads to its contents, where its author is told why.
func TestHomeStandsWithoutALesson(t *testing.T) {
	dir, f := mine(t, shelf.Options{Watch: true, Only: true})
	if err := os.Remove(filepath.Join(dir, "course.yaml")); err != nil {
		t.Fatal(err)
	}
	f.Look()
	s := newSite(t, Options{Shelf: f.Shelf})
	s.get("/?lang=en").wants(t, 200, `href="/courses/mine"`, "there is no file course.yaml in the course")
	s.get("/courses/mine?lang=en").wants(t, 200, "there is no file course.yaml in the course")
	if c := course.Named(f.All(), "mine"); len(c.All()) > 0 {
		t.Error("without course.yaml the course has lessons")
	}
}

// A run outlives its server, and the course may have changed meanwhile: another start, fewer moments, no challenge, no lesson.
// Whatever the run's log says then, each page and form answers in a sentence.
func TestARunMeetsAnotherCourseAfterARestart(t *testing.T) {
	dir, f := mine(t, shelf.Options{})
	lesson, second := filepath.Join(dir, "first.en.md"), filepath.Join(dir, "second.en.md")
	data := t.TempDir()
	serve := func() *site {
		t.Helper()
		kept, err := sqlite.Open(data, store.Options{Keep: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		f, err = shelf.Open(shelf.Options{Courses: []string{dir}, Tell: func(string) {}})
		if err != nil {
			t.Fatal(err)
		}
		return newSite(t, Options{Shelf: f.Shelf, Store: kept})
	}
	s := serve()
	var runs []string
	for _, task := range []string{"first", "first/break", "second", "second/break"} {
		id := strings.Split(s.send("POST", "/courses/mine/"+task, url.Values{}).Header.Get("Location"), "?")[0]
		s.send("POST", id+"/lesson", url.Values{})
		s.send("POST", id+"/actions", url.Values{"action": {"step C1"}})
		runs = append(runs, id)
	}
	for _, change := range []struct{ what, file, old, new string }{
		{"another start", second, "      spawn C1 C2\n    property", "      spawn C1 C2 C3\n      step C3\n      step C3\n      step C3\n    property"},
		{"a shorter lesson", lesson, "  # @late\n  step C2\n  expect reply C2 0\n  # @showed\npredictions:\n  late:\n    one: expect reply C2 1\n    zero: expect reply C2 0\n", "  expect C1 inside\n  # @showed\n"},
		{"another name of the challenge", second, "  break:", "  burst:"},
		{"no lesson", filepath.Join(dir, "course.yaml"), "  - second", "  - third"},
	} {
		s.server.Close()
		replaceIn(t, change.file, change.old, change.new)
		s = serve()
		for _, id := range runs {
			for _, path := range []string{id + "?lang=en", id + "?lang=zh&step=1", id + ".txt"} {
				s.get(path).wants(t, http.StatusOK)
			}
			for _, form := range []struct{ path, name, value string }{{"/lesson", "guess", "one"}, {"/actions", "action", "step C2"}, {"/claims", "reason", "queue"}, {"/actions", "action", "back"}} {
				if a := s.send("POST", id+form.path, url.Values{form.name: {form.value}}); a.StatusCode >= 500 {
					t.Errorf("%s: %s%s is answered with %d: %s", change.what, id, form.path, a.StatusCode, a.body)
				}
			}
		}
	}
}
