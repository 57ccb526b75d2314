package engine_test

import (
	"fmt"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// schedule reads any bytes as a schedule: each is an action on one of four
// clients. The run refuses impossible ones.
func schedule(data []byte) []engine.Action {
	var actions []engine.Action
	programs := program.Names()
	for i, b := range data {
		client := fmt.Sprintf("C%d", b>>4&3+1)
		a := engine.Action{Client: client}
		switch b & 15 {
		case 0, 1, 2, 3, 4:
			a.Verb, a.Count = engine.VerbStep, 1+int(b>>6)
		case 5:
			a.Verb, a.Program = engine.VerbSpawn, programs[(i+int(b>>4)+int(data[0]))%len(programs)]
			a.Options.Skew = engine.Time(b>>6) * 1000
		case 6:
			a.Verb = engine.VerbDeliver
		case 7:
			a.Verb = engine.VerbReceive
		case 8:
			a.Verb, a.Client, a.Time = engine.VerbTick, "", 1+engine.Time(b>>4)*750
		case 9:
			a.Verb = engine.VerbCrash
		case 10:
			a.Verb = engine.VerbRestart
		case 11:
			a.Verb = engine.VerbPause
		case 12:
			a.Verb = engine.VerbResume
		case 13:
			a.Verb = engine.VerbDrop
		case 14:
			a.Verb, a.Time = engine.VerbSkew, engine.Time(int8(b))*100
		case 15:
			switch b >> 6 {
			case 0:
				a = engine.Action{Verb: engine.VerbRedisCrash, Lose: b&16 != 0}
			case 1:
				a = engine.Action{Verb: engine.VerbRedisRestart}
			case 2:
				a = engine.Action{Verb: engine.VerbDo, Client: "C9", Command: []string{"DEL", "lock.foo"}}
				if b&32 != 0 {
					a = engine.Action{Verb: engine.VerbLeave, Client: "C9"}
				}
			case 3:
				if a = (engine.Action{Verb: engine.VerbEnter, Client: "C9"}); b&32 != 0 {
					break
				}
				a = engine.Action{Verb: engine.VerbDo, Client: "C9", Command: []string{"SET", "lock.foo", "x", "PX", "1500"}}
			}
		}
		actions = append(actions, a)
	}
	return actions
}

func FuzzSchedule(f *testing.F) {
	f.Add([]byte{0x05, 0x00, 0x09, 0xf8, 0x15, 0x25, 0x10, 0x10, 0x20, 0x20, 0x10, 0x10, 0x20, 0x20})
	f.Add([]byte("any bytes are a schedule"))
	f.Add([]byte{0x35, 0x30, 0x3b, 0x48, 0x15, 0x1f, 0x5f, 0x3c, 0x3d, 0x9f, 0xdf})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 200 {
			data = data[:200]
		}
		run := engine.NewRun(engine.Header{}, check.All()...)
		var after []int // events after each action that was possible
		for _, a := range schedule(data) {
			before := len(run.World().Events())
			_, err := run.Do(a)
			if err != nil && len(run.World().Events()) != before {
				t.Fatalf("%s was refused (%v) and yet something happened", a, err)
			}
			if err == nil {
				after = append(after, len(run.World().Events()))
			}
		}
		whole := sentences(run.World())

		replay := engine.NewRun(engine.Header{}, check.All()...)
		for _, a := range run.Actions() {
			if _, err := replay.Do(a); err != nil {
				t.Fatalf("in the replay, %s was refused: %v", a, err)
			}
		}
		if got := sentences(replay.World()); got != whole {
			t.Fatalf("a run and its replay differ\n%s", firstDifference(got, whole))
		}

		// Going back by one action, or by half of them, gives the same run as one that never did them.
		for _, keep := range []int{len(after) - 1, len(after) / 2} {
			if keep < 0 {
				continue
			}
			shorter := engine.NewRun(engine.Header{}, check.All()...)
			for _, a := range run.Actions()[:keep] {
				shorter.Do(a)
			}
			replay := replay.Prefix(keep)
			if got, want := sentences(replay.World()), sentences(shorter.World()); got != want {
				t.Fatalf("a prefix and a shorter run differ\n%s", firstDifference(got, want))
			}
			if keep > 0 && len(replay.World().Events()) != after[keep-1] {
				t.Fatalf("a prefix of %d actions has %d events, not %d", keep, len(replay.World().Events()), after[keep-1])
			}
		}

		// The log is a scenario that reads back as the same run.
		text := run.Scenario().String()
		scenario, err := engine.Parse("log", text, nil)
		if err != nil {
			t.Fatalf("the log does not parse: %v\n%s", err, text)
		}
		trace, err := scenario.Play("log", check.All()...)
		if err != nil {
			t.Fatalf("the log does not run: %v\n%s", err, text)
		}
		if got := sentences(trace.Run.World()); got != whole {
			t.Fatalf("the log runs differently\n%s", firstDifference(got, whole))
		}
	})
}

// tick 12s equals tick 5s and then tick 7s, in any state.
func FuzzTickIsAdditive(f *testing.F) {
	f.Add([]byte{0x05, 0x00, 0x15, 0x10, 0x25, 0x2b}, uint16(5000), uint16(7000))
	f.Fuzz(func(t *testing.T, data []byte, first, second uint16) {
		if len(data) > 60 {
			data = data[:60]
		}
		first, second = first/2+1, second/2+1 // a tick is longer than 0, and both together are one
		whole, parts := engine.New(engine.Header{}), engine.New(engine.Header{})
		for _, a := range schedule(data) {
			whole.Apply(a, engine.MaxActionWork)
			parts.Apply(a, engine.MaxActionWork)
		}
		tick := func(w *engine.World, d uint16) {
			if _, err := w.Apply(engine.Action{Verb: engine.VerbTick, Time: engine.Time(d)}, engine.MaxActionWork); err != nil {
				t.Fatal(err)
			}
		}
		before := len(whole.Events())
		tick(whole, first+second)
		tick(parts, first)
		tick(parts, second)
		// The log of the parts has one more tick, the seam; nothing else differs.
		if got, want := happened(parts.Events()[before:]), happened(whole.Events()[before:]); got != want {
			t.Fatalf("two ticks differ from one\n%s", firstDifference(got, want))
		}
		for _, c := range whole.Clients() {
			twin := parts.Client(c.Name)
			if twin.Status != c.Status || twin.Believes != c.Believes || twin.Until != c.Until {
				t.Fatalf("%s is %s after one tick, %s after two", c.Name, c.Status, twin.Status)
			}
		}
	})
}

// happened returns the events other than ticks, with their times.
func happened(events []engine.Event) string {
	text := ""
	for i := range events {
		if events[i].Kind != engine.Tick {
			text += events[i].Time.String() + " " + events[i].Sentence(lang.English) + "\n"
		}
	}
	return text
}

func FuzzParse(f *testing.F) {
	for _, file := range transcripts(f) {
		f.Add(play(f, file).Scenario.String())
	}
	f.Add(effectLine + "| at 1005s\n| none k\n| hash l \"a \\\"\\\\xff\\\"\" 1.5s\n| resp \"*1\\r\\n+a, b\\r\\n\"\n| none l\n| string k \"\\x00 #\" 1ms\ndo A EVALSHA dd0ad286d3a503cfde3cc2bb52e5f990172a27b8 2 k l me")
	f.Add("program naive timeout=10s nodes=3\ndefine x\n| def\nspawn C1 C2 # c\nexpect no violation")
	f.Fuzz(func(t *testing.T, text string) {
		scenario, err := engine.Parse("f", text, nil)
		if err != nil {
			return
		}
		printed := scenario.String()
		again, err := engine.Parse("f", printed, nil)
		if err != nil {
			t.Fatalf("the printed text does not parse: %v\n%s", err, printed)
		}
		if got := again.String(); got != printed {
			t.Fatalf("printed twice, two texts:\n%q\n%q", printed, got)
		}
	})
}
