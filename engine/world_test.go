package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
)

// after returns a world that has done the lines of scenario text.
func after(t *testing.T, header engine.Header, lines ...string) *engine.World {
	t.Helper()
	w := engine.New(header, check.All()...)
	for _, line := range lines {
		if err := do(w, line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return w
}

func do(w *engine.World, line string) error {
	a, err := engine.ParseAction(line)
	if err != nil {
		return err
	}
	_, err = w.Apply(a, engine.MaxActionWork)
	return err
}

// A fork goes its own way: nothing in it reaches the original world.
func TestForkGoesItsOwnWay(t *testing.T) {
	w := after(t, engine.Header{Program: "set-px"}, "spawn C1", "step C1", "spawn C2", "spawn C3", "crash C3")
	before := sentences(w)
	twin := w.Fork()
	for _, line := range []string{"deliver C3", "tick 10s", "step C2", "step C1 2", "spawn C4", "redis crash lose", "redis restart"} {
		if err := do(twin, line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if twin.Stored(0, "lock.foo") != nil || !twin.Client("C2").Live() && twin.Client("C2").Status != engine.Failed {
		t.Errorf("the fork did not go on: %v", twin.Client("C2").Status)
	}
	if got := sentences(w); got != before {
		t.Errorf("the world has changed with its fork\n%s", firstDifference(got, before))
	}
	if s := w.Stored(0, "lock.foo"); s == nil || s.Value != "C1-1" {
		t.Errorf("lock.foo is %v in the world that was forked", s)
	}
	if err := do(w, "deliver C3"); err != nil {
		t.Errorf("C3's request is gone with the fork: %v", err)
	}
	// The same actions lead both to the same state.
	again := after(t, engine.Header{Program: "set-px"}, "spawn C1", "step C1", "spawn C2", "spawn C3", "crash C3", "deliver C3")
	if sentences(again) != sentences(w) {
		t.Error("a world that was forked runs differently from one that was not")
	}
}

// A Redis node that is down refuses connections, and the crash tells which keys
// it lost.
func TestSeveralNodes(t *testing.T) {
	w := after(t, engine.Header{Program: "naive", Nodes: 3}, "spawn C1", "step C1", "redis crash 1 lose", "redis crash 3 keep")
	if got := strings.Join(w.Nodes(), " "); got != "redis1 redis2 redis3" {
		t.Errorf("the lanes are %s", got)
	}
	if !w.Down(0) || w.Down(1) || !w.Down(2) {
		t.Error("the wrong nodes are down")
	}
	if err := do(w, "redis restart 2"); err == nil {
		t.Error("a running node was restarted")
	}
	crash := w.Events()[len(w.Events())-2]
	if crash.Kind != engine.Crash || crash.Lane != "redis1" || len(crash.Changes) != 1 || crash.Changes[0].Old.Value != "C1" {
		t.Errorf("the crash lost %v", crash.Changes)
	}
	if err := do(w, "redis restart 1"); err != nil {
		t.Fatal(err)
	}
}

// The engine refuses an action beyond a limit with a sentence, and the world
// stays as it was.
func TestLimits(t *testing.T) {
	w := after(t, engine.Header{Program: "naive"})
	for i := range engine.MaxClients {
		if err := do(w, fmt.Sprintf("spawn C%d", i+1)); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"spawn C17":          "a run has at most 16 clients",
		"do D1 GET lock.foo": "a run has at most 16 clients",
		"spawn C1":           "there is a client C1 already",
		"do C1 GET lock.foo": "C1 runs a program; typed commands need a lane of their own",
		"tick 100000s":       "a tick is longer than 0 and at most 86400s",
		"skew C1 -100000s":   "a clock skew is at most 86400s either way",
		"receive C1":         "no reply to C1 is in flight",
		"resume C1":          "C1 is not paused",
		"restart C1":         "C1 is running; only a client that is done or has crashed can restart",
		"redis restart":      "the Redis node is running",
		"redis crash 2":      "there is no Redis node 2; the run has 1",
		"do C9 redis2 GET k": "there is no Redis node 2; the run has 1",
		`note "` + strings.Repeat("x", 600) + `"`: "a note has 1 to 512 bytes and stands on one line",
	} {
		before := len(w.Events())
		err := do(w, line)
		refusal := (*engine.Refusal)(nil)
		if !errors.As(err, &refusal) || err.Error() != want {
			t.Errorf("%.40s: %v, not %s", line, err, want)
			continue
		}
		if chinese := refusal.Sentence(lang.Chinese); chinese == "" || chinese == want {
			testtools.Untranslated(t, "%.40s: no Chinese sentence: %q", line, chinese)
		}
		if len(w.Events()) != before {
			t.Errorf("%.40s: the action has changed something", line)
		}
	}
}

// A node that is down cannot crash, whether it would keep its data or lose them. A note stands on one line.
func TestWhatIsRefusedNow(t *testing.T) {
	w := after(t, engine.Header{Program: "naive"}, "redis crash")
	for _, a := range []engine.Action{
		{Verb: engine.VerbRedisCrash}, {Verb: engine.VerbRedisCrash, Lose: true},
		{Verb: engine.VerbNote, Text: "one\ntwo"}, {Verb: engine.VerbNote, Text: "one\rtwo"}, {Verb: engine.VerbNote},
	} {
		if err := w.Can(a); err == nil {
			t.Errorf("%+v is possible", a)
		}
	}
}

// A client that sleeps and is paused wakes when it resumes, and not before.
func TestAPausedClientSleepsOn(t *testing.T) {
	w := after(t, engine.Header{Program: "naive"}, "spawn C1", "spawn C2", "step C1", "step C2", "pause C2", "tick 60s")
	c := w.Client("C2")
	if call, _ := c.InFlight(); c.Status != engine.Asleep || call != nil {
		t.Errorf("C2 is %s, with %v in flight, while it is paused", c.Status, call)
	}
	if err := do(w, "resume C2"); err != nil {
		t.Fatal(err)
	}
	if call, _ := c.InFlight(); call == nil {
		t.Errorf("C2 is %s after it resumed, and sends nothing", c.Status)
	}
}

// The requests of two lives that are over arrive in the order in which they were sent.
func TestTheOldestRequestArrivesFirst(t *testing.T) {
	w := after(t, engine.Header{Program: "naive"}, "spawn C1", "crash C1", "restart C1", "crash C1", "deliver C1", "deliver C1")
	var arrived []int
	for _, e := range w.Events() {
		if e.Kind == engine.Deliver {
			arrived = append(arrived, e.Call.ID)
		}
	}
	if len(arrived) != 2 || arrived[0] != 1 || arrived[1] != 2 {
		t.Errorf("the requests arrive in the order %v", arrived)
	}
}

// Keys that expire at one time vanish in the order of their names: a run is the same each time.
func TestKeysExpireInOrder(t *testing.T) {
	w := after(t, engine.Header{}, "do D1 SET c 1 PX 1000", "do D1 SET a 1 PX 1000", "do D1 SET b 1 PX 1000", "tick 1s")
	var gone []string
	for _, e := range w.Events() {
		if e.Kind == engine.Expire {
			gone = append(gone, e.Changes[0].Key)
		}
	}
	if strings.Join(gone, " ") != "a b c" {
		t.Errorf("the keys vanish in the order %v", gone)
	}
}

// A program that never asks Redis cannot delay a tick.
func TestProgramThatNeverAsks(t *testing.T) {
	p, err := program.Parse("never", "retry_ms = 1\ndef acquire(c):\n    return None\ndef release(c, lease):\n    pass\n")
	if err != nil {
		t.Fatal(err)
	}
	w := after(t, engine.Header{Own: []*program.Program{p}}, "spawn C1 never", "tick 24h")
	if c := w.Client("C1"); c.Status != engine.Failed {
		t.Errorf("C1 is %s", c.Status)
	}
	if w.Now() != engine.Start+engine.MaxTick {
		t.Errorf("it is %s", w.Now())
	}
}

// A name keeps its program: the log means the same in a replay.
func TestDefine(t *testing.T) {
	parse := func(name, release string) *program.Program {
		p, err := program.Parse(name, "def acquire(c):\n    return c.setnx(\"k\", 1) == 1\ndef release(c, lease):\n    "+release+"\n")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	run := engine.NewRun(engine.Header{}, check.All()...)
	if err := run.Define(parse("mine", "pass")); err != nil {
		t.Fatal(err)
	}
	for _, p := range []*program.Program{parse("mine", "c.delete(\"k\")"), parse("getset", "pass"), parse("Not a name", "pass")} {
		if err := run.Define(p); err == nil {
			t.Errorf("%s was defined again", p.Name)
		}
	}
	for _, line := range []string{"spawn C1 mine", "step C1"} {
		a, _ := engine.ParseAction(line)
		if _, err := run.Do(a); err != nil {
			t.Fatal(err)
		}
	}
	whole := sentences(run.World())
	run = run.Prefix(1)
	a, _ := engine.ParseAction("step C1")
	if _, err := run.Do(a); err != nil {
		t.Fatal(err)
	}
	if got := sentences(run.World()); got != whole {
		t.Errorf("going back changes the program\n%s", firstDifference(got, whole))
	}
	if text := run.Scenario().String(); !strings.Contains(text, "define mine\n| def acquire(c):\n") {
		t.Errorf("the scenario leaves the program out:\n%s", text)
	}
}
