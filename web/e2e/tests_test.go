package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/course"
	"lockstep/web"
)

// answers presses keys: the right answer to the first questions of a form, and not sure to the others.
func (b *browser) answers(c *course.Course, f course.Form, right int) {
	b.Helper()
	for i, p := range c.Test.Pairs {
		q := p.In(f)
		b.until(fmt.Sprintf(`document.querySelector(".test-place")?.textContent === "%d / %d" && document.querySelectorAll(".paper-picture svg").length > 0`, i+1, len(c.Test.Pairs)))
		if i >= right {
			b.press(".answer.quiet-button")
			continue
		}
		for place, a := range q.Asks().Answers {
			if a.Right {
				b.key(fmt.Sprint(place + 1))
			}
		}
	}
}

// A reader takes the whole test by the keyboard, in either language: before the course, and after it with the gain. The
// missed questions then wait in the course.
func TestTheWholeTest(t *testing.T) {
	b, c := open(t), course.Builtin()
	for lang, says := range map[string]struct{ before, score, gain, after, done string }{
		"en": {"Begin: before the course", "3 of 8 right", "Before the course it was 3: you learned 60 % of what was missing.", "6 of 8 right", "Done on this browser"},
		"zh": {"开始课前测验", "答对 3/8 题", "课前答对 3 题：之前不会的，学会了 60%。", "答对 6/8 题", "这个浏览器上已做过"},
	} {
		b.goTo("/courses/redis-lock/test?lang=" + lang)
		value[string](b, `localStorage.removeItem("progress") ?? ""`)
		b.goTo("/courses/redis-lock/test")
		b.presses(says.before)
		b.answers(c, course.Before, 3)
		b.sees(says.score)
		b.until(`document.readyState === "complete"`) // it keeps the score
		if text := b.text("main"); strings.Contains(text, "%") || value[bool](b, `!!document.querySelector(".test-rows")`) {
			t.Errorf("before the course the result tells %s", text)
		}
		b.goTo("/courses/redis-lock/test")
		b.sees(says.done)
		b.press(".test-forms .primary")
		b.answers(c, course.After, 6)
		b.sees(says.after, says.gain)
		b.until(`document.readyState === "complete"`)
		b.has(`document.querySelectorAll(".test-rows > li[data-known]").length`, 6)
		b.goTo("/courses/redis-lock")
		b.until(`document.querySelector("#waiting").checkVisibility()`)
	}
}

// The address of a result holds answers, which are those of whoever sends it: the reader who follows it has given none.
func TestAResultFromElsewhereIsNotKept(t *testing.T) {
	b := openSite(t, web.Options{Courses: []*course.Course{asking(t)}})
	b.goTo("/courses/questions/test?form=before&before.winner=waits&before.waiter=waits&lang=en")
	b.sees("0 of 2 right")
	b.is(`localStorage.progress ?? "nothing"`, "nothing")
}

// The page after the course hands on the answers to the test's own questions, whatever a file has put beside them: a
// proxy refuses a long address.
func TestAForeignFileMakesNoLongAddress(t *testing.T) {
	b := openSite(t, web.Options{Courses: []*course.Course{asking(t)}})
	b.goTo("/courses/questions/test?lang=en")
	value[string](b, `{
		const guesses = {"winner-before": "gets-in", "waiter-before": "a".repeat(400_000)};
		for (let i = 0; i < 5000; i++) guesses["nothing" + i + "-before"] = "gets-in";
		localStorage.setItem("progress", JSON.stringify({version: 1, courses: {questions: {test: {guesses}}}}));
		"" }`)
	b.goTo("/courses/questions/test?form=after")
	b.press(`.answer[value="waits"]`)
	b.mustContain("main", "C1 asks: waiter, after")
	same(t, value[string](b, `location.search`), "?before.winner=gets-in&form=after&q=winner&guess=waits", "the address")
}

// Without scripts the test works by its address.
func TestTheTestWithoutScripts(t *testing.T) {
	b := openSite(t, web.Options{Courses: []*course.Course{asking(t)}})
	b.blocksScripts()
	b.goTo("/courses/questions/test?lang=en&form=before")
	b.mustContain("main", "C1 asks: winner, before", "C1 sends SETNX", "What happens?")
	b.press(`.answer[value="gets-in"]`)
	b.mustContain("main", "C1 asks: waiter, before")
	b.press(`.answer[value="waits"]`)
	b.mustContain("main", "1 of 2 right")
}

// A phone and a laptop answer the room's test while the presenter ends it. Each is told at once, keeps its answers, and is led back to
// the room; without scripts a reload tells the same.
func TestARoomsTestEndsUnderItsReaders(t *testing.T) {
	b := openSite(t, web.Options{Courses: []*course.Course{asking(t)}})
	teacher := b.teaches("spawn C1 naive")
	teacher.does("test", "form", "before", "course", "questions")
	phone, laptop, plain := b, b.another(), b.another()
	phone.sized(360, 640)
	plain.blocksScripts()
	for reader, lang := range map[*browser]string{phone: "en", laptop: "zh"} {
		reader.goTo(teacher.path + "?lang=" + lang)
		reader.press("#test-begin")
		reader.press(`.answer[value="gets-in"]`)
		reader.until(`location.search.includes("guess=gets-in") && document.querySelector("#test-open:not([hidden]) .guesses [name=room]") && !document.querySelector("#test-closed").checkVisibility()`)
	}
	value[bool](laptop, `document.querySelector(".answer[value=waits]").focus() ?? true`)
	plain.goTo(teacher.path + "?lang=en")
	plain.press("form[action$=seats] button")
	plain.press("#test-begin")
	plain.press(`.answer[value="gets-in"]`)
	plain.mustContain("main", "C1 asks: waiter, before")

	teacher.does("test", "form", "")
	says := map[*browser]string{phone: "The presenter has ended this test", laptop: "主讲人已结束这次测验", plain: "The presenter has ended this test"}
	plain.do(chromedp.Reload())
	for reader, sentence := range says {
		reader.until(`document.querySelector("#test-closed").checkVisibility() && !document.querySelector("#test-open").checkVisibility()`)
		reader.mustContain("#test-closed", sentence)
		reader.fits()
	}
	laptop.is(`document.activeElement.id`, "test-room")

	// It opens again, and nothing is lost.
	teacher.does("test", "form", "before", "course", "questions")
	for _, reader := range []*browser{phone, laptop} {
		reader.until(`!document.querySelector("#test-closed").checkVisibility() && document.querySelector("#test-open").checkVisibility()`)
	}
	teacher.does("test", "form", "")
	phone.until(`document.querySelector("#test-closed").checkVisibility()`)
	phone.press("#test-room")
	phone.until(`document.querySelector("#phone") && !document.querySelector("#room-test")`)
	laptop.until(`document.querySelector("#test-closed").checkVisibility()`)
	laptop.press("#test-alone")
	laptop.until(`!document.querySelector("#test-closed") && document.querySelector(".answer[value=waits]")`)
	laptop.press(`.answer[value="waits"]`)
	laptop.sees("答对 1/2 题")
}

// asking returns a course whose lessons supply questions to each other, and that has a test.
func asking(t *testing.T) *course.Course {
	t.Helper()
	c, err := course.Open("../../engine/course/testdata/questions")
	if err != nil || len(c.Mistakes) > 0 {
		t.Fatal(err, c.Mistakes)
	}
	return c
}

// waits returns what the course's page says of questions that wait.
const waiting = `document.querySelector("#waiting").checkVisibility() ? document.querySelector("#waiting-says").textContent : ""`

// A wrong prediction in a lesson waits as a question: it comes back first, until the reader knows the answer.
func TestAMissComesBackFirst(t *testing.T) {
	b := openSite(t, web.Options{Courses: []*course.Course{asking(t)}})
	at := func(path string) {
		b.until(`location.pathname === "` + path + `"`)
		if strings.HasSuffix(path, "/again") {
			b.arrives() // without its script the page keeps nothing
		}
	}

	// The prediction is wrong, and not sure counts as well.
	b.visit("/courses/questions/first?lang=en")
	b.press("#go-on")
	b.sees("What does Redis reply?")
	b.press("#guess-one")
	b.sees("Not this time.")
	b.visit("/courses/questions/second")
	b.press("#go-on")
	b.sees("What does Redis reply?")
	b.press("#guess-not-sure")
	b.sees("One is first", "The answer is")
	b.goTo("/courses/questions")
	b.until("(" + waiting + ")" + " === " + strconv.Quote("2 questions wait: you missed them earlier."))

	// At the end of the third lesson the first would come back anyway; at the end of the fourth it goes before the second.
	b.goTo("/courses/questions/fourth?done=99")
	b.sees("One is first")
	b.until(`document.querySelector("#recall").getAttribute("href").endsWith("/second/again")`)
	b.press("#recall")
	at("/courses/questions/second/again")
	b.sees("What happens to C1?")
	b.key("2")
	b.sees("The outcome")
	b.until(`document.querySelector("#came").checkVisibility()`)
	b.sees("Right.")
	b.until(`!document.querySelector("#recall").hidden && document.querySelector("#recall").getAttribute("href").endsWith("/first/again")`)
	b.press("#recall")
	at("/courses/questions/first/again")
	b.press("#guess-gets-in")
	b.sees("Not this time.", "This question is about")
	b.until(`document.querySelector("#recall").hidden`) // no other one waits
	b.presses("Back to where you were")
	at("/courses/questions/fourth")
	b.until(`document.querySelector("#recall").getAttribute("href").endsWith("/first/again")`)
	b.goTo("/courses/questions")
	b.until("(" + waiting + ")" + " === " + strconv.Quote("One question waits: you missed it earlier."))
	b.presses("Answer it now")
	at("/courses/questions/first/again")
	b.press("#guess-waits")
	b.sees("Right.")
	b.until(`document.querySelector("#recall").hidden`)
	b.presses("Back to where you were")
	at("/courses/questions")
	b.until("(" + waiting + ")" + " === " + strconv.Quote(""))
}
