package check_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
)

// Each property has its words in both languages: the rule, the violation, both answers of a lookahead and the flag.
func TestEachPropertyHasItsWords(t *testing.T) {
	for _, p := range check.Properties {
		for i, text := range []lang.Text{p.Holds, p.Goal, p.Harm, p.Broken, p.Reachable, p.Unreachable, p.Flag} {
			if !text.Has(lang.English) {
				t.Errorf("%s: text %d is %q", p.Name, i, text)
			} else if !text.Has(lang.Chinese) {
				testtools.Untranslated(t, "%s: text %d is %q", p.Name, i, text)
			}
		}
		// A search knows what is within its bounds, and says no more.
		if english := p.Unreachable.In(lang.English); strings.Contains(english, "never") || strings.Contains(english, "always") || !strings.Contains(english, "within these bounds: %s.") {
			t.Errorf("%s: a lookahead that finds nothing says %q", p.Name, english)
		}
		if chinese := p.Unreachable.In(lang.Chinese); p.Unreachable.Has(lang.Chinese) && (strings.ContainsAny(chinese, "永总") || !strings.Contains(chinese, "在这些范围内") || !strings.Contains(chinese, "：%s。")) {
			t.Errorf("%s: a lookahead that finds nothing says %q", p.Name, chinese)
		}
		if c := p.Chinese; c.Name == "" || c.Violated == "" || c.Holds == "" {
			testtools.Untranslated(t, "%s: its Chinese is %q", p.Name, c)
		}
	}
}

// Each violation names its clients, its time and its cause: the event that made
// it inevitable. The transcripts show each violation at its place.
func TestViolationsNameTheirCause(t *testing.T) {
	for _, test := range []struct {
		transcript, property, clients string
		at                            engine.Time
		cause                         string
	}{
		{"del-setnx-race", "mutual-exclusion", "C1 C2", 1_012_000, "Redis executes #8, DEL lock.foo from C2: lock.foo is gone; it held 1023, written by C1."},
		{"del-setnx-race", "overlap", "C1 C2", 1_012_000, "Redis executes #8, DEL lock.foo from C2: lock.foo is gone; it held 1023, written by C1."},
		{"del-setnx-race", "foreign-delete", "C2 C1", 1_012_000, "Redis executes #8, DEL lock.foo from C2: lock.foo is gone; it held 1023, written by C1."},
		{"late-del", "foreign-delete", "C1 C2", 1_012_000, "Redis executes #5, DEL lock.foo from C1: lock.foo is gone; it held 1023, written by C2."},
		{"late-del", "mutual-exclusion", "C2 C3", 1_012_000, "Redis executes #5, DEL lock.foo from C1: lock.foo is gone; it held 1023, written by C2."},
		{"late-del-unchecked", "overlap", "C1 C2", 1_012_000, "Redis executes #4, GETSET lock.foo 1023 from C2: lock.foo was 1011, written by C1, and is now 1023."},
		{"losing-getset-drift", "lease-drift", "C1", 1_013_000, "Redis executes #7, GETSET lock.foo 1024 from C2: lock.foo was 1023, written by C1, and is now 1024."},
		{"losing-getset-earlier", "mutual-exclusion", "C1 C4", 1_024_000, "Redis executes #7, GETSET lock.foo 1023 from C2: lock.foo was 1025, written by C1, and is now 1023."},
		{"java-null-get", "mutual-exclusion", "C2 C3", 1_000_000, "Redis executes #4, GET lock.foo from C2: nothing changes."},
		{"equal-instant", "mutual-exclusion", "C1 C2", 1_011_000, "Redis executes #4, GETSET lock.foo 1022 from C2: lock.foo was 1011, written by C1, and is now 1022."},
		{"clock-skew", "mutual-exclusion", "C1 C2", 1_000_000, "Redis executes #4, GETSET lock.foo 1023 from C2: lock.foo was 1011, written by C1, and is now 1023."},
		{"set-px-late-lease", "mutual-exclusion", "C1 C2", 1_011_000, "lock.foo has reached its expiry and is gone; it held C1-1, written by C1."},
		{"set-px-pause", "overlap", "C1 C2", 1_010_000, "lock.foo has reached its expiry and is gone; it held C1-1, written by C1."},
		{"crash-deadlock", "stuck", "C2", 1_000_000, "C1 crashes."},
		{"crash-with-request", "stuck", "C2", 1_000_000, "Redis executes #1, SETNX lock.foo C1 from C1: lock.foo was free and is now C1."},
		{"timestamp-stuck", "stuck", "C2", 1_012_000, "C1 is done."},
		{"setnx-expire-crash", "stuck", "C2", 1_000_000, "C1 crashes; its EXPIRE lock.foo 10 is still on its way."},
		{"set-px-fencing-incr-stale", "stale-write", "C1 C2", 1_010_000, "lock.foo has reached its expiry and is gone; it held C1-1, written by C1."},
		{"storage-faults", "stale-write", "C2 C3", 1_020_000, "lock.foo has reached its expiry and is gone; it held C2-1, written by C2."},
		{"set-px-watchdog-pause", "overlap", "C1 C2", 1_015_000, "lock.foo has reached its expiry and is gone; it held C1-1, written by C1."},
		{"redlock-restart", "mutual-exclusion", "C1 C2", 1_000_000, "Redis 2 crashes; its data is lost."},
		{"redlock-unchecked", "overlap", "C1 C2", 1_010_000, "On Redis 2, lock.foo has reached its expiry and is gone; it held C1-1, written by C1."},
		{"lost-reply-end", "stuck", "C1", 1_000_000, "The reply to C1's SETNX lock.foo x is lost: Redis has executed it, C1 does not know."},
		{"unattended", "unattended", "C1 C2", 1_000_000, "Redis executes #3, GET lock.foo from C1: nothing changes."},
		{"bounded-wait", "bounded-wait", "C2", 1_012_001, "Redis executes #1, SET lock.foo C1-1 NX PX 60000 from C1: lock.foo was free and is now C1-1."},
		{"literal-equal", "stuck", "C2", 1_012_000, "C1 crashes."},
	} {
		t.Run(test.transcript+"/"+test.property, func(t *testing.T) {
			w := play(t, test.transcript)
			for _, e := range w.Events() {
				v := e.Violation
				if e.Kind != engine.Violated || v.Property != test.property || strings.Join(v.Clients, " ") != test.clients {
					continue
				}
				if e.Time != test.at {
					t.Errorf("at %s, not at %s", e.Time, test.at)
				}
				if v.Cause == 0 {
					t.Fatal("the violation has no cause")
				}
				if got := w.Events()[v.Cause-1].Sentence(lang.English); got != test.cause {
					t.Errorf("the cause is\n%s\nnot\n%s", got, test.cause)
				}
				return
			}
			t.Errorf("there is no violation of %s by %s", test.property, test.clients)
		})
	}
}

// A lasting violation clears under its own name when it is over.
func TestViolationsEnd(t *testing.T) {
	open := map[string]int{}
	for _, e := range play(t, "set-px-pause").Events() {
		switch e.Kind {
		case engine.Violated:
			open[e.Violation.Property]++
		case engine.Cleared:
			open[e.Violation.Property]--
		}
	}
	if n, ok := open["overlap"]; !ok || n != 0 {
		t.Errorf("C1 has left, and the overlap is still open: %v", open)
	}
}

// A lock that a client can still get is not stuck: its holder crashed, and its
// lease runs out in time.
func TestNotStuckWhileTheLeaseCanRunOut(t *testing.T) {
	for _, program := range []string{"del-setnx", "getset", "getset-plain", "getset-compare-delete", "takeover-cas", "java", "set-px", "set-px-del", "setnx-expire", "set-px-watchdog", "set-px-fencing", "set-px-fencing-incr", "redlock"} {
		w := engine.New(engine.Header{Program: program}, check.All()...)
		script := "spawn C1\nstep C1 2\ncrash C1\nspawn C2\nstep C2 5\ntick 1s\nstep C2 5"
		if program != "setnx-expire" {
			script = strings.Replace(script, "step C1 2", "step C1", 1)
		}
		for line := range strings.Lines(script) {
			a, err := engine.ParseAction(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Apply(a, engine.MaxActionWork); err != nil {
				t.Fatalf("%s: %s: %v", program, a, err)
			}
		}
		for _, v := range w.Violations() {
			t.Errorf("%s: a violation of %s by %v", program, v.Property, v.Clients)
		}
	}
}

func play(t *testing.T, transcript string) *engine.World {
	file := "../testdata/" + transcript + ".lock"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := engine.Parse(file, string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play(file, check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	return trace.Run.World()
}

// Each scenario is a hostile reader's finding, and says what must be true of
// it.
func TestJudgement(t *testing.T) {
	const naive = "| def acquire(c):\n|     return c.setnx(\"lock.foo\", c.name) == 1\n| def release(c, lease):\n|     c.delete(\"lock.foo\")\n"
	for _, test := range []struct{ name, scenario string }{
		{"a TTL of more than a day does not hide a deadlock", `program naive-nonblocking
			do C9 SETEX other 100000 v
			spawn C1
			step C1
			crash C1
			spawn C2
			step C2
			expect violation stuck C2`},
		{"a client that failed leaves its request in flight and does nothing more", "program p\ndefine p\n" + naive +
			"| def holds(c, lease):\n|     return 10 // (1005 - c.now()) > 0\n| def work(c, lease):\n|     c.try_incr(\"a\")\n|     c.incr(\"b\")\n" + `spawn C1
			step C1
			pause C1
			tick 5s
			expect C1 failed
			spawn C2 naive
			step C2
			deliver C1
			expect key a 1
			expect key b nil
			restart C1
			step C1
			expect C1 waits`},
		{"one attempt only, but the lease will run out", `program set-px blocking=false
			spawn C1 C2
			step C1
			crash C1
			expect no violation`},
		{"an acquire timeout shorter than the lease", `program getset timeout=10s acquire_timeout=3s
			spawn C1 C2
			step C1
			crash C1
			expect no violation`},
		{"an expiry that only the value knows", `program getset
			do C9 SETNX lock.foo 1100
			spawn C2
			step C2 2
			expect no violation`},
		{"an expiry written by a clock that was ahead", `program getset timeout=10s
			spawn C1 skew=60s
			step C1
			crash C1
			skew C1 0s
			spawn C2
			step C2 2
			expect no violation`},
		{"a short retry", `program naive retry=50ms
			spawn C1 C2
			step C1
			crash C1
			step C2
			expect violation stuck C2`},
		{"a lock that was ours in an earlier life", `program naive
			spawn C1
			step C1
			crash C1
			restart C1
			step C1
			expect violation stuck C1`},
		{"a lock deleted after its lease had run out", `program del-setnx timeout=10s
			spawn C1
			deliver C1
			tick 12s
			spawn C2
			step C2 3
			receive C1
			expect no violation foreign-delete`},
		{"a takeover whose winner has not heard yet, or has left, is no drift", `program getset timeout=10s
			spawn C1 skew=-5s
			step C1
			spawn C2
			tick 7s
			step C2 2
			deliver C2
			receive C2
			step C2
			expect no violation lease-drift`},
		{"a lease of 0 has run out", "program p\ndefine p\n| def acquire(c):\n|     return c.setnx(\"lock.foo\", c.name)\n| def release(c, lease):\n|     pass\n" + `spawn C1 C2
			step C1
			step C2
			expect C2 inside
			expect no violation mutual-exclusion`},
		{"somebody was turned away before the holder left the lock behind", `program naive-nonblocking
			spawn C1 C2
			step C1
			step C2
			expect C2 done
			expect no violation
			crash C1
			expect violation stuck C2`},
		{"somebody held the lock in an earlier life, and is turned away in this one", `program naive-nonblocking
			spawn C1 C2
			step C1
			step C1
			step C1
			expect C1 done
			step C2
			restart C1
			step C1
			expect C1 done
			crash C2
			expect violation stuck C1`},
		{"somebody's own late write, after a life that took the lock over", "program p\ndefine p\n" + `| def acquire(c):
			|     return c.set("lock.foo", c.token(), nx=True, px=c.timeout_ms) == "OK"
			| def work(c, lease):
			|     c.storage.write()
			| def release(c, lease):
			|     c.eval("compare-and-delete", "lock.foo", c.token())
			spawn C1
			step C1
			crash C1
			tick 10s
			restart C1
			step C1 2
			deliver C1
			expect violation stale-write C1`},
		{"a holder changes the value of its own key", "program p\ndefine p\n" + `| def acquire(c):
			|     return c.setnx("lock.foo", c.name) == 1
			| def work(c, lease):
			|     c.set("lock.foo", "still mine")
			|     c.get("lock.foo")
			| def release(c, lease):
			|     c.delete("lock.foo")
			spawn C1
			step C1 2
			expect C1 holds
			expect no violation`},
		{"a lock is removed when its lease is over on the fast clock of its owner", `program timestamp timeout=10s
			spawn C1 skew=60s
			deliver C1
			tick 20s
			do D1 DEL lock.foo
			receive C1
			expect no violation foreign-delete`},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := strings.Split(test.scenario, "\n")
			for i := range lines {
				lines[i] = strings.TrimLeft(lines[i], "\t")
			}
			scenario, err := engine.Parse("judgement", strings.Join(lines, "\n"), nil)
			if err != nil {
				t.Fatal(err)
			}
			trace, err := scenario.Play("judgement", check.All()...)
			if err != nil {
				t.Fatal(err)
			}
			for _, unmet := range trace.Unmet {
				t.Error(unmet)
			}
			// A client that starts afresh may have been in its own way. A violation does not name it twice.
			for _, e := range trace.Run.World().Events() {
				if v := e.Violation; v != nil && len(slices.Compact(slices.Sorted(slices.Values(v.Clients)))) < len(v.Clients) {
					t.Errorf("a violation of %s names %q", v.Property, v.Clients)
				}
			}
		})
	}
}

// Where belief comes back, the cause is the event that brought it back. Where a
// losing GETSET made a lock last longer, that GETSET did not let another client
// in, and is not the cause. Where both writers had lost their locks before they wrote, the first loss let the other one in.
func TestCauses(t *testing.T) {
	for _, test := range []struct{ name, property, program, lines, cause string }{
		{"a skew", "mutual-exclusion", "getset", "spawn C1|step C1|tick 12s|spawn C2|step C2 3|skew C1 -20s", "C1's clock is 20 s behind true time. It believes in its lease again."},
		{"an EXPIRE in between", "mutual-exclusion", "getset", "spawn C1|step C1|do C9 EXPIRE lock.foo 100|spawn C4 skew=20s|step C4 3",
			"Redis executes #5, GETSET lock.foo 1031 from C4: lock.foo was 1011, written by C1, and is now 1031."},
		{"two locks lost", "lost-update", "set-px-fencing-write", "spawn C1|step C1|tick 10s|spawn C2|step C2 2|step C1|tick 10s|step C1|step C2",
			"lock.foo has reached its expiry and is gone; it held C1-1, written by C1."},
	} {
		w := engine.New(engine.Header{Program: test.program}, check.All()...)
		for line := range strings.SplitSeq(test.lines, "|") {
			a, err := engine.ParseAction(line)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Apply(a, engine.MaxActionWork); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		for _, e := range w.Events() {
			if e.Kind == engine.Violated && e.Violation.Property == test.property {
				got = w.Events()[e.Violation.Cause-1].Sentence(lang.English)
			}
		}
		if got != test.cause {
			t.Errorf("%s: the cause is %q, not %q", test.name, got, test.cause)
		}
	}
}
