package door

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

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
