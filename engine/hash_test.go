package engine_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/redis"
)

// A copy of a world keeps hashes, bytes that are not UTF-8, and what a transaction has written.
func TestACopyKeepsWhatKeysHold(t *testing.T) {
	run := playText(t, `do A HSET h owner 2 "\xff\x00" "two words"
do A PEXPIRE h 5000
do A SET "\xff" "\x80" PX 9000
do A MULTI "SET a 1" "HINCRBY h owner 1" EXEC
`).Run
	twin := run.World().Fork()
	defer twin.Close()
	for _, line := range []string{`do A HGETALL h`, `do A HGET h "\xff\x00"`, `do A PTTL h`, `do A GET "\xff"`, `do A GET h`, `do A HINCRBY h owner -3`, `do A HDEL h owner "\xff\x00"`, `do A EXISTS h`, `do A TYPE a`} {
		action, err := engine.ParseAction(line)
		if err != nil {
			t.Fatal(err)
		}
		done, err := run.Do(action)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := twin.Apply(action, engine.MaxActionWork); err != nil {
			t.Fatal(err)
		}
		if got, want := twin.Client("A").Replied, done.Events[len(done.Events)-1].Execution.Reply; got != want {
			t.Errorf("%s: the copy answers %s, the world %s", line, got, want)
		}
	}
}

// Scenario text, sentences and JSON tell bytes that are not UTF-8.
func TestBytesThatAreNotText(t *testing.T) {
	const text = "do A SET \"\\xff\" \"\\x80好\\x00\"\ndo A GET \"\\xff\"\ndo A MULTI \"GET \\\"\\\\xff\\\"\" EXEC\n"
	trace := playText(t, text)
	if got := trace.Run.Scenario().String(); got != text {
		t.Errorf("%s, not %s", got, text)
	}
	world := trace.Run.World()
	if s := world.Stored(0, "\xff"); s == nil || s.Value != "\x80好\x00" {
		t.Errorf("%+v", s)
	}
	for _, expected := range []string{`expect key "\xff" "\x80好\x00"`, `expect reply A "[\"\\x80好\\x00\"]"`} {
		scenario, err := engine.Parse("text", text+expected+"\n", nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := scenario.Play("text")
		if err != nil || len(again.Unmet) > 0 || scenario.String() != text+expected+"\n" {
			t.Errorf("%s: %v, %v", expected, err, again.Unmet)
		}
	}
	for _, e := range world.Events() {
		wire, err := json.Marshal(e)
		if err != nil || strings.Contains(string(wire), "\ufffd") || strings.Contains(string(wire), `\ufffd`) {
			t.Errorf("%s, %v", wire, err)
		}
		if e.Kind == engine.Deliver && e.Execution.Order == 1 {
			var told struct {
				Label   string
				Request string
				Call    struct{ Command []string }
				Changes []struct {
					Key string
					New struct{ Value string }
				}
			}
			if err := json.Unmarshal(wire, &told); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%q", told)
			want := fmt.Sprintf("%q", []any{`SET "\xff" "\x80好\x00"`, "*3\r\n$3\r\nSET\r\n$1\r\n\\xff\r\n$5\r\n\\x80好\x00\r\n", []any{[]string{"SET", `\xff`, "\\x80好\x00"}}, []any{[]any{`\xff`, []any{"\\x80好\x00"}}}})
			if strings.NewReplacer("{", "[", "}", "]").Replace(got) != want {
				t.Errorf("%s, not %s", got, want)
			}
		}
	}
}

// A hash takes no more fields than a run may hold, also in a transaction.
func TestAHashHasABound(t *testing.T) {
	run := engine.NewRun(engine.Header{}, check.All()...)
	do := func(command ...string) error {
		_, err := run.Do(engine.Action{Verb: engine.VerbDo, Client: "A", Command: command})
		return err
	}
	for i := range engine.MaxFields {
		if err := do("HSET", "h", fmt.Sprint("f", i), "v"); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range [][]string{{"HSET", "h", "more", "v"}, {"hsetnx", "h", "more", "v"}, {"HINCRBY", "h", "more", "1"}, {"MULTI", "GET k", "HSET h more v", "EXEC"}} {
		if err := do(command...); err == nil || !strings.HasSuffix(err.Error(), "the hash h has 64 fields here and takes no more") {
			t.Errorf("%s: %v", command, err)
		}
	}
	if err := do("HDEL", "h", "f0"); err != nil {
		t.Error(err)
	}
	if err := do("HSET", "h", "more", "v"); err != nil {
		t.Error(err)
	}
}

// A transaction does the work of its commands.
func TestATransactionWorksAsItsCommandsDo(t *testing.T) {
	work := func(line string) int64 { return playText(t, "do A "+line+"\n").Run.World().Meter().Work() }
	script := work("EVAL compare-and-delete 1 k v")
	if got := work(`MULTI "EVAL compare-and-delete 1 k v" "EVAL compare-and-delete 1 k v" EXEC`); got < 2*(script-500) || got > 3*script {
		t.Errorf("two scripts in a transaction take %d units, and one takes %d", got, script)
	}
}

// A hash and a string differ for the explorer even where their values read alike, and a hash that names clients is the same
// hash after these have changed their names.
func TestTheKeyOfAStoreWithHashes(t *testing.T) {
	key := func(text string) string { return playText(t, text).Run.World().Store(0).Key() }
	if key("do A HSET k f v\n") == key("do A SET k \"f v\"\n") {
		t.Error("a hash and a string have the same key")
	}
	swap := strings.NewReplacer("A", "B", "B", "A").Replace
	one := playText(t, "do A HSET k A 1 B 2\n").Run.World().Store(0).Renamed(swap)
	if got, want := one.Stored["k"].Value, "A 2 B 1"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// Bytes counts never less than the wire takes, also for bytes that are not UTF-8 and for quotes within quotes.
func TestTheSizeOfBytesThatAreNotText(t *testing.T) {
	for _, argument := range []string{"\xff", "\x80\\\"", "\x00", "\ufffd", "好\xe5", "\\x"} {
		long := strings.Repeat(argument, redis.MaxArgSize/len(argument))
		short := long[:min(len(long), 100)]
		for _, command := range [][]string{
			{"SET", long, long}, {"HSET", "h", long, long}, {"ECHO", long},
			{"MULTI", redis.Quote([]string{"SET", "k", short}), redis.Quote([]string{"GET", "k"}), "EXEC"},
		} {
			run := engine.NewRun(engine.Header{}, check.All()...)
			if _, err := run.Do(engine.Action{Verb: engine.VerbDo, Client: "A", Command: command}); err != nil {
				t.Fatalf("%.80q: %v", command, err)
			}
			wire, err := json.Marshal(run.World().Events())
			if got := run.World().Meter().Bytes(); err != nil || got < int64(len(wire)) {
				t.Errorf("%.80q: %d bytes on the wire, counted as %d (%v)", command, len(wire), got, err)
			}
			again, err := engine.Parse("text", run.Scenario().String(), nil)
			if err != nil || !slices.Equal(again.Actions()[0].Command, command) {
				t.Errorf("%.80q reads back as %q, %v", command, again, err)
			}
		}
	}
}
