package export

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/redis"
	"lockstep/engine/testtools"
)

// Every run gets the same replies from a real redis-cli in front of an empty, real redis-server, with keys that expire
// and data that a crash loses. Only replies that depend on the real clock are not compared.
func TestRealRedisCLIAnswersAsInTheRun(t *testing.T) {
	cli := testtools.Find(t, "redis-cli")
	host, port := testtools.RedisAt(t)
	pipe := func(text string) string {
		command := exec.Command(cli, "--no-raw", "-h", host, "-p", port)
		command.Stdin = strings.NewReader(text)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("redis-cli: %v\n%s", err, out)
		}
		return string(out)
	}
	compared := 0
	for name, trace := range transcripts(t) {
		pipe("FLUSHALL\n")
		text := written(t, "redis-cli", trace)
		all := steps(trace, false)
		if lines := strings.Count(text, "\n"); lines != len(all) {
			t.Fatalf("%s: %d lines for %d steps", name, lines, len(all))
		}
		rest, of := pipe(text), runReplies(trace)
		for i, s := range all {
			want := shown(s.reply)
			switch {
			case s.comment != "":
				want = shown(redis.Reply(redis.Encode([]string{"# " + s.comment})[len("*1\r\n"):]))
			case s.client != "":
				if s.reply != of[0] {
					t.Fatalf("%s: step %d has the reply %q, the run %q", name, i, s.reply, of[0])
				}
				of = of[1:]
			}
			if s.loose { // one line, or the two of TIME
				line, after, _ := strings.Cut(rest, "\n")
				if rest = after; strings.HasPrefix(line, "1) ") {
					_, rest, _ = strings.Cut(rest, "\n")
				}
				if s.reply == queued && strings.Contains(line, "(error)") {
					rest = strings.TrimPrefix(rest, "\n")
				} else if strings.Contains(line, "(error)") {
					t.Errorf("%s: %s: %s", name, redis.Quote(s.command), line)
				}
				continue
			}
			compared++
			after, ok := strings.CutPrefix(rest, want+"\n")
			if !ok {
				t.Fatalf("%s: %s%s: redis-cli says %.200q, not %q", name, s.comment, redis.Quote(s.command), rest, want)
			}
			rest = strings.TrimPrefix(after, "\n") // a line is empty after an error
		}
		if rest != "" || len(of) > 0 {
			t.Errorf("%s: %q and %d replies are left", name, rest, len(of))
		}
	}
	t.Logf("%d replies compared", compared)
}

const queued redis.Reply = "+QUEUED\r\n"

// runReplies returns the replies of a run in the order of execution, with those that a client gets before EXEC.
func runReplies(trace *engine.Trace) []redis.Reply {
	var replies []redis.Reply
	for _, e := range trace.Run.World().Events() {
		if e.Kind == engine.Deliver && !e.Execution.Recorded {
			if commands := redis.Queued(e.Call.Command); commands != nil {
				replies = append(append(replies, "+OK\r\n"), slices.Repeat([]redis.Reply{queued}, len(commands))...)
			}
			replies = append(replies, e.Execution.Reply)
		}
	}
	return replies
}

// shown returns a reply as redis-cli shows it: escaped byte by byte outside ASCII, with the items of an array numbered, one
// a line.
func shown(reply redis.Reply) string {
	text, _ := show(string(reply))
	return text
}

func show(raw string) (text, rest string) {
	if raw == "" {
		return "", ""
	}
	line, rest, _ := strings.Cut(raw[1:], "\r\n")
	n, _ := strconv.Atoi(line)
	switch {
	case raw[0] == '+':
		return line, rest
	case raw[0] == '-':
		return "(error) " + line, rest
	case raw[0] == ':':
		return "(integer) " + line, rest
	case n < 0:
		return "(nil)", rest
	case raw[0] == '$':
		var b strings.Builder
		for _, c := range []byte(rest[:n]) {
			switch {
			case c == '"' || c == '\\':
				b.WriteString(`\` + string(rune(c)))
			case strings.IndexByte("\n\r\t\a\b", c) >= 0:
				quoted := strconv.Quote(string(rune(c)))
				b.WriteString(quoted[1 : len(quoted)-1])
			case c < ' ' || c > '~':
				fmt.Fprintf(&b, `\x%02x`, c)
			default:
				b.WriteByte(c)
			}
		}
		return `"` + b.String() + `"`, rest[n+2:]
	}
	items := make([]string, n)
	for i := range items {
		items[i], rest = show(rest)
		items[i] = fmt.Sprintf("%d) %s", i+1, items[i])
	}
	return strings.Join(items, "\n"), rest
}
