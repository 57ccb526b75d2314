package web

import (
	"strconv"
	"strings"

	"lockstep/engine/program"
)

// Strangers invent scenarios, programs and values. They know the grammar, so the server reads most of these to their
// end, and each is odd in one place.

func (s *script) position() string {
	return s.one("0", "1", "2", "3", "5", "8", "13", "100", "4000", "5000", "99999", "-1", "9223372036854775807", "9223372036854775808", "1e3", " 1", "")
}

// odd returns a text that names nobody.
func (s *script) odd() string {
	switch n := s.below(28); n {
	case 0:
		return s.piece()
	case 1:
		return strings.Repeat(s.one("x", "锁", "\u00a0", "<", `"`, "\\", "😀"), []int{1, 40, 171, 512, 513, 5_000}[s.below(6)])
	default:
		return []string{"", " ", "a b", "锁", "\u00a0", "\u202e", "\x00", "\xff\xfe", "\u2028", "\ufeff", "\u0085", "e\u0301", "<script>alert(1)</script>", "&amp;", `\`, `"`, "#", "|",
			"a\nb", "a\r\nb", "\t", "%s%d", "C1", "Quiet Otter", "null", "{}"}[n-2]
	}
}

func (s *script) client() string {
	if s.seldom(16) {
		return s.one("c1", "C", "Client99", "Client999", "Ann", "D1", "Redis", "锁", "")
	}
	return "C" + strconv.Itoa(1+s.below(4)*s.below(5))
}

func (s *script) clients() string {
	if s.seldom(6) {
		all := make([]string, 1+s.below(17))
		for i := range all {
			all[i] = "C" + strconv.Itoa(i+1)
		}
		return strings.Join(all, " ")
	}
	return s.client()
}

func (s *script) duration() string {
	return s.one("1s", "10s", "250ms", "1ms", "999ms", "12s", "1.5s", "1h", "24h", "7ms", "1001ms", "25h", "0s", "-3s", "-24h", "1ns", "1e9s", "s", "9999999h")
}

func (s *script) programName() string {
	if s.seldom(3) {
		return s.one("mine", "mine-2", "naive-mine", "x", "Mine", "own.star", "nothing", "del-setnx-mine")
	}
	names := program.Names()
	return names[s.below(len(names))]
}

func (s *script) options() string {
	text := ""
	for range s.below(4) {
		name := s.one("timeout", "retry", "acquire_timeout", "skew", "blocking", "speed")
		value := s.duration()
		if name == "blocking" {
			value = s.one("true", "false", "yes")
		}
		text += " " + name + "=" + value
	}
	return text
}

// quoted returns a word of scenario text: as it is, or in double quotes.
func (s *script) quoted() string {
	text := s.one("lock.foo", "k", "1", "1011", "-1", "0", "9223372036854775807")
	if s.seldom(4) {
		text = s.odd()
	}
	if s.seldom(3) || text == "" || strings.ContainsAny(text, " \t\n\r\"#") {
		return strconv.Quote(text)
	}
	return text
}

func (s *script) command() string {
	switch s.below(8) {
	case 0:
		return "GET " + s.quoted()
	case 1, 2:
		return "SET " + s.quoted() + " " + s.quoted() + s.one("", " NX", " PX 1500", " EX 1", " PX 1", " XX GET", " KEEPTTL", " PX 99999999999999999")
	case 3:
		return "MSET " + s.quoted() + " " + s.quoted() + " " + s.quoted() + " " + s.quoted()
	case 4:
		return "EVAL " + s.one("compare-and-delete", "compare-and-expire", "nothing") + " 1 " + s.quoted() + " " + s.quoted() + s.one("", " 5")
	}
	name := s.one("SETNX", "GETSET", "DEL", "DELEX", "DELIFEQ", "EXPIRE", "PEXPIRE", "TTL", "PTTL", "PERSIST", "INCR", "DECR", "INCRBY", "EXISTS", "STRLEN", "GETDEL", "TYPE", "APPEND", "KEYS", "FLUSHALL", "PING")
	for range s.below(4) {
		name += " " + s.quoted()
	}
	return name
}

// action returns a line that acts, or the value that a button of the page sends instead.
func (s *script) action() string {
	switch s.below(18) {
	case 0, 1:
		return "spawn " + s.clients() + " " + s.programName() + s.options()
	case 2:
		return "spawn " + s.clients() + s.options()
	case 3, 4, 5, 6:
		return "step " + s.clients() + s.one("", "", "", " 2", " 5", " 100", " 101")
	case 7, 8:
		return "tick " + s.duration()
	case 9:
		return s.one("deliver ", "receive ", "drop ") + s.clients()
	case 10:
		return s.one("crash ", "restart ", "pause ", "resume ") + s.clients()
	case 11:
		return "skew " + s.clients() + " " + s.duration()
	case 12, 13:
		if s.seldom(5) {
			return s.one("enter ", "leave ") + s.one("A1", "A1", "A2", "A1 A2", "C1")
		}
		return "do " + s.one("A1", "A1", "A2", "C1") + " " + s.command()
	case 14:
		return "note " + strconv.Quote(s.odd())
	case 15:
		return "redis " + s.one("crash", "restart", "crash lose", "restart 2", "crash 2 keep", "crash 99")
	case 16:
		return s.one("schedule", "first", "back", "last", "violation", "", "#", "expect no violation", "program naive")
	}
	return s.piece()
}

// line returns a line of a scenario.
func (s *script) line() string {
	switch s.below(12) {
	case 0:
		return "# " + s.odd()
	case 1:
		return "expect " + s.one("no violation", "violation mutual-exclusion C1 C2", "C1 holds", "C1 asleep", "reply C1 0", "key lock.foo nil", "key lock.foo 1011")
	case 2:
		return ""
	}
	return s.action() + s.one("", "", "", " # why", "  ", "\r")
}

// times repeats a text as often as a bound may need it.
func (s *script) times(text string) string {
	n := []int{1, 1, 1, 1, 1, 1, 2, 3, 10, 60, 300, 1_300, 4_001}[s.below(13)]
	return strings.Repeat(text, min(n, 1+mostRaw/(len(text)+1)))
}

func (s *script) scenario() string {
	var b strings.Builder
	spawns := ""
	if s.seldom(2) {
		b.WriteString("program " + s.programName() + s.options() + s.one("", " nodes=1", " nodes=3", " nodes=9", " nodes=10") + "\n")
	}
	for i := range s.below(4) {
		name := "mine"
		if i > 0 {
			name += "-" + strconv.Itoa(i+1)
		}
		b.WriteString("define " + name + "\n")
		for line := range strings.Lines(s.program()) {
			b.WriteString("| " + strings.TrimSuffix(line, "\n") + "\n")
		}
		spawns += "spawn " + s.clients() + " " + name + s.options() + "\n"
	}
	text := b.String() + spawns
	for range s.below(20) {
		text += s.times(s.line() + "\n")
	}
	return text
}

// program returns the text of a lock program: a piece, or a built-in one with a word and a few lines changed. Package
// explore invents whole programs in its own tests.
func (s *script) program() string {
	if s.seldom(6) {
		return s.piece()
	}
	names := program.Names()
	p, _ := program.Builtin(names[s.below(len(names))])
	text := strings.NewReplacer(s.one("1", "2", "c.", "None", "==", "return", "lock.foo"), s.one("0", "9223372036854775807", "", "not", "!=", "pass #", "c.now()", "True")).Replace(p.Source)
	lines := strings.SplitAfter(text, "\n")
	for range s.below(5) {
		i := s.below(len(lines))
		line := strings.TrimLeft(lines[i], " ")
		indent := lines[i][:len(lines[i])-len(line)]
		switch s.below(4) {
		case 0:
			lines[i] += lines[i]
		case 1:
			lines[i] = ""
		case 2:
			lines[i] = indent + "for i in " + s.one("range(3)", "range(16)", "c.nodes", "range(17)", "range(x)") + ":\n    " + lines[i]
		case 3:
			lines[i] = indent + s.one("pass", "break", "x = 1", "x += c.now()", "c.work()", "return None", "return c.lease(until=c.now() + 5)", "c.try_set(c.token(), c.name, ex=-1)",
				"c.storage.write(fence=c.incr(c.name))", "c.incrby(\"k\", 9223372036854775807)", "c.renew(until=c.now() + 9)", "return "+strconv.Quote(s.odd())) + "\n"
		}
	}
	return strings.Join(lines, "")
}
