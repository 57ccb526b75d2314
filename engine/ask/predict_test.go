package ask_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/ask"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

var rewrite = flag.Bool("rewrite", false, "write the file of predictions again")

// do applies a line of scenario text to a world.
func do(w *engine.World, line string) error {
	a, err := engine.ParseAction(line)
	if err != nil {
		return err
	}
	_, err = w.Apply(a, engine.MaxActionWork)
	return err
}

// At every position of every transcript, for each client with a request in flight that is no script of its own, one choice comes true: the one for
// the reply that comes at once, and the one for the reply that came when Redis served the request at last.
func TestOneChoiceComesTrue(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.lock")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts found: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			whole := playedFile(t, file)
			run := engine.NewRun(whole.Header())
			for at := 0; ; at++ {
				for _, c := range run.World().Clients() {
					call, replied := c.InFlight()
					p, ok := ask.Replies(run.World(), c.Name)
					if want := c.Live() && call != nil && !replied && !redis.RunsOwn(call.Command); ok != want {
						t.Fatalf("after %d actions: there is a question about %s: %t, want %t", at, c.Name, ok, want)
					}
					if !ok {
						continue
					}
					check := func(when string, events []engine.Event, otherwise bool) {
						answer := p.Answer(events)
						if answer < 0 && !otherwise {
							t.Errorf("after %d actions: %s %s: none of %q comes true", at, p.Question(lang.English), when, texts(p))
						}
					}
					wellFormed(t, p)
					check("at once", deliveredNow(t, run, c), false)
					check("in the end", whole.World().Events(), !delivered(whole.World().Events(), p.Call))
				}
				if at == len(whole.Actions()) {
					break
				}
				if _, err := run.Do(whole.Actions()[at]); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A reason tells what the key holds that decides, and whose request would have brought another reply. The question is
// the one of the first lesson: C2's DEL arrives after C1 has a new lock.
func TestReasons(t *testing.T) {
	scenario, err := engine.Parse("late", "program del-setnx timeout=10s\nspawn C3\nstep C3\ncrash C3\ntick 12s\nspawn C1 C2\nstep C1 2\nstep C2 2\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	run := engine.NewRun(scenario.Header)
	for _, a := range scenario.Actions() {
		if _, err := run.Do(a); err != nil {
			t.Fatal(err)
		}
	}
	told := func() string {
		p, ok := ask.Replies(run.World(), "C2")
		if !ok {
			t.Fatal("there is no question about C2")
		}
		var all []string
		for i, why := range ask.Reasons(run.World(), p) {
			all = append(all, p.Choices[i].Text+": "+why.English+" / "+why.Chinese)
		}
		return strings.Join(all, "\n")
	}
	for _, want := range []string{
		"(integer) 0: This comes if C1's DEL lock.foo arrives first. / 如果 C1 的 DEL lock.foo 先到，才会这样。\n" +
			"(integer) 1: lock.foo holds 1011, and C3 wrote it. / lock.foo 的值是 1011，由 C3 写入。", // both have read 1011
		"(integer) 0: There is no lock.foo now. / 现在没有 lock.foo。\n" +
			"(integer) 1: This comes if C1's SETNX lock.foo 1023 arrives first. / 如果 C1 的 SETNX lock.foo 1023 先到，才会这样。", // C1 has deleted it
		"(integer) 0:  / \n(integer) 1: lock.foo holds 1023, and C1 wrote it. / lock.foo 的值是 1023，由 C1 写入。", // C1 has a lock, and asks for nothing
	} {
		if got := told(); got != want {
			t.Errorf("after %d actions the reasons are\n%s\nwant\n%s", len(run.Actions()), got, want)
		}
		if _, err := run.Do(engine.Action{Verb: engine.VerbStep, Client: "C1"}); err != nil {
			t.Fatal(err)
		}
	}
}

// wellFormed checks that a prediction has two to six different choices, each
// with its words.
func wellFormed(t *testing.T, p ask.Prediction) {
	t.Helper()
	if n := len(p.Choices); n < 2 || n > ask.MaxChoices {
		t.Errorf("%s %d choices: %q", p.Question(lang.English), n, texts(p))
	}
	var said []string
	for _, c := range p.Choices {
		for _, sentence := range []string{c.Sentence(lang.English), c.Sentence(lang.Chinese)} {
			if sentence == "" || strings.Contains(sentence, "%!") || slices.Contains(said, c.Text+sentence) {
				t.Errorf("%s %q stands for %q, and %q for others", p.Question(lang.English), sentence, c.Text, said)
			}
			said = append(said, c.Text+sentence)
		}
	}
}

// deliveredNow returns the events of the client's request when it is served
// next.
func deliveredNow(t *testing.T, run *engine.Run, c *engine.Client) []engine.Event {
	t.Helper()
	twin := run.Prefix(len(run.Actions()))
	defer twin.World().Close()
	for {
		done, err := twin.Do(engine.Action{Verb: engine.VerbDeliver, Client: c.Name})
		if err != nil {
			t.Fatal(err)
		}
		call, _ := c.InFlight()
		for _, e := range done.Events {
			if e.Call != nil && e.Call.ID == call.ID { // not one from a life that has ended
				return done.Events
			}
		}
	}
}

// delivered reports whether a call arrived in the end.
func delivered(events []engine.Event, call int) bool {
	return slices.ContainsFunc(events, func(e engine.Event) bool {
		return e.Call != nil && e.Call.ID == call && (e.Kind == engine.Deliver || e.Kind == engine.Write || e.Kind == engine.Reject)
	})
}

func texts(p ask.Prediction) []string {
	var all []string
	for _, c := range p.Choices {
		all = append(all, c.Text)
	}
	return all
}

// TestPredictions writes down the question for each command of each built-in
// program, with * before the choice that comes true: each command once for each
// answer that a few random schedules get. After a change, -rewrite writes the
// file again; the diff is the review.
func TestPredictions(t *testing.T) {
	const file = "testdata/predictions.txt"
	var b strings.Builder
	for _, name := range program.Names() {
		b.WriteString(name + "\n")
		asked := map[string]bool{}
		for seed := range uint64(6) {
			for _, line := range predicted(t, name, seed) {
				if !asked[line.kind] {
					asked[line.kind] = true
					b.WriteString(line.text)
				}
			}
		}
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the predictions differ; run with -rewrite and read the diff. They are\n%s", b.String())
	}
}

// A predictedStep is a question with its choices, the choice that came true, and its kind.
type predictedStep struct{ kind, text string }

// predicted returns the questions of a run that steps two clients of a program
// at random, with two seconds passing now and then. In every other run a third
// client has crashed after its first command.
func predicted(t *testing.T, name string, seed uint64) (all []predictedStep) {
	t.Helper()
	nodes := ""
	if name == "redlock" {
		nodes = " nodes=3"
	}
	crash := ""
	if seed%2 == 1 {
		crash = "\nspawn C3\nstep C3\ncrash C3"
	}
	scenario, err := engine.Parse(name, "program "+name+" timeout=3s"+nodes+crash+"\nspawn C1 C2", nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play(name)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 30 {
		next, ok := engine.Scheduler{Random: true, Seed: seed}.Next(trace.Run.World())
		if n%4 == 3 {
			next = engine.Action{Verb: engine.VerbTick, Time: 2000}
		} else if !ok {
			break
		}
		p, ok := ask.Replies(trace.Run.World(), next.Client)
		done, err := trace.Run.Do(next)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		answer := p.Answer(done.Events)
		if answer < 0 {
			t.Errorf("%s, seed %d: %s none of %q comes true", name, seed, p.Question(lang.English), texts(p))
		}
		command, _, _ := strings.Cut(p.Command, " ")
		step := predictedStep{kind: command, text: "  " + p.Question(lang.English) + "\n  " + p.Question(lang.Chinese) + "\n"}
		for i, c := range p.Choices {
			mark := " "
			if i == answer {
				mark = "*"
				step.kind += c.Text
			}
			step.text += fmt.Sprintf("  %s %-13s %s %s\n", mark, c.Text, c.Sentence(lang.English), c.Sentence(lang.Chinese))
		}
		all = append(all, step)
	}
	return all
}

// asks returns the header for a program whose first command is the given one.
func asks(t *testing.T, command string) engine.Header {
	t.Helper()
	p, err := program.Parse("asks", "def acquire(c):\n    c."+command+"\n    return True\n\ndef release(c, lease):\n    c.delete(\"lock.foo\")\n")
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return engine.Header{Program: "asks", Own: []*program.Program{p}}
}

// served returns a client's choices after some lines, and the one that comes
// true.
func served(t *testing.T, command string, lines ...string) (choices []string, answer int) {
	t.Helper()
	run := engine.NewRun(asks(t, command))
	defer run.World().Close()
	for _, line := range append([]string{"spawn C1"}, lines...) {
		if err := do(run.World(), line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	p, ok := ask.Replies(run.World(), "C1")
	if !ok {
		t.Fatalf("%s: no question after %q", command, lines)
	}
	wellFormed(t, p)
	if err := do(run.World(), "deliver C1"); err != nil {
		t.Fatal(err)
	}
	return texts(p), p.Answer(run.World().Events())
}

// Every command that a program can send has a question, whatever the key holds.
func TestEveryCommandIsAskedAbout(t *testing.T) {
	for _, command := range []string{
		`setnx("lock.foo", "a")`, `get("lock.foo")`, `getset("lock.foo", "a")`, `getdel("lock.foo")`,
		`set("lock.foo", "a")`, `set("lock.foo", "a", nx=True, px=500)`, `set("lock.foo", "a", xx=True, keepttl=True)`, `set("lock.foo", "a", get=True)`,
		`delete("lock.foo")`, `delex("lock.foo")`, `delex("lock.foo", ifeq="7")`, `delex("lock.foo", ifne="7")`, `delifeq("lock.foo", "7")`,
		`set("lock.foo", "a", ifeq="7")`, `set("lock.foo", "a", ifne="7", px=500)`, `set("lock.foo", "a", ifeq="7", get=True)`, `set("lock.foo", "a", ifeq="GET")`, `set("lock.foo", "a", get=True, ifeq="GET")`,
		`expire("lock.foo", 1)`, `pexpire("lock.foo", 1)`, `persist("lock.foo")`, `ttl("lock.foo")`, `pttl("lock.foo")`,
		`exists("lock.foo")`, `type("lock.foo")`, `strlen("lock.foo")`,
		`incr("lock.foo")`, `decr("lock.foo")`, `incrby("lock.foo", 10)`, `incrby("lock.foo", 0)`, `incrby("lock.foo", -3)`,
		`eval("compare-and-delete", "lock.foo", "7")`, `eval("compare-and-set", "lock.foo", "7", "8")`,
		`eval("compare-and-expire", "lock.foo", "7", 500)`, `eval("set-and-fence", "lock.foo", "fence.foo", "a", 500)`,
		`storage.write()`, `storage.write(fence=3)`, `try_get("lock.foo")`, `try_incr("lock.foo")`, `storage.try_write(fence=3)`,
	} {
		for _, lines := range [][]string{
			nil,
			{"do C9 SET lock.foo 7"},
			{"do C9 SET lock.foo 7 PX 4200"},
			{"do C9 SET lock.foo not-a-number"},
			{"do C9 SET fence.foo not-a-number"},
			{"do C9 SET lock.foo 1", "do C9 SET lock.foo 2", "do C9 SET lock.foo 3", "do C9 SET lock.foo 44", "do C9 SET lock.foo 555", "do C9 SET lock.foo 6666"},
			{"do C9 SET lock.foo -9223372036854775808"},
			{"redis crash"},
			{"redis crash lose", "redis restart"},
		} {
			if choices, answer := served(t, command, lines...); answer < 0 {
				t.Errorf("%s after %q: none of %q comes true", command, lines, choices)
			}
		}
	}
}

// The choices give nothing away: they and their order stay the same where
// another one is right.
func TestChoicesAreTheSameWhicheverIsRight(t *testing.T) {
	for _, test := range []struct {
		command string
		runs    [][]string
	}{
		{`setnx("lock.foo", "a")`, [][]string{nil, {"do C9 SETNX lock.foo b"}}},
		{`set("lock.foo", "a", nx=True, px=500)`, [][]string{nil, {"do C9 SETNX lock.foo b"}}},
		{`delete("lock.foo")`, [][]string{nil, {"do C9 SETNX lock.foo b"}}},
		{`eval("compare-and-delete", "lock.foo", "a")`, [][]string{nil, {"do C9 SETNX lock.foo a"}}},
		{`get("lock.foo")`, [][]string{
			{"do C9 SET lock.foo 12", "do C9 SET lock.foo 7"},
			{"do C9 SET lock.foo 7", "do C9 SET lock.foo 12"},
			{"do C9 SET lock.foo 7", "do C9 SET lock.foo 12", "do C9 DEL lock.foo"},
		}},
		{`getset("lock.foo", "9")`, [][]string{
			{"do C9 SET lock.foo 12", "do C9 SET lock.foo 9"},
			{"do C9 SET lock.foo 9", "do C9 SET lock.foo 12"},
			{"do C9 SET lock.foo 12", "do C9 DEL lock.foo"},
		}},
	} {
		right := map[int]bool{}
		var first []string
		for _, lines := range test.runs {
			choices, answer := served(t, test.command, lines...)
			if first == nil {
				first = choices
			}
			if !slices.Equal(choices, first) {
				t.Errorf("%s: %q, and where another is right %q", test.command, first, choices)
			}
			right[answer] = true
		}
		if len(right) != len(test.runs) {
			t.Errorf("%s: these are right: %v", test.command, right)
		}
	}
}

// The next number of a counter does not always stand in the middle.
func TestCountersDoNotGiveTheirNumberAway(t *testing.T) {
	right := map[int]bool{}
	for calls := range 3 {
		lines := []string{"do C9 SET fence.foo 33"}
		for n := range calls {
			lines = append(lines, fmt.Sprintf("spawn D%d", n)) // it sends a command, which takes a number
		}
		run := engine.NewRun(asks(t, `incr("fence.foo")`))
		for _, line := range append(lines, "spawn C1") {
			if err := do(run.World(), line); err != nil {
				t.Fatal(err)
			}
		}
		p, _ := ask.Replies(run.World(), "C1")
		right[slices.Index(texts(p), "(integer) 34")] = true
	}
	if len(right) != 3 || right[-1] {
		t.Errorf("34 stands at %v", right)
	}
}

// Numbers come in the order of numbers, in which nine is before ten, also where they are the values of a key.
func TestNineComesBeforeTen(t *testing.T) {
	for _, test := range []struct{ command, before, want string }{
		{`incr("lock.foo")`, "do C9 SET lock.foo 9", "(integer) 9, (integer) 10, (integer) 11, (integer) …"},
		{`get("lock.foo")`, "do C9 SET lock.foo 10", `(nil), "9", "10", "…"`},
	} {
		choices, _ := served(t, test.command, "do C9 SET lock.foo 9", test.before)
		if got := strings.Join(choices, ", "); got != test.want {
			t.Errorf("%s may reply %s; want %s", test.command, got, test.want)
		}
	}
}

// Answer finds the choice that came true among all events, however many came
// between.
func TestAnswerAfterOtherActions(t *testing.T) {
	run := engine.NewRun(engine.Header{Program: "getset"})
	steps := func(lines ...string) {
		t.Helper()
		for _, line := range lines {
			if err := do(run.World(), line); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
	}
	steps("spawn C1 timeout=3s")
	if _, ok := ask.Replies(run.World(), "C2"); ok {
		t.Error("there is a question about a missing client")
	}
	p, _ := ask.Replies(run.World(), "C1")
	if answer := p.Answer(run.World().Events()); answer != -1 {
		t.Errorf("choice %d has come true before anything has", answer)
	}
	steps("do C9 SETNX lock.foo 1001", "pause C1", "tick 4s", "spawn C2", "step C2", "deliver C1", "do C9 DEL lock.foo", "resume C1", "step C1")
	if answer := p.Answer(run.World().Events()); answer < 0 || p.Choices[answer].Text != "(integer) 0" {
		t.Errorf("choice %d of %q has come true", answer, texts(p))
	}
	p, _ = ask.Replies(run.World(), "C2")
	steps("drop C2")
	if answer := p.Answer(run.World().Events()); answer != -1 {
		t.Errorf("choice %d of %q has come true for a lost request", answer, texts(p))
	}
	if _, ok := ask.Replies(run.World(), "C2"); ok {
		t.Error("there is a question about a lost request")
	}
}

// A read, a write in a transaction and a commit have both an arrival, and a prediction that comes true.
func TestPredictionsOfTheStorageComeTrue(t *testing.T) {
	source := "def acquire(c):\n    return True\ndef work(c, lease):\n    c.storage.read(fence=2)\n    c.storage.write(7, commit=False)\n" +
		"    c.storage.commit()\n    c.storage.commit()\n    c.storage.read(fence=1)\ndef release(c, lease):\n    c.delete(\"lock.foo\")\n"
	p, err := program.Parse("every", source)
	if err != nil {
		t.Fatal(err)
	}
	w := engine.New(engine.Header{Program: "every", Own: []*program.Program{p}})
	defer w.Close()
	if _, err := w.Apply(engine.Action{Verb: engine.VerbSpawn, Client: "C1"}, engine.MaxActionWork); err != nil {
		t.Fatal(err)
	}
	var kinds []engine.Kind
	for range 5 {
		asked, ok := ask.Replies(w, "C1")
		if !ok {
			t.Fatal("nothing is in flight")
		}
		done, err := w.Apply(engine.Action{Verb: engine.VerbStep, Client: "C1"}, engine.MaxActionWork)
		if err != nil {
			t.Fatal(err)
		}
		if answer := asked.Answer(done.Events); answer < 0 || len(asked.Choices) < 2 || len(asked.Choices) > ask.MaxChoices {
			t.Errorf("%s: answer %d of %d", asked.Command, answer, len(asked.Choices))
		}
		i := slices.IndexFunc(done.Events, func(e engine.Event) bool { return e.Kind.Arrives() })
		kinds = append(kinds, done.Events[i].Kind)
	}
	if want := []engine.Kind{engine.Read, engine.Stage, engine.Commit, engine.Commit, engine.Reject}; !slices.Equal(kinds, want) {
		t.Errorf("the storage does %v, not %v", kinds, want)
	}
}
