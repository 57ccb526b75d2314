package engine_test

import (
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

const reentrant = `if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[1]) == 1 then redis.call('hincrby', KEYS[1], ARGV[1], 1) return 1 end return 0`

// Scenario text is how strangers reach a run: files, links, forms and websockets. None of it brings Lua.
func TestNoTextBringsAScript(t *testing.T) {
	own := redis.Scripts{}.With(reentrant)
	command, refusal := redis.CheckOwn([]string{"EVAL", reentrant, "1", "k", "A"}, own)
	if refusal != nil {
		t.Fatal(refusal)
	}
	for _, line := range []string{
		"do A " + redis.Quote(command),
		"do A " + redis.Label(command),
		"do A " + redis.Quote([]string{"MULTI", redis.Quote(command), "EXEC"}),
		`do A EVAL "return 1" 0`,
		`do A EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0`,
		`do A SCRIPT LOAD "return 1"`,
	} {
		if _, err := engine.Parse("text", line, nil); err == nil {
			t.Errorf("Parse takes %s", line)
		}
		if _, err := engine.ParseAction(line); err == nil {
			t.Errorf("ParseAction takes %s", line)
		}
	}
	s, err := engine.Parse("text", "program setnx timeout=5s nodes=1\nspawn C1\ndo A EVAL redis-py-release 1 k t\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Header.Scripts.Len(); n > 0 {
		t.Errorf("Parse sets %d scripts", n)
	}
	run := engine.NewRun(s.Header)
	if _, err := run.Do(engine.Action{Verb: engine.VerbDo, Client: "A", Command: command}); err == nil || !strings.Contains(err.Error(), "EVAL runs only these scripts") {
		t.Errorf("a run without scripts executes one: %v", err)
	}
}

// A run executes the scripts that it is brought, and so do its prefixes and copies.
func TestARunExecutesTheScriptsThatItIsBrought(t *testing.T) {
	run := engine.NewRun(engine.Header{}, check.All()...)
	run.Bring(redis.Scripts{}.With(reentrant))
	do := func(client string, command ...string) redis.Reply {
		done, err := run.Do(engine.Action{Verb: engine.VerbDo, Client: client, Command: command})
		if err != nil {
			t.Fatal(err)
		}
		return done.Events[len(done.Events)-1].Execution.Reply
	}
	if got := do("A", "EVAL", reentrant, "1", "k", "A"); got != ":1\r\n" {
		t.Error(got)
	}
	if got := do("B", "EVAL", reentrant, "1", "k", "B"); got != ":0\r\n" {
		t.Error(got)
	}
	if s := run.World().Stored(0, "k"); s == nil || s.Type != redis.Hash || s.Value != "A 1" || s.Writer != "A" || s.Counted {
		t.Errorf("%+v", s)
	}
	if text := run.Scenario().String(); strings.Contains(text, "hincrby") || !strings.Contains(text, "do A EVALSHA ") {
		t.Error(text)
	}
	if s := run.Prefix(1).World().Stored(0, "k"); s == nil || s.Value != "A 1" {
		t.Errorf("%+v", s)
	}
}

// An own script may fail after it has changed a key. The sentence tells what changed.
func TestAScriptThatFailsHalfWay(t *testing.T) {
	const lua = "redis.call('set', KEYS[1], 'v') return redis.call('hget', KEYS[1], 'f')"
	run := engine.NewRun(engine.Header{})
	run.Bring(redis.Scripts{}.With(lua))
	done, err := run.Do(engine.Action{Verb: engine.VerbDo, Client: "A", Command: []string{"EVAL", lua, "1", "k"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range done.Events {
		if text := e.Sentence(lang.English); e.Kind == engine.Deliver && !strings.Contains(text, "k was free and is now v") {
			t.Error(text)
		}
	}
}
