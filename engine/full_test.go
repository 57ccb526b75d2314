package engine_test

import (
	"errors"
	"testing"

	"lockstep/engine"
)

// A run ends at its limits: it refuses every further action, and says why.
func TestFull(t *testing.T) {
	tick := engine.Action{Verb: engine.VerbTick, Time: 1000}
	for name, action := range map[string]engine.Action{
		"actions": tick,
		"events":  {Verb: engine.VerbDo, Client: "CLI", Command: []string{"GET", "lock.foo"}},
	} {
		run := engine.NewRun(engine.Header{})
		if name == "events" { // a command makes four, and its client one
			for range 3 {
				if _, err := run.Do(tick); err != nil {
					t.Fatal(err)
				}
			}
		}
		for run.World().Full() == nil {
			if _, err := run.Do(action); err != nil {
				t.Fatalf("%s: action %d: %v", name, len(run.Actions()), err)
			}
		}
		for _, a := range []engine.Action{tick, {Verb: engine.VerbNote, Text: "more"}, {Verb: engine.VerbSpawn, Client: "C9", Program: "naive"}} {
			_, err := run.Do(a)
			var full *engine.FullError
			if !errors.As(err, &full) || (name == "actions") != (full.Actions == engine.MaxActions) || (name == "events") != (full.Events == engine.MaxEvents) {
				t.Errorf("with all its %s done, %s returns %v", name, a, err)
			}
		}
	}
}
