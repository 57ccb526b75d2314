package e2e

import (
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdpnetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// A teacher is the presenter of a room, without a browser; the window is a phone's.
type teacher struct{ *hall }

// teaches opens a room whose run has played some lines.
func (b *browser) teaches(lines ...string) *teacher {
	b.Helper()
	t := &teacher{b.hall(nil)}
	for _, line := range lines {
		t.sends(t.run+"/actions", url.Values{"action": {line}})
	}
	return t
}

// sends posts a form of the presenter's.
func (t *teacher) sends(path string, form url.Values) {
	t.Helper()
	t.form(t.presenter, path, form)
}

// does something in the room.
func (t *teacher) does(verb string, fields ...string) {
	t.Helper()
	t.hall.does(t.presenter, verb, fields...)
}

// shortOfDisaster is the race of the sources up to C3's last step, which breaks the lock.
var shortOfDisaster = []string{
	"spawn C1 del-setnx timeout=10s", "step C1", "crash C1", "tick 12s", "spawn C2 del-setnx timeout=10s", "spawn C3 del-setnx timeout=10s",
	"step C2", "step C2", "step C3", "step C3", "step C2", "step C2", "step C3",
}

// One phone takes a whole class: it joins by the code, watches, becomes C3, predicts,
// votes again, and breaks the lock.
func TestPhoneTakesAWholeClass(t *testing.T) {
	b := open(t)
	teacher := b.teaches(shortOfDisaster...)
	b.sized(390, 844)
	b.goTo(teacher.path)
	b.until(`document.querySelector("#phone")`) // nothing was pressed
	b.seesAll("phone-viewer")
	b.mustContain("#lane", "You are watching")

	teacher.does("lanes", "size", "1")
	b.until(`document.querySelector("#lane[data-lane=C1]")`)
	b.mustContain("#lane", "C1", "crashed", "Restart")
	b.seesAll("phone-crashed")
	teacher.does("place", "seat", "1", "lane", "")
	b.until(`document.querySelector("#lane[data-lane=''] [data-role=network]:not([hidden])")`)
	b.seesAll("phone-network")

	teacher.does("ask", "kind", "network") // one message is on its way, and the network has no choice
	b.until(`document.querySelector("#alerts p")`)
	b.seesAll("phone-delivered")
	teacher = b.teaches(shortOfDisaster...) // and once more
	b.goTo(teacher.path)
	b.until(`document.querySelector("#phone")`)
	teacher.does("lanes", "size", "1")
	teacher.does("place", "seat", "1", "lane", "C3")
	b.until(`document.querySelector("#lane[data-lane=C3]")`)
	b.mustContain("#lane", "asks Redis", "SETNX lock.foo")
	b.seesAll("phone-waits")

	teacher.does("ask", "kind", "predict", "client", "C3")
	b.press("#vote-0")
	b.until(`document.querySelector("#vote-0[aria-pressed=true] .mine:not([hidden])")`)
	b.press("#vote-1")
	b.until(`document.querySelector("#vote-1[aria-pressed=true]") && document.querySelector("#vote-0[aria-pressed=false]")`)
	b.counted("Votes: 1 of 1")
	b.until(`!document.querySelector(".press-says")`)
	b.seesAll("phone-first")
	teacher.does("round")
	b.until(`document.querySelector("#poll[data-phase=discuss] #vote-1[aria-disabled=true][aria-pressed=true]")`)
	b.seesAll("phone-discuss")
	teacher.does("round")
	b.until(`document.querySelector("#poll[data-phase=second] #vote-1:not([aria-disabled])[aria-pressed=false]")`)
	b.press("#vote-0")
	b.counted("Votes: 1 of 1")
	b.has(`document.querySelectorAll(".votes").length`, 0)
	teacher.does("reveal")
	b.until(`document.querySelector("#poll[data-phase=revealed] .right") && document.querySelector("#alerts p")`)
	b.mustContain("#asked", "The answer is B: ", "your choice: not this time")
	b.mustContain("#alarm", "C2 and C3")
	b.mustContain("#lane", "inside")
	b.has(`[...document.querySelectorAll(".result .count")].map((e) => e.textContent).join()`, "0,1,1,0,0,0")
	b.until(`document.querySelector("[data-choice='0'] .mine:not([hidden])") && document.querySelector("[data-choice='1'] .mine[hidden]")`)
	b.is(`[...document.querySelectorAll(".result")].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((e) => e.querySelector(".letter").firstChild.data).join()`, "A,B,?")
	b.is(`document.querySelector(".result-why").closest(".result").dataset.choice`, "1")
	b.seesAll("phone-violation")
	var phones []look
	for _, look := range looks {
		look.width = min(look.width, 390)
		phones = append(phones, look)
	}
	b.inLooks("phone", teacher.path, phones, func(string) { b.until(`document.querySelector("#alerts p")`) })
	b.see(looks[0])
	b.goTo(teacher.path + "?lang=en&theme=auto")
	b.sized(390, 844)

	teacher.does("drop")
	b.press("#step-C3") // it leaves
	b.until(`document.querySelector("#lane [data-status=releasing]")`)
	b.press("#pause-C3")
	b.until(`document.querySelector("#step-C3[aria-disabled=true]")`)
	b.notes("#note")
	b.press("#step-C3")
	b.noted("C3")
	b.press("#pause-C3")
	b.until(`!document.querySelector("#step-C3[aria-disabled]")`)
	b.press("#crash-C3")
	b.until(`document.querySelector("#restart-C3")`)

	teacher.does("drive", "seat", "1")
	b.until(`document.querySelector("#driving:not([hidden])")`)
	b.seesAll("phone-driving")
	b.press("#driving button")
	b.until(`document.querySelector("#driving[hidden]")`)

	teacher.does("fork")
	b.press("#own-begin")
	b.arrives()
	if path := value[string](b, "location.pathname"); path == teacher.run {
		t.Error("the reader's own run is the room's")
	}
	b.goTo(teacher.path)
	b.until(`document.querySelector("#own:not([hidden])")`)
	b.seesAll("phone-exercise")
	teacher.does("end")
	b.until(`document.querySelector("#part[hidden]") && document.querySelector("#room h2")`)
	b.seesAll("phone-over")
}

// The reasons stand below the answers: the reader's own choice comes first, then the answer, in both languages. A phone that
// is not sure reads that it is its choice, and neither right nor wrong.
func TestPhoneSaysTheReasonOfEachAnswer(t *testing.T) {
	b := open(t)
	b.sized(360, 640)
	for choice, order := range map[string]string{"0": "A,B,?", "1": "B,A,?", "2": "?,B,A"} {
		teacher := b.teaches(shortOfDisaster...)
		b.goTo(teacher.path + "?lang=en")
		b.until(`document.querySelector("#phone")`)
		teacher.does("ask", "kind", "predict", "client", "C3")
		b.press("#vote-" + choice)
		b.until(`document.querySelector("#vote-` + choice + `[aria-pressed=true]")`)
		b.counted("Votes: 1 of 1")
		value[bool](b, `(scrollTo(0, document.documentElement.scrollHeight), scrollY > 0)`)
		teacher.does("reveal")
		b.until(`document.querySelector("#poll[data-phase=revealed]") && document.querySelector("#poll").getBoundingClientRect().top >= 0`) // what came of it is in view
		for _, lang := range []string{"zh", "en"} {
			b.goTo(teacher.path + "?lang=" + lang)
			b.until(`document.querySelector("#poll[data-phase=revealed] .right")`)
			b.fits()
			b.is(`[...document.querySelectorAll(".result")].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((e) => e.querySelector(".letter").firstChild.data).join()`, order)
			b.is(`document.querySelector(".result.right .result-why").textContent`, map[string]string{"en": "There is no lock.foo now.", "zh": "现在没有 lock.foo。"}[lang])
		}
		says := map[string]string{"0": "your choice: not this time", "1": "your choice: right", "2": "your choice"}[choice]
		b.is(`document.querySelector(".mine:not([hidden])").textContent.trim()`, says)
	}
}

// Only the network reads that it is the network; the others read that it votes. Where nothing has happened a phone reads
// no hint of the presenter's.
func TestPhoneReadsNothingMeantForOthers(t *testing.T) {
	for lang, words := range map[string]struct{ are, votes, spawn, nothing string }{
		"en": {"You are the network", "The network votes.", "Spawn", "Nothing has happened yet."},
		"zh": {"你们是网络", "由网络投票。", "启动一个客户端", "还没有任何动作。"},
	} {
		t.Run(lang, func(t *testing.T) {
			b := open(t)
			teacher := b.teaches()
			b.sized(360, 640)
			b.goTo(teacher.path + "?lang=" + lang)
			b.until(`document.querySelector("#phone")`)
			b.mustContain("#caption", words.nothing)
			reads := func(text string) bool { return strings.Contains(value[string](b, "document.body.innerText"), text) }
			if reads(words.spawn) {
				t.Error("the phone reads how to begin, and cannot")
			}
			teacher.sends(teacher.run+"/actions", url.Values{"action": {"spawn C1 C2 naive"}})
			teacher.does("lanes", "size", "1")
			teacher.does("ask", "kind", "network")
			b.until(`document.querySelector("#lane[data-lane=C1]") && document.querySelector("#poll[data-network]")`)
			b.until(`document.querySelector("#poll .vote-not:not([hidden])")`)
			if reads(words.are) || !reads(words.votes) {
				t.Error("C1 reads that it is the network")
			}
			teacher.does("drop")
			teacher.does("place", "seat", "1", "lane", "")
			teacher.does("ask", "kind", "network")
			b.until(`document.querySelector("#poll[data-network] .vote-now:not([hidden])")`)
			if !reads(words.are) || reads(words.votes) {
				t.Error("the network does not read that it is the network")
			}
		})
	}
}

// A phone that was out of reach is the same client afterwards, with the same vote, and has received what
// it missed. A press in the meantime is not done later.
func TestPhoneComesBackToItsSeat(t *testing.T) {
	b := open(t)
	b.expectsCuts()
	teacher := b.teaches("spawn C1 C2 naive")
	b.sized(390, 844)
	b.goTo(teacher.path)
	b.until(`document.querySelector("#phone")`)
	teacher.does("lanes", "size", "1")
	teacher.does("ask", "kind", "predict", "client", "C1")
	b.press("#vote-1")
	b.counted("Votes: 1 of 1")
	b.network.cut()
	b.until(`!document.querySelector("#connection").hidden`)
	b.notes("#note")
	b.press("#crash-C1")
	b.noted("Reconnecting…")
	b.network.mend()
	b.until(`document.querySelector("#connection").hidden`)
	b.until(`document.querySelector("#lane[data-lane=C1] [data-status=waits]") && document.querySelector("#vote-1[aria-pressed=true]")`)
	b.network.cut()
	b.until(`!document.querySelector("#connection").hidden`)
	teacher.does("drop") // an open question would hold the run
	teacher.sends(teacher.run+"/actions", url.Values{"action": {"step C2"}})
	b.network.mend()
	b.until(`document.querySelector("#connection").hidden`)
	b.until(`document.querySelector("#caption").textContent.includes("C2 is in the critical section")`)
	b.press("#step-C1") // and it goes on
	b.until(`document.querySelector("#lane [data-status=asleep]")`)
}

// A phone that lost its seat can join again.
func TestPhoneWithoutASeatJoinsAgain(t *testing.T) {
	b := open(t)
	teacher := b.teaches("spawn C1 naive")
	b.goTo(teacher.path)
	b.until(`document.querySelector("#phone")`)
	b.hears(0)
	call(b, cdpnetwork.ClearBrowserCookies, cdp.Empty{})
	b.network.cut()
	b.network.mend()
	b.expectsCuts()
	b.until(`document.querySelector("#rejoin:not([hidden])") && document.querySelector("#part[hidden]")`)
	b.press("#rejoin button")
	b.until(`document.querySelector("#phone[data-seat='2']")`)
}

// A phone that scans the code downloads few bytes: the page on which it joins, and the page after
// it.
func TestPhoneDownloadsLittle(t *testing.T) {
	b := open(t)
	teacher := b.teaches(shortOfDisaster...)
	teacher.does("lanes", "size", "1")
	const sent = `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((sum, e) => sum + e.encodedBodySize, 0)`
	teacher.does("switch", "free", "on")
	for _, lang := range []string{"en", "zh"} { // the page stays where it asks for a name
		b.goTo(teacher.path + "?lang=" + lang)
		b.until(`document.querySelector("#join") && performance.getEntriesByType("resource").length >= 3`)
		b.do(chromedp.Reload())
		b.until(`document.readyState === "complete" && performance.getEntriesByType("resource").length >= 3`)
		if sum := value[int](b, sent); sum > 21_000 || sum < 10_000 {
			t.Errorf("%s: the page to join by is %d bytes, at most 21,000 are wanted", lang, sum)
		}
	}
	teacher.does("switch", "free", "")
	b.goTo(teacher.path + "?lang=en")
	b.until(`document.querySelector("#lane[data-lane=C1]")`)
	b.do(chromedp.Reload()) // with everything that the first page has brought counted again
	b.until(`document.querySelector("#lane[data-lane=C1]") && performance.getEntriesByType("resource").length >= 3`)
	sum := value[int](b, sent)
	b.atMost(`performance.getEntriesByType("resource").filter((e) => e.name.endsWith(".woff2")).length`, 0)
	t.Logf("%d bytes", sum)
	if sum > 30_000 || sum < 10_000 {
		t.Errorf("a phone is sent %d bytes, at most 30,000 are wanted", sum)
	}
}

// A phone without scripts joins and moves its client all the same.
func TestPhoneWithoutScripts(t *testing.T) {
	b := open(t)
	teacher := b.teaches("spawn C1 naive")
	teacher.does("switch", "free", "on", "roster", "on")
	teacher.does("lanes", "size", "1")
	b.blocksScripts()
	b.goTo(teacher.path)
	b.do(chromedp.SendKeys(chromedp.CSS("#join-name"), "Ada"))
	b.press("#join button")
	b.until(`document.querySelector("#lane[data-lane=C1]")`)
	b.mustContain("#me", "1 · Ada")
	b.press("#step-C1")
	b.until(`document.querySelector("#lane [data-status=inside]")`)
}

// A link pairs the presenter's phone, which leads through the run and offers only the
// presenter's actions.
func TestRemoteLeadsThroughTheRun(t *testing.T) {
	b := open(t)
	teacher := b.teaches(append(shortOfDisaster, "step C3")...)
	answer := try(teacher.presenter.PostForm(teacher.direct+teacher.path+"/remotes", nil)).orFail(t)
	defer answer.Body.Close()
	link := regexp.MustCompile(`/r/[0-9]{6}/remote\?pair=[A-Za-z0-9]+`).FindString(string(try(io.ReadAll(answer.Body)).orFail(t)))
	b.sized(390, 844)
	b.goTo(link)
	b.press("main form button")
	b.until(`document.querySelector("#place").textContent === "14 / 14"`)
	b.mustContain("#alarm", "C2 and C3")
	b.seesAll("remote-violation")

	b.press("#back")
	b.press("#back")
	b.until(`document.querySelector("#place").textContent === "12 / 14" && !document.querySelector("#alerts p")`)
	b.press("#violation")
	b.until(`document.querySelector("#place").textContent === "13 / 14" && document.querySelector("#alerts p")`)
	b.mustContain("#alarm", "C3 has deleted C2's lock")
	b.press("#step")
	b.until(`document.querySelector("#place").textContent === "14 / 14"`)
	b.press("#step")
	b.until(`document.querySelector("#place").textContent === "15 / 15"`)
	b.press("#black")
	b.until(`document.querySelector("#black[aria-pressed=true]")`)

	teacher.does("ask", "kind", "predict", "client", "C2")
	b.until(`document.querySelector("#poll-reveal")`)
	b.seesAll("remote-poll")
	b.press("#poll-drop")
	b.until(`!document.querySelector("#poll-drop")`)

	b.leads(teacher.path+"/seats", url.Values{})
	teacher.does("drive", "seat", "1")
	b.until(`document.querySelector("#step[aria-disabled=true]")`)
	b.seesAll("remote-driver")
	b.press("#take")
	b.until(`!document.querySelector("#step[aria-disabled]")`)
}

// counted waits until the server has counted a vote; the page marks it when it is pressed.
func (b *browser) counted(says string) {
	b.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#poll").textContent.includes(%q)`, says))
}

// seesAll examines the page as it is, also on a small phone, and in Chinese.
func (b *browser) seesAll(name string) {
	b.Helper()
	b.audit(name)
	b.fits()
	b.sized(320, 640)
	b.fits()
	b.sized(390, 844)
}
