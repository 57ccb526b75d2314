package redis

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	redigo "github.com/gomodule/redigo/redis"
	"go.uber.org/goleak"

	"lockstep/engine/testtools"
	"lockstep/web/store"
	. "lockstep/web/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRedis(t *testing.T) {
	Run(t, Driver{
		Place: func(t testing.TB) func(store.Options) store.Store {
			url := startRedis(t).URL()
			return func(o store.Options) store.Store { return opened(t, url, o) }
		},
		Reopens: true,
		Shares:  true,
		Later: func(t *testing.T, s store.Store, by time.Duration) { // every key comes nearer to its end
			l := s.(*streams).link
			keys, err := redigo.Strings(l.do(Ctx, "KEYS", "*"))
			Must(t, err)
			for _, key := range keys {
				if left, _ := redigo.Int64(l.do(Ctx, "PTTL", key)); left > 0 {
					l.do(Ctx, "PEXPIRE", key, left-by.Milliseconds())
				}
			}
		},
		Flip: func(t *testing.T, s store.Store, log string, n int) {
			l := s.(*streams).link
			all, err := redigo.Values(l.do(Ctx, "XRANGE", key(log), "-", "+"))
			Must(t, err)
			l.do(Ctx, "DEL", key(log))
			for i, message := range all {
				_, record := recordIn(message)
				if i == n {
					record[len(record)-1] ^= 1
				}
				l.do(Ctx, "XADD", key(log), id(i), "e", record, "id", "x")
			}
		},
	})
}

// startRedis starts a Redis that writes every command to its disk, and reads them when it starts again.
func startRedis(t testing.TB, options ...string) *testtools.Redis {
	t.Helper()
	return testtools.StartRedis(t, slices.Concat(testtools.Durable, options)...)
}

func opened(t testing.TB, url string, o store.Options) store.Store {
	t.Helper()
	s, err := Open(url, o)
	Must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// client sends commands that no store sends.
func client(t testing.TB, r *testtools.Redis) func(name string, args ...any) any {
	t.Helper()
	conn, err := redigo.Dial("unix", r.Socket)
	Must(t, err)
	t.Cleanup(func() { conn.Close() })
	return func(name string, args ...any) any {
		t.Helper()
		answer, err := conn.Do(name, args...)
		Must(t, err)
		return answer
	}
}

// heard returns a channel with the news for a follower, in order. The first says that news may be missing.
func heard(t *testing.T, s store.Store) <-chan store.News {
	t.Helper()
	all := make(chan store.News, 1000)
	var busy atomic.Bool
	s.Follow(func(n store.News) {
		if busy.Swap(true) {
			panic("two calls at once")
		}
		all <- n
		busy.Store(false)
		if n.Log == "t/panic" {
			panic("cannot hear this")
		}
	})
	if first := <-all; first.Log != "" {
		t.Fatalf("a follower first hears %+v", first)
	}
	return all
}

func TestTwoServersReadTheSameOrder(t *testing.T) {
	url := startRedis(t).URL()
	Compete(t, opened(t, url, store.Options{}), opened(t, url, store.Options{}))
}

// A server hears what the others do, and not what it does itself, nor what happens in another database. A panic of
// whoever listens ends nothing.
func TestOneServerHearsTheOther(t *testing.T) {
	r := startRedis(t)
	a, b, elsewhere := opened(t, r.URL(), store.Options{}), opened(t, r.URL(), store.Options{}), opened(t, r.URL()+"?db=1", store.Options{})
	toA, toB := heard(t, a), heard(t, b)
	Add(t, elsewhere, "t/a", 0, "elsewhere")
	Add(t, a, "t/panic", 0, "x")
	Refused(t, a, "t/panic", 0, store.ErrBehind)
	Add(t, a, "t/a", 0, "y")
	for _, message := range []string{"three people  \n\x00\xff", ""} {
		Must(t, a.Tell(Ctx, "r/1", []byte(message)))
	}
	Must(t, a.Forget(Ctx, []string{"t/a"}))
	Add(t, b, "t/b", 0, "z")
	for want, from := range map[string]<-chan store.News{
		`{t/panic nil} {t/a nil} {r/1 "three people  \n\x00\xff"} {r/1 ""} {t/a nil}`: toB,
		`{t/b nil}`: toA,
	} {
		var got []string
		for range strings.Count(want, "{") {
			n := <-from
			message := "nil"
			if n.Message != nil {
				message = fmt.Sprintf("%q", n.Message)
			}
			got = append(got, fmt.Sprintf("{%s %s}", n.Log, message))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("heard %s, not %s", got, want)
		}
	}
	if n := b.Stats().Panics; n != 1 {
		t.Errorf("%d panics are counted", n)
	}
}

// The test kills Redis twice in the middle of many appends by two servers. Each entry is there once, and followers hear
// that they may have missed news.
func TestAcknowledgedEntriesSurviveARestartOfRedis(t *testing.T) {
	r := startRedis(t)
	const enough = 300 // acknowledged entries of each server
	var acknowledged [2]atomic.Int64
	var all sync.WaitGroup
	for i := range acknowledged {
		s := opened(t, r.URL(), store.Options{})
		news, l := heard(t, s), store.NewLog[Step](s, "t/a")
		all.Go(func() {
			for acknowledged[i].Load() < enough {
				step := Step(fmt.Sprintf("%d of server %d", acknowledged[i].Load(), i))
				if l.Append(step) != nil { // the entry may be there all the same
					_ = l.Read(func() { t.Error("the log has lost entries") }, func(Step) error { return nil })
				}
				if l.Has(string(step)) {
					acknowledged[i].Add(1)
				}
			}
			for n := range news {
				if n.Log == "" {
					return
				}
			}
		})
	}
	for _, at := range []int64{enough / 3, enough * 2 / 3} {
		for acknowledged[0].Load() < at && acknowledged[1].Load() < at {
			time.Sleep(time.Millisecond)
		}
		r.Kill()
		r.Start()
	}
	all.Wait()
	steps := Folded(t, store.NewLog[Step](opened(t, r.URL(), store.Options{}), "t/a"))
	if distinct := slices.Compact(slices.Sorted(slices.Values(steps))); len(steps) != 2*enough || len(distinct) != len(steps) {
		t.Errorf("%d entries are there, and %d different ones", len(steps), len(distinct))
	}
}

// A long log is read in parts. Somebody else removes some of its entries: nothing is written behind the gap.
func TestALongLog(t *testing.T) {
	r := startRedis(t, "--appendfsync", "no")
	s := opened(t, r.URL(), store.Options{})
	var want []string
	for i := range 2 * readAtOnce {
		want = append(want, fmt.Sprint(i))
		Add(t, s, "t/a", i, want[i])
	}
	for _, n := range []int{0, readAtOnce, 2*readAtOnce - 1} {
		Read(t, s, "t/a", n, want[n:]...)
	}
	client(t, r)("XTRIM", "lockstep:t/a", "MAXLEN", 3)
	Refused(t, s, "t/a", 2*readAtOnce, store.ErrLost)
	if entries, err := s.Read(Ctx, "t/a", 0); !errors.Is(err, store.ErrLost) {
		t.Errorf("there are %q, %v", entries, err)
	}
	if err := s.Append(Ctx, "t/a", 3, []byte("x")); err == nil || errors.Is(err, store.ErrBehind) {
		t.Errorf("a log of three that ends with another number goes on with 4-0: %v", err)
	}
}

// A full Redis takes no entry, keeps its logs, and forgets one for good all the same: that makes room again. The
// store refuses new logs before that.
func TestAFullRedis(t *testing.T) {
	r := startRedis(t, "--maxmemory", "8mb", "--maxmemory-policy", "noeviction")
	var said strings.Builder
	s := opened(t, r.URL(), store.Options{Logger: Logger(&said)})
	Healthy(t, s, "")
	Add(t, s, "t/first", 0, "x")
	Add(t, s, "r/123456", 0, "opened")
	const size = 20_000
	began, err := 0, error(nil)
	for ; err == nil && began < 1000; began++ {
		s.(*streams).measured = time.Time{} // the store measures each time
		err = s.Append(Ctx, fmt.Sprintf("t/%d", began), 0, make([]byte, size))
	}
	if !errors.Is(err, store.ErrFull) {
		t.Error(err)
	}
	Between(t, "new logs", began, 100, 8<<20*4/5/size)
	if stats := s.Stats(); stats.MaxBytes != 8<<20*4/5 || stats.Bytes > stats.MaxBytes+8*size || stats.Bytes < stats.MaxBytes*9/10 { // Redis counts its connections' buffers, too, which hold some entries
		t.Errorf("there are %+v", stats)
	}
	if !strings.Contains(said.String(), "the store is nearly full") {
		t.Errorf("the operator reads\n%s", said.String())
	}
	Add(t, s, store.Lasting+"new", 0, "x")
	grown, err := Grow(t, s, "t/first", 1, size)
	if grown < 20 || !errors.Is(err, store.ErrFull) {
		t.Errorf("an existing log has grown by %d entries: %v", grown, err)
	}
	do := client(t, r)
	do("CONFIG", "SET", "maxmemory", "2mb")
	Healthy(t, s, "Redis is full")
	Refused(t, s, "t/first", 1+grown, store.ErrFull)
	Must(t, s.Forget(Ctx, []string{"t/never", "r/123456"}))
	do("CONFIG", "SET", "maxmemory", "16mb")
	for _, log := range []string{"t/never", "r/123456"} {
		Refused(t, s, log, 0, store.ErrGone)
	}
	if entries, err := s.Read(Ctx, "t/first", 0); err != nil || len(entries) != 1+grown {
		t.Errorf("there are %d of %d entries, %v", len(entries), 1+grown, err)
	}
	Healthy(t, s, "")
	Add(t, s, "t/first", 1+grown, "and on")
}

// Two servers of one Redis share the count of an owner's bytes.
func TestOneOwnerHasAShareOfARedis(t *testing.T) {
	r := startRedis(t, "--maxmemory", "32mb", "--maxmemory-policy", "noeviction")
	a, b := opened(t, r.URL(), store.Options{}), opened(t, r.URL(), store.Options{})
	const size, most = 20_000, 32 << 20 * 4 / 5
	owned := store.WithOwner(Ctx, "network-a")
	began, err := 0, error(nil)
	for ; err == nil; began++ {
		err = []store.Store{a, b}[began%2].Append(owned, fmt.Sprintf("t/%d", began), 0, make([]byte, size))
	}
	if want := most/4/int(store.Cost(0, make([]byte, size))) + 1; began != want || !errors.Is(err, store.ErrShare) {
		t.Errorf("one owner has begun %d logs, want %d: %v", began-1, want-1, err)
	}
	Must(t, b.Append(store.WithOwner(Ctx, "network-b"), "t/b", 0, make([]byte, size)))
	Must(t, b.Append(Ctx, "t/nobody", 0, make([]byte, size)))
	grown, err := Grow(t, b, "t/0", 1, size)
	if Between(t, "entries by which the owner's log has grown", grown, most/16/size-1, most/16/size+1); !errors.Is(err, store.ErrShare) {
		t.Error(err)
	}
	do := client(t, r)
	if left, err := redigo.Int64(do("PTTL", "lockstep:taken:network-a"), nil); err != nil || left < (store.ShareTime-time.Hour).Milliseconds() || left > store.ShareTime.Milliseconds() {
		t.Errorf("the share ends in %d ms, %v", left, err)
	}
	do("DEL", "lockstep:taken:network-a") // the day is over
	Must(t, a.Append(owned, "t/more", 0, make([]byte, size)))
}

// Redis goes away and comes back. A server that has many unused connections notices nothing but the time between.
func TestRedisIsAway(t *testing.T) {
	r := startRedis(t)
	s := opened(t, r.URL(), store.Options{})
	Add(t, s, "t/a", 0, "x")
	pool := &s.(*streams).link.pool
	for deadline := time.Now().Add(10 * time.Second); pool.Stats().IdleCount < 3 && time.Now().Before(deadline); {
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() { _ = s.Ping(Ctx) })
		}
		all.Wait()
	}
	r.Kill()
	if err := s.Ping(Ctx); Reason(err) != "Redis does not answer" {
		t.Errorf("it is not there, and the ping says %v", err)
	}
	if err := s.Append(Ctx, "t/a", 1, []byte("y")); err == nil || store.Refused(err) {
		t.Errorf("append: %v", err)
	}
	if _, err := s.Read(Ctx, "t/a", 0); err == nil || errors.Is(err, store.ErrLost) {
		t.Errorf("read from nowhere: %v", err)
	}
	r.Start()
	for s.Ping(Ctx) != nil {
		time.Sleep(5 * time.Millisecond)
	}
	Read(t, s, "t/a", 0, "x")
	Add(t, s, "t/a", 1, "y")
	r.Kill()
	r.Start()
	Add(t, s, "t/a", 2, "z")
}

// A ping says why a Redis refuses commands, and leaves a key that ends.
func TestAPingSaysWhyRedisRefuses(t *testing.T) {
	server := miniredis.RunT(t)
	s := opened(t, "redis://"+server.Addr(), store.Options{})
	for said, reason := range map[string]string{
		"OOM command not allowed when used memory > 'maxmemory'.":                                 "Redis is full",
		"MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist": "Redis cannot write to its disk",
		"READONLY You can't write against a read only replica.":                                   "Redis is read-only",
		"LOADING Redis is loading the dataset in memory":                                          "Redis is still loading",
		"NOAUTH Authentication required.":                                                         "Redis refuses the user",
		"NOPERM User default has no permissions to run the 'set' command":                         "Redis refuses the user",
		"ERR something else": "Redis does not answer",
	} {
		server.SetError(said)
		Healthy(t, s, reason)
	}
	server.SetError("")
	Healthy(t, s, "")
	if keys := server.Keys(); len(keys) != 1 || server.TTL(keys[0]) != pingAge {
		t.Errorf("a ping leaves %v", keys)
	}
}
