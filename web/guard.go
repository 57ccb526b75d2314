package web

import (
	"bufio"
	"errors"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/httprate"
	"golang.org/x/time/rate"

	"lockstep/views"
)

// Limits are how much one address may ask for, and how much all of them together.
// A whole class often has one address, as behind the router of a school: the usual
// limits let 300 people there open a page, join a room and connect again within
// seconds. Each of several servers counts for itself.
type Limits struct {
	Requests    int // a minute from one address, but for the files of the pages; 0: 24,000
	Makings     int // a minute from one address, of what makes a run, a room or a seat; 0: 1,200
	Guesses     int // wrong codes of rooms a minute from one address; 0: 60
	AllGuesses  int // wrong codes of rooms a minute; 0: 3,000
	Handshakes  int // sockets opened a minute from one address; 0: 6,000
	Sockets     int // open at once from one address; 0: 2,000
	AllSockets  int // open at once; 0: 10,000
	Forms       int // being read at once from one address; 0: 1,000
	AllForms    int // being read at once; 0: 4,000
	Messages    int // a second from one socket, bursts of four times as many aside; 0: 60
	Connections int // open at once without a request; 0: 2,000
}

// A guard keeps the limits. Whatever it refuses is refused before anything is
// looked up, parsed or drawn.
type guard struct {
	requests    *httprate.RateLimiter
	makings     *httprate.RateLimiter
	handshakes  *httprate.RateLimiter
	sockets     *crowd
	forms       *crowd
	messages    int
	connections int
}

func newGuard(l Limits) *guard {
	return &guard{
		requests:    perMinute(orDefault(l.Requests, 24_000)),
		makings:     perMinute(orDefault(l.Makings, 1_200)),
		handshakes:  perMinute(orDefault(l.Handshakes, 6_000)),
		sockets:     newCrowd(orDefault(l.Sockets, 2_000), orDefault(l.AllSockets, 10_000)),
		forms:       newCrowd(orDefault(l.Forms, 1_000), orDefault(l.AllForms, 4_000)),
		messages:    orDefault(l.Messages, 60),
		connections: orDefault(l.Connections, 2_000),
	}
}

// perMinute counts by the minute, the last one fading out while the next goes on.
// It adds no headers to an answer, and so needs none to count.
func perMinute(most int) *httprate.RateLimiter {
	return httprate.NewRateLimiter(most, time.Minute, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
}

// limit refuses whoever asks too often. What costs nothing is not counted: a page
// has many files, and whoever watches over the server asks for its health all day.
func (s *Server) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/static/") || r.URL.Path == "/healthz" || r.URL.Path == "/metrics" {
			next.ServeHTTP(w, r)
			return
		}
		address := counted(visitorAddress(r))
		if s.guard.requests.OnLimit(w, r, address) {
			s.refused("requests")
			s.tooMany(w, r)
			return
		}
		if r.Method == http.MethodPost {
			if !s.guard.forms.enter(address) {
				s.refused("forms")
				s.tooMany(w, r)
				return
			}
			defer s.guard.forms.leave(address)
		}
		next.ServeHTTP(w, r)
	})
}

// making refuses whoever makes too much: runs, rooms and seats stay for a while.
func (s *Server) making(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && s.mayMake(counted(visitorAddress(r))) != nil {
			s.tooMany(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

var errTooMany = errors.New("error.many")

// mayMake counts one more run, room or seat from an address.
func (s *Server) mayMake(address string) error {
	if !s.guard.makings.OnLimit(nil, new(http.Request), address) {
		return nil
	}
	s.refused("makings")
	return errTooMany
}

// makes reports whether a message would make a run: the first action does, as an
// address of a run that nobody has used is kept nowhere.
func (q request) makes(r *run) bool {
	switch q.Type {
	case "branch", "rerun":
		return true
	case "act", "schedule", "restore":
		return r.untouched()
	}
	return false
}

// tooMany answers in a line of plain text: a page would cost more than what was asked for.
func (s *Server) tooMany(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", "60")
	http.Error(w, language(r).Say("error.many"), http.StatusTooManyRequests)
}

// enterSocket makes room for a socket, until leave is called, or answers that there is none.
func (s *Server) enterSocket(w http.ResponseWriter, r *http.Request) (leave func(), ok bool) {
	address := counted(visitorAddress(r))
	if s.guard.handshakes.OnLimit(w, r, address) || !s.guard.sockets.enter(address) {
		s.refused("sockets")
		w.Header().Set("Retry-After", "60")
		http.Error(w, language(r).Say("error.sockets"), http.StatusTooManyRequests)
		return nil, false
	}
	return sync.OnceFunc(func() { s.guard.sockets.leave(address) }), true
}

// guesses counts the codes of rooms that do not exist. There are a million codes,
// and whoever tries them all finds every room; who mistypes one notices nothing of
// this. Right codes are not counted: a class joins as fast as it can.
type guesses struct {
	perAddress, all         *httprate.RateLimiter
	mostPerAddress, mostAll int
}

func newGuesses(l Limits) *guesses {
	g := &guesses{mostPerAddress: orDefault(l.Guesses, 60), mostAll: orDefault(l.AllGuesses, 3_000)}
	g.perAddress, g.all = perMinute(g.mostPerAddress), perMinute(g.mostAll)
	return g
}

// allow reports whether a visitor may try a code. It is asked before the code is
// looked up, so that a right one is refused as a wrong one is; tooManyGuesses refuses.
func (g *guesses) allow(r *http.Request) bool {
	return left(g.perAddress, counted(visitorAddress(r)), g.mostPerAddress) && left(g.all, everybody, g.mostAll)
}

// wrong counts a code that does not exist.
func (g *guesses) wrong(r *http.Request) {
	g.perAddress.OnLimit(nil, r, counted(visitorAddress(r)))
	g.all.OnLimit(nil, r, everybody)
}

// tooManyGuesses answers whoever may not try another code.
func (s *Server) tooManyGuesses(w http.ResponseWriter, r *http.Request) {
	s.refused("guesses")
	w.Header().Set("Retry-After", "60")
	s.fail(w, r, http.StatusTooManyRequests, language(r).Say("error.guesses"))
}

const everybody = "*"

// left reports whether one more fits, without counting it.
func left(l *httprate.RateLimiter, key string, most int) bool {
	_, rate, err := l.Status(key)
	return err == nil && int(math.Round(rate)) < most
}

// A crowd counts who is there at once: of one address, and in all.
type crowd struct {
	mu            sync.Mutex
	most, mostAll int
	all           int
	of            map[string]int // by address
}

func newCrowd(most, mostAll int) *crowd {
	return &crowd{most: most, mostAll: mostAll, of: map[string]int{}}
}

func (c *crowd) enter(address string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= c.mostAll || c.of[address] >= c.most {
		return false
	}
	c.all++
	c.of[address]++
	return true
}

func (c *crowd) leave(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.of[address]--; c.of[address] == 0 {
		delete(c.of, address)
	}
}

// A pace is how fast one socket is read. What comes faster waits in the network,
// and so does whoever sends it; nothing of it is lost and nobody else waits.
type pace struct {
	messages *rate.Limiter
	bytes    *rate.Limiter
	late     int // messages that had to wait, since one last had plenty of room
	most     int // of those, before the socket is closed
	ended    chan struct{}
}

const (
	bytesPerSecond = 256 << 10      // of frames, empty and broken ones included
	bytesAtOnce    = 2 * maxMessage // as many may come without a wait
	patience       = 10             // seconds of messages that all come too fast
)

// newPace begins with what may come in a second. A burst has to be saved up, so that
// whoever connects again and again gets no more out of it.
func newPace(messages int) *pace {
	p := &pace{
		messages: rate.NewLimiter(rate.Limit(messages), 4*messages),
		bytes:    rate.NewLimiter(bytesPerSecond, bytesAtOnce),
		most:     patience * messages,
		ended:    make(chan struct{}),
	}
	p.messages.AllowN(time.Now(), 3*messages)
	return p
}

// A tooFastError comes with the first message that had to wait. The message is
// there all the same.
type tooFastError struct{ messages int }

func (e *tooFastError) Error() string { return e.say(views.English) }

func (e *tooFastError) say(l views.Language) string { return l.Say("error.too-fast", e.messages) }

var errFlood = errors.New("messages have come too fast for too long")

// message waits until one more may be read. It says once that it had to and, when
// there is no end to it, that the socket has to be closed.
func (p *pace) message() error {
	if p.messages.Tokens() > float64(p.messages.Burst()/2) {
		p.late = 0
	}
	wait := p.messages.Reserve().Delay()
	if wait <= 0 {
		return nil
	}
	if err := p.sleep(wait); err != nil {
		return err
	}
	p.late++
	switch {
	case p.late == 1:
		return &tooFastError{int(p.messages.Limit())}
	case p.late > p.most:
		return errFlood
	}
	return nil
}

// sleep waits, but no longer than the socket is open.
func (p *pace) sleep(d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-p.ended:
		return net.ErrClosed
	}
}

// A pacedConn reads no faster than its pace allows, whatever the bytes are.
type pacedConn struct {
	net.Conn
	pace *pace
}

func (c pacedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if wait := c.pace.bytes.ReserveN(time.Now(), min(n, bytesAtOnce)).Delay(); wait > 0 {
		if ended := c.pace.sleep(wait); err == nil {
			err = ended
		}
	}
	return n, err
}

// A pacedWriter hands its connection over as one that keeps a pace.
type pacedWriter struct {
	http.ResponseWriter
	pace *pace
}

// Hijack is what a socket's handshake ends with.
func (w pacedWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	return pacedConn{conn, w.pace}, buffered, nil
}

// countSlow counts a viewer that was dropped because it did not read.
func (s *Server) countSlow(v *viewer) {
	if v.slow.Load() {
		s.metrics.slow.Inc()
	}
}

func (c *crowd) inAll() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all
}
