package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/testtools"
)

// The page says when it has lost the connection, and afterwards receives what it missed.
func TestLostConnectionCatchesUp(t *testing.T) {
	b := open(t)
	b.expectsCuts()
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.click("step-C1")
	b.mustContain("#event-rows", "C1 receives (integer) 1")
	b.network.cut()
	b.until(`!document.querySelector("#connection").hidden`)
	b.mustContain("#connection", "Connection lost")
	b.press("#tick-1") // it cannot be done, and the page stays
	b.until(`!document.querySelector("#refusal").hidden`)
	b.mustContain("#refusal", "Connection lost")
	b.post("/t/aaaaaaaaaa/actions", url.Values{"action": {"step C2"}})
	b.press("#back") // the past is here, connection or not
	b.mustContain("#position-text", "action 2 of 3")
	b.mustContain("#caption", "C2 sends SETNX lock.foo")
	b.press("#last")
	b.network.mend()
	b.until(`document.querySelector("#connection").hidden`)
	b.until(`document.querySelector("#position-text").textContent === "action 4 of 4"`)
	b.mustContain("#event-rows", "C2 receives (integer) 0")
	b.click("tick-1") // and it goes on
}

// The connection breaks between a request and its answer. The page repeats the request,
// and the server does it once.
func TestRepeatedRequestIsDoneOnce(t *testing.T) {
	b := open(t)
	b.expectsCuts()
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.network.mute()
	b.press("#step-C1")
	b.untilServed("/t/aaaaaaaaaa.txt", "step C1")
	b.mustContain("#caption", "C2 sends SETNX lock.foo") // nothing has been heard of it
	b.network.cut()
	b.until(`!document.querySelector("#connection").hidden`)
	b.network.mend()
	b.sees("C1 is in the critical section")
	b.click("step-C2")
	if text := b.served("/t/aaaaaaaaaa.txt"); strings.Count(text, "step C1") != 1 || !strings.HasSuffix(text, "step C1\nstep C2\n") {
		t.Errorf("the run is\n%s", text)
	}
}

// flags notes in the page what stands at pressed controls, and when it began to, ms after the press.
const flags = `(() => {
	window.flags = [];
	addEventListener("click", () => { window.pressedAt = window.lookedAt = performance.now(); window.flags = []; window.held = 0; }, true);
	const look = () => {
		window.held = Math.max(window.held, performance.now() - window.lookedAt);
		window.lookedAt = performance.now();
		const says = [...document.querySelectorAll(".press-says:not([hidden])")].map((e) => e.textContent).join();
		if (says !== (window.flags.at(-1)?.says ?? "")) window.flags.push({ says, at: performance.now() - window.pressedAt });
		requestAnimationFrame(look);
	};
	look();
	return true;
})()`

// saysItSends is a condition that a press has been said to be sent, unless the page was held while that stood.
func saysItSends(sending, reconnecting string) string {
	return fmt.Sprintf(`window.flags.some(({ says }) => says === %q || (says === %q && window.held > 2000))`, sending, reconnecting)
}

// A network that swallows everything shows at the pressed control: the press is being sent, and then the page connects again.
// When the network is back the press is done, once; a vote, too.
func TestSilentNetworkShowsAtThePressedControl(t *testing.T) {
	for lang, says := range map[string][2]string{"en": {"sending…", "reconnecting…"}, "zh": {"正在发送……", "正在重新连接……"}} {
		t.Run(lang, func(t *testing.T) {
			b := open(t)
			b.expectsCuts()
			teacher := b.teaches("spawn C1 C2 naive")
			b.sized(360, 640)
			b.goTo(teacher.path + "?lang=" + lang)
			b.until(`document.querySelector("#phone")`)
			teacher.does("lanes", "size", "1")
			teacher.does("ask", "kind", "predict", "client", "C2")
			b.until(`document.querySelector("#step-C1") && document.querySelector("#vote-1")`)
			value[bool](b, flags)
			for _, press := range []string{"#vote-1", "#step-C1"} {
				b.network.mute()
				b.press(press)
				b.until(saysItSends(says[0], says[1]))
				b.until(`window.flags.some((f) => f.says === "` + says[1] + `")`)
				beside := value[bool](b, `((c, f) => f.left < c.right && f.right > c.left && f.top < c.bottom && f.bottom > c.top - 1 && f.left >= 0 && f.right <= innerWidth)(document.querySelector("`+press+`").getBoundingClientRect(), document.querySelector(".press-says").getBoundingClientRect())`)
				if !beside {
					t.Errorf("%s says what happens to it somewhere else", press)
				}
				b.until(`!document.querySelector("#connection").hidden`)
				b.network.mend()
				b.until(`document.querySelector("#connection").hidden && !document.querySelector(".press-says")`)
				b.has(`window.flags.filter(({ says, at }) => says && at < (says === "`+says[0]+`" ? 300 : 3000)).map(({ says, at }) => says + " after " + at + " ms").join()`, "", press)
				if press == "#vote-1" {
					b.until(`document.querySelector("#vote-1[aria-pressed=true]")`)
					b.counted(map[string]string{"en": "Votes: 1 of 1", "zh": "已投票：1 / 1"}[lang])
					teacher.does("drop") // where a vote is open nobody may have to act
					b.until(`!document.querySelector("#poll")`)
				}
			}
			b.until(`document.querySelector("#lane [data-status=inside]")`)
			if text := b.served(teacher.run + ".txt"); strings.Count(text, "step C1") != 1 {
				t.Errorf("the run is\n%s", text)
			}
		})
	}
}

// The page of a run says it, too: at the token in the picture, and at a button.
func TestSilentNetworkShowsInThePlayground(t *testing.T) {
	b := open(t)
	b.expectsCuts()
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.rests()
	value[bool](b, flags)
	b.network.mute()
	b.press("#step")
	b.until(saysItSends("sending…", "reconnecting…"))
	b.until(`window.flags.some((f) => f.says === "reconnecting…")`)
	b.network.mend()
	b.until(`document.querySelector("#connection").hidden && !document.querySelector(".press-says")`)
	b.mustContain("#position-text", "action 3 of 3")
}

// Without a press the page notices a dead network, too, because the server's beats stay away.
func TestSilentNetworkShowsWithoutAPress(t *testing.T) {
	b := open(t)
	b.expectsCuts()
	teacher := b.teaches("spawn C1 C2 naive")
	b.sized(360, 640)
	b.goTo(teacher.path)
	b.until(`document.querySelector("#phone")`)
	b.hears(0)                                                                                  // a busy machine may take long to open a socket
	b.until(fmt.Sprintf(`performance.now() > %f`, value[float64](b, `performance.now()`)+6000)) // the first beat has come
	b.has(`document.querySelector("#connection").hidden`, true, "a quiet class looks like a lost connection")
	b.network.mute()
	b.until(`!document.querySelector("#connection").hidden`)
	teacher.sends(teacher.run+"/actions", url.Values{"action": {"step C2"}})
	b.network.mend()
	b.until(`document.querySelector("#connection").hidden && document.querySelector("#caption").textContent.includes("C2 is in the critical section")`)
}

// A reload in the middle of a run loses nothing.
func TestReloadLosesNothing(t *testing.T) {
	b := open(t)
	b.visit(emptyRun())
	for _, id := range race[:10] {
		b.click(id)
	}
	seen := func() string {
		return value[string](b, `["#event-rows", "#caption", "#clients", "#redis", "#position-text"].map((part) => document.querySelector(part).innerText).join("\n")`)
	}
	b.rests()
	before := seen()
	b.do(chromedp.Reload())
	b.arrives()
	b.inPicture(".command", "GET")
	same(t, seen(), before, "after a reload there is")
	for _, id := range race[10:] {
		b.click(id)
	}
	b.inPicture(".flag-word", "2 holders: C2 + C3")
}

// After a restart without data the server has no run. The page still has it, with its
// program, and restores it.
func TestPageRestoresALostRun(t *testing.T) {
	b := open(t)
	b.expectsCuts()
	b.visit(emptyRun())
	run := value[string](b, "location.pathname")
	b.chooses("del-setnx")
	for _, id := range race[:12] {
		b.click(id)
	}
	before := b.served(run + ".txt")
	b.network.cut()
	b.replaceServer()
	b.until(`!document.querySelector("#connection").hidden`)
	b.slides(6, 12) // the past is still there
	b.sees("action 6 of 12", "1 s pass: it is 1012.")
	b.press("#last")
	b.network.mend()
	b.sees("The server restarted. This run is restored.")
	b.untilServed(run+".txt", "step C3")
	same(t, b.served(run+".txt"), before, "the run comes back as")
	for _, id := range race[12:] {
		b.click(id)
	}
	b.inPicture(".flag-word", "2 holders: C2 + C3")
}

// served returns what the site serves under a path, without the browser.
func (b *browser) served(path string) string {
	b.Helper()
	r := try(http.Get(b.direct + path)).orFail(b)
	defer r.Body.Close()
	return string(try(io.ReadAll(r.Body)).orFail(b))
}

// untilServed waits until it contains that.
func (b *browser) untilServed(path, wanted string) {
	b.Helper()
	if !testtools.Eventually(func() bool { return strings.Contains(b.served(path), wanted) }) {
		b.Fatalf("%s never contains %q", path, wanted)
	}
}
