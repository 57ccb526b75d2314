package program

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"lockstep/engine/testtools"
)

// The package refuses every bomb, before it runs or while it does, for less than
// 10 MB of memory in all. The test counts memory; the five seconds only tell
// "quickly" from "never".
func TestBombs(t *testing.T) {
	const most = 10 << 20

	chain := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i, i+1)
		}
		return b.String()
	}
	loops := func(depth int, inside string) string {
		var b strings.Builder
		for i := range depth {
			fmt.Fprintf(&b, "%sfor i%d in range(16):\n", strings.Repeat(" ", i), i)
		}
		return b.String() + strings.Repeat(" ", depth) + inside
	}

	for _, test := range []struct{ name, source, want string }{
		{"a string that doubles", body("s = \"x\"\nfor i in range(16):\n  s = s + s\nreturn s"), "longer than 512 bytes"},
		{"a string that doubles, augmented", body("s = \"x\"\nfor i in range(16): s += s"), "longer than 512 bytes"},
		{"a string times a number", body(`return "x" * 1000000000`), "does not go with"},
		{"a constant that doubles", "A = \"" + strings.Repeat("x", 300) + "\"\nB = A + A\n" + body("pass"), "longer than 512 bytes"},
		{"a number that squares itself", body("n = 3\nfor i in range(16): n *= n\nreturn n"), "does not fit in 64 bits"},
		{"a key of 600 bytes", body("k = \"" + strings.Repeat("k", 300) + "\"\nc.get(k + k)"), "longer than 512 bytes"},
		{"a long reply", body("c.get(\"k\")"), "longer than 512 bytes"},

		{"recursion", body("return acquire(c)"), "recursion is not allowed: acquire is running already when acquire calls it"},
		{"mutual recursion", "def f(x): return g(x)\ndef g(x): return f(x)\n" + body("f(1)"), "recursion is not allowed: f is running already when g calls it"},
		{"recursion through a phase", "def acquire(c): release(c, 1)\ndef release(c, lease): acquire(c)", "recursion is not allowed"},
		{"a chain of calls", chain("def f%d(): return f%d()\n", 100) + "def f100(): return 1\n" + body("return f0()"), "calls are nested deeper than 32"},
		{"a tree of calls", chain("def f%d(): f%[2]d() or f%[2]d()\n", 30) + "def f30(): return None\n" + body("f0()"), "more than 2000 steps"},
		{"many variables", body(chain("v%d = %d\n", 40)), "more than 32 variables"},
		{"many variables in many calls", chain("def f%d(a,b,c,d): return f%d(a,b,c,d)\n", 20) + "def f20(a,b,c,d): return 1\n" + body("f0(1,2,3,4)"), "more than 64 variables"},

		{"while", body("while True: pass"), "while is not allowed"},
		{"loops in loops", body(loops(4, "pass")), "more than 2000 steps"},
		{"thirty loops in loops", body(loops(30, "pass")), "more than 2000 steps"},
		{"forty loops in loops", body(loops(40, "pass")), "nested deeper than 32"},
		{"a huge range", body("for i in range(1000000000): pass"), "at most 16 rounds"},
		{"a range around the world", body("for i in range(-9223372036854775807, 9223372036854775807): pass"), "at most 16 rounds"},
		{"operations without end", body("for i in range(16):\n  for j in range(16): c.now()"), "more than 200 operations"},
		{"a wide expression", body("return min(" + strings.Repeat("1,", 3000) + "1)"), "more than 2000 steps"},
		{"a wide constant", "K = min(" + strings.Repeat("1,", 3000) + "1)", "more than 2000 steps"},

		{"a megabyte of source", strings.Repeat("# x\n", 1<<18), "longer than 8 KB"},
		{"a megabyte of one line", strings.Repeat("x", 1<<20), "longer than 8 KB"},
		{"deep parentheses", body("return " + strings.Repeat("(", 3500) + "1" + strings.Repeat(")", 3500)), "brackets are nested deeper than 32"},
		{"deep brackets, never closed", strings.Repeat("[", 8000), "brackets are nested deeper than 32"},
		{"deep braces", body("x = " + strings.Repeat("{1:", 2000)), "brackets are nested deeper than 32"},
		{"deep calls", body("return " + strings.Repeat("int(", 1500) + "1" + strings.Repeat(")", 1500)), "brackets are nested deeper than 32"},
		{"deep blocks", deepBlocks(100), "blocks are nested deeper than 32"},
		{"not not not", body("return " + strings.Repeat("not ", 1900) + "1"), "more than 32 operators in a row"},
		{"minus minus minus", body("return " + strings.Repeat("-", 7900) + "1"), "more than 32 operators in a row"},
		{"tilde tilde", body("return " + strings.Repeat("~ ", 3900) + "1"), "more than 32 operators in a row"},
		{"lambda: lambda:", body("return " + strings.Repeat("lambda:", 1100) + "1"), "this cannot be read"},
		{"if else if else", body("return " + strings.Repeat("1 if 1 else ", 600) + "1"), "nested"},
		{"a long sum", body("return " + strings.Repeat("1+", 3900) + "1"), "nested deeper than 32"},
		{"a long path", body("return c" + strings.Repeat(".name", 1500)), "nested deeper than 32"},
		{"a long chain of calls", body("return c" + strings.Repeat("()", 3900)), "only a named function or a method can be called"},
		{"a huge number", body("return " + strings.Repeat("9", 8000)), "does not fit in 64 bits"},
		{"a huge fraction", body("return 1e400"), "this cannot be read"},
		{"a huge string", body("return \"" + strings.Repeat("x", 8000) + "\""), "longer than 512 bytes"},
		{"a huge name", body("return " + strings.Repeat("x", 8000)), "is not defined"},
		{"many parameters", "def acquire(" + strings.Repeat("x,", 50) + "): pass", "two parameters are named x"},
		{"many functions", chain("def f%d(): %d\n", 500), "the program does not define acquire"},

		{"invalid UTF-8", body("return \"\xff\""), "not valid UTF-8"},
		{"invalid UTF-8 in a comment", "# \xc3\x28\n" + body("pass"), "not valid UTF-8"},
		{"a NUL that hides the rest", body("pass") + "\x00while True: pass", "a control character is not allowed"},
		{"text that reads backwards", "# \u202e\n" + body("pass"), "an invisible character changes how the line reads"},
		{"half a line end", body("pass\rwhile True: pass"), "a carriage return is not followed by a line feed"},

		{"Lua of its own", body(`c.eval("while true do end", "k", 1)`), "is not the name of a script"},
		{"Lua that reads files", body(`c.try_eval("return dofile('/etc/passwd')", "k")`), "is not the name of a script"},
		{"FLUSHALL", body("c.flushall()"), "there is no .flushall()"},
		{"SUBSCRIBE", body(`c.subscribe("x")`), "there is no .subscribe()"},
		{"BLPOP", body(`c.blpop("x", 0)`), "there is no .blpop()"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			began := time.Now()
			runtime.ReadMemStats(&before)
			err := detonate(test.source)
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > most {
				t.Errorf("it took %d KB", used>>10)
			}
			if took := time.Since(began); took > testtools.Patience { // it takes milliseconds
				t.Errorf("it took %v", took)
			}
			if err == nil {
				t.Fatal("it was accepted, and ran")
			}
			if message := err.Error(); !strings.Contains(message, test.want) || len(message) > 10_000 {
				t.Errorf("got %s\nwant %s", message[:min(len(message), 500)], test.want)
			}
		})
	}
}

// detonate runs acquire as the engine does: it answers every operation with the
// costliest reply, until the program returns or is stopped.
func detonate(source string) error {
	p, err := Parse("bomb", source)
	if err != nil {
		return err
	}
	env := Env{Client: "C1", Timeout: 10_000, Attempt: 1, Nodes: 5}
	var seen []Value
	for {
		out := p.Next(Acquire, &env, seen)
		switch {
		case out.Err != nil:
			return out.Err
		case out.Returned:
			return nil
		case out.Op.Kind == Clock:
			seen = append(seen, Int(1_000_000))
		default:
			seen = append(seen, String(strings.Repeat("x", 1<<20)))
		}
	}
}

func deepBlocks(n int) string {
	var b strings.Builder
	b.WriteString("def acquire(c):\n")
	for i := range n {
		b.WriteString(strings.Repeat(" ", i+1) + "if c:\n")
	}
	return b.String()
}
