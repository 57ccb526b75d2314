package store

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func newTestCatalog(o Options, idle time.Duration) *catalog {
	return newCatalog(o.withDefaults(1000, 1<<20), idle)
}

// A shelf has the counts of a walk through a catalog.
type shelf struct {
	Order  []string
	Bytes  int64
	Owners map[string]share
}

func walk(t *testing.T, c *catalog) shelf {
	t.Helper()
	s := shelf{Owners: map[string]share{}}
	last := time.Duration(0)
	for l := range c.oldest() {
		s.Order = append(s.Order, fmt.Sprintf("%s of %q: %d entries, %d bytes, %s", l.name, l.owner, l.entries, l.bytes, l.added))
		s.Bytes += l.bytes
		if c.logs[l.name] != l {
			t.Fatalf("%s is not found by its name", l.name)
		}
		if l.added < last {
			t.Fatalf("%s stands behind one that was added to later", l.name)
		}
		last = l.added
		if old := c.now-l.added >= sharePeriod; old != (l.order == &c.old) {
			t.Fatalf("%s was added to %s ago, and counts as old: %t", l.name, c.now-l.added, !old)
		}
		if l.owner != "" && l.order == &c.recent {
			o := s.Owners[l.owner]
			s.Owners[l.owner] = share{o.logs + 1, o.bytes + l.bytes}
		}
	}
	if len(s.Order) != len(c.logs) || s.Bytes != c.bytes || len(s.Owners) != len(c.owners) {
		t.Fatalf("there are %d logs of %d owners with %d bytes; the catalog says %d, %d and %d", len(s.Order), len(s.Owners), s.Bytes, len(c.logs), len(c.owners), c.bytes)
	}
	for owner, o := range s.Owners {
		if *c.owners[owner] != o {
			t.Fatalf("%s has %+v; the catalog says %+v", owner, o, *c.owners[owner])
		}
	}
	return s
}

// The catalog's counts are right after any sequence of changes, and a rollback leaves no
// trace. Half of the transactions fail.
func TestACatalogCountsRight(t *testing.T) {
	for seed := range uint64(20) {
		draw := rand.New(rand.NewPCG(seed, 1))
		c := newTestCatalog(Options{MaxBytes: 100_000, MaxLogs: 60, Keep: 10 * 24 * time.Hour}, 24*time.Hour)
		grown, refused, rolled := 0, map[error]int{}, 0
		for range 300 {
			c.advance(c.now + time.Duration(draw.Int64N(int64(8*time.Hour))))
			before := walk(t, c)
			c.begin()
			for range draw.IntN(8) {
				name := fmt.Sprintf("t/%d", draw.IntN(120))
				n := 0
				if l := c.logs[name]; l != nil {
					n = l.entries
				}
				switch draw.IntN(12) {
				case 0:
					for _, l := range c.expired(2) {
						c.forget(l)
					}
				case 1:
					if l := c.logs[name]; l != nil {
						c.forget(l)
					}
				default:
					was := walk(t, c)
					_, forgotten, err := c.grow(name, n, draw.IntN(4000), []string{"", "a", "b", "c"}[draw.IntN(4)])
					if err != nil {
						refused[err]++
						if now := walk(t, c); !reflect.DeepEqual(was, now) {
							t.Fatalf("seed %d: refused with %v, and yet\n%v\nbecame\n%v", seed, err, was, now)
						}
						break
					}
					grown++
					for _, f := range forgotten {
						if c.now-f.added < c.idle {
							t.Fatalf("seed %d: %s was forgotten after %s", seed, f.name, c.now-f.added)
						}
					}
				}
			}
			if most := c.options.MaxBytes * (reservePart + 1) / reservePart; c.bytes > most || len(c.logs) > c.options.MaxLogs {
				t.Fatalf("seed %d: %d logs take %d bytes", seed, len(c.logs), c.bytes)
			}
			if draw.IntN(2) == 0 {
				c.commit()
				walk(t, c)
				continue
			}
			rolled++
			c.rollback()
			if after := walk(t, c); !reflect.DeepEqual(before, after) {
				t.Fatalf("seed %d: before the transaction that failed\n%s\nafter it\n%s", seed, strings.Join(before.Order, "\n"), strings.Join(after.Order, "\n"))
			}
		}
		if grown < 100 || rolled < 50 {
			t.Fatalf("seed %d: %d were added, %d rolled back: too few to tell", seed, grown, rolled)
		}
	}
}

// The log with the longest idle time makes room, if it has been idle long enough.
func TestTheLongestIdleLogsMakeRoom(t *testing.T) {
	const size = 1000 - entryBytes - logBytes // so that a new log takes 1,000 bytes
	names := func(logs []*entryLog) (all []string) {
		for _, l := range logs {
			all = append(all, l.name)
		}
		return all
	}
	for _, c := range []struct {
		name      string
		o         Options
		age       time.Duration // of t/0; each log up to t/9 is an hour younger
		log       string        // the log that grows; t/new is new
		size      int
		forgotten []string
		err       error
	}{
		{"a new log takes the last bytes", Options{MaxBytes: 11_000}, 0, "t/new", size, nil, nil},
		{"one byte more is too much", Options{MaxBytes: 11_000}, 0, "t/new", size + 1, nil, ErrFull},
		{"the oldest log makes room", Options{MaxBytes: 11_000}, 48 * time.Hour, "t/new", size + 1, []string{"t/0"}, nil},
		{"several logs make room", Options{MaxBytes: 11_000}, 48 * time.Hour, "t/new", size + 2001, []string{"t/0", "t/1", "t/2"}, nil},
		{"younger logs stay", Options{MaxBytes: 11_000}, 26 * time.Hour, "t/new", size + 3001, nil, ErrFull},
		{"logs older than a day make room", Options{MaxBytes: 11_000}, 26 * time.Hour, "t/new", size + 3000, []string{"t/0", "t/1", "t/2"}, nil},
		{"a log grows into the reserve", Options{MaxBytes: 10_000}, 0, "t/3", 2500 - entryBytes, nil, nil},
		{"and not beyond", Options{MaxBytes: 10_000}, 0, "t/3", 2501 - entryBytes, nil, ErrFull},
		{"a log never makes room for itself", Options{MaxBytes: 10_000}, 26 * time.Hour, "t/0", 2501 - entryBytes, []string{"t/1", "t/2"}, nil},
		{"a lasting log takes the reserve", Options{MaxBytes: 10_000}, 0, Lasting + "new", 2500 - entryBytes - logBytes, nil, nil},
		{"and not beyond", Options{MaxBytes: 10_000}, 0, Lasting + "new", 2501 - entryBytes - logBytes, nil, ErrFull},
		{"a lasting log does not count", Options{MaxLogs: 10}, 0, Lasting + "new", size, nil, nil},
		{"as many logs as MaxLogs", Options{MaxLogs: 10}, 0, "t/new", size, nil, ErrFull},
		{"the oldest of MaxLogs makes room", Options{MaxLogs: 10}, 24 * time.Hour, "t/new", size, []string{"t/0"}, nil},
		{"an existing log still grows", Options{MaxLogs: 10}, 0, "t/3", size, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newTestCatalog(c.o, 24*time.Hour)
			k.options.MaxLogs, k.options.MaxBytes = 10, 1<<20
			for i := range 10 {
				k.advance(time.Duration(i) * time.Hour)
				if _, _, err := k.grow(fmt.Sprintf("t/%d", i), 0, size, ""); err != nil {
					t.Fatal(err)
				}
			}
			k.options = c.o.withDefaults(1000, 1<<20)
			k.advance(c.age)
			if c.age == 0 {
				k.advance(9 * time.Hour)
			}
			n := 0
			if l := k.logs[c.log]; l != nil {
				n = l.entries
			}
			_, forgotten, err := k.grow(c.log, n, c.size, "")
			if !errors.Is(err, c.err) || !slices.Equal(names(forgotten), c.forgotten) {
				t.Errorf("%v are forgotten, %v; want %v, %v", names(forgotten), err, c.forgotten, c.err)
			}
			walk(t, k)
		})
	}
}

// A lasting log makes no room, however old it is.
func TestALastingLogMakesNoRoom(t *testing.T) {
	c := newTestCatalog(Options{MaxLogs: 3}, 24*time.Hour)
	for _, name := range []string{Lasting + "a", "t/a", "t/b"} {
		if _, _, err := c.grow(name, 0, 1, ""); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"t/a", "t/b", "t/new0"} {
		c.advance(c.now + 48*time.Hour)
		_, forgotten, err := c.grow(fmt.Sprintf("t/new%d", i), 0, 1, "")
		if err != nil || len(forgotten) != 1 || forgotten[0].name != want {
			t.Errorf("%v are forgotten, %v; want %s", forgotten, err, want)
		}
	}
	c.advance(c.now + c.options.Keep + 1)
	for _, l := range c.expired(10) {
		c.forget(l)
	}
	if got := walk(t, c).Order; len(got) != 1 || c.logs[Lasting+"a"] == nil {
		t.Errorf("%v are left", got)
	}
}

// One owner may begin logs up to a quarter of all bytes and of all logs within a day.
// These may grow by another quarter of that.
func TestAnOwnerHasAShare(t *testing.T) {
	const size = 1000 - entryBytes - logBytes // so that a new log takes 1,000 bytes
	for _, o := range []Options{{MaxBytes: 40_000}, {MaxLogs: 40}} {
		c := newTestCatalog(o, 24*time.Hour)
		for i := range 10 {
			if _, _, err := c.grow(fmt.Sprintf("t/%d", i), 0, size, "a"); err != nil {
				t.Fatalf("log %d: %v", i, err)
			}
		}
		_, _, err := c.grow("t/more", 0, 0, "a")
		if !errors.Is(err, ErrShare) {
			t.Errorf("%+v: an owner of ten logs has one more: %v", o, err)
		}
		for owner, want := range map[string]error{"b": nil, "": nil} {
			if _, _, err := c.grow("t/of"+owner, 0, size, owner); !errors.Is(err, want) {
				t.Errorf("%+v: a log of owner %q: %v", o, owner, err)
			}
		}
		if o.MaxBytes > 0 {
			_, _, err := c.grow("t/0", 1, 2500-entryBytes, "")
			_, _, beyond := c.grow("t/1", 1, 1, "")
			if err != nil || !errors.Is(beyond, ErrShare) {
				t.Errorf("an owner's logs grow by a quarter: %v; and by more: %v", err, beyond)
			}
		}
		c.advance(c.now + sharePeriod - 1)
		if _, _, err := c.grow("t/more", 0, 0, "a"); !errors.Is(err, ErrShare) {
			t.Errorf("%+v: within a day: %v", o, err)
		}
		c.advance(c.now + 1)
		if _, _, err := c.grow("t/more", 0, 0, "a"); err != nil {
			t.Errorf("%+v: on the next day: %v", o, err)
		}
		// An entry moves yesterday's log into today's share.
		if _, _, err := c.grow("t/2", 1, 0, ""); err != nil || c.owners["a"].logs != 2 {
			t.Errorf("%+v: the owner has %+v, %v", o, c.owners["a"], err)
		}
		walk(t, c)
	}
}

// The warning comes at 80 %, and again only after the store has been below 70 %.
func TestTheOperatorIsWarnedOnce(t *testing.T) {
	var told notebook
	a := alarm{}
	for _, c := range []struct{ taken, lines int }{{0, 0}, {799, 0}, {800, 1}, {1000, 1}, {701, 1}, {800, 1}, {699, 1}, {799, 1}, {900, 2}} {
		a.tell(int64(c.taken), 1000, told.logger())
		if n := strings.Count(told.String(), `level=WARN msg="the store is nearly full"`); n != c.lines {
			t.Errorf("at %d of 1,000 the operator was told %d times, want %d:\n%s", c.taken, n, c.lines, told.String())
		}
	}
	unbounded := alarm{}
	unbounded.tell(5, 0, slog.New(slog.DiscardHandler))
	if unbounded.told {
		t.Error("a store without a bound is nearly full")
	}
}

// A refusal does not walk through all logs.
func BenchmarkRefusal(b *testing.B) {
	c := newCatalog(Options{MaxLogs: 100_000}.withDefaults(0, 1<<30), time.Hour)
	for i := range c.options.MaxLogs {
		if _, _, err := c.grow(fmt.Sprint("t/", i), 0, 100, fmt.Sprint(i%10)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, _, err := c.grow("t/new", 0, 100, "x"); err != ErrFull {
			b.Fatal(err)
		}
	}
}
