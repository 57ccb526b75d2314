package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// ownScripts are scripts that no library has: on strings and hashes, with and without a time to live, that fail half-way, reply
// with everything that Redis can reply, and ask for the time.
var ownScripts = []string{
	reentrant,
	`if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[1]) == 1 then redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], 3000) return nil end return redis.call('pttl', KEYS[1])`,
	`if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return nil end local n = redis.call('hincrby', KEYS[1], ARGV[1], -1) if n > 0 then redis.call('pexpire', KEYS[1], 2000) return 0 end redis.call('del', KEYS[1]) redis.call('publish', 'free', '0') return 1`,
	`return redis.call('set', KEYS[2], ARGV[1], 'nx', 'px', 1500)`,
	`redis.call('set', KEYS[2], ARGV[1]) return {redis.call('get', KEYS[2]), 7, false, {1, {}}, redis.status_reply('FINE')}`,
	`redis.call('incr', KEYS[3]) return redis.call('hget', KEYS[3], 'f')`,
	`redis.call('persist', KEYS[2]) return redis.call('ttl', KEYS[1])`,
	`redis.call('set', KEYS[2], '\255\n"\\#', 'exat', 1005) return redis.call('time')`,
	`return redis.call('incrby', KEYS[3], tonumber(redis.call('time')[1]))`,
	`return redis.error_reply('ERR ' .. ARGV[1] .. ', no')`,
	`return redis.call('del', KEYS[1], KEYS[2])`,
}

// mixed returns a run with scripts: typed commands of three clients, chance deciding.
func mixed(t *testing.T, chance *rand.Rand) *engine.Run {
	own := redis.Scripts{}
	for _, lua := range ownScripts {
		own = own.With(lua)
	}
	run := engine.NewRun(engine.Header{}, check.All()...)
	run.Bring(own)
	for range 60 {
		client := string(rune('A' + chance.IntN(3)))
		command := []string{"EVAL", ownScripts[chance.IntN(len(ownScripts))], "3", "lock", "s", "count", client}
		a := engine.Action{Verb: engine.VerbDo, Client: client, Command: command}
		switch chance.IntN(8) {
		case 0:
			a = engine.Action{Verb: engine.VerbTick, Time: engine.Time(250 * (1 + chance.IntN(6)))}
		case 1:
			a.Command = []string{"SET", "s", client, "PX", "1000"}
		case 2:
			a.Command = []string{"MULTI", "PING", redis.Quote(command), redis.Quote([]string{"SET", "s", client}), "EXEC"}
		case 3:
			a.Command = []string{"HSET", "lock", client, "1"}
		case 4:
			a = engine.Action{Verb: engine.VerbFailover}
		}
		if _, err := run.Do(a); err != nil {
			t.Fatal(err)
		}
	}
	return run
}

// "A run with scripts and the same run from its text give the same events but for the mark."
func TestARunFromItsTextIsTheSameButForTheMark(t *testing.T) {
	recorded := 0
	for seed := range uint64(30) {
		run := mixed(t, rand.New(rand.NewPCG(seed, 18)))
		text := run.Scenario().String()
		if strings.Contains(text, "redis.call") || strings.Contains(text, "pexpire") {
			t.Fatal(text)
		}
		s, err := engine.Parse("text", text, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if again := s.String(); again != text {
			t.Fatal(firstDifference(again, text))
		}
		trace, err := s.Play("text", check.All()...)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		got, marks := unmarked(trace.Run.World())
		want, none := unmarked(run.World())
		if got != want || none != 0 {
			t.Fatal(firstDifference(got, want))
		}
		recorded += marks
		for i, c := range run.World().Keys(0) {
			if a, b := run.World().Stored(0, c), trace.Run.World().Stored(0, c); *a != *b {
				t.Errorf("%d: %+v, not %+v", i, b, a)
			}
		}
	}
	if recorded < 500 {
		t.Errorf("only %d executions are recorded", recorded)
	}
}

// unmarked tells everything about the events of a run but which executions are recorded. It counts these.
func unmarked(w *engine.World) (told string, recorded int) {
	var b strings.Builder
	for _, e := range w.Events() {
		if e.Execution != nil && e.Execution.Recorded {
			if e.Kind == engine.Deliver {
				recorded++
			}
			plain := *e.Execution
			plain.Recorded = false
			e.Execution = &plain
		}
		fmt.Fprintf(&b, "%d %d %d %s %s %s %s\n", e.Seq, e.Action, e.Time, e.Lane, e.Kind, e.Sentence(lang.English), e.Sentence(lang.Chinese))
		if e.Execution != nil {
			fmt.Fprintf(&b, "%d %q %s\n", e.Execution.Order, e.Execution.Reply, e.Call.Label())
		}
		for _, c := range e.Changes {
			fmt.Fprintf(&b, "%q %+v %+v\n", c.Key, c.Old, c.New)
		}
	}
	return b.String(), recorded
}

const effectLine = "effect EVALSHA dd0ad286d3a503cfde3cc2bb52e5f990172a27b8 2 k l me\n"

// An effect is data of a stranger. It says what the keys of its command hold, within the bounds of a command, and nothing else.
func TestHostileEffects(t *testing.T) {
	const whole = effectLine + "| none k\n| none l\n| = OK\n"
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "effect EVALSHA dd0ad286d3a503cfde3cc2bb52e5f990172a27b8 1 k %d\n| none k\n| = OK\n", i)
		}
		return b.String()
	}
	for _, test := range []struct{ name, text, want string }{
		{"all there is", whole, ""},
		{"a value of 512 bytes", whole + "| string l " + strings.Repeat("x", 512) + " 1ms\n", ""},
		{"a value of 513 bytes", whole + "| string l " + strings.Repeat("x", 513) + "\n", "bad.lock:1:1: the value of l in an effect is no value of a key here"},
		{"another key", whole + "| string other x\n", "bad.lock:1:1: after its reply, an effect says what keys of its command hold then"},
		{"a key twice", whole + "| string l x\n| none l\n", "bad.lock:1:1: after its reply, an effect says"},
		{"no word of a key", effectLine + "| none k\n| = OK\n", "bad.lock:1:1: before its reply, an effect says"},
		{"another order", effectLine + "| none l\n| none k\n| = OK\n", "bad.lock:1:1: before its reply, an effect says"},
		{"no reply", effectLine + "| none k\n| none l\n", "bad.lock:1:1: an effect has one reply"},
		{"two replies", whole + "| = OK\n", "bad.lock:5:1: an effect has one reply"},
		{"nothing that is a reply", effectLine + "| none k\n| none l\n| = (integer) x\n", "bad.lock:4:1: an effect has one reply"},
		{"arrays in arrays", effectLine + "| none k\n| none l\n| = " + strings.Repeat("[", 33) + strings.Repeat("]", 33) + "\n", "bad.lock:4:1: an effect has one reply"},
		{"an array of a thousand million", effectLine + "| none k\n| none l\n| resp \"*1000000000\\r\\n\"\n", "bad.lock:4:1: an effect has one reply"},
		{"a string longer than the text", effectLine + "| none k\n| none l\n| resp \"$9223372036854775807\\r\\nx\\r\\n\"\n", "bad.lock:4:1: an effect has one reply"},
		{"a time of 293 years", whole + "| string l x 9223372036s\n", "bad.lock:1:1: the value of l in an effect is no value of a key here, or its time is too long"},
		{"a time that is over", whole + "| string l x -1s\n", "bad.lock:5:1: this line of an effect is none of"},
		{"a hash without a value", whole + "| hash l field\n", "bad.lock:1:1: the value of l"},
		{"a hash without fields", whole + "| hash l \"\"\n", "bad.lock:1:1: the value of l"},
		{"a field twice", whole + "| hash l \"a 1 a 2\"\n", "bad.lock:1:1: the value of l"},
		{"fields in another order", whole + "| hash l \"b 1 a 2\"\n", "bad.lock:1:1: the value of l"},
		{"a list", whole + "| list l a\n", "bad.lock:5:1: this line of an effect is none of"},
		{"Lua", strings.Replace(whole, "EVALSHA dd0ad286d3a503cfde3cc2bb52e5f990172a27b8", "EVAL \"return 1\"", 1), "bad.lock:1:1: EVAL runs only these scripts"},
		{"a command that a server has", "effect GET k\n| none k\n| = OK\n", "bad.lock:1:1: an effect belongs to EVALSHA of a script that Lockstep does not have"},
		{"a library's script", "effect EVALSHA c3f8721cbb97f72bc19e972846bd7aaf91901658 1 k v\n| none k\n| = OK\n", "bad.lock:1:1: an effect belongs to EVALSHA"},
		{"no SHA-1", "effect EVALSHA dd0ad286 1 k v\n| none k\n| = OK\n", "bad.lock:1:1: EVALSHA runs only these scripts"},
		{"no command", "effect\n", "bad.lock:1:1: the command is empty"},
		{"the same twice", whole + whole, "bad.lock:5:1: there is an effect for this situation already"},
		{"at another time", whole + strings.Replace(whole, "\n", "\n| at 1s\n", 1), ""},
		{"after an action", "tick 1s\n" + whole, "bad.lock:2:1: effect must stand before the first action"},
		{"256 of them", many(256), ""},
		{"257 of them", many(257), "bad.lock:769:1: a scenario has at most 256 effects"},
		{"more than 8 KB", effectLine + strings.Repeat("| none k\n", 1366), "bad.lock:1367:1: an effect has more than 8192 bytes"},
	} {
		s, err := engine.Parse("bad.lock", test.text, nil)
		if test.want == "" && err == nil {
			if again, err := engine.Parse("bad.lock", s.String(), nil); err != nil || again.String() != s.String() {
				t.Errorf("%s: read back: %v", test.name, err)
			}
			continue
		}
		if err == nil || test.want == "" || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, not %s", test.name, err, test.want)
		}
	}
}

// An effect happens again where its keys hold the same for as long, at any time, and nowhere else. An action cannot be typed
// whose effect nobody knows.
func TestWhereAnEffectHappens(t *testing.T) {
	const text = "effect EVALSHA dd0ad286d3a503cfde3cc2bb52e5f990172a27b8 1 k me\n| string k v 2s\n| = (integer) 1\n| string k me\n"
	const run = "do A EVALSHA dd0ad286d3a503cfde3cc2bb52e5f990172a27b8 1 k me\n"
	for _, test := range []struct {
		before string
		want   bool
	}{
		{"do A SET k v PX 2000\n", true},
		{"tick 1h\ndo A SET k v PX 3000\ntick 1s\n", true},
		{"do A SET k v PX 2001\n", false},
		{"do A SET k v\n", false},
		{"do A SET k w PX 2000\n", false},
		{"do A HSET k v 1\ndo A PEXPIRE k 2000\n", false},
		{"", false},
	} {
		s, err := engine.Parse("text", text+test.before+run, nil)
		if err != nil {
			t.Fatal(err)
		}
		trace, err := s.Play("text")
		if (err == nil) != test.want || err != nil && !strings.Contains(err.Error(), "this script's effect here is not recorded: only the run that was recorded has it") {
			t.Errorf("%q: %v", test.before, err)
		}
		if err == nil {
			if stored := trace.Run.World().Stored(0, "k"); stored.Value != "me" || stored.Writer != "A" || stored.Expires != 0 {
				t.Errorf("%+v", stored)
			}
		}
	}
	// One that was recorded at a time happens then alone.
	for _, now := range []struct {
		tick string
		want bool
	}{{"1s", true}, {"2s", false}, {"500ms", false}} {
		s, err := engine.Parse("text", strings.Replace(text, "| string", "| at 1001s\n| string", 1)+"tick "+now.tick+"\ndo A SET k v PX 2000\n"+run, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Play("text"); (err == nil) != now.want {
			t.Errorf("after %s: %v", now.tick, err)
		}
	}
	if _, err := engine.Parse("text", text+strings.Replace(run, "dd0a", "dd0b", 1), nil); err == nil {
		t.Error("a text brings a script of which it has no effect")
	}
}

// A look at the most and longest effects that a text may have is less than the work of a script: 100 µs.
func BenchmarkEffects(b *testing.B) {
	var text strings.Builder
	value := strings.Repeat("x", 400)
	for i := range 250 {
		fmt.Fprintf(&text, "effect EVALSHA dd0ad286d3a503cfde3cc2bb52e5f990172a27b8 2 k l me\n| string k %s\n| string l %s%d\n| = OK\n", value, value, i)
	}
	fmt.Fprintf(&text, "do A SET k %s\ndo A SET l %s249\n", value, value)
	s, err := engine.Parse("text", text.String(), nil)
	if err != nil {
		b.Fatal(err)
	}
	run := engine.NewRun(s.Header)
	for _, a := range s.Actions() {
		if _, err := run.Do(a); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if err := run.World().Can(engine.Action{Verb: engine.VerbDo, Client: "A", Command: strings.Fields("EVALSHA dd0ad286d3a503cfde3cc2bb52e5f990172a27b8 2 k l me")}); err != nil {
			b.Fatal(err)
		}
	}
}
