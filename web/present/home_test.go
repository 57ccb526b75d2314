package present

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/ask"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
)

// Every order of the page ends as the engine plays it from its scenario: the same events, and the same violation.
func TestHomePlaysAsTheEngineDoes(t *testing.T) {
	for _, l := range []lang.Language{lang.English, lang.Chinese} {
		page := Home([]*course.Course{course.Builtin()}, "", "", HomeChances{}, views.Site{Lang: l})
		if len(page.Data.Orders) != 19 {
			t.Errorf("there are %d orders", len(page.Data.Orders))
		}
		for order, told := range page.Data.Orders {
			text := homeStart
			for _, press := range order {
				text += fmt.Sprintf("step C%c\n", press)
			}
			scenario, err := engine.Parse("home", text, nil)
			if err != nil {
				t.Fatal(err)
			}
			trace, err := scenario.Play("home", check.All()...)
			if err != nil {
				t.Fatalf("%s: %v", order, err)
			}
			var shown []map[string]any
			for n := range len(order) + 1 {
				shown = append(shown, page.Data.Orders[order[:n]].Events.([]map[string]any)...)
			}
			if want := numberless(trace.Run, 0, l); !reflect.DeepEqual(shown, want) {
				t.Errorf("%s shows %d events, and the engine plays %d others", order, len(shown), len(want))
			}
			broken := false
			for _, e := range trace.Run.World().Events() {
				broken = broken || e.Violation != nil && e.Violation.Property == homeProperty
			}
			if broken != (told.Kind == "broken") || broken != (told.Twin != nil) {
				t.Errorf("%s is %s, and the engine breaks the lock: %v", order, told.Kind, broken)
			}
			for client, want := range map[string]string{"C1": told.Waits["C1"], "C2": told.Waits["C2"]} {
				call, _ := trace.Run.World().Client(client).InFlight()
				if (call == nil) != (want == "") || call != nil && call.Command[0] != want {
					t.Errorf("%s: %s waits for %v, and the page says %q", order, client, call, want)
				}
			}
			if told.Kind == "press" && (told.Says == "" || told.Asks == "") {
				t.Errorf("%s says nothing: %+v", order, told)
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
				t.Errorf("%s: the repair plays otherwise", order)
			}
			for _, e := range twin.World().Events() {
				if e.Kind == engine.Violated {
					t.Errorf("%s breaks the repair: %s", order, e.Sentence(l))
				}
			}
		}
		if page.Data.Orders[homeBreaks].Kind != "broken" {
			t.Errorf("%s breaks nothing", homeBreaks)
		}
	}
}

// The page names the clients as the run has them.
func TestHomeSaysWhatHappened(t *testing.T) {
	for _, c := range []struct{ order, show, want string }{
		{"", "", "C3 crashed with the lock, whose value says that it was good until 1011; now it is 1012."},
		{"1", "", "Redis executes #6, DEL lock.foo from C1: lock.foo is gone; it held 1011, written by C3."},
		{"11", "", "lock.foo was free and is now 1023. C1 is in the critical section"},
		{"1122", "", "You broke it: C1 and C2 are both in the critical section."},
		{"1221", "", "It held: only C2 is in the critical section, and C1 waits."},
		{"1122", "why", "C2's DEL removed the lock that C1 had just taken. C2 read the old 1011 before that"},
		{"2211", "why", "C1's DEL removed the lock that C2 had just taken. C1 read the old 1011 before that"},
		{"1122", "getset", "C2 gets back 1023, a time still to come, knows that C1 was faster, and backs off."},
		{"2211", "getset", "C1 gets back 1023, a time still to come, knows that C2 was faster, and backs off."},
	} {
		page := Home([]*course.Course{course.Builtin()}, c.order, c.show, HomeChances{}, views.Site{Lang: lang.English})
		if said := page.Said(); !strings.Contains(said, c.want) {
			t.Errorf("%s %s says %q, want %q", c.order, c.show, said, c.want)
		}
	}
}

// Every order together stays small enough for a first visit: the page compresses them to a few kilobytes.
func TestHomeDataIsSmall(t *testing.T) {
	for _, l := range []lang.Language{lang.English, lang.Chinese} {
		page := Home([]*course.Course{course.Builtin()}, "", "", HomeChances{}, views.Site{Lang: l})
		text, err := json.Marshal(page.Data)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 64<<10 {
			t.Errorf("%s: the orders take %d bytes", l, len(text))
		}
	}
}
