package limit

import (
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Arrivals count what comes from each network. A request and each piece of it counts as one arrival, a connection and a
// socket as some more. A network that sends more is not refused: the server reads its connections later, and the rest
// waits where it comes from.
type Arrivals struct{ rates *Rates }

const (
	mostPause      = 2 * time.Second // of a network that sends too fast, at a time
	mostOwed       = 8 * time.Second // of arrivals ahead of the pace, before the server takes no more connections of a network
	socketPace     = 10              // pieces a second that may always come on a socket
	newArrivals    = 4               // that a connection counts as, beside what comes on it: to open one costs more than to use it
	socketArrivals = 15              // that a socket counts as, beside its connection: the server tells it the whole state
)

// NewArrivals allows each network so many arrivals a second, and six times as many at once.
func NewArrivals(aSecond int) Arrivals { return Arrivals{NewRates(float64(aSecond), 6*aSecond)} }

// Count counts an arrival and returns how long it has to wait. Arrivals with a long wait return at different times
// within the longest pause.
func (a Arrivals) Count(network string) time.Duration {
	if pause := a.rates.Reserve(network); pause <= mostPause {
		return pause
	}
	return mostPause/2 + rand.N(mostPause/2)
}

// CountSocket counts a socket.
func (a Arrivals) CountSocket(network string) { a.rates.Charge(network, socketArrivals) }

// Owes returns how long it takes until the arrivals of a network are paid for.
func (a Arrivals) Owes(network string) time.Duration { return a.rates.Owes(network) }

// A Listener paces the connections of each network, so that a server can take what comes from one beside a class: even
// a refusal costs something. It closes the newest connections of a network that opens them without end; those would
// wait too long for an answer. A socket with little traffic does not wait: a class may be at work behind the same
// router.
type Listener struct {
	net.Listener
	Arrivals Arrivals
	Trusted  []netip.Prefix // proxies, which bring what comes from many networks; the server paces their requests one by one
	Refused  func()         // is told of each connection that the listener closes
}

// Accept returns the next connection, paced if it does not come from a trusted proxy.
func (l Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := Peer(c.RemoteAddr().String())
		if Contains(l.Trusted, from) {
			return c, nil
		}
		network := Network(from)
		if l.Arrivals.Owes(network) <= mostOwed {
			l.Arrivals.rates.Charge(network, newArrivals)
			return &Conn{Conn: c, arrivals: l.Arrivals, network: network, closed: make(chan struct{})}, nil
		}
		l.Refused()
		_ = c.Close() // nobody waits for the other end
	}
}

// A Conn is a connection that a Listener paces.
type Conn struct {
	net.Conn
	arrivals Arrivals
	network  string
	own      *rate.Limiter // of what a socket may always send; nil: it is none
	closed   chan struct{}
	once     sync.Once
}

// BecomeSocket lets some pieces come without a wait from now on.
func (c *Conn) BecomeSocket() { c.own = rate.NewLimiter(socketPace, 3*socketPace) }

func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n == 0 {
		return n, err
	}
	pause := c.arrivals.Count(c.network)
	if c.own != nil && c.own.Allow() {
		return n, err
	}
	if !Wait(pause, c.closed) {
		return 0, net.ErrClosed // nobody is left to be answered
	}
	return n, err
}

func (c *Conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
