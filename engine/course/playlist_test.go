package course_test

import (
	"strings"
	"testing"

	"lockstep/engine/course"
)

// The built-in course brings a playlist for a morning: three lessons, two polls, an exercise, and the test before and after.
// Each lesson that a poll follows asks a question.
func TestTheBuiltInPlaylist(t *testing.T) {
	var said []string
	var lesson *course.Lesson
	for _, p := range course.Builtin().Playlist {
		switch {
		case p.Form != "":
			said = append(said, "test "+string(p.Form))
		case p.Task.Challenge != nil:
			said = append(said, "challenge "+p.Task.Name())
		case p.Task.Lesson != nil:
			lesson = p.Task.Lesson
			said = append(said, "lesson "+p.Task.Name())
		default:
			said = append(said, "poll")
			asks := 0
			for _, m := range lesson.Moments {
				asks += len(m.Answers)
			}
			if asks == 0 {
				t.Errorf("%s asks nothing", lesson.Name)
			}
		}
	}
	const want = "test before, lesson redis-lock/one-winner, poll, lesson redis-lock/crash, poll, lesson redis-lock/race, challenge redis-lock/race/break, test after"
	if got := strings.Join(said, ", "); got != want {
		t.Errorf("the playlist is %s, want %s", got, want)
	}
}
