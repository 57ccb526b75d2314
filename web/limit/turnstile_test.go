package limit

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// One pupil of a class takes whatever they can get, in three ways; then thirty others come, from the same network, each with a
// name. What each gets is told, and how long the last of the thirty stands in line.
func TestOnePupilKeepsNobodyOut(t *testing.T) {
	for _, test := range []struct {
		name  string
		want  string
		lines int                         // that the hostile pupil stands in at once
		says  func(line, turn int) string // who they are
		alone time.Duration
	}{
		{"nobody is there", "0 seats before, then 30 of 30 pupils within 0s", 0, nil, time.Minute},
		{"four connections without a name", "112 seats before, then 30 of 30 pupils within 0s", 4, func(int, int) string { return "school" }, 10 * time.Second},
		{"four connections, and a new name for each seat", "450 seats before, then 30 of 30 pupils within 7s", 4, func(line, turn int) string { return fmt.Sprint("x", line, ".", turn) }, 10 * time.Second},
		{"forty connections, and a new name for each seat", "450 seats before, then 30 of 30 pupils within 14s", 40, func(line, turn int) string { return fmt.Sprint("x", line, ".", turn) }, 10 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := NewWork(4)
			stile := NewTurnstile(5, 400)
			ctx, end := context.WithCancel(t.Context())
			var seats atomic.Int64
			var hostile sync.WaitGroup
			for line := range test.lines {
				hostile.Go(func() {
					for turn := 0; ctx.Err() == nil; turn++ {
						a := w.Asker(ctx, "school", test.says(line, turn))
						if stile.Pass(a.Context()) {
							seats.Add(1)
						}
						a.Done()
						time.Sleep(time.Millisecond)
					}
				})
			}
			time.Sleep(test.alone)
			synctest.Wait()
			var said strings.Builder
			fmt.Fprintf(&said, "%d seats before, ", seats.Load())
			began, in := time.Now(), make(chan bool)
			for pupil := range 30 {
				go func() {
					a := w.Asker(ctx, "school", fmt.Sprint("pupil ", pupil))
					defer a.Done()
					in <- stile.Pass(a.Context())
				}()
			}
			all := 0
			for range 30 {
				if <-in {
					all++
				}
			}
			fmt.Fprintf(&said, "then %d of 30 pupils within %v", all, time.Since(began).Round(time.Second))
			if said.String() != test.want {
				t.Errorf("%s: %s; want %s", test.name, &said, test.want)
			}
			end()
			hostile.Wait()
		})
	}
}
