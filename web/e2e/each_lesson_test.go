package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/engine/testtools"
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
	b.visit(fmt.Sprintf("/courses/redis-lock/%s?lang=%s&%s", lesson.Name, language, s.query))
	value[string](b, `document.documentElement.dataset.speed = "4"`)
	b.keepsLinks(lesson.Name)
	const place = `document.querySelector("#guide")?.dataset.moment + document.activeElement.id + document.querySelector("#position").value`
	const seen = `[document.querySelector("#task-title"), document.querySelector("#card .card-foot .primary, #go-on, #card [name=guess]")]
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

// A screen is a window in which a lesson is read.
type screen struct {
	name          string
	width, height int64
	query         string  // the settings
	picture       float64 // the least part of the window that the picture has; 0: it is there
	covered       bool    // the card may cover the picture
}

// screens have the sizes of a desk, a phone and a projector, whose own letters are those of 150 %.
var screens = []screen{
	{"1280×720", 1280, 720, "scale=1", 0.6, false},
	{"1280×720 at 150 %", 1280, 720, "scale=1.5", 0.4, false},
	{"1366×768", 1366, 768, "scale=1", 0.6, false},
	{"1366×768 at 150 %", 1366, 768, "scale=1.5", 0.4, false},
	{"1440×900", 1440, 900, "scale=1", 0.6, false},
	{"1440×900 at 150 %", 1440, 900, "scale=1.5", 0.4, false},
	{"390×844", 390, 844, "scale=1", 0, false},
	{"390×844 at 150 %", 390, 844, "scale=1.5", 0, false},
	{"360×640", 360, 640, "scale=1", 0, false},
	{"360×640 at 150 %", 360, 640, "scale=1.5", 0, true},
	{"projector", 1280, 720, "scale=1&mode=projector", 0.4, false},
	{"projector at 150 %", 1280, 720, "scale=1.5&mode=projector", 0.4, false},
}

// In every card of every lesson one control is filled. It and the answers can be pressed without scrolling, and the
// picture has the larger part of a desk's window. All lessons on all screens
// would take as long as all other tests of the browser together: each lesson is walked through on a quarter of the screens, a
// desk and a phone among them.
func TestEachCardIsInView(t *testing.T) {
	testtools.Exhaustive(t, "it walks through every lesson on twelve screens")
	type walk struct {
		screen
		language string
	}
	var walks []walk
	for screen, language := range seen(t, screens) {
		walks = append(walks, walk{screen, language})
	}
	of := max(1, len(walks)/6)
	for n, w := range walks {
		screen, language := w.screen, w.language
		t.Run(language+" "+screen.name, func(t *testing.T) {
			b := open(t)
			b.sized(screen.width, screen.height)
			b.prefers("prefers-reduced-motion: reduce")
			for i, lesson := range course.Builtin().All() {
				if (i+n/2)%of != 0 { // two screens, one for each size of letters, walk through the same lessons
					continue
				}
				if lesson.Scenario == nil {
					continue // it has challenges, and no cards
				}
				b.goTo("/courses/redis-lock/" + lesson.Name + "?lang=" + language + "&" + screen.query)
				b.walks(lesson, screen)
				b.is(settings, screen.query) // still
			}
		})
	}
}

// settings are those of the page, as an address names them.
const settings = `(({ scale, mode }) => "scale=" + scale + (mode === "projector" ? "&mode=projector" : ""))(document.documentElement.dataset)`

// A card is one moment of a lesson, as it lies in the window.
type card struct {
	Place   string // its moment, and whether the lesson is over
	Over    bool
	Hidden  []string // what cannot be pressed without scrolling, with what lies there
	Picture float64  // the part of the window that the picture has
}

// walks goes through a lesson from its first card to its last and takes a different answer each time.
func (b *browser) walks(lesson *course.Lesson, s screen) {
	b.Helper()
	b.until(`document.querySelector("#timeline.timeline g")`)
	for n := range len(lesson.Moments) + 1 {
		c := b.inView(lesson, s)
		if c.Over {
			return
		}
		value[bool](b, fmt.Sprintf(goesOn, n))
		b.waits(fmt.Sprintf(`document.querySelector("#timeline.timeline g") && ![%q, ""].includes(%s) && !document.querySelector(".playing")`, c.Place, place), at+": the next card")
		b.settled()
	}
	b.Errorf("%s does not end after %d cards", lesson.Name, len(lesson.Moments))
}

// inView fails the test where the card cannot be pressed without scrolling, or leaves the picture too little.
func (b *browser) inView(lesson *course.Lesson, s screen) card {
	b.Helper()
	b.until(`!document.querySelector("#guide[data-opens]") || document.querySelector("#timeline .token.lead, .playing")`)
	c := value[card](b, inView)
	at := fmt.Sprintf("%s, card %q, %s", lesson.Name, c.Place, s.name)
	for _, hidden := range c.Hidden {
		b.Errorf("%s: %s", at, hidden)
	}
	switch {
	case c.Picture < s.picture:
		b.Errorf("%s: the picture has %.1f %% of the window, less than %.0f %%", at, 100*c.Picture, 100*s.picture)
	case c.Picture == 0 && !s.covered:
		b.Errorf("%s: the picture is not in the window", at)
	}
	return c
}

// place says which card the page shows.
const place = `(({ moment = "", over } = {}) => over === undefined ? moment : moment + " over")(document.querySelector("#guide")?.dataset)`

// goesOn presses an answer, or the primary control, or where the stage leads what lets it happen. The second press does at once
// what the first has begun.
const goesOn = `(() => {
	const answers = document.querySelectorAll("button[name=guess]");
	const button = answers[%d %% answers.length] ?? document.querySelector(".card-foot .button.primary, #go-on");
	button.click();
	button.click();
	return true;
})()`

// inView measures the card that the page shows. A control can be pressed where it lies itself: at its middle and inside
// its four corners. The picture is what can be pressed on it, too: the lanes' heads and the tokens.
const inView = `(() => {
	const place = ` + place + `;
	const hidden = [];
	const name = (e) => e ? e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + [...e.classList].map((c) => "." + c).join("") : "nothing";
	const visible = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility({ visibilityProperty: true }));
	const answers = visible("button[name=guess]");
	const primary = visible(".card-foot .button.primary");
	const leading = [...primary, ...document.querySelectorAll("#timeline .token.lead")];
	if (answers.length === 0 && leading.length !== 1) hidden.push(leading.length + " controls are filled: " + leading.map(name).join(" "));
	const elsewhere = visible(".button.primary").filter((e) => !primary.includes(e));
	if (elsewhere.length) hidden.push("a primary control is not in the card's foot: " + elsewhere.map(name).join(" "));
	const text = document.querySelector("#card .card-text");
	if (text && text.clientHeight < Math.min(text.scrollHeight, 44)) hidden.push("the words have " + text.clientHeight + " px of " + text.scrollHeight);
	if (scrollY) hidden.push("the page is scrolled by " + scrollY + " px");
	// Three clients have their lanes in view, unless letters are larger than those of 150 %; more may have to scroll.
	const lanes = [...document.querySelectorAll('.placed[data-axis="x"] .client')];
	if (lanes.length <= 3 && parseFloat(getComputedStyle(document.documentElement).fontSize) <= 24) {
		for (const e of lanes) if (e.style.display === "none") hidden.push("the lane of " + e.dataset.client + " is out of view");
	}
	for (const e of [...answers, ...primary]) {
		const { left, top, right, bottom } = e.getBoundingClientRect();
		const round = 3 + 0.3 * Math.min(parseFloat(getComputedStyle(e).borderTopLeftRadius), (bottom - top) / 2);
		const says = name(e) + " “" + e.textContent.trim().slice(0, 30) + "” at x " + Math.round(left) + "–" + Math.round(right) + ", y " + Math.round(top) + "–" + Math.round(bottom);
		for (const [x, y] of [[(left + right) / 2, (top + bottom) / 2], [left + round, top + round], [right - round, top + round], [left + round, bottom - round], [right - round, bottom - round]]) {
			const there = document.elementFromPoint(x, y);
			if (e.contains(there)) continue;
			hidden.push(says + ": over it lies " + name(there));
			break;
		}
		for (let box = e.parentElement; box; box = box.parentElement) {
			if (box.scrollTop || box.scrollLeft) hidden.push(says + " is in view because " + name(box) + " is scrolled");
		}
	}
	let seen = 0;
	const columns = 64, rows = 36;
	for (let x = 0.5; x < columns; x++) {
		for (let y = 0.5; y < rows; y++) {
			if (document.elementFromPoint(x / columns * innerWidth, y / rows * innerHeight)?.closest(".picture, .lane-tools, .token")) seen++;
		}
	}
	return { Place: place, Over: place.endsWith(" over"), Hidden: hidden, Picture: seen / columns / rows };
})()`

// tokenOn is the token on a client's lane, beside the lane's buttons.
const tokenOn = `((middle) => [...document.querySelectorAll("#timeline .token-target")].find((token) => Math.abs(middle(token) - middle(document.querySelector("#client-%s"))) < 20))(
	(element) => element.getBoundingClientRect().top + element.getBoundingClientRect().height / 2)`

// Each lesson begins with an action on the stage: a press where the lesson goes on next keeps its reader on the path. For a
// step, and for a delivery by hand, that is the client's token.
func TestTheFirstPressStaysOnThePath(t *testing.T) {
	b := open(t)
	for i, l := range course.Builtin().Lessons {
		if i%4 != 0 && !whole() {
			continue
		}
		b.visit("/courses/redis-lock/" + l.Name + "?lang=en")
		next := value[string](b, `document.querySelector("#guide").dataset.next`)
		at := value[int](b, `Number(document.querySelector("#position").value)`)
		verb, client, _ := strings.Cut(next, " ")
		switch verb {
		case "step", "deliver", "receive":
			b.pressOn(fmt.Sprintf(tokenOn, client))
		default:
			t.Errorf("%s begins with %s: there is nothing to press on the stage", l.Name, next)
			continue
		}
		b.until(fmt.Sprintf(`Number(document.querySelector("#position").value) >= %d || !document.querySelector("#leaving").hidden`, at+1))
		b.has(`document.querySelector("#leaving").hidden && document.querySelector("#guide").dataset.own === undefined`, true, fmt.Sprintf("%s: a press on %s leaves the path; %s is next", l.Name, client, next))
	}
}
