package web

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
)

// queue is how many frames may wait for a viewer. One that reads more slowly is
// dropped; it connects again and is told the whole state.
const queue = 64

// A viewer is one socket: the goroutine of its request reads, another writes.
type viewer struct {
	language views.Language
	socket   socket
	out      chan frame // closed by the reader once nobody sends to it any more
	drop     func()     // closes the socket, once
}

func newViewer(l views.Language, s socket) *viewer {
	return &viewer{language: l, socket: s, out: make(chan frame, queue), drop: sync.OnceFunc(func() { _ = s.Close() })}
}

// send never waits: whoever holds the run's lock calls it.
func (v *viewer) send(f frame) {
	select {
	case v.out <- f:
	default:
		v.drop()
	}
}

// write sends what is queued until the queue is closed, and then closes the socket.
func (v *viewer) write() {
	defer v.drop()
	pings := time.NewTicker(pingTime)
	defer pings.Stop()
	for {
		var f frame
		select {
		case next, ok := <-v.out:
			if !ok {
				return
			}
			f = next
		case <-pings.C:
			f = ping
		}
		if err := v.socket.Send(f); err != nil {
			v.drop() // the reader notices and closes the queue
		}
	}
}

// read does what the viewer asks for, until its socket ends or it sends what
// is too large to be read over.
func (v *viewer) read(r *run) {
	for {
		data, err := v.socket.Receive()
		var q request
		switch {
		case err == nil:
			q, err = parseRequest(data)
		case !errors.Is(err, errBinary) && !errors.Is(err, errLarge):
			return
		}
		large := errors.Is(err, errLarge)
		if err == nil {
			err = r.do(q)
		}
		if err != nil {
			f := explain(err, v.language)
			f.ID = q.ID
			v.send(newFrame(f))
		}
		if large {
			return
		}
	}
}

// do carries a request out.
func (r *run) do(q request) error {
	switch q.Type {
	case "act":
		return r.act(*q.At, q.ID, q.Action)
	case "undo":
		return r.undo(*q.At, q.ID)
	case "reset":
		return r.reset(*q.At, q.ID)
	}
	return r.define(q.ID, q.Name, q.Source)
}

// live is the socket of a viewer.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	l := language(r)
	run, done, err := s.runs.use(chi.URLParam(r, "id"))
	if err != nil {
		http.Error(w, l.Say("error.full"), http.StatusServiceUnavailable)
		return
	}
	defer done()
	if run.crowded(s.maxViewers) {
		http.Error(w, l.Say("error.crowded"), http.StatusServiceUnavailable)
		return
	}
	socket, err := upgrade(w, r)
	if err != nil {
		s.log.Debug("socket", "run", run.id, "err", err)
		return
	}
	v := newViewer(l, socket)
	if !s.sockets.add(v) {
		v.drop()
		return
	}
	defer s.sockets.remove(v)
	defer done() // before Close goes on
	var writer sync.WaitGroup
	writer.Go(v.write)
	defer writer.Wait()
	defer close(v.out)
	if run.join(v, s.maxViewers) {
		defer run.leave(v)
		v.read(run)
	}
}

func (r *run) crowded(most int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.viewers) >= most
}

// sockets are those that are open, so that they can be closed.
type sockets struct {
	mu      sync.Mutex
	open    map[*viewer]struct{}
	closed  bool
	waiting sync.WaitGroup
}

func (s *sockets) add(v *viewer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	if s.open == nil {
		s.open = map[*viewer]struct{}{}
	}
	s.open[v] = struct{}{}
	s.waiting.Add(1)
	return true
}

func (s *sockets) remove(v *viewer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, v)
	s.waiting.Done()
}

func (s *sockets) close() {
	s.mu.Lock()
	s.closed = true
	for v := range s.open {
		v.drop()
	}
	s.mu.Unlock()
	s.waiting.Wait()
}
