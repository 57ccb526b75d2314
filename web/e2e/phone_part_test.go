package e2e

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/web"
	"lockstep/web/room"
)

// smallPhones are the smallest screens on which a class works, with the letters of the site and larger ones.
var smallPhones = []struct {
	width, height int64
	scale         string
}{{360, 640, "1"}, {320, 568, "1"}, {360, 640, "1.5"}, {320, 568, "1.5"}}

// firstScreen lists what of some things cannot be seen or pressed without scrolling, with what lies there.
const firstScreen = `(() => {
	const hidden = [];
	const name = (e) => e ? e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + "." + e.getAttribute("class") : "nothing";
	for (const e of [...document.querySelectorAll(%q)].filter((e) => e.checkVisibility())) {
		const { left, top, right: end, bottom } = e.getBoundingClientRect();
		const right = e.matches("[data-token]") ? Math.min(end, innerWidth) : end; // a picture of large letters goes on sideways
		const says = name(e) + " “" + e.textContent.trim().slice(0, 30) + "” at y " + Math.round(top) + "–" + Math.round(bottom) + " of " + innerHeight;
		for (const [x, y] of [[(left + right) / 2, (top + bottom) / 2], [left + 8, top + 8], [right - 8, top + 8], [left + 8, bottom - 8], [right - 8, bottom - 8]]) {
			const there = document.elementFromPoint(x, y);
			if (e.contains(there)) continue;
			hidden.push(says + ": over it lies " + name(there));
			break;
		}
	}
	return hidden;
})()`

// In an exercise on a phone the picture with the reader's tokens comes first, and the goal in a line; with large letters,
// too. The same page on a desk has the card as everywhere.
func TestExerciseOnAPhoneShowsThePictureFirst(t *testing.T) {
	b := open(t)
	teacher := b.teaches()
	b.sized(360, 640)
	b.goTo(teacher.path)
	b.until(`document.querySelector("#phone")`)
	teacher.does("challenge", "task", "redis-lock/race/break")
	b.press("#own-begin")
	b.arrives()
	own := value[string](b, "location.pathname")
	for phone, lang := range seen(t, smallPhones) {
		name := fmt.Sprintf("phone-exercise-%d-%s-%s", phone.width, phone.scale, lang)
		b.sized(phone.width, phone.height)
		b.visit(own + "?lang=" + lang + "&scale=" + phone.scale)
		b.rests()
		b.settled()
		b.fits()
		wanted := `[data-token], .room-place`
		if phone.scale == "1" {
			wanted += `, #goal, #undo-form button`
		}
		b.none(fmt.Sprintf(firstScreen, wanted), name)
		b.has(`document.querySelectorAll("[data-token]").length`, 2, name)
		b.atLeast(`((r) => Math.min(innerHeight, r.bottom) - Math.max(0, r.top))(document.querySelector("#picture").getBoundingClientRect())`, 160, name)
	}
	b.sized(1280, 800)
	b.visit(own + "?lang=en&scale=1")
	b.has(`document.documentElement.scrollHeight === 800 && document.querySelector(".challenge > .card-text").getBoundingClientRect().top < document.querySelector("#goal").getBoundingClientRect().top`, true, "on a desk the task's text is not above its goal, or the page scrolls")
}

// The presenter brings everybody here: a phone goes to its own part, from its own run, from the whole picture and from a
// lesson that the room looks at. A desk looks where the presenter looks.
func TestPresenterBringsAPhoneToItsPart(t *testing.T) {
	b := open(t)
	teacher := b.teaches(shortOfDisaster...)
	b.sized(360, 640)
	b.goTo(teacher.path)
	b.until(`document.querySelector("#phone")`)
	teacher.does("challenge", "task", "redis-lock/race/break")
	b.press("#own-begin")
	b.arrives()
	own := value[string](b, "location.pathname")
	for _, from := range []string{own, teacher.run, teacher.run + "?step=4"} {
		b.do(chromedp.Navigate("about:blank")) // the page before hears no more
		_, before := b.heard()
		b.visit(from)
		b.until(`document.querySelector("#connection").hidden && document.querySelector("#room-box").dataset.state`)
		b.hears(len(before))
		teacher.does("gather")
		b.until(`location.pathname === "` + teacher.path + `" && document.querySelector("#phone[data-seat='1']")`)
	}
	b.sized(1280, 800)
	b.visit(teacher.run + "?step=4")
	b.until(`document.querySelector("#room-box").dataset.state === "away"`)
	teacher.does("gather")
	b.until(`document.querySelector("#room-box").dataset.state === "follows"`)
	b.is("location.pathname", teacher.run)
}

// hears waits until a socket tells of the room, after so many frames.
func (b *browser) hears(after int) {
	b.Helper()
	if !testtools.Eventually(func() bool {
		_, frames := b.heard()
		return slices.ContainsFunc(frames[after:], func(frame []byte) bool { return bytes.Contains(frame, []byte(`"type":"room"`)) })
	}) {
		b.Fatal("the page hears nothing of the room")
	}
}

// The end of an exercise is told on the phone and on the page of the reader's own run, which leads back.
func TestEndOfAnExerciseIsTold(t *testing.T) {
	for lang, says := range map[string]string{"en": "The exercise is over.", "zh": "练习已结束"} {
		t.Run(lang, func(t *testing.T) {
			b := open(t)
			teacher := b.teaches("spawn C1 C2 naive")
			b.sized(360, 640)
			b.goTo(teacher.path + "?lang=" + lang)
			b.until(`document.querySelector("#phone")`)
			teacher.does("fork")
			b.until(`document.querySelector("#own-begin")`)
			b.has(`!document.querySelector("#ended").hidden`, false, "the exercise has just begun")
			teacher.does("home")
			b.until(`!document.querySelector("#ended").hidden`)
			b.mustContain("#ended", says)
			b.fits()
			teacher.does("ask", "kind", "predict", "client", "C1")
			b.until(`document.querySelector("#ended").hidden && document.querySelector("#poll")`)
			teacher.does("drop")
			teacher.does("fork")
			b.press("#own-begin")
			b.arrives()
			b.until(`document.querySelector("#room-box").dataset.state === "own"`)
			teacher.does("home")
			b.until(`document.querySelector("#room-box").dataset.state === "ended"`)
			b.mustContain(".if-ended", says)
			b.press(".room-place")
			b.until(`document.querySelector("#phone")`)
		})
	}
}

// answered are the controls of what the room asks of a phone.
const answered = `#poll .choice, #own-begin, #own, #test-begin`

// Whatever the room asks, on the smallest phones and with large letters, nothing lies over what one answers with: neither the
// card with the reader's part nor an alarm. A question, an exercise and a test are in the first screen at once:
// the longest of the built-in course, too.
func TestWhatTheRoomAsksIsNeverUnderTheCard(t *testing.T) {
	b := openSite(t, web.Options{VoteTime: time.Hour}) // the network's vote stays open at every size
	teacher := b.teaches(shortOfDisaster...)
	b.sized(360, 640)
	b.goTo(teacher.path)
	b.until(`document.querySelector("#phone")`)
	teacher.does("switch", "free", "on")
	b.submits(teacher.path+"/do", "verb", "name", "text", strings.Repeat("W", room.MaxName)) // the longest
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
			run := teacher.leadsTo(teacher.presenter, teacher.path+"/present")
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
			b.goTo(teacher.path + "?lang=" + language + "&scale=" + phone.scale)
			b.until(state.until)
			b.settled()
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
	b.goTo(teacher.path)
	b.until(`document.querySelector("#phone") && document.querySelector("#alerts p")`)
	if drawn := value[string](b, `((s) => s.forcedColorAdjust + " " + s.backgroundImage)(getComputedStyle(document.querySelector(".alarm-title"), "::before"))`); !strings.HasPrefix(drawn, "none repeating-linear-gradient(") {
		t.Errorf("forced colours draw the icon of the alarm as %q", drawn)
	}
}
