package process_test

import (
	"fmt"
	"os"
	"testing"
	"text/tabwriter"
	"time"

	"lockstep/engine/explore"
	"lockstep/engine/testtools"
	"lockstep/web/real/process"
)

// BenchmarkClients tests real programs and prints a table: what it takes to learn each, and to explore all that can happen.
// Those on a clock that stands still are there where a machine lets them have one.
// Run it with -benchtime 1x on a quiet machine.
func BenchmarkClients(b *testing.B) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer table.Flush()
	fmt.Fprint(table, "\n\tverdict\tstarts\thistories\tsearches\tstates\tseconds\n")
	two, four := explore.Question{Clients: 2, Property: "overlap"}, explore.Question{Clients: 4, Property: "overlap"}
	late, overrun := explore.Question{Clients: 3, Ticks: 1, Property: "foreign-delete"}, explore.Question{Clients: 2, Ticks: 1, Property: "overlap"}
	lost := explore.Question{Clients: 2, Losses: 1, Property: "stuck"}
	for _, row := range []struct {
		name    string
		file    string
		q       explore.Question
		onClock bool
	}{
		{"2 clients x 5 commands, Go", "five", two, false},
		{"2 clients x 5 commands, Python", "five.py", two, false},
		{"2 clients x 5 commands, Node", "five.mjs", two, false},
		{"the same with a crash, Go", "five", explore.Question{Clients: 2, Crashes: 1, Property: "overlap"}, false},
		{"4 clients x 5 commands, Go", "five", four, false},
		{"late DEL of SET PX and DEL, 3 clients, Python", "set_px_del.py", late, false},
		{"the same, redis-cli", "shell/naive.sh", late, false},
		{"overrun of Lock of redis-py", "redis_lock.py", overrun, false},
		{"overrun of redsync", "redsync", overrun, false},
		{"overrun of node-redlock", "redlock.mjs", overrun, false},
		{"lost reply of go-redis", "goredis", lost, false},
		{"lost reply of ioredis", "ioredis_naive.mjs", lost, false},
		{"Lock of redis-py, 3 clients, 1 crash, 1 tick", "redis_lock.py", explore.Question{Clients: 3, Ticks: 1, Crashes: 1, Property: "foreign-delete"}, false},
		{"2 clients x 5 commands, Python, on the clock", "five.py", two, true},
		{"overrun of Lock of redis-py, on the clock", "redis_lock.py", overrun, true},
		{"race of DEL and SETNX, on the clock", "del_setnx.py", explore.Question{Clients: 2, Ticks: 1, Tick: 12_000, Property: "overlap"}, true},
		{"redsync, crash, cut and tick, on the clock", "redsync", explore.Question{Clients: 2, Ticks: 1, Crashes: 1, Losses: 1, Property: "foreign-delete"}, true},
	} {
		b.Run(row.name, func(b *testing.B) {
			if why := process.LacksClock(); row.onClock && why != nil {
				testtools.Absent(b, why.English)
			}
			a := real(b, row.file, row.onClock)
			for b.Loop() {
				begun := time.Now()
				got, r := a.verdict(b, a.learner(b), row.q)
				fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%d\t%.2f\n", row.name, got, r.Starts, r.Histories, r.Rounds, r.Answer.States, time.Since(begun).Seconds())
			}
		})
	}
}
