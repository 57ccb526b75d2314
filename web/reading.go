package web

import (
	"errors"
	"io"
	"net/http"
	"time"

	"lockstep/views"
	"lockstep/web/live"
)

// readAtOnce is how many bytes a countedReader counts at a time, and how many it reads uncounted.
const readAtOnce = 16 << 10

// A countedReader counts the bytes that one network has sent of an incomplete message. It does not count the first bytes,
// which the limits on sockets and requests bound.
type countedReader struct {
	io.Reader
	guard   *guard
	network string
	read    int64
	counted int64 // of them
	beside  int64 // what a message takes beside its bytes, unless it is small and comes as a whole
	held    int64
}

// counted returns a reader that counts a network's bytes until done.
func (g *guard) counted(network string, from io.Reader) *countedReader {
	return &countedReader{Reader: from, guard: g, network: network}
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	for c.read += int64(n); c.read > c.counted+readAtOnce; c.counted += readAtOnce {
		if err := c.hold(readAtOnce); err != nil {
			return n, err
		}
	}
	return n, err
}

// hold counts more bytes, and those beside the message.
func (c *countedReader) hold(bytes int64) error {
	bytes, c.beside = bytes+c.beside, 0
	if !c.guard.reading.Take(c.network, bytes) {
		c.guard.refused("reading")
		return live.ErrReading
	}
	c.held += bytes
	return nil
}

// done gives the counted bytes back.
func (c *countedReader) done() {
	if c.held > 0 {
		c.guard.reading.Give(c.network, c.held)
	}
	c.held = 0
}

// restTime is how long net/http waits for the unread rest of a body before it closes the connection. It waits for the
// answer to arrive, and no limit counts the connection meanwhile.
const restTime = 2 * time.Second

// hurried gives bodies little time. A handler that reads a body gives it more.
func hurried(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			readUntil(w, time.Now().Add(restTime))
		}
		next.ServeHTTP(w, r)
	})
}

// mostRest is how many bytes of a body discard reads, so that a sender who listens only after sending gets the answer.
const mostRest = 8 << 20

// discard throws away the part of a body that arrives within restTime.
func discard(w http.ResponseWriter, body io.Reader) {
	readUntil(w, time.Now().Add(restTime))
	_, _ = io.CopyN(io.Discard, body, mostRest)
}

// readUntil sets the deadline for reading a request; a zero time sets none.
func readUntil(w http.ResponseWriter, at time.Time) {
	_ = http.NewResponseController(w).SetReadDeadline(at) // a writer without one, as in a test, keeps the server's
}

// parseForm reads a form of at most that many bytes, or answers why it cannot. It counts the bytes for their network
// until the form is complete.
func (rs *responder) parseForm(w http.ResponseWriter, r *http.Request, most int64) bool {
	whole := r.Body
	body := rs.counted(visitorOf(r).network, http.MaxBytesReader(w, whole, most))
	r.Body = struct {
		io.Reader
		io.Closer
	}{body, r.Body}
	a := askerOf(r)
	a.Rest() // a slow sender waits for nobody, and nobody waits for a slow sender
	readUntil(w, time.Now().Add(bodyTime))
	err := r.ParseForm()
	body.done()
	if err != nil {
		discard(w, whole)
	}
	if err := a.Begin(); err != nil {
		rs.busy(w, r, err)
		return false
	}
	switch {
	case err == nil:
		readUntil(w, time.Time{}) // the handler answers without a deadline for reading
		return true
	case errors.Is(err, live.ErrReading):
		w.Header().Set("Connection", "close") // the server does not read the rest
		rs.busy(w, r, err)
		return false
	}
	status := http.StatusBadRequest
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	rs.fail(w, r, status, views.Say(language(r), "error.form"))
	return false
}
