package program

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

var someEnv = Env{Client: "C1", Timeout: 10_000, Attempt: 2, Nodes: 3, Lease: Int(1011)}

func mustParse(t testing.TB, source string) *Program {
	t.Helper()
	p, err := Parse("p", source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return p
}

// Each expression has a value, or a sentence that tells why it has none.
func TestExpressions(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		{"1 + 2 * 3", "7"},
		{"(1 + 2) * 3", "9"},
		{"-7 // 2", "-4"}, // Python rounds down
		{"-7 % 3", "2"},
		{"7 % -3", "-2"},
		{"-(-9223372036854775807 - 1) == 0", "2:10: the number does not fit in 64 bits"},
		{"(-9223372036854775807 - 1) % -1", "0"},
		{"(-9223372036854775807 - 1) // -1", "2:37: the number does not fit in 64 bits"},
		{"9223372036854775807 + 1", "2:30: the number does not fit in 64 bits"},
		{"4294967296 * 4294967296", "2:21: the number does not fit in 64 bits"},
		{"1 // 0", "2:12: division by zero"},
		{`"a" + "b"`, `"ab"`},
		{`"a" * 3`, `2:14: a string ("a") does not go with a number (3) (*): int(…) makes a number of a string, str(…) a string of a number`},
		{"True + 1", "2:15: a truth value (True) does not go with a number (1) (+)"},

		{"0 == False", "None"}, // a reply of 0 is not a failure; and acquire's False is None
		{`"1" == 1`, "None"},
		{"1 or 1 // 0", "1"}, // the first half decides
		{"0 and 1 // 0", "0"},
		{"None == None", "True"},
		{"1 < 2", "True"},
		{`"10" < "9"`, `2:15: strings have no order here, so "10" and "9" cannot be compared (<): int(…) makes a number of a string`},
		{`"a" >= "a"`, `2:14: strings have no order here, so "a" and "a" cannot be compared (>=): int(…) makes a number of a string`},
		{`"a" - "b"`, `2:14: a string ("b") does not go with a string ("a") (-)`},
		{"None < 5", "2:15: a nil reply (None) was compared with a number (5) (<): the key did not exist, look for None first"},
		{"5 >= None", "2:12: a nil reply (None) was compared with a number (5) (>=): the key did not exist, look for None first"},
		{`"1011" < 1012`, `2:17: a string ("1011") was compared with a number (1012) (<): int(…) makes a number of a string, str(…) a string of a number`},
		{"1 < c.lease(until=5)", "2:12: a number (1) was compared with a lease (<): a lease has .until in seconds, .until_ms and .token"},

		{"None or 5", "5"},
		{`"" or 0 or "x"`, `"x"`},
		{"1 and 2", "2"},
		{"0 and c.lease()", "0"},
		{"not None and not 0", "True"},
		{"1 if c.timeout == 10 else 2", "1"},

		{`int("1011")`, "1011"},
		{`int("-5") + int(3)`, "-2"},
		{"int(None)", "2:10: int(None): the reply was nil, so there is no number in it"},
		{`int("C1")`, `2:10: int(…) cannot make a number of a string ("C1")`},
		{"int(True)", "2:10: int(…) cannot make a number of a truth value (True)"},
		{`str(5) + str(None) + str(True) + str("x")`, `"5NoneTruex"`},
		{`len("abc") + len(c.nodes)`, "6"},
		{"len(5)", "2:10: a number (5) has no length"},
		{"min(3, 1, 2) + max(3, 9)", "10"},
		{`max("C1", "C2")`, `2:10: strings have no order here, so "C2" and "C1" cannot be compared (>): int(…) makes a number of a string`},

		{"c.name", `"C1"`},
		{"c.token()", `"C1-2"`},
		{"c.timeout_ms", "10000"},
		{"c.lease(until=5)", "c.lease(until_ms=5000)"},
		{"c.lease(token=c.token(), until_ms=5)", `c.lease(token="C1-2", until_ms=5)`},
		{"c.lease(token=7).token", `"7"`},
		{"c.lease(until_ms=5999).until", "5"},
		{"c.lease(token=7).until", "None"},
		{"c.lease(until=9223372036854775807)", "2:12: the number does not fit in 64 bits"},
		{"(5).until", "2:14: a number (5) has no .until"},
		{"c.token", "2:12: token is a method of the client: call it with ()"},
		{"c", "2:1: acquire returned the client: return a lease, a value or None"},
		{"c.nodes", "2:1: acquire returned the list of nodes: return a lease, a value or None"},
		{"c.lease().get(1)", "2:20: get is a method of the client and of its nodes, not of a lease"},
		{"c.nodes.write()", "2:18: write is a method of c.storage, not of the list of nodes"},
		{"c.storage.get(1)", "2:20: get is a method of the client and of its nodes, not of the protected resource"},
		{"c.storage.write(fence=c.token())", `2:20: a fencing token is a number, not a string ("C1-2")`},
		{"c.storage.write(fence=None)", "2:20: a fencing token is a number, not a nil reply (None)"},
		{"c.storage.write(None)", "2:20: the storage keeps a number, not a nil reply (None)"},
		{"c.storage", "2:1: acquire returned the protected resource: return a lease, a value or None"},
		{"c.get(None)", "2:12: Redis takes strings and numbers, not a nil reply (None)"},
		{"c.set(1, 2, nx=1)", "2:12: the option NX is True or False, not a number (1)"},
	} {
		p := mustParse(t, body("return "+test.expression))
		out := p.Next(Acquire, &someEnv, nil)
		got := out.Result.String()
		if out.Err != nil {
			chineseToo(t, out.Err)
			got = strings.TrimPrefix(out.Err.Error(), "p:")
		} else if !out.Returned {
			got = "an operation"
		}
		if got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.expression, got, test.want)
		}
	}
}

// Each kind of statement does what Python does.
func TestStatements(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"elif", body("x = 2\nif x == 1: return 1\nelif x == 2: return 22\nelse: return 3"), "22"},
		{"else", body("x = 5\nif x == 1: return 1\nelif x == 2: return 22\nelse: return 3"), "3"},
		{"augmented", body("x = 7\nx += 3\nx -= 1\nx *= 4\nx //= 5\nx %= 4\nreturn x"), "3"},
		{"range", body("n = 0\nfor i in range(5): n += i\nreturn n"), "10"},
		{"range from", body("n = 0\nfor i in range(2, 5): n += i\nreturn n"), "9"},
		{"range down", body("n = \"\"\nfor i in range(5, 0, -2): n += str(i)\nreturn n"), `"531"`},
		{"empty range", body("for i in range(0): return 1\nreturn 2"), "2"},
		{"range at the edge", body("n = 0\nfor i in range(9223372036854775806, 9223372036854775807, 9): n += 1\nreturn n"), "1"},
		{"break and continue", body("n = 0\nfor i in range(9):\n  if i == 2: continue\n  if i == 5: break\n  n += i\nreturn n"), "8"},
		{"return from a loop", body("for i in range(9):\n  if i == 3: return i"), "3"},
		{"falling off the end", body("pass"), "None"},
		{"a string alone", body("\"\"\"Says what it does.\"\"\"\nreturn 1"), "1"},
		{"helpers", "def twice(x): return x + x\ndef add(a, b):\n  sum = a + b\n  return sum\n" + body("return add(twice(add(1, 2)), twice(4))"), "14"},
		{"a helper below", body("return later()") + "def later(): return LAST\nLAST = 9", "9"},
		{"a helper without return", "def f():\n  g()\ndef g(): return 5\n" + body("return f()"), "None"},
		{"a constant of constants", "A = 2\nB = A * 21\n" + body("return B"), "42"},
		{"nodes in a variable", body("all = c.nodes\nn = 0\nfor node in all: n += 1\nreturn n"), "3"},
		{"parameters by other names", "def acquire(me): return me.name\ndef release(me, mine): pass", `"C1"`},

		{"unset", body("if c.timeout == 0: x = 1\nreturn x"), "p:3:10: x has no value yet"},
		{"unset, augmented", body("x += 1"), "p:2:3: this variable has no value yet"},
		{"a loop over a number", body("for i in 5: pass"), "p:2:3: a loop goes over c.nodes or range(n), not over a number (5)"},
		{"a range without a stride", body("for i in range(0, 5, 0): pass"), "p:2:3: the third number of a range must not be 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := mustParse(t, test.source).Next(Acquire, &someEnv, nil)
			got := out.Result.String()
			if out.Err != nil {
				got = out.Err.Error()
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// Each command has these words on the wire.
func TestCommands(t *testing.T) {
	for _, test := range []struct {
		call, want string
		node       int
		try        bool
	}{
		{`c.set("k", 1, nx=True, px=c.timeout_ms)`, "SET k 1 NX PX 10000", 0, false},
		{`c.set("k", "v", xx=True, get=True, keepttl=True, nx=False)`, "SET k v XX GET KEEPTTL", 0, false},
		{`c.set("k", "v", ex=5)`, "SET k v EX 5", 0, false},
		{`c.delete("k")`, "DEL k", 0, false},
		{`c.delex("k", ifeq=c.token())`, "DELEX k IFEQ C1-2", 0, false},
		{`c.delex("k", ifne=1)`, "DELEX k IFNE 1", 0, false},
		{`c.delifeq("k", c.token())`, "DELIFEQ k C1-2", 0, false},
		{`c.set("k", "v", ifeq=c.token(), px=5)`, "SET k v IFEQ C1-2 PX 5", 0, false},
		{`c.set("k", "v", ifne="w", get=True)`, "SET k v IFNE w GET", 0, false},
		{`c.expire("k", 10)`, "EXPIRE k 10", 0, false},
		{`c.incrby("k", -3)`, "INCRBY k -3", 0, false},
		{`c.try_get("k")`, "GET k", 0, true},
		{"for node in c.nodes:\n  if node != x: node.get(5)\n  x = node", "GET 5", 1, false},
		{"for node in c.nodes:\n  if x == 2: node.try_pttl(5)\n  x += 1", "PTTL 5", 1, true},
	} {
		first := "x = 1\n"
		if strings.Contains(test.call, "!= x") {
			first = "for x in c.nodes: break\n" // the first node
		}
		out := mustParse(t, body(first+test.call)).Next(Acquire, &someEnv, nil)
		want := Op{Kind: Command, Node: test.node, Command: strings.Fields(test.want), Try: test.try}
		if out.Err != nil || !reflect.DeepEqual(out.Op, want) {
			t.Errorf("%s\ngot  %+v %v\nwant %+v", test.call, out.Op, out.Err, want)
		}
	}
}

// A client in the critical section writes to the protected resource, with a fencing
// token or without, or renews its belief in its lease.
func TestOperationsOfWork(t *testing.T) {
	for _, test := range []struct {
		call string
		want Op
	}{
		{"c.storage.write()", Op{Kind: Storage, Command: []string{"write"}}},
		{"c.storage.write(5)", Op{Kind: Storage, Command: []string{"write", "value=5"}}},
		{"c.storage.write('6', fence=7)", Op{Kind: Storage, Command: []string{"write", "value=6", "fence=7"}}},
		{"c.storage.try_write(-5, commit=False)", Op{Kind: Storage, Command: []string{"write", "value=-5", "uncommitted"}, Try: true}},
		{"c.storage.commit()", Op{Kind: Storage, Command: []string{"commit"}}},
		{"c.storage.try_read()", Op{Kind: Storage, Command: []string{"read"}, Try: true}},
		{"c.storage.read(fence=7)", Op{Kind: Storage, Command: []string{"read", "fence=7"}}},
		{"c.storage.try_write(fence=7)", Op{Kind: Storage, Command: []string{"write", "7"}, Try: true}},
		{"c.storage.write(fence=c.lease(token=8).token)", Op{Kind: Storage, Command: []string{"write", "8"}}},
		{"c.renew(until=12)", Op{Kind: Renew, Until: 12_000}},
		{"c.renew(until_ms=12345)", Op{Kind: Renew, Until: 12_345}},
		{"c.renew(until_ms=5) or c.storage.write()", Op{Kind: Renew, Until: 5}},
	} {
		p := mustParse(t, body("pass")+"def work(c, lease):\n  return "+test.call)
		out := p.Next(Work, &someEnv, nil)
		if out.Err != nil || !reflect.DeepEqual(out.Op, test.want) {
			t.Errorf("%s\ngot  %+v %v\nwant %+v", test.call, out.Op, out.Err, test.want)
		}
	}
	p := mustParse(t, body("pass")+"def work(c, lease):\n  return c.storage.write(fence=1) == 0")
	for answer, want := range map[int64]bool{0: true, 1: false} {
		if out := p.Next(Work, &someEnv, []Value{Int(answer)}); out.Result != Bool(want) {
			t.Errorf("the storage answers %d: %+v", answer, out)
		}
	}
}

// The features of a text are known before it runs.
func TestUses(t *testing.T) {
	for _, test := range []struct {
		source                       string
		name, token, storage, number bool
		literals                     string
	}{
		{body("return c.setnx('k', 1) == 1"), false, false, false, false, "k"},
		{body("return c.setnx('k', c.name) == 1"), true, false, false, false, "k"},
		{body("return c.eval('compare-and-delete', 'k', c.token())"), true, true, false, false, "k"},
		{"A = 'C' + '1'\n" + body("'C2 alone'\nc.storage.write()"), false, false, true, false, "C 1"},
		{body("c.storage.write(5)"), false, false, true, true, ""},
		{body("c.storage.read()"), false, false, true, true, ""},
		// The spelling does not matter, and comments do not count.
		{body("return c.setnx('k', c.  name) == 1"), true, false, false, false, "k"},
		{body("return c.setnx('k', c.token ()) == 1"), true, true, false, false, "k"},
		{"# not c.name, nor c.token()\n" + body("return c.setnx('c.token()', 1) == 1"), false, false, false, false, "c.token()"},
	} {
		p := mustParse(t, test.source)
		if got := strings.Join(p.Literals(), " "); p.UsesName() != test.name || p.UsesToken() != test.token || p.UsesStorage() != test.storage || p.UsesNumber() != test.number || got != test.literals {
			t.Errorf("%s\nname %v, token %v, storage %v, number %v, literals %s", test.source, p.UsesName(), p.UsesToken(), p.UsesStorage(), p.UsesNumber(), got)
		}
	}
}

// try_ makes a failure an observation, and False cannot be a reply.
func TestTry(t *testing.T) {
	p := mustParse(t, body("held = c.try_get(\"k\")\nif held == False: return \"failed\"\nreturn held == None"))
	if out := p.Next(Acquire, &someEnv, []Value{Failure()}); out.Result != String("failed") {
		t.Errorf("a failure: %+v", out)
	}
	if out := p.Next(Acquire, &someEnv, []Value{None}); out.Result != Bool(true) {
		t.Errorf("a nil reply: %+v", out)
	}
}

// The line is that of the pending call, in whichever function it stands, or
// that of the statement that ended the phase.
func TestLine(t *testing.T) {
	p := mustParse(t, strings.Join([]string{
		"def acquire(c):",           // 1
		"    x = (1 +",              // 2
		"         c.now())",         // 3
		"    y = ask(c)",            // 4
		"    if y == None:",         // 5
		"        return None",       // 6
		"    return x",              // 7
		"",                          // 8
		"def ask(c):",               // 9
		"    return c.get('k')",     // 10
		"",                          // 11
		"def release(c, lease):",    // 12
		"    if lease == None:",     // 13
		"        c.delete('k')",     // 14
		"",                          // 15
		"def work(c, lease):",       // 16
		"    c.set('data', c.name)", // 17
		"    c.work()",              // 18
		"    c.get('data')",         // 19
	}, "\n"))
	for _, test := range []struct {
		phase Phase
		seen  []Value
		want  int
	}{
		{Acquire, nil, 3},
		{Acquire, []Value{Int(5000)}, 10},
		{Acquire, []Value{Int(5000), None}, 6},
		{Acquire, []Value{Int(5000), String("v")}, 7},
		{Release, nil, 13},
		{Work, nil, 17},
		{Work, []Value{String("OK")}, 18},
		{Work, []Value{String("OK"), None}, 19},
		{Work, []Value{String("OK"), None, None}, 19},
	} {
		if out := p.Next(test.phase, &someEnv, test.seen); out.Line != test.want || out.Err != nil {
			t.Errorf("%v after %v: line %d (%v), want %d", test.phase, test.seen, out.Line, out.Err, test.want)
		}
	}
}

// A program without work is inside until it is stepped, at no line of its own.
func TestWorkByDefault(t *testing.T) {
	p := mustParse(t, body("pass"))
	if out := p.Next(Work, &someEnv, nil); out.Op.Kind != Hold || out.Line != 0 || out.Returned {
		t.Errorf("first: %+v", out)
	}
	if out := p.Next(Work, &someEnv, []Value{None}); !out.Returned || out.Op.Kind != 0 {
		t.Errorf("then: %+v", out)
	}
}

// A lease of whole seconds ends at the first millisecond of its second.
func TestLeases(t *testing.T) {
	for _, test := range []struct {
		lease Value
		until int64
		ends  bool
		token string
	}{
		{Int(1011), 1_011_000, true, ""},
		{Int(math.MaxInt64), math.MaxInt64, true, ""},
		{Bool(true), 0, false, ""},
		{String("C1-1"), 0, false, "C1-1"},
		{Lease(5, true, "t"), 5, true, "t"},
		{Lease(5, false, "t"), 0, false, "t"},
	} {
		until, ends, token := test.lease.Lease()
		if until != test.until || ends != test.ends || token != test.token {
			t.Errorf("%v: until %d, ends %v, token %q", test.lease, until, ends, token)
		}
		p := mustParse(t, body("pass"))
		env := Env{Client: "C1", Lease: test.lease}
		for _, now := range []int64{until - 1, until} {
			believes, _, err := p.Holds(&env, now)
			if want := !ends || now < until; believes != want || err != nil {
				t.Errorf("%v at %d ms: believes %v, %v", test.lease, now, believes, err)
			}
		}
	}
	if believes, _, _ := mustParse(t, body("pass")).Holds(&Env{}, math.MinInt64); believes {
		t.Error("a client believes in a lease that it does not have")
	}
}

// An observation of the wrong type is an error, not a crash.
func TestObservationsThatDoNotFit(t *testing.T) {
	for _, test := range []struct {
		statement string
		seen      Value
		want      string
	}{
		{"c.now()", String("x"), `p:2:5: the clock read a string ("x")`},
		{"c.get(1)", Failure(), "p:2:5: get failed"},
		{"c.get(1)", Bool(true), "p:2:5: the reply of get was a truth value (True)"},
		{"c.get(1)", String(strings.Repeat("x", 513)), "p:2:5: a string is longer than 512 bytes"},
	} {
		out := mustParse(t, body(test.statement)).Next(Acquire, &someEnv, []Value{test.seen})
		if out.Err == nil || out.Err.Error() != test.want || out.Line != 2 {
			t.Errorf("%s seeing %v: %v at line %d", test.statement, test.seen, out.Err, out.Line)
		}
	}
}

// An evaluation costs 4 to begin, 1 for each statement and expression, and 1 for each 16 bytes of strings made,
// where each string counts for 32 more, and a digit that is read for 2. The last two steps are "return None".
func TestWork(t *testing.T) {
	long := strings.Repeat("0", 490)
	for statement, want := range map[string]int{
		"pass":                       4 + 1 + 2,
		"x = 1 + 2":                  4 + 4 + 2,
		`x = "a" + "b"`:              4 + 4 + 2 + (32+2)/16,
		`x = "` + long + `" + "b"`:   4 + 4 + 2 + (32+491)/16,
		`x = "` + long + `" == "b"`:  4 + 4 + 2,
		`x = int("` + long + `")`:    4 + 3 + 2 + 2*490/16,
		`x = "a" + str(12) + "bc"`:   4 + 7 + 2 + (32+32+3+32+5)/16,
		"x = c.token()":              4 + 3 + 2 + 32/16,
		"for i in range(3): x = i":   4 + 2 + 3*3 + 2,
		"x = c.lease(token=7)":       4 + 4 + 2 + 32/16,
		`x = c.lease(token="seven")`: 4 + 4 + 2,
	} {
		out := mustParse(t, body(statement+"\nreturn None")).Next(Acquire, &someEnv, nil)
		if out.Work != want || !out.Returned {
			t.Errorf("%s costs %d, not %d (%v)", statement, out.Work, want, out.Err)
		}
	}
}
