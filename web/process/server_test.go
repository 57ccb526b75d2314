package process

import (
	"strings"
	"testing"

	"lockstep/engine/redis"
	"lockstep/engine/testtools"
)

// served returns a real redis-server on a clock.
func served(t testing.TB) *Server {
	t.Helper()
	if why := LacksClock(); why != nil {
		t.Skip(why.English)
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
		command []string
		reply   string
	}{
		{[]string{"SET", "lock.foo", "C1", "NX", "PX", "10000"}, "OK"},
		{[]string{"PTTL", "lock.foo"}, "(integer) 10000"},
		{[]string{"TIME"}, `["1000", "0"]`},
		{nil, "9999"},
		{[]string{"PTTL", "lock.foo"}, "(integer) 1"},
		{[]string{"SET", "lock.foo", "C2", "NX", "PX", "10000"}, "(nil)"},
		{nil, "1"},
		{[]string{"GET", "lock.foo"}, "(nil)"},
		{[]string{"SET", "lock.foo", "C2", "NX", "PX", "10000"}, "OK"},
	} {
		if step.command == nil {
			ms := map[string]int64{"1": 1, "9999": 9999}[step.reply]
			n.Advance(ms)
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
	if none, err := StartServer(testtools.Find(t, "true")); err == nil || !strings.Contains(err.Error(), "true does not serve") {
		t.Errorf("%v, %v", none, err)
	}
	n := s.New(0)
	if got := n.Do("SET", "lock.foo", "1").String(); got != "OK" || s.Err() != nil {
		t.Errorf("%s, %v", got, s.Err())
	}
	_ = s.child.cmd.Process.Kill()
	<-s.ended
	for range 2 {
		if got := n.Do("GET", "lock.foo").String(); !strings.HasPrefix(got, "(error) ERR redis-server: ") || s.Err() == nil {
			t.Errorf("%s, %v", got, s.Err())
		}
	}
	if s.Asked() != 1 {
		t.Errorf("it has executed %d commands", s.Asked())
	}
}
