package learn

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

func enter(c *client) { c.Do("PUBLISH", "lockstep", "enter") }
func leave(c *client) { c.Do("PUBLISH", "lockstep", "leave") }

func takes(c *client) {
	for c.Do("SET", "lock.foo", c.token, "NX", "PX", "10000") != "+OK\r\n" {
	}
}

// asks sends a script until it replies 1.
func asks(c *client, lua string, words ...string) {
	for c.Do(append([]string{"EVAL", lua}, words...)...) != ":1\r\n" {
	}
}

// A verdict is about what the program does, and what it rests on is told. Each program is one that once got a false verdict or a
// false reason.
func TestVerdictsAtTheEdge(t *testing.T) {
	const (
		counts = "if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end return 0"
		all    = "for i, key in ipairs(KEYS) do if redis.call('exists', key) == 1 then return 0 end end for i, key in ipairs(KEYS) do redis.call('set', key, ARGV[1], 'PX', ARGV[2]) end return #KEYS"
		upTo   = "if tonumber(redis.call('get', KEYS[1]) or '0') < tonumber(ARGV[1]) then redis.call('incr', KEYS[1]) return 1 end return 0"
		zset   = "if redis.call('zcard', KEYS[1]) < 1 then redis.call('zadd', KEYS[1], 0, ARGV[1]) return 1 end return 0"
	)
	var drawn atomic.Int64
	two := explore.Question{Property: "overlap", Clients: 2}
	tick := explore.Question{Property: "overlap", Clients: 2, Ticks: 1}
	for _, test := range []struct {
		name    string
		main    func(c *client) int
		q       explore.Question
		verdict Verdict
		says    string // a part of the sentence or of what it rests on
	}{
		{"it ends while it is inside", func(c *client) int { takes(c); enter(c); return 0 }, two, Holds, "the program ends while it is inside"},
		{"it fails while it is inside", func(c *client) int {
			takes(c)
			enter(c)
			if c.Do("GET", "lock.foo").IsNil() {
				return 1
			}
			leave(c)
			c.Do("DEL", "lock.foo")
			return 0
		}, tick, Violated, "After some histories the program ends with exit code 1."},
		{"it gives the lock back and never says that it leaves", func(c *client) int { takes(c); enter(c); c.Do("DEL", "lock.foo"); return 0 }, two, Violated, "the program ends while it is inside"},
		{"a script whose command is not executed", func(c *client) int { asks(c, zset, "1", "sem", c.token); return 0 }, two, Faulty, `its script calls "ZCARD", which Lockstep does not execute; a real Redis executes it: --redis-server redis-server`},
		{"an error of a script that it catches", func(c *client) int { c.Do("EVAL", zset, "1", "sem", "x"); return setPxDel(c) }, two, Faulty, `C1 sends EVALSHA `},
		{"a token of digits that looks like a time in one process of two", func(c *client) int {
			for token := strconv.FormatInt(1_610_346_140+drawn.Add(1)%2*16_000_000_000, 10); c.Do("SET", "lock.foo", token, "NX", "PX", "10000") != "+OK\r\n"; {
			}
			c.Do("DEL", "lock.foo")
			return 0
		}, two, Holds, "overlap holds"},
		{"a key that is set once is no lock", func(c *client) int { c.Do("SETNX", "created", "1"); c.Do("INCR", "visits"); return 0 }, explore.Question{Property: "stuck", Clients: 2}, Faulty, "no client ever enters"},
		{"a flag beside a lock is no lock", func(c *client) int {
			c.Do("SET", "pending", "1", "NX", "PX", "60000")
			for c.Do("SETNX", "lock.foo", c.token) != ":1\r\n" {
			}
			c.Do("DEL", "pending")
			c.Do("DEL", "lock.foo")
			return 0
		}, explore.Question{Property: "foreign-delete", Clients: 2, Ticks: 1}, Holds, "from the granted command that sets lock.foo,"},
		{"a key that has the client's own value is no lock", func(c *client) int {
			c.Do("SET", c.token, "1", "NX", "PX", "30000")
			c.Do("GET", "lock.foo")
			c.Do("DEL", c.token)
			return 0
		}, two, Faulty, "no client ever enters"},
		{"two places", func(c *client) int {
			for {
				for _, slot := range []string{"slot:1", "slot:2"} {
					if c.Do("SET", slot, c.token, "NX", "PX", "10000") == "+OK\r\n" {
						c.Do("DEL", slot)
						return 0
					}
				}
			}
		}, two, Faulty, "a client that is refused slot:1 takes slot:2"},
		{"it gives in, and goes on", func(c *client) int {
			for range 3 {
				if c.Do("SET", "lock.foo", c.token, "NX", "PX", "10000") == "+OK\r\n" {
					break
				}
			}
			c.Do("INCR", "work")
			c.Do("DELEX", "lock.foo", "IFEQ", c.token)
			return 0
		}, two, Faulty, "a client that is refused lock.foo for the last time sends the same as one that is granted it"},
		{"it does not look at the reply, and compares as it releases", func(c *client) int {
			c.Do("SET", "lock.foo", c.token, "NX", "PX", "10000")
			c.Do("DELEX", "lock.foo", "IFEQ", c.token)
			return 0
		}, two, Faulty, "a client that is refused lock.foo for the last time sends the same as one that is granted it"},
		{"it waits for its own lock", func(c *client) int { takes(c); takes(c); c.Do("DEL", "lock.foo"); return 0 }, explore.Question{Property: "stuck", Clients: 2}, Faulty, "a client that is inside waits there, by SET lock.foo $1 NX PX 10000"},
		{"nobody says who worked", setPxDel, explore.Question{Property: "unattended", Clients: 2}, Faulty, "nothing says who was inside"},
		{"it fails before it enters", func(c *client) int {
			if strings.HasPrefix(string(c.Do("INCR", "lock.foo", "x")), "-") {
				return 3
			}
			enter(c)
			return 0
		}, two, Faulty, "no client ever enters, and Redis answers INCR lock.foo x with (error) ERR wrong number of arguments for 'incr' command. The program ends with exit code 3"},
		{"a script that takes the lock without saying so", func(c *client) int {
			asks(c, all, "1", "lock.foo", c.token, "10000")
			c.Do("DEL", "lock.foo")
			return 0
		}, tick, Violated, "from the granted command that sets lock.foo"},
		{"a script whose key its command does not name", func(c *client) int {
			asks(c, "return redis.call('setnx', 'lock:' .. ARGV[1], ARGV[2])", "0", "a", c.token)
			c.Do("DEL", "lock:a")
			return 0
		}, two, Holds, "from the granted command that sets lock:a"},
		{"a process id in a script", func(c *client) int {
			n, _ := strconv.ParseInt(strings.TrimPrefix(c.token, "token-"), 16, 64)
			asks(c, "return redis.call('setnx', KEYS[1], ARGV[1])", "1", "lock.foo", strconv.FormatInt(n%30000, 10))
			c.Do("DEL", "lock.foo")
			return 0
		}, two, Holds, "overlap holds"},
		{"a lease that a script counts with, another in each run", func(c *client) int {
			n, _ := strconv.ParseInt(strings.TrimPrefix(c.token, "token-"), 16, 64)
			asks(c, counts, "1", "lock.foo", "x", strconv.FormatInt(n%30000, 10))
			c.Do("DEL", "lock.foo")
			return 0
		}, two, NotAFunction, "the program is not a function of its replies"},
		{"it gives the lock back by a moment that has passed", func(c *client) int {
			for c.Do("SET", "lock.foo", "1", "NX") != "+OK\r\n" {
			}
			c.Do("EXPIREAT", "lock.foo", "1")
			return 0
		}, two, Holds, "overlap holds"},
		{"a script that grants a number which grows", func(c *client) int {
			fenced := "if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then return redis.call('incr', KEYS[2]) end return 0"
			for c.Do("EVAL", fenced, "2", "lock.foo", "fence", c.token) == ":0\r\n" {
			}
			c.Do("DEL", "lock.foo")
			return 0
		}, two, Holds, "from the granted command that sets lock.foo"},
		{"it is refused and works", func(c *client) int { c.Do("SETNX", "lock.foo", "1"); c.Do("DEL", "lock.foo"); return 0 }, two, Violated, "A client to whose SETNX lock.foo 1 Redis replies (integer) 0 deletes the lock's key all the same"},
		{"it is refused, tidies up and asks again", func(c *client) int {
			for c.Do("SETNX", "lock.foo", "1") != ":1\r\n" {
				c.Do("DEL", "other")
			}
			c.Do("DEL", "lock.foo")
			return 0
		}, two, Holds, "overlap holds"},
		{"it is refused, deletes the lock and fails", func(c *client) int {
			r := c.Do("SETNX", "lock.foo", "1")
			c.Do("DEL", "lock.foo")
			if r != ":1\r\n" {
				return 1
			}
			return 0
		}, two, Holds, "overlap holds"},
		{"a key beside the lock that both delete", func(c *client) int {
			c.Do("SET", "cache", "v")
			takes(c)
			c.Do("DEL", "cache")
			c.Do("SET", "cache", "w")
			asks(c, "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end return 1", "1", "lock.foo", c.token)
			return 0
		}, explore.Question{Property: "foreign-delete", Clients: 2}, Holds, "foreign-delete holds"},
		{"the same with markers, and a status that is written before", func(c *client) int {
			takes(c)
			c.Do("SET", "status", c.token)
			enter(c)
			leave(c)
			c.Do("DEL", "status")
			asks(c, "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end return 1", "1", "lock.foo", c.token)
			return 0
		}, explore.Question{Property: "foreign-delete", Clients: 2}, Holds, "foreign-delete holds"},
		{"it reads a value of its own that is no lock", func(c *client) int {
			c.Do("SET", "worker", c.token)
			takes(c)
			asks(c, "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end return 1", "1", "lock.foo", c.token)
			c.Do("GET", "worker")
			return 0
		}, two, Holds, "from the granted command that sets lock.foo,"},
		{"it is done already and needs no lock", func(c *client) int {
			if !c.Do("GET", "done").IsNil() {
				return 0
			}
			takes(c)
			c.Do("SET", "done", "1")
			c.Do("DEL", "lock.foo")
			return 0
		}, explore.Question{Property: "stuck", Clients: 2}, Holds, "stuck holds"},
		{"it looks at an abandoned lock and goes away", func(c *client) int {
			if !c.Do("GET", "lock.foo").IsNil() {
				return 0
			}
			if c.Do("SETNX", "lock.foo", "1") == ":1\r\n" {
				c.Do("DEL", "lock.foo")
			}
			return 0
		}, explore.Question{Property: "stuck", Clients: 2, Crashes: 1}, Violated, "stuck is violated"},
		{"a counter up to 1, which counts down again", func(c *client) int {
			if c.Do("EVAL", upTo, "1", "lock.foo", "1") == ":1\r\n" {
				c.Do("DECR", "lock.foo")
				c.Do("INCR", "others")
			}
			return 0
		}, two, Holds, "from the granted command that sets lock.foo,"},
		{"a lock that a value frees", func(c *client) int {
			asks(c, "if (redis.call('get', KEYS[1]) or 'free') == 'free' then redis.call('set', KEYS[1], ARGV[1]) return 1 end return 0", "1", "lock.foo", c.token)
			c.Do("SET", "lock.foo", "free")
			c.Do("INCR", "others")
			return 0
		}, two, Holds, "from the granted command that sets lock.foo,"},
		{"an expiry that frees", func(c *client) int {
			takes(c)
			c.Do("PEXPIRE", "lock.foo", "0")
			c.Do("INCR", "others")
			return 0
		}, two, Holds, "overlap holds"},
		{"a renewal that frees", func(c *client) int {
			takes(c)
			c.Do("PEXPIRE", "lock.foo", "0")
			c.Do("GET", "data")
			asks(c, "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end return 1", "1", "lock.foo", c.token)
			return 0
		}, two, Violated, "PEXPIRE lock.foo 0 from C1: lock.foo is gone"},
		{"a script that says who holds the lock", func(c *client) int {
			if c.Do("EVAL", "local v = redis.call('get', KEYS[1]) if v then return {0, v} end redis.call('set', KEYS[1], ARGV[1], 'PX', 10000) return {1, ARGV[1]}", "1", "lock.foo", c.token).Items()[0] == ":1\r\n" {
				c.Do("GETDEL", "lock.foo")
			}
			return 0
		}, tick, Violated, "from the granted command that sets lock.foo,"},
		{"an old lock is stolen, and given back later", func(c *client) int {
			if c.Do("SETNX", "lock.foo", c.token) == ":0\r\n" && (c.Do("GET", "lock.foo").IsNil() || c.Do("GETSET", "lock.foo", c.token).IsNil()) {
				return 0
			}
			c.Do("GET", "data")
			if c.Do("GET", "lock.foo") == redis.Reply(redis.Bulk(c.token)) {
				c.Do("DEL", "lock.foo")
			}
			return 0
		}, two, Violated, "GETSET lock.foo C1-1 from C1"},
		{"a status that is exchanged, and deleted later", func(c *client) int {
			takes(c)
			c.Do("DEL", "lock.foo")
			c.Do("GETSET", "status", c.token)
			c.Do("GET", "data")
			c.Do("DEL", "status")
			return 0
		}, two, Holds, "from the granted command that sets lock.foo,"},
		{"a counter that is set once, before the lock", func(c *client) int {
			c.Do("SETNX", "counter", "0")
			takes(c)
			c.Do("INCR", "counters")
			asks(c, "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end return 1", "1", "lock.foo", c.token)
			return 0
		}, tick, Violated, "from the granted command that sets lock.foo,"},
		{"a lock in a lock, which its client forgets", func(c *client) int {
			if c.Do("SET", "outer", c.token, "NX", "PX", "10000") != "+OK\r\n" {
				return 0
			}
			takes(c)
			c.Do("DEL", "lock.foo")
			return 0
		}, tick, Violated, "from the granted command that sets outer,"},
		{"a semaphore for two", func(c *client) int {
			if c.Do("EVAL", upTo, "1", "sem", "2") == ":1\r\n" {
				c.Do("DECR", "sem")
			}
			return 0
		}, two, Faulty, " 1 sem 2 lets a second client write beside a first one, as a counter does, or a semaphore for several. "},
		{"two places", func(c *client) int {
			place := c.Do("EVAL", "for i = 1, #KEYS do if redis.call('set', KEYS[i], ARGV[1], 'NX', 'EX', 10) then return KEYS[i] end end return false", "2", "p1", "p2", c.token)
			if name, ok := place.Text(); ok {
				c.Do("DEL", name)
			}
			return 0
		}, tick, Faulty, " lets a second client write beside a first one, "},
		{"a script that selects the database it is in", func(c *client) int {
			asks(c, "redis.pcall('SELECT', tonumber(ARGV[1])) return redis.call('setnx', KEYS[1], ARGV[2])", "1", "lock.foo", "0", c.token)
			c.Do("DEL", "lock.foo")
			return 0
		}, two, Holds, "overlap holds"},
		{"a script that selects another one", func(c *client) int {
			asks(c, "redis.pcall('SELECT', tonumber(ARGV[1])) return redis.call('setnx', KEYS[1], ARGV[2])", "1", "lock.foo", "1", c.token)
			return 0
		}, two, Faulty, `its script calls "SELECT", which Lockstep does not execute.`},
		{"a command of 65 words", func(c *client) int {
			c.Do(append([]string{"EVAL", "return 1", "0"}, strings.Fields(strings.Repeat("x ", 62))...)...)
			return 0
		}, two, Faulty, `it sends a command that Lockstep does not take: "EVALSHA" has 65 arguments, more than 64`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, l := try(t, test.main, test.q)
			told := r.Sentence(lang.English) + " " + strings.Join(r.Assumptions(lang.English), " ")
			if r.Verdict != test.verdict || !strings.Contains(told, test.says) {
				t.Errorf("%s: %s\n%s", r.Verdict, told, l.Program("fake").Source)
			}
		})
	}
}

// Two clients that start in the same instant of a clock that stands still make the same value from it, as on two machines they
// would not: the clocks of two processes lie apart by less than a millisecond. What they make of the milliseconds is named.
func TestClientsStartApart(t *testing.T) {
	q := explore.Question{Property: "foreign-delete", Clients: 2, Ticks: 1, Tick: 10_000}
	locks := func(value func(c timed) string) func(c timed) {
		return func(c timed) {
			token := value(c)
			for c.Do("SET", "lock.foo", token, "NX", "PX", "10000") != "+OK\r\n" {
				c.sleep(100)
			}
			lua, _, _, _ := redis.Script("compare-and-delete")
			c.Do("EVAL", lua, "1", "lock.foo", token)
		}
	}
	for _, test := range []struct {
		name    string
		value   func(c timed) string
		verdict Verdict
		names   string
	}{
		{"from the nanoseconds", func(c timed) string { return fmt.Sprintf("seed-%x", c.nanos()*2654435761) }, Holds, ""},
		{"from the microseconds", func(c timed) string { return fmt.Sprintf("%x.uniq", c.nanos()/1000) }, Holds, ""},
		{"from the milliseconds", func(c timed) string { return fmt.Sprintf("id-%x", c.nanos()/1_000_000) }, Violated, "Clients that read the same time make the same value, id-f4240: it comes from their clocks. Try --skew C2=1ms"},
		{"always the same", func(timed) string { return "locked" }, Violated, ""},
		{"a time with a fraction", func(c timed) string { return fmt.Sprintf("%.9f", float64(c.nanos())/1e9) }, Violated, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, l := onClocks(t, locks(test.value), q)
			told := strings.Join(r.Assumptions(lang.English), " ")
			if r.Verdict != test.verdict || strings.Contains(told, "make the same value") != (test.names != "") || !strings.Contains(told, test.names) {
				t.Errorf("%s %s\n%s", r.Sentence(lang.English), told, l.Program("fake").Source)
			}
		})
	}
}

// A script may calculate with a time finer than a millisecond: that is no value of the client's own, and decides as its clock does.
func TestAScriptCountsWithTheTime(t *testing.T) {
	const lua = "if tonumber(ARGV[1]) > tonumber(redis.call('GET', KEYS[1]) or 0) then redis.call('SET', KEYS[1], ARGV[1] + 10) return 1 end return 0"
	r, l := onClocks(t, func(c timed) {
		now := strconv.FormatFloat(float64(c.nanos())/1e9, 'f', -1, 64)
		if c.Do("EVAL", lua, "1", "lock.foo", now) == ":1\r\n" {
			c.Do("SET", "cache", `{"at": `+now+`}`)
			c.Do("DEL", "lock.foo")
		}
	}, explore.Question{Property: "overlap", Clients: 2, Ticks: 1, Tick: 4000})
	if r.Verdict != Holds {
		t.Errorf("%s\n%s", r.Sentence(lang.English), l.Program("fake").Source)
	}
}

// A lock that breaks when its lease is overrun breaks in no other way, or it does: --again finds out. A lock without an owner's
// token breaks by the late DEL of its former holder, too.
func TestAnotherCause(t *testing.T) {
	for _, test := range []struct {
		name          string
		main          func(c *client) int
		q             explore.Question
		cause, again  string
		anotherLength int
	}{
		{"a comparison", compares, explore.Question{Property: "overlap", Clients: 2, Ticks: 1}, "The lease of C1 runs out while it is inside: it has overrun it.", "Nothing but that cause breaks it within these bounds.", 0},
		{"a comparison, and replies that take time", compares, explore.Question{Property: "overlap", Clients: 2, Ticks: 1, Replies: true}, "The lease of C1 runs out before it is inside: what it hears of its lock is old.", "The lease of C1 runs out while it is inside: it has overrun it.", 7},
		{"a late DEL", setPxDel, explore.Question{Property: "overlap", Clients: 3, Ticks: 1}, "it has overrun it.", "DEL lock.foo from ", 9},
		{"two causes without a tick", func(c *client) int {
			r := c.Do("SETNX", "lock.foo", "1")
			if r == ":0\r\n" && c.Do("GET", "lock.foo").IsNil() {
				c.Do("SET", "lock.foo", "2")
			} else if r == ":0\r\n" {
				return 0
			}
			enter(c)
			c.Do("DEL", "lock.foo")
			leave(c)
			return 0
		}, explore.Question{Property: "overlap", Clients: 3}, "DEL lock.foo from ", "SET lock.foo 2 from ", 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := NewLearner("fake", launch(test.main))
			t.Cleanup(l.Close)
			test.q.Delays = explore.Any
			r, err := (&Test{Question: test.q, Name: "fake", AutoTick: test.q.Ticks > 0, Again: true}).Run(l)
			if err != nil {
				t.Fatal(err)
			}
			first, again := r.Sentence(lang.English), ""
			if r.Another != nil {
				again = r.Another.Sentence(lang.English)
			}
			length := 0
			if r.Another != nil && r.Another.Verdict == Violated {
				length = r.Another.Answer.Counterexamples[0].Length
			}
			if r.Verdict != Violated || !strings.Contains(first, test.cause) || !strings.Contains(again, test.again) || length != test.anotherLength {
				t.Errorf("%s\n%s, %d actions", first, again, length)
			}
			for _, in := range []*Result{r, r.Another} {
				if chinese := in.Sentence(lang.Chinese); strings.Contains(chinese, "%!") {
					t.Error(chinese)
				}
			}
		})
	}
}
