package explore_test

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"lockstep/engine/explore"
	"lockstep/engine/program"
)

// millions returns questions with more than 5 million states.
func millions(t testing.TB) []explore.Question {
	return []explore.Question{
		{Program: builtin(t, "del-setnx"), Clients: 4, Ticks: 5, Crashes: 1, Delays: explore.Any, Timeout: 2000},
		{Program: builtin(t, "getset"), Clients: 4, Ticks: 5, Crashes: 1, Delays: explore.Any, Timeout: 2000},
		{Program: builtin(t, "set-px"), Clients: 4, Ticks: 6, Crashes: 0, Delays: explore.Any, Timeout: 2000},
		{Program: builtin(t, "getset"), Clients: 4, Ticks: 7, Crashes: 1, Delays: explore.Any, Timeout: 2000},
	}
}

// BenchmarkBesideSPIN searches the same bounds with SPIN (gcc -O2 -DSAFETY) and
// with the explorer. SPIN searches breadth first, which finds shortest
// counterexamples as the explorer does, and depth first, its best mode. The
// explorer uses every processor, without symmetry and with. The benchmark
// prints a table. SPIN's own clock and its own account of memory measure it;
// compiling its search does not count, but computing the effects in the engine
// does. Run it with -benchtime 1x.
func BenchmarkBesideSPIN(b *testing.B) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer table.Flush()
	for _, q := range millions(b) {
		fmt.Fprintf(table, "\n%s\n\tstates\ts\tstates/s\tB/state\tstates/s beside\ttime beside\t\n", title(&q))
		var breadth figures
		for _, search := range []struct {
			name string
			run  func(b *testing.B) figures
		}{
			{"SPIN, breadth first", func(b *testing.B) figures { return bySPIN(b, q, "-DBFS") }},
			{"SPIN, depth first", func(b *testing.B) figures { return bySPIN(b, q) }},
			{"lockstep", func(b *testing.B) figures { return byLockstep(b, q) }},
			{"lockstep, symmetry", func(b *testing.B) figures { q.Symmetry = true; return byLockstep(b, q) }},
		} {
			b.Run(title(&q)+"/"+search.name, func(b *testing.B) {
				for b.Loop() {
					f := search.run(b)
					if breadth.states == 0 {
						breadth = f
					}
					fmt.Fprintf(table, "%s\t%d\t%.2f\t%.0f\t%.1f\t%.1f ×\t%.1f ×\t\n", search.name, f.states, f.seconds, f.speed(), f.bytes/float64(f.states),
						f.speed()/breadth.speed(), breadth.seconds/f.seconds)
				}
			})
		}
	}
}

type figures struct {
	states         int64
	seconds, bytes float64
}

func (f figures) speed() float64 { return float64(f.states) / f.seconds }

func bySPIN(b *testing.B, q explore.Question, options ...string) figures {
	f := compile(b, &q, "-O2", options...).search(b)
	return figures{f.states, f.seconds, f.memory}
}

func byLockstep(b *testing.B, q explore.Question) figures {
	all := explore.Runtime{Workers: runtime.GOMAXPROCS(0), Go: func(n int, work func(i int)) {
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() { work(i) })
		}
		all.Wait()
	}}
	begun := time.Now()
	a, err := q.Search(explore.Budget{Memory: 4 << 30}, all, 1)
	if err != nil || a.Verdict != explore.Holds {
		b.Fatal(a, err)
	}
	return figures{a.States, time.Since(begun).Seconds(), float64(a.Memory)}
}

// BenchmarkRecorded searches the same lock as a program in Starlark and as a recording of a real one: once everything is
// learned, both are as fast. It prints a table. Run it with -benchtime 1x.
func BenchmarkRecorded(b *testing.B) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer table.Flush()
	fmt.Fprint(table, "\nset-px-del\tstates\ts\tstates/s\tB/state\t\n")
	recorded, err := program.Parse("set-px-del-recorded", setPxDelRecorded)
	if err != nil {
		b.Fatal(err)
	}
	for _, q := range []explore.Question{
		{Program: builtin(b, "set-px-del"), Clients: 4, Ticks: 5, Crashes: 1, Delays: explore.Any, Timeout: 2000},
		{Program: recorded, Clients: 6, Ticks: 5, Crashes: 2, Delays: explore.Any},
	} {
		b.Run(q.Program.Name, func(b *testing.B) {
			for b.Loop() {
				f := byLockstep(b, q)
				fmt.Fprintf(table, "%s\t%d\t%.2f\t%.0f\t%.1f\t\n", q.Program.Name, f.states, f.seconds, f.speed(), f.bytes/float64(f.states))
			}
		})
	}
}

const setPxDelRecorded = `recorded "python3 set_px_del.py"
SET lock.foo $1 NX PX 2000
= (nil)
  again 1
= OK
  enter
  hold
  leave
  DEL lock.foo
  = (integer) 0
    end
  = (integer) 1
    end
`

// BenchmarkCounterexamples measures how long the shortest counterexample of
// each row in the course's table takes, with all the effects that it needs.
func BenchmarkCounterexamples(b *testing.B) {
	for _, c := range course {
		if c.verdict != violated {
			continue
		}
		b.Run(fmt.Sprintf("%s/%s/%s", c.program, c.property, c.bounds), func(b *testing.B) {
			q := c.question(b)
			for b.Loop() {
				search(b, q)
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/search")
			b.ReportMetric(0, "ns/op")
		})
	}
}
