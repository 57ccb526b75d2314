package export

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// GoTest is a test that compares a real Redis with a run.
var GoTest = Format{
	Name: "gotest", Extension: "go", MediaType: "text/x-go; charset=utf-8",
	Title:   lang.Both("Go test, .go", "Go 测试 .go"),
	Purpose: lang.Both("A Go test that sends the same commands to a real Redis and checks every reply.", "一个 Go 测试：把同样的命令发给真实的 Redis，并检查每一条回复。"),
	Write:   buffered(writeGoTest),
}

// The test is printed as gofmt would leave it: gofmt does not align the columns of the table.
const goTestBefore = `package lockstep

import (
	"context"
	"errors"
	"os"
	"reflect"
	"testing"

	"github.com/redis/go-redis/v9"
)

type (
	args     []any
	failed   string   // an error reply
	whatever struct{} // a reply that depends on the real clock, or on what was there before

	// A key's life before the command, in ms; 0: it has none, and the command gives it one.
	lives map[string]int64
)

// TestRun sends the commands of a Lockstep run to the Redis at REDIS_ADDR, in the
// order in which they were executed, and compares every reply. It deletes the keys
// that it uses. A command without a client stands for a key that expires, or for
// data that a crash loses.
//
// A real Redis does not wait for virtual time. So a key has a life only while a
// command runs that can see it, or that sets it: the three go to Redis as one
// transaction. Between commands no key can expire, however long the test takes.
func TestRun(t *testing.T) {
	address := os.Getenv("REDIS_ADDR")
	if address == "" {
		t.Skip("REDIS_ADDR is not set: host:port of a Redis to try this on")
	}
	ctx := context.Background()
	client := redis.NewClient(&redis.Options{Addr: address, Protocol: 2})
	defer client.Close()
	conn := client.Conn()
	defer conn.Close()
	for _, step := range []struct {
		client  string
		command args
		reply   any
		lives   lives
	}{
`

const goTestAfter = `	} {
		var sent *redis.Cmd
		if len(step.lives) == 0 {
			sent = conn.Do(ctx, step.command...)
		} else if _, err := conn.TxPipelined(ctx, func(tx redis.Pipeliner) error {
			for key, ms := range step.lives {
				if ms > 0 {
					tx.Do(ctx, "PEXPIRE", key, ms)
				}
			}
			sent = tx.Do(ctx, step.command...)
			for key := range step.lives {
				tx.Do(ctx, "PERSIST", key)
			}
			return nil
		}); err != nil && sent.Err() == nil {
			t.Fatal(err)
		}
		reply, err := sent.Result()
		var refused redis.Error
		switch {
		case errors.Is(err, redis.Nil):
			reply = nil
		case errors.As(err, &refused):
			reply = failed(refused.Error())
		case err != nil:
			t.Fatal(err)
		}
		if step.reply != any(whatever{}) && !reflect.DeepEqual(reply, step.reply) {
			t.Errorf("%s %v: %#v, not %#v", step.client, step.command, reply, step.reply)
		}
	}
}
`

func writeGoTest(out *bufio.Writer, t *engine.Trace) {
	out.WriteString(goTestBefore)
	nodes := t.Run.World().Nodes()
	for i, node := range nodes {
		if len(nodes) > 1 {
			goRow(out, step{command: []string{"SELECT", strconv.Itoa(i)}, loose: true})
		}
		if keys := keysOf(t, node); len(keys) > 0 {
			goRow(out, step{command: append([]string{"DEL"}, keys...), loose: true})
		}
	}
	for _, s := range steps(t, true) {
		if s.comment != "" {
			fmt.Fprintf(out, "\t\t// %s\n", goComment(s.comment))
		} else {
			goRow(out, s)
		}
	}
	out.WriteString(goTestAfter)
}

func goRow(out *bufio.Writer, s step) {
	quoted := make([]string, len(s.command))
	for i, word := range s.command {
		quoted[i] = strconv.Quote(word)
	}
	reply := "whatever{}"
	if !s.loose {
		reply, _ = goValue(string(s.reply))
	}
	fmt.Fprintf(out, "\t\t{%q, args{%s}, %s, %s},\n", s.client, strings.Join(quoted, ", "), reply, goLives(s.lives))
}

func goLives(lives map[string]engine.Time) string {
	if len(lives) == 0 {
		return "nil"
	}
	items := make([]string, 0, len(lives))
	for _, key := range slices.Sorted(maps.Keys(lives)) {
		items = append(items, strconv.Quote(key)+": "+strconv.FormatInt(int64(lives[key]), 10))
	}
	return "lives{" + strings.Join(items, ", ") + "}"
}

// goValue returns the first value of raw as go-redis returns it, and the rest of raw.
func goValue(raw string) (value, rest string) {
	line, rest, _ := strings.Cut(raw[1:], "\r\n")
	n, err := strconv.Atoi(line)
	switch {
	case raw[0] == '-':
		return "failed(" + strconv.Quote(line) + ")", rest
	case raw[0] == '+':
		return strconv.Quote(line), rest
	case raw[0] == ':':
		return "int64(" + line + ")", rest
	case err != nil || n < 0:
		return "nil", rest
	case raw[0] == '$':
		return strconv.Quote(rest[:n]), rest[n+2:]
	}
	items := make([]string, n)
	for i := range items {
		items[i], rest = goValue(rest)
	}
	return "[]any{" + strings.Join(items, ", ") + "}", rest
}

// goComment returns a text that a Go comment may hold: Go forbids a byte order mark within a file, and gofmt strips
// spaces at the end of a line.
func goComment(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text))
}

// keysOf returns the keys that the commands to a node name, in order.
func keysOf(t *engine.Trace, node string) []string {
	var keys []string
	for _, e := range t.Run.World().Events() {
		if e.Kind == engine.Deliver && e.Lane == node {
			keys = append(keys, redis.Keys(e.Call.Command)...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
