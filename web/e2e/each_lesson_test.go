package e2e

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"lockstep/engine/course"
	"lockstep/engine/testtools"
)

// The keyboard alone leads through every lesson, from its first card to its last: Space goes on, and a digit answers a question,
// right or wrong. On the way the card's heading and its next control are in the window.
func TestEachLessonByKeyboard(t *testing.T) {
	testtools.Long(t, "it takes every lesson")
	lessons := course.Builtin().Lessons
	for i, language := range []string{"en", "zh"} {
		for n, some := range slices.Collect(slices.Chunk(lessons, 5)) {
			if os.Getenv("CI") != "true" && n%2 != i {
				continue // each lesson in one language
			}
			t.Run(fmt.Sprintf("%s-%d-%d", language, some[0].Number, some[len(some)-1].Number), func(t *testing.T) {
				b := open(t)
				for _, lesson := range some {
					presses, answers := b.takes(lesson, language)
					t.Logf("%s: %d presses, %d questions", lesson.Name, presses, answers)
				}
				b.quiet()
			})
		}
	}
}

// takes goes through a lesson by the keyboard, and returns how many keys it has pressed and how many questions it has answered.
func (b *browser) takes(lesson *course.Lesson, language string) (presses, answers int) {
	b.Helper()
	b.goTo(fmt.Sprintf("/courses/redis-lock/%s?lang=%s", lesson.Name, language))
	b.arrives()
	value[string](b, `document.documentElement.dataset.speed = "4"`)
	const place = `document.querySelector("#guide")?.dataset.moment + document.activeElement.id + document.querySelector("#position").value`
	const seen = `[document.querySelector("#task-title"), document.querySelector("#card .card-foot .primary, #card [name=guess], #task-next a")]
		.every((e) => { const { top, bottom } = e.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; })`
	for presses < 100 {
		b.until(`!document.querySelector(".playing")`)
		if moment := value[string](b, `document.querySelector("#guide").dataset.moment`); moment == lesson.Moments[len(lesson.Moments)-1].Name {
			return presses, answers
		}
		b.waits(seen, lesson.Name+": the card's title and its next control are in the window")
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
