package web

import (
	"errors"
	"io"
	"net/http"
	"time"

	"lockstep/views"
	"lockstep/web/session"
)

// readAtOnce is how many bytes are counted at a time, and how many are read uncounted.
const readAtOnce = 16 << 10

// A countedReader counts what one network sends, as long as it is not complete. The first bytes are not counted: of
// them there are no more than there may be sockets and requests.
type countedReader struct {
	io.Reader
	guard   *guard
	network string
	read    int64
	held    int64
}

// counted counts what a network sends until done.
func (g *guard) counted(network string, from io.Reader) *countedReader {
	return &countedReader{Reader: from, guard: g, network: network}
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	for c.read += int64(n); c.read > c.held+readAtOnce; c.held += readAtOnce {
		if !c.guard.reading.Take(c.network, readAtOnce) {
			c.guard.refused("reading")
			return n, session.ErrReading
		}
	}
	return n, err
}

// done ends the counting.
func (c *countedReader) done() {
	if c.held > 0 {
		c.guard.reading.Give(c.network, c.held)
	}
	c.held = 0
}

// restTime is how long net/http waits for the rest of a body that nobody has read, before it closes the connection. It
// waits so that the answer arrives, and counts the connection nowhere meanwhile.
const restTime = 2 * time.Second

// hurried gives bodies little time. Whoever reads one gives it more.
func hurried(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			readUntil(w, time.Now().Add(restTime))
		}
		next.ServeHTTP(w, r)
	})
}

// mostRest is how many bytes of a body are thrown away, so that its sender, who first sends and then listens, is answered.
const mostRest = 8 << 20

// discard throws away what comes of a body in a moment.
func discard(w http.ResponseWriter, body io.Reader) {
	readUntil(w, time.Now().Add(restTime))
	_, _ = io.CopyN(io.Discard, body, mostRest)
}

// readUntil sets until when a request may be read; a zero time is for ever.
func readUntil(w http.ResponseWriter, at time.Time) {
	_ = http.NewResponseController(w).SetReadDeadline(at) // where there is none, as in a test, the server's own holds
}

// parseForm reads a form of at most that many bytes, or answers why it cannot. What has come of it is counted for its
// network until it is complete.
func (rs *responder) parseForm(w http.ResponseWriter, r *http.Request, most int64) bool {
	whole := r.Body
	body := rs.counted(visitorOf(r).network, http.MaxBytesReader(w, whole, most))
	r.Body = struct {
		io.Reader
		io.Closer
	}{body, r.Body}
	a := askerOf(r)
	a.Rest() // whoever sends slowly waits for nobody else, nor anybody for them
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
		readUntil(w, time.Time{}) // nothing is left to be read while it is answered
		return true
	case errors.Is(err, session.ErrReading):
		w.Header().Set("Connection", "close") // the rest is not read
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
