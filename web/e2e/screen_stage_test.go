package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// cramped names what cannot be read on the projector from the last row; empty: all can. Of the picture these are names, commands,
// values and keys; of the card the violation, which has two lines at most, or the caption, which has as many as it needs.
const cramped = `(() => {
	const px = (e) => parseFloat(getComputedStyle(e).fontSize);
	const legible = 23.9; // 1rem of that page is 23.9976 px
	const pane = document.querySelector("#picture");
	const scale = px(pane) / 16;
	const found = [];
	for (const text of pane.querySelectorAll(".badge-name, .node-name, .command, .reply-value, .band-value, .key-name, .order")) {
		if (px(text) * scale < legible) found.push(text.textContent + " has " + px(text) * scale + " px");
	}
	if (pane.querySelector(".edge") || pane.scrollHeight > pane.clientHeight) found.push("lanes are out of view");
	const card = document.querySelector("#card");
	if (card.getBoundingClientRect().bottom > innerHeight || card.scrollHeight > card.clientHeight) found.push("the card is cut off");
	const said = [...card.querySelectorAll(".caption, .alerts p")].filter((e) => e.checkVisibility());
	if (said.length !== 1) found.push(said.length + " sentences");
	for (const sentence of said) {
		const lines = Math.round(sentence.getBoundingClientRect().height / parseFloat(getComputedStyle(sentence).lineHeight));
		if (px(sentence) < legible) found.push("the card's letters have " + px(sentence) + " px");
		if (lines > 2 && sentence.closest(".alerts")) found.push(lines + " lines: " + sentence.textContent);
		if (sentence.scrollWidth > sentence.clientWidth || sentence.scrollHeight > sentence.clientHeight + 1) found.push("cut off: " + sentence.textContent);
	}
	return found.join("; ");
})()`

// Everybody reads the projector, whatever it shows of a race, and beside a poll.
func TestScreenIsReadInTheLastRow(t *testing.T) {
	h := openHall(t)
	h.do(chromedp.EmulateViewport(1280, 720))
	read := func(at string) {
		t.Helper()
		h.does(h.presenter, "cursor", "at", at)
		for _, lang := range []string{"en", "zh"} {
			h.goTo(h.path + "/screen?lang=" + lang)
			h.until(`document.querySelector("#picture .badge-name") && document.querySelector("#connection").hidden`)
			h.settled()
			if wrong := value[string](h.browser, cramped); wrong != "" {
				t.Errorf("%s, at %s: %s", lang, at, wrong)
				h.shot("screen-cramped-" + lang + "-" + at)
			}
		}
	}
	h.acts(h.presenter, h.run, broken...)
	for _, at := range []string{"2", "4", "11", "13", "-1"} {
		read(at)
	}
	h.joins(3)
	h.acts(h.presenter, h.run, "step C1") // it leaves: a question is open about its DEL
	h.does(h.presenter, "ask", "kind", "predict", "client", "C1")
	read("-1")
	h.quiet()
}

// A step moves on the projector as it does everywhere, and the card speaks when the picture has arrived.
func TestScreenMoves(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, broken[:len(broken)-1]...)
	h.do(chromedp.EmulateViewport(1280, 720))
	h.goTo(h.path + "/screen?lang=en")
	h.until(`document.querySelector("#alerts").textContent === "C2 has deleted C1's lock. Cause: #8."`)
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
	h.until(`window.seen.includes("the card speaks")`)
	if seen := value[string](h.browser, `window.seen.join(", ")`); seen != "the picture moves, the arrow runs back, the card speaks" {
		t.Errorf("seen: %s", seen)
	}
	h.mustContain("#alerts", "Cause: #8.")
	h.quiet()
}
