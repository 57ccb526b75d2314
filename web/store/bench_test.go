package store

import (
	"fmt"
	"sync"
	"testing"
)

var entry = make([]byte, 200)

func BenchmarkAppend(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			s := k.kept(b)(Options{})
			defer s.Close()
			n := 0
			for b.Loop() {
				if err := s.Append(ctx, fmt.Sprintf("t/%d", n/1000), n%1000, entry); err != nil {
					b.Fatal(err)
				}
				if n%1000 == 999 { // a log has room for this many
					if err := s.Delete(ctx, fmt.Sprintf("t/%d", n/1000-100)); err != nil {
						b.Fatal(err)
					}
				}
				n++
			}
		})
	}
}

// Three hundred people join at once: each joins their own room, or all join one room,
// one after another.
func BenchmarkJoins(b *testing.B) {
	const people = 300
	join := func(b *testing.B, s Store, room string, n int) {
		if err := s.Append(ctx, room, n, entry); err != nil {
			b.Error(err)
		}
	}
	for _, k := range kinds {
		b.Run(k.name+"/rooms of their own", func(b *testing.B) {
			s := k.kept(b)(Options{})
			defer s.Close()
			for round := 0; b.Loop(); round++ {
				var all sync.WaitGroup
				for p := range people {
					all.Go(func() { join(b, s, fmt.Sprintf("r/%d-%d", round, p), 0) })
				}
				all.Wait()
			}
		})
		b.Run(k.name+"/the same room", func(b *testing.B) {
			s := k.kept(b)(Options{})
			defer s.Close()
			for round := 0; b.Loop(); round++ {
				var room sync.Mutex
				var all sync.WaitGroup
				n := 0
				for range people {
					all.Go(func() {
						room.Lock()
						defer room.Unlock()
						join(b, s, fmt.Sprintf("r/%d", round), n)
						n++
					})
				}
				all.Wait()
			}
		})
	}
}
