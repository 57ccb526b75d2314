package limit

import (
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Arrivals count the traffic from each network. A request and each piece of it counts as one arrival; a connection or a
// socket counts as several. The server does not refuse a network that sends more. It reads the network's connections
// later, and the rest waits at the sender.
type Arrivals struct{ rates *Rates }

const (
	maxPause       = 2 * time.Second // of one wait, for a network that sends too fast
	maxOwed        = 8 * time.Second // of arrivals ahead of the pace; beyond it the server closes a network's new connections
	socketPace     = 10              // pieces per second that never wait on a socket
	newArrivals    = 4               // for a new connection, besides its traffic: an open costs more than a use
	socketArrivals = 15              // for a new socket, besides its connection: the server sends it the whole state
)

// NewArrivals allows each network aSecond arrivals per second, and six times as many at once.
func NewArrivals(aSecond int) Arrivals { return Arrivals{NewRates(float64(aSecond), 6*aSecond)} }

// Count counts an arrival and returns how long it has to wait. Long waits end at different times within the longest
// pause.
func (a Arrivals) Count(network string) time.Duration {
	if pause := a.rates.Reserve(network); pause <= maxPause {
		return pause
	}
	return maxPause/2 + rand.N(maxPause/2)
}

// CountSocket counts a socket.
func (a Arrivals) CountSocket(network string) { a.rates.Charge(network, socketArrivals) }

// Owes returns how long a network must pause until its arrivals keep the pace again.
func (a Arrivals) Owes(network string) time.Duration { return a.rates.Owes(network) }

// A Listener paces the connections of each network. Even a refusal costs something, and the pace leaves the server time
// for a class. If a network keeps opening connections, the Listener closes the newest: they would wait too long for an
// answer. A socket with little traffic does not wait: a class may be at work behind the same router.
type Listener struct {
	net.Listener
	Arrivals Arrivals
	Trusted  []netip.Prefix // trusted proxies, which carry many networks' traffic; the server paces their requests one by one
	Refused  func()         // called for each connection that the listener closes
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
		if l.Arrivals.Owes(network) <= maxOwed {
			l.Arrivals.rates.Charge(network, newArrivals)
			return &Conn{Conn: c, arrivals: l.Arrivals, network: network, closed: make(chan struct{})}, nil
		}
		l.Refused()
		_ = c.Close() // the close waits for nothing
	}
}

// A Conn is a connection that a Listener paces.
type Conn struct {
	net.Conn
	arrivals Arrivals
	network  string
	own      *rate.Limiter // for the pieces that never wait; nil: not a socket
	closed   chan struct{}
	once     sync.Once
}

// BecomeSocket exempts some pieces from waiting, from now on.
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
		return 0, net.ErrClosed // nobody waits for an answer
	}
	return n, err
}

func (c *Conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
