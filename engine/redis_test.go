package engine_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/redis"
	"lockstep/engine/testtools"
)

// TestRealRedisGivesTheSameReplies replays every command of every transcript
// against a real redis-server and compares the replies byte for byte.
//
// The test translates virtual time: before each command it gives every key with
// a TTL the life that the key has left in the run, and expires each key that
// has expired there. Several nodes are databases in the one server.
func TestRealRedisGivesTheSameReplies(t *testing.T) {
	server := startRedis(t)
	commands := 0
	for _, file := range transcripts(t) {
		if filepath.Base(file) == "newer-commands.lock" { // the installed Redis 7.0 lacks them; package redis compares them with scripts
			continue
		}
		server.ask(t, "FLUSHALL")
		type place struct{ node, key string }
		expires := map[place]engine.Time{}
		w := play(t, file).Run.World()
		turnTo := func(node string) { server.ask(t, "SELECT", strconv.Itoa(slices.Index(w.Nodes(), node))) }
		for _, e := range w.Events() {
			if slices.Contains(w.Nodes(), e.Lane) {
				turnTo(e.Lane)
			}
			for _, change := range e.Changes {
				delete(expires, place{e.Lane, change.Key})
				if change.New != nil && change.New.Expires > 0 {
					expires[place{e.Lane, change.Key}] = change.New.Expires
				}
			}
			switch e.Kind {
			case engine.Expire, engine.Crash:
				for _, change := range e.Changes {
					server.ask(t, "DEL", change.Key)
				}
			case engine.Failover:
				for _, change := range e.Changes {
					if server.ask(t, "DEL", change.Key); change.New != nil {
						if change.New.Type == redis.Hash {
							t.Fatal("no transcript has a hash that a replica brings back")
						}
						server.ask(t, "SET", change.Key, change.New.Value)
					}
				}
			case engine.Deliver:
				if e.Execution.Recorded { // the real server has no script either
					server.set(t, e.Changes)
					break
				}
				commands++
				if got := server.ask(t, e.Call.Command...); got != e.Execution.Reply {
					t.Errorf("%s: %s: redis-server answers %q, the run %q", filepath.Base(file), e.Call.Label(), got, e.Execution.Reply)
				}
			}
			for of, at := range expires {
				turnTo(of.node)
				server.ask(t, "PEXPIRE", of.key, strconv.FormatInt(int64(at-e.Time), 10))
			}
		}
	}
	if commands < 100 {
		t.Errorf("only %d commands were compared; the transcripts have more", commands)
	}
	t.Logf("%d commands of %d transcripts, byte-identical", commands, len(transcripts(t)))
}

// redisServer is a connection to a real redis-server.
type redisServer struct {
	conn net.Conn
	in   *bufio.Reader
}

// startRedis starts a real redis-server for the duration of the test.
func startRedis(t *testing.T) *redisServer {
	conn := testtools.StartRedis(t).Dial()
	return &redisServer{conn, bufio.NewReader(conn)}
}

// set gives keys the values that they have after some changes, without their time to live.
func (s *redisServer) set(t *testing.T, changes []engine.Change) {
	for _, change := range changes {
		s.ask(t, "DEL", change.Key)
		switch words := []string(nil); {
		case change.New == nil:
		case change.New.Type == redis.Hash:
			words, _ = redis.Split(change.New.Value)
			s.ask(t, append([]string{"HSET", change.Key}, words...)...)
		default:
			s.ask(t, "SET", change.Key, change.New.Value)
		}
	}
}

// ask sends a command as a client would and returns the bytes of its reply; of a transaction, those that EXEC gets.
func (s *redisServer) ask(t *testing.T, command ...string) redis.Reply {
	if _, err := io.WriteString(s.conn, redis.Encode(command)); err != nil {
		t.Fatal(err)
	}
	replies := 1
	if redis.Queued(command) != nil {
		replies = len(command)
	}
	var reply string
	for range replies {
		var err error
		if reply, err = readReply(s.in); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
	}
	return redis.Reply(reply)
}

// readReply reads one RESP value, raw.
func readReply(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return "", err
	}
	n, _ := strconv.Atoi(strings.TrimSpace(line[1:]))
	switch {
	case line[0] == '$' && n >= 0:
		body := make([]byte, n+2)
		_, err := io.ReadFull(in, body)
		return line + string(body), err
	case line[0] == '*':
		for range n {
			item, err := readReply(in)
			if err != nil {
				return "", fmt.Errorf("in an array: %w", err)
			}
			line += item
		}
	}
	return line, nil
}
