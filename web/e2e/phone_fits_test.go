package e2e

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/web"
	"lockstep/web/room"
)

// answered are the controls of what the room asks of a phone.
const answered = `#poll .choice, #own-begin, #own, #test-begin`

// Whatever the room asks, on the smallest phones and with large letters, nothing lies over what one answers with: neither the
// card with the reader's part nor an alarm. A question, an exercise and a test are in the first screen at once:
// the longest of the built-in course, too.
func TestWhatTheRoomAsksIsNeverUnderTheCard(t *testing.T) {
	b := openSite(t, web.Options{VoteTime: time.Hour}) // the network's vote stays open at every size
	teacher := b.teaches(shortOfDisaster...)
	b.sized(360, 640)
	b.goTo(teacher.room)
	b.until(`document.querySelector("#phone")`)
	teacher.does("switch", "free", "on")
	b.submits(teacher.room+"/do", "verb", "name", "text", strings.Repeat("W", room.MaxName)) // the longest
	b.until(`document.querySelector("#me")?.textContent.includes("WWW")`)
	states := []struct {
		name  string
		set   func()
		until string
		first bool // the controls are in the first screen
	}{
		{"a poll, a violation and an own part", func() {
			teacher.does("lanes", "size", "1")
			teacher.does("place", "seat", "1", "lane", "C3")
			teacher.does("ask", "kind", "predict", "client", "C3")
			teacher.does("timer", "on", "on")
		}, `document.querySelectorAll(".choice").length === 3 && document.querySelector("#alerts p") && document.querySelector("#lane[data-lane=C3]")`, true},
		{"the second round", func() { teacher.does("round"); teacher.does("round") }, `document.querySelector("#poll[data-phase=second]")`, true},
		{"the network's poll", func() {
			teacher.does("drop")
			teacher.does("place", "seat", "1", "lane", "")
			teacher.sends(teacher.run+"/actions", url.Values{"action": {"spawn C4 del-setnx timeout=10s"}}) // one message alone would be delivered at once
			teacher.does("ask", "kind", "network")
		}, `document.querySelectorAll("#poll[data-network] .choice").length === 2`, true},
		{"an exercise", func() { teacher.does("drop"); teacher.does("fork") }, `document.querySelector("#own-begin")`, true},
		{"an exercise and an own part", func() { teacher.does("place", "seat", "1", "lane", "C3") }, `document.querySelector("#lane[data-lane=C3]") && document.querySelector("#own-begin")`, true},
		{"a test", func() { teacher.does("home"); teacher.does("test", "form", "before", "course", "redis-lock") }, `document.querySelector("#test-begin")`, true},
		{"the longest question", func() {
			teacher.does("test", "form", "")
			teacher.does("show", "task", "redis-lock/one-winner")
			lessons := course.Builtin().All()
			lesson := lessons[slices.IndexFunc(lessons, func(l *course.Lesson) bool { return l.Name == "one-winner" })]
			flight := lesson.Moments[slices.IndexFunc(lesson.Moments, func(m *course.Moment) bool { return len(m.Answers) == 4 })]
			for _, other := range lessons {
				for _, m := range other.Moments {
					for _, l := range lang.All {
						if len(m.Answers) > 0 && letters(m, l) > letters(flight, l) {
							t.Errorf("%s: the question %s of %s is longer than that of one-winner", l, m.Name, other.Name)
						}
					}
				}
			}
			run := teacher.shows()
			for actions := func() int {
				return len(regexp.MustCompile(`(?m)^(spawn|step) `).FindAllString(b.served(run+".txt"), -1))
			}; actions() < flight.At; {
				teacher.sends(run+"/actions", url.Values{"action": {"schedule"}})
			}
			teacher.does("ask", "kind", "predict", "client", "")
		}, `document.querySelectorAll(".choice").length === 5`, true},
		{"its vote", func() {
			b.press("#vote-3")
			b.until(`/1 (of|\/) 1/.test(document.querySelector("#poll").textContent)`) // the room has it
		}, `document.querySelector("#vote-3[aria-pressed=true] .mine:not([hidden])")`, true},
	}
	for _, state := range states {
		state.set()
		for phone, language := range seen(t, smallPhones) {
			name := fmt.Sprintf("phone-asked-%s-%d-%s-%s", strings.ReplaceAll(state.name, " ", "-"), phone.width, phone.scale, language)
			b.sized(phone.width, phone.height)
			b.goTo(teacher.room + "?lang=" + language + "&scale=" + phone.scale)
			b.until(state.until)
			b.settled()
			b.shot(name)
			b.fits()
			if state.first && phone.scale == "1" {
				b.none(fmt.Sprintf(firstScreen, answered), name)
			}
			// In one script: what comes from the room moves the page in between otherwise.
			scrolled := fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()).flatMap((e) => {
				for (const f of document.querySelectorAll("[data-looked]")) delete f.dataset.looked;
				e.dataset.looked = "";
				e.scrollIntoView({ block: "nearest" });
				return %s;
			})`, answered, fmt.Sprintf(firstScreen, "[data-looked]"))
			b.none(scrolled, name, "scrolled to it")
		}
	}
}

// letters counts those of a question and its answers.
func letters(m *course.Moment, l lang.Language) int {
	n := len(m.Text.In(l))
	for _, a := range m.Answers {
		n += len(a.Text.In(l))
	}
	return n
}

// Where the system chooses the colours the icon of the alarm keeps its stripes.
func TestAlarmKeepsItsStripes(t *testing.T) {
	b := open(t)
	teacher := b.teaches(shortOfDisaster...)
	b.see(looks[3])
	b.sized(375, 667)
	b.goTo(teacher.room)
	b.until(`document.querySelector("#phone") && document.querySelector("#alerts p")`)
	b.shot("phone-poll-forced-colors")
	if drawn := value[string](b, `((s) => s.forcedColorAdjust + " " + s.backgroundImage)(getComputedStyle(document.querySelector(".alarm-title"), "::before"))`); !strings.HasPrefix(drawn, "none repeating-linear-gradient(") {
		t.Errorf("forced colours draw the icon of the alarm as %q", drawn)
	}
}

// shows returns the path of the run that the room shows.
func (t *teacher) shows() string {
	t.Helper()
	r, err := t.client.Get(t.direct + t.room + "/present")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	return r.Header.Get("Location")
}
