package web

import (
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"lockstep/web/limit"
)

const (
	mostPause      = 2 * time.Second // that whoever sends too fast waits at a time
	mostOwed       = 8 * time.Second // that a network is ahead of its pace: no more connections are taken from it
	socketPace     = 10              // pieces a second that may always come on a socket
	newArrivals    = 4               // that a connection counts as, beside what comes on it: to open one costs more than to use it
	socketArrivals = 15              // that a socket counts as, beside its connection: it is told how everything is
)

// A pacedListener reads what comes from one network no faster than a server can take it beside a class: what is refused
// costs something, too. A request and each piece of it counts as one arrival, and a connection as some more. Whoever comes
// with more is not refused: their connections are read later, and the rest waits where it comes from. Whoever opens
// connections without end has the last ones closed: those would wait too long for an answer. A socket on which little comes
// does not wait: behind the same router a class may be at work.
type pacedListener struct {
	net.Listener
	server *Server
}

// Accept gives a connection that is paced. What comes through a proxy is of many networks: arrives paces it.
func (l pacedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := peer(c.RemoteAddr().String())
		if contains(l.server.proxies, from) {
			return c, nil
		}
		network, arrivals := limit.Network(from), l.server.guard.arrivals
		if arrivals.Owes(network) <= mostOwed {
			arrivals.Charge(network, newArrivals)
			return &arriving{Conn: c, server: l.server, network: network, closed: make(chan struct{})}, nil
		}
		l.server.refused("arrivals")
		_ = c.Close() // whoever is at the other end is not waited for
	}
}

// An arriving connection is one that is paced.
type arriving struct {
	net.Conn
	server  *Server
	network string
	own     *rate.Limiter // of what a socket may always send; nil: it is none
	closed  chan struct{}
	once    sync.Once
}

func (c *arriving) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n == 0 {
		return n, err
	}
	pause := c.server.guard.arrive(c.network)
	if c.own != nil && c.own.Allow() {
		return n, err
	}
	if !waited(pause, c.closed) {
		return 0, net.ErrClosed // nobody is left to be answered
	}
	return n, err
}

func (c *arriving) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// arrive counts an arrival, and says how long it is to wait. Those for which that would be longer than a pause do not all
// come back at once.
func (g *guard) arrive(network string) time.Duration {
	if pause := g.arrivals.Reserve(network); pause <= mostPause {
		return pause
	}
	return mostPause/2 + rand.N(mostPause/2)
}

// arrives counts a request as it is answered, and lets those wait that come through a proxy too fast.
func (s *Server) arrives(r *http.Request, network string) {
	if pause := s.guard.arrive(network); pause > 0 && contains(s.proxies, peer(r.RemoteAddr)) {
		waited(pause, r.Context().Done())
	}
}

// waited waits for so long, but no longer than until ended is closed. It reports whether it has waited to the end.
func waited(pause time.Duration, ended <-chan struct{}) bool {
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
