package learn

import (
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// varies is another number in every process.
var varies atomic.Int64

// Programs that do what a recording cannot hold, or that an abstraction would get wrong. Each gets the right verdict, or none.
func TestHostilePrograms(t *testing.T) {
	acquire := func(c *client, words ...string) {
		for c.Do(words...) != "+OK\r\n" {
		}
	}
	for _, test := range []struct {
		name     string
		main     func(c *client) int
		q        explore.Question
		verdict  Verdict
		sentence string
	}{
		{"a lease of another length in each run", func(c *client) int {
			acquire(c, "SET", "lock", c.token, "NX", "PX", strconv.FormatInt(10_000+varies.Add(1), 10))
			c.Do("DEL", "lock")
			return 0
		}, explore.Question{Property: "overlap", Clients: 2}, NotAFunction, "that in another: SET lock"},
		{"the length of its token", func(c *client) int {
			acquire(c, "SET", "lock", c.token, "NX")
			if c.Do("STRLEN", "lock") != redis.Reply(":"+strconv.Itoa(len(c.token))+"\r\n") {
				return 1 // impossible
			}
			c.Do("DEL", "lock")
			return 0
		}, explore.Question{Property: "stuck", Clients: 2}, Faulty, "cannot explore a lock that takes these values apart"},
		{"a part of its token", func(c *client) int {
			for c.Do("EVAL", `if redis.call('set', KEYS[1], ARGV[1] .. ':1', 'NX') then return 1 end return 0`, "1", "lock", c.token) != ":1\r\n" {
			}
			if string(c.Do("GET", "lock")) == redis.Bulk(c.token+":1") {
				c.Do("DEL", "lock")
			}
			return 0
		}, explore.Question{Property: "stuck", Clients: 2}, Faulty, "cannot explore a lock that takes these values apart"},
		{"a word that looks like somebody's token", func(c *client) int {
			c.Do("SET", "stage", "Stage-1")
			if stage, _ := c.Do("GET", "stage").Text(); stage != "Stage-1" {
				c.Do("PUBLISH", "lockstep", "enter") // impossible
				c.Do("PUBLISH", "lockstep", "leave")
			}
			acquire(c, "SET", "lock", c.token, "NX")
			c.Do("PUBLISH", "lockstep", "enter")
			c.Do("PUBLISH", "lockstep", "leave")
			c.Do("DEL", "lock")
			return 0
		}, explore.Question{Property: "overlap", Clients: 2}, Holds, "overlap holds"},
		{"its name within a word", func(c *client) int {
			for c.Do("SETNX", "lock", "worker-"+c.name) != ":1\r\n" {
			}
			c.Do("DEL", "lock")
			return 0
		}, explore.Question{Property: "overlap", Clients: 2}, Holds, "overlap holds"},
		{"it is turned away, and counts its lives", func(c *client) int {
			c.Do("INCR", "runs")
			if c.Do("SETNX", "lock", "1") != ":1\r\n" {
				return 1
			}
			c.Do("DEL", "lock")
			return 0
		}, explore.Question{Property: "stuck", Clients: 2, Crashes: 1}, Violated, "stuck is violated"},
		{"it enters again by a lock that nobody recognizes", func(c *client) int {
			c.Do("PUBLISH", "lockstep", "enter")
			c.Do("PUBLISH", "lockstep", "leave")
			if c.Do("SET", "lock", c.token) == "" { // lost: it may be stored or not
				c.Do("EXISTS", "x")
				c.Do("PUBLISH", "lockstep", "enter")
				c.Do("PUBLISH", "lockstep", "leave")
				return 0
			}
			c.Do("DEL", "lock")
			return 0
		}, explore.Question{Property: "foreign-delete", Clients: 2, Losses: 1}, Violated, "foreign-delete is violated"},
		{"it enters and leaves without end", func(c *client) int {
			for {
				c.Do("PUBLISH", "lockstep", "enter")
				c.Do("PUBLISH", "lockstep", "leave")
			}
		}, explore.Question{Property: "overlap", Clients: 2}, Faulty, "it does more than 200 operations in one life"},
		{"it counts for ever", func(c *client) int {
			for {
				c.Do("INCR", "n")
			}
		}, explore.Question{Property: "overlap", Clients: 1}, Faulty, "it does more than 200 operations in one life"},
		{"it looks whose name comes first", func(c *client) int {
			c.Do("HSET", "owners", c.token, "1")
			all := c.Do("HGETALL", "owners").Items()
			if len(all) == 4 && string(all[0]) == redis.Bulk(c.token) {
				return 0 // its name comes first, and it is not the first to come
			}
			c.Do("PUBLISH", "lockstep", "enter")
			c.Do("PUBLISH", "lockstep", "leave")
			return 0
		}, explore.Question{Property: "overlap", Clients: 2}, Violated, "overlap is violated"},
		{"a reply that is no text", func(c *client) int {
			c.Do("EVAL", "return {ok=''}", "0")
			c.Do("GET", "k")
			return 0
		}, explore.Question{Property: "overlap", Clients: 1}, Faulty, "a reply that no recording can hold"},
		{"an error with a dollar sign", func(c *client) int {
			c.Do("EVAL", "return redis.error_reply('ERR costs 5 $')", "0")
			return 0
		}, explore.Question{Property: "overlap", Clients: 1}, Faulty, "no client ever enters"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, l := try(t, test.main, test.q)
			if r.Verdict != test.verdict || !strings.Contains(r.Sentence(lang.English), test.sentence) {
				p, _ := l.recording.Program("fake")
				t.Errorf("%s: %s\n%s", r.Verdict, r.Sentence(lang.English), p.Source)
			}
		})
	}
}

// A test that nobody waits for any more says nothing about the program, however its processes ended.
func TestStopped(t *testing.T) {
	l := NewLearner("fake", launch(five))
	defer l.Close()
	l.Stopped = func() bool { return l.Starts() >= 3 }
	r, err := (&Test{Question: explore.Question{Property: "overlap", Clients: 2, Delays: explore.Any}, Name: "fake"}).Run(l)
	if err != nil || r.Verdict != Stopped || r.Starts > 3 {
		t.Error(r.Verdict, r.Starts, err)
	}
}

// A client inside that asks for another lock in vain keeps in step with its process, cycle for cycle.
func TestReplayOfCyclesInside(t *testing.T) {
	program := func(c *client) int {
		for c.Do("SET", "a", c.token, "NX") != "+OK\r\n" {
		}
		for c.Do("SET", "b", c.token, "NX") != "+OK\r\n" {
			c.Do("GET", "x")
		}
		c.Do("DEL", "b")
		c.Do("DEL", "a")
		return 0
	}
	r, l := try(t, program, explore.Question{Property: "overlap", Clients: 2})
	if r.Verdict != Holds {
		t.Fatal(r.Sentence(lang.English))
	}
	var actions []engine.Action
	for _, line := range strings.Split("do K SET b mine|spawn C1|step C1|step C1|step C1|step C1|step C1|step C1|do K DEL b|step C1|step C1|step C1", "|") {
		a, err := engine.ParseAction(line)
		if err != nil {
			t.Fatal(err)
		}
		actions = append(actions, a)
	}
	for missing := true; missing; {
		missing = false
		r.Question.Program = l.Program("fake")
		w := engine.New(r.Question.Header())
		for _, a := range actions {
			_, err := w.Apply(a, engine.MaxActionWork)
			if c := w.Client("C1"); c != nil && c.Missing {
				missing = true
				if err := l.Learn([]explore.Gap{{History: c.History(), Clock: c.Came}}, nil); err != nil {
					t.Fatal(err)
				}
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
	}
	if err := l.Replay(nil, r.Question.Header(), actions); err != nil {
		t.Error(err)
	}
}
