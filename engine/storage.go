package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// Storage is the lane of the protected resource, which the lock guards.
const Storage = "storage"

// toStorage is the node number of a message to the storage.
const toStorage = -1

// storage is the protected resource: a number that clients read and write. It
// knows nothing about locks: it accepts a request unless the request's fencing
// token is below one that it has accepted. It does not fail.
type storage struct {
	number   int64
	fence    *int64    // the highest fencing token it has accepted; nil: none
	sessions []session // of those who have read it or have a transaction open, in the order of their names
	last     []last    // for those who judge; no real storage could know it: one for each lock
}

// A session is what the storage has of a client: its open transaction, and for
// those who judge, what the client knows of the number.
type session struct {
	client string
	read   bool   // it has read the number
	by     string // whose write took effect since; empty: nobody's but its own life's
	staged *int64 // what its transaction writes at the commit; nil: it has none
}

// last tells who has written under the youngest grant of a lock.
type last struct {
	node       int
	key        string
	generation int
	client     string
}

func (s storage) fork() storage {
	s.last = append([]last(nil), s.last...)
	s.sessions = slices.Clone(s.sessions)
	return s
}

// A Staged is what a client's open transaction writes at its commit.
type Staged struct {
	Client string
	Number int64
}

// Overtaken is the grant of a client whose write was accepted after one by a
// client that had taken the lock over from it.
type Overtaken struct {
	Grant *Grant
	By    string
}

// UsesStorage reports whether a client in the run may use the protected
// resource. UsesNumber reports whether one may read or write its number.
func (w *World) UsesStorage() bool { return w.uses((*program.Program).UsesStorage) }
func (w *World) UsesNumber() bool  { return w.uses((*program.Program).UsesNumber) }

// uses reports whether that is true of the program of a client that has come or may yet come.
func (w *World) uses(what func(*program.Program) bool) bool {
	if p, ok := w.header.program(w.header.Program); ok && what(p) {
		return true
	}
	return slices.ContainsFunc(w.clients, func(c *Client) bool { return c.Program != nil && what(c.Program) })
}

// Fence returns the highest fencing token that the storage has accepted, if
// any.
func (w *World) Fence() (fence int64, ok bool) {
	if w.storage.fence == nil {
		return 0, false
	}
	return *w.storage.fence, true
}

// Number returns the number that the storage holds, and what the open
// transactions write at their commits.
func (w *World) Number() (number int64, staged []Staged) {
	for _, s := range w.storage.sessions {
		if s.staged != nil {
			staged = append(staged, Staged{s.client, *s.staged})
		}
	}
	return w.storage.number, staged
}

// sendToStorage puts a client's request to the storage in flight.
func (w *World) sendToStorage(c *Client, op program.Op) {
	c.idle = 0
	w.calls++
	c.flight = &message{
		call: &Call{ID: w.calls, Client: c.Name, Node: Storage, Command: op.Command},
		node: toStorage, try: op.Try,
	}
	if kind := RequestOf(op.Command).Kind; kind == Write || kind == Commit {
		c.flight.grant = c.Grant
	}
	w.emit(Event{Lane: c.Name, Kind: Send, Call: c.flight.call})
}

// A Request is what a command to the storage asks for.
type Request struct {
	Kind   Kind   // of the event that it is when it is accepted: Read, Write, Stage or Commit
	Number *int64 // to write; nil: none
	Fence  *int64 // its fencing token; nil: none
}

// RequestOf reads a command to the storage. A write that names no value has the token alone.
func RequestOf(command []string) Request {
	r := Request{Kind: Write, Number: argument(command, "value"), Fence: argument(command, "fence")}
	if len(command) == 2 && !strings.Contains(command[1], "=") {
		n, _ := strconv.ParseInt(command[1], 10, 64)
		r.Fence = &n
	}
	switch {
	case command[0] == "read":
		r.Kind = Read
	case command[0] == "commit":
		r.Kind = Commit
	case command[len(command)-1] == program.Uncommitted:
		r.Kind = Stage
	}
	return r
}

// arrive lets a request arrive at the storage, and sends the answer.
func (w *World) arrive(m *message) {
	request := RequestOf(m.call.Command)
	e := Event{Lane: Storage, Kind: request.Kind, Call: m.call}
	reply := redis.Integer(1)
	switch {
	case !w.storage.accepts(request.Fence):
		e.Kind, reply = Reject, redis.Integer(0)
		if request.Kind == Read {
			reply = redis.Nil
		}
	case e.Kind == Read:
		e.Number = new(w.storage.seen(m, w.alone(m)))
		reply = redis.Integer(*e.Number)
	case e.Kind == Stage:
		e.Number = request.Number
		w.storage.stage(m, request.Number, w.alone(m))
	case e.Kind == Commit:
		if e.Number = w.storage.staged(m); e.Number == nil {
			reply = redis.Integer(0)
			break
		}
		w.storage.takeEffect(&e, m)
	default:
		e.Number = request.Number
		w.storage.takeEffect(&e, m)
	}
	e.Fence = w.storage.fence
	e.Execution = &Execution{Reply: reply}
	m.execution = e.Execution
	w.emit(e)
	w.emit(Event{Lane: Storage, Kind: Reply, Call: m.call, Execution: m.execution})
}

// alone reports whether the life that sent a message is over: nobody waits for
// the answer.
func (w *World) alone(m *message) bool {
	c := w.Client(m.call.Client)
	return c == nil || c.flight != m
}

// argument returns the number of a request's word name=number, or nil.
func argument(command []string, name string) *int64 {
	for _, word := range command[1:] {
		if text, ok := strings.CutPrefix(word, name+"="); ok {
			n, _ := strconv.ParseInt(text, 10, 64) // a program sends numbers only
			return &n
		}
	}
	return nil
}

// accepts reports whether the storage accepts a fencing token, and remembers
// it. It always accepts a request without one.
func (s *storage) accepts(fence *int64) bool {
	if fence == nil {
		return true
	}
	if s.fence != nil && *fence < *s.fence {
		return false
	}
	s.fence = fence
	return true
}

// find returns the place of a client's session, and whether it has one.
func (s *storage) find(client string) (int, bool) {
	return slices.BinarySearchFunc(s.sessions, client, func(s session, client string) int { return cmp.Compare(s.client, client) })
}

// session returns a client's session, which it begins where there is none.
func (s *storage) session(client string) *session {
	i, ok := s.find(client)
	if !ok {
		s.sessions = slices.Insert(s.sessions, i, session{client: client})
	}
	return &s.sessions[i]
}

// forget ends a client's session: a new life knows nothing, and has no
// transaction.
func (s *storage) forget(client string) {
	if i, ok := s.find(client); ok {
		s.sessions = slices.Delete(s.sessions, i, i+1)
	}
}

// seen returns the number that a client reads: its own transaction's, or the
// committed one, which it knows from now on. Nobody gets to know by a request
// whose sender's life is over.
func (s *storage) seen(m *message, alone bool) int64 {
	if staged := s.staged(m); staged != nil {
		return *staged
	}
	if !alone {
		own := s.session(m.call.Client)
		own.read, own.by = true, ""
	}
	return s.number
}

// staged returns what a client's transaction writes; nil: it has none.
func (s *storage) staged(m *message) *int64 {
	if i, ok := s.find(m.call.Client); ok && !m.past {
		return s.sessions[i].staged
	}
	return nil
}

// stage keeps a number for the commit. A life that is over has no commit.
func (s *storage) stage(m *message, number *int64, alone bool) {
	if !alone {
		s.session(m.call.Client).staged = number
	}
}

// takeEffect makes an accepted write visible, at once or by its commit, and
// tells those who judge what it may destroy.
func (s *storage) takeEffect(e *Event, m *message) {
	if e.Number != nil {
		s.number = *e.Number
	}
	if e.Grant, e.Overtaken = m.grant, s.judge(m); e.Number == nil {
		return // it replaces no number
	}
	writer := m.call.Client
	for i := range s.sessions {
		switch other := &s.sessions[i]; {
		case other.client == writer && !m.past:
			e.Loses, other.by, other.staged = other.by, "", nil // a write that takes effect ends the transaction
		case other.read:
			other.by = writer
		}
	}
	s.sessions = slices.DeleteFunc(s.sessions, func(o session) bool { return !o.read && o.staged == nil })
}

// judge remembers the youngest grant among the writers. For an accepted write
// that comes too late, it returns the write's grant and the client that took the
// lock over. A client that got in without storing anything has no grant, and
// nobody can have taken the lock over from it.
func (s *storage) judge(m *message) *Overtaken {
	g := m.grant
	if g == nil {
		return nil
	}
	own := last{g.Node, g.Key, g.Generation, m.call.Client}
	for i, l := range s.last {
		if l.node != g.Node || l.key != g.Key {
			continue
		}
		if l.generation > g.Generation {
			return &Overtaken{g, l.client}
		}
		s.last[i] = own
		return nil
	}
	s.last = append(s.last, own)
	return nil
}
