package learn

import (
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// A clocked is a fake on a clock that stands still.
type clocked struct {
	*fake
	clock  atomic.Int64
	read   atomic.Bool
	sleeps chan int64 // until when
	wakes  chan struct{}
	lot    int64 // another number in every process
	apart  int64 // ns beyond the clock's milliseconds
}

// A timed is what a function does as a process on a clock.
type timed struct {
	*client
	*clocked
}

// seconds reads the clock.
func (c timed) seconds() int64 {
	c.read.Store(true)
	return c.clock.Load() / 1000
}

// nanos reads the clock to the nanosecond.
func (c timed) nanos() int64 {
	c.read.Store(true)
	return c.clock.Load()*1_000_000 + c.apart
}

func (c timed) sleep(ms int64) {
	for until := c.clock.Load() + ms; c.clock.Load() < until; {
		select {
		case c.sleeps <- until:
		case <-c.clocked.killed:
			panic(killed{})
		}
		select {
		case <-c.wakes:
		case <-c.clocked.killed:
			panic(killed{})
		}
	}
}

// onClock returns the launcher of a function on a clock.
func onClock(main func(c timed)) Launcher {
	return func(name string, own, apart int64) (Process, error) {
		p := &clocked{sleeps: make(chan int64), wakes: make(chan struct{}), apart: apart}
		p.clock.Store(own)
		begun := make(chan struct{})
		inner, err := launch(func(c *client) int {
			<-begun
			p.lot, _ = strconv.ParseInt(strings.TrimPrefix(c.token, "token-"), 16, 64)
			main(timed{c, p})
			return 0
		})(name, own, apart)
		p.fake = inner.(*fake)
		close(begun)
		return p, err
	}
}

func (p *clocked) Next() Arrival {
	if p.at == nil {
		select {
		case words := <-p.commands:
			p.at = &Arrival{Command: words}
		case until := <-p.sleeps:
			p.at = &Arrival{Asleep: true, For: until - p.clock.Load()}
		case <-p.ended:
			p.at = &Arrival{Ended: true}
		}
		p.at.Read = p.read.Swap(false)
	}
	return *p.at
}

func (p *clocked) Set(own int64) {
	p.clock.Store(own)
	if p.at != nil && p.at.Asleep {
		p.at = nil
		p.wakes <- struct{}{}
	}
}

// The two locks of the SETNX page. A value is the second at which the lock expires.

const lease = 10

func delSetnx(c timed) {
	for {
		now := c.seconds()
		expiry := strconv.FormatInt(now+lease+1, 10)
		if c.Do("SETNX", "lock.foo", expiry) == ":1\r\n" {
			break
		}
		if held, ok := c.Do("GET", "lock.foo").Text(); ok && number(held) < now {
			c.Do("DEL", "lock.foo")
			if c.Do("SETNX", "lock.foo", expiry) == ":1\r\n" {
				break
			}
		}
		c.sleep(100)
	}
	c.Do("DEL", "lock.foo")
}

func getset(c timed) {
	var expiry int64
	for {
		expiry = c.seconds() + lease + 1
		if c.Do("SETNX", "lock.foo", strconv.FormatInt(expiry, 10)) == ":1\r\n" {
			break
		}
		held, ok := c.Do("GET", "lock.foo").Text()
		if !ok {
			continue
		}
		now := c.seconds()
		if number(held) < now {
			expiry = now + lease + 1
			old, ok := c.Do("GETSET", "lock.foo", strconv.FormatInt(expiry, 10)).Text()
			if !ok || number(old) < now {
				break
			}
		}
		c.sleep(100)
	}
	if c.seconds() < expiry {
		c.Do("DEL", "lock.foo")
	}
}

func number(text string) int64 { n, _ := strconv.ParseInt(text, 10, 64); return n }

// onClocks asks a question about a function on a clock.
func onClocks(t *testing.T, main func(c timed), q explore.Question) (*Result, *Learner) {
	t.Helper()
	l := NewLearner("fake", onClock(main))
	t.Cleanup(l.Close)
	q.Delays = explore.Any
	r, err := (&Test{Question: q, Name: "fake", Clock: true}).Run(l)
	if err != nil {
		t.Fatal(err)
	}
	return r, l
}

// What the page's locks do wrong is found in processes that read their clocks, with the values of the lesson's own clients.
func TestClocksAreObserved(t *testing.T) {
	late := map[string]engine.Time{"C2": 12_000}
	for _, test := range []struct {
		name string
		main func(c timed)
		q    explore.Question
		want string
	}{
		{"DEL and SETNX: two find the lock expired", delSetnx, explore.Question{Property: "overlap", Clients: 2, Ticks: 1, Tick: 12_000}, `
spawn C1
tick 12s
spawn C2
step C1                  # SETNX lock.foo 1011 -> 1
step C2                  # SETNX lock.foo 1023 -> 0
step C2                  # GET lock.foo -> 1011
step C2                  # DEL lock.foo -> 1
step C2                  # SETNX lock.foo 1023 -> 1
expect violation overlap C1 C2
`},
		{"GETSET: the DEL that is late", getset, explore.Question{Property: "foreign-delete", Clients: 2, Ticks: 1, Tick: 12_000}, `
spawn C1
step C1                  # SETNX lock.foo 1011 -> 1
step C1
tick 12s
spawn C2
step C2                  # SETNX lock.foo 1023 -> 0
step C2                  # GET lock.foo -> 1011
step C2                  # GETSET lock.foo 1023 -> 1011
step C1                  # DEL lock.foo -> 1
expect violation foreign-delete C1 C2
`},
		{"GETSET: one clock is ahead", getset, explore.Question{Property: "overlap", Clients: 2, Skew: late}, `
spawn C1
step C1                  # SETNX lock.foo 1011 -> 1
spawn C2 skew=12s
step C2                  # SETNX lock.foo 1023 -> 0
step C2                  # GET lock.foo -> 1011
step C2                  # GETSET lock.foo 1023 -> 1011
expect violation overlap C1 C2
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, l := onClocks(t, test.main, test.q)
			if r.Verdict != Violated {
				t.Fatalf("%s\n%s", r.Sentence(lang.English), l.Program("fake").Source)
			}
			_, actions, _ := strings.Cut(r.Answer.Counterexamples[0].Scenario.String(), "\nspawn ")
			if got := "\nspawn " + actions; got != test.want {
				t.Errorf("%s", got)
			}
		})
	}
}

// A process that is led along a history reads its clock as it enters, as the history says: the client enters in between, and the
// process knows nothing of that.
func TestAProcessReadsItsClockAsItEnters(t *testing.T) {
	l := NewLearner("fake", onClock(func(c timed) {
		c.Do("SET", "lock.foo", c.token, "NX", "PX", "10000")
		if c.seconds() > 1005 {
			c.Do("GET", "late")
		}
		c.Do("DEL", "lock.foo")
	}))
	defer l.Close()
	for _, step := range []struct {
		history []string
		clock   engine.Time
		does    string
	}{
		{nil, 1_000_000, "SET"},
		{[]string{"OK"}, 1_000_000, "enter"},
		{[]string{"OK", "-", "1012000"}, 1_012_000, "GET"},
		{[]string{"OK", "-", "1004000"}, 1_004_000, "hold"},
	} {
		if err := l.Learn([]explore.Gap{{History: step.history, Clock: step.clock}}, nil); err != nil {
			t.Fatal(err)
		}
		op, _ := l.recording.At(step.history)
		does := map[program.OpKind]string{program.Enter: "enter", program.Hold: "hold"}[op.Kind]
		if op.Kind == program.Command {
			does = op.Command[0]
		}
		if does != step.does {
			t.Errorf("after %q: %s, not %s\n%s", step.history, does, step.does, l.Program("fake").Source)
		}
	}
}

// A client that sleeps for a random time is one that sleeps: chance adds no histories.
func TestJitterAddsNoHistories(t *testing.T) {
	polls := func(length func(c timed) int64) func(c timed) {
		return func(c timed) {
			for c.Do("SETNX", "lock.foo", "1") != ":1\r\n" {
				c.sleep(length(c))
			}
			c.Do("DEL", "lock.foo")
		}
	}
	q := explore.Question{Property: "overlap", Clients: 2, Ticks: 2, Tick: 1000}
	steady, _ := onClocks(t, polls(func(timed) int64 { return 100 }), q)
	jittery, l := onClocks(t, polls(func(c timed) int64 { return 50 + c.lot%97 }), q)
	if steady.Verdict != Holds || jittery.Verdict != Holds || jittery.Histories != steady.Histories {
		t.Errorf("%s, %d histories; with jitter %s, %d histories\n%s", steady.Verdict, steady.Histories, jittery.Verdict, jittery.Histories, l.Program("fake").Source)
	}
	const says = "The program draws lots for how long it sleeps."
	if text := strings.Join(jittery.Assumptions(lang.English), " "); !strings.Contains(text, says) || !strings.Contains(text, "moves the clock of Redis and those of the programs") {
		t.Error(text)
	}
	// The first three processes draw the same length, and look steady until another one draws another.
	first := int64(0)
	lucky, l := onClocks(t, polls(func(c timed) int64 {
		if first == 0 {
			first = c.lot
		}
		return 50 + max(0, (c.lot-first)/7919-2) // fake processes differ by 7919
	}), q)
	if lucky.Verdict != Holds || lucky.Histories != steady.Histories || len(l.drawn) == 0 {
		t.Errorf("%s, %d histories, drawn: %v\n%s", lucky.Verdict, lucky.Histories, l.drawn, l.Program("fake").Source)
	}
	if text := strings.Join(steady.Assumptions(lang.English), " "); strings.Contains(text, says) {
		t.Error(text)
	}
}
