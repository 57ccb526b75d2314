package door

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

const (
	sendTime = 10 * time.Second

	controlTime = time.Second      // for a frame that may get lost
	silence     = 60 * time.Second // after which a viewer who answers no ping counts as gone
)

var (
	errCrowded = errors.New("there are too many sockets")
	errEnding  = errors.New("the server is ending")
)

// upgrader refuses sockets from the pages of other sites, as gorilla does by default.
// The server prepares every frame, and a socket therefore needs no buffer to write:
// with a pool it gets none. Each message is compressed by itself, and a socket keeps no state of that either.
var upgrader = websocket.Upgrader{ReadBufferSize: 512, WriteBufferPool: &sync.Pool{}, EnableCompression: true, Error: func(w http.ResponseWriter, r *http.Request, status int, _ error) {
	http.Error(w, views.Say(Language(r), "error.no-socket"), status)
}}

// Upgrade opens a socket, which the caller has to add to the sockets.
func (g *Guard) Upgrade(w http.ResponseWriter, r *http.Request, sockets *live.Sockets) (opened live.Socket, err error) {
	leave, ok := g.enterSocket(w, r)
	if !ok {
		return nil, errCrowded
	}
	if !sockets.Opens() {
		leave()
		http.Error(w, views.Say(Language(r), "error.ending"), http.StatusServiceUnavailable)
		return nil, errEnding
	}
	defer func() {
		if opened == nil {
			sockets.DoesNot()
		}
	}()
	pace := limit.NewPace(g.messages, 2*live.MaxMessage) // two of the largest messages compressed, or one that counts as it comes, too
	from := new(incoming)
	conn, err := upgrader.Upgrade(handshake{w, pace, from}, r, nil)
	if err != nil {
		leave()
		return nil, fmt.Errorf("opening a socket: %w", err)
	}
	_ = conn.SetCompressionLevel(compression) // it exists
	open := g.Metrics.sockets.With(socketFor(r))
	open.Inc()
	socket := gorilla{conn: conn, from: from, pace: pace, guard: g, network: VisitorOf(r).Network, closed: sync.OnceFunc(func() { pace.End(); open.Dec(); leave() })}
	if err := socket.alive(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening a socket: %w", err), socket.Close())
	}
	conn.SetPongHandler(func(string) error { return errors.Join(socket.paced(), socket.alive()) })
	conn.SetPingHandler(func(data string) error {
		if err := socket.paced(); err != nil {
			return err
		}
		_ = conn.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(controlTime)) // the next read returns the error
		return nil
	})
	return socket, nil
}

type gorilla struct {
	conn    *websocket.Conn
	from    *incoming
	pace    *limit.Pace
	guard   *Guard // limits and counts
	network string // whose limits apply
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

// flood ends a socket that keeps sending too fast.
func (s gorilla) flood() error {
	s.guard.Refused("messages")
	_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.ClosePolicyViolation, ""), time.Now().Add(controlTime))
	return limit.ErrFlood
}

// TooFast returns the error that comes with the first delayed message. Receive returns the message, too.
func TooFast(messages int) error {
	return refusal.New(refusal.Unprocessable, refusal.TooFast, "error.too-fast", messages)
}

func (s gorilla) alive() error { return s.conn.SetReadDeadline(time.Now().Add(silence)) }

// Receive reads one message, a compressed one too. A message that comes too fast waits in the network, and a binary one is
// read and dropped: what the library has to decompress a message goes when the message has been read. Receive bounds the
// size itself, because gorilla's own limit closes the socket before the server can tell the viewer why.
func (s gorilla) Receive() ([]byte, error) {
	slowed := s.pace.Message()
	switch {
	case errors.Is(slowed, limit.ErrFlood):
		return nil, s.flood()
	case errors.Is(slowed, net.ErrClosed):
		return nil, slowed
	case errors.Is(slowed, limit.ErrTooFast):
		slowed = TooFast(s.guard.messages)
	}
	kind, reader, err := s.conn.NextReader()
	if err != nil {
		return nil, err
	}
	s.guard.Metrics.received.Inc()
	data, err := s.message(reader)
	switch {
	case err != nil:
		return nil, err
	case kind != websocket.TextMessage:
		return nil, live.ErrBinary
	}
	return data, slowed
}

// message reads a message to its end, within bodyTime. Pings in the middle of a message do not extend it.
func (s gorilla) message(from io.Reader) ([]byte, error) {
	late := time.AfterFunc(BodyTime, s.guard.Survives(func() { _ = s.conn.Close() }, func() {}))
	defer late.Stop()
	counted := s.guard.Counted(s.network, s.pace.Text(from))
	defer s.from.reads(counted)()
	data, err := io.ReadAll(io.LimitReader(counted, live.MaxMessage+1))
	if err == nil && len(data) > live.MaxMessage {
		err = live.ErrLarge
	}
	return data, err
}

func (s gorilla) Prepare(f live.Frame) { s.wire(f) }

func (s gorilla) Send(f live.Frame) error {
	s.guard.Metrics.sent.Inc()
	return s.write(s.wire(f))
}

func (s gorilla) wire(f live.Frame) prepared {
	return f.Wire(func(text []byte) any {
		s.guard.Metrics.encoded.Inc()
		return prepareText(text)
	}).(prepared)
}

func (s gorilla) Ping() error { return s.write(ping) }

func (s gorilla) write(p prepared) error {
	if err := s.conn.SetWriteDeadline(time.Now().Add(sendTime)); err != nil {
		return err
	}
	return p.write(s.conn)
}

func (s gorilla) Leave() {
	_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseServiceRestart, ""), time.Now().Add(controlTime))
}

func (s gorilla) Close() error {
	defer s.closed()
	return s.conn.Close()
}

// A prepared message is encoded for every socket that sends it, and compressed where that pays.
type prepared struct {
	*websocket.PreparedMessage
	compressed bool
}

const (
	compression = 6      // the level: 1 takes 6 % more bytes, and 9 as many
	smallText   = 1 << 8 // bytes; a smaller text is sent as it is
)

var ping = prepare(websocket.PingMessage, nil)

func prepare(kind int, data []byte) prepared {
	message, err := websocket.NewPreparedMessage(kind, data)
	if err != nil {
		panic(fmt.Errorf("preparing a frame: %w", err)) // writing to memory does not fail
	}
	return prepared{message, len(data) >= smallText}
}

// prepareText prepares a text. It returns any because a Frame does not know how its sockets send it.
func prepareText(text []byte) any {
	p := prepare(websocket.TextMessage, text)
	if p.compressed {
		compressor.compress(p)
	}
	return p
}

func (p prepared) write(on *websocket.Conn) error {
	on.EnableWriteCompression(p.compressed)
	return on.WritePreparedMessage(p.PreparedMessage)
}

// compressor compresses every message of this process, one at a time: the state of one compression takes a megabyte.
// gorilla compresses a message when the first socket sends it, so this socket sends it to nobody.
var compressor = newCompressor()

type toNobody struct {
	mu   sync.Mutex
	conn *websocket.Conn
}

func newCompressor() *toNobody {
	header := http.Header{}
	for name, value := range map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Extensions": "permessage-deflate",
	} {
		header.Set(name, value)
	}
	conn, err := upgrader.Upgrade(nobody{}, &http.Request{Method: http.MethodGet, Header: header}, nil)
	if err == nil {
		err = conn.SetCompressionLevel(compression)
	}
	if err != nil {
		panic(fmt.Errorf("opening the socket that compresses: %w", err)) // nothing of it depends on a visitor
	}
	return &toNobody{conn: conn}
}

func (c *toNobody) compress(p prepared) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := p.write(c.conn); err != nil {
		panic(fmt.Errorf("compressing a frame: %w", err)) // nobody takes everything
	}
}

// nobody is a visitor who takes everything and says nothing.
type nobody struct {
	http.ResponseWriter
	net.Conn
}

func (n nobody) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return n, bufio.NewReadWriter(bufio.NewReader(n), bufio.NewWriter(n)), nil
}
func (nobody) Read([]byte) (int, error)         { return 0, net.ErrClosed }
func (nobody) Write(b []byte) (int, error)      { return len(b), nil }
func (nobody) SetDeadline(time.Time) error      { return nil }
func (nobody) SetWriteDeadline(time.Time) error { return nil }
func (nobody) Close() error                     { return nil }
