package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine/redis"
	"lockstep/engine/testtools"
)

// served returns a real redis-server on a clock.
func served(t testing.TB) *Server {
	t.Helper()
	if why := LacksClock(); why != nil {
		testtools.Absent(t, why.English)
	}
	s, err := StartServer(testtools.Find(t, "redis-server"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// A key of a real redis-server lives as long as it says, to the millisecond, and the time of the server stands still.
func TestARealServerKeepsOurTime(t *testing.T) {
	s := served(t)
	n := s.New(1_000_000)
	for _, step := range []struct {
		command []string // none: time passes
		reply   string
		passes  int64 // ms
	}{
		{command: []string{"SET", "lock.foo", "C1", "NX", "PX", "10000"}, reply: "OK"},
		{command: []string{"PTTL", "lock.foo"}, reply: "(integer) 10000"},
		{command: []string{"TIME"}, reply: `["1000", "0"]`},
		{passes: 9999},
		{command: []string{"PTTL", "lock.foo"}, reply: "(integer) 1"},
		{command: []string{"SET", "lock.foo", "C2", "NX", "PX", "10000"}, reply: "(nil)"},
		{passes: 1},
		{command: []string{"GET", "lock.foo"}, reply: "(nil)"},
		{command: []string{"SET", "lock.foo", "C2", "NX", "PX", "10000"}, reply: "OK"},
	} {
		if step.command == nil {
			n.Advance(step.passes)
			continue
		}
		if got := n.Do(step.command...).String(); got != step.reply {
			t.Errorf("%s: %s, want %s", redis.Quote(step.command), got, step.reply)
		}
	}
}

// A program that is no Redis is refused, and a server that dies says so instead of a reply.
func TestARealServerThatDoesNotServe(t *testing.T) {
	s := served(t)
	script := filepath.Join(t.TempDir(), "no-redis")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho first\necho no such directive\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if none, err := StartServer(script); err == nil || err.Error() != script+" does not serve: no such directive" {
		t.Errorf("%v, %v", none, err)
	}
	n := s.New(0)
	if got := n.Do("SET", "lock.foo", "1").String(); got != "OK" || s.Err() != nil {
		t.Errorf("%s, %v", got, s.Err())
	}
	_ = s.child.cmd.Process.Kill()
	<-s.ended
	for range 2 {
		if got := n.Do("GET", "lock.foo"); got != "" || n.Unable() == nil || !strings.HasPrefix(n.Unable().English, "redis-server no longer answers: ") || s.Err() == nil {
			t.Errorf("%s, %v, %v", got, n.Unable(), s.Err())
		}
	}
}

// A real server tries scripts that Lockstep does not execute itself: a sorted set with room for one is a lock, and with room for
// two it is none. A lock that a script takes is given back by whatever lets somebody else in.
func TestARealServerTriesScripts(t *testing.T) {
	s := served(t)
	const room = "if redis.call('zcard', KEYS[1]) < tonumber(ARGV[1]) then redis.call('zadd', KEYS[1], 'NX', ARGV[2], ARGV[3]) return 1 end return 0"
	took := []string{"EVAL", room, "1", "sem", "1", "1001.5", "C1-1"}
	if trial := redis.Try(s.New, took); trial.Key != "sem" || trial.Shared || !trial.Granted(":1\r\n") || trial.Granted(":0\r\n") {
		t.Errorf("with room for one: %+v", trial)
	}
	if trial := redis.Try(s.New, []string{"EVAL", room, "1", "sem", "2", "1002.5", "C1-1"}); trial.Key != "" || !trial.Shared {
		t.Errorf("with room for two: %+v", trial)
	}
	for _, test := range []struct {
		command []string
		frees   bool
	}{{[]string{"ZREM", "sem", "C1-1"}, true}, {[]string{"ZREM", "sem", "C2-1"}, false}, {[]string{"ZADD", "sem", "XX", "1002", "C1-1"}, false}, {[]string{"ZREMRANGEBYSCORE", "sem", "-inf", "inf"}, true}} {
		if frees, _ := redis.Frees(s.New, 1_000_000, took, test.command); frees != test.frees {
			t.Errorf("%s: %v", redis.Quote(test.command), frees)
		}
	}
}
