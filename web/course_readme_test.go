package web

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"testing"
	"testing/fstest"

	"lockstep/engine/course"
	"lockstep/engine/explore"
)

// The course that engine/course/README.md shows passes its proofs, and is served beside the built-in one.
func TestTheCourseOfTheReadmeWorks(t *testing.T) {
	readme, err := os.ReadFile("../engine/course/README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```yaml\n(.*?)```\n\n```markdown\n(.*?)```").FindSubmatch(readme)
	if shown == nil {
		t.Fatal("the course README shows no course")
	}
	mine := course.Load(fstest.MapFS{"course.yaml": {Data: shown[1]}, "first.en.md": {Data: shown[2]}}, "mine")
	for _, m := range mine.Check(explore.Runtime{}) {
		t.Error(m)
	}
	s := newSite(t, Options{Courses: []*course.Course{mine}})
	s.get("/courses/redis-lock").wants(t, http.StatusOK, "My course")
	s.get("/courses/mine").wants(t, http.StatusOK, "Who is first?", "See that only one of two clients gets the lock.")
	s.get("/courses/mine/first?lang=zh").wants(t, http.StatusOK, "Who is first?")
	run := s.send("POST", "/courses/mine/first", url.Values{}).Header.Get("Location")
	s.send("POST", run+"/lesson", url.Values{}).wants(t, http.StatusSeeOther)
	s.get(run).wants(t, http.StatusOK, "What happens to C2?", "It has to wait")
}
