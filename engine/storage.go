package engine

import (
	"strconv"

	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// Storage is the lane of the protected resource, which the lock guards.
const Storage = "storage"

// toStorage is the node number of a message to the storage.
const toStorage = -1

// storage is the protected resource. It knows nothing about locks: it accepts a
// write unless the write's fencing token is below one that it has accepted. It
// does not fail.
type storage struct {
	fence *int64 // the highest fencing token it has accepted; nil: none
	last  []last // for those who judge; no real storage could know it: one for each lock
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
	return s
}

// Overtaken is the grant of a client whose write was accepted after one by a
// client that had taken the lock over from it.
type Overtaken struct {
	Grant *Grant
	By    string
}

// UsesStorage reports whether a client in the run may write to the protected
// resource.
func (w *World) UsesStorage() bool {
	if p, ok := w.header.program(w.header.Program); ok && p.UsesStorage() {
		return true
	}
	for _, c := range w.clients {
		if c.Program != nil && c.Program.UsesStorage() {
			return true
		}
	}
	return false
}

// Fence returns the highest fencing token that the storage has accepted, if
// any.
func (w *World) Fence() (fence int64, ok bool) {
	if w.storage.fence == nil {
		return 0, false
	}
	return *w.storage.fence, true
}

// sendWrite puts a client's write in flight.
func (w *World) sendWrite(c *Client, op program.Op) {
	c.idle = 0
	w.calls++
	c.flight = &message{
		call: &Call{ID: w.calls, Client: c.Name, Node: Storage, Command: op.Command},
		node: toStorage, try: op.Try, grant: c.Grant,
	}
	w.emit(Event{Lane: c.Name, Kind: Send, Call: c.flight.call})
}

// write lets a write arrive at the storage, and sends the answer.
func (w *World) write(m *message) {
	e := Event{Lane: Storage, Kind: Reject, Call: m.call, Execution: &Execution{Reply: redis.Reply(":0\r\n")}}
	if w.storage.accepts(m.call.Command) {
		e.Kind, e.Execution.Reply = Write, ":1\r\n"
		e.Overtaken = w.storage.judge(m)
	}
	e.Fence = w.storage.fence
	m.execution = e.Execution
	w.emit(e)
	w.emit(Event{Lane: Storage, Kind: Reply, Call: m.call, Execution: m.execution})
}

// accepts reports whether the storage accepts a write, and remembers its
// fencing token.
func (s *storage) accepts(command []string) bool {
	if len(command) == 1 {
		return true
	}
	fence, _ := strconv.ParseInt(command[1], 10, 64) // a program sends numbers only
	if s.fence != nil && fence < *s.fence {
		return false
	}
	s.fence = &fence
	return true
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
