package program

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/redis"
)

var rewrite = flag.Bool("rewrite", false, "write the conversations as the programs have them")

// TestConversations plays testdata/*.txt, one file for each built-in program, with
// the client's operation on the left and its observation on the right.
//
//	clock = 1012                       it reads its own clock, which shows 1012 s
//	GET lock.foo -> "1011"             it sends GET and receives a bulk reply; also 1, nil, OK
//	acquired until 1023 [as TOKEN]     acquire returned a lease; "acquired" alone: one without end
//	not acquired                       acquire returned None
//	believes at 1022                   it thinks that its lease runs; "doubts at 1023": not any more
//	inside                             it is in the critical section, then leaves it
//	work                               its work begins; "left": it is over, and "inside" is a part of it
//	write 7 -> 1                       it writes to the protected resource with a fencing token
//	renewed until 1013                 it believes in its lease for longer
//	nodes 3                            the number of nodes; with several, each line names one
//	release                            its release begins; "released": it is over
//
// A conversation ends with a phase, and one of a program's is released. "go test ./engine/program -run Conversations/NAME"
// prints what the program does where the file stops early or says something else; -rewrite writes it. It goes on with
// replies of a Redis that has nobody else: change one, and -rewrite writes what follows from it.
func TestConversations(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name+".txt")
			text, err := os.ReadFile(path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			p, _ := Builtin(name)
			does, err := conversations(p, string(text))
			switch {
			case err != nil:
				t.Errorf("%v:\n%s", err, does)
			case does == string(text):
			case *rewrite:
				if err := os.WriteFile(path, []byte(does), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("%s is not what the program does (-rewrite writes it):\n%s", path, compared(string(text), does))
			}
		})
	}
}

// A conversation that stops early, says something else or never releases the lock is not what the program does, and the
// comparison has all that it still does.
func TestAConversationDoesNotStopEarly(t *testing.T) {
	p, err := Parse("incr", "def acquire(c):\n    if c.incr(\"lock\") == 1:\n        c.expire(\"lock\", 10)\n        return True\n    return None\n\ndef release(c, lease):\n    c.delete(\"lock\")\n")
	if err != nil {
		t.Fatal(err)
	}
	const whole = "# Free.\nINCR lock -> 1\nEXPIRE lock 10 -> 1\nacquired\nrelease\nDEL lock -> 1\nreleased\n"
	const taken = "\n# Taken.\nINCR lock -> 2\nnot acquired\n"
	for text, want := range map[string]string{
		whole: whole, whole + taken: whole + taken,
		"# Free.\nINCR lock -> 1\n":                                                                        whole,
		"# Free.\nINCR lock -> 1\nEXPIRE lock 10 -> 1\nacquired\n":                                         whole,
		"# Free.\nINCR lock -> 1\nEXPIRE lock 10 -> 1\nacquired\nrelease\n":                                whole,
		"# Free.\nINCR lock -> 1\nEXPIRE lock 9 -> 1\nacquired until 5\nrelease\nDEL key -> 1\nreleased\n": whole,
		"# Free.\nINCR lock -> 1\nnot acquired\n":                                                          whole,
		whole + "\n# Taken.\nINCR lock -> 2\n":                                                             whole + taken,
		whole + "\n# Over.\nINCR lock -> 2\nnot acquired\nDEL lock -> 1\n":                                 whole + "\n# Over.\nINCR lock -> 2\nnot acquired\n",
		taken[1:]: taken[1:] + "\n# The key is free.\n" + strings.TrimPrefix(whole, "# Free.\n"),
		"":        "# The key is free.\n" + strings.TrimPrefix(whole, "# Free.\n"),
	} {
		if does, err := conversations(p, text); does != want || err != nil {
			t.Errorf("%q becomes\n%s(%v), not\n%s", text, does, err, want)
		}
	}
	if got, want := compared("a\nb\n", "a\nc\nd\n"), "  a\n- b\n+ c\n+ d\n"; got != want {
		t.Errorf("the comparison is\n%s, not\n%s", got, want)
	}
	waits, err := Parse("waits", "def acquire(c):\n    for i in range(99):\n        c.get(\"lock\")\n    return True\n\ndef release(c, lease):\n    pass\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conversations(waits, "# It waits.\n"); err == nil {
		t.Error("a program that does not come to an end has a conversation")
	}
}

// conversations returns the text of a program's conversations as the program has them. The first of its lines stay as they
// are, as long as the program does what they say; it hears the replies that they give.
func conversations(p *Program, text string) (string, error) {
	var all []string
	held, released := -1, false
	play := func(conversation string, through bool) (string, error) {
		c := conversant{p: p, env: Env{Client: "C1", Timeout: 10_000, Attempt: 1, Nodes: 1}, now: 1_000_000}
		defer c.close()
		title, lines, _ := strings.Cut(strings.TrimSpace(conversation), "\n")
		does, err := c.converse(linesOf(lines), through)
		if c.over && c.phase == Release {
			released = true
		} else if !c.lease.IsNone() {
			held = len(all)
		}
		return title + "\n" + strings.Join(does, "\n") + "\n", err
	}
	for conversation := range strings.SplitSeq(text, "\n\n") {
		if strings.TrimSpace(conversation) == "" {
			continue
		}
		does, err := play(conversation, false)
		if all = append(all, does); err != nil {
			return strings.Join(all, "\n"), err
		}
	}
	if released {
		return strings.Join(all, "\n"), nil
	}
	if held < 0 {
		held, all = len(all), append(all, "# The key is free.")
	}
	does, err := play(all[held], true)
	all[held] = does
	return strings.Join(all, "\n"), err
}

// linesOf returns the lines of a text that say something, without the space around them.
func linesOf(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// compared returns the lines of two texts in one list: between the lines that both begin with and those that both end with
// are those of the first, after a -, and those of the second, after a +.
func compared(says, does string) string {
	old, now := strings.SplitAfter(says, "\n"), strings.SplitAfter(does, "\n")
	first, last := 0, 0
	for first < min(len(old), len(now)) && old[first] == now[first] {
		first++
	}
	for last < min(len(old), len(now))-first && old[len(old)-1-last] == now[len(now)-1-last] {
		last++
	}
	var b strings.Builder
	write := func(mark string, lines []string) {
		for _, line := range lines {
			if line != "" {
				b.WriteString(mark + strings.TrimSuffix(line, "\n") + "\n")
			}
		}
	}
	write("  ", now[:first])
	write("- ", old[first:len(old)-last])
	write("+ ", now[first:len(now)-last])
	write("  ", now[len(now)-last:])
	return b.String()
}

// conversant is one client in a conversation.
type conversant struct {
	p      *Program
	env    Env
	phase  Phase
	seen   []Value
	lease  Value // as it was renewed
	over   bool  // the phase has returned
	now    int64 // what its clock has shown last
	nodes  map[int]*redis.Server
	failed error
}

// mostLines bounds how long a program goes on by itself.
const mostLines = 40

// converse returns the lines of a conversation as the program has them. From the first line on that is about something else
// than what the program does, it goes on by itself to the end of the phase, or through its release.
func (c *conversant) converse(lines []string, through bool) (does []string, err error) {
	for _, line := range lines {
		if !c.takes(line) {
			break
		}
		got := c.play(line)
		does = append(does, got)
		if about(got) != about(line) {
			break
		}
	}
	for {
		for !c.over && c.failed == nil {
			if len(does) > len(lines)+mostLines {
				return does, fmt.Errorf("the program goes on for %d lines: a conversation needs replies that bring it to an end", mostLines)
			}
			does = append(does, c.play(""))
		}
		if c.failed != nil {
			return does, c.failed
		}
		if !through || c.lease.IsNone() || c.phase == Release {
			return does, nil
		}
		next := "release"
		if w, ok := c.p.behaviour.(*written); ok && w.work != nil && c.phase == Acquire {
			next = "work"
		}
		does = append(does, c.play(next))
	}
}

// takes reports whether a line can follow: nothing does after the end, and a phase begins after the one before.
func (c *conversant) takes(line string) bool {
	switch about(line) {
	case "believes", "doubts", "nodes":
		return true
	case "work", "release":
		return c.over && !c.lease.IsNone()
	case "inside":
		return c.over && !c.lease.IsNone() || c.phase == Work
	}
	return !c.over
}

// about returns what a line is about: its verb, or that it has a reply.
func about(line string) string {
	if strings.Contains(line, " -> ") {
		return "->"
	}
	kind, _, _ := strings.Cut(line, " ")
	return kind
}

// play performs a line, and returns the line as it should be. What the line does not say comes from a Redis that has nobody
// else, and from a clock that stands still.
func (c *conversant) play(line string) string {
	verb, second, _ := strings.Cut(line, " at ")
	switch verb {
	case "believes", "doubts":
		env := c.env
		env.Lease = c.lease
		believes, _, err := c.p.Holds(&env, milliseconds(second))
		switch {
		case err != nil:
			return err.Error()
		case believes:
			return "believes at " + second
		}
		return "doubts at " + second
	case "nodes 3", "nodes 5":
		c.env.Nodes = int(line[len(line)-1] - '0')
		return line
	case "release":
		c.phase, c.seen, c.over, c.env.Lease = Release, nil, false, c.lease
		return line
	case "work":
		c.phase, c.seen, c.over = Work, nil, false
		return line
	case "inside":
		if c.phase == Work && !c.over {
			break
		}
		c.phase, c.seen = Work, nil
		if out := c.p.Next(Work, &c.env, nil); out.Op.Kind != Hold {
			return c.describe(out, "")
		}
		if out := c.p.Next(Work, &c.env, []Value{None}); !out.Returned {
			return c.describe(out, "")
		}
		return line
	}
	out := c.p.Next(c.phase, &c.env, c.seen)
	if again := c.p.Next(c.phase, &c.env, c.seen); !reflect.DeepEqual(out, again) {
		return fmt.Sprintf("the same observations gave %+v, then %+v", out, again)
	}
	told := c.told(line, out)
	switch out.Op.Kind {
	case Hold:
		c.seen = append(c.seen, None)
	case Renew:
		_, _, token := c.lease.Lease()
		c.lease = Lease(out.Op.Until, true, token)
		c.seen = append(c.seen, None)
	case Clock:
		c.now = milliseconds(told)
		c.seen = append(c.seen, Int(c.now))
	case Command, Storage:
		c.seen = append(c.seen, reply(told))
	}
	if c.over = out.Returned; c.over && c.phase == Acquire {
		c.env.Lease, c.lease = out.Result, out.Result
	}
	if out.Err != nil {
		c.failed = out.Err
	}
	return c.describe(out, told)
}

// told returns what a program hears after an operation.
func (c *conversant) told(line string, out Outcome) string {
	switch out.Op.Kind {
	case Clock:
		if second, ok := strings.CutPrefix(line, "clock = "); ok {
			return second
		}
		return seconds(c.now)
	case Command:
		natural := c.asks(out.Op)
		if _, told, ok := strings.Cut(line, " -> "); ok {
			return told
		}
		return natural
	case Storage:
		if _, told, ok := strings.Cut(line, " -> "); ok {
			return told
		}
		return "1"
	}
	return ""
}

// asks sends a command to a Redis that has nobody else, and returns its reply as a conversation writes it.
func (c *conversant) asks(op Op) string {
	node := c.nodes[op.Node]
	if node == nil {
		if c.nodes == nil {
			c.nodes = map[int]*redis.Server{}
		}
		node = redis.New(c.now)
		c.nodes[op.Node] = node
	}
	reply := node.Do(op.Command...)
	n, isNumber := reply.Int()
	text, isText := reply.Text()
	switch {
	case isNumber:
		return strconv.FormatInt(n, 10)
	case reply.IsNil():
		return "nil"
	case reply == redis.OK:
		return "OK"
	case isText:
		return strconv.Quote(text)
	}
	return "failed"
}

func (c *conversant) close() {
	for _, node := range c.nodes {
		node.Close()
	}
}

func (c *conversant) describe(out Outcome, told string) string {
	switch {
	case out.Err != nil:
		return out.Err.Error()
	case out.Op.Kind == Clock:
		return "clock = " + told
	case out.Op.Kind == Command:
		node := ""
		if c.env.Nodes > 1 {
			node = "redis" + strconv.Itoa(out.Op.Node+1) + ": "
		}
		return node + redis.Label(out.Op.Command) + " -> " + told
	case out.Op.Kind == Storage:
		return strings.Join(out.Op.Command, " ") + " -> " + told
	case out.Op.Kind == Renew:
		return "renewed until " + seconds(out.Op.Until)
	case out.Op.Kind == Hold:
		return "inside"
	case c.phase == Work:
		return "left"
	case c.phase == Release:
		return "released"
	case out.Result.IsNone():
		return "not acquired"
	}
	untilMs, ends, token := out.Result.Lease()
	s := "acquired"
	if ends {
		s += " until " + seconds(untilMs)
	}
	if token != "" {
		s += " as " + token
	}
	return s
}

func reply(told string) Value {
	if n, err := strconv.ParseInt(told, 10, 64); err == nil {
		return Int(n)
	}
	if s, err := strconv.Unquote(told); err == nil {
		return String(s)
	}
	switch told {
	case "nil":
		return None
	case "OK":
		return String("OK")
	}
	return Failure()
}

func milliseconds(second string) int64 {
	s, _ := strconv.ParseFloat(second, 64)
	return int64(s*1000 + 0.5)
}

func seconds(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) }
