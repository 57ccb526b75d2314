package explore_test

import (
	"fmt"
	"testing"
	"time"

	"lockstep/engine/explore"
	"lockstep/engine/program"
)

func TestTry(t *testing.T) {
	for _, name := range program.Names() {
		for _, property := range []string{"mutual-exclusion", "overlap", "foreign-delete", "lease-drift", "stuck"} {
			for _, crashes := range []int{0, 1} {
				p, _ := program.Builtin(name)
				q := explore.Question{Program: p, Property: property, Clients: 3, Ticks: 6, Timeout: 2000, Crashes: crashes, Delays: explore.Any}
				start := time.Now()
				a, err := q.Search(explore.Budget{States: 3000000}, explore.Hands{}, 1)
				if err != nil {
					fmt.Println(name, property, crashes, err)
					continue
				}
				length := 0
				if len(a.Counterexamples) > 0 {
					length = a.Counterexamples[0].Length
				}
				fmt.Printf("%-22s %-17s %d %-9s %8d %9d %3d %3d %5d KB %v\n", name, property, crashes, a.Verdict, a.States, a.Transitions, a.Depth, length, a.Memory/1024, time.Since(start).Round(time.Millisecond))
			}
		}
	}
}
