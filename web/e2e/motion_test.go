package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/testtools"
)

// A scene is a motion: what has happened before, and the action that moves the picture.
type scene struct{ name, before, action string }

// theRace ends one step before both clients are in the critical section.
const theRace = "program del-setnx timeout=10s\nspawn C3\nstep C3\ncrash C3\ntick 12s\nspawn C1 C2\nstep C1 2\nstep C2 2\nstep C1 2\nstep C2\n"

// scenes has each kind of motion once.
var scenes = []scene{
	{"setnx-1", "program del-setnx timeout=10s\nspawn C1\n", "step C1"},
	{"setnx-0", "program del-setnx timeout=10s\nspawn C1 C2\nstep C1\n", "step C2"},
	{"get", "program del-setnx timeout=10s\nspawn C1 C2\nstep C1\nstep C2\n", "step C2"},
	{"del", "program naive\nspawn C1\nstep C1 2\n", "step C1"},
	{"getset", "program getset timeout=10s\nspawn C1\nstep C1\ncrash C1\ntick 12s\nspawn C2\nstep C2 2\n", "step C2"},
	{"deliver", "program del-setnx timeout=10s\nspawn C1 C2\n", "deliver C2"},
	{"receive", "program del-setnx timeout=10s\nspawn C1 C2\ndeliver C2\n", "receive C2"},
	{"drop", "program del-setnx timeout=10s\nspawn C1 C2\n", "drop C1"},
	{"expiry", "program set-px timeout=10s\nspawn C1\nstep C1\n", "tick 10s"},
	{"tick", "program del-setnx timeout=10s\nspawn C1\nstep C1\n", "tick 4s"},
	{"crash", "program del-setnx timeout=10s\nspawn C1 C2\nstep C1\n", "crash C1"},
	{"spawn", "program del-setnx timeout=10s\nspawn C1\nstep C1\n", "spawn C2"},
	{"violation", theRace, "step C2"},
}

// byHand lets a test drive the time of a page: it holds the frames, and each pass of
// some milliseconds brings the next.
const byHand = `(() => {
	const [ask, cancel, now] = [requestAnimationFrame, cancelAnimationFrame, performance.now].map((f) => f.bind(f === performance.now ? performance : window));
	const queue = new Map();
	let time = -1; // ms; -1: it passes by itself
	let last = 1 << 30;
	window.requestAnimationFrame = (frame) => {
		if (time < 0) return ask(frame);
		queue.set(++last, frame);
		return last;
	};
	window.cancelAnimationFrame = (asked) => void (queue.delete(asked) || cancel(asked));
	performance.now = () => (time < 0 ? now() : time);
	window.time = {
		hold: () => void (time = now()),
		pass(ms) {
			time += ms;
			const frames = [...queue];
			for (const [asked, frame] of frames) if (queue.delete(asked)) frame(time);
			return queue.size > 0; // another frame is asked for
		},
		free() {
			window.time.pass(0);
			time = -1;
		},
	};
})()`

// drives lets the test drive the time of the pages that it opens from now on.
func (b *browser) drives() {
	b.Helper()
	b.begins(byHand)
}

// frameMS is the time between two frames of a strip, and stripMost the frames of the longest.
const (
	frameMS   = 50
	stripMost = 80
)

// strip lets a motion pass and returns its frames: the SVG of each, and its picture if
// E2E_SHOTS asks for pictures.
func (b *browser) strip() (drawings []string, pictures [][]byte) {
	b.Helper()
	still := 0 // no more frames are asked for since so many
	for n := 0; still < 2; n++ {
		if n == stripMost {
			b.Fatalf("after %d ms the picture still moves", n*frameMS)
		}
		drawings = append(drawings, value[string](b, `document.querySelector("#timeline").outerHTML`))
		if os.Getenv("E2E_SHOTS") != "" {
			picture := try(chromedp.Run(b.ctx, chromedp.CaptureScreenshot())).orFail(b)
			pictures = append(pictures, picture)
		}
		if moves := value[bool](b, fmt.Sprintf(`time.pass(%d)`, frameMS)); moves {
			still = 0
		} else {
			still++
		}
	}
	return drawings, pictures
}

// sheet writes the frames of a strip, and all of them on one picture.
func (b *browser) sheet(name string, frames [][]byte, width int64) {
	b.Helper()
	dir := os.Getenv("E2E_SHOTS")
	if dir == "" {
		return
	}
	columns := int64(3)
	if width < 500 {
		columns = 7
	}
	var all bytes.Buffer
	fmt.Fprintf(&all, `<!DOCTYPE html><meta charset="utf-8"><style>body { margin: 0; display: grid; grid-template-columns: repeat(%d, 1fr); gap: 8px; background: #888; font: 14px sans-serif } img { width: 100%% } figure { margin: 0 }</style>`, columns)
	for n, frame := range frames {
		must(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%04d.png", name, n*frameMS)), frame, 0o644))
		fmt.Fprintf(&all, `<figure>%d ms<img src="data:image/png;base64,%s"></figure>`, n*frameMS, base64.StdEncoding.EncodeToString(frame))
	}
	path := filepath.Join(dir, name+".html")
	must(b, os.WriteFile(path, all.Bytes(), 0o644))
	b.do(chromedp.EmulateViewport(1600, 900), chromedp.Navigate("file://"+path))
	b.shot()
}

type motionLook struct {
	name, scheme  string
	width, height int64
}

// motionLooks are those in which each motion is looked at.
var motionLooks = []motionLook{
	{"desk-light", "light", 1280, 720}, {"desk-dark", "dark", 1280, 720}, {"phone-light", "light", 390, 844}, {"phone-dark", "dark", 390, 844},
}

// Each action is seen to happen: between the picture before it and the one after it
// there are others, and the last is the one to which a jump leads.
//
// E2E_SHOTS=dir leaves a strip of frames of each motion there, every 50 ms, and a sheet
// with all of them.
func TestEachActionIsSeenToHappen(t *testing.T) {
	testtools.Exhaustive(t, "it draws thirteen motions frame by frame")
	looks := seen(t, motionLooks)
	if os.Getenv("E2E_SHOTS") != "" {
		looks = func(yield func(motionLook, string) bool) {
			for _, look := range motionLooks {
				if !yield(look, "en") {
					return
				}
			}
		}
	}
	for look, language := range looks {
		t.Run(look.name+" "+language, func(t *testing.T) {
			b := open(t)
			b.drives()
			for _, s := range scenes {
				b.prefers("prefers-color-scheme: " + look.scheme)
				b.sized(look.width, look.height)
				run := b.opened(s.before)
				b.visit(run + "?lang=" + language)
				b.settled()
				value[int](b, `document.styleSheets[0].insertRule("#ahead { display: none }")`) // it comes when it is found, and takes room from the picture
				tip := value[int](b, `Number(document.querySelector("#position").max)`)
				value[any](b, "time.hold()")
				b.post(run+"/actions", url.Values{"action": {s.action}})
				b.until(fmt.Sprintf(`document.querySelector("#position").max === "%d"`, tip+1))
				drawings, pictures := b.strip()
				if seen := distinct(drawings); seen < 4 {
					t.Errorf("%s, %s: of %d frames %d are unlike", look.name, s.name, len(drawings), seen)
				}
				value[any](b, "time.free()")
				moved := b.drawn()
				// At once: what the card says of the beginning would take room from the picture, which fits itself again.
				value[any](b, fmt.Sprintf(scrubbed, 0)+"; "+fmt.Sprintf(scrubbed, tip+1))
				if jumped := b.drawn(); jumped != moved {
					t.Errorf("%s, %s: the motion ends in another picture than a jump to the same position:\n%s", look.name, s.name, unlike(moved, jumped))
				}
				b.sheet(fmt.Sprintf("motion-%s-%s", look.name, s.name), pictures, look.width)
			}
		})
	}
}

// scrubbed drags the scrubber to a position at once.
const scrubbed = `(({ position }) => {
	position.value = "%d";
	position.dispatchEvent(new Event("input", { bubbles: true }));
})({ position: document.querySelector("#position") })`

// drawing is what the picture of a page shows in its pane, without the place to which the Tab key leads.
const drawing = `[...document.querySelectorAll("#picture > svg *")].filter((e) => {
	const [box, pane] = [e, document.querySelector("#picture")].map((one) => one.getBoundingClientRect());
	// A phone's pane shares the screen with a card of several heights: what both can show counts.
	const top = document.querySelector("#timeline-box").dataset.axis === "y" ? pane.bottom - 240 : pane.top;
	return box.right >= pane.left && box.left <= pane.right && box.bottom >= top && box.top <= pane.bottom;
}).map((e) => [e.tagName, ...[...e.attributes].filter(({ name }) => name !== "tabindex").map(({ name, value }) => name + "=" + value).sort(), e.children.length ? "" : e.textContent].join(" ")).join("\n")`

// drawn scrolls to the end of the picture and returns what it shows there: a pane that
// was larger for a moment may stand elsewhere.
func (b *browser) drawn() string {
	b.Helper()
	b.settled()
	value[any](b, `(({ picture }) => picture.scrollTo(picture.scrollWidth, picture.scrollHeight))({ picture: document.querySelector("#picture") })`)
	b.settled()
	return value[string](b, drawing)
}

// distinct counts the texts that are unlike.
func distinct(all []string) int {
	unlike := map[string]bool{}
	for _, one := range all {
		unlike[one] = true
	}
	return len(unlike)
}

// unlike returns the first lines in which two texts differ.
func unlike(a, b string) string {
	one, other := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(one), len(other)) {
		if one[i] != other[i] {
			return one[i] + "\n" + other[i]
		}
	}
	return fmt.Sprintf("%d and %d elements", len(one), len(other))
}
