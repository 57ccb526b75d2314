package e2e

import (
	"testing"
)

// The program is shown in the reader's own language: the lines that do the work of the client's line are lit, with its badge,
// and move with it. The browser keeps the choice. A program that no other language shows is shown as it is.
func TestTheProgramInTheReadersLanguage(t *testing.T) {
	const lit = `[...document.querySelectorAll("#tongue .here code")].map((line) => line.textContent.trim()).join(" | ")`
	b := open(t)
	b.sized(1280, 900)
	b.visit("/new")
	b.chooses("naive")
	b.click("spawn")
	b.is(`document.querySelector("#tongues").checkVisibility()`, "true")
	b.press("#tongues [data-tongue=python]")
	b.until(`document.querySelector("#tongue").checkVisibility() && !document.querySelector("#sources").checkVisibility()`)
	b.until(lit + ` === 'if c.setnx("lock.foo", c.name):'`)
	b.is(`document.querySelector("#tongue .here .badge").textContent`, "C1")
	b.press("#tongues [data-tongue=go]")
	b.until(lit + `.startsWith('won, err := c.Do(ctx, "SETNX", "lock.foo", c.name).Bool()')`)
	b.click("step-C1") // the client gets in
	b.click("step-C1") // it leaves
	b.until(lit + ` === 'return c.Del(ctx, "lock.foo").Err()'`)
	b.is(`document.querySelectorAll("#tongue .badge").length`, "1")

	b.visit("/new")
	b.chooses("naive")
	b.until(`document.querySelector("#tongue").checkVisibility() && document.querySelector("#tongue").textContent.includes("func acquire")`)
	b.chooses("redlock")
	b.until(`!document.querySelector("#tongue").checkVisibility() && document.querySelector("#sources").checkVisibility()`)
	b.is(`document.querySelector("#tongues").checkVisibility()`, "false")
	b.chooses("set-px")
	b.until(`document.querySelector("#tongue").textContent.includes("compareAndDelete")`)
	b.press("#tongues [data-tongue='']")
	b.until(`document.querySelector("#sources").checkVisibility() && !document.querySelector("#tongue").checkVisibility()`)
}

// Without scripts each tab is a link to a page.
func TestTheReadersLanguageWithoutScripts(t *testing.T) {
	b := open(t)
	b.sized(390, 800)
	b.goTo("/programs/getset/java?lang=en")
	b.sees("getset in Java")
	b.sees("c.getSet(")
	b.fits()
	b.goTo("/programs/getset/python?lang=zh")
	b.fits()
}
