package process_test

import (
	"fmt"
	"os"
	"testing"
	"text/tabwriter"
	"time"

	"lockstep/engine/explore"
)

// BenchmarkClients tests real programs and prints a table: what it takes to learn each, and to explore all that can happen.
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
		command func(testing.TB) []string
		q       explore.Question
	}{
		{"2 clients x 5 commands, Go", built("five"), two},
		{"2 clients x 5 commands, Python", python("five.py"), two},
		{"2 clients x 5 commands, Node", node("ioredis", "five.mjs"), two},
		{"the same with a crash, Go", built("five"), explore.Question{Clients: 2, Crashes: 1, Property: "overlap"}},
		{"4 clients x 5 commands, Go", built("five"), four},
		{"late DEL of SET PX and DEL, 3 clients, Python", python("set_px_del.py"), late},
		{"the same, redis-cli", shell("naive.sh"), late},
		{"overrun of Lock of redis-py", python("redis_lock.py"), overrun},
		{"overrun of redsync", built("redsync"), overrun},
		{"overrun of node-redlock", node("redlock", "redlock.mjs"), overrun},
		{"lost reply of go-redis", built("goredis"), lost},
		{"lost reply of ioredis", node("ioredis", "ioredis_naive.mjs"), lost},
		{"Lock of redis-py, 3 clients, 1 crash, 1 tick", python("redis_lock.py"), explore.Question{Clients: 3, Ticks: 1, Crashes: 1, Property: "foreign-delete"}},
	} {
		b.Run(row.name, func(b *testing.B) {
			command := row.command(b)
			for b.Loop() {
				begun := time.Now()
				verdict, _, r := try(b, command, row.q)
				fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%d\t%.2f\n", row.name, verdict, r.Starts, r.Histories, r.Rounds, r.Answer.States, time.Since(begun).Seconds())
			}
		})
	}
}
