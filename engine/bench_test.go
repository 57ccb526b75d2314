package engine_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
)

// BenchmarkStep is what one delivered command costs, with its events and checks,
// in each transcript. The aim is at most 10 µs. The cost of an action that
// delivers nothing (a crash, a tick) is counted in.
func BenchmarkStep(b *testing.B) {
	for _, name := range []string{"del-setnx-race", "getset-same-schedule", "late-del", "losing-getset-drift", "crash-deadlock", "set-px-pause"} {
		text, err := os.ReadFile("testdata/" + name + ".lock")
		if err != nil {
			b.Fatal(err)
		}
		scenario, err := engine.Parse(name, string(text), nil)
		if err != nil {
			b.Fatal(err)
		}
		actions := scenario.Actions()
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			commands := 0
			for b.Loop() {
				b.StopTimer()
				w := engine.New(scenario.Header, check.All()...) // opening a run is not a step
				b.StartTimer()
				for _, a := range actions {
					if _, err := w.Apply(a); err != nil {
						b.Fatal(err)
					}
				}
				for _, e := range w.Events() {
					if e.Kind == engine.Deliver {
						commands++
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(commands)/1000, "µs/command")
		})
	}
}

// long is a run of a thousand steps: three clients that take the lock in turn.
func long(b *testing.B) *engine.Run {
	run := engine.NewRun(engine.Header{Program: "getset"}, check.All()...)
	do := func(a engine.Action) {
		if _, err := run.Do(a); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 3 {
		do(engine.Action{Verb: engine.VerbSpawn, Client: fmt.Sprintf("C%d", i+1)})
	}
	for i := 0; len(run.Actions()) < 1000; i++ {
		c := run.World().Clients()[i%3]
		switch a := (engine.Action{Verb: engine.VerbStep, Client: c.Name}); {
		case c.Status == engine.Finished:
			do(engine.Action{Verb: engine.VerbRestart, Client: c.Name})
		case run.World().Can(a) == nil:
			do(a)
		case c.Status == engine.Asleep:
			do(engine.Action{Verb: engine.VerbTick, Time: 1000})
		}
	}
	return run
}

// BenchmarkBack goes back by one of 1,000 actions. The aim is at most 20 ms.
func BenchmarkBack(b *testing.B) {
	run := long(b)
	for b.Loop() {
		run.Prefix(len(run.Actions()) - 1).World().Close()
	}
}

// BenchmarkOpenRuns is what 1,000 open runs of the race take in memory. The aim
// is at most 100 KB each.
func BenchmarkOpenRuns(b *testing.B) {
	text, err := os.ReadFile("testdata/del-setnx-race.lock")
	if err != nil {
		b.Fatal(err)
	}
	scenario, err := engine.Parse("race", string(text), nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		runs := make([]*engine.Run, 1000)
		for i := range runs {
			runs[i] = engine.NewRun(scenario.Header, check.All()...)
			for _, a := range scenario.Actions() {
				runs[i].Do(a)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapInuse+after.StackInuse-before.HeapInuse-before.StackInuse)/1000/float64(len(runs)), "KB/run")
		runtime.KeepAlive(runs)
	}
}
