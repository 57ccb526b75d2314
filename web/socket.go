package web

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// A socket carries the messages of one viewer. One goroutine receives and one
// sends; either may close it.
type socket interface {
	Receive() ([]byte, error) // the next text message, also with a refusal.TooFast; errBinary and errLarge name one that is not read
	Send(frame) error
	Leave() // tells the viewer to connect again, soon after which the socket ends; the server is ending
	Close() error
}

// A frame is a message, encoded once for all who get it, and counted once as long as it waits for any of them.
type frame struct {
	prepared *websocket.PreparedMessage
	size     int64 // bytes; 0: it is not counted
	held     *held
}

// held is for how many viewers a frame waits, and the network for which it is counted.
type held struct {
	mu      sync.Mutex
	viewers int
	network string
}

// hold counts a frame for one viewer more, and reports whether there is room for it.
func (f frame) hold(by *limit.Shares, network string) bool {
	if f.size == 0 {
		return true
	}
	f.held.mu.Lock()
	defer f.held.mu.Unlock()
	if f.held.viewers++; f.held.viewers > 1 {
		return true
	}
	f.held.network = network
	return by.Force(network, f.size)
}

func (f frame) release(by *limit.Shares) {
	if f.size == 0 {
		return
	}
	f.held.mu.Lock()
	defer f.held.mu.Unlock()
	if f.held.viewers--; f.held.viewers == 0 {
		by.Give(f.held.network, f.size)
	}
}

const (
	maxMessage = 512 << 10 // bytes, received
	sendTime   = 10 * time.Second

	controlTime = time.Second // for a frame without which one can do
	pingTime    = 25 * time.Second
	silence     = 60 * time.Second // after which a viewer that answers no ping is gone
)

var (
	errBinary = refusal.Declare(refusal.Unprocessable, refusal.Binary, "error.binary")
	errLarge  = refusal.Declare(refusal.Unprocessable, refusal.TooLarge, "error.large", maxMessage>>10)

	errCrowded = errors.New("there are too many sockets")
	errEnding  = errors.New("the server is ending")
)

// newFrame encodes a message of the protocol.
func newFrame(message any) frame { return prepare(websocket.TextMessage, present.Encode(message)) }

// ping asks a viewer whether it is still there.
var ping = prepare(websocket.PingMessage, nil)

func prepare(kind int, data []byte) frame {
	prepared, err := websocket.NewPreparedMessage(kind, data)
	if err != nil {
		panic(fmt.Errorf("preparing a frame: %w", err)) // it is written to memory
	}
	return frame{prepared, int64(len(data)), new(held)}
}

// upgrader refuses sockets from the pages of other sites, as gorilla does unless told
// otherwise. Every frame is prepared, so that a socket needs no buffer to write:
// with a pool it gets none.
var upgrader = websocket.Upgrader{ReadBufferSize: 512, WriteBufferPool: &sync.Pool{}, Error: func(w http.ResponseWriter, r *http.Request, status int, _ error) {
	http.Error(w, language(r).Say("error.no-socket"), status)
}}

// upgrade opens a socket, which has to be added to those of the server.
func (s *Server) upgrade(w http.ResponseWriter, r *http.Request) (opened socket, err error) {
	leave, ok := s.enterSocket(w, r)
	if !ok {
		return nil, errCrowded
	}
	if !s.sockets.opens() {
		leave()
		http.Error(w, language(r).Say("error.ending"), http.StatusServiceUnavailable)
		return nil, errEnding
	}
	defer func() {
		if opened == nil {
			s.sockets.doesNot()
		}
	}()
	pace := limit.NewPace(s.guard.messages, 2*maxMessage)
	conn, err := upgrader.Upgrade(pacedWriter{w, pace}, r, nil)
	if err != nil {
		leave()
		return nil, fmt.Errorf("opening a socket: %w", err)
	}
	open := s.metrics.sockets.WithLabelValues(socketFor(r))
	open.Inc()
	g := gorilla{conn: conn, pace: pace, server: s, network: visitorOf(r).network, closed: sync.OnceFunc(func() { pace.End(); open.Dec(); leave() })}
	if err := g.alive(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening a socket: %w", err), g.Close())
	}
	conn.SetPongHandler(func(string) error { return errors.Join(g.paced(), g.alive()) })
	conn.SetPingHandler(func(data string) error {
		if err := g.paced(); err != nil {
			return err
		}
		_ = conn.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(controlTime)) // reading tells what is wrong
		return nil
	})
	return g, nil
}

type gorilla struct {
	conn    *websocket.Conn
	pace    *limit.Pace
	server  *Server // counts
	network string  // for which it is counted
	closed  func()
}

// paced waits for a control frame's turn.
func (s gorilla) paced() error {
	switch err := s.pace.Message(); {
	case errors.Is(err, limit.ErrFlood):
		return s.flood()
	case errors.Is(err, net.ErrClosed):
		return err
	}
	return nil
}

// flood ends a socket that goes on sending too fast.
func (s gorilla) flood() error {
	s.server.refused("messages")
	_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.ClosePolicyViolation, ""), time.Now().Add(controlTime))
	return limit.ErrFlood
}

// tooFast comes with the first message that had to wait. The message is there all the same.
func tooFast(messages int) error {
	return refusal.New(refusal.Unprocessable, refusal.TooFast, "error.too-fast", messages)
}

func (s gorilla) alive() error { return s.conn.SetReadDeadline(time.Now().Add(silence)) }

// Receive bounds what it reads itself: gorilla's own limit closes the socket
// before the viewer could be told why.
func (s gorilla) Receive() ([]byte, error) {
	kind, reader, err := s.conn.NextReader()
	if err != nil {
		return nil, err
	}
	s.server.metrics.received.Inc()
	slowed := s.pace.Message()
	switch {
	case errors.Is(slowed, limit.ErrFlood):
		return nil, s.flood()
	case errors.Is(slowed, net.ErrClosed):
		return nil, slowed
	case errors.Is(slowed, limit.ErrTooFast):
		slowed = tooFast(s.server.guard.messages)
	}
	if kind != websocket.TextMessage {
		return nil, errBinary
	}
	data, err := s.message(reader)
	if err == nil {
		err = slowed
	}
	return data, err
}

// message reads a message to its end, for which it has a bounded time: pings in the midst of it do not count.
func (s gorilla) message(from io.Reader) ([]byte, error) {
	late := time.AfterFunc(bodyTime, s.server.survives(func() { _ = s.conn.Close() }, func() {}))
	defer late.Stop()
	counted := s.server.reading(s.network, from)
	defer counted.done()
	data, err := io.ReadAll(io.LimitReader(counted, maxMessage+1))
	if err == nil && len(data) > maxMessage {
		err = errLarge
	}
	return data, err
}

func (s gorilla) Send(f frame) error {
	if err := s.conn.SetWriteDeadline(time.Now().Add(sendTime)); err != nil {
		return err
	}
	if f != ping {
		s.server.metrics.sent.Inc()
	}
	return s.conn.WritePreparedMessage(f.prepared)
}

func (s gorilla) Leave() {
	_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseServiceRestart, ""), time.Now().Add(controlTime))
}

func (s gorilla) Close() error {
	defer s.closed()
	return s.conn.Close()
}
