package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/views"
	"lockstep/web"
)

// A run as one file plays from a disk, by hand and by keyboard, and loads nothing.
func TestOneFilePlays(t *testing.T) {
	text, err := os.ReadFile("../../engine/testdata/del-setnx-race.lock")
	if err != nil {
		t.Fatal(err)
	}
	b := open(t)
	address := "file://" + written(t, string(text))
	b.do(chromedp.EmulateViewport(1440, 900))
	b.do(chromedp.Navigate(address))
	b.until(`document.querySelector("#timeline g")`)
	actions := value[int](b, `Number(document.querySelector("#position").max)`)
	b.at(actions, actions)
	b.mustContain("#timeline", "2 holders: C1 + C2")
	b.mustContain("#caption", "both in the critical section")

	b.push("Home")
	b.at(0, actions)
	b.mustContain("#caption", "Nothing has happened yet.")
	b.push("ArrowRight")
	b.at(1, actions)
	b.mustContain("#caption", "C3")
	b.do(chromedp.Click(chromedp.CSS(`[data-go="last"]`)))
	b.at(actions, actions)
	b.push("ArrowLeft")
	b.at(actions-1, actions)
	b.do(chromedp.Click(chromedp.CSS(`#events li:nth-child(2) button`)))
	b.until(`Number(document.querySelector("#position").value) < 3`)
	b.do(chromedp.Click(chromedp.CSS("#play")))
	b.until(`Number(document.querySelector("#position").value) > 3`)
	b.do(chromedp.Click(chromedp.CSS("#play")))
	b.mustContain("#play", "Play")
	b.push("Home")
	b.push("ArrowRight")
	b.do(chromedp.Click(chromedp.CSS("#language")))
	b.until(`document.documentElement?.lang === "zh" && document.querySelector("#timeline g")`)
	b.at(1, actions)
	b.mustContain("#play", "播放")
	for _, width := range []int64{1440, 390} {
		b.do(chromedp.EmulateViewport(width, 900))
		b.do(chromedp.Click(chromedp.CSS(`[data-go="last"]`)))
		b.fits()
		b.shot(fmt.Sprintf("player-zh-%d", width))
	}
	if loaded := value[[]string](b, `performance.getEntriesByType("resource").map((entry) => entry.name)`); len(loaded) > 0 {
		t.Errorf("the file loads %v", loaded)
	}
	b.quiet()
}

// The file is a run like a picture is: dropped on the page it goes on.
func TestOneFileIsTheRun(t *testing.T) {
	b := open(t)
	b.visit("/new")
	from := value[string](b, "location.pathname")
	content, err := os.ReadFile(written(t, "program naive\nspawn C1\nstep C1\n"))
	if err != nil {
		t.Fatal(err)
	}
	value[int](b, drop+fmt.Sprintf(`(new File([%q], "run.html"))`, content))
	b.arrive(from)
	if back := b.scenario(); back != "program naive\nspawn C1\nstep C1\n" {
		t.Errorf("the file gives back\n%s", back)
	}
	b.quiet()
}

// written is where a scenario lies as one file that plays.
func written(t *testing.T, text string) string {
	t.Helper()
	scenario, err := engine.Parse("scenario", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play("scenario", check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "run.html")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := web.WriteHTML(file, trace, views.English); err != nil {
		t.Fatal(err)
	}
	return path
}

// at waits until the player stands at a position.
func (b *browser) at(position, of int) {
	b.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#count").textContent === "%d / %d"`, position, of))
}

// press lets a key go down where the focus is.
func (b *browser) push(key string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true, cancelable: true })) || true`, key))
}
