package explore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
)

// A dice makes programs that nobody would write, out of everything that a
// program can say, and bounds for them.
type dice struct{ *rand.Rand }

func (d dice) of(texts ...string) string { return texts[d.IntN(len(texts))] }

func (d dice) key() string { return d.of(`"a"`, `"a"`, `"a"`, `"b"`) }

// value returns a value to store: numbers, names, tokens, and texts that look
// like one of them.
func (d dice) value() string {
	return d.of(`"x"`, `1`, `c.name`, `c.token()`, `c.name + "1"`, `str(c.now()) + c.name`, `c.now() + 1`, `c.now_ms()`, `"c1"`)
}

// life returns how long a stored value lives.
func (d dice) life() string {
	return d.of("", "", ", px=c.timeout_ms", ", px=500", ", ex=1", ", keepttl=True", ", px=1500")
}

// acquire returns an attempt: r is the reply about the lock.
func (d dice) acquire() string {
	k := d.key()
	takes := []string{
		fmt.Sprintf(`r = c.setnx(%s, %s)`, k, d.value()),
		fmt.Sprintf(`r = c.set(%s, %s, nx=True%s)`, k, d.value(), d.of("", ", px=c.timeout_ms", ", px=500", ", ex=1")),
		fmt.Sprintf(`r = c.getset(%s, %s)`, k, d.value()),
		fmt.Sprintf(`r = c.incr(%s)`, d.of(`"n"`, k)),
		fmt.Sprintf(`r = c.eval("set-and-fence", %s, "n", %s, c.timeout_ms)`, k, d.value()),
		fmt.Sprintf(`r = c.try_set(%s, %s, nx=True%s)`, k, d.value(), d.of("", ", px=500")),
		fmt.Sprintf("r = 0\n    for node in c.nodes:\n        if node.try_setnx(%s, %s) == 1:\n            r += 1", k, d.value()),
	}
	how := d.IntN(len(takes))
	take, test := takes[how], []string{`r == 1`, `r == "OK"`, `r == None`, `r == 1`, `r != None`, `r != None and r != 0`, `r > len(c.nodes) // 2`}[how]
	if d.IntN(8) == 0 {
		test = `r != 0`
	}
	lease := d.of(`True`, `c.now() + 1`, `r`, `c.lease(until_ms=c.now_ms() + c.timeout_ms)`, `c.lease(token="t", until_ms=sent + 500)`, `c.name`, `c.lease(token=c.token(), until_ms=sent + c.timeout_ms)`)
	lines := []string{`sent = c.now_ms()`}
	if d.IntN(4) == 0 {
		lines = append(lines, d.statement())
	}
	lines = append(lines, take, `if `+test+`:`)
	if d.IntN(3) == 0 {
		lines = append(lines, `    `+d.statement())
	}
	lines = append(lines, `    return `+lease)
	if d.IntN(3) == 0 {
		lines = append(lines, d.statement())
	}
	return strings.Join(lines, "\n    ")
}

// statement returns a statement that is possible anywhere in a program.
func (d dice) statement() string {
	k := d.key()
	return d.of(
		fmt.Sprintf(`c.delete(%s)`, k),
		fmt.Sprintf(`c.getdel(%s)`, k),
		fmt.Sprintf(`c.expire(%s, 1)`, k),
		fmt.Sprintf(`c.pexpire(%s, %s)`, k, d.of("500", "c.timeout_ms", "0")),
		fmt.Sprintf(`c.persist(%s)`, k),
		fmt.Sprintf(`c.set(%s, %s%s)`, k, d.value(), d.life()),
		fmt.Sprintf(`helper(c, c.get(%s))`, k),
		fmt.Sprintf(`c.delete(%s) if c.get(%s) == %s else None`, k, k, d.value()),
		fmt.Sprintf(`c.delex(%s, ifeq=%s)`, k, d.value()),
		fmt.Sprintf(`c.eval("compare-and-delete", %s, %s)`, k, d.value()),
		fmt.Sprintf(`c.eval("compare-and-expire", %s, %s, 500)`, k, d.value()),
		fmt.Sprintf(`c.pttl(%s)`, k),
		fmt.Sprintf(`c.try_get(%s)`, k),
		`c.incrby("n", 2)`,
	)
}

// text returns a whole program.
func (d dice) text() string {
	var b strings.Builder
	if d.IntN(5) == 0 {
		b.WriteString("blocking = False\n")
	}
	if d.IntN(5) == 0 {
		fmt.Fprintf(&b, "acquire_timeout_ms = %s\n", d.of("500", "1000", "1500"))
	}
	if d.IntN(5) == 0 {
		fmt.Fprintf(&b, "retry_ms = %s\n", d.of("400", "1700", "2500"))
	}
	fmt.Fprintf(&b, "def helper(c, seen):\n    if seen == %s:\n        %s\n", d.value(), d.of(`c.delete("a")`, `c.set("a", "y", xx=True)`, `c.incr("n")`))
	fmt.Fprintf(&b, "def acquire(c):\n    %s\n", d.acquire())
	fmt.Fprintf(&b, "def release(c, lease):\n    %s\n", d.of(`c.delete("a")`, `pass`, d.statement()))
	if d.IntN(3) == 0 {
		fmt.Fprintf(&b, "def holds(c, lease):\n    return %s\n", d.of(`c.now_ms() % 2000 < 1000`, `c.now() < 1001`, `c.now_ms() < 1000500`, `True`))
	}
	if d.IntN(3) == 0 {
		fmt.Fprintf(&b, "def work(c, lease):\n    %s\n", d.of(`c.storage.write()`, `c.storage.write(fence=1)`, "n = c.storage.read()\n    c.storage.write(n + 1)", "n = c.storage.read(fence=c.incr(\"n\"))\n    c.storage.try_write(2, fence=3)", "n = c.storage.read()\n    c.storage.write(n + 1, commit=False)\n    c.storage.commit()", `c.storage.write(fence=c.incr("n"))`, "c.work()\n    c.renew(until_ms=c.now_ms() + 700)\n    c.work()", "c.work()\n    "+d.statement(), "c.renew(until=c.now() + 1)\n    c.storage.write()"))
	}
	return b.String()
}

// bounds returns a question's bounds, as in the table of the course.
func (d dice) bounds() string {
	b := []string{
		"timeout=" + d.of("500ms", "1s", "1500ms"),
		"tick=" + d.of("500ms", "1s", "700ms", "2s"),
		"ticks=" + d.of("1", "1", "1", "2"), "clients=" + d.of("2", "2", "2", "2", "3"), d.of("", "delays=0", "delays=1"),
	}
	for _, more := range []string{"crashes=1", "losses=1", "failovers=1", "replies", "skew=C2=" + d.of("1500ms", "-300ms", "700ms")} {
		if d.IntN(4) == 0 {
			b = append(b, more)
		}
	}
	if d.IntN(5) == 0 {
		b = append(b, "node-crashes=1", "nodes="+d.of("1", "2"))
		if d.IntN(2) == 0 {
			b = append(b, "lose")
		}
		if d.IntN(2) == 0 {
			b = append(b, "restart-delay=1")
		}
	}
	return strings.Join(b, " ")
}

// Search finds the same as every schedule for random programs and bounds, which are the same in each run. A deadlock
// has to withstand more of a search than of the engine, which tries fair continuations: the search finds it no sooner.
func TestAgainstRandomPrograms(t *testing.T) {
	const most = 250 // states
	programs := testtools.InCircle(30, 120, 120)
	exact := append(slices.DeleteFunc(check.Names(), func(name string) bool { return name == check.Stuck.Name }), "")
	compared := 0
	for seed := range uint64(programs) {
		d := dice{rand.New(rand.NewPCG(seed, 0))}
		text, bounds := d.text(), d.bounds()
		name := fmt.Sprintf("%d %s\n%s", seed, bounds, text)
		q := claim{program: "naive", bounds: bounds}.question(t)
		var err error
		if q.Program, err = program.Parse("own", text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		a, err := q.Search(explore.Budget{States: most}, explore.Runtime{}, 1)
		if failure := (*explore.FailureError)(nil); err != nil && (!errors.As(err, &failure) || failure.Scenario == nil) {
			continue // nobody ever gets in
		}
		if a != nil && a.Verdict == explore.Spent {
			continue
		}
		compared++
		all := grow(t, q)
		compareOn(t, exact, name, q, all)
		if q.Property = check.Stuck.Name; all.failed == 0 {
			a, broken := search(t, q), all.violated[q.Property]
			if a.Verdict == violated && (broken == 0 || length(a) < broken) {
				t.Errorf("%s: stuck after %d actions, not %d", name, length(a), broken)
			}
		}
		if q.Symmetry = true; q.Check() == nil && q.Skew == nil && q.Clients == 2 {
			compareOn(t, exact, name+" symmetry", q, all.orbits(t, q))
		}
	}
	if compared < programs/6 {
		t.Errorf("only %d programs are small enough to be compared", compared)
	}
}
