package present

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/ask"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
)

// Every state of the page is what the engine plays from its scenario: the same events, and the same violation.
func TestHomePlaysAsTheEngineDoes(t *testing.T) {
	for _, l := range []lang.Language{lang.English, lang.Chinese} {
		page := Home([]*course.Course{course.Builtin()}, "", "", &explore.Answer{}, views.Site{Lang: l})
		if len(page.Data.States) != 22 {
			t.Errorf("there are %d states", len(page.Data.States))
		}
		lines := strings.SplitAfter(homeStart, "\n")
		for at, told := range page.Data.States {
			text := homeStart
			order, isOrder := strings.CutPrefix(at, "order=")
			if beat, err := strconv.Atoi(strings.TrimPrefix(at, "beat=")); !isOrder && at != homeRace {
				text = strings.Join(lines[:2+beat], "")
				if err != nil && at != "" {
					t.Errorf("a state is at %q", at)
				}
			}
			for _, press := range order {
				if isOrder {
					text += fmt.Sprintf("step C%c\n", press)
				}
			}
			scenario, err := engine.Parse("home", text, nil)
			if err != nil {
				t.Fatal(err)
			}
			trace, err := scenario.Play("home", check.All()...)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			var shown []map[string]any
			for here := told; ; here = page.Data.States[*here.Before] {
				shown = append(slices.Clone(here.Events.([]map[string]any)), shown...)
				if here.Before == nil {
					break
				}
			}
			if want := numberless(trace.Run, 0, l); !reflect.DeepEqual(shown, want) {
				t.Errorf("%s shows %d events, and the engine plays %d others", at, len(shown), len(want))
			}
			broken := false
			for _, e := range trace.Run.World().Events() {
				broken = broken || e.Violation != nil && e.Violation.Property == homeProperty
			}
			if broken != (told.Kind == "broken") || broken != (told.Twin != nil) {
				t.Errorf("%s is %s, and the engine breaks the lock: %v", at, told.Kind, broken)
			}
			if told.Says == "" || len(told.Presses) == 2 && told.Asks == "" || len(told.Presses) == 0 && told.Kind != "broken" && told.Kind != "held" {
				t.Errorf("%s says nothing, or nobody can go on: %+v", at, told)
			}
			for _, press := range told.Presses {
				if to, known := page.Data.States[press.To]; !known || *to.Before != at {
					t.Errorf("%s: a press leads to %q", at, press.To)
				}
			}
			if !broken {
				continue
			}
			repair, _ := program.Builtin(homeRepair)
			twin, _, err := ask.Rerun(trace.Run, len(trace.Run.Actions()), "", repair)
			if err != nil {
				t.Fatal(err)
			}
			if shown := append(page.Data.Repair.([]map[string]any), told.Twin.([]map[string]any)...); !reflect.DeepEqual(shown, numberless(twin, 0, l)) {
				t.Errorf("%s: the repair plays otherwise", at)
			}
			for _, e := range twin.World().Events() {
				if e.Kind == engine.Violated {
					t.Errorf("%s breaks the repair: %s", at, e.Sentence(l))
				}
			}
		}
		if lets := page.Data.States[homeRace].Lets; page.Data.States[lets].Kind != "broken" {
			t.Errorf("what happens by itself at %s breaks nothing", lets)
		}
	}
}

// The page tells the story with the names and the values of the run.
func TestHomeSaysWhatHappened(t *testing.T) {
	for _, c := range []struct{ at, show, want string }{
		{"", "", "Only one program may work at a time. C3 asks Redis for the lock."},
		{"beat=1", "", "The key is C3's lock. Its value says until when: 1011."},
		{"beat=2", "", "Nobody will remove C3's lock."},
		{"beat=3", "", "C1 and C2 have seen that it is over, and both send DEL."},
		{"order=1", "", "C1's DEL removed C3's old lock."},
		{"order=12", "", "C2's DEL found nothing: the key is free."},
		{"order=11", "", "C1 took the lock and is inside. C2's DEL is still on its way."},
		{"order=22", "", "C2 took the lock and is inside. C1's DEL is still on its way."},
		{"order=121", "", "C1 took the lock and is inside. C2's SETNX is still on its way."},
		{"order=112", "", "C2's DEL removed C1's lock. Redis has no reason to refuse what comes next."},
		{"order=1122", "", "C1 and C2 are both inside, and each is sure that it is alone."},
		{"order=1221", "", "This time it held: Redis answered C1's SETNX with 0, so C1 stays out."},
		{"order=1122", "why", "C2's DEL removed C1's lock: DEL names a key, not the value that C2 had read."},
		{"order=2211", "why", "C1's DEL removed C2's lock: DEL names a key, not the value that C1 had read."},
		{"order=1122", "getset", "C2's GETSET gets C1's fresh 1023 back: C2 knows that it lost. It has put its own 1023 there: the same time, so C1 loses nothing."},
		{"order=2211", "getset", "C1's GETSET gets C2's fresh 1023 back: C1 knows that it lost. It has put its own 1023 there: the same time, so C2 loses nothing."},
	} {
		page := Home([]*course.Course{course.Builtin()}, c.at, c.show, &explore.Answer{}, views.Site{Lang: lang.English})
		if said := page.Said(); said != c.want {
			t.Errorf("%s %s says %q, want %q", c.at, c.show, said, c.want)
		}
	}
	page := Home([]*course.Course{course.Builtin()}, "", "", &explore.Answer{}, views.Site{Lang: lang.English})
	if said := page.Data.States[homeRace].Meanwhile; said != "1012 is past 1011: the lock is expired." {
		t.Errorf("while time passes the page says %q", said)
	}
}

// Each client stands at the line of the program where the engine has it, and the guilty command's line is lit.
func TestHomeShowsTheClientsInTheProgram(t *testing.T) {
	for _, c := range []struct{ at, show, want string }{
		{"", "", `C3: if c.setnx("lock.foo", expiry) == 1:`},
		{"beat=1", "", "C3: inside"},
		{"beat=2", "", ""},
		{homeRace, "", `C1 C2: c.delete("lock.foo")`},
		{"order=1", "", `C2: c.delete("lock.foo"); C1: if c.setnx("lock.foo", expiry) == 1:`},
		{"order=1122", "why", `* c.delete("lock.foo"); C1 C2: inside`},
		{"order=1122", "getset", `* old = c.getset("lock.foo", expiry); C2: return None; C1: inside`},
	} {
		page := Home([]*course.Course{course.Builtin()}, c.at, c.show, &explore.Answer{}, views.Site{Lang: lang.English})
		var said []string
		for _, p := range page.Programs {
			if !p.Here {
				continue
			}
			for _, line := range p.Lines {
				if line.Number == p.Lit {
					said = append(said, "* "+textOf(line.SourceLine))
				}
				if len(line.Clients) > 0 {
					said = append(said, strings.Join(line.Clients, " ")+": "+textOf(line.SourceLine))
				}
			}
			if len(p.Inside) > 0 {
				said = append(said, strings.Join(p.Inside, " ")+": inside")
			}
		}
		if got := strings.Join(said, "; "); got != c.want {
			t.Errorf("%s %s shows %s, want %s", c.at, c.show, got, c.want)
		}
	}
}

// Every order together stays small enough for a first visit: the page compresses them to a few kilobytes.
func TestHomeDataIsSmall(t *testing.T) {
	for _, l := range []lang.Language{lang.English, lang.Chinese} {
		page := Home([]*course.Course{course.Builtin()}, "", "", &explore.Answer{}, views.Site{Lang: l})
		text, err := json.Marshal(page.Data)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 64<<10 {
			t.Errorf("%s: the orders take %d bytes", l, len(text))
		}
	}
}
