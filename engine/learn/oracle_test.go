package learn

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/redis"
)

// five sends five commands, and which ones depends on the first reply.
func five(c *client) int {
	if c.Do("SET", "lock.foo", c.token, "NX") == "+OK\r\n" {
		c.Do("INCR", "inside")
		c.Do("GET", "lock.foo")
		c.Do("DECR", "inside")
		c.Do("DEL", "lock.foo")
		return 0
	}
	c.Do("GET", "lock.foo")
	c.Do("INCR", "lost")
	c.Do("GET", "inside")
	c.Do("GET", "lock.foo")
	return 1
}

// An execution runs two processes against one Redis, in the order of a schedule: the same as trying it out for real.
type execution struct {
	server  *redis.Server
	process [2]Process
	seen    [2][]string
	gone    [2]bool // it has ended or crashed
	crashed [2]bool
	orphan  [2][]string
}

// execute starts the processes again, and returns what each of them and Redis has come to.
func execute(t *testing.T, schedule []string) *execution {
	e := &execution{server: redis.New(int64(engine.Start))}
	names := map[string]string{}
	for i := range e.process {
		name := fmt.Sprintf("C%d", i+1)
		p, err := launch(func(c *client) int {
			c.token = name + "-1" // as the engine calls it
			return five(c)
		})(name, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		e.process[i], names[name] = p, name
	}
	for _, choice := range schedule {
		i := int(choice[len(choice)-1] - '1')
		switch choice[:len(choice)-1] {
		case "step":
			reply := e.server.Do(e.process[i].Next().Command...)
			e.seen[i] = append(e.seen[i], reply.String())
			e.process[i].Answer(reply)
		case "crash":
			e.orphan[i], e.gone[i], e.crashed[i] = e.process[i].Next().Command, true, true
			e.process[i].Kill()
		case "deliver":
			e.server.Do(e.orphan[i]...)
			e.orphan[i] = nil
		}
	}
	for i, p := range e.process {
		e.gone[i] = e.gone[i] || p.Next().Ended
	}
	return e
}

func (e *execution) close() {
	for _, p := range e.process {
		p.Kill()
	}
	e.server.Close()
}

// choices returns what can happen next.
func (e *execution) choices(crashes int) (next []string) {
	for i := range e.process {
		switch {
		case e.crashed[i] && e.orphan[i] != nil:
			next = append(next, fmt.Sprintf("deliver%d", i+1))
		case !e.gone[i]:
			next = append(next, fmt.Sprintf("step%d", i+1))
			if crashes > 0 {
				next = append(next, fmt.Sprintf("crash%d", i+1))
			}
		}
	}
	return next
}

func (e *execution) end() string {
	var keys []string
	for _, key := range []string{"inside", "lock.foo", "lost"} {
		content, _ := e.server.Get(key)
		keys = append(keys, key+"="+content.Value)
	}
	return fmt.Sprintf("%q %v | %q %v | %s", e.seen[0], e.crashed[0], e.seen[1], e.crashed[1], strings.Join(keys, " "))
}

// reexecute tries every schedule, from the start each time. It returns the ends, and how many processes it started.
func reexecute(t *testing.T, crashes int) (ends map[string]bool, starts int) {
	ends = map[string]bool{}
	var try func(schedule []string)
	try = func(schedule []string) {
		e := execute(t, schedule)
		used := 0
		for _, choice := range schedule {
			if strings.HasPrefix(choice, "crash") {
				used++
			}
		}
		next, end := e.choices(crashes-used), e.end()
		if e.gone[0] && e.gone[1] {
			ends[end] = true
			starts += 2 // a schedule to its end; those that it begins with need no runs of their own
		}
		e.close()
		for _, choice := range next {
			try(append(slices.Clone(schedule), choice))
		}
	}
	try(nil)
	return ends, starts
}

// learnedEnds returns the ends that the engine reaches with what was learned.
func learnedEnds(t *testing.T, header engine.Header, crashes int) map[string]bool {
	ends, visited := map[string]bool{}, map[string]bool{}
	var visit func(w *engine.World, crashes int)
	visit = func(w *engine.World, crashes int) {
		defer w.Close()
		key := w.Store(0).Key() + fmt.Sprint(crashes)
		var seen, crashed [2]string
		over := true
		for i, c := range w.Clients() {
			var replies []string
			for _, observation := range c.History() {
				if observation != "-" { // an operation without a result
					replies = append(replies, strings.NewReplacer("$a1", fmt.Sprintf(`"C%d-1"`, 2-i), "$1", fmt.Sprintf(`"C%d-1"`, i+1)).Replace(observation))
				}
			}
			seen[i], crashed[i] = fmt.Sprintf("%q", replies), fmt.Sprint(c.Status == engine.Crashed)
			over = over && !c.Live()
			key += c.Key() + fmt.Sprint(c.History()) // clients that have ended alike may have seen different replies
		}
		if visited[key] {
			return
		}
		visited[key] = true
		if over {
			var keys []string
			for _, key := range []string{"inside", "lock.foo", "lost"} {
				value := ""
				if s := w.Stored(0, key); s != nil {
					value = s.Value
				}
				keys = append(keys, key+"="+value)
			}
			ends[fmt.Sprintf("%s %s | %s %s | %s", seen[0], crashed[0], seen[1], crashed[1], strings.Join(keys, " "))] = true
		}
		for _, c := range w.Clients() {
			for _, verb := range []engine.Verb{engine.VerbStep, engine.VerbDeliver, engine.VerbCrash} {
				if verb == engine.VerbCrash && crashes == 0 || verb == engine.VerbDeliver && c.Status != engine.Crashed {
					continue
				}
				next := w.Fork()
				if _, err := next.Apply(engine.Action{Verb: verb, Client: c.Name}, engine.MaxActionWork); err != nil {
					next.Close()
					continue
				}
				left := crashes
				if verb == engine.VerbCrash {
					left--
				}
				visit(next, left)
			}
		}
	}
	w := engine.New(header)
	for _, name := range []string{"C1", "C2"} {
		if _, err := w.Apply(engine.Action{Verb: engine.VerbSpawn, Client: name}, engine.MaxActionWork); err != nil {
			t.Fatal(err)
		}
	}
	visit(w, crashes)
	return ends
}

// "Re-execution of all interleavings as an oracle for 2 × 5 commands: the same set of ends, with and without a crash."
func TestReexecutionReachesTheSameEnds(t *testing.T) {
	for _, crashes := range []int{0, 1} {
		l := NewLearner("five", launch(five))
		q := explore.Question{Clients: 2, Crashes: crashes, Delays: explore.Any}
		r, err := (&Test{Question: q, Name: "five"}).Run(l)
		l.Close()
		if err != nil || r.Verdict != Holds {
			t.Fatal(r.Verdict, err)
		}
		learned := learnedEnds(t, r.Question.Header(), crashes)
		tried, starts := reexecute(t, crashes)
		t.Logf("%d crashes: %d ends by %d starts, all interleavings: %d ends by %d starts", crashes, len(learned), r.Starts, len(tried), starts)
		for end := range tried {
			if !learned[end] {
				t.Errorf("%d crashes: only by trying: %s", crashes, end)
			}
		}
		for end := range learned {
			if !tried[end] {
				t.Errorf("%d crashes: only as learned: %s", crashes, end)
			}
		}
		if crashes == 0 && starts != 504 {
			t.Errorf("%d starts for all interleavings, not 2 × (10 over 5)", starts)
		}
	}
}
