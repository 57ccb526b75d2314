package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"lockstep/engine/testtools"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/gomodule/redigo/redis"
)

// A redisServer writes every command to its disk, and reads them when it starts again.
type redisServer struct {
	*testtools.Redis
	t testing.TB
}

func startRedis(t testing.TB, options ...string) *redisServer {
	t.Helper()
	return &redisServer{testtools.StartRedis(t, slices.Concat(testtools.Durable, options)...), t}
}

// client returns a client for commands that no store sends.
func (s *redisServer) client() redis.Conn {
	client, err := redis.Dial("unix", s.Socket)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { client.Close() })
	return client
}

// allow sets how much memory a Redis may use.
func allow(t testing.TB, client redis.Conn, memory string) {
	t.Helper()
	if _, err := client.Do("CONFIG", "SET", "maxmemory", memory); err != nil {
		t.Fatal(err)
	}
}

// left returns how long a key is there.
func left(client redis.Conn, key string) time.Duration {
	ms, _ := redis.Int64(client.Do("PTTL", key))
	return time.Duration(ms) * time.Millisecond
}

func openRedis(t testing.TB, url string, o Options) Store {
	t.Helper()
	s, err := Redis(url, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Two servers share a Redis.
func twoServers(t *testing.T, url string) (a, b Store) {
	a, b = openRedis(t, url, Options{}), openRedis(t, url, Options{})
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

func TestTwoServersReadTheSameOrder(t *testing.T) {
	a, b := twoServers(t, startRedis(t).URL())
	compete(t, a, b)
}

// heard returns a channel with the news for a follower, in order.
func heard(s Store) <-chan News {
	all := make(chan News, 1000)
	var busy atomic.Bool
	s.Follow(func(n News) {
		if busy.Swap(true) {
			panic("two calls at once")
		}
		all <- n
		busy.Store(false)
	})
	return all
}

func TestOneServerHearsTheOther(t *testing.T) {
	server := startRedis(t)
	a, b := twoServers(t, server.URL())
	toA, toB := heard(a), heard(b)
	for _, to := range []<-chan News{toA, toB} {
		if first := <-to; first.Log != "" {
			t.Fatalf("a follower first hears %+v, not that it may have missed news", first)
		}
	}
	other := openRedis(t, server.URL()+"?db=1", Options{}) // has other logs
	defer other.Close()
	add(t, other, "t/a", 0, "elsewhere")
	add(t, a, "t/a", 0, "x")
	refused(t, a, "t/a", 0, ErrBehind)
	add(t, a, "t/a", 1, "y")
	for _, message := range []string{"three people  \n\x00\xff", ""} {
		if err := a.Tell(ctx, "r/1", []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	add(t, b, "t/b", 0, "z")
	if err := b.Tell(ctx, "r/2", []byte("the end")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"t/a" grown}`, `{"t/a" grown}`, `{"r/1" "three people  \n\x00\xff"}`, `{"r/1" ""}`} {
		if got := describe(<-toB); got != want {
			t.Errorf("b hears %s, not %s", got, want)
		}
	}
	for _, want := range []string{`{"t/b" grown}`, `{"r/2" "the end"}`} {
		if got := describe(<-toA); got != want {
			t.Errorf("a hears %s, not %s", got, want)
		}
	}
}

func describe(n News) string {
	if n.Message == nil {
		return fmt.Sprintf("{%q grown}", n.Log)
	}
	return fmt.Sprintf("{%q %q}", n.Log, n.Message)
}

// The test kills Redis twice in the middle of many appends by two servers.
func TestAcknowledgedEntriesSurviveARestartOfRedis(t *testing.T) {
	server := startRedis(t)
	a, b := twoServers(t, server.URL())
	toA, toB := heard(a), heard(b)
	<-toA // both follow before the first power cut
	<-toB
	const enough = 300 // acknowledged entries of each server
	var acknowledged [2][]string
	var progress [2]atomic.Int64
	var all sync.WaitGroup
	for i, s := range []Store{a, b} {
		all.Go(func() {
			n := 0
			for len(acknowledged[i]) < enough {
				entry := fmt.Sprintf("%d of server %d", len(acknowledged[i]), i)
				err := s.Append(ctx, "t/a", n, []byte(entry))
				if err == nil {
					acknowledged[i] = append(acknowledged[i], entry)
					progress[i].Add(1)
					n++
					continue
				}
				if errors.Is(err, ErrLost) {
					t.Errorf("server %d has seen %d entries: %v", i, n, err)
					return
				}
				missed, err := s.Read(ctx, "t/a", n)
				if err != nil { // Redis is away
					time.Sleep(5 * time.Millisecond)
					continue
				}
				n += len(missed)
				if slices.ContainsFunc(missed, func(e []byte) bool { return string(e) == entry }) {
					acknowledged[i] = append(acknowledged[i], entry) // it was kept, but the answer was lost
					progress[i].Add(1)
				}
			}
		})
	}
	for _, at := range []int64{enough / 3, enough * 2 / 3} {
		for progress[0].Load() < at && progress[1].Load() < at {
			time.Sleep(time.Millisecond)
		}
		server.Kill()
		server.Start()
	}
	all.Wait()

	entries, err := a.Read(ctx, "t/a", 0)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, entry := range entries {
		count[string(entry)]++
	}
	for _, entry := range slices.Concat(acknowledged[0], acknowledged[1]) {
		if count[entry] != 1 {
			t.Errorf("%q was acknowledged and is there %d times", entry, count[entry])
		}
	}
	if len(entries) != 2*enough {
		t.Errorf("%d entries are there", len(entries))
	}
	for name, to := range map[string]<-chan News{"a": toA, "b": toB} {
		for n := <-to; n.Log != ""; {
			n = <-to
		}
		t.Logf("%s heard that it may have missed news", name)
	}
}

func TestALongLogIsReadInParts(t *testing.T) {
	server := startRedis(t, "--appendfsync", "no")
	s := openRedis(t, server.URL(), Options{})
	defer s.Close()
	var want []string
	for i := range 2 * readAtOnce {
		want = append(want, fmt.Sprint(i))
		add(t, s, "t/a", i, want[i])
	}
	read(t, s, "t/a", 0, want...)
	read(t, s, "t/a", readAtOnce, want[readAtOnce:]...)
	read(t, s, "t/a", 2*readAtOnce-1, want[2*readAtOnce-1:]...)
}

// Somebody else has removed entries from Redis.
func TestNothingIsWrittenBehindAGap(t *testing.T) {
	server := startRedis(t)
	s := openRedis(t, server.URL(), Options{})
	defer s.Close()
	for i := range 5 {
		add(t, s, "t/a", i, "x")
	}
	if _, err := server.client().Do("XTRIM", "lockstep:t/a", "MAXLEN", 3); err != nil {
		t.Fatal(err)
	}
	refused(t, s, "t/a", 5, ErrLost)
	if entries, err := s.Read(ctx, "t/a", 0); !errors.Is(err, ErrLost) {
		t.Errorf("there are %q, %v", entries, err)
	}
	if err := s.Append(ctx, "t/a", 3, []byte("x")); err == nil || errors.Is(err, ErrBehind) {
		t.Errorf("a log of three that ends with 5-0 goes on with 4-0: %v", err)
	}
}

// Somebody has changed the type of the keys beside the logs. The store counts anew, and
// logs begin and grow as before.
func TestAKeyOfRedisHoldsSomethingElse(t *testing.T) {
	server := startRedis(t, "--maxmemory", "32mb", "--maxmemory-policy", "noeviction")
	s := openRedis(t, server.URL(), Options{})
	defer s.Close()
	client := server.client()
	owned := WithOwner(ctx, "network-a")
	const taken = "lockstep:taken:network-a"
	for i, put := range [][]any{
		{"SET", taken, "x"}, {"SET", taken, ""}, {"SET", taken, "nan"}, {"SET", taken, "-5"}, {"SET", taken, "0x10"}, {"SET", taken, "1e3"}, {"SET", taken, "1.5"},
		{"SET", taken, "9223372036854775807"}, {"SET", taken, "99999999999999999999999"}, {"LPUSH", taken, "x"}, {"HSET", taken, "x", "y"},
		{"LPUSH", "lockstep:owner:t/first", "x"}, {"SET", "lockstep:owner:t/first", ""},
	} {
		if i == 0 {
			must(t, s.Append(owned, "t/first", 0, []byte("x")))
		}
		client.Do("DEL", put[1])
		if _, err := client.Do(put[0].(string), put[1:]...); err != nil {
			t.Fatal(err)
		}
		log := fmt.Sprintf("t/%d", i)
		if err := s.Append(owned, log, 0, []byte("x")); err != nil {
			t.Errorf("%v: a log is begun: %v", put, err)
		}
		if err := s.Append(ctx, "t/first", 1+i, []byte("x")); err != nil {
			t.Errorf("%v: a log grows: %v", put, err)
		}
		if left := left(client, taken); left <= 0 || left > sharePeriod {
			t.Errorf("%v: the share is counted anew in %s", put, left)
		}
		if n, err := redis.Int(client.Do("GET", taken)); err != nil || n < entryBytes || n > 100*(logBytes+entryBytes+1) {
			t.Errorf("%v: the owner has taken %d, %v", put, n, err)
		}
	}

	var told notebook
	s = openRedis(t, server.URL(), Options{Logger: told.logger()})
	defer s.Close()
	client.Do("SET", "lockstep:t/5", "x")
	refused(t, s, "t/5", 1, ErrDamaged)
	if _, err := s.Read(ctx, "t/5", 0); !errors.Is(err, ErrDamaged) {
		t.Errorf("a key that is not a log: %v", err)
	}
	if strings.Count(told.String(), " log=t/5 ") != 1 {
		t.Errorf("the operator is told\n%s", told.String())
	}
	read(t, s, "t/6", 0, "x")
}

// A Redis that is full forgets a log for good all the same: that is what makes room again.
func TestAFullRedisForgetsALogForGood(t *testing.T) {
	server := startRedis(t, "--maxmemory", "32mb", "--maxmemory-policy", "noeviction")
	s := openRedis(t, server.URL(), Options{})
	defer s.Close()
	add(t, s, "r/123456", 0, "opened")
	client := server.client()
	allow(t, client, "1mb")
	if err := s.Forget(ctx, []string{"t/never", "r/123456"}); err != nil {
		t.Errorf("a full Redis does not forget: %v", err)
	}
	allow(t, client, "32mb")
	for _, log := range []string{"t/never", "r/123456"} {
		if err := s.Append(ctx, log, 0, []byte("again")); !errors.Is(err, ErrGone) {
			t.Errorf("somebody brings %s back: %v", log, err)
		}
	}
}

func TestRedisForgetsALog(t *testing.T) {
	server := startRedis(t)
	s := openRedis(t, server.URL(), Options{Keep: time.Hour})
	defer s.Close()
	client := server.client()
	for i := range 2 {
		add(t, s, "t/a", i, "x")
		if left := left(client, "lockstep:t/a"); left <= time.Minute || left > time.Hour {
			t.Errorf("after %d appends it has %s left", i+1, left)
		}
		client.Do("EXPIRE", "lockstep:t/a", 60)
	}
}

// A relay stands between a store and Redis. Like a network, it can lose an answer, and can
// fall silent without closing a connection.
type relay struct {
	url      string
	redis    string
	listener net.Listener
	lose     atomic.Bool   // lose the next answer of Redis, and its connection
	silent   chan struct{} // when closed, existing connections carry nothing
}

func startRelay(t *testing.T, server *redisServer) *relay {
	socket := filepath.Join(server.Dir, "relay")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{url: "unix://" + socket, redis: server.Socket, listener: listener, silent: make(chan struct{})}
	var all sync.WaitGroup
	done, stop := context.WithCancel(ctx)
	t.Cleanup(func() {
		stop()
		listener.Close()
		all.Wait()
	})
	all.Go(func() {
		for {
			outside, err := listener.Accept()
			if err != nil {
				return
			}
			inside, err := net.Dial("unix", r.redis)
			if err != nil {
				t.Error(err)
			}
			before := true // the silence, which only who came before meets
			select {
			case <-r.silent:
				before = false
			default:
			}
			context.AfterFunc(done, func() { outside.Close(); inside.Close() })
			deaf := func() bool {
				select {
				case <-r.silent:
					return before
				default:
					return false
				}
			}
			all.Go(func() { r.carry(outside, inside, func() bool { return false }, deaf) })
			all.Go(func() { r.carry(inside, outside, func() bool { return r.lose.CompareAndSwap(true, false) }, deaf) })
		}
	})
	return r
}

func (r *relay) carry(from, to net.Conn, lose, deaf func() bool) {
	defer to.Close()
	for buffer := make([]byte, 64<<10); ; {
		n, err := from.Read(buffer)
		if err != nil || lose() {
			return
		}
		if deaf() {
			io.Copy(io.Discard, from)
			return
		}
		to.Write(buffer[:n])
	}
}

func TestAnAnswerThatIsLost(t *testing.T) {
	server := startRedis(t)
	relay := startRelay(t, server)
	s := openRedis(t, relay.url, Options{})
	defer s.Close()
	add(t, s, "t/a", 0, "x")
	relay.lose.Store(true)
	add(t, s, "t/a", 1, "once")
	if relay.lose.Load() {
		t.Error("no answer was lost")
	}
	add(t, s, "t/a", 2, "y")
	read(t, s, "t/a", 0, "x", "once", "y")
}

func TestAFollowerNoticesSilence(t *testing.T) {
	server := startRedis(t)
	relay := startRelay(t, server)
	s := openRedis(t, relay.url, Options{})
	defer s.Close()
	s.(*streams).quiet = 20 * time.Millisecond
	news := heard(s)
	<-news
	close(relay.silent)
	if n := <-news; n.Log != "" {
		t.Errorf("heard %+v", n)
	}
	other := openRedis(t, server.URL(), Options{})
	defer other.Close()
	for n := 0; ; n++ {
		add(t, other, "t/a", n, "x")
		switch told := <-news; told.Log {
		case "t/a":
			return
		case "": // a busy machine falls silent for so long once more, and what is told meanwhile is lost
		default:
			t.Fatalf("heard %+v", told)
		}
	}
}

func TestADeadlineEndsTheWaitForRedis(t *testing.T) {
	server := startRedis(t)
	relay := startRelay(t, server)
	s := openRedis(t, relay.url, Options{})
	defer s.Close()
	add(t, s, "t/a", 0, "x")
	close(relay.silent)
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if err := s.Append(short, "t/a", 1, []byte("y")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// A ping says why a Redis refuses commands.
func TestAPingSaysWhyRedisRefuses(t *testing.T) {
	server := miniredis.RunT(t)
	s := openRedis(t, "redis://"+server.Addr(), Options{})
	defer s.Close()
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
		healthy(t, s, reason)
	}
	server.SetError("")
	healthy(t, s, "")
	if keys := server.Keys(); len(keys) != 1 || server.TTL(keys[0]) != pingAge {
		t.Errorf("a ping leaves %v", keys)
	}
	server.Close()
	healthy(t, s, "Redis does not answer")
}

func TestRedisIsAway(t *testing.T) {
	server := startRedis(t)
	s := openRedis(t, server.URL(), Options{})
	defer s.Close()
	add(t, s, "t/a", 0, "x")
	server.Kill()
	if err := s.Ping(ctx); err == nil {
		t.Error("it answers although it is not there")
	}
	if err := s.Append(ctx, "t/a", 1, []byte("y")); err == nil || errors.Is(err, ErrBehind) || errors.Is(err, ErrLost) {
		t.Errorf("append: %v", err)
	}
	if _, err := s.Read(ctx, "t/a", 0); err == nil {
		t.Error("read from nowhere")
	}
	server.Start()
	for s.Ping(ctx) != nil {
		time.Sleep(5 * time.Millisecond)
	}
	read(t, s, "t/a", 0, "x")
	add(t, s, "t/a", 1, "y")
}

func TestAPasswordIsNotInAnError(t *testing.T) {
	const secret = "hunter2"
	for _, address := range []string{
		"redis://:hunter2@ host", "redis://:hunter2@host:port", "redis://:hunter2/x@host", "redis://:x/hunter2@host", "redis://u:hunter2?x@host",
		"redis://u:1#hunter2@host", "redis://u:1?hunter2@host", "http://u:hunter2@host", "u:hunter2@host", "redis://u:%hunter2@host", "redis://u:hunter2@host/x",
		"redis://u:hunter2@host?read_timeout=hunter2", "hunter2", "",
	} {
		_, err := Redis(address, Options{})
		if err == nil {
			t.Errorf("%s is an address", address)
		} else if strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "redis://user:password@host:port/number") {
			t.Errorf("%s: %v", address, err)
		}
	}

	server := startRedis(t, "--requirepass", "another")
	for _, u := range []url.URL{
		{Scheme: "unix", Path: server.Socket, User: url.UserPassword("", secret)},           // the wrong password
		{Scheme: "redis", Host: "127.0.0.1:1", User: url.UserPassword("teacher", secret)},   // nobody there
		{Scheme: "rediss", Host: "127.0.0.1:1", User: url.UserPassword("teacher", secret)},  // nobody there
		{Scheme: "redis", Host: "no.invalid:6379", User: url.UserPassword("", secret+"/x")}, // no such host
	} {
		s := openRedis(t, u.String(), Options{})
		for what, err := range map[string]error{
			"ping": s.Ping(ctx), "append": s.Append(ctx, "t/a", 0, nil), "tell": s.Tell(ctx, "t/a", nil), "delete": s.Delete(ctx, "t/a"),
		} {
			if err == nil || strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %s: %v", u.Redacted(), what, err)
			}
		}
		s.Close()
	}
}
