package e2e

import (
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/web"
)

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
	b.goTo("/courses/questions/first?lang=en")
	b.arrives()
	b.presses("Go on")
	b.sees("What does Redis reply?")
	b.press("#guess-one")
	b.sees("Not this time.")
	b.goTo("/courses/questions/second")
	b.arrives()
	b.presses("Go on")
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
