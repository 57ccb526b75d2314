package door

import (
	"errors"
	"io"
	"net/http"
	"time"

	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/live"
)

// readAtOnce is how many bytes a countedReader counts at a time, and how many it reads uncounted.
const readAtOnce = 16 << 10

// A countedReader counts the bytes that one network has sent of an incomplete message. It does not count the first bytes,
// which the limits on sockets and requests bound.
type countedReader struct {
	io.Reader
	guard   *Guard
	network string
	read    int64
	counted int64 // of them
	beside  int64 // what a message takes beside its bytes, unless it is small and comes as a whole
	held    int64
}

// Counted returns a reader that counts a network's bytes until done.
func (g *Guard) Counted(network string, from io.Reader) *countedReader {
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
	if !c.guard.Reading.Take(c.network, bytes) {
		c.guard.Refused("reading")
		return live.ErrReading
	}
	c.held += bytes
	return nil
}

// Done gives the counted bytes back.
func (c *countedReader) Done() {
	if c.held > 0 {
		c.guard.Reading.Give(c.network, c.held)
	}
	c.held = 0
}

// RestTime is how long net/http waits for the unread rest of a body before it closes the connection. It waits for the
// answer to arrive, and no limit counts the connection meanwhile.
const RestTime = 2 * time.Second

// Hurried gives bodies little time. A handler that reads a body gives it more.
func Hurried(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			ReadUntil(w, time.Now().Add(RestTime))
		}
		next.ServeHTTP(w, r)
	})
}

// mostRest is how many bytes of a body discard reads, so that a sender who listens only after sending gets the answer.
const mostRest = 8 << 20

// Discard throws away the part of a body that arrives within restTime.
func Discard(w http.ResponseWriter, body io.Reader) {
	ReadUntil(w, time.Now().Add(RestTime))
	_, _ = io.CopyN(io.Discard, body, mostRest)
}

// ReadUntil sets the deadline for reading a request; a zero time sets none.
func ReadUntil(w http.ResponseWriter, at time.Time) {
	_ = http.NewResponseController(w).SetReadDeadline(at) // a writer without one, as in a test, keeps the server's
}

// ParseForm reads a form of at most that many bytes, or answers why it cannot. It counts the bytes for their network
// until the form is complete.
func (rs *Responder) ParseForm(w http.ResponseWriter, r *http.Request, most int64) bool {
	whole := r.Body
	body := rs.Counted(VisitorOf(r).Network, http.MaxBytesReader(w, whole, most))
	r.Body = struct {
		io.Reader
		io.Closer
	}{body, r.Body}
	ctx := r.Context()
	limit.Rest(ctx) // a slow sender waits for nobody, and nobody waits for a slow sender
	ReadUntil(w, time.Now().Add(BodyTime))
	err := r.ParseForm()
	body.Done()
	if err != nil {
		Discard(w, whole)
	}
	if err := limit.Begin(ctx); err != nil {
		rs.Busy(w, r, err)
		return false
	}
	switch {
	case err == nil:
		ReadUntil(w, time.Time{}) // the handler answers without a deadline for reading
		return true
	case errors.Is(err, live.ErrReading):
		w.Header().Set("Connection", "close") // the server does not read the rest
		rs.Busy(w, r, err)
		return false
	}
	status := http.StatusBadRequest
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	rs.Fail(w, r, status, views.Say(Language(r), "error.form"))
	return false
}

// BodyTime is how long the other end of a connection may take to send a form or a message.
const BodyTime = 30 * time.Second

// MaxForm bounds most forms.
const MaxForm = 64 << 10 // bytes
