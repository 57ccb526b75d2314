// Package storetest has what every driver of package store promises, as tests. A driver's own tests call Run.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lockstep/web/store"
)

// A Driver is what Run tests.
type Driver struct {
	// Place makes a place for logs. The function that it returns opens a store there.
	Place func(t testing.TB) func(store.Options) store.Store

	Reopens bool // logs stay while no store is open
	Shares  bool // several stores may be open at one place; otherwise Options.MaxBytes bounds what is kept there

	// Later lets time pass for the logs of a store. If it is nil, the store follows the clock of package time.
	Later func(t *testing.T, s store.Store, by time.Duration)

	// Flip changes one bit of an entry with n entries before it, behind the store's back. If it is nil, nothing can.
	Flip func(t *testing.T, s store.Store, log string, n int)
}

// Ctx is the context of all calls.
var Ctx = context.Background()

// Run tests a driver.
func Run(t *testing.T, d Driver) {
	for name, test := range map[string]func(*testing.T, store.Store){
		"a log grows":                 grows,
		"an entry is any bytes":       anyBytes,
		"one of many wins each entry": func(t *testing.T, s store.Store) { Compete(t, s, s) },
		"a log is forgotten for good": forgotten,
		"copies follow each other":    copies,
	} {
		t.Run(name, func(t *testing.T) {
			s := d.Place(t)(store.Options{})
			defer s.Close()
			test(t, s)
			Healthy(t, s, "")
		})
	}
	timed := map[string]func(*testing.T, Driver){"an old log is forgotten": ages}
	if !d.Shares {
		timed["bytes are bounded"], timed["one owner has a share"] = bounded, shared
	}
	for name, test := range timed {
		t.Run(name, func(t *testing.T) {
			if d.Later != nil {
				test(t, d)
				return
			}
			synctest.Test(t, func(t *testing.T) {
				d := d
				d.Later = func(_ *testing.T, _ store.Store, by time.Duration) { time.Sleep(by); synctest.Wait() }
				test(t, d)
			})
		})
	}
	if d.Flip != nil {
		t.Run("a damaged log is named", func(t *testing.T) { flipped(t, d) })
	}
}

func grows(t *testing.T, s store.Store) {
	Read(t, s, "t/a", 0)
	Refused(t, s, "t/a", 1, store.ErrLost)
	Add(t, s, "t/a", 0, "x")
	Add(t, s, "t/a", 1, "y")
	Add(t, s, "t/b", 0, "z")
	Refused(t, s, "t/a", 0, store.ErrBehind)
	Refused(t, s, "t/a", 1, store.ErrBehind)
	Refused(t, s, "t/a", 3, store.ErrLost)
	for n, want := range [][]string{{"x", "y"}, {"y"}, nil, nil} {
		Read(t, s, "t/a", n, want...)
	}
	Refused(t, s, "t/a", store.MaxEntries, store.ErrLong, store.ErrLost)
	for range 2 { // the second Delete finds no log
		Must(t, s.Delete(Ctx, "t/a"))
	}
	Read(t, s, "t/a", 0)
	Refused(t, s, "t/a", 1, store.ErrLost)
	Add(t, s, "t/a", 0, "z")
	Read(t, s, "t/a", 0, "z")
	Read(t, s, "t/b", 0, "z")
}

// An entry is any bytes, and belongs to the caller again. A cancelled call does nothing.
func anyBytes(t *testing.T, s store.Store) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	entries := [][]byte{every, nil, {}, {0}, []byte("\r\n$-1\r\n"), []byte("é\xff"), bytes.Repeat(every, 4096)}
	gone, cancel := context.WithCancel(Ctx)
	cancel()
	for i, entry := range entries {
		mine := bytes.Clone(entry)
		Must(t, s.Append(Ctx, "t/a", i, mine))
		clear(mine)
		if err := s.Append(gone, "t/a", i+1, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("append: %v", err)
		}
		if _, err := s.Read(gone, "t/a", 0); !errors.Is(err, context.Canceled) {
			t.Errorf("read: %v", err)
		}
	}
	if got, err := s.Read(Ctx, "t/a", 0); err != nil || !slices.EqualFunc(got, entries, bytes.Equal) {
		t.Errorf("read %.80q, %v", got, err)
	}
}

// Compete has eight people add to one log at once, through several stores. All stores have each entry once, in the
// same order.
func Compete(t *testing.T, stores ...store.Store) {
	t.Helper()
	const people, each = 8, 25
	var all sync.WaitGroup
	for p := range people {
		l := store.NewLog[Step](stores[p%len(stores)], "t/a")
		all.Go(func() {
			for i := 0; i < each; {
				switch err := l.Append(Step(fmt.Sprint(i, " of person ", p))); {
				case err == nil:
					i++
				case !errors.Is(err, store.ErrBehind) || len(Folded(t, l)) == 0:
					t.Errorf("at entry %d: %v", l.Len(), err)
					return
				}
			}
		})
	}
	all.Wait()
	order := Folded(t, store.NewLog[Step](stores[0], "t/a"))
	if sorted := slices.Compact(slices.Sorted(slices.Values(order))); len(order) != people*each || len(sorted) != len(order) {
		t.Errorf("%d entries are there, and %d different ones", len(order), len(sorted))
	}
	for _, s := range stores {
		wantSteps(t, store.NewLog[Step](s, "t/a"), order...)
	}
}

// A log that was forgotten for good is gone: nobody adds to it. Others stay.
func forgotten(t *testing.T, s store.Store) {
	for _, log := range []string{"r/123456", "t/a", "t/b", store.Lasting + "secret"} {
		Add(t, s, log, 0, "x")
	}
	for range 2 {
		Must(t, s.Forget(Ctx, []string{"r/123456", "t/a", "t/never"}))
	}
	for _, log := range []string{"r/123456", "t/a", "t/never"} {
		for n := range 2 {
			Refused(t, s, log, n, store.ErrGone)
			if _, err := s.Read(Ctx, log, n); !errors.Is(err, store.ErrGone) {
				t.Errorf("reading %s from %d: %v", log, n, err)
			}
		}
	}
	if names, err := s.Names(Ctx); err != nil || !slices.Equal(names, []string{"t/b"}) {
		t.Errorf("the store has %v: %v", names, err)
	}
	Add(t, s, "t/b", 1, "z")
	Read(t, s, store.Lasting+"secret", 0, "x")
}

// A server that is behind reads what it has missed, and then adds. A Log restores what the store has lost, both on an
// append and on a read. Another log under the same name replaces the copy, including its known requests. No copy
// brings a forgotten log back.
func copies(t *testing.T, s store.Store) {
	one, two := store.NewLog[Step](s, "t/log"), store.NewLog[Step](s, "t/log")
	Appends(t, one, "a", "b")
	if err := two.Append("c"); !errors.Is(err, store.ErrBehind) {
		t.Fatalf("a log that is behind: %v", err)
	}
	wantSteps(t, two, "a", "b")
	Appends(t, two, "c")
	wantSteps(t, one, "c")
	if one.Len() != 3 || one.Bytes() != int64(3*len(`"a"`)) || two.Len() != 3 || two.Bytes() != one.Bytes() {
		t.Errorf("one has %d entries of %d bytes, the other %d of %d", one.Len(), one.Bytes(), two.Len(), two.Bytes())
	}
	Must(t, s.Delete(Ctx, "t/log"))
	Appends(t, one, "d")
	Must(t, s.Delete(Ctx, "t/log"))
	wantSteps(t, one)
	wantSteps(t, store.NewLog[Step](s, "t/log"), "a", "b", "c", "d")
	Must(t, s.Delete(Ctx, "t/log"))
	Appends(t, store.NewLog[Step](s, "t/log"), "x")
	if err := one.Append("e"); !errors.Is(err, store.ErrBehind) {
		t.Errorf("appending to another log: %v", err)
	}
	wantSteps(t, one, "restart", "x")
	if one.Has("a") || !one.Has("x") || one.Len() != 1 {
		t.Errorf("the Log has %d entries: a %t, x %t", one.Len(), one.Has("a"), one.Has("x"))
	}
	Must(t, s.Forget(Ctx, []string{"t/log"}))
	appending, reading := one.Append("y"), one.Read(func() {}, func(Step) error { return nil })
	if !errors.Is(appending, store.ErrGone) || !errors.Is(reading, store.ErrGone) {
		t.Errorf("a copy adds to the log and reads it: %v, %v", appending, reading)
	}
}

// A log that is idle for Options.Keep is forgotten, unless it is lasting. What is used stays, also over a restart.
func ages(t *testing.T, d Driver) {
	open := d.Place(t)
	s := open(store.Options{Keep: 24 * time.Hour})
	defer func() { s.Close() }()
	Must(t, s.Append(store.WithOwner(Ctx, "network"), store.Lasting+"a", 0, []byte("x")))
	Add(t, s, store.Lasting+"a", 1, "y")
	Add(t, s, "t/old", 0, "x")
	Add(t, s, "t/used", 0, "x")
	d.Later(t, s, 20*time.Hour)
	Add(t, s, "t/used", 1, "y")
	Read(t, s, "t/old", 0, "x")
	if d.Reopens {
		s.Close()
		s = open(store.Options{Keep: 24 * time.Hour})
	}
	d.Later(t, s, 6*time.Hour)
	Read(t, s, "t/old", 0)
	Read(t, s, "t/used", 0, "x", "y")
	d.Later(t, s, 20*time.Hour)
	Read(t, s, "t/used", 0)
	Read(t, s, store.Lasting+"a", 0, "x", "y")
	Add(t, s, store.Lasting+"a", 2, "z")
}

// begin adds logs of size bytes until the store refuses one, and returns their number.
func begin(t *testing.T, s store.Store, prefix, owner string, size int) (n int, err error) {
	return untilRefused(t, func(i int) error {
		return s.Append(store.WithOwner(Ctx, owner), fmt.Sprint(prefix, i), 0, make([]byte, size))
	})
}

// A full store refuses new logs. Existing logs grow into the reserve, lasting ones begin there, and idle logs make
// room, the longest idle first. A store may count partly filled pages, too.
func bounded(t *testing.T, d Driver) {
	const size, most = 10_000, 2 << 20
	var said strings.Builder
	s := d.Place(t)(store.Options{MaxBytes: most, Logger: Logger(&said)})
	defer s.Close()
	began, beginning := begin(t, s, "t/", "", size)
	each := int(store.Cost(0, make([]byte, size)))
	Between(t, "new logs", began, most/each*3/4, most/size)
	if text := said.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "the store is nearly full") {
		t.Errorf("the operator reads\n%s", text)
	}
	Healthy(t, s, "") // existing logs are not affected
	Add(t, s, store.Lasting+"new", 0, strings.Repeat("x", size))
	grown, growing := Grow(t, s, "t/7", 1, size)
	if !errors.Is(beginning, store.ErrFull) || !errors.Is(growing, store.ErrFull) {
		t.Error(beginning, growing)
	}
	Between(t, "entries in the reserve", grown, most/4/size*3/4, most/4/size)
	Between(t, "bytes", s.Stats().Bytes, most*9/8, most*5/4)
	Grow(t, s, "t/7", 1+grown, 100)
	Healthy(t, s, "it is full")
	for i := range began { // all are there
		if entries, err := s.Read(Ctx, fmt.Sprint("t/", i), 0); err != nil || len(entries) == 0 {
			t.Fatalf("log %d of %d has %d entries, %v", i, began, len(entries), err)
		}
	}
	Refused(t, s, "t/new", 0, store.ErrFull)
	d.Later(t, s, 25*time.Hour)
	Must(t, s.Append(Ctx, "t/8", 1, make([]byte, size)))
	Must(t, s.Append(Ctx, "t/new", 0, make([]byte, size)))
	Read(t, s, "t/0", 0)
	Between(t, "bytes", s.Stats().Bytes, most*3/4, most*33/32)
	for log, want := range map[string]int{"t/8": 2, store.Lasting + "new": 1, "t/new": 1} {
		if entries, err := s.Read(Ctx, log, 0); err != nil || len(entries) != want {
			t.Errorf("%s has %d entries, %v", log, len(entries), err)
		}
	}
	Healthy(t, s, "")
}

// One owner may fill a quarter of the store in a day. Other owners, and logs without an owner, still have room.
func shared(t *testing.T, d Driver) {
	const size, most = 10_000, 8 << 20
	open := d.Place(t)
	s := open(store.Options{MaxBytes: most})
	defer func() { s.Close() }()
	share := most / 4 / int(store.Cost(0, make([]byte, size)))
	if began, err := begin(t, s, "a/", "network-a", size); began != share || !errors.Is(err, store.ErrShare) {
		t.Errorf("one owner has begun %d logs, want %d: %v", began, share, err)
	}
	if d.Reopens {
		s.Close()
		s = open(store.Options{MaxBytes: most})
	}
	owned := store.WithOwner(Ctx, "network-a")
	if err := s.Append(owned, "a/more", 0, make([]byte, size)); !errors.Is(err, store.ErrShare) {
		t.Errorf("and one more: %v", err)
	}
	Must(t, s.Append(store.WithOwner(Ctx, "network-b"), "b/0", 0, make([]byte, size)))
	Must(t, s.Append(Ctx, "nobody's", 0, make([]byte, size)))
	// The owner's logs grow by a quarter of the share, no matter who adds to them.
	grown, err := Grow(t, s, "a/0", 1, size)
	if want := most / 4 / 4 / size; grown < want-1 || grown > want+1 || !errors.Is(err, store.ErrShare) {
		t.Errorf("the owner's log has grown by %d entries, want %d: %v", grown, want, err)
	}
	d.Later(t, s, store.ShareTime)
	Must(t, s.Append(owned, "a/more", 0, make([]byte, size)))
	s.Close()
	s = open(store.Options{MaxBytes: 256 << 20})
	if grown, err := Grow(t, s, "long", 0, 1<<20); grown != 31 || !errors.Is(err, store.ErrLong) {
		t.Errorf("a log has %d entries of 1 MiB: %v", grown, err)
	}
}

// The store refuses a log with a damaged entry and logs its name once. Other logs are not affected.
func flipped(t *testing.T, d Driver) {
	var said strings.Builder
	s := d.Place(t)(store.Options{Logger: Logger(&said)})
	defer s.Close()
	for i := range 4 {
		Add(t, s, "t/good", i, "an entry")
		Add(t, s, "t/bad", i, "an entry")
	}
	d.Flip(t, s, "t/bad", 2)
	for range 3 {
		for n := range 3 {
			if entries, err := s.Read(Ctx, "t/bad", n); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "entry 3 of t/bad") || entries != nil {
				t.Errorf("after %d: %q, %v", n, entries, err)
			}
		}
		Read(t, s, "t/bad", 3, "an entry")
		Read(t, s, "t/good", 0, "an entry", "an entry", "an entry", "an entry")
	}
	Add(t, s, "t/good", 4, "and on")
	if text := said.String(); s.Stats().Damaged != 1 || strings.Count(text, "\n") != 1 || !strings.Contains(text, `msg="the store is damaged" log=t/bad entry=3`) {
		t.Errorf("%d records are damaged, and the operator reads\n%s", s.Stats().Damaged, text)
	}
}
