package redis

// A Node is a Redis node on a clock of its own, in ms since the Unix epoch, for one goroutine: a Server, or a real one that
// somebody outside the engine runs.
type Node interface {
	// Do executes a command that Check has passed, and returns Redis' reply.
	Do(command ...string) Reply

	// Unable returns why the reply of the latest Do is not what Redis replies; nil: it is. Then nobody may use the node any more.
	Unable() *Refusal

	// Touched returns the keys that the latest Do has perhaps changed and that its command does not name, each once.
	Touched() []string

	// Advance moves the node's clock forward; keys that reach their expiry vanish.
	Advance(ms int64)

	// Timed reports whether a command since the last call may have used the time of day: TIME, or a key that expires at a moment
	// instead of after a while.
	Timed() bool

	// Get reads a key past the door.
	Get(key string) (Content, bool)

	// Has reports whether a key is there, past the door.
	Has(key string) bool

	// Put writes a key that is not there, past the door, to copy a node.
	Put(key string, c Content)

	// Close gives the node back. It must not be used afterwards.
	Close()
}

// A Maker makes an empty node whose clock reads now. Nil makes a Server.
type Maker func(now int64) Node

// New makes a node.
func (m Maker) New(now int64) Node {
	if m == nil {
		return New(now)
	}
	return m(now)
}

var _ Node = (*Server)(nil)
