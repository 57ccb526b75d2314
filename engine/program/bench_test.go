package program

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// takeover is C1 of getset at the lock of a crashed client: it has observed a clock
// reading, SETNX, GET and a second reading; GETSET is pending.
var takeover = []Value{Int(1_012_000), Int(0), String("1011"), Int(1_012_000)}

func BenchmarkNext(b *testing.B) {
	p, _ := Builtin("getset")
	env := Env{Client: "C1", Timeout: 10_000, Attempt: 1, Nodes: 1}
	for _, run := range []struct {
		name string
		seen []Value
	}{
		{"pending", takeover},
		{"returned", append(takeover[:4:4], String("1011"))},
	} {
		b.Run(run.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if out := p.Next(Acquire, &env, run.seen); out.Err != nil {
					b.Fatal(out.Err)
				}
			}
		})
	}
}

func BenchmarkHolds(b *testing.B) {
	p, _ := Builtin("getset")
	env := Env{Client: "C1", Timeout: 10_000, Attempt: 1, Nodes: 1, Lease: Int(1023)}
	b.ReportAllocs()
	for b.Loop() {
		if believes, _, err := p.Holds(&env, 1_012_000); !believes || err != nil {
			b.Fatal(believes, err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	p, _ := Builtin("getset")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(p.Name, p.Source); err != nil {
			b.Fatal(err)
		}
	}
}

// An evaluation allocates the words of the pending command and nothing else:
// the explorer re-runs programs by the million.
func TestNextAllocates(t *testing.T) {
	p, _ := Builtin("getset")
	env := Env{Client: "C1", Timeout: 10_000, Attempt: 1, Nodes: 1}
	if n := testing.AllocsPerRun(100, func() { p.Next(Acquire, &env, takeover) }); n > 2 {
		t.Errorf("a pending GETSET allocates %v times, want 2: the slice of its words, and the number in it", n)
	}
	won := append(takeover[:4:4], String("1011"))
	if n := testing.AllocsPerRun(100, func() { p.Next(Acquire, &env, won) }); n > 0 {
		t.Errorf("a phase that returns allocates %v times, want 0", n)
	}
}

// BenchmarkUnits measures a unit of work in programs that do little else than one thing. The aim is at most 20 ns a unit.
func BenchmarkUnits(b *testing.B) {
	long := strings.Repeat("k", 490)
	for _, test := range []struct{ name, constants, statement string }{
		{"numbers", "", "x = i + j"},
		{"division", "", "x = 1000000007 % (1 + j)"},
		{"concatenation", "P = \"" + long + "\"\n", "x = P + \"a\" + \"b\" + \"c\""},
		{"concatenation of little", "", "x = \"a\" + \"b\" + \"c\" + \"d\""},
		{"concatenation of some", "P = \"" + long[:40] + "\"\n", "x = P + \"b\" + \"c\" + \"d\""},
		{"equal strings", "P = \"" + long + "a\"\nQ = \"" + long + "b\"\n", "x = P == Q"},
		{"str", "", "x = str(9000000000000000000 + i)"},
		{"int", "P = \"" + strings.Repeat("0", 490) + "\"\n", "x = int(P)"},
		{"int of little", "P = \"7\"\n", "x = int(P)"},
		{"len", "P = \"" + long + "\"\n", "x = len(P)"},
		{"min", "", "x = min(i, j)"},
		{"name", "", "x = c.name"},
		{"token", "", "x = c.token()"},
		{"lease", "", "x = c.lease(token=9000000000000000000, until_ms=5)"},
		{"clock", "", "x = c.now()"},
		{"nothing", "", "pass"},
		{"call", "def f(x):\n    return x\n", "f(i)"},
		{"call of many variables", "def f(x):\n    if x:\n        return x\n    " + strings.Join(strings.Fields(strings.Repeat("v_=1; ", 25)), "") + "\n", "f(1)"},
		{"empty loop", "", "for k in range(0, -16): pass"},
		{"broken loop", "", "for k in range(16): break"},
	} {
		for n := 0; strings.Contains(test.constants, "v_"); n++ {
			test.constants = strings.Replace(test.constants, "v_", "v"+strconv.Itoa(n), 1)
		}
		source := test.constants + "def acquire(c):\n    return True\ndef release(c, lease):\n    pass\ndef holds(c, lease):\n    for i in range(16):\n        for j in range(12):\n            " + test.statement + "\n    return True\n"
		benchmarkHolds(b, test.name, source)
	}
	benchmarkHolds(b, "trivial", "def acquire(c):\n    return True\ndef release(c, lease):\n    pass\ndef holds(c, lease):\n    return True\n")
}

func benchmarkHolds(b *testing.B, name, source string) {
	p, err := Parse("own", source)
	if err != nil {
		b.Fatal(err)
	}
	env := Env{Client: "C1234567", Timeout: 10_000, Attempt: 1, Nodes: 1, Lease: Bool(true)}
	b.Run(name, func(b *testing.B) {
		work := 0
		for b.Loop() {
			_, units, _ := p.Holds(&env, 1_012_000)
			work += units
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(work), "ns/unit")
	})
}

// BenchmarkParseRecording parses the longest recordings that a stranger can send: one with many different words, one that
// branches at every reply.
func BenchmarkParseRecording(b *testing.B) {
	words, branches := "recorded x\n", "recorded x\n"
	for i := 0; len(words) < maxRecording-200; i++ {
		words += fmt.Sprintf("MGET a%d b%d c%d\n= (nil)\n", i, i, i)
	}
	for i := range maxObservations - 1 {
		indent := strings.Repeat("  ", i)
		branches += indent + "GET k\n" + indent + "= (nil)\n" + indent + "= OK\n"
	}
	for name, text := range map[string]string{"words": words, "branches": branches[:min(len(branches), maxRecording)]} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Parse("mine", text); err != nil && name == "words" {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)), "ns/B")
		})
	}
}
