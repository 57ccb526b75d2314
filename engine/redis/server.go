package redis

import (
	"bufio"
	"bytes"
	"fmt"
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
}

// closed keeps nodes for New: starting a miniredis costs as much as fifty commands.
var closed sync.Pool

// New returns an empty node whose clock reads now, in milliseconds since the Unix epoch.
func New(now int64) *Server {
	if s, ok := closed.Get().(*Server); ok {
		s.now = time.UnixMilli(now)
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

// Do executes a command that Check has passed, and returns Redis' reply.
func (s *Server) Do(command ...string) Reply {
	s.out.Reset()
	s.mini.Server().Dispatch(s.peer, command)
	s.peer.Flush()
	return reply(s.out.Bytes())
}

// Advance moves the node's clock forward by ms milliseconds; keys that reach their expiry vanish.
func (s *Server) Advance(ms int64) {
	s.now = s.now.Add(time.Duration(ms) * time.Millisecond)
	s.mini.SetTime(s.now)
}

// Get reads a string key past the door, for drawing. expires is in
// milliseconds since the epoch and at most MaxExpires, 0 when the key has no TTL.
func (s *Server) Get(key string) (value string, expires int64, ok bool) {
	db := s.mini.DB(0)
	value, err := db.Get(key)
	if err != nil {
		return "", 0, false
	}
	if ttl := db.TTL(key); ttl > 0 {
		expires = s.now.Add(ttl).UnixMilli()
	}
	return value, expires, true
}

// Has reports whether a key is there, past the door.
func (s *Server) Has(key string) bool { return s.mini.Exists(key) }

// Put writes a string key past the door, to copy a node.
func (s *Server) Put(key, value string, expires int64) {
	db := s.mini.DB(0)
	if err := db.Set(key, value); err != nil {
		panic(fmt.Sprintf("redis: copying %q: %v", key, err)) // only a key of another type fails, and Check keeps those out
	}
	if expires > 0 {
		db.SetTTL(key, time.UnixMilli(expires).Sub(s.now))
	}
}

// Lose forgets every key, as a restart without persistence does.
func (s *Server) Lose() { s.mini.FlushAll() }
