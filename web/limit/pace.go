package limit

import (
	"errors"
	"net"
	"time"

	"golang.org/x/time/rate"
)

// A Pace is how fast the server reads one socket. Faster messages wait in the network, and so does their sender. The
// server loses none of them, and nobody else waits.
type Pace struct {
	messages *rate.Limiter
	bytes    *rate.Limiter
	late     int // messages that had to wait since the socket last had plenty of room
	most     int // late messages before the socket is closed
	ended    chan struct{}
}

const (
	bytesPerSecond = 256 << 10 // of frames, empty and broken ones included
	patience       = 10        // seconds of messages that all come too fast
)

// Why a message of a socket is late, or the last one.
var (
	ErrTooFast = errors.New("messages come too fast")
	ErrFlood   = errors.New("messages have come too fast for too long")
)

// NewPace allows so many messages a second, and so many bytes at once. It starts with the messages of one second: a
// client saves up a burst, so it gains nothing by connecting again and again.
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
// wait, which can be read all the same; ErrFlood when the socket has to be closed; and net.ErrClosed after End.
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

// End ends every wait. It is called once, when the socket closes.
func (p *Pace) End() { close(p.ended) }

// Conn returns a connection that is read no faster than the pace allows, whatever the bytes are.
func (p *Pace) Conn(c net.Conn) net.Conn { return pacedConn{c, p} }

type pacedConn struct {
	net.Conn
	pace *Pace
}

func (c pacedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	bytes := c.pace.bytes
	if wait := bytes.ReserveN(time.Now(), min(n, bytes.Burst())).Delay(); !Wait(wait, c.pace.ended) && err == nil {
		err = net.ErrClosed
	}
	return n, err
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
