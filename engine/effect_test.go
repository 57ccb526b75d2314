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
