package program

import (
	"errors"
	"strings"
	"testing"
)

// body puts statements into an acquire that begins at line 2, column 3.
func body(statements string) string {
	return "def acquire(c):\n  " + strings.ReplaceAll(statements, "\n", "\n  ") + "\ndef release(c, lease): pass\n"
}

const release = "\ndef release(c, lease): pass\n"

// Parse refuses these before anything runs, at this place, in these words.
func TestParseRefuses(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"nothing", "", "1:1: the program does not define acquire(c)"},
		{"no release", "def acquire(c): pass", "1:1: the program does not define release(c, lease)"},
		{"acquire's arity", "def acquire(): pass" + release, "1:5: acquire must be called as acquire(c)"},
		{"holds' arity", "def acquire(c): pass" + release + "def holds(c): pass", "3:5: holds must be called as holds(c, lease)"},
		{"syntax", "def acquire(c)\n  pass", "1:15: this cannot be read: got newline, want ':'"},
		{"a word of Python", body("import os"), "2:3: import is not part of the language"},
		{"try", body("try: pass"), "2:3: try is not part of the language: c.try_get(…) and its like return False when the command failed"},
		{"c.del", body("c.del(\"k\")"), "2:8: a name was expected here (a reserved word is none: the command DEL is c.delete)"},

		{"while", body("while True: pass"), "2:3: while is not allowed: the driver calls acquire again until it returns a lease; inside one attempt use for … in range(n)"},
		{"a nested function", body("def f(): pass"), "2:3: a function inside a function is not allowed"},
		{"load", "load('x', 'y')", "1:1: only functions and constants stand at the top of a file"},
		{"a call at the top", "print(1)", "1:1: only functions and constants stand at the top of a file"},
		{"break outside", body("break"), "2:3: break stands outside a loop"},
		{"a tuple", body("return 1, 2"), "2:10: a tuple is not allowed: a function returns one value, a name holds one"},
		{"unpacking", body("a, b = 1, 2"), "2:3: only a plain name can be assigned to"},
		{"a field", body("c.x = 1"), "2:3: only a plain name can be assigned to"},
		{"a list", body("x = [1]"), "2:7: a list is not allowed: loop over c.nodes or range(n)"},
		{"a dictionary", body("x = {}"), "2:7: a dictionary is not allowed: what outlives an attempt belongs in Redis or in the lease"},
		{"a comprehension", body("x = [i for i in c.nodes]"), "2:7: a comprehension is not allowed: use a for loop"},
		{"an index", body("x = c.nodes[0]"), "2:14: an index is not allowed: there are no lists; loop over c.nodes or range(n)"},
		{"a slice", body("x = c.name[1:]"), "2:13: a slice is not allowed"},
		{"a lambda", body("x = lambda: 1"), "2:7: lambda is not allowed: define a function with def"},
		{"a fraction", body("x = 0.5"), "2:7: a fraction is not allowed: numbers are whole; write milliseconds"},
		{"bytes", body(`x = b"x"`), "2:7: bytes are not allowed: write the string without b"},
		{"true division", body("x = 1 / 2"), "2:9: / is not allowed: numbers are whole, use //"},
		{"bits", body("x = 1 << 2"), "2:9: the operator << is not allowed"},
		{"in", body(`x = "a" in "b"`), "2:11: in is not allowed: compare with =="},
		{"unary plus", body("x = +1"), "2:7: + before a value is not allowed"},

		{"an unknown name", body("expiry = 1\nreturn expirey"), "3:10: expirey is not defined; did you mean expiry?"},
		{"a name of the wrong function", "def acquire(c): return lease" + release, "1:24: lease is not defined; did you mean release?"},
		{"a function as a value", body("return acquire"), "2:10: acquire is a function: you can call it, but not use it as a value"},
		{"a variable called", body("x = 1\nx()"), "3:3: x is a variable, not a function"},
		{"print", body("print(1)"), "2:3: print is not allowed: each step is on the timeline already"},
		{"defined twice", "K = 1\nK = 2", "2:1: K is already defined at line 1"},
		{"a builtin redefined", "def min(a): pass", "1:5: min is a function of the language"},
		{"too many arguments", "def f(a): pass\n" + body("f(1, 2)"), "3:4: f takes 1 argument, but got 2"},
		{"a default", "def f(a=1): pass", "1:7: a parameter is a plain name"},
		{"an option as a value", "timeout = 5\n" + body("return timeout"), "3:10: timeout is only the default of an option, and a run may choose another: use c.timeout"},

		{"an unknown command", body("c.setnex(1, 2)"), "2:5: there is no .setnex; did you mean setnx?"},
		{"a command in capitals", body("c.GETSET(1, 2)"), "2:5: there is no .GETSET; did you mean getset or getdel?"},
		{"an unknown try_ command", body("c.try_gets(1)"), "2:5: there is no .try_gets; did you mean try_get or try_getset or try_set?"},
		{"a method not called", body("return c.now"), "2:12: now is a method: call it with ()"},
		{"a value called", body("return c.timeout()"), "2:12: timeout is a value: write it without ()"},
		{"too few arguments", body(`c.setnx("k")`), "2:10: setnx takes 2 arguments, but got 1; call it as setnx(key, value)"},
		{"an unknown option", body(`c.set("k", 1, exp=3)`), "2:17: set has no option exp; call it as set(key, value, nx=True, xx=True, get=True, px=…, ex=…, keepttl=True, ifeq=…, ifne=…)"},
		{"an option twice", body(`c.set("k", 1, nx=True, nx=True)`), "2:26: nx is given twice"},
		{"*arguments", body("c.get(*c)"), "2:9: * before an argument is not allowed"},
		{"an unknown script", body(`c.eval("compare", "k", 1)`), `2:10: "compare" is not the name of a script (a program brings no Lua of its own); choose one of compare-and-delete, compare-and-expire, compare-and-set, set-and-fence`},
		{"a script of its own", body(`c.eval("return redis.call('set', KEYS[1], ARGV[1])", "k")`), `2:10: "return redis.call('set', KEYS[1]"… is not the name of a script (a program brings no Lua of its own); choose one of compare-and-delete, compare-and-expire, compare-and-set, set-and-fence`},
		{"a script by variable", body(`s = "compare-and-delete"` + "\n" + `c.eval(s, "k", 1)`), "3:10: eval takes the name of a script in quotes: one of compare-and-delete, compare-and-expire, compare-and-set, set-and-fence"},
		{"a script's arguments", body(`c.eval("compare-and-delete", "k")`), "2:9: the script compare-and-delete takes 2 arguments after its name, but got 1"},
		{"two ends of a lease", body("return c.lease(until=1, until_ms=1000)"), "2:12: until (seconds) and until_ms are the same thing: give one of them"},

		{"an option that is no number", "retry = None" + "\n" + body("pass"), "1:1: retry is a whole number from 1 to 1000000"},
		{"an option in two units", "retry = 1\nretry_ms = 5\n" + body("pass"), "2:1: retry and retry_ms are the same option"},
		{"blocking", "blocking = 0\n" + body("pass"), "1:1: blocking is True or False"},
		{"a constant with a mistake", "K = 1 + None", "1:7: a nil reply (None) does not go with a number (1) (+): the key did not exist, look for None first"},
		{"a constant of the client", "K = c.now()", "1:5: a constant is worked out before there is a client: call this in a function"},

		{"holds asks Redis", body("pass") + "def holds(c, lease): return peek(c) == lease\ndef peek(c):\n  return c.get('k')", "6:12: holds may only read the clock: a client knows what it believes without asking anybody"},
		{"work elsewhere", body("c.work()"), "2:5: c.work() is the critical section: it belongs in work(c, lease), but acquire reaches it"},
		{"holds writes", body("pass") + "def holds(c, lease): return c.storage.write() == 1", "4:39: holds may only read the clock: a client knows what it believes without asking anybody"},
		{"renewing elsewhere", body("c.renew(until=5)"), "2:5: c.renew prolongs a lease that is held: it belongs in work(c, lease), but acquire reaches it"},
		{"renewing without an end", body("c.renew(5)"), "2:5: c.renew takes the new end of the lease, by name: until=… (seconds) or until_ms=…"},
		{"a write of two numbers", body("c.storage.write(5, 6)"), "2:13: call it as c.storage.write(), c.storage.write(number), c.storage.write(number, commit=False), or with a fencing token by name: c.storage.write(fence=…), c.storage.write(number, fence=…)"},
		{"a transaction of nothing", body("c.storage.write(commit=False)"), "2:13: call it as c.storage.write(), c.storage.write(number), c.storage.write(number, commit=False), or with a fencing token by name: c.storage.write(fence=…), c.storage.write(number, fence=…)"},
		{"a transaction with a token", body("c.storage.write(5, commit=False, fence=1)"), "2:13: a write with commit=False shows no fencing token"},
		{"a read of something", body("c.storage.read(5)"), "2:13: read takes nothing, or a fencing token by name: c.storage.read(fence=…)"},
		{"a read with two tokens", body("c.storage.try_read(fence=5, fence=6)"), "2:13: try_read takes nothing, or a fencing token by name: c.storage.try_read(fence=…)"},
		{"a commit of something", body("c.storage.commit(5)"), "2:13: commit takes nothing: c.storage.commit()"},
		{"a write not called", body("return c.storage.write"), "2:20: write is a method: call it with ()"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := Parse("p", test.source)
			if err == nil {
				t.Fatalf("accepted: %+v", p)
			}
			var positioned *Error
			if !errors.As(err, &positioned) {
				t.Fatalf("error is a %T", err)
			}
			chineseToo(t, positioned)
			if got, want := err.Error(), "p:"+test.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	for _, test := range []struct {
		source   string
		want     Defaults
		blocking string
	}{
		{"", Defaults{}, "unset"},
		{"timeout = 10\nretry = 1\nacquire_timeout = 5", Defaults{Timeout: 10_000, Retry: 1000, AcquireTimeout: 5000}, "unset"},
		{"retry_ms = 500\nblocking = False", Defaults{Retry: 500}, "False"},
		{"timeout_ms = 2 * 50\nblocking = True", Defaults{Timeout: 100}, "True"},
	} {
		p, err := Parse("p", test.source+"\n"+body("pass"))
		if err != nil {
			t.Errorf("%q: %v", test.source, err)
			continue
		}
		blocking := "unset"
		if p.Defaults.Blocking != nil {
			blocking = Bool(*p.Defaults.Blocking).String()
		}
		p.Defaults.Blocking = nil
		if p.Defaults != test.want || blocking != test.blocking {
			t.Errorf("%q: %+v, blocking %s", test.source, p.Defaults, blocking)
		}
	}
}

// The checker knows each word of the language where it may stand.
func TestWords(t *testing.T) {
	before := map[string]string{"client": "c.", "storage": "c.storage.", "lease": "lease."}
	count := map[string]int{}
	for _, w := range Words() {
		count[w.Of]++
		source := "def acquire(c): pass\ndef release(c, lease):\n  x = "
		switch {
		case before[w.Of] != "" && w.Takes != "":
			source += before[w.Of] + w.Name + "()"
		case before[w.Of] != "":
			source += before[w.Of] + w.Name
		case w.Of == "script":
			source += `c.eval("` + w.Name + `")`
		default:
			continue
		}
		if _, err := Parse("", source); err != nil && strings.Contains(err.Error(), "there is no") || err != nil && strings.Contains(err.Error(), "is not the name") || err != nil && strings.Contains(err.Error(), "is a ") {
			t.Errorf("%s %s: %v", w.Of, w.Name, err)
		}
	}
	for of, least := range map[string]int{"client": 50, "storage": 6, "lease": 3, "script": 4, "": 15, "keyword": 13, "literal": 3} {
		if count[of] < least {
			t.Errorf("%d words of %q, want %d at least", count[of], of, least)
		}
	}
}
