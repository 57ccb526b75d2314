package explore_test

import (
	"testing"

	"lockstep/engine/explore"
)

// millions are questions of more than 5 million states.
func millions(t testing.TB) []explore.Question {
	return []explore.Question{
		{Program: builtin(t, "del-setnx"), Clients: 4, Ticks: 5, Crashes: 1, Delays: explore.Any, Timeout: 2000},
		{Program: builtin(t, "getset"), Clients: 4, Ticks: 5, Crashes: 1, Delays: explore.Any, Timeout: 2000},
		{Program: builtin(t, "set-px"), Clients: 4, Ticks: 6, Crashes: 0, Delays: explore.Any, Timeout: 2000},
	}
}

// BenchmarkSPIN is what SPIN takes for millions of states, by its own clock and
// its own account of memory: breadth first, which finds shortest counterexamples
// as the explorer does, and depth first, which is what it is best at. To compile
// the search is not counted.
func BenchmarkSPIN(b *testing.B) {
	for _, q := range millions(b) {
		for _, order := range []struct {
			name    string
			options []string
		}{{"breadth-first", []string{"-DBFS"}}, {"depth-first", nil}} {
			b.Run(title(&q)+"/"+order.name, func(b *testing.B) {
				m := compile(b, &q, "-O2", order.options...)
				var states, seconds, memory float64
				for b.Loop() {
					f := m.search(b)
					states += float64(f.states)
					seconds += f.seconds
					memory += f.memory
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(states/float64(b.N), "states")
				b.ReportMetric(seconds/float64(b.N), "s")
				b.ReportMetric(states/seconds, "states/s")
				b.ReportMetric(memory/states, "B/state")
			})
		}
	}
}
