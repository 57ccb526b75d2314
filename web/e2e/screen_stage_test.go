package e2e

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// cramped names what cannot be read on the wall from the last row; empty: all can. Every text that is seen has 24 px or more, but for the
// two buttons of whoever stands at the machine. All lanes and all of a poll or an exercise are in view, and the card says one sentence: a
// violation has two lines at most, and beside a poll or an exercise a caption may be left out.
const cramped = `(() => {
	const px = (e) => parseFloat(getComputedStyle(e).fontSize);
	const legible = 23.9; // 1rem of that page is 23.9976 px
	const pane = document.querySelector("#picture");
	const scale = px(pane) / 16;
	const found = [];
	const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".visually-hidden, .screen-tools, [hidden]");
	const texts = document.createTreeWalker(document.querySelector("#screen"), NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const { textContent, parentElement: e } = texts.currentNode;
		if (!textContent.trim() || !seen(e) || e.getBoundingClientRect().width <= 1) continue;
		const size = px(e) * (e.closest("svg.timeline") ? scale : 1);
		if (size < legible) found.push(textContent.trim() + " has " + size + " px");
	}
	const shown = pane.checkVisibility();
	if (shown && (pane.querySelector(".edge") || pane.scrollHeight > pane.clientHeight)) found.push("lanes are out of view");
	if (!shown) found.push("there is no picture");
	const side = document.querySelector(".screen-side");
	if (side && (side.scrollHeight > side.clientHeight || side.scrollWidth > side.clientWidth)) found.push("the side is cut off");
	if (side && side.getBoundingClientRect().right > innerWidth + 1) found.push("the side is out of the window");
	const card = document.querySelector("#card");
	if (card.getBoundingClientRect().bottom > innerHeight || card.scrollHeight > card.clientHeight) found.push("the card is cut off");
	const said = [...card.querySelectorAll(".caption, .alerts p")].filter((e) => e.checkVisibility());
	if (said.length !== 1 && !(side && said.length === 0)) found.push(said.length + " sentences");
	for (const sentence of said) {
		const lines = Math.round(sentence.getBoundingClientRect().height / parseFloat(getComputedStyle(sentence).lineHeight));
		if (lines > 2 && sentence.closest(".alerts")) found.push(lines + " lines: " + sentence.textContent);
		if (sentence.scrollWidth > sentence.clientWidth || sentence.scrollHeight > sentence.clientHeight + 1) found.push("cut off: " + sentence.textContent);
	}
	// What waits, and the playhead, are in view, and no word of the picture is cut in two.
	const view = pane.getBoundingClientRect();
	const heads = pane.querySelector(".heads .backdrop").getBoundingClientRect();
	for (const text of pane.querySelectorAll("svg:not(.heads) text")) {
		const { left, right } = text.getBoundingClientRect();
		if (!text.checkVisibility({ visibilityProperty: true }) || text.closest(".future")) continue;
		const [from, to] = [heads.right, view.right];
		if (left < from - 2 && right > from + 2 || left < to - 2 && right > to + 2) found.push("cut in two: " + text.textContent);
	}
	return [...new Set(found)].join("; ");
})()`

// reads finds nothing cramped on the wall, in both languages.
func (h *hall) reads(name string) {
	h.Helper()
	for _, lang := range []string{"en", "zh"} {
		h.goTo(h.path + "/screen?lang=" + lang)
		h.until(`document.querySelector("#picture .badge-name") && document.querySelector("#connection").hidden && document.fonts.status === "loaded"`)
		h.rests()
		h.settled()
		h.has(cramped, "", lang, name)
	}
}

// Everybody reads the projector, whatever it shows of a race: of two clients, of three, and of five of which two are inside.
func TestScreenIsReadInTheLastRow(t *testing.T) {
	h := openHall(t)
	h.sized(1280, 720)
	h.acts(h.presenter, h.run, broken[:4]...)
	h.acts(h.presenter, h.run, "spawn C1")
	h.reads("two")
	h.acts(h.presenter, h.run, broken[5:]...)
	for _, at := range []string{"2", "4", "11", "13", "-1"} {
		h.does(h.presenter, "cursor", "at", at)
		h.reads("three-at-" + at)
	}
	h.acts(h.presenter, h.run, "spawn C4", "spawn C5")
	h.reads("five")
	h.joins(7)
	h.does(h.presenter, "lanes", "size", "1")
	h.reads("five-with-names")
}

// A poll is read beside the picture, of a lane's reply and of a lesson; after the answer the reason for each choice stands with it.
func TestScreenPollIsReadInTheLastRow(t *testing.T) {
	h := openHall(t)
	h.sized(1280, 720)
	h.joins(5)
	h.acts(h.presenter, h.run, broken[:11]...) // C1 has deleted the lock, and asks for a new one; C2 is about to delete that
	h.does(h.presenter, "ask", "kind", "predict", "client", "C1")
	h.reads("poll")
	h.fills()
	h.does(h.seats[0], "vote", "choice", "2")
	h.does(h.presenter, "reveal")
	h.reads("poll-revealed")
	h.mustContain(".poll-choices > .right .poll-why", "lock.foo")
	h.does(h.presenter, "drop")
	h.acts(h.presenter, h.run, "step C2")
	h.does(h.presenter, "ask", "kind", "predict", "client", "C2")
	h.reads("poll-and-violation")
	h.does(h.presenter, "round")
	h.does(h.presenter, "round")
	h.does(h.presenter, "reveal")
	h.reads("poll-revealed-and-violation")
}

// fills finds no room for a future: what has happened and what waits end where the picture ends.
func (h *hall) fills() {
	h.Helper()
	const room = `(() => {
		const pane = document.querySelector("#picture");
		const ends = [...pane.querySelectorAll(".playhead-line, .waiting")].map((e) => e.getBoundingClientRect().right);
		return pane.getBoundingClientRect().right - Math.max(...ends);
	})()`
	if room := value[float64](h.browser, room); room < 0 || room > 64 {
		h.Errorf("beside what has happened there are %g px", room)
	}
}

// While a question is open the picture of a short history is as wide as its room, too.
func TestScreenLeavesNoFutureToAQuestion(t *testing.T) {
	h := openHall(t)
	h.sized(1280, 720)
	h.joins(1)
	h.acts(h.presenter, h.run, "spawn C1")
	h.does(h.presenter, "ask", "kind", "predict", "client", "C1")
	h.reads("question")
	h.fills()
	h.does(h.presenter, "drop")
	h.until(`!document.querySelector(".screen-poll")`)
	h.acts(h.presenter, h.run, "step C1", "crash C1", "tick 12s", "spawn C2", "spawn C3", "step C2", "step C3")
	h.does(h.presenter, "ask", "kind", "predict", "client", "C2")
	h.reads("later-question")
	h.fills()
}

// What began before the left edge is said there again: the value of a key, the name of a bar, the time, the arrow of a cause.
func TestScreenRepeatsValuesAtItsEdge(t *testing.T) {
	h := openHall(t)
	h.sized(1280, 720)
	h.acts(h.presenter, h.run, broken[:6]...)
	h.acts(h.presenter, h.run, "step C1", "step C2")
	h.joins(1)
	h.does(h.presenter, "ask", "kind", "predict", "client", "C1") // the poll takes two fifths of the wall
	h.reads("scrolled")
	// Words at the edge stand within 24 px of it.
	edge := `((edge) => [...document.querySelectorAll("#picture svg:not(.heads) text")]
		.filter((e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().left >= edge && e.getBoundingClientRect().left < edge + 24)
		.map((e) => e.textContent))(document.querySelector("#picture .heads .backdrop").getBoundingClientRect().right)`
	stands := func(words ...string) {
		t.Helper()
		got := value[[]string](h.browser, edge)
		for _, word := range words {
			if !slices.ContainsFunc(got, func(there string) bool { return strings.HasPrefix(there, word) }) {
				t.Errorf("at the left edge stands %q, want %q, too", got, word)
			}
		}
	}
	stands("1012", "1011")
	h.does(h.presenter, "drop")
	h.acts(h.presenter, h.run, "step C1", "step C1", "step C1") // C1 is in, and the others ask in vain
	h.acts(h.presenter, h.run, "spawn C4", "spawn C5", "step C4", "step C5", "step C4", "step C5")
	h.does(h.presenter, "ask", "kind", "predict", "client", "C2")
	h.reads("scrolled-farther")
	stands("1012", "临界区内", "1023")
}

// An exercise has its goal, its bounds and its start on the wall before anybody has begun; then who has begun, solved it, or claimed
// wrongly that it cannot be broken.
func TestScreenExerciseIsReadInTheLastRow(t *testing.T) {
	h := openHall(t)
	h.sized(1280, 720)
	h.acts(h.presenter, h.run, broken...)
	h.joins(3)
	h.does(h.presenter, "challenge", "task", "redis-lock/race/second")
	h.reads("exercise")
	h.goTo(h.path + "/screen?lang=en")
	h.until(`document.querySelector("#caption").textContent === "Everybody begins here."`)
	h.mustContain(".exercise-goal", "Get two clients inside")
	h.mustContain(".exercise-bounds", "3 clients, 2 ticks")
	h.inPicture(".command", "SETNX 1007") // of the start, and not of the run before
	h.has(`document.querySelector("#picture .flag") !== null`, false, "the picture still has a violation of the run before")
	for seat := 1; seat <= 2; seat++ {
		h.own(seat)
	}
	owns := h.owns()
	for _, line := range []string{"step C2", "step C1", "step C1"} {
		h.form(h.seats[0], owns[1]+"/actions", url.Values{"action": {line}})
	}
	h.form(h.seats[1], owns[2]+"/claims", url.Values{"reason": {"setnx"}})
	h.until(`document.querySelector(".ranking li") && document.querySelector(".exercise-claims")`)
	h.mustContain(".exercise-claims", "1 claimed wrongly that it cannot be broken")
	h.reads("exercise-ranked")
}

// A step moves on the projector as it does everywhere, and the card speaks when the picture has arrived.
func TestScreenMoves(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, broken[:len(broken)-1]...)
	h.sized(1280, 720)
	h.drives()
	h.goTo(h.path + "/screen?lang=en")
	h.until(`document.querySelector("#alerts").textContent === "C2 has deleted C1's lock. Cause: #8."`)
	value[any](h.browser, "time.hold()")
	value[bool](h.browser, `(() => {
		window.seen = [];
		const see = (what) => window.seen.at(-1) !== what && window.seen.push(what);
		new MutationObserver(() => {
			const moves = document.querySelector("#timeline").classList.contains("moves");
			if (moves && document.querySelector("#timeline .running-back")) see("the arrow runs back");
			else if (moves) see("the picture moves");
			if (document.querySelector("#alerts").textContent.startsWith("C1 and C2 are both")) see("the card speaks");
		}).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
		return true;
	})()`)
	h.acts(h.presenter, h.run, broken[len(broken)-1])
	h.until(`document.querySelector("#timeline.moves")`)
	h.strip()
	value[any](h.browser, "time.free()")
	h.until(`window.seen.includes("the card speaks")`)
	h.has(`window.seen.join(", ")`, "the picture moves, the arrow runs back, the card speaks")
	h.mustContain("#alerts", "Cause: #8.")
}

// When the class goes on to another run, the wall shows it with the first frame that it draws of it: there is no empty picture between, and no card
// that says how to join.
func TestScreenGoesOnToAnotherRun(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, broken...)
	h.sized(1280, 720)
	h.goTo(h.path + "/screen?lang=en")
	h.until(`document.querySelector("#alerts").textContent.includes("C1 and C2 are both")`)
	h.rests()
	value[bool](h.browser, `(() => {
		window.seen = [];
		const look = () => {
			const names = [...document.querySelectorAll("#picture .badge-name")].map((e) => e.textContent).join(" ") || "nobody";
			const now = document.querySelector("#screen").hasAttribute("data-join") ? "how to join" : names;
			if (window.seen.at(-1) !== now) window.seen.push(now);
			requestAnimationFrame(look);
		};
		look();
		return true;
	})()`)
	run := h.opened("program naive\nspawn C7\nstep C7\n")
	h.does(h.presenter, "show", "run", strings.TrimPrefix(run, "/t/"), "at", "2")
	h.until(`document.querySelector("#caption").textContent.includes("C7")`)
	h.settled()
	h.has(`window.seen.join(", then ")`, "C3 C1 C2, then C7")
}
