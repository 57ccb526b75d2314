package e2e

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// beforeTheRace brings a run to the last safe position of the race: two clients have
// found the lock expired.
func (b *browser) beforeTheRace(path string) {
	b.Helper()
	for _, line := range []string{
		"spawn C3", "step C3", "crash C3", "tick 12s", "spawn C1", "spawn C2", "step C1 2", "step C2 2",
	} {
		b.post(path+"/actions", url.Values{"action": {line}, "program": {"del-setnx"}, "timeout": {"10s"}})
	}
}

const (
	aheadSays  = `document.querySelector("#ahead-says").textContent.replaceAll("\u00a0", " ")`
	aheadReady = `!document.querySelector("#ahead-go").hasAttribute("aria-disabled")`
)

// meters waits until the meter says something, all of it in view.
func (b *browser) meters(words string) {
	b.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#ahead-meter").textContent.replaceAll("\u00a0", " ") === %q`, words))
	b.has(`(({ left, top, right, bottom }) => left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)((() => {
		const words = document.createRange();
		words.selectNodeContents(document.querySelector("#ahead-meter"));
		return words.getBoundingClientRect();
	})())`, false, words, "is cut off")
	b.atMost(`document.querySelector("#ahead").getBoundingClientRect().height`, 40, words)
}

// saysAhead waits until the menu of the meter has a sentence.
func (b *browser) saysAhead(sentence string) {
	b.Helper()
	b.until(fmt.Sprintf("%s === %q", aheadSays, sentence))
}

// A reader asks what can still happen, and takes its first action until it has
// happened: by pointer, by key, and from the past, where the action opens a branch.
func TestLookaheadLeadsToAViolation(t *testing.T) {
	b := open(t)
	b.beforeTheRace(aRun)
	b.visit(aRun)
	b.saysAhead("From here, two clients can hold the lock in 4 actions.")
	b.meters("4 actions from two holders")
	b.is(`document.querySelectorAll("[data-ahead]").length`, "0") // nobody has asked for the way
	b.press("#ahead-menu > summary")
	b.is(`document.querySelectorAll("[data-ahead]").length`, "1")
	b.press("#ahead-go")
	b.saysAhead("From here, two clients can hold the lock in 3 actions.")
	b.is(`document.activeElement.id`, "ahead-go") // to be pressed again
	b.until(aheadReady)
	b.key("n")
	b.saysAhead("From here, two clients can hold the lock in 2 actions.")
	b.until(aheadReady)
	b.key("n")
	b.saysAhead("From here, two clients can hold the lock in 1 action.")
	b.meters("1 action from two holders")
	b.until(aheadReady)
	b.key("n")
	b.until(`document.querySelector("#alerts p")`)
	b.saysAhead("")
	b.mustContain("#alerts", "C1 and C2 are both in the critical section")
	b.meters("Broken in 12")

	// In the past it opens a branch, and continues there.
	b.visit(aRun + "?step=7")
	b.saysAhead("From here, two clients can hold the lock in 6 actions.")
	b.until(aheadReady)
	b.key("n") // opens the menu
	b.until(`document.querySelector("#ahead-menu").open && !document.querySelector("#ahead-menu > summary").hasAttribute("aria-keyshortcuts")`)
	b.key("n")
	b.waits(`location.pathname !== "`+aRun+`" && document.querySelector("#timeline.timeline")`, "the branch")
	b.saysAhead("From here, two clients can hold the lock in 5 actions.")
	b.is(`document.activeElement.id`, "ahead-go")

	// A comparison of two runs has no lookahead.
	b.visit(value[string](b, "location.pathname") + "?beside=" + strings.TrimPrefix(aRun, "/t/"))
	b.is(`document.querySelector("#beside") !== null && document.querySelector("#ahead") === null`, "true")
}

// The reader can ask about another property, which stays chosen. An answer that finds nothing states its bounds.
func TestLookaheadKeepsTheChosenProperty(t *testing.T) {
	b := open(t)
	b.beforeTheRace(aRun)
	b.visit(aRun)
	b.press("#ahead-menu > summary")
	b.do(chromedp.SetValue(chromedp.CSS("#ahead-property"), "stuck"))
	none := "From here, nothing gets the lock stuck for good within these bounds: 3 clients, 2 ticks of 1, 10 or 12 s, no crash and requests delayed without limit."
	b.saysAhead(none)
	b.meters("From here, never a deadlock within these bounds")
	b.mustContain("#ahead-menu", "2 ticks of 1, 10 or 12 s")
	b.is(`document.querySelector("#ahead-go").getAttribute("aria-disabled")`, "true")
	b.visit(aRun + "?lang=zh")
	b.saysAhead("从这里起，在这些范围内不会死锁：3 个客户端、时钟推进 2 次（每次 1、10 或 12 秒）、没有崩溃、请求延迟不限。")
}

// axe-core finds nothing wrong with the meter, also with its menu open. An empty one is as
// high as a full one, and nothing moves under a reader's fingers.
func TestLookaheadPassesAxe(t *testing.T) {
	b := open(t)
	b.beforeTheRace(aRun)
	b.inLooks("ahead", aRun, append(looks, look{"390px", "theme=light", "", 390}), func(name string) {
		const height = `document.querySelector("#ahead").getBoundingClientRect().height`
		before := value[float64](b, height)
		b.until(aheadReady)
		b.fits()
		b.has(height, before, name)
		value[bool](b, `document.querySelector("#ahead-menu").open = true`)
	}, "#ahead") // the rest is that of TestRunPassesAxe
}

// On a projector a long alert and the line under it are in view together, below a
// smaller picture. Of five Redis nodes, as many are in view as leave room for clients.
func TestLookaheadFitsAProjector(t *testing.T) {
	b := open(t)
	for _, height := range []int64{1080, 900} {
		b.sized(1920, height)
		b.visit(b.opened(scenario(t, "set-px-fencing-incr-stale")) + "?lang=en&mode=projector")
		b.until(`document.querySelector("#alerts p") && ` + aheadSays + `.startsWith("From here, nothing lets two clients")`)
		b.settled()
		b.is(`(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector(".stage"))`, "0")
		b.inPicture(".hold", "C1 is in the critical section")

		b.visit(b.opened(scenario(t, "redlock-five")) + "?lang=en&mode=projector")
		b.inPicture(".hold", "C2 is in the critical section")
	}
}

// scenario is one of the engine's.
func scenario(t *testing.T, name string) string {
	t.Helper()
	return string(try(os.ReadFile(filepath.Join("..", "..", "engine", "testdata", name+".lock"))).orFail(t))
}
