package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine/testtools"
	"lockstep/web"
	"lockstep/web/shelf"
)

// replaces writes other words into a file.
func replaces(t testing.TB, file, old, new string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), old) {
		t.Fatalf("%s does not say %q: %v", file, old, err)
	}
	must(t, os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o644))
}

// Somebody writes a course with its page open beside the editor. Each time that they save a file, the page shows it: the new
// words, where the reader was; a mistake with its file and line; and the lesson again once the mistake is gone.
func TestAnAuthorSeesWhatTheySave(t *testing.T) {
	testtools.Find(t, browsers...)
	dir := filepath.Join(t.TempDir(), "mine")
	must(t, os.CopyFS(dir, os.DirFS("../../engine/course/testdata/right")))
	f := try(shelf.Open(shelf.Options{Courses: []string{dir}, Watch: true, Tell: func(string) {}})).orFail(t)
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	go f.Watch(ctx)
	b := openSite(t, web.Options{Shelf: f.Shelf})
	lesson := filepath.Join(dir, "first.en.md")

	b.visit("/courses/mine/first?lang=en")
	b.until(`document.querySelector(".card").textContent.includes("C1 and C2 want the lock.")`)
	replaces(t, lesson, "C1 and C2 want the lock.", "Both want the lock.")
	b.until(`document.querySelector(".card").textContent.includes("Both want the lock.")`)

	b.press("#go-on")
	b.until(`location.pathname.startsWith("/t/") && document.querySelector(".card").textContent.includes("What does Redis reply?")`)
	replaces(t, lesson, "What does Redis reply?", "What does Redis say?")
	b.until(`location.pathname === "/courses/mine/first" && location.search === "?done=3" && document.querySelector(".card").textContent.includes("What does Redis say?")`)

	b.expects("404")
	replaces(t, lesson, "expect reply C2 0\n  # @showed", "expect reply C2 1\n  # @showed")
	b.until(`document.querySelector("#author li")?.textContent === 'mine/first.en.md:10: C2 received "0" last, not "1"'`)
	b.mustContain("main", "The course leaves this lesson out until its mistakes are gone.")
	replaces(t, lesson, "expect reply C2 1\n  # @showed", "expect reply C2 0\n  # @showed")
	b.until(`document.querySelector(".playground") && !document.querySelector(".author-heading")`)

	replaces(t, filepath.Join(dir, "first.zh.md"), "{#late}", "{#later}") // the lesson can still be played
	b.until(`document.querySelector(".playground") && document.querySelectorAll(".author-heading + ul li").length === 1`)
	b.inLooks("author", "/courses/mine/first", looks, func(string) { b.until(`document.querySelector("#timeline.timeline")`) })
}
