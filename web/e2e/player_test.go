package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdpnetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/web/runpages"
)

// A run in one file plays from a disk without a network, by hand and by keyboard, in
// both languages, and sends no request.
func TestOneFilePlays(t *testing.T) {
	text := try(os.ReadFile("../../engine/testdata/del-setnx-race.lock")).orFail(t)
	b := open(t)
	b.offline()
	address := "file://" + written(t, string(text))
	b.sized(1440, 900)
	b.do(chromedp.Navigate(address))
	b.until(drawn)
	actions := value[int](b, `Number(document.querySelector("#position").max)`)
	b.at(1, actions) // it is ready to be played: its first client stands on its lane
	b.mustContain("#drawer-code .here", "C3")
	b.push("End")
	b.at(actions, actions)
	b.mustContain("#timeline", "2 holders: C1 + C2")
	b.mustContain("#caption", "C2 is in the critical section")
	b.mustContain("#alerts", "both in the critical section")
	b.press("#why [data-why]")
	b.until(`document.querySelector("#timeline.explaining .explained") && document.querySelector("#event-rows .selected")`)

	b.push("Home")
	b.at(0, actions)
	b.mustContain("#caption", "Nothing has happened yet.")
	b.push(" ")
	b.at(1, actions)
	b.mustContain("#caption", "C3")
	b.press("#last")
	b.at(actions, actions)
	b.push("ArrowLeft")
	b.at(actions-1, actions)
	b.press("#event-rows tr:nth-last-child(3)")
	b.until(`document.querySelector("#event-rows tr:nth-last-child(3).selected")`)
	mark := value[int](b, `(() => {
		const mark = document.querySelector("#timeline [data-seq][role=button]");
		mark.dispatchEvent(new MouseEvent("click", { bubbles: true })); // as a screen reader presses it
		return Number(mark.dataset.seq);
	})()`)
	b.until(fmt.Sprintf(`document.querySelector("#event-rows [data-seq='%d'].selected")`, mark))
	b.press("#last") // the list, which has the focus, keeps End for itself
	b.at(actions, actions)
	b.push("k") // from the end it starts over
	b.until(`(({ value, max }) => Number(value) > 0 && Number(value) < Number(max))(document.querySelector("#position"))`)
	b.push("k")
	b.until(`!document.querySelector("#play").hasAttribute("data-playing")`)
	b.push("Home")
	b.push("ArrowRight")
	b.press("#language")
	b.until(`document.documentElement.lang === "zh-Hans" && ` + drawn)
	b.at(1, actions)
	b.mustContain("#step", "下一步")
	b.mustContain("#timeline", "SETNX")
	b.push("End")
	b.at(actions, actions)
	b.mustContain("#alerts", "临界区")
	for _, look := range []struct {
		scheme        string
		width, height int64
		axis          string
	}{{"light", 1440, 900, "x"}, {"dark", 1440, 900, "x"}, {"light", 390, 844, "y"}, {"dark", 390, 844, "y"}, {"light", 320, 640, "y"}} {
		b.prefers("prefers-color-scheme: " + look.scheme)
		b.sized(look.width, look.height)
		b.until(fmt.Sprintf(`document.querySelector("#timeline-box").dataset.axis === %q`, look.axis))
		b.fits()
	}
	requests, _ := b.heard()
	for _, r := range requests {
		if r.address != address && !strings.HasPrefix(r.address, "data:") {
			t.Errorf("the file asks for %s", r.address)
		}
	}
	if len(requests) == 0 {
		t.Error("not even the file was asked for: nothing is proved")
	}
}

// Who changes the language while the picture moves reads no word of the picture that is gone.
func TestOneFileChangesItsLanguageInAMotion(t *testing.T) {
	text := try(os.ReadFile("../../engine/testdata/del-setnx-race.lock")).orFail(t)
	b := open(t)
	b.do(chromedp.Navigate("file://" + written(t, string(text)) + "#step=0"))
	b.until(drawn)
	if !value[bool](b, `(() => {
		for (const id of ["step", "language", "last"]) {
			window.gone ??= document.querySelector("#timeline");
			if (id === "language") window.moved = gone.matches(".moves");
			document.getElementById(id).click();
		}
		return moved;
	})()`) {
		t.Fatal("the first step moves nothing: nothing is proved")
	}
	b.until(`!gone.matches(".moves")`)
	b.mustContain("#alerts", "临界区")
	b.mustContain("#caption", "C2 进入临界区")
}

// The address of a file says where it begins, and in which language.
func TestOneFileBeginsWhereItsAddressSays(t *testing.T) {
	b := open(t)
	address := "file://" + written(t, "program naive\nspawn C1 C2\nstep C1\n")
	for fragment, at := range map[string]int{"#lang=zh&step=1": 1, "#lang=zh&step=99": 3, "#lang=zh&step=x": 0, "#lang=zh": 2} {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+fragment))
		b.until(`document.documentElement.lang === "zh-Hans" && ` + drawn)
		b.at(at, 3)
	}
}

// A file of 2,000 events plays as well.
func TestOneFilePlaysALongRun(t *testing.T) {
	b := open(t)
	run := crowded(t)
	b.sized(390, 844)
	b.do(chromedp.Navigate(fmt.Sprintf("file://%s#step=%d", written(t, run.Scenario().String()), len(run.Actions()))))
	b.until(drawn)
	b.at(len(run.Actions()), len(run.Actions()))
	b.push("ArrowLeft")
	b.at(len(run.Actions())-1, len(run.Actions()))
	b.has(`document.querySelectorAll("#event-rows tr").length`, len(run.World().Events()))
}

// drawn is a condition that the picture is there.
const drawn = `document.querySelector("#timeline g [data-seq]")`

// offline disconnects the network.
func (b *browser) offline() {
	b.Helper()
	b.connects(cdpnetwork.Conditions{Offline: true})
}

// connects gives the window a network of that kind.
func (b *browser) connects(how cdpnetwork.Conditions) {
	b.Helper()
	call(b, cdpnetwork.EmulateNetworkConditionsByRule, cdpnetwork.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*cdpnetwork.Conditions{&how},
	})
}

// The file is a run, as a picture is: dropped on the page, it continues.
func TestOneFileIsTheRun(t *testing.T) {
	b := open(t)
	b.visit(emptyRun())
	from := value[string](b, "location.pathname")
	content := try(os.ReadFile(written(t, "program naive\nspawn C1\nstep C1\n"))).orFail(t)
	value[int](b, drop+fmt.Sprintf(`(new File([%q], "run.html"))`, content))
	b.arrive(from)
	same(t, b.scenario(), "program naive\nspawn C1\nstep C1\n", "the file gives back")
}

// written writes a scenario as one file that plays, and returns its path.
func written(t *testing.T, text string) string {
	t.Helper()
	scenario := try(engine.Parse("scenario", text, nil)).orFail(t)
	trace := try(scenario.Play("scenario", check.All()...)).orFail(t)
	path := filepath.Join(t.TempDir(), "run.html")
	file := try(os.Create(path)).orFail(t)
	defer file.Close()
	must(t, runpages.WriteHTML(file, trace, lang.English))
	return path
}

// at waits until the player stands at a position.
func (b *browser) at(position, of int) {
	b.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#position-text")?.textContent === "%d / %d"`, position, of))
}

// press lets a key go down where the focus is.
func (b *browser) push(key string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true, cancelable: true })) || true`, key))
}

// axe-core finds nothing in the file, nor on the page of a link before and after its preview.
func TestSharedRunsPassAxe(t *testing.T) {
	b := open(t)
	race := try(os.ReadFile("../../engine/testdata/del-setnx-race.lock")).orFail(t)
	link, _ := b.linked()
	for name, address := range map[string]string{
		"file": "file://" + written(t, string(race)) + "#lang=zh", "link": b.url + "/p?lang=zh",
		"look": strings.Replace(behind(link), "/p#", "/p?lang=zh#", 1), "look en": strings.Replace(link, "/p?", "/p?lang=en&mode=projector&scale=1.25&", 1),
	} {
		for _, look := range []struct {
			scheme string
			width  int64
		}{{"light", 1440}, {"dark", 390}} {
			b.prefers("prefers-color-scheme: " + look.scheme)
			b.do(chromedp.EmulateViewport(look.width, 844), chromedp.Navigate(address))
			b.until(map[bool]string{false: `document.querySelector("#timeline g [data-seq], #link-form")`, true: `document.querySelector("#link-open") && document.querySelector("#timeline g [data-seq]")`}[strings.HasPrefix(name, "look")])
			b.audit(name + " " + look.scheme)
		}
	}
}
