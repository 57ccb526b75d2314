package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"lockstep/engine/course"
)

// done is what a browser keeps after three lessons.
const done = `{"version":1,"courses":{"redis-lock":{"one-winner":{"done":true,"guesses":{},"challenges":{},"missed":0,"recalled":0},` +
	`"race":{"done":true,"guesses":{"late":"removes","gone":"not-sure"},"challenges":{"break":{"actions":8}},"missed":0,"recalled":0},"lease":{"done":true,"guesses":{},"challenges":{},"missed":0,"recalled":0}},` +
	`"another":{"lesson":{"done":true,"guesses":{},"challenges":{},"missed":0,"recalled":0}}}}`

// marked returns the visible marks of the contents, one a line.
const marked = `[...document.querySelectorAll("li[data-lesson]")].filter((e) => e.querySelector("[data-mark]").checkVisibility())
	.map((e) => e.dataset.lesson + ": " + e.querySelector("[data-says]").textContent + (e.querySelector("[data-mark] svg").checkVisibility() ? " ✓" : "")).join("; ")`

// Finished lessons are marked wherever lessons are listed, and move from one browser to another as a file.
func TestProgressIsMarkedAndMoves(t *testing.T) {
	const contents = "/courses/redis-lock?lang="
	b := open(t)
	b.goTo(contents + "en")
	b.sees("Nothing done yet.", "Begin with lesson 1")
	b.has(marked, "")
	value[string](b, fmt.Sprintf("localStorage.progress = %q", done))

	b.goTo(contents + "en")
	b.sees(fmt.Sprintf("3 of %d lessons done", len(course.Builtin().Lessons)), "Go on with lesson 2")
	const marks = "one-winner: Done ✓; lease: Done ✓; race: Done · 1 of 3 challenges solved ✓"
	b.has(marked, marks)
	b.sees("Solved in 8 actions")
	b.goTo("/?lang=zh")
	b.until(`document.querySelector(".home-map [data-lesson=race]").textContent.endsWith("· 已学完") && !document.querySelector(".home-map [data-lesson=crash]").textContent.includes("已学完")`)

	b.goTo(contents + "en")
	b.sees(fmt.Sprintf("3 of %d", len(course.Builtin().Lessons)))
	value[int](b, keepSaved)
	b.presses("Save as a file")
	b.until(`window.saved[0]?.name === "lockstep-progress.json"`)
	b.sees("lockstep-progress.json is saved.")
	b.has("window.saved[0].blob.text()", done+"\n")

	// Starting over needs a confirmation, and keeps other courses.
	b.press("#progress-over > summary")
	b.presses("Keep it")
	b.until(`!document.querySelector("#progress-over").open && document.activeElement.textContent.trim() === "Start over"`)
	b.sees(fmt.Sprintf("3 of %d", len(course.Builtin().Lessons)))
	b.press("#progress-over > summary")
	b.presses("Erase everything")
	b.sees("Everything is erased.", "Nothing done yet.", "Begin with lesson 1")
	b.has(marked+" + localStorage.progress", `{"version":1,"courses":{"another":{"lesson":{"done":true,"guesses":{},"challenges":{},"missed":0,"recalled":0}}}}`+"\n")

	// The file restores the progress, in a browser that has made other progress meanwhile.
	value[string](b, `localStorage.progress = '{"version":1,"courses":{"redis-lock":{"race":{"challenges":{"break":{"actions":9},"mend":{"actions":0}}},"crash":{"done":true}}}}'`)
	b.goTo(contents + "en")
	b.sees(fmt.Sprintf("1 of %d lessons done", len(course.Builtin().Lessons)))
	b.brings(done+"\n", "Progress imported.")
	b.sees(fmt.Sprintf("4 of %d lessons done, 2 of", len(course.Builtin().Lessons)))
	b.has(`JSON.parse(localStorage.progress).courses["redis-lock"].race.challenges.break.actions`, 8)
	before := value[string](b, "localStorage.progress")
	for lang, says := range map[string]struct{ foreign, newer string }{
		"en": {"The file holds no progress saved here.", "The file comes from a newer version of Lockstep"},
		"zh": {"这个文件不是从这里保存的进度，未作任何更改。", "文件来自较新版本的 Lockstep，未作任何更改。"},
	} {
		b.goTo(contents + lang)
		b.until(`document.querySelector("#progress-sum")?.checkVisibility()`)
		b.brings("\xff\xd8\xff\xe0 a picture", says.foreign)
		b.brings(`{"version":3}`, says.newer)
		b.brings(`{"version":1,"courses":{"redis-lock":{"crash":{"done":"<script>"}}}}`, says.foreign)
	}
	b.has("localStorage.progress", before)
}

// brings chooses a file with a content and waits for the page's answer.
func (b *browser) brings(content, says string) {
	b.Helper()
	file := filepath.Join(b.TempDir(), "progress.json")
	must(b, os.WriteFile(file, []byte(content), 0o644))
	value[string](b, `document.querySelector("#progress-says").textContent = ""`)
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#progress-open"), []string{file}))
	b.until(fmt.Sprintf(`document.querySelector("#progress-says").textContent.includes(%q)`, says))
}

// A browser that keeps nothing for a page still shows it, and says so.
func TestProgressIsNotKept(t *testing.T) {
	b := open(t)
	b.begins(`Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } })`)
	b.goTo("/courses/redis-lock?lang=en")
	b.sees("The browser does not let this page store data: your progress is lost when you leave.")
	b.brings(done, "Nothing was changed.")
	for path, says := range map[string]string{"/courses/redis-lock/race": "Let it happen", "/courses/redis-lock/race/handout": "Print", "/": "C3 asks Redis for the lock."} {
		b.goTo(path + "?lang=en")
		b.sees(says)
	}
}

// Without scripts the pages are complete, and show no control that needs a script.
func TestCourseWithoutScripts(t *testing.T) {
	b := open(t)
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.goTo("/courses/redis-lock?lang=en")
	b.sees("Five servers", "Keeping progress needs JavaScript, which is turned off here.")
	for _, path := range []string{"", "/race", "/race/handout"} {
		b.goTo("/courses/redis-lock" + path + "?lang=en")
		b.none(`[...document.querySelectorAll("[data-script], [data-mark]")].filter((e) => e.checkVisibility()).map((e) => e.id + e.className)`, path, "shows  without scripts")
	}
}

// The pages of a course fit every look, and axe-core finds nothing.
func TestCoursePassesAxe(t *testing.T) {
	b := open(t)
	b.goTo("/courses/redis-lock")
	value[string](b, fmt.Sprintf("localStorage.progress = %q", done))
	for _, state := range []struct {
		name, path string
		looks      []look
	}{
		{"contents", "/courses/redis-lock", looks},
		// These have the same parts, except where a narrow screen breaks lines.
		{"handout", "/courses/redis-lock/race/handout?answers=1", []look{looks[0], looks[4]}},
		{"sources", "/courses/redis-lock/sources", []look{looks[1], looks[4]}},
		{"reading", "/courses/redis-lock/what-to-use", []look{looks[1], looks[4]}},
		{"program", "/programs/getset", []look{looks[1], looks[4]}},
	} {
		b.inLooks("course-"+state.name, state.path, state.looks, func(string) {
			if state.name != "program" { // which needs no script
				b.until(`"live" in document.documentElement.dataset`)
			}
			value[bool](b, `document.querySelectorAll("main details").forEach(d => d.open = true) ?? true`)
			if state.name == "sources" { // each claim is marked up as the others are
				value[bool](b, `document.querySelectorAll(".claims > li:nth-child(n + 4)").forEach(e => e.remove()) ?? true`)
			}
		})
	}
}

// On paper a handout is black on white, has no controls, and tells the outcome of a
// prediction only on the next page.
func TestHandoutOnPaper(t *testing.T) {
	b := open(t)
	b.goTo("/courses/redis-lock/race/handout?theme=dark&mode=projector&lang=en")
	b.sees("Print")
	b.sized(794, 1123)
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	b.none(`[...document.querySelectorAll("button, select, input, .button")].filter((e) => e.checkVisibility()).map((e) => e.id + e.textContent)`, "is printed")
	b.has(`getComputedStyle(document.documentElement).backgroundColor`, "rgb(255, 255, 255)")
	asked := `[...document.querySelectorAll(".paper-moment:has(.boxes)")]`
	b.has(asked+".length", 2)
	b.atMost(asked+`.filter((e) => getComputedStyle(e).breakAfter !== "page").length`, 0)
	b.fits()
}

// The longest handout, with its answers, leaves few pages half empty. Letters of 16 px in its pictures take one more than those
// of 12 px took.
func TestHandoutIsShort(t *testing.T) {
	b := open(t)
	b.goTo("/courses/redis-lock/five-servers/handout?lang=en&answers=1")
	b.until(`document.querySelectorAll("#paper-picture > svg").length > 0`)
	b.printedOn(11)
}

// The picture of the run fills the width of the paper at a legible size. Without
// answers it stops before the first question.
func TestHandoutPictureFillsThePaper(t *testing.T) {
	b := open(t)
	b.sized(794, 1123)
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	const drawn = `document.querySelectorAll("#paper-picture > svg")`
	for _, lesson := range []string{"race", "losing-getset", "five-servers"} {
		for _, lang := range []string{"en", "zh"} {
			for _, answers := range []string{"", "&answers=1"} {
				name := "handout-" + lesson + "-" + lang + answers
				b.goTo("/courses/redis-lock/" + lesson + "/handout?theme=dark&lang=" + lang + answers)
				b.until(drawn + ".length > 0")
				b.fits()
				// A page has 12 mm of margin at each side, which the window leaves out.
				const letters = `(({ fontSize }, svg) => parseFloat(fontSize) * (innerWidth - 24 / 25.4 * 96) / svg.viewBox.baseVal.width)(
					getComputedStyle(document.querySelector("#paper-picture text")), document.querySelector("#paper-picture > svg"))`
				b.atLeast(letters, 7*96/72., name)
				b.atMost(`Math.max(...[...`+drawn+`].flatMap((svg) => [...svg.querySelectorAll("text, path, rect")].map((e) => e.getBoundingClientRect().right - innerWidth)))`, 0, name)
				const last = `Math.max(...JSON.parse(document.querySelector("#handout-data").textContent).events.map((e) => e.action))`
				end := `[...document.querySelectorAll(".paper-actions .seq")].at(-1)`
				if answers == "" {
					// The table before the first prediction.
					end = `[...document.querySelector(".paper-moment:has(.boxes)").previousElementSibling.querySelectorAll(".seq")].at(-1)`
				}
				if got, want := value[int](b, last), value[int](b, `+`+end+`.textContent`); got != want {
					t.Errorf("%s: the picture has %d actions, want %d", name, got, want)
				}
				told := value[bool](b, `[...document.querySelectorAll(".paper-actions tr:has(.violation) .seq")].some((e) => +e.textContent <= +`+end+`.textContent)`)
				b.has(`document.querySelector("#paper-picture .flag") !== null`, told, name)
			}
		}
	}
}
