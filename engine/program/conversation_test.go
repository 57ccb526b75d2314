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

// TestConversations plays testdata/*.txt, one file for each built-in program:
// what the client does stands on the left, what it is told on the right.
//
//	clock = 1012                       it reads its own clock, which shows 1012 s
//	GET lock.foo -> "1011"             it sends GET and receives a bulk reply; also 1, nil, OK
//	acquired until 1023 [as TOKEN]     acquire returned a lease; "acquired" alone: one without end
//	not acquired                       acquire returned None
//	believes at 1022                   it thinks that its lease runs; "doubts at 1023": not any more
//	inside                             it is in the critical section, then leaves it
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
							t.Fatalf("got   %s\nwant  %s", got, line)
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
}

// play performs a line, and gives back the line as it should have been.
func (c *conversant) play(line string) string {
	verb, second, _ := strings.Cut(line, " at ")
	switch verb {
	case "believes", "doubts":
		believes, err := c.p.Holds(&c.env, milliseconds(second))
		switch {
		case err != nil:
			return err.Error()
		case believes:
			return "believes at " + second
		}
		return "doubts at " + second
	case "release":
		c.phase, c.seen = Release, nil
		return line
	case "inside":
		c.phase, c.seen = Work, nil
		if out := c.p.Next(Work, &c.env, nil); out.Op.Kind != Hold {
			return describe(Work, out, "")
		}
		if out := c.p.Next(Work, &c.env, []Value{None}); !out.Returned {
			return describe(Work, out, "")
		}
		return line
	}
	out := c.p.Next(c.phase, &c.env, c.seen)
	if again := c.p.Next(c.phase, &c.env, c.seen); !reflect.DeepEqual(out, again) {
		return fmt.Sprintf("the same observations gave %+v, then %+v", out, again)
	}
	told := ""
	switch out.Op.Kind {
	case Clock:
		_, told, _ = strings.Cut(line, " = ")
		c.seen = append(c.seen, Int(milliseconds(told)))
	case Command:
		_, told, _ = strings.Cut(line, " -> ")
		c.seen = append(c.seen, reply(told))
	}
	if out.Returned && c.phase == Acquire {
		c.env.Lease = out.Result
	}
	return describe(c.phase, out, told)
}

func describe(phase Phase, out Outcome, told string) string {
	switch {
	case out.Err != nil:
		return out.Err.Error()
	case out.Op.Kind == Clock:
		return "clock = " + told
	case out.Op.Kind == Command:
		return redis.Label(out.Op.Command) + " -> " + told
	case out.Op.Kind == Hold:
		return "inside"
	case phase == Release:
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
