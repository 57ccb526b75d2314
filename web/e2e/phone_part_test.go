package e2e

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/testtools"
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
	b.goTo(teacher.room)
	b.until(`document.querySelector("#phone")`)
	teacher.does("challenge", "task", "redis-lock/race/break")
	b.press("#own-begin")
	b.arrives()
	own := value[string](b, "location.pathname")
	for phone, lang := range seen(t, smallPhones) {
		name := fmt.Sprintf("phone-exercise-%d-%s-%s", phone.width, phone.scale, lang)
		b.sized(phone.width, phone.height)
		b.goTo(own + "?lang=" + lang + "&scale=" + phone.scale)
		b.arrives()
		b.rests()
		b.settled()
		b.shot(name)
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
	b.goTo(own + "?lang=en&scale=1")
	b.arrives()
	b.has(`document.documentElement.scrollHeight === 800 && document.querySelector(".challenge > .card-text").getBoundingClientRect().top < document.querySelector("#goal").getBoundingClientRect().top`, true, "on a desk the task's text is not above its goal, or the page scrolls")
}

// The presenter brings everybody here: a phone goes to its own part, from its own run, from the whole picture and from a
// lesson that the room looks at. A desk looks where the presenter looks.
func TestPresenterBringsAPhoneToItsPart(t *testing.T) {
	b := open(t)
	teacher := b.teaches(shortOfDisaster...)
	b.sized(360, 640)
	b.goTo(teacher.room)
	b.until(`document.querySelector("#phone")`)
	teacher.does("challenge", "task", "redis-lock/race/break")
	b.press("#own-begin")
	b.arrives()
	own := value[string](b, "location.pathname")
	for _, from := range []string{own, teacher.run, teacher.run + "?step=4"} {
		b.do(chromedp.Navigate("about:blank")) // the page before hears no more
		_, before := b.heard()
		b.goTo(from)
		b.arrives()
		b.until(`document.querySelector("#connection").hidden && document.querySelector("#room-box").dataset.state`)
		b.hears(len(before))
		teacher.does("gather")
		b.until(`location.pathname === "` + teacher.room + `" && document.querySelector("#phone[data-seat='1']")`)
	}
	b.sized(1280, 800)
	b.goTo(teacher.run + "?step=4")
	b.arrives()
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
			b.goTo(teacher.room + "?lang=" + lang)
			b.until(`document.querySelector("#phone")`)
			teacher.does("fork")
			b.until(`document.querySelector("#own-begin")`)
			b.has(`!document.querySelector("#ended").hidden`, false, "the exercise has just begun")
			teacher.does("home")
			b.until(`!document.querySelector("#ended").hidden`)
			b.mustContain("#ended", says)
			b.shot("phone-ended-" + lang)
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
			b.shot("phone-own-ended-" + lang)
			b.press(".room-place")
			b.until(`document.querySelector("#phone")`)
		})
	}
}
