package explore_test

import (
	"strings"
	"testing"

	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// Where every schedule is run one by one, bounded-wait is broken in as many actions as a search says, or in none.
func TestWaitsAgainstEverySchedule(t *testing.T) {
	verdicts := map[explore.Verdict]int{}
	for _, c := range []claim{
		{program: "naive", bounds: "clients=2 ticks=3 delays=0 within=2s", verdict: violated, length: 9}, // spawn, step, spawn, step; tick, step, tick, step, tick
		{program: "naive", bounds: "clients=2 ticks=2 delays=0 within=2s", verdict: holds},
		{program: "set-px-get-del", bounds: "clients=2 timeout=1s ticks=3 delays=0 within=1s", verdict: holds},      // the lease is over by then
		{program: "naive", bounds: "clients=2 retry=100ms ticks=1 tick=2s within=1s", verdict: violated, length: 5}, // spawn, spawn, step, tick, and C2 is told no
		{program: "naive-timeout", sentence: "a waiter comes back after at most acquire_timeout", bounds: "clients=2 ticks=7 delays=0 within=5s", verdict: holds},
		{program: "getset", bounds: "clients=2 timeout=1s ticks=2 delays=0 crashes=1 within=1s"},
		{program: "naive", bounds: "clients=2 ticks=2 lengths=1s+3s delays=0 replies within=2500ms"},
		{program: "naive", bounds: "clients=2 ticks=2 delays=0 losses=1 within=1500ms"},
		{program: "naive", bounds: "clients=2 ticks=2 tick=1s delays=0 failovers=1 within=1s"},
	} {
		t.Run(c.program+" "+c.bounds, func(t *testing.T) {
			t.Parallel()
			c.property = check.BoundedWait.Name
			q := c.question(t)
			all := grow(t, q)
			compareOn(t, []string{c.property}, c.bounds, q, all)
			if got := all.outcome(c.property); c.verdict != "" && (got.verdict != c.verdict || got.length != c.length) {
				t.Errorf("every schedule says %s in %d actions, not %s in %d", got.verdict, got.length, c.verdict, c.length)
			}
			if q.Skew == nil {
				q.Symmetry = true
				compareOn(t, []string{c.property}, c.bounds+" symmetry", q, all.orbits(t, q))
			}
		})
		verdicts[c.verdict]++
	}
	if verdicts[holds] == 0 || verdicts[violated] == 0 {
		t.Errorf("the claims have %v", verdicts)
	}
}

// A real program on the run's clock makes others wait only where it sleeps inside, or where its messages may be late. On another
// clock nobody sees it sleep, and it may take its time.
func TestAHolderThatCouldLeave(t *testing.T) {
	const locks = `recorded "bash worker.sh"
SET lock.foo $1 NX PX 10000
= (nil)
  again 1
= OK
  enter
  %s
  hold
  leave
  DEL lock.foo
  = (integer) 0
    end
  = (integer) 1
    end
`
	prompt, slow := strings.Replace(locks, "  %s\n", "", 1), strings.Replace(locks, "%s", "sleep 3000", 1)
	for _, test := range []struct {
		name, text, bounds string
		unclocked          bool
		length             int // 0: it holds
		says               string
	}{
		{"it leaves at once", prompt, "ticks=4 delays=0", false, 0, "bounded-wait holds: nothing within the bounds violates it. Bounds: 2 clients of worker, 4 ticks of 1 s, waits of 2 s, no crash, no request delayed across a tick and no tick while a client inside could leave. "},
		{"it sleeps inside", slow, "ticks=4 delays=0", false, 9, "bounded-wait is violated. The shortest way takes "}, // spawn, step, spawn, step; tick, step, tick, step, tick
		{"it may stay for a tick", prompt, "ticks=3 delays=1", false, 0, " and a delay of at most 1 tick for requests and for clients that could leave. "},
		{"it may stay for three", prompt, "ticks=3 delays=3", false, 7, " and a delay of at most 3 ticks for requests and for clients that could leave. "},
		{"it may stay at will", prompt, "ticks=3", false, 7, " and requests delayed without limit. "}, // spawn, step, spawn, step, and its next request is late
		{"on the machine's clock", prompt, "ticks=4 delays=0", true, 9, " and no request delayed across a tick. "},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := program.Parse("worker", test.text)
			if err != nil {
				t.Fatal(err)
			}
			q := claim{program: "naive", property: check.BoundedWait.Name, bounds: "clients=2 within=2s " + test.bounds}.question(t)
			q.Program, q.Timeout, q.Clocked = p, 0, !test.unclocked
			all := grow(t, q)
			compareOn(t, []string{q.Property}, test.bounds, q, all)
			if got := all.outcome(q.Property); got.length != test.length {
				t.Errorf("every schedule says %s in %d actions, not in %d", got.verdict, got.length, test.length)
			}
			a, err := q.Search(explore.Budget{}, explore.Runtime{}, 1)
			if err != nil {
				t.Fatal(err)
			}
			if said := q.Sentence(a, "", lang.English); !strings.Contains(said, test.says) {
				t.Error(said)
			}
			if said := q.Sentence(a, "", lang.Chinese); strings.Contains(said, "离开临界区") != (q.Clocked && q.Delays != explore.Any) {
				t.Error(said)
			}
		})
	}
}

// Two clients that count each other see that they are two, and both go away: nobody has done the work.
func TestAfterYou(t *testing.T) {
	p, err := program.Parse("after-you", `
blocking = False

def acquire(c):
    c.incr("lock.foo")
    if c.get("lock.foo") == "1":
        return True
    return None

def release(c, lease):
    c.delete("lock.foo")
`)
	if err != nil {
		t.Fatal(err)
	}
	q := explore.Question{Program: p, Property: check.Unattended.Name, Clients: 2, Delays: explore.Any}
	all := grow(t, q)
	if got := all.violated[q.Property]; got != 6 { // spawn, spawn, INCR, INCR, GET, GET
		t.Errorf("every schedule breaks it in %d actions, not 6", got)
	}
	compareOn(t, []string{q.Property}, p.Name, q, all)
	a, err := q.Search(explore.Budget{}, explore.Runtime{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := `Redis executes #4, GET lock.foo from C2: nothing changes.`
	if c := a.Counterexamples[0]; c.Why.English != want {
		t.Errorf("the cause is %q, not %q", c.Why.English, want)
	}
	q.Clients = 1
	if a, err = q.Search(explore.Budget{}, explore.Runtime{}, 1); err != nil || a.Verdict != holds {
		t.Errorf("with one client it is %v, %v", a, err)
	}
}
