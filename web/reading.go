package web

import (
	"errors"
	"io"
	"net/http"
)

// errReading says that too much is being sent that is not complete.
var errReading = errors.New("error.reading")

// readAtOnce is how many bytes are counted at a time, and how many are read uncounted.
const readAtOnce = 16 << 10

// A countedReader counts what one network sends, as long as it is not complete. The first bytes are not counted: of
// them there are no more than there may be sockets and requests.
type countedReader struct {
	io.Reader
	server  *Server
	network string
	read    int64
	held    int64
}

// reading counts what a network sends until done.
func (s *Server) reading(network string, from io.Reader) *countedReader {
	return &countedReader{Reader: from, server: s, network: network}
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	for c.read += int64(n); c.read > c.held+readAtOnce; c.held += readAtOnce {
		if !c.server.guard.reading.Take(c.network, readAtOnce) {
			c.server.refused("reading")
			return n, errReading
		}
	}
	return n, err
}

// done ends the counting.
func (c *countedReader) done() {
	if c.held > 0 {
		c.server.guard.reading.Give(c.network, c.held)
	}
	c.held = 0
}

// unread ends the connection of a request with a body that nobody reads: net/http would wait for the rest of it, and count
// the connection nowhere. Whoever reads all of it takes that back.
func unread(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
