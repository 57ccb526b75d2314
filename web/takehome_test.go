package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/engine/testtools"
	"lockstep/web/present"
	"lockstep/web/room"
)

// Everybody in the room takes home the class's runs and their own, and the handout of the lessons, as files that need no server. Nobody is named.
func TestAClassIsTakenHome(t *testing.T) {
	s := newSite(t, Options{})
	presenter, path, seats := taught(t, s)
	before := seats[0].send("GET", path+"/handout.html?lang=en", nil)
	before.wants(t, http.StatusOK, "DEL and SETNX: the race")
	before.lacks(t, `class="ticked"`)
	presenter.does(path, "end").wants(t, http.StatusSeeOther)
	seats[3].send("GET", path+"?lang=en", nil).wants(t, http.StatusOK, `id="take-home" href="`+path+`/home"`)

	page := seats[3].send("GET", path+"/home?lang=en", nil)
	page.wants(t, http.StatusOK, "The class&#39;s runs", "Your own copies", "Save the handout")
	files := regexp.MustCompile(`href="(/t/[a-z0-9]{10}\.html\?lang=en)" download`).FindAllStringSubmatch(page.body, -1)
	if len(files) != 2 {
		t.Fatalf("the page has %d runs to save, not the room's and that of seat 4", len(files))
	}
	names := presenter.namesOf(t, path)
	for _, file := range files {
		player := seats[3].send("GET", file[1], nil)
		player.wants(t, http.StatusOK, "lockstep.trace")
		for _, name := range names {
			if strings.Contains(player.body, name) {
				t.Errorf("%s names %s", file[1], name)
			}
		}
	}
	if a := seats[4].send("GET", files[1][1], nil); a.StatusCode == http.StatusOK {
		t.Error("somebody else saves the copy of seat 4")
	}
	handout := seats[3].send("GET", path+"/handout.html?lang=zh", nil)
	handout.wants(t, http.StatusOK, `class="ticked"`, `<script type="module">`, "handout-data")
	if got := handout.Header.Get("Content-Disposition"); got != `attachment; filename="lockstep-handout-`+code(path)+`.html"` {
		t.Errorf("the file is called %s", got)
	}
	if loads := regexp.MustCompile(`(?:src|href)="(?:/|https?://127)[^"]*"|url\((?:"|')?(?:/|http)`).FindString(handout.body); loads != "" {
		t.Errorf("the file needs its server: %s", loads)
	}
	presenter.send("GET", path+"/home", nil).wants(t, http.StatusOK)
	for _, file := range []string{"/home", "/handout.html"} {
		if a := s.person().send("GET", path+file, nil); a.StatusCode == http.StatusOK {
			t.Errorf("a stranger gets %s", file)
		}
	}
}

// A class that has come to no lesson has no handout. A handout has each lesson once.
func TestTheHandoutOfAClass(t *testing.T) {
	s := newSite(t, Options{})
	presenter := s.person()
	path, _ := presenter.opens("spawn C1 naive")
	presenter.send("GET", path+"/handout.html?lang=en", nil).wants(t, http.StatusUnprocessableEntity, "The class has come to no lesson")
	for _, task := range []string{"redis-lock/race", "redis-lock/one-winner", "redis-lock/race"} {
		presenter.does(path, "show", "task", task).wants(t, http.StatusSeeOther)
	}
	presenter.does(path, "challenge", "task", "redis-lock/race/break").wants(t, http.StatusSeeOther)
	var names []string
	for _, one := range askRoom(s, path, func(r *room.Room) []present.Taught {
		return present.TaughtIn(r.Record(), []*course.Course{course.Builtin()})
	}) {
		names = append(names, one.Lesson.Name)
	}
	if strings.Join(names, " ") != "race one-winner" {
		t.Errorf("the lessons are %v", names)
	}
	page := presenter.send("GET", path+"/handout.html?lang=en", nil)
	page.wants(t, http.StatusOK, `id="lesson-1"`, `id="lesson-2"`)
	if page.lacks(t, `id="lesson-3"`); strings.Count(page.body, "data-picture ") != 2 {
		t.Errorf("%d pictures", strings.Count(page.body, "data-picture "))
	}
}

// Every lesson is one file: each name in it is there once, and nothing in it leads to this server.
func TestEveryLessonIsAFile(t *testing.T) {
	testtools.Long(t, "it asks for a file of every lesson in both languages")
	s := newSite(t, Options{})
	c := course.Builtin()
	for _, l := range append(append([]*course.Lesson{}, c.Lessons...), c.Incidents...) {
		for _, query := range []string{"?lang=en", "?lang=zh&answers=1"} {
			a := s.get("/courses/redis-lock/" + l.Name + "/handout.html" + query)
			a.wants(t, http.StatusOK, "<!doctype html>")
			body, _, _ := strings.Cut(a.body, "<script")
			if link := regexp.MustCompile(`href="/[^"]*"`).FindString(body); link != "" {
				t.Errorf("%s%s leads to the server: %s", l.Name, query, link)
			}
			seen := map[string]int{}
			for _, id := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(body, -1) {
				if seen[id[1]]++; seen[id[1]] == 2 {
					t.Errorf("%s%s has two parts with the name %s", l.Name, query, id[1])
				}
			}
		}
	}
	s.get("/courses/redis-lock/none/handout.html").wants(t, http.StatusNotFound)
}
