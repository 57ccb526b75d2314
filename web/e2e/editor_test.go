package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// edits writes a text in the place of that of a form's editor, as pasting does.
func (b *browser) edits(form, text string) {
	b.Helper()
	b.press(form + " .cm-content")
	b.withCtrl("a")
	call(b, input.InsertText, input.InsertTextParams{Text: text})
}

// strikesIn types letters, and \r as the Enter key, where the focus is.
func (b *browser) strikesIn(text string) {
	b.Helper()
	for _, letter := range text {
		down := input.DispatchKeyEventParams{Type: kb.KeyDown, Key: string(letter), Text: string(letter)}
		if letter == '\r' {
			down.Key, down.Code, down.WindowsVirtualKeyCode = "Enter", "Enter", 13
		}
		call(b, input.DispatchKeyEvent, down)
		call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kb.KeyUp, Key: down.Key, Code: down.Code})
	}
}

// withCtrl presses a key with Ctrl.
func (b *browser) withCtrl(key string) {
	b.Helper()
	b.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl), func(p *input.DispatchKeyEventParams) {
		if p.Type == kb.KeyDown {
			p.Type, p.Text, p.UnmodifiedText = "rawKeyDown", "", ""
		}
	}))
}

// In the editor a program is written by keyboard: it completes what the engine knows, indents, matches brackets, takes back, says at its
// place what is wrong, and lets the keyboard out.
func TestEditorIsUsedByKeyboard(t *testing.T) {
	const source = `document.querySelector("#own-source").value`
	b := open(t)
	b.visit(emptyRun())
	const sent = `performance.getEntriesByType("resource").flatMap(({ name }) => /editor|words/.test(name) ? [name.split("/").pop()] : []).sort().join()`
	b.has(sent, "") // nobody edits yet
	b.opens("code")
	b.presses("Edit")
	b.until(`document.activeElement.matches("#own-form .cm-content")`)
	b.has(sent, "editor.js,words")
	b.edits("#own-form", "")
	b.is(source, "")
	b.strikesIn("def acquire(c):\r")
	b.strikesIn("return c.setn")
	b.until(`document.querySelector(".cm-tooltip-autocomplete [aria-selected]")?.textContent === "setnx(key, value)"`)
	value[bool](b, `new Promise((done) => setTimeout(done, 100, true))`) // an Enter that comes as soon as the list is no choice
	b.strikesIn("\r")
	b.is(source, "def acquire(c):\n    return c.setnx")
	b.strikesIn(`("mine", 1) == 1` + "\r")
	b.strikesIn("def release(c, lease):\r")
	b.strikesIn(`c.explode("mine")`)
	b.is(`[...document.querySelectorAll(".cm-matchingBracket")].map((e) => e.textContent).join("")`, "()")
	const written = "def acquire(c):\n    return c.setnx(\"mine\", 1) == 1\ndef release(c, lease):\n    c.explode(\"mine\")"
	b.is(source, written)
	b.key(kb.Tab)
	b.until(source + ` !== ` + quoteJS(written))
	b.withCtrl("z")
	b.is(source, written)
	b.is(`document.querySelectorAll("#own-form .cm-lineNumbers .cm-gutterElement").length >= 4`, "true")
	b.is(`document.getElementById(document.activeElement.getAttribute("aria-describedby").split(" ").at(-1)).textContent`, "Tab indents. Esc leaves the editor.")

	b.press("#own-form .primary")
	b.mustContain(".cm-says", "Line 4, column ", "there is no .explode()")
	b.is(`document.querySelector(".cm-wrong").textContent`, "explode")

	b.strikesIn("c.se")
	b.until(`document.querySelector(".cm-tooltip-autocomplete")`)
	b.key(kb.Escape)
	b.until(`!document.querySelector(".cm-tooltip-autocomplete")`)
	b.is(`document.querySelector("#own").open`, "true") // it has closed what is completed
	b.key(kb.Escape)
	b.until(`!document.querySelector("#own").open && document.activeElement.matches("#own summary")`)
}

// Chinese is composed in the editor: what is not chosen yet completes nothing, and what is chosen stands in the text and in its draft.
func TestEditorTakesComposedLetters(t *testing.T) {
	const source = `document.querySelector("#own-source").value`
	b := open(t)
	b.visit(emptyRun())
	b.opens("code")
	b.presses("Edit")
	b.until(`document.activeElement.matches("#own-form .cm-content")`)
	b.edits("#own-form", "")
	for _, composed := range []string{"c", "c.s", "c.setn"} { // it knows how that goes on
		call(b, input.ImeSetComposition, input.ImeSetCompositionParams{Text: composed, SelectionStart: int64(len(composed)), SelectionEnd: int64(len(composed))})
		value[bool](b, `new Promise((done) => setTimeout(done, 200, true))`) // a list would be there
		b.has(`document.querySelector(".cm-tooltip-autocomplete") === null`, true, composed)
	}
	call(b, input.InsertText, input.InsertTextParams{Text: "# 锁"})
	b.strikesIn("\r")
	b.is(source, "# 锁\n")
	b.has(`document.querySelector("#own-form .cm-line").textContent`, "# 锁")
	b.presses("中文")
	b.until(`document.documentElement.lang === "zh-Hans"`)
	b.arrives()
	b.is(source, "# 锁\n") // the next page has the draft
}

// axe-core finds no violation in the editor, with a mistake and with a list of words.
func TestEditorPassesAxe(t *testing.T) {
	b := open(t)
	b.inLooks("editor", "/t/editing000", looks, func(name string) {
		b.until(`document.querySelector("#timeline.timeline")`)
		if value[bool](b, `document.querySelector("#drawer-code[data-closed]") !== null`) {
			b.opens("code")
		}
		b.press("#own > summary")
		b.edits("#own-form", "def acquire(c):\n    oops()\n")
		b.press("#own-form .primary")
		b.until(`document.querySelector(".cm-says")`)
		b.settled()
		b.examine(name + "-mistake")
		b.strikesIn("c.se")
		b.until(`document.querySelector(".cm-tooltip-autocomplete [aria-selected]")`)
	})
}

// A word has in the editor the colour that it has in the listing.
func TestEditorHasTheColoursOfTheListing(t *testing.T) {
	b := open(t)
	for _, program := range []string{"del-setnx", "redlock", "set-px-fencing-write"} {
		b.visit(emptyRun())
		b.opens("code")
		b.chooses(program)
		b.until(`document.querySelector("#source-` + program + ` code")`)
		value[bool](b, `(window.letters = (lines) => {
			const letters = [];
			for (const line of document.querySelectorAll(lines)) {
				const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
				while (texts.nextNode()) {
					const colour = getComputedStyle(texts.currentNode.parentElement).color;
					for (const letter of texts.currentNode.data.replace(/\s/g, "")) letters.push(letter + colour);
				}
			}
			return letters.join("\n");
		}) && (window.listed = letters("#source-`+program+` code")) !== ""`)
		b.presses("Edit")
		b.until(`document.querySelector("#own-form .cm-content")`)
		b.until(`((edited) => listed.includes(edited) && edited.split("rgb").length > 300)(letters("#own-form .cm-line"))`) // it draws only what is in view, and colours it in time
	}
}
