package live

import (
	"sync"

	"lockstep/web/limit"
)

// A Socket carries the messages of one viewer. One goroutine receives and one sends. Either may close it.
type Socket interface {
	// Receive returns the next text message, even with a refusal.TooFast. ErrBinary, ErrLarge and ErrReading stand for a
	// message that it does not read.
	Receive() ([]byte, error)
	Prepare(Frame) // encodes a frame that many are about to send: otherwise they wait for the first one
	Send(Frame) error
	Ping() error // asks whether the viewer is still there
	Leave()      // tells the viewer to connect again, because the server ends; the socket ends soon afterwards
	Close() error
}

// A Frame is a message. It is encoded once for all its viewers, and counted once as long as any viewer waits for it. The
// zero Frame is a ping.
type Frame struct{ *frame }

type frame struct {
	size int64 // bytes

	encode sync.Once
	text   []byte
	wire   any // the message as the sockets send it; the text is gone then

	mu      sync.Mutex // only the lock of the shares is taken under it
	viewers int        // who wait for it
	network string     // that it counts for
}

// NewFrame returns a message with a text.
func NewFrame(text []byte) Frame { return Frame{&frame{text: text, size: int64(len(text))}} }

// Size returns how many bytes the message has.
func (f Frame) Size() int64 {
	if f.frame == nil {
		return 0
	}
	return f.size
}

// Wire returns the message as sockets send it. The first socket encodes it for all.
func (f Frame) Wire(encode func(text []byte) any) any {
	f.encode.Do(func() { f.wire, f.text = encode(f.text), nil })
	return f.wire
}

// waits returns how many bytes the message takes at most while it waits: it is there as text and compressed.
func (f Frame) waits() int64 { return 2 * f.Size() }

// hold counts one more viewer of the frame, and reports whether the shares have room for it.
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
	return by.Force(network, f.waits())
}

// release counts one viewer less.
func (f Frame) release(by *limit.Shares) {
	if f.Size() == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.viewers--; f.viewers == 0 {
		by.Give(f.network, f.waits())
	}
}
