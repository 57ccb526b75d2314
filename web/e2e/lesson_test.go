package e2e

import (
	"fmt"
	"net/url"
	"os"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"lockstep/engine/testtools"
)

// pictured reports whether the tests take a picture of every look.
var pictured = os.Getenv("E2E_SHOTS") != ""

// The keyboard alone leads through lesson 5, from its first card to its solved challenge and back to its last card.
// Space plays the lesson up to a prediction, where the reader chooses an answer; held, it answers nothing.
func TestLessonByKeyboard(t *testing.T) {
	for _, lang := range []struct{ code, asked, otherwise, came, solved, shortest string }{
		{"en", "what happens when it arrives?", "Not this time.", "Right.", "Broken in 8", "There is no shorter way."},
		{"zh", "到了会怎样？", "这次不对。", "正确。", "8 个动作攻破", "没有更短的办法了。"},
	} {
		t.Run(lang.code, func(t *testing.T) {
			if lang.code == "zh" {
				testtools.Exhaustive(t, "it takes the lesson again")
			}
			b := open(t)
			b.visit("/courses/redis-lock/race?lang=" + lang.code)
			b.spaceUntil(`document.querySelector("#guide").dataset.moment === "late" && document.activeElement.id === "task-title"`)
			for range 5 {
				b.key(" ")
			}
			b.until(`document.activeElement.id === "guess-title"`)
			b.mustContain("#guess-title", lang.asked)

			b.tabTo(`document.activeElement.value === "nothing"`)
			b.key(kb.Enter) // a sensible guess, and wrong
			b.until(`document.querySelector("#guide").dataset.moment === "gone"`)
			b.until(`document.activeElement.id === "task-title"`)
			b.mustContain("#came", lang.otherwise, "A")
			b.is(`document.activeElement.getAttribute("aria-describedby")`, "came")
			b.mustContain("#came [data-after=nothing]:not([hidden])", "DEL lock.foo")

			b.key("4") // no answer has it, and no client takes it meanwhile
			b.key("2")
			b.until(`document.querySelector("#guide").dataset.moment === "showed"`)
			b.mustContain("#came", lang.came)
			b.mustContain("#alerts", "C1", "C2")

			b.tabTo(`document.activeElement.closest("#also > summary")`)
			b.key(kb.Enter)
			b.tabTo(`document.activeElement.dataset.challenge === "break"`)
			b.key(kb.Enter)
			b.until(`document.querySelector("#challenge")`)
			b.arrives()
			for _, key := range "11221122" {
				b.happens(func() { b.key(string(key)) })
			}
			b.until(`document.querySelector("#challenge").dataset.solved !== undefined`)
			b.mustContain("#challenge", lang.solved, lang.shortest)

			b.tabTo(`document.activeElement.id === "task-on"`)
			b.key(kb.Enter)
			b.until(`location.pathname.endsWith("/courses/redis-lock/race/mend")`)
			kept := value[string](b, `JSON.stringify(JSON.parse(localStorage.progress).courses["redis-lock"].race)`)
			if want := `{"done":true,"guesses":{"late":"nothing","gone":"two"},"challenges":{"break":{"actions":8}},"missed":1,"recalled":0}`; kept != want {
				t.Errorf("kept is %s, not %s", kept, want)
			}
		})
	}
}

// Lesson 13 fits a phone: the words come first, then the picture, within 390 px.
func TestLessonFitsAPhone(t *testing.T) {
	b := open(t)
	b.see(look{"phone", "", "prefers-reduced-motion: reduce", 390})
	b.visit("/courses/redis-lock/pause?lang=zh")
	for moment := "none yet"; ; {
		b.fits()
		guide := value[map[string]any](b, `({...document.querySelector("#guide").dataset})`)
		if guide["moment"] == moment {
			t.Fatalf("the lesson does not go on after %q", moment)
		}
		moment, _ = guide["moment"].(string)
		if _, over := guide["over"]; over {
			break
		}
		if _, asks := guide["asks"]; asks {
			b.press("#guess-not-sure")
		} else {
			b.press("#go-on")
		}
		b.until(fmt.Sprintf(`document.querySelector("#guide").dataset.moment !== %q`, moment))
		b.until(`document.activeElement.id === "task-title"`)
	}
	b.press("#also > summary")
	b.press("[data-challenge=no-delay]")
	b.until(`document.querySelector("#challenge")`)
	b.arrives()
	for _, action := range []string{"tick 1s", "spawn C2", "step C2"} {
		b.happens(func() { b.does(action) })
	}
	b.until(`document.querySelector("#challenge").dataset.solved !== undefined`)
	b.fits()
}

// tabTo presses Tab until the focused element meets a condition.
func (b *browser) tabTo(focused string) {
	b.Helper()
	for range 120 {
		if value[bool](b, "Boolean("+focused+")") {
			return
		}
		b.key(kb.Tab)
	}
	b.Fatalf("Tab never comes to where %s", focused)
}

// spaceUntil presses Space, which goes on, whenever the picture has come to rest, until a condition of the page holds.
func (b *browser) spaceUntil(condition string) {
	b.Helper()
	for range 60 {
		b.until(`!document.querySelector(".playing")`)
		if value[bool](b, "Boolean("+condition+")") {
			return
		}
		before := value[string](b, `document.querySelector("#position").value + document.activeElement.id`)
		b.key(" ")
		b.until(fmt.Sprintf(`document.querySelector("#position").value + document.activeElement.id !== %q`, before))
	}
	b.Fatalf("Space never comes to where %s", condition)
}

// A lesson at a question, a finished lesson, a solved challenge and a program with its
// attack fit every look, and axe-core finds nothing.
func TestLessonPassesAxe(t *testing.T) {
	b := open(t)
	begin := func(path string, form url.Values) string { return b.leads("/courses/redis-lock/"+path, form) }
	solved := begin("race/break", nil)
	for _, line := range []string{"step C1", "step C1", "step C2", "step C2", "step C1", "step C1", "step C2", "step C2"} {
		b.post(solved+"/actions", url.Values{"action": {line}})
	}
	few := []look{looks[0], looks[4]} // the colours are those of the question
	for _, state := range []struct {
		name, path, part string
		looks            []look
	}{
		{"begins", "/courses/redis-lock/race", "#task-box", few},
		{"incident", "/courses/redis-lock/sim-6864", "#task-box", few},
		{"asks", begin("race", url.Values{"moment": {"late"}}), "#task-box", looks},
		{"over", begin("race", url.Values{"moment": {"showed"}}), "#task-box", few},
		{"solved", solved, "#task-box", few},
		{"mend", "/courses/redis-lock/race/mend", "#mend", few},
	} {
		b.inLooks("lesson-"+state.name, state.path, state.looks, func(string) {
			b.until(`document.querySelector("#mend-source, #timeline.timeline")`)
			if state.name == "mend" {
				b.until(`document.querySelector("#outcome svg.timeline")`) // how the program breaks
			}
			b.until(`!document.body.matches(".awaited") && document.getAnimations().every(({ playState }) => playState === "finished")`)
		}, state.part)
	}
}
