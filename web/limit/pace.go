package limit

import (
	"errors"
	"io"
	"net"
	"time"

	"golang.org/x/time/rate"
)

// A Pace bounds how fast the server reads one socket. Faster messages wait in the network, and their sender waits, too.
// The server loses no message, and nobody else waits.
type Pace struct {
	messages *rate.Limiter
	bytes    *rate.Limiter
	late     int // messages that had to wait since the socket last had plenty of room
	most     int // late messages before the server closes the socket
	ended    chan struct{}
}

const (
	bytesPerSecond = 256 << 10 // of frames, empty and broken ones included
	patience       = 10        // seconds of messages that come too fast
)

// Message returns these errors.
var (
	ErrTooFast = errors.New("messages come too fast")
	ErrFlood   = errors.New("messages have come too fast for too long")
)

// NewPace allows a number of messages per second, and a number of bytes at once. It starts with the messages of one
// second. A client has to save up its burst, so reconnecting gains nothing.
func NewPace(messages, bytesAtOnce int) *Pace {
	p := &Pace{
		messages: rate.NewLimiter(rate.Limit(messages), 4*messages),
		bytes:    rate.NewLimiter(bytesPerSecond, bytesAtOnce),
		most:     patience * messages,
		ended:    make(chan struct{}),
	}
	p.messages.AllowN(time.Now(), 3*messages)
	return p
}

// Message waits until the server may read one more message. It returns ErrTooFast for the first message that had to
// wait, which the server may still read. It returns ErrFlood when the server has to close the socket, and net.ErrClosed
// after End.
func (p *Pace) Message() error {
	if p.messages.Tokens() > float64(p.messages.Burst()/2) {
		p.late = 0
	}
	wait := p.messages.Reserve().Delay()
	if wait <= 0 {
		return nil
	}
	if !Wait(wait, p.ended) {
		return net.ErrClosed
	}
	p.late++
	switch {
	case p.late == 1:
		return ErrTooFast
	case p.late > p.most:
		return ErrFlood
	}
	return nil
}

// End ends every wait. The caller calls it once, when the socket closes.
func (p *Pace) End() { close(p.ended) }

// Conn returns a connection that reads no faster than the pace allows. It counts every byte.
func (p *Pace) Conn(c net.Conn) net.Conn { return pacedConn{c, p} }

type pacedConn struct {
	net.Conn
	pace *Pace
}

func (c pacedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	return n, c.pace.read(n, err)
}

// read waits until the server may read more than n bytes, and returns the error of reading those.
func (p *Pace) read(n int, err error) error {
	if wait := p.bytes.ReserveN(time.Now(), min(n, p.bytes.Burst())).Delay(); !Wait(wait, p.ended) && err == nil {
		return net.ErrClosed
	}
	return err
}

// Text returns the text of a message, which the server reads no faster than the pace allows: a few bytes can be the
// compression of many.
func (p *Pace) Text(from io.Reader) io.Reader { return pacedText{from, p} }

type pacedText struct {
	io.Reader
	pace *Pace
}

func (t pacedText) Read(b []byte) (int, error) {
	n, err := t.Reader.Read(b)
	return n, t.pace.read(n, err)
}

// Wait waits for a pause, or until ended is closed. It reports whether the pause is over.
func Wait(pause time.Duration, ended <-chan struct{}) bool {
	if pause <= 0 {
		return true
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ended:
		return false
	}
}
