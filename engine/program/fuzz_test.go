package program

import (
	"errors"
	"reflect"
	"testing"
)

// Any text is a program or an *Error, and any observations lead to an
// operation, a result or an error: never to a panic, never to two answers.
func FuzzProgram(f *testing.F) {
	for _, name := range Names() {
		p, _ := Builtin(name)
		f.Add(p.Source, []byte{1, 0, 3, 1, 3}, int64(1_012_000))
	}
	f.Add(body("for node in c.nodes:\n  if node.try_set(1, 2, nx=True) == False: c.token()\nreturn c.lease(until=c.now())"), []byte{4, 2, 1}, int64(-1))
	f.Add("K = 1 //0", []byte{}, int64(0))
	f.Fuzz(func(t *testing.T, source string, observations []byte, number int64) {
		p, err := Parse("fuzz", source)
		if err != nil {
			var positioned *Error
			if p != nil || !errors.As(err, &positioned) || positioned.English == "" {
				t.Fatalf("%v and %#v", p, err)
			}
			return
		}
		seen := make([]Value, 0, len(observations))
		for _, b := range observations {
			seen = append(seen, []Value{None, Int(number), Int(int64(b)), String(source), String("1011"), Failure(), Bool(true)}[b%7])
		}
		for _, lease := range []Value{Int(number), None, Lease(number, true, "C1-1")} {
			env := Env{Client: "C1", Timeout: number, Attempt: 1, Nodes: int(uint8(number)), Lease: lease}
			for _, phase := range []Phase{Acquire, Work, Release} {
				out := p.Next(phase, &env, seen)
				if again := p.Next(phase, &env, seen); !reflect.DeepEqual(out, again) {
					t.Fatalf("%v gave %+v, then %+v", phase, out, again)
				}
				ended := 0
				for _, way := range []bool{out.Op.Kind != 0, out.Returned, out.Err != nil} {
					if way {
						ended++
					}
				}
				if ended != 1 || out.Result.Kind() > KindLease {
					t.Fatalf("%v: %+v", phase, out)
				}
			}
			believes, _, wrong := p.Holds(&env, number)
			if again, _, _ := p.Holds(&env, number); again != believes || wrong != nil && believes {
				t.Fatalf("believes %v, then %v (%v)", believes, again, wrong)
			}
		}
	})
}
