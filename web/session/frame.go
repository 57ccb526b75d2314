package session

import (
	"sync"

	"lockstep/web/limit"
)

// A Socket carries the messages of one viewer. One goroutine receives and one
// sends; either may close it.
type Socket interface {
	Receive() ([]byte, error) // the next text message, also with a refusal.TooFast; ErrBinary, ErrLarge and ErrReading name one that is not read
	Send(Frame) error
	Ping() error // asks the viewer whether it is still there
	Leave()      // tells the viewer to connect again, soon after which the socket ends; the server is ending
	Close() error
}

// A Frame is a message, encoded once for all who get it, and counted once as long as it waits for any of them. The zero
// one is a ping.
type Frame struct{ *frame }

type frame struct {
	size int64 // bytes

	encode sync.Once
	text   []byte
	wire   any // what the sockets send; the text is gone then

	mu      sync.Mutex // a lock under which only that of the shares is taken
	viewers int        // for whom it waits
	network string     // for which it is counted
}

// NewFrame returns a text as a message.
func NewFrame(text []byte) Frame { return Frame{&frame{text: text, size: int64(len(text))}} }

// Size returns how many bytes the message has.
func (f Frame) Size() int64 {
	if f.frame == nil {
		return 0
	}
	return f.size
}

// Wire returns the message as sockets of one kind send it. The first of them encodes it for all.
func (f Frame) Wire(encode func(text []byte) any) any {
	f.encode.Do(func() { f.wire, f.text = encode(f.text), nil })
	return f.wire
}

// hold counts a frame for one viewer more, and reports whether there is room for it.
func (f Frame) hold(by *limit.Shares, network string) bool {
	if f.Size() == 0 {
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.viewers++; f.viewers > 1 {
		return true
	}
	f.network = network
	return by.Force(network, f.size)
}

// release takes one viewer off.
func (f Frame) release(by *limit.Shares) {
	if f.Size() == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.viewers--; f.viewers == 0 {
		by.Give(f.network, f.size)
	}
}
