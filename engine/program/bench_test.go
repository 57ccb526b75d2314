package program

import "testing"

// takeover is C1 of getset finding the lock of a crashed client: a clock
// reading, SETNX, GET and a second reading are seen; GETSET is pending.
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

// An evaluation allocates the words of the pending command and nothing else,
// which is what lets the explorer re-run programs by the million.
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
