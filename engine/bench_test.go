package engine_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
)

// BenchmarkStep measures one delivered command, with its events and checks, in
// each transcript. The aim is at most 10 µs. The cost of actions that deliver
// nothing (a crash, a tick) is included.
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
					if _, err := w.Apply(a, engine.MaxActionWork); err != nil {
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

// long returns a run with a thousand steps: three clients take the lock in
// turn.
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

// BenchmarkOpenRuns measures how much memory 1,000 open runs of the race take.
// The aim is at most 100 KB each.
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

// BenchmarkUnits measures the time that a unit of work takes, in runs that do little else than one thing. The aim is at
// most 20 ns for each.
func BenchmarkUnits(b *testing.B) {
	program := func(acquire, holds string) string {
		text := "program own timeout=24h retry=24h\ndefine own\n| P = \"" + strings.Repeat("k", 470) + "\"\n| def acquire(c):\n|     " +
			strings.ReplaceAll(acquire, "\n", "\n|     ") + "\n| def release(c, lease):\n|     pass\n"
		if holds != "" {
			text += "| def holds(c, lease):\n|     " + strings.ReplaceAll(holds, "\n", "\n|     ") + "\n"
		}
		return text
	}
	clients := func(n, steps int) (text string) {
		for i := range n {
			text += fmt.Sprintf("spawn C%d skew=%dms\n", i+1, 7*i+7)
			if steps > 0 {
				text += fmt.Sprintf("step C%d %d\n", i+1, steps)
			}
		}
		return text
	}
	const fill = "Q = P + c.name\nfor i in range(6):\n    for j in range(16):\n        c.set(Q + str(i * 100 + j), \"1\")\nreturn "
	key := strings.Repeat("k", 470) + "C10"
	for _, test := range []struct{ name, text string }{
		{"numbers", program("return True", "for i in range(16):\n    for j in range(16):\n        x = i + j\nreturn True") + clients(16, 0) + "tick 10s\n"},
		{"strings", program("return True", "for i in range(16):\n    x = P + \"a\" + \"b\" + str(i)\nreturn True") + clients(16, 0) + "tick 10s\n"},
		{"instants", program("return True", "return True") + clients(16, 0) + strings.Repeat("tick 1h\n", 4)},
		{"instants with many keys", program(fill+"True", "return True") + clients(4, 96) + strings.Repeat("tick 10m\n", 4)},
		{"stuck with many keys", program(fill+"c.setnx(\"L\", 1) == 1", "") + clients(4, 97) + "crash C1\n" + strings.Repeat("crash C2\nrestart C2\n", 8)},
		{"notes with many keys", program(fill+"True", "") + clients(4, 96) + strings.Repeat("note \"x\"\n", 2000)},
		{"commands with many keys", program(fill+"True", "") + clients(4, 96) + strings.Repeat("tick 1ms\ndo A PEXPIRE "+key+" 9000\ndo A PERSIST "+key+"\n", 80)},
		{"long commands", strings.Repeat("do A MSET k1 "+strings.Repeat("v", 512)+" k2 "+strings.Repeat("w", 512)+"\n", 200)},
		{"messages of ended lives", program("return c.setnx(\"L\", 1)", "") + "spawn C1\n" + strings.Repeat("crash C1\nrestart C1\n", 500)},
	} {
		scenario, err := engine.Parse(test.name, test.text, nil)
		if err != nil {
			b.Fatal(err)
		}
		actions := scenario.Actions()
		b.Run(test.name, func(b *testing.B) {
			work := int64(0)
			for b.Loop() {
				run := engine.NewRun(scenario.Header, check.All()...)
				for _, a := range actions {
					if _, err := run.Do(a); err != nil {
						b.Fatalf("%s: %v", a, err)
					}
				}
				work += run.World().Meter().Effort()
				run.World().Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(work), "ns/unit")
		})
	}
}
