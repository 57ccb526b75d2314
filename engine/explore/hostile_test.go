package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/program"
)

const giveBack = "def release(c, lease):\n    c.delete(\"l\")\n"

// many repeats a statement in two loops, as often as a program may.
func many(outer, inner int, statement string) string {
	return fmt.Sprintf("    for i in range(%d):\n        for j in range(%d):\n            %s\n", outer, inner, statement)
}

// hostile holds programs that make a search expensive, each in its own way.
var hostile = map[string]string{
	"observes much":               "def acquire(c):\n" + many(12, 16, "c.incr(\"n\")") + "    return c.setnx(\"l\", 1)\n" + giveBack,
	"reads its clock":             "def acquire(c):\n    x = 0\n" + many(11, 16, "x = x + c.now()") + "    c.incr(\"n\")\n    return c.setnx(\"l\", 1)\n" + giveBack,
	"never stops asking":          "def acquire(c):\n    x = 0\n" + many(11, 16, "x = x + c.now()") + "    return None\n" + giveBack,
	"stores long texts":           "def acquire(c):\n    for i in range(15):\n        c.set(\"k\" + str(i), c.name + \"" + strings.Repeat("x", 400) + "\" + str(c.incr(\"n\")))\n        c.get(\"k\" + str(i))\n    return c.setnx(\"l\", 1)\n" + giveBack,
	"stores many keys":            "def acquire(c):\n    for i in range(15):\n        c.set(\"k\" + str(i) + c.token(), c.name)\n    return c.setnx(\"l\", 1)\n" + giveBack,
	"names itself":                "def acquire(c):\n    for i in range(6):\n        c.set(\"k\" + c.name, c.name)\n        c.incr(\"n\")\n    return c.setnx(\"l\", 1)\n" + giveBack,
	"runs scripts":                "def acquire(c):\n    for i in range(15):\n        c.eval(\"compare-and-delete\", \"k\" + c.token(), c.name + str(i))\n    return c.setnx(\"l\", 1)\n" + giveBack,
	"changes its mind":            "def acquire(c):\n    return c.incr(\"n\")\ndef holds(c, lease):\n    return c.now() % 2 == 0\n" + giveBack,
	"thinks while inside":         "def acquire(c):\n    return c.incr(\"n\")\ndef holds(c, lease):\n    x = 0\n" + many(16, 16, "x = x + i") + "    return x > 0\n" + giveBack,
	"writes much":                 "def acquire(c):\n    return c.incr(\"n\")\ndef work(c, lease):\n" + many(16, 11, "c.storage.write(fence=i)") + giveBack,
	"asks every node":             "def acquire(c):\n    for i in range(16):\n        for node in c.nodes:\n            node.try_setnx(\"k\", c.token())\n    return True\n" + giveBack,
	"waits for others":            "def acquire(c):\n    c.set(\"k\" + c.name, c.name)\n    n = c.incr(\"n\")\n    if n % 2 == 1:\n        c.setnx(\"l\", c.name)\n    if n > 4:\n        return None\n    return c.get(\"l\")\n" + giveBack,
	"sleeps a millisecond":        "retry_ms = 1\ndef acquire(c):\n    if c.now() > 1000:\n        return None\n    return c.setnx(\"l\", 1)\n" + giveBack,
	"says what cannot be printed": "def acquire(c):\n" + many(16, 11, `c.getset("`+strings.Repeat(`\u00a0`, 250)+`", "`+strings.Repeat(`\u00a0`, 250)+`")`) + "    return True\n" + giveBack,
	"lives for ages":              "timeout_ms = 86400000\ndef acquire(c):\n    return c.lease(token=c.token(), until_ms=c.now_ms() + c.timeout_ms) if c.set(\"l\", c.token(), nx=True, px=c.timeout_ms) else None\n" + giveBack,
}

// stranger returns the hostile program with that name.
func stranger(t testing.TB, name string) *program.Program {
	t.Helper()
	p, err := program.Parse("own", hostile[name])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Redis counts to times that nodes cannot count to: there is no verdict. (Nodes once took this time for 10.000512 s, which it is
// modulo 2^64 ns, and the node that ran through differed from its copies. Then they refused it, as Redis does not.)
func TestTimesBeyondAll(t *testing.T) {
	p, err := program.Parse("own", `
retry = 10
timeout = 1000
def acquire(c):
    if c.name == "C1":
        return c.setnx("lock", "me") == 1
    if c.now() < 1005:
        c.try_set("k", "v", px=216749242866097232)
        c.set("m", "1")
        return None
    if c.get("m") == "1":
        if c.get("k") == None:
            if c.get("k") == None:
                return True
    return None
def release(c, lease):
    return None
`)
	if err != nil {
		t.Fatal(err)
	}
	q := explore.Question{Program: p, Property: check.MutualExclusion.Name, Clients: 2, Ticks: 1, Tick: 10_000, Delays: explore.Any}
	want := "C2 sends SET k v PX 216749242866097232, and a key would expire after the year 2262"
	if a, err := q.Search(explore.Budget{}, explore.Runtime{}, 1); err == nil || err.Error() != want {
		t.Errorf("%v, %v", a, err)
	}
}
