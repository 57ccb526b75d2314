package door

import (
	"bufio"
	"net"
	"net/http"

	"lockstep/web/limit"
)

// InflaterSize is how many bytes the server holds to decompress a message.
const InflaterSize = 48 << 10

// An incoming is the connection of a socket. It counts the inflater of a message that has not arrived as a whole, and fails
// without room for it: anybody can begin a message on each of many sockets. A small message arrives with its first byte,
// and is not counted.
type incoming struct {
	net.Conn
	message *countedReader // that the server is reading; nil: none
}

func (c *incoming) Read(b []byte) (int, error) {
	if c.message != nil {
		if err := c.message.hold(0); err != nil {
			return 0, err
		}
	}
	return c.Conn.Read(b)
}

// reads begins a message, and returns what ends it.
func (c *incoming) reads(message *countedReader) (end func()) {
	message.beside, c.message = InflaterSize, message
	return func() { c.message = nil; message.Done() }
}

// A handshake hands over its connection to an incoming.
type handshake struct {
	http.ResponseWriter
	pace     *limit.Pace
	incoming *incoming
}

// Hijack ends the handshake.
func (h handshake) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	if c, ok := conn.(*limit.Conn); ok {
		c.BecomeSocket()
	}
	resendSoon(conn)
	h.incoming.Conn = h.pace.Conn(conn)
	return h.incoming, buffered, nil
}
