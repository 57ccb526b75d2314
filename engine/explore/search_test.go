package explore_test

import (
	"fmt"
	"testing"
	"time"

	"lockstep/engine/explore"
	"lockstep/engine/program"
)

func TestTry(t *testing.T) {
	for _, name := range []string{"naive", "getset", "del-setnx", "set-px", "set-px-get-del"} {
		for _, property := range []string{"", "mutual-exclusion", "lease-drift", "foreign-delete", "stuck"} {
			for _, sym := range []bool{false, true} {
				p, _ := program.Builtin(name)
				q := explore.Question{Program: p, Property: property, Clients: 3, Ticks: 5, Timeout: 2000, Crashes: 1, Delays: explore.Any, Symmetry: sym}
				start := time.Now()
				a, err := q.Search(explore.Budget{States: 3000000}, explore.Hands{}, 1)
				if err != nil {
					fmt.Println(name, property, err)
					continue
				}
				length := 0
				if len(a.Counterexamples) > 0 {
					length = a.Counterexamples[0].Length
				}
				fmt.Printf("%-22s %-17s %v %-9s %8d %9d %3d %3d %5d KB %v\n", name, property, sym, a.Verdict, a.States, a.Transitions, a.Depth, length, a.Memory/1024, time.Since(start).Round(time.Millisecond))
			}
		}
	}
}
