package learn

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A try asks a question about a program of fake_test.go.
func try(t *testing.T, main func(c *client) int, q explore.Question) (*Result, *Learner) {
	t.Helper()
	l := NewLearner("fake", launch(main))
	t.Cleanup(l.Close)
	q.Delays = explore.Any
	r, err := (&Test{Question: q, Name: "fake", AutoTick: q.Ticks > 0}).Run(l)
	if err != nil {
		t.Fatal(err)
	}
	return r, l
}

func TestVerdicts(t *testing.T) {
	overlap, stuck, foreign := explore.Question{Property: "overlap", Clients: 3}, explore.Question{Property: "stuck", Clients: 2}, explore.Question{Property: "foreign-delete", Clients: 3}
	with := func(q explore.Question, ticks, crashes, losses int) explore.Question {
		q.Ticks, q.Crashes, q.Losses = ticks, crashes, losses
		return q
	}
	for _, test := range []struct {
		name     string
		main     func(c *client) int
		q        explore.Question
		verdict  Verdict
		length   int
		starts   int
		sentence string // a part of it
	}{
		{"SET PX and DEL without a tick", setPxDel, overlap, Holds, 0, 2, "overlap holds: nothing within the bounds violates it. Bounds: 3 clients of fake, no tick of the clock, "},
		{"SET PX and DEL, overrun", setPxDel, with(overlap, 1, 0, 0), Violated, 5, 2, "replayed with all processes alive, and came out."},
		{"SET PX and DEL, late", setPxDel, with(foreign, 1, 0, 0), Violated, 7, 3, "1 tick of 10 s"},
		{"SET PX and a comparison", compares, with(foreign, 1, 1, 0), Holds, 0, 3, "at most 1 crash"},
		{"a lost reply, and SETNX again", resends, with(stuck, 0, 0, 1), Violated, 3, 3, "The shortest way takes 3 actions."},
		{"no crash, no lost reply", resends, stuck, Holds, 0, 2, "stuck holds"},
		{"its clock", readsClock, overlap, NotAFunction, 0, 2, "the program is not a function of its replies. At its start it sends SETNX lock.foo 1795515083"},
		{"another command in each run", alternates, overlap, NotAFunction, 0, 2, "At its start it does this in one run:"},
		{"nothing", func(*client) int { return 3 }, overlap, Faulty, 0, 1, "No verdict: it ends with exit code 3 before it has sent a command"},
		{"no lock", func(c *client) int { c.Do("GET", "k"); return 0 }, overlap, Faulty, 0, 2, "no client ever enters"},
		{"a command of others", func(c *client) int { c.Do("LPUSH", "k", "v"); return 0 }, overlap, Faulty, 0, 1, `it sends "LPUSH", which Lockstep does not execute as Redis does; a real Redis executes it: --redis-server redis-server.`},
		{"markers", marks, with(overlap, 1, 0, 0), Violated, 5, 3, "overlap is violated"},
		{"a marker at the wrong place", func(c *client) int {
			c.Do("PUBLISH", "lockstep", "enter")
			c.Do("PUBLISH", "lockstep", "enter")
			return 0
		}, overlap, Faulty, 0, 2, "it publishes the marker \"enter\" where it makes no sense"},
		{"a transaction", inTransaction, with(foreign, 1, 0, 0), Violated, 7, 5, "foreign-delete is violated"},
		{"a script of its own", ownScript, with(foreign, 1, 0, 0), Holds, 0, 3, "foreign-delete holds"},
		{"it reads its own value back", readsBack, with(overlap, 1, 0, 1), Violated, 7, 7, "overlap is violated"},
		{"it reads until the lock is free", looksFirst, with(foreign, 1, 0, 0), Violated, 9, 6, "foreign-delete is violated"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, l := try(t, test.main, test.q)
			length := 0
			if r.Verdict == Violated {
				length = r.Answer.Counterexamples[0].Length
			}
			if r.Verdict != test.verdict || length != test.length || r.Starts != test.starts || !strings.Contains(r.Sentence(lang.English), test.sentence) {
				p, _ := l.recording.Program("fake")
				t.Errorf("%s, %d actions, %d starts: %s\n%s", r.Verdict, length, r.Starts, r.Sentence(lang.English), p.Source)
			}
			if chinese := r.Sentence(lang.Chinese); chinese == "" || strings.Contains(chinese, "%!") {
				t.Error(chinese)
			}
		})
	}
}

// readsClock writes a time of its own as its value: the same second in two runs is no excuse.
func readsClock(c *client) int {
	c.Do("SETNX", "lock.foo", "1795515083")
	return 0
}

func alternates(c *client) int {
	if strings.HasSuffix(c.name, "1") {
		c.Do("GET", "lock.foo")
	}
	c.Do("SETNX", "lock.foo", "1")
	return 0
}

// marks says itself when it is inside.
func marks(c *client) int {
	for c.Do("SET", "lock.foo", c.token, "NX", "PX", "10000") != "+OK\r\n" {
	}
	c.Do("PUBLISH", "lockstep", "enter")
	c.Do("PUBLISH", "lockstep", "leave")
	c.Do("DEL", "lock.foo")
	return 0
}

// inTransaction takes the lock with a transaction, and its token is within.
func inTransaction(c *client) int {
	if c.Do("MULTI", redis.Quote([]string{"SET", "lock.foo", c.token, "NX", "PX", "10000"}), "INCR attempts", "EXEC").Items()[0] != "+OK\r\n" {
		return 1
	}
	c.Do("MULTI", "DEL lock.foo", "EXEC")
	return 0
}

// ownScript deletes its own value alone, by a script that nobody knows.
func ownScript(c *client) int {
	for c.Do("SET", "lock.foo", c.token, "NX", "PX", "10000") == "$-1\r\n" {
	}
	c.Do("EVAL", `local v = redis.call("GET", KEYS[1]); if v == ARGV[1] then return redis.call("DEL", KEYS[1]) end; return 0 -- mine`, "1", "lock.foo", c.token)
	return 0
}

// readsBack looks whose the lock is when the reply is lost, and works if it is its own.
func readsBack(c *client) int {
	r := c.Do("SET", "lock.foo", c.token, "NX", "PX", "10000")
	for r == "$-1\r\n" {
		r = c.Do("SET", "lock.foo", c.token, "NX", "PX", "10000")
	}
	if holder, _ := c.Do("GET", "lock.foo").Text(); r == "" && holder != c.token {
		return 1
	}
	c.Do("DEL", "lock.foo")
	return 0
}

// looksFirst reads the key until it is gone.
func looksFirst(c *client) int {
	for {
		for c.Do("EXISTS", "lock.foo") == ":1\r\n" {
		}
		if c.Do("SET", "lock.foo", c.token, "NX", "PX", "10000") == "+OK\r\n" {
			break
		}
	}
	c.Do("DEL", "lock.foo")
	return 0
}

// A client that hears of another's value knows it by a letter, and a real one has a value of a real process there.
func TestValuesOfOthers(t *testing.T) {
	said := make(chan string, 100)
	r, l := try(t, func(c *client) int {
		if c.Do("SET", "lock.foo", c.token, "NX") == "+OK\r\n" {
			c.Do("DEL", "lock.foo")
			return 0
		}
		holder, _ := c.Do("GET", "lock.foo").Text()
		if holder != "" {
			said <- holder
			c.Do("SET", "waits-for:"+c.name, holder) // another key for each client
		}
		return 0
	}, explore.Question{Property: "overlap", Clients: 2})
	p, _ := l.recording.Program("fake")
	for _, want := range []string{"= $a1\n", "SET $2 $a1\n"} {
		if r.Verdict != Holds || !strings.Contains(p.Source, want) {
			t.Errorf("%s: no %q in\n%s", r.Verdict, want, p.Source)
		}
	}
	if holder := <-said; !strings.HasPrefix(holder, "token-") {
		t.Errorf("a process has read %s", holder)
	}
}

// A budget that runs out is a verdict of its own, and leaves no process.
func TestBounds(t *testing.T) {
	l := NewLearner("fake", launch(five))
	r, err := (&Test{Question: explore.Question{Clients: 2, Property: "overlap", Delays: explore.Any}, Name: "fake", Starts: 4}).Run(l)
	if err != nil || r.Verdict != Budget || !r.Spent || r.Starts != 4 {
		t.Error(r.Verdict, r.Starts, err)
	}
	if len(l.parked) > maxParked {
		t.Errorf("%d processes are alive", len(l.parked))
	}
	l.Close()
	if len(l.parked) != 0 {
		t.Errorf("%d processes are left", len(l.parked))
	}
	r, err = (&Test{Question: explore.Question{Clients: 2, Property: "overlap", Delays: explore.Any}, Name: "fake", Budget: explore.Budget{States: 10}}).Run(NewLearner("fake", launch(five)))
	if err != nil || r.Verdict != Budget || r.Spent {
		t.Error(r.Verdict, err)
	}
}

// A process that does something else when all are alive is named, and the counterexample is not told.
func TestAReplayThatDeviates(t *testing.T) {
	l := NewLearner("fake", launch(setPxDel))
	defer l.Close()
	q := explore.Question{Property: "overlap", Clients: 2, Ticks: 1, Delays: explore.Any}
	r, err := (&Test{Question: q, Name: "fake", AutoTick: true}).Run(l)
	if err != nil || r.Verdict != Violated {
		t.Fatal(r.Verdict, err)
	}
	header, actions := r.Question.Header(), r.Answer.Counterexamples[0].Actions
	if err := l.Replay(nil, header, actions); err != nil {
		t.Error(err)
	}
	step := engine.Action{Verb: engine.VerbStep, Client: "C1"}
	for _, test := range []struct {
		main   func(c *client) int
		beyond []engine.Action
		want   string
	}{
		{compares, []engine.Action{step}, "it does this in one run: DEL lock.foo, and that in another: EVAL compare-and-delete 1 lock.foo"},
		{func(c *client) int { setPxDel(c); return 7 }, []engine.Action{step, step}, "it does this in one run: exit code 0, and that in another: exit code 7"},
	} {
		err := l.Replay(launch(test.main), header, slices.Concat(actions, test.beyond))
		if deviation := (*Deviation)(nil); !errors.As(err, &deviation) || !strings.Contains(deviation.Error(), test.want) {
			t.Errorf("%v, not %s", err, test.want)
		}
	}
}

// A replay ends all processes that it has started, also those of clients that are inside at its end.
func TestAReplayLeavesNoProcess(t *testing.T) {
	r, l := try(t, setPxDel, explore.Question{Property: "overlap", Clients: 2, Ticks: 1})
	var all []*fake
	err := l.Replay(func(name string, own, apart int64) (Process, error) {
		p, err := l.launch(name, own, apart)
		all = append(all, p.(*fake))
		return p, err
	}, r.Question.Header(), r.Answer.Counterexamples[0].Actions)
	if err != nil || len(all) != 2 {
		t.Errorf("%d processes: %v", len(all), err)
	}
	for i, f := range all {
		select {
		case <-f.ended:
		default:
			t.Errorf("the process of C%d is left", i+1)
		}
	}
}

func TestNameOf(t *testing.T) {
	for command, want := range map[string]string{
		"python3 worker.py": "worker", "./My_Lock": "my-lock", "node a/b/Lock.test.mjs --n 3": "lock-test", "go run ./cmd/worker": "worker",
		"redis-cli -u {url} SET k v": "redis-cli", "naive": "naive-recorded", "php 7.php": "program-7", "x redis://h:1/2": "x",
	} {
		if got := NameOf(strings.Fields(command)); got != want {
			t.Errorf("%s: %s, not %s", command, got, want)
		}
	}
}

// A counterexample's text plays where neither the program nor its script is: in lockstep run, on a page, from a link.
func TestACounterexamplePlaysWithoutItsScript(t *testing.T) {
	r, _ := try(t, ownScript, explore.Question{Property: "overlap", Clients: 2, Ticks: 1})
	if r.Verdict != Violated || !r.Portable {
		t.Fatal(r.Verdict, r.Portable)
	}
	text := r.Answer.Counterexamples[0].Scenario.String()
	if strings.Contains(text, "hincrby") || strings.Count(text, "\neffect EVALSHA ") < 2 {
		t.Error(text)
	}
	s, err := engine.Parse("saved", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := s.Play("saved", check.All()...)
	if err != nil || len(trace.Unmet) > 0 {
		t.Fatal(err, trace.Unmet)
	}
	// A reader goes on: one client after the other, to the end.
	for _, c := range trace.Run.World().Clients() {
		for trace.Run.World().Can(engine.Action{Verb: engine.VerbStep, Client: c.Name}) == nil {
			if _, err := trace.Run.Do(engine.Action{Verb: engine.VerbStep, Client: c.Name}); err != nil {
				t.Fatal(err)
			}
		}
		if !c.Missing && c.Status != engine.Finished { // the search has not learned more
			t.Errorf("%s is %s", c.Name, c.Status)
		}
	}
}

// A recording longer than a program's text may be, and than a run's, leaves room for a counterexample: its text has the part
// that the run uses.
func TestALongRecordingIsCutToItsRun(t *testing.T) {
	for _, branches := range []int{0, 1, 2, 4} { // of some 100 KB each
		r := wordy(branches)
		whole, _ := r.Program("wordy")
		q := explore.Question{Program: searchable(whole), Property: "overlap", Clients: 2, Ticks: 1, Tick: 10_000, Delays: explore.Any}
		a, err := q.Search(explore.Budget{}, explore.Runtime{}, 1)
		if err != nil || a.Verdict != explore.Violated {
			t.Fatalf("%d branches: %+v, %v", branches, a, err)
		}
		s := a.Counterexamples[0].Scenario
		if !portable(s, r) {
			t.Errorf("%d branches: %d bytes do not play", branches, len(s.String()))
		}
		if cut := len(s.Own[0].Source) < len(whole.Source); cut != (branches > 1) {
			t.Errorf("%d branches: %d of %d bytes", branches, len(s.Own[0].Source), len(whole.Source))
		}
	}
}

// wordy is the recording of a program that takes the lock with a lease. While another has it, it asks for something, and sends
// much after each answer: there are as many as branches.
func wordy(branches int) *program.Recording {
	r := &program.Recording{Title: "wordy"}
	add := func(history []string, words ...string) []string {
		r.Add(history, program.Op{Kind: program.Command, Command: words})
		return history
	}
	add(nil, "SET", "lock.foo", "$1", "NX", "PX", "10000")
	r.Add([]string{"OK"}, program.Op{Kind: program.Enter})
	r.Add([]string{"OK", "-"}, program.Op{Kind: program.Hold})
	r.Add([]string{"OK", "-", "-"}, program.Op{Kind: program.Leave})
	add([]string{"OK", "-", "-", "-"}, "DEL", "lock.foo")
	for _, deleted := range []string{"(integer) 0", "(integer) 1"} {
		r.Add([]string{"OK", "-", "-", "-", deleted}, program.Op{Kind: program.End})
	}
	add([]string{"(nil)"}, "GET", "k")
	for i := range branches {
		history := []string{"(nil)", strconv.Quote(strconv.Itoa(i))}
		for range 190 {
			history = append(add(slices.Clone(history), "GET", strings.Repeat("k", 500)), "(nil)")
		}
	}
	for _, held := range []string{"(nil)", "$a1"} {
		r.Add([]string{"(nil)", held}, program.Op{Kind: program.End})
	}
	return r
}
