package e2e

import (
	"fmt"
	"slices"
	"testing"

	"lockstep/engine/course"
)

// The keyboard alone leads through every lesson, from its first card to its last: Space goes on, and a digit answers a question,
// right or wrong. On the way the card's heading and its next control are in the window, nothing covers what is to be pressed, and
// no link leads out of the site. Each group of lessons has a window of its own size.
func TestEachLessonByKeyboard(t *testing.T) {
	lessons := course.Builtin().Lessons
	for n, some := range slices.Collect(slices.Chunk(lessons, 5)) {
		screen := walked[n%len(walked)]
		for _, language := range spokenBy(n) {
			t.Run(fmt.Sprintf("%s-%d-%d", language, some[0].Number, some[len(some)-1].Number), func(t *testing.T) {
				b := open(t)
				b.sized(screen.width, screen.height)
				for _, lesson := range some {
					presses, answers := b.takes(lesson, language, screen)
					t.Logf("%s: %d presses, %d questions", lesson.Name, presses, answers)
				}
			})
		}
	}
}

// walked are the windows in which the keyboard goes through the lessons: EachCardIsInView has the others, and phones.
var walked = screens[:6]

// takes goes through a lesson by the keyboard, and returns how many keys it has pressed and how many questions it has answered.
func (b *browser) takes(lesson *course.Lesson, language string, s screen) (presses, answers int) {
	b.Helper()
	b.goTo(fmt.Sprintf("/courses/redis-lock/%s?lang=%s&%s", lesson.Name, language, s.query))
	b.arrives()
	value[string](b, `document.documentElement.dataset.speed = "4"`)
	b.keepsLinks(lesson.Name)
	const place = `document.querySelector("#guide")?.dataset.moment + document.activeElement.id + document.querySelector("#position").value`
	const seen = `[document.querySelector("#task-title"), document.querySelector("#card .card-foot .primary, #card [name=guess], #task-next a")]
		.every((e) => { const { top, bottom } = e.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; })`
	for presses < 100 {
		b.until(`!document.querySelector(".playing")`)
		if moment := value[string](b, `document.querySelector("#guide").dataset.moment`); moment == lesson.Moments[len(lesson.Moments)-1].Name {
			return presses, answers
		}
		b.waits(seen, lesson.Name+": the card's title and its next control are in the window")
		b.settled()
		b.inView(lesson, s)
		key := " "
		if value[bool](b, `document.querySelector("[name=guess]") !== null && document.activeElement.id === "guess-title"`) {
			key = fmt.Sprint(1 + answers%2)
			answers++
		}
		before := value[string](b, place)
		b.key(key)
		if value[bool](b, `document.querySelector(".playing") !== null`) {
			b.key(" ") // hurries what plays
		}
		presses++
		b.waits(fmt.Sprintf("%s !== %q", place, before), fmt.Sprintf("%s: the key %q moves on from %s", lesson.Name, key, before))
	}
	b.Fatalf("%s does not end within %d keys", lesson.Name, presses)
	return presses, answers
}
