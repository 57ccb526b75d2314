package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gomodule/redigo/redis"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if do := children[os.Getenv("STORE_CHILD")]; do != nil {
		do()
	}
	goleak.VerifyTestMain(m)
}

// children has the functions that the test binary runs as a child process.
var children = map[string]func(){"append": func() { appendUntilKilled(os.Getenv("STORE_DIR")) }}

// A kind opens a store as often as a test needs it. All stores from one call of kept share
// their logs.
type kind struct {
	name string
	kept func(t testing.TB) (open func(Options) Store)
}

var kinds = []kind{
	{"memory", func(t testing.TB) func(Options) Store { return Memory }},
	{"SQLite", func(t testing.TB) func(Options) Store {
		dir := t.TempDir()
		return func(o Options) Store { return openSQLite(t, dir, o) }
	}},
	{"Redis", func(t testing.TB) func(Options) Store {
		server := startRedis(t)
		return func(o Options) Store { return openRedis(t, server.URL(), o) }
	}},
}

// forgetful has the kinds that expire logs themselves; Redis expires keys by its own clock.
var forgetful = kinds[:2]

// each runs a test with every kind of store.
func each(t *testing.T, test func(t *testing.T, s Store)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			s := k.kept(t)(Options{})
			defer s.Close()
			test(t, s)
		})
	}
}

var ctx = context.Background()

func TestALogGrows(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		read(t, s, "t/a", 0)
		add(t, s, "t/a", 0, "x")
		add(t, s, "t/a", 1, "y")
		add(t, s, "t/b", 0, "z")
		read(t, s, "t/a", 0, "x", "y")
		read(t, s, "t/a", 1, "y")
		read(t, s, "t/a", 2)
		read(t, s, "t/a", 9)
		read(t, s, "t/b", 0, "z")
	})
}

func TestAServerThatIsBehindIsTold(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		add(t, s, "t/a", 0, "x")
		add(t, s, "t/a", 1, "y")
		refused(t, s, "t/a", 0, ErrBehind)
		refused(t, s, "t/a", 1, ErrBehind)
		read(t, s, "t/a", 0, "x", "y")
	})
}

func TestALossIsNoticed(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		refused(t, s, "t/a", 1, ErrLost)
		add(t, s, "t/a", 0, "x")
		refused(t, s, "t/a", 2, ErrLost)
		read(t, s, "t/a", 0, "x")
	})
}

func TestADeletedLogIsForgotten(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		add(t, s, "t/a", 0, "x")
		add(t, s, "t/b", 0, "y")
		for range 2 { // the second Delete finds no log
			if err := s.Delete(ctx, "t/a"); err != nil {
				t.Fatal(err)
			}
		}
		read(t, s, "t/a", 0)
		refused(t, s, "t/a", 1, ErrLost)
		add(t, s, "t/a", 0, "z")
		read(t, s, "t/a", 0, "z")
		read(t, s, "t/b", 0, "y")
	})
}

func TestAnEntryIsAnyBytes(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	entries := [][]byte{every, nil, {}, {0}, []byte("\r\n$-1\r\n"), []byte("é\xff"), bytes.Repeat(every, 4096)}
	each(t, func(t *testing.T, s Store) {
		for i, entry := range entries {
			mine := bytes.Clone(entry)
			if err := s.Append(ctx, "t/a", i, mine); err != nil {
				t.Fatal(err)
			}
			clear(mine) // it belongs to the caller again
		}
		got, err := s.Read(ctx, "t/a", 0)
		if err != nil || !slices.EqualFunc(got, entries, bytes.Equal) {
			t.Errorf("read %.80q, %v", got, err)
		}
	})
}

// Eight people compete for the next entry, 25 times each.
func TestOneOfManyWinsEachEntry(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			s := k.kept(t)(Options{})
			defer s.Close()
			compete(t, s, s)
		})
	}
}

// compete adds entries to one log through several stores at once. It reads them back
// through each.
func compete(t *testing.T, stores ...Store) {
	const people, each = 8, 25
	var won [people * each]string // the person who claims each entry
	var all sync.WaitGroup
	for p := range people {
		s := stores[p%len(stores)]
		all.Go(func() {
			n := 0
			for i := range each {
				entry := fmt.Sprintf("%d of person %d", i, p)
				for {
					err := s.Append(ctx, "t/a", n, []byte(entry))
					if err == nil {
						if won[n] != "" {
							t.Errorf("entry %d is %s and %s", n, won[n], entry)
						}
						won[n] = entry
						n++
						break
					}
					if !errors.Is(err, ErrBehind) {
						t.Error(err)
						return
					}
					missed, err := s.Read(ctx, "t/a", n)
					if err != nil || len(missed) == 0 {
						t.Errorf("behind at %d, but nothing is there: %v", n, err)
						return
					}
					n += len(missed)
				}
			}
		})
	}
	all.Wait()
	for _, s := range stores {
		read(t, s, "t/a", 0, won[:]...)
	}
}

func TestACancelledCallDoesNotWait(t *testing.T) {
	gone, cancel := context.WithCancel(ctx)
	cancel()
	each(t, func(t *testing.T, s Store) {
		if err := s.Append(gone, "t/a", 0, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("append: %v", err)
		}
		if _, err := s.Read(gone, "t/a", 0); !errors.Is(err, context.Canceled) {
			t.Errorf("read: %v", err)
		}
		read(t, s, "t/a", 0)
	})
}

func TestAPingSucceeds(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		if err := s.Ping(ctx); err != nil {
			t.Error(err)
		}
	})
}

func TestAnOldLogIsForgotten(t *testing.T) {
	for _, k := range forgetful {
		t.Run(k.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := k.kept(t)(Options{Keep: 24 * time.Hour})
				defer s.Close()
				add(t, s, "t/old", 0, "x")
				add(t, s, "t/used", 0, "x")
				later(t, s, 20*time.Hour)
				add(t, s, "t/used", 1, "y")
				read(t, s, "t/old", 0, "x")
				later(t, s, 4*time.Hour)
				time.Sleep(betweenSweeps)
				synctest.Wait()
				read(t, s, "t/old", 0)
				read(t, s, "t/used", 0, "x", "y")
			})
		})
	}
}

// agesOf has a function for each kind of store. It makes logs older than Options.Keep, a day.
var agesOf = map[string]func(t *testing.T, s Store){
	"memory": func(t *testing.T, s Store) { later(t, s, 25*time.Hour) },
	"SQLite": func(t *testing.T, s Store) {
		d := s.(*database)
		later(t, s, 25*time.Hour)
		must(t, d.do(func() error { d.catalog.advance(d.clock.now()); return nil }))
		j := newJob(func() error { d.sweep(); return nil })
		j.outside = true
		must(t, d.ask(ctx, j))
	},
	"Redis": func(t *testing.T, s Store) { // every key that has an end comes to it
		l := s.(*streams).link
		keys, _ := redis.Strings(l.do(ctx, "KEYS", "*"))
		for _, key := range keys {
			if left, _ := redis.Int(l.do(ctx, "PTTL", key)); left > 0 {
				l.do(ctx, "DEL", key)
			}
		}
	},
}

// A lasting log outlives Options.Keep, even if an older version of the server began the log.
func TestALastingLogStays(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			open := k.kept(t)
			s := open(Options{Keep: 24 * time.Hour})
			defer func() { s.Close() }()
			add(t, s, Lasting+"a", 0, "x")
			add(t, s, Lasting+"b", 0, "x")
			add(t, s, Lasting+"b", 1, "y")
			add(t, s, "t/a", 0, "x")
			must(t, s.Append(WithOwner(ctx, "network-a"), Lasting+"owned", 0, []byte("x")))
			if s, ok := s.(*streams); ok {
				s.link.do(ctx, "PEXPIRE", key(Lasting+"a"), time.Hour.Milliseconds())
				read(t, s, Lasting+"a", 0, "x")
			}
			for range 2 {
				agesOf[k.name](t, s)
				read(t, s, Lasting+"a", 0, "x")
				read(t, s, Lasting+"b", 0, "x", "y")
				read(t, s, Lasting+"owned", 0, "x")
				read(t, s, "t/a", 0)
				if k.name == "SQLite" { // it is kept, too
					s.Close()
					s = open(Options{Keep: 24 * time.Hour})
				}
			}
			add(t, s, Lasting+"b", 2, "z")
			add(t, s, Lasting+"owned", 1, "y")
			must(t, s.Delete(ctx, Lasting+"b")) // a caller may still delete it
			read(t, s, Lasting+"b", 0)
		})
	}
}

func add(t *testing.T, s Store, log string, n int, entry string) {
	t.Helper()
	if err := s.Append(ctx, log, n, []byte(entry)); err != nil {
		t.Fatalf("append %q to %s, which has %d: %v", entry, log, n, err)
	}
}

func refused(t *testing.T, s Store, log string, n int, want error) {
	t.Helper()
	if err := s.Append(ctx, log, n, []byte("refused")); !errors.Is(err, want) {
		t.Errorf("append to %s, as if it had %d: %v, not %v", log, n, err, want)
	}
}

func read(t *testing.T, s Store, log string, n int, want ...string) {
	t.Helper()
	entries, err := s.Read(ctx, log, n)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, string(entry))
	}
	if !slices.Equal(got, want) {
		t.Errorf("after %d, %s has %.300q, not %.300q", n, log, got, want)
	}
}

// A log that was forgotten for good is gone for every server: nobody adds to it, and no copy brings it back. Others stay.
func TestALogIsForgottenForGood(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		add(t, s, "r/123456", 0, "x")
		add(t, s, "t/a", 0, "y")
		add(t, s, "t/b", 0, "z")
		add(t, s, Lasting+"secret", 0, "k")
		for range 2 {
			if err := s.Forget(ctx, []string{"r/123456", "t/a", "t/never"}); err != nil {
				t.Fatal(err)
			}
		}
		for _, log := range []string{"r/123456", "t/a", "t/never"} {
			refused(t, s, log, 0, ErrGone)
			refused(t, s, log, 1, ErrGone)
			for n := range 2 {
				if _, err := s.Read(ctx, log, n); !errors.Is(err, ErrGone) {
					t.Errorf("reading %s from %d: %v", log, n, err)
				}
			}
		}
		names, err := s.Names(ctx)
		if err != nil || !slices.Equal(names, []string{"t/b"}) {
			t.Errorf("the store has %v: %v", names, err)
		}
		add(t, s, "t/b", 1, "z")
		read(t, s, Lasting+"secret", 0, "k")
	})
}

// A server that has a copy of a forgotten log does not add its entries again.
func TestNoCopyBringsAForgottenLogBack(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		mine, other := NewLog[step](s, "r/123456"), NewLog[step](s, "r/123456")
		for _, text := range []string{"one", "two"} {
			if err := mine.Append(step{Text: text}); err != nil {
				t.Fatal(err)
			}
		}
		if err := other.Read(func() {}, func(step) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if err := s.Forget(ctx, []string{"r/123456"}); err != nil {
			t.Fatal(err)
		}
		if err := other.Append(step{Text: "three"}); !errors.Is(err, ErrGone) {
			t.Errorf("a copy adds to the log: %v", err)
		}
		if err := other.Read(func() {}, func(step) error { return nil }); !errors.Is(err, ErrGone) {
			t.Errorf("a copy reads the log: %v", err)
		}
		if names, err := s.Names(ctx); err != nil || len(names) > 0 {
			t.Errorf("the store has %v: %v", names, err)
		}
	})
}
