package redis

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
)

// Server is one Redis node. It is not safe for concurrent use.
type Server struct {
	mini *miniredis.Miniredis
	peer *server.Peer
	out  *bytes.Buffer
	now  time.Time

	named   []string // the keys that the command of a script names, while it runs
	given   []string // all that a script of a user's own has been given, while it runs
	called  int      // commands that scripts have called in the latest Do
	touched []string // see Touched
	unable  *Refusal // see Unable
	timed   bool     // see Timed
}

// closed keeps nodes for New: starting a miniredis costs as much as fifty commands.
var closed sync.Pool

// New returns an empty node whose clock reads now, in milliseconds since the Unix epoch.
func New(now int64) *Server {
	if s, ok := closed.Get().(*Server); ok {
		s.now, s.timed = time.UnixMilli(now), false
		s.mini.SetTime(s.now)
		return s
	}
	s := &Server{mini: miniredis.NewMiniRedis(), out: new(bytes.Buffer), now: time.UnixMilli(now)}
	s.mini.SetTime(s.now)
	s.mini.ClockTTL(true)
	// Dial starts a miniredis without a listener. Its pipe is not needed.
	pipe, err := s.mini.Dial()
	if err != nil {
		panic(fmt.Sprintf("redis: starting miniredis without a listener: %v", err))
	}
	pipe.Close()
	s.mini.Server().SetPreHook(s.guard)
	if err := s.mini.Server().Register("DELIFEQ", s.delIfEqual); err != nil {
		panic(fmt.Sprintf("redis: miniredis has learnt a command that is ours: %v", err))
	}
	s.peer = server.NewPeer(bufio.NewWriterSize(s.out, 64))
	return s
}

// Close gives the node back. It must not be used afterwards.
func (s *Server) Close() {
	s.Lose()
	closed.Put(s)
}

// Do executes a command that Check has passed, and returns Redis' reply, unless Unable says that it is not.
func (s *Server) Do(command ...string) Reply {
	s.called, s.touched, s.unable = 0, nil, nil
	return s.do(command)
}

func (s *Server) do(command []string) Reply {
	runs := false
	switch allowed[strings.ToUpper(command[0])].keys {
	case noKeys:
		if command[0] == evalSHA { // miniredis may know the script from another run
			return "-NOSCRIPT No matching script. Please use EVAL.\r\n"
		}
	case queuedKeys:
		return s.transact(Queued(command))
	case scriptKeys:
		runs = true
		if s.begins(command); s.unable != nil { // such a script may change more than keys
			return Reply("-ERR " + s.unable.English + "\r\n")
		}
	}
	s.out.Reset()
	s.mini.Server().Dispatch(s.peer, command)
	s.peer.Flush()
	if runs {
		return s.ran(command[1], reply(s.out.Bytes()))
	}
	return reply(s.out.Bytes())
}

// Timed reports whether a command since the last call, or one that a script executed, has used the time of day: TIME, or a key
// that expires at a moment instead of after a while.
func (s *Server) Timed() bool {
	timed := s.timed
	s.timed = false
	return timed
}

// Advance moves the node's clock forward by ms milliseconds; keys that reach their expiry vanish.
func (s *Server) Advance(ms int64) {
	s.now = s.now.Add(time.Duration(ms) * time.Millisecond)
	s.mini.SetTime(s.now)
}

// A Type is that of a key, as TYPE replies it.
type Type string

// The types. String is the zero value. A Server keeps strings and hashes.
const (
	String Type = ""
	Hash   Type = "hash"
	List   Type = "list"
	Set    Type = "set"
	ZSet   Type = "zset"
)

// A Content is what a key holds.
type Content struct {
	Value   string // of another type than String: its words, as Quote writes them (see Sorted)
	Type    Type
	Expires int64 // milliseconds since the epoch, at most MaxExpires; 0: never
}

// Get reads a key past the door, for drawing.
func (s *Server) Get(key string) (c Content, ok bool) {
	db := s.mini.DB(0)
	if fields, err := db.HKeys(key); err == nil {
		words := make([]string, 0, 2*len(fields))
		for _, field := range fields { // miniredis sorts them
			words = append(words, field, db.HGet(key, field))
		}
		c.Value, c.Type = Quote(words), Hash
	} else if c.Value, err = db.Get(key); err != nil {
		return Content{}, false
	}
	if ttl := db.TTL(key); ttl > 0 {
		c.Expires = s.now.Add(ttl).UnixMilli()
	}
	return c, true
}

// Has reports whether a key is there, past the door.
func (s *Server) Has(key string) bool { return s.mini.Exists(key) }

// Put writes a key that is not there, past the door, to copy a node.
func (s *Server) Put(key string, c Content) {
	db := s.mini.DB(0)
	if c.Type == Hash {
		words, _ := Split(c.Value)
		db.HSet(key, words...)
	} else if err := db.Set(key, c.Value); err != nil {
		panic(fmt.Sprintf("redis: copying %q: %v", key, err)) // only a key of another type fails
	}
	if c.Expires > 0 {
		db.SetTTL(key, time.UnixMilli(c.Expires).Sub(s.now))
	}
}

// Lose forgets every key, as a restart without persistence does.
func (s *Server) Lose() { s.mini.FlushAll() }
