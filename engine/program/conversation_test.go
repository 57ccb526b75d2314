package program

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/redis"
)

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
func TestConversations(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			p, _ := Builtin(name)
			for _, conversation := range strings.Split(string(text), "\n\n") {
				title, lines, _ := strings.Cut(conversation, "\n")
				t.Run(strings.TrimPrefix(title, "# "), func(t *testing.T) {
					c := conversant{p: p, env: Env{Client: "C1", Timeout: 10_000, Attempt: 1, Nodes: 1}}
					for line := range strings.Lines(lines) {
						if line = strings.TrimSpace(line); line == "" {
							continue
						}
						if got := c.play(line); got != line {
							t.Fatalf("the program does  %s\nthe file says     %s", got, line)
						}
					}
				})
			}
		})
	}
}

// conversant is one client in a conversation.
type conversant struct {
	p     *Program
	env   Env
	phase Phase
	seen  []Value
	lease Value // as it was renewed
}

// play performs a line, and returns the line as it should be.
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
		c.phase, c.seen, c.env.Lease = Release, nil, c.lease
		return line
	case "work":
		c.phase, c.seen = Work, nil
		return line
	case "inside":
		if c.phase == Work {
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
	told := ""
	switch out.Op.Kind {
	case Hold:
		c.seen = append(c.seen, None)
	case Renew:
		_, _, token := c.lease.Lease()
		c.lease = Lease(out.Op.Until, true, token)
		c.seen = append(c.seen, None)
	case Clock:
		_, told, _ = strings.Cut(line, " = ")
		c.seen = append(c.seen, Int(milliseconds(told)))
	case Command, Storage:
		_, told, _ = strings.Cut(line, " -> ")
		c.seen = append(c.seen, reply(told))
	}
	if out.Returned && c.phase == Acquire {
		c.env.Lease, c.lease = out.Result, out.Result
	}
	return c.describe(out, told)
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
		return "renewed until " + strconv.FormatFloat(float64(out.Op.Until)/1000, 'f', -1, 64)
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
		s += " until " + strconv.FormatFloat(float64(untilMs)/1000, 'f', -1, 64)
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
