package redis

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Lock libraries send the SHA-1 of their scripts. These are what the libraries compute: redis-py 4.3.4, redsync 4.18.1 and
// node-redlock 5.0.0-beta.2. No text has two names.
func TestScriptsAreThoseOfTheLibraries(t *testing.T) {
	want := map[string]string{
		"redis-py-release":          "c3f8721cbb97f72bc19e972846bd7aaf91901658",
		"redis-py-extend":           "a4e8783852e6b949f9ef3a97212805108459a890",
		"redis-py-reacquire":        "1cac51482acf5858da00f6d685d68f886cd6b6b2",
		"redsync-release":           "e950836ed1e694540c503ef9972b8de518044d3b",
		"redsync-extend":            "d75bb8b5bd13532ddedd17762e772346e39b321e",
		"redsync-extend-or-acquire": "b6b55c439e02c6f52ffb8be7ec8c0d0ac816ea79",
		"node-redlock-acquire":      "96da70f7716f27d278a5218544df37fd8b0a5e4c",
		"node-redlock-extend":       "aed6f382e410db8ba7926d4e5e9aab410bf2a78a",
		"node-redlock-release":      "e4612211c9f8f51c257e26e056b0a654b3187242",
	}
	texts, libraries := map[string]bool{}, 0
	for _, s := range scripts {
		sum := sha1.Sum([]byte(s.lua))
		if sha := hex.EncodeToString(sum[:]); s.library != "" {
			libraries++
			if sha != want[s.name] {
				t.Errorf("%s has SHA-1 %s, and the library sends %s", s.name, sha, want[s.name])
			}
		}
		if texts[s.lua] {
			t.Errorf("%s stands there twice", s.name)
		}
		texts[s.lua] = true
	}
	if libraries != len(want) {
		t.Errorf("%d scripts of libraries, not %d", libraries, len(want))
	}
	if got := strings.Join(ScriptNames(), " "); got != "compare-and-delete compare-and-expire compare-and-set set-and-fence" {
		t.Errorf("lock programs may run %s", got)
	}
}

// The same script runs by its name, its SHA-1 and its text.
func TestAScriptHasThreeNames(t *testing.T) {
	for _, s := range scripts {
		rest := append([]string{fmt.Sprint(s.keys)}, slices.Repeat([]string{"7"}, s.keys+s.args)...)
		var checked [][]string
		for _, first := range [][]string{{"EVAL", s.name}, {"EVAL", s.lua}, {"EVALSHA", shaOf(s.lua)}, {"evalsha", strings.ToUpper(shaOf(s.lua))}} {
			command, refusal := Check(append(first, rest...))
			if refusal != nil {
				t.Fatalf("%s: %v", s.name, refusal)
			}
			checked = append(checked, command)
		}
		for _, command := range checked {
			if !slices.Equal(command, checked[0]) {
				t.Errorf("%q, not %q", command, checked[0])
			}
		}
		if got, want := Label(checked[0]), "EVAL "+s.name; !strings.HasPrefix(got, want+" ") {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

// Scripts of libraries, hashes, transactions and bytes that are not text get from the node what they get from a real
// server.
var spoken = strings.Split(strings.TrimSpace(`
SET k t PX 5000
EVAL redis-py-release 1 k other
EVAL redis-py-reacquire 1 k t 9000
EVAL redis-py-extend 1 k t 9000 1
EVAL redis-py-extend 1 k t 9000 0
EVAL redis-py-extend 1 k other 9000 0
EVAL redis-py-release 1 k t
EVAL redis-py-release 1 k t
EVAL redis-py-extend 1 k t 9000 0
SET k t
EVAL redis-py-extend 1 k t 9000 0
DEL k
SET k t ex 10 nx
EVAL redsync-release 1 k other
EVAL redsync-extend 1 k t 9000
EVAL redsync-extend 1 k other 9000
EVAL redsync-release 1 k t
EVAL redsync-release 1 k t
EVAL redsync-extend-or-acquire 1 k t 9000
EVAL redsync-extend-or-acquire 1 k t 9000
EVAL redsync-extend-or-acquire 1 k other 9000
DEL k
EVAL node-redlock-acquire 2 a b t 9000
EVAL node-redlock-acquire 1 a other 9000
EVAL node-redlock-extend 2 a b t 9000
EVAL node-redlock-extend 2 a c t 9000
EVAL node-redlock-release 2 a c t
EVAL node-redlock-release 2 a b t
MGET a b
SET "\xff\x00" "\x80\xfe" NX
GET "\xff\x00"
EVAL compare-and-delete 1 "\xff\x00" "\x80"
EVAL compare-and-delete 1 "\xff\x00" "\x80\xfe"
ECHO "\xc3\x28"
HSET h owner 1
HSET h owner 1
HSET h owner 2 "\xff" 3
HSET h owner
HSET h owner 1 other
HSETNX h owner 5
HSETNX h third 5
HGET h owner
HGET h nobody
HGET nokey owner
HEXISTS h "\xff"
HEXISTS h nobody
HLEN h
HINCRBY h owner 3
HINCRBY h owner x
HINCRBY h fresh -1
TYPE h
GET h
INCR h
SETNX h v
SET h v NX
SET h v GET
GETSET h v
GETDEL h
STRLEN h
PTTL h
PEXPIRE h 5000
HINCRBY h owner 1
EXISTS h
HDEL h owner nobody third
HDEL h fresh
HDEL h "\xff"
EXISTS h
HSET h f v
SET h v
HGET h f
HSET h f v
HGETALL nokey
HSET h2 f v
HGETALL h2
MSET h2 v
EVAL compare-and-delete 1 h2 v
DEL h2
PUBLISH lockstep enter
PUBLISH lockstep
MULTI EXEC
MULTI "SET m v NX PX 1000" "GET m" "SETNX m w" EXEC
multi "get m" exec
MULTI "SET m v BAD" "SET m w" EXEC
MULTI "GET" "SET m lost" EXEC
MULTI "PING a b" "SET m late" EXEC
MULTI "HSET m f v" "INCR m" "SET n 4" "INCR n" "DEL m" "SET m again" EXEC
MULTI "HSET h3 f v g" "EXISTS h3" EXEC
MULTI "PEXPIRE m x" "SET m v EX 0" "SET m v PX 1 EX 2" EXEC
MULTI "EVAL compare-and-delete 1 m again" "GET m" "PUBLISH c \"\\xff\"" EXEC
MULTI "SET \"\\xff\" \"two words\"" "GET \"\\xff\"" EXEC
MULTI "SET m v XX IFFY" EXEC
`), "\n")

func TestADoorAnswersAsRealRedis(t *testing.T) {
	server := startServer(t)
	s := New(1_000_000)
	defer s.Close()
	for _, line := range spoken {
		words, refusal := Split(line)
		if refusal != nil {
			t.Fatalf("%s: %v", line, refusal)
		}
		command, refusal := Check(words)
		if refusal != nil {
			t.Fatalf("%s: %v", line, refusal)
		}
		got := s.Do(command...)
		if want := server.tell(t, command); got != want && !strings.Contains(line, "PTTL") {
			t.Errorf("%s: %q, and the server %q", line, got, want)
		}
		if items := got.Items(); strings.HasPrefix(string(got), "*") {
			var joined string
			for _, item := range items {
				joined += string(item)
			}
			if fmt.Sprintf("*%d\r\n%s", len(items), joined) != string(got) {
				t.Errorf("%s: items %q", line, items)
			}
		}
	}
}

// tell sends a command as a client does, and returns the last reply: that of EXEC after a transaction.
func (s *realServer) tell(t *testing.T, command []string) (last Reply) {
	if _, err := io.WriteString(s.conn, Encode(command)); err != nil {
		t.Fatal(err)
	}
	replies := 1
	if strings.EqualFold(command[0], "MULTI") {
		replies = len(command)
	}
	for range replies {
		raw, err := s.raw()
		if err != nil {
			t.Fatal(err)
		}
		last = Reply(raw)
	}
	return last
}

// raw reads one reply, byte for byte.
func (s *realServer) raw() (string, error) {
	line, err := s.in.ReadString('\n')
	if err != nil {
		return "", err
	}
	n, _ := strconv.Atoi(strings.TrimSpace(line[1:]))
	switch {
	case line[0] == '$' && n >= 0:
		body := make([]byte, n+2)
		_, err := io.ReadFull(s.in, body)
		return line + string(body), err
	case line[0] == '*':
		for range n {
			item, err := s.raw()
			if err != nil {
				return "", err
			}
			line += item
		}
	}
	return line, nil
}
