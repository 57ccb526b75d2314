package engine

import (
	"errors"
	"testing"
)

// A run ends at its limits: whatever is asked of it then is refused, and why.
func TestFull(t *testing.T) {
	tick := Action{Verb: VerbTick, Time: 1000}
	for name, next := range map[string]func(*World) Action{
		"actions": func(*World) Action { return tick },
		"events": func(w *World) Action {
			if len(w.Clients()) < 3 {
				return Action{Verb: VerbSpawn, Client: []string{"C1", "C2", "C3"}[len(w.Clients())], Program: "naive"}
			}
			a, _ := Scheduler{}.Next(w)
			return a
		},
	} {
		run := NewRun(Header{})
		for run.World().Full() == nil {
			if _, err := run.Do(next(run.World())); err != nil {
				t.Fatalf("%s: action %d: %v", name, len(run.Actions()), err)
			}
		}
		for _, a := range []Action{tick, {Verb: VerbNote, Text: "more"}, {Verb: VerbSpawn, Client: "C9", Program: "naive"}} {
			_, err := run.Do(a)
			var full *FullError
			if !errors.As(err, &full) || (name == "actions") != (full.Actions == MaxActions) || (name == "events") != (full.Events >= MaxEvents) {
				t.Errorf("with all its %s done, %s is answered with %v", name, a, err)
			}
		}
	}
}
