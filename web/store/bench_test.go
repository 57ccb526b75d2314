package store

import (
	"errors"
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
				n++
			}
		})
	}
}

// Three hundred people join at once: rooms of their own, or the same one, where
// each learns of those who were faster, as a server does that folds the log.
func BenchmarkJoins(b *testing.B) {
	const people = 300
	for _, k := range kinds {
		b.Run(k.name+"/rooms of their own", func(b *testing.B) {
			s := k.kept(b)(Options{})
			defer s.Close()
			n := 0
			for b.Loop() {
				var all sync.WaitGroup
				for p := range people {
					all.Go(func() {
						if err := s.Append(ctx, fmt.Sprintf("r/%d", p), n, entry); err != nil {
							b.Error(err)
						}
					})
				}
				all.Wait()
				n++
			}
		})
		b.Run(k.name+"/the same room", func(b *testing.B) {
			s := k.kept(b)(Options{})
			defer s.Close()
			joined := 0
			for b.Loop() {
				var mu sync.Mutex // of the room
				var all sync.WaitGroup
				n := joined
				for range people {
					all.Go(func() {
						mu.Lock()
						defer mu.Unlock()
						for {
							err := s.Append(ctx, "r/1", n, entry)
							if !errors.Is(err, ErrBehind) {
								n++
								return
							}
							missed, err := s.Read(ctx, "r/1", n)
							if err != nil {
								b.Error(err)
								return
							}
							n += len(missed)
						}
					})
				}
				all.Wait()
				joined = n
			}
		})
	}
}
