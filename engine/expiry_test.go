package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/testtools"
)

// Whatever times the commands name, a run equals its text. It is the same when its world is made again after every
// action, when it is one of its own prefixes, and when it is printed, parsed and played.
func TestOddTimesReplay(t *testing.T) {
	typed := []string{
		"SET k w EX %s", "SET k w PX %s", "SET k w EXAT %s", "SET k w PXAT %s", "SET k w XX GET PXAT %s", "SET new w NX PX %s", "SETEX k %s w", "PSETEX k %s w",
		"GETEX k EX %s", "GETEX k PX %s", "GETEX k EXAT %s", "GETEX k PXAT %s", "EXPIRE k %s", "PEXPIRE k %s", "EXPIREAT k %s", "PEXPIREAT k %s",
		"EVAL compare-and-expire 1 k v %s", "EVAL set-and-fence 2 new fence w %s",
	}
	programmed := []string{
		`set("k", "w", px=%s)`, `set("k", "w", ex=%s)`, `set("new", "w", nx=True, px=%s)`, `expire("k", %s)`, `pexpire("k", %s)`,
		`eval("compare-and-expire", "k", "v", %s)`, `eval("set-and-fence", "new", "fence", "w", %s)`,
	}
	numbers := []string{
		"0", "1", "-1", "999", "1000", "1001", "2147483648", "9007199254740992", "9223372036854", "9223372036855", "9223372036854775", "9223372036854776",
		"18446744073710", "18446744073709552", "216749242866097232", "-216749242866097232", "9223372036854775807", "-9223372036854775807",
	}
	some := []string{"0", "-1", "1001", "9223372036855", "-216749242866097232", "9223372036854775807"} // each outcome
	numbers = testtools.InCircle(some, numbers, numbers)
	var texts []string
	for _, number := range numbers {
		for _, form := range typed {
			texts = append(texts, "program naive\nspawn C1\ndo A SET k v PX 5000\ndo A "+fmt.Sprintf(form, number)+`
do A MGET k new fence
do A PTTL k
tick 1ms
do A PTTL k
do A SETNX k late
step C1
tick 10s
do A GET k
do A PTTL new
redis crash
tick 24h
redis restart
do A PTTL k
do A SETNX k later
`)
		}
		for _, form := range programmed {
			texts = append(texts, `define odd
| def acquire(c):
|     c.set("k", "v", px=5000)
|     c.try_`+fmt.Sprintf(form, number)+`
|     c.get("k")
|     if c.pttl("k") > 0:
|         return None
|     return c.setnx("k", c.token())
| def release(c, lease):
|     c.get("new")
spawn C1 C2 odd
step C1 4
step C2 2
tick 1ms
step C1 3
step C2 3
do A MGET k new fence
tick 10s
do A PTTL k
do A SETNX new late
`)
		}
	}
	for _, text := range texts {
		scenario, err := engine.Parse("odd", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		through, again := engine.NewRun(scenario.Header, check.All()...), engine.NewRun(scenario.Header, check.All()...)
		for _, a := range scenario.Actions() {
			_, err := through.Do(a)
			done, errAgain := again.Do(a)
			if (err == nil) != (errAgain == nil) {
				t.Fatalf("%s\n%s: %v, and in a world that was made again %v", text, a, err, errAgain)
			}
			if err == nil { // from here on its nodes start from their stored values
				done.TakeBack()
				if _, err := again.Do(a); err != nil {
					t.Fatalf("%s\n%s is refused the second time: %v", text, a, err)
				}
			}
		}
		want := sentences(through.World())
		if got := sentences(again.World()); got != want {
			t.Errorf("%s\na world that was made again differs\n%s", text, firstDifference(got, want))
		}
		prefix := through.Prefix(len(through.Actions()))
		if got := sentences(prefix.World()); got != want {
			t.Errorf("%s\nits prefix differs\n%s", text, firstDifference(got, want))
		}
		replayed := playText(t, through.Scenario().String()).Run
		if got := sentences(replayed.World()); got != want || replayed.World().Meter().Work() != through.World().Meter().Work() {
			t.Errorf("%s\nits text gives another run\n%s", text, firstDifference(got, want))
		}
		for _, run := range []*engine.Run{through, again, prefix, replayed} {
			run.World().Close()
		}
	}
	if want := len(numbers) * (18 + 7); len(texts) != want {
		t.Errorf("%d runs were played, not %d", len(texts), want)
	}
}

// A late time once damaged two runs: in one, the engine refused a wait for a day and remade the world; in the other, a
// lookahead worked on copies.
func TestLateTimesLeaveTheRunIntact(t *testing.T) {
	heavy := `program naive timeout=24h
define heavy
| def acquire(c):
|     c.get("zz")
|     return True
| def holds(c, lease):
|     for i in range(16):
|         for j in range(16):
|             x = i + j
|     return True
| def release(c, lease):
|     return None
`
	for i := range 11 {
		heavy += fmt.Sprintf("spawn H%d heavy\nstep H%d\n", i+1, i+1)
	}
	for name, text := range map[string]string{
		"a tick that is refused": heavy + "spawn C1\ndo A PSETEX lock.foo 9223372036854775807 v\n",
		"a look ahead":           "program naive\nspawn C1\ndo A SET lock.foo v\ndo A GETEX lock.foo PXAT 1\n",
	} {
		run := playText(t, text).Run
		_, refused := run.Do(engine.Action{Verb: engine.VerbTick, Time: engine.MaxTick})
		if strings.HasPrefix(text, heavy) && refused == nil {
			t.Errorf("%s: it is not", name)
		}
		for _, line := range []string{"tick 1s", "step C1", "tick 1s", "step C1"} {
			a, err := engine.ParseAction(line)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = run.Do(a) // the replay confirms whether it is possible
		}
		if got, want := sentences(playText(t, run.Scenario().String()).Run.World()), sentences(run.World()); got != want {
			t.Errorf("%s: the run and its text differ\n%s", name, firstDifference(got, want))
		}
	}
}
