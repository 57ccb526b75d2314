package e2e

import (
	"encoding/json"
	"fmt"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// line is the field for commands.
const line = "#console-command"

// strikes sends keys to the line of the console, one after the other.
func (b *browser) strikes(keys ...string) {
	b.Helper()
	for _, key := range keys {
		b.do(chromedp.SendKeys(chromedp.CSS(line), key))
	}
}

// console visits a page and shows its console.
func (b *browser) console(path string) {
	b.Helper()
	b.visit(path)
	b.opens("console")
	b.until(`document.querySelector("` + line + `[role=combobox]")`)
}

// clear empties the line.
func (b *browser) clear() {
	b.Helper()
	value[string](b, `(() => {
		const input = document.querySelector("`+line+`");
		input.value = "";
		input.dispatchEvent(new Event("input"));
		return input.value;
	})()`)
}

// run types a command, presses Enter and waits for what the console then says.
func (b *browser) run(command, want string) {
	b.Helper()
	b.strikes(command)
	b.pushEnter(false)
	b.until(`[` + quoteJS(command) + `, ` + quoteJS(want) + `].every(s => document.querySelector("#console-log > :last-child")?.innerText.includes(s))`)
}

func quoteJS(s string) string {
	quoted, _ := json.Marshal(s) // which knows no error for a string
	return string(quoted)
}

// "any allowed Redis command is typed by hand … as SETNX mykey "Hello" deserves."
func TestConsoleRunsTypedCommands(t *testing.T) {
	b := open(t)
	b.console("/t/aaaaaaaaaa")
	b.run(`SETNX mykey "Hello"`, "(integer) 1")
	b.run(`SETNX mykey 'World'`, "(integer) 0")
	b.run(`GET mykey`, `"Hello"`)
	b.run(`MGET mykey nokey`, "1) \"Hello\"\n2) (nil)")
	b.run(`GETSET mykey`, "(error) ERR wrong number of arguments for 'getset' command")
	b.is(`document.querySelector("`+line+`").value`, "")
	b.is(`[...document.querySelectorAll("#console-log code")].map(e => e.textContent).join("|")`,
		`SETNX mykey "Hello"|SETNX mykey 'World'|GET mykey|MGET mykey nokey|GETSET mykey`)
	b.mustContain("#redis", "mykey", "Hello")

	// The console explains a refusal, and keeps the command on the line.
	b.run("FLUSHALL", `"FLUSHALL" is not one of the commands allowed here`)
	b.is(`document.querySelector("`+line+`").value`, "FLUSHALL")
	b.clear()
	b.run(`GET "mykey`, "A quotation mark is missing")

	// The lines come back.
	b.clear()
	for _, step := range [][2]string{{kb.ArrowUp, `GET "mykey`}, {kb.ArrowUp, "FLUSHALL"}, {kb.ArrowUp, "GETSET mykey"}, {kb.ArrowDown, "FLUSHALL"}} {
		b.strikes(step[0])
		b.is(`document.querySelector("`+line+`").value`, step[1])
	}

	// After a reload the log is there, and so is the history.
	b.console("/t/aaaaaaaaaa")
	b.is(`document.querySelectorAll("#console-log .console-entry").length`, "5")
	b.mustContain("#console-log", "SETNX mykey Hello", "(integer) 1")
	b.strikes(kb.ArrowUp)
	b.is(`document.querySelector("`+line+`").value`, "GETSET mykey")
}

// The keyboard completes a command, and then a key.
func TestConsoleCompletes(t *testing.T) {
	b := open(t)
	b.post("/t/aaaaaaaaaa/actions", url.Values{"action": {"do CLI"}, "command": {"SET mykey 1"}})
	b.console("/t/aaaaaaaaaa")
	attribute := func(name, want string) {
		t.Helper()
		b.is(`document.querySelector("`+line+`").getAttribute("`+name+`")`, want)
	}
	options := `[...document.querySelectorAll("#console-choices:not([hidden]) [role=option] code")].map(e => e.textContent).join()`
	attribute("role", "combobox")
	attribute("aria-controls", "console-choices")
	attribute("aria-expanded", "false")

	b.strikes("set")
	b.is(options, "SET,SETEX,SETNX")
	attribute("aria-expanded", "true")
	attribute("aria-activedescendant", "null")
	b.strikes(kb.ArrowDown, kb.ArrowDown)
	attribute("aria-activedescendant", "console-choice-1")
	b.is(`document.querySelector("[aria-selected=true] code").textContent`, "SETEX")
	b.is(`document.querySelector("[data-help=syntax]").textContent`, "SETEX key seconds value") // the help of what would be chosen
	b.strikes(kb.ArrowDown)
	b.pushEnter(false) // takes the choice and sends nothing
	b.is(`document.querySelector("`+line+`").value`, "SETNX ")
	b.is(options, "mykey")
	b.is(`document.querySelector("[data-help=syntax]").textContent`, "SETNX key value")
	b.is(`document.querySelector("[data-help=syntax] strong").textContent`, "key")
	b.mustContain("#console-help", "1.0.0", "O(1)", "@write @string @fast", "(integer) 1", "Deprecated since Redis 2.6.12")
	b.strikes(kb.Tab)
	b.is(`document.querySelector("`+line+`").value`, "SETNX mykey ")
	attribute("aria-expanded", "false")
	b.is(`document.querySelector("[data-help=syntax] strong").textContent`, "value")
	b.strikes(kb.Tab) // nothing to complete: on to the next control
	b.is(`document.activeElement.type`, "submit")

	b.clear()
	b.strikes("ge")
	b.is(options, "GET,GETDEL,GETEX,GETSET")
	b.strikes(kb.Escape)
	b.is(options, "")
	b.is(`document.querySelector("`+line+`").value`, "ge")

	// With touch or mouse the button opens the list, a press takes a choice, and the line keeps the focus.
	b.clear()
	b.press("#console-open")
	b.until(`!document.querySelector("#console-choices").hidden`)
	b.press("#console-choice-0")
	b.is(`document.querySelector("`+line+`").value`, "DECR ")
	b.is(`document.activeElement.id`, "console-command")
}

// A command typed in the past opens a branch, and the console shows later commands as the future.
func TestConsoleOpensABranchInThePast(t *testing.T) {
	b := open(t)
	b.console("/t/aaaaaaaaaa")
	b.run("SETNX mykey Hello", "(integer) 1")
	b.run("DEL mykey", "(integer) 1")
	b.press("#back")
	b.until(`document.querySelectorAll("#console-log .future").length === 1`)
	b.strikes("GET ")
	b.is(`[...document.querySelectorAll("#console-choices code")].map(e => e.textContent).join()`, "mykey") // it existed then
	b.clear()
	b.strikes("DEL mykey") // what came next comes next again: no branch
	b.pushEnter(false)
	b.until(`document.querySelectorAll("#console-log .future").length === 0`)
	b.until(`document.querySelector("` + line + `").value === ""`)
	b.press("#back")
	b.strikes("GET mykey")
	b.pushEnter(false)
	b.until(`!location.pathname.endsWith("aaaaaaaaaa") && document.querySelector("#timeline.timeline")`)
	b.is(`document.activeElement.id`, "console-command") // which takes the next command at once
	b.is(`[...document.querySelectorAll("#console-log code")].map(e => e.textContent).join("|")`, "SETNX mykey Hello|GET mykey")
}

// The console says in Chinese that Redis is down.
func TestConsoleRefusesInChinese(t *testing.T) {
	b := open(t)
	b.post("/t/aaaaaaaaaa/actions", url.Values{"action": {"redis crash"}})
	b.console("/t/aaaaaaaaaa?lang=zh")
	b.run("GET mykey", "Redis 已宕机")
	b.clear()
	b.run("SUBSCRIBE news", `"SUBSCRIBE" 不在这里允许的命令之中`)
	b.clear()
	b.strikes("setnx")
	b.mustContain("#console-help", "仅当键不存在时才设置它", "键已存在，没有任何变化。", "自 Redis 2.6.12 起已弃用")
}

// The console fits its box, wide and narrow, light and dark, in both languages.
func TestConsoleFitsEveryScreen(t *testing.T) {
	b := open(t)
	widths, looks := []int64{320, 390, 1440}, [][2]string{{"en", "light"}, {"zh", "dark"}}
	if !whole() {
		widths, looks = widths[:1], looks[:1]
	}
	for i, width := range widths {
		b.sized(width, 900)
		for _, look := range looks {
			b.prefers("prefers-color-scheme: " + look[1])
			b.console(fmt.Sprintf("/t/aaaaaaaaa%d?lang=%s", i, look[0]))
			b.run(`SETNX mykey "Hello"`, "(integer)")
			b.run("MGET mykey nokey", "2) (nil)")
			b.run("GETSET mykey", "(error)")
			b.run("FLUSHALL", `"FLUSHALL"`)
			for _, keys := range [][]string{{"SET mykey 1 "}, {"setn", kb.Tab}, {"s", kb.ArrowDown}, {"FLUSHALL "}} {
				b.clear()
				b.strikes(keys...)
				b.none(`[...document.querySelectorAll("#console, #console *")]
					.filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth || e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "visible" && getComputedStyle(e).display !== "inline")
					.map(e => e.tagName + "." + e.className + e.id)`, width, look[0], keys[0], "sticks out")
				value[bool](b, `document.querySelector("#console").scrollIntoView({ block: "center" }) === undefined`)
			}
		}
	}
}
