package e2e

import (
	"fmt"
	"testing"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// A calm is how much a page asks of its reader at once: at most so many controls, and so many words.
type calm struct{ Controls, Words, Says int } // Says: the words of its card alone

// sight is what a reader has before their eyes at 1280 × 800, where no tool is open. A control is a link, a button, a field, a
// summary, a slider or a token that is enabled and that nothing covers at its middle. A mark that the keyboard reaches is none, nor
// is a word that lights one. A word stands in the window, and nothing covers it; a space ends it, and two Chinese characters
// count as one.
const sight = `(() => {
	const here = (x, y) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
	const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, #timeline .token-target")].filter((e) => {
		const { left, top, width, height } = e.getBoundingClientRect();
		const [x, y] = [left + width / 2, top + height / 2];
		if (width < 2 || height < 2 || e.disabled || e.getAttribute("aria-disabled") === "true" || e.matches(".ref") || !here(x, y)) return false;
		const there = document.elementFromPoint(x, y);
		return e.contains(there) || (there?.contains(e) && there.matches("label, .token"));
	});
	const wordsOf = (text) => [...text.matchAll(/\p{Script=Han}{1,2}|[^\s\p{Script=Han}]+/gu)].filter(([word]) => /[\p{L}\p{N}]/u.test(word));
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const words = [];
	let said = 0;
	for (let text, last; (text = texts.nextNode()); last = text) {
		const around = text.parentElement;
		const goes = last && /\S$/.test(last.data) && around.closest("code, text, p") === last.parentElement?.closest("code, text, p"); // a colour ends no word
		if (!text.data.trim() || !around.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
		const svg = around.closest("svg");
		for (const { 0: segment, index } of wordsOf(text.data)) {
			if (goes && index === 0 && around.closest("code")) continue;
			const range = document.createRange();
			range.setStart(text, index);
			range.setEnd(text, index + segment.length);
			const { left, top, width, height } = range.getBoundingClientRect();
			const [x, y] = [left + width / 2, top + height / 2];
			if (width < 2 || !here(x, y)) continue;
			const there = document.elementFromPoint(x, y);
			if (there === around || around.contains(there) || (there?.contains(around) && getComputedStyle(there).clipPath === "none") || (svg && (svg.contains(there) || there?.closest(".lane-tools")))) {
				words.push(segment);
				if (around.closest("#card")) said++;
			}
		}
	}
	return { Controls: controls.length, Words: words.length, Says: said, Which: controls.map((e) => e.id || e.className.baseVal || e.className || e.localName).join(" ") + " | " + words.join(" ") };
})()`

// seesAtMost fails the test where the page shows more than a reader can take in.
func (b *browser) seesAtMost(what string, most calm) calm {
	b.Helper()
	is := value[struct {
		calm
		Which string
	}](b, sight)
	if is.Controls > most.Controls || is.Words > most.Words || is.Says > most.Says {
		b.Errorf("%s: %d controls of %d, %d words of %d, %d of them the card's, of %d: %s", what, is.Controls, most.Controls, is.Words, most.Words, is.Says, most.Says, is.Which)
	}
	return is.calm
}

// Each page shows little at first sight. The comment of a row has what was there before.
func TestEachPageShowsLittleAtOnce(t *testing.T) {
	for n, page := range []struct {
		name string
		most calm
		open func(*browser, string)
	}{
		{"home", calm{9, 60, 60}, func(b *browser, l string) {
			b.visit("/?lang=" + l)
			b.until(`document.querySelector("#timeline .token")`)
		}}, // 22, 156
		{"a challenge", calm{14, 90, 90}, func(b *browser, l string) { b.visit("/courses/redis-lock/race/break?lang=" + l) }},                 // 28, 127
		{"the playground", calm{16, 80, 80}, func(b *browser, l string) { b.visit("/new?lang=" + l) }},                                        // 40, 135
		{"the explorer with its answer", calm{16, 110, 110}, func(b *browser, l string) { b.goTo("/explore?lang=" + l); b.answered() }},       // 32, 187
		{"a presenter's lesson", calm{14, 110, 60}, func(b *browser, l string) { b.opensRoom(lang.Language(l), "/courses/redis-lock/race") }}, // 40
	} {
		for _, language := range spokenBy(n) {
			t.Run(page.name+" "+language, func(t *testing.T) {
				b := open(t)
				b.sized(1280, 800)
				page.open(b, language)
				b.settled()
				t.Log(b.seesAtMost(page.name, page.most))
			})
		}
	}
}

// Each card of each lesson shows little, too: 36 controls and 58 words stood beside the first card. Half of the lessons are read
// in each language; the third circle reads all of them in both.
func TestEachCardShowsLittleAtOnce(t *testing.T) {
	lessons := course.Builtin().Lessons
	for n, language := range []string{"en", "zh"} {
		t.Run(language, func(t *testing.T) {
			b := open(t)
			b.sized(1280, 800)
			b.prefers("prefers-reduced-motion: reduce")
			var most calm
			for i, lesson := range lessons {
				if !whole() && i%4 != 2*n {
					continue
				}
				for m := range len(lesson.Moments) + 1 {
					moment := ""
					if m > 0 {
						moment = lesson.Moments[m-1].Name
					}
					b.visit(fmt.Sprintf("/courses/redis-lock/%s?lang=%s&moment=%s", lesson.Name, language, moment))
					may := calm{12, 200, 92} // the picture keeps what has happened, and each event has its word in it
					if m == 0 {
						may.Words = 60
					}
					is := b.seesAtMost(fmt.Sprintf("%s, card %q", lesson.Name, moment), may)
					most = calm{max(most.Controls, is.Controls), max(most.Words, is.Words), max(most.Says, is.Says)}
				}
			}
			t.Logf("at most %d controls and %d words, %d of them the card's", most.Controls, most.Words, most.Says)
		})
	}
}
