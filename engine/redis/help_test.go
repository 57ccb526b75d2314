package redis

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/engine/testtools"
)

// Every command of the allow-list has help in both languages.
func TestEveryCommandHasHelp(t *testing.T) {
	chinese := regexp.MustCompile(`\p{Han}`)
	for _, name := range Commands() {
		h, ok := HelpOf(name)
		if !ok {
			t.Errorf("%s has no help", name)
			continue
		}
		texts := []lang.Text{h.Summary}
		for _, reply := range h.Replies {
			texts = append(texts, reply.Text)
		}
		if h.Complexity != "O(1)" {
			texts = append(texts, h.Of)
		}
		for _, text := range texts {
			if text.English == "" || chinese.MatchString(text.English) {
				t.Errorf("%s: a text has no English: %+v", name, text)
			} else if !chinese.MatchString(text.Chinese) {
				testtools.Untranslated(t, "%s: a text has no Chinese: %+v", name, text)
			}
		}
		if len(h.Replies) == 0 || !strings.HasPrefix(h.Syntax+" ", name+" ") {
			t.Errorf("%s: no replies, or a syntax that is not its own: %q", name, h.Syntax)
		}
		if (h.Deprecated == "") != (h.Instead == "") {
			t.Errorf("%s: deprecated %q, instead %q", name, h.Deprecated, h.Instead)
		}
	}
	if got, want := len(helps), len(Commands()); got != want {
		t.Errorf("there is help for %d commands; %d can be typed", got, want)
	}
}

// Redis gives every reply that the help explains, and no other. The test plays the commands in order on one node.
func TestRepliesAreThoseThatRedisGives(t *testing.T) {
	s := New(1_000_000)
	defer s.Close()
	given := map[string]map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(`
SETNX mykey Hello
SETNX mykey World
GET mykey
GET nokey
GETSET mykey 1
GETSET other 2
SET mykey 3
SET mykey 4 NX
SET mykey 4 GET
EVAL compare-and-delete 1 mykey 5
EVAL compare-and-delete 1 mykey 4
INCRBY fence 6
EVAL set-and-fence 2 mykey fence C1-1 9000
EVAL set-and-fence 2 mykey fence C2-1 9000
DEL fence
SET other 6 IFEQ 5
SET other 6 IFEQ 2
DELEX other IFEQ 5
DELEX other IFEQ 6
SET other 7 IFNE 6
DELIFEQ other 6
DELIFEQ other 7
SET mykey 1
TTL mykey
PTTL mykey
PERSIST mykey
EXPIRE mykey 9
EXPIRE nokey 9
PEXPIRE mykey 9000
PEXPIRE nokey 9000
EXPIREAT mykey 2000
EXPIREAT nokey 2000
PEXPIREAT mykey 2000000
PEXPIREAT nokey 2000000
TTL mykey
PTTL mykey
TTL nokey
PTTL nokey
PERSIST mykey
GETEX mykey EX 5
GETEX nokey
SETEX k 5 v
PSETEX k 5000 v
GETDEL k
GETDEL k
STRLEN mykey
TYPE mykey
TYPE nokey
INCR n
DECR n
INCRBY n 4
DECRBY n 4
EXISTS n nokey
MSET a 1 b 2
MSETNX a 1 c 3
MSETNX c 3 d 4
MGET a nokey
HSET lock C1-1 1
TYPE lock
HSETNX lock C1-1 1
HSETNX lock C2-1 1
HGET lock C1-1
HGET lock C3-1
HGETALL lock
HEXISTS lock C1-1
HEXISTS lock C3-1
HLEN lock
HINCRBY lock C1-1 1
HDEL lock C1-1
MULTI "SET k v" "GET k" EXEC
PUBLISH channel message
DEL a nokey
UNLINK b
TIME
PING
PING hi
ECHO hi`), "\n") {
		command := strings.Fields(line)[0]
		got := kind(ask(t, s, line), command)
		h, _ := HelpOf(command)
		if !slices.ContainsFunc(h.Replies, func(m Meaning) bool { return m.Reply == got }) {
			t.Errorf("%s: Redis gives %s, which the help does not explain", line, got)
		}
		if given[command] == nil {
			given[command] = map[string]bool{}
		}
		given[command][got] = true
	}
	for _, h := range helps {
		for _, m := range h.Replies {
			if !given[h.Command][m.Reply] {
				t.Errorf("the help explains %s after %s, and no example gives it", m.Reply, h.Command)
			}
		}
	}
}

// kind returns a reply as the help names it: the reply itself where the help lists it, and otherwise its type.
func kind(reply, command string) string {
	h, _ := HelpOf(command)
	switch {
	case slices.ContainsFunc(h.Replies, func(m Meaning) bool { return m.Reply == reply }):
		return reply
	case strings.HasPrefix(reply, `"`):
		return aString
	case strings.HasPrefix(reply, "(integer) "):
		return anInteger
	case strings.HasPrefix(reply, "["):
		return `1) "…"`
	}
	return reply
}

// newer names what the installed server cannot confirm, and why.
var newer = map[string]string{
	"DELEX":   "came with Redis 8.4",
	"DELIFEQ": "came with Valkey 9.0, and Redis does not have it",
}

// newerSyntax is the part of a command's syntax that came with Redis 8.4. The installed server cannot confirm it.
var newerSyntax = map[string]string{"SET": " | IFEQ ifeq-value | IFNE ifne-value"}

// deprecatedLater are commands that the documentation calls deprecated as of a much older version, but only since
// Redis 7.2.
var deprecatedLater = []string{"SETNX", "SETEX", "PSETEX"}

// "A one-line help for each command (syntax, since, complexity, ACL categories, reply)":
// a real server confirms the facts.
func TestHelpAgreesWithRealRedis(t *testing.T) {
	server := startServer(t)
	compared := 0
	for _, h := range helps {
		info := server.ask(t, "COMMAND", "INFO", h.Command)[0]
		if info == nil {
			if newer[h.Command] == "" {
				t.Errorf("redis-server does not know %s", h.Command)
			}
			continue
		}
		compared++
		categories := words(info.([]any)[6])
		if want := slices.Sorted(slices.Values(h.Categories)); !slices.Equal(slices.Sorted(slices.Values(categories)), want) {
			t.Errorf("%s: categories %v, the help says %v", h.Command, categories, want)
		}
		docs := table(server.ask(t, "COMMAND", "DOCS", h.Command)[1])
		if docs["since"] != h.Since {
			t.Errorf("%s: since %s, the help says %s", h.Command, docs["since"], h.Since)
		}
		if order := regexp.MustCompile(`^O\([^)]*\)`).FindString(docs["complexity"].(string)); order != h.Complexity {
			t.Errorf("%s: complexity %q, the help says %q", h.Command, docs["complexity"], h.Complexity)
		}
		syntax := h.Command
		if arguments, ok := docs["arguments"].([]any); ok {
			syntax += " " + syntaxOf(arguments, " ")
		}
		if syntax != h.Syntax && syntax != strings.Replace(h.Syntax, newerSyntax[h.Command], "", 1) {
			t.Errorf("%s: syntax %q, the help says %q", h.Command, syntax, h.Syntax)
		}
		if arity := info.([]any)[1]; arity != strconv.Itoa(h.arity()) {
			t.Errorf("%s: arity %v, the syntax of the help has %d", h.Command, arity, h.arity())
		}
		deprecated, _ := docs["deprecated_since"].(string)
		if deprecated != h.Deprecated && !(deprecated == "" && slices.Contains(deprecatedLater, h.Command)) {
			t.Errorf("%s: deprecated since %q, the help says %q", h.Command, deprecated, h.Deprecated)
		}
	}
	if want := len(helps) - len(newer); compared < want {
		t.Errorf("only %d of %d commands were compared", compared, want)
	}
}

// syntaxOf writes arguments as the documentation does: [NX | XX], [key ...].
func syntaxOf(arguments []any, separator string) string {
	var parts []string
	for _, a := range arguments {
		argument := table(a)
		inner, _ := argument["arguments"].([]any)
		text, _ := argument["name"].(string)
		switch token, _ := argument["token"].(string); {
		case argument["type"] == "oneof":
			text = syntaxOf(inner, " | ")
		case argument["type"] == "block":
			text = syntaxOf(inner, " ")
		case argument["type"] == "pure-token":
			text = token
		case token != "":
			text = token + " " + text
		}
		flags := words(argument["flags"])
		if slices.Contains(flags, "multiple") {
			text += " [" + text + " ...]"
		}
		if slices.Contains(flags, "optional") {
			text = "[" + text + "]"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, separator)
}

func table(value any) map[string]any {
	list := value.([]any)
	t := map[string]any{}
	for i := 0; i+1 < len(list); i += 2 {
		t[list[i].(string)] = list[i+1]
	}
	return t
}

func words(value any) []string {
	list, _ := value.([]any)
	var all []string
	for _, v := range list {
		all = append(all, v.(string))
	}
	return all
}

// A realServer is a connection to Debian's redis-server.
type realServer struct {
	conn net.Conn
	in   *bufio.Reader
}

func startServer(t *testing.T) *realServer {
	conn := testtools.StartRedis(t).Dial()
	return &realServer{conn, bufio.NewReader(conn)}
}

// ask returns the array with which the server answers.
func (s *realServer) ask(t *testing.T, command ...string) []any {
	if _, err := io.WriteString(s.conn, Encode(command)); err != nil {
		t.Fatal(err)
	}
	value, err := s.read()
	list, ok := value.([]any)
	if err != nil || !ok {
		t.Fatalf("%s: %v, %v", command, value, err)
	}
	return list
}

// read reads one RESP value: a string, a list, or nil.
func (s *realServer) read() (any, error) {
	line, err := s.in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	text := strings.TrimSuffix(line[1:], "\r\n")
	n, _ := strconv.Atoi(text)
	switch {
	case line[0] == '-':
		return nil, fmt.Errorf("redis-server: %s", text)
	case strings.ContainsRune("$*", rune(line[0])) && n < 0:
		return nil, nil
	case line[0] == '$':
		body := make([]byte, n+2)
		_, err := io.ReadFull(s.in, body)
		return string(body[:n]), err
	case line[0] == '*':
		list := make([]any, n)
		for i := range list {
			if list[i], err = s.read(); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return text, nil
}
