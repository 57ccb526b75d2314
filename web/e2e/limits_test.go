package e2e

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A run of 2,000 events and twelve clients opens, follows the scrubber and continues.
func TestRunOfTwoThousandEvents(t *testing.T) {
	b := open(t)
	run := crowded(t)
	actions, events := len(run.Actions()), len(run.World().Events())
	b.visit(b.opened(run.Scenario().String()))
	b.stands(actions, actions)
	b.is(lastEvent, fmt.Sprint(events))
	b.is(`document.querySelectorAll(".client").length`, "12")

	// The clock and the picture belong to the position, wherever it is.
	for _, part := range []int{4, 2} {
		b.slides(actions/part, actions)
		b.until(fmt.Sprintf(`Math.abs(Number(document.querySelector("#position").value) - %d) < %d`, actions/part, actions/100))
		at := value[int](b, `Number(document.querySelector("#position").value)`)
		past := run.Prefix(at).World()
		last := past.Events()[len(past.Events())-1]
		b.stands(at, actions)
		b.sees(last.Sentence(lang.English))
		b.until(fmt.Sprintf(`document.querySelector("#event-rows .future")?.dataset.seq === "%d"`, len(past.Events())+1))
		b.until(marks + `(".request").length > 0`)
	}
	b.press("#last")
	b.click("tick-1")
	b.stands(actions+1, actions+1)
	b.sees("1 s pass: it is")
	b.press("#step")
	b.stands(actions+2, actions+2)
}

// A run takes a number of clients, and refuses the next one in words.
func TestRunRefusesOneClientTooMany(t *testing.T) {
	b := open(t)
	b.visit(emptyRun() + "?lang=en")
	for range engine.MaxClients {
		b.click("spawn")
	}
	b.is(`document.querySelectorAll(".client").length`, fmt.Sprint(engine.MaxClients))
	b.click("step-C16")
	b.sees("C16 is in the critical section")
	b.presses("Spawn C17")
	b.sees(fmt.Sprintf("a run has at most %d clients", engine.MaxClients))
	b.click("step-C15") // it goes on
}

// A program of 8 KB runs. The page refuses a longer one in words, and loses nothing typed.
func TestPageRefusesAProgramOverEightKB(t *testing.T) {
	const most = 8 << 10
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	from := value[string](b, "location.pathname")
	b.opens("code")
	b.presses("Edit")
	source := value[string](b, `document.querySelector("#own-source").value`)
	long := source + "# " + strings.Repeat("x", most+1-len(source)-2)
	b.types("#own-source", long)
	b.presses("Run the same schedule")
	b.sees("the program is longer than 8 KB")
	b.is(`document.querySelector("#own-source").value.length`, fmt.Sprint(most+1))
	b.types("#own-source", long[:most])
	b.presses("Run the same schedule")
	b.until(fmt.Sprintf(`location.pathname !== %q || document.querySelector("#program :checked").value.endsWith("-mine")`, from))
	b.arrives()
	b.click("spawn")
	b.click("step-C1")
	b.sees("C1 is in the critical section")
}

// types puts a text into a field, as pasting does.
func (b *browser) types(selector, text string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`((field) => { field.value = %q; return field.dispatchEvent(new Event("input", { bubbles: true })); })(document.querySelector(%q))`, text, selector))
}

// A full run refuses every action in words, and continues from any earlier point.
func TestFullRunRefusesActions(t *testing.T) {
	b := open(t)
	path := b.opened("spawn C1 naive\n" + strings.Repeat("tick 1s\n", engine.MaxActions-1))
	for _, said := range []struct{ lang, sentence string }{
		{"zh", "这次运行已有 4000 个动作，已达上限。可以回到前面，在那里操作，另开一个分支；也可以新建运行。"},
		{"en", "The run has 4000 actions and takes no more. Go back and act there to open a branch, or start a new run."},
	} {
		b.visit(path + "?lang=" + said.lang)
		for _, id := range []string{"tick-1", "step", "step-C1", "spawn", "play"} {
			value[bool](b, `document.querySelector("#refusal").hidden = true`)
			b.press("#" + id)
			b.until(`!document.querySelector("#refusal").hidden`)
			b.is(`document.querySelector("#refusal").textContent`, said.sentence)
		}
	}
	b.is(`document.querySelector("#play").hasAttribute("data-playing")`, "false")
	b.press("#back")
	b.mustContain("#position-text", "action 3999 of 4000")
	b.press("#step-C1")
	b.until(fmt.Sprintf(`location.pathname !== %q`, path))
	b.arrives()
	b.mustContain("#position-text", "action 4000 of 4000")
	b.sees("C1 is in the critical section")
	b.mustContain(".branch[aria-current]", "C1")
}
