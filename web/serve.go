package web

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// How long whoever is at the other end may take.
const (
	headerTime = 10 * time.Second // to ask
	bodyTime   = 30 * time.Second // to send a form
	answerTime = 5 * time.Minute  // to take the answer, which may be that of a search
	idleTime   = 2 * time.Minute  // to ask again
	endTime    = 10 * time.Second // to be answered when the server ends

	maxHeader = 32 << 10 // bytes
)

// Serve answers requests until ctx ends. Then the server says that it is ending and
// goes on for the time of drain, so that a balancer can notice; it takes no more
// connections, tells every socket to connect again, ends the searches, and answers
// what it has been asked. Close comes with it.
func (s *Server) Serve(ctx context.Context, l net.Listener, drain time.Duration) error {
	waiting := newWaiting(s.guard.connections, func() { s.refused("connections") })
	server := &http.Server{
		Handler: s.Handler(), ErrorLog: s.httpLog(), ConnState: waiting.changed, MaxHeaderBytes: maxHeader,
		ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, WriteTimeout: answerTime, IdleTimeout: idleTime,
	}
	if _, err := s.health.check(ctx); err != nil {
		s.tellHealth(err) // it may come back; /healthz says so until then
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(pacedListener{l, s}) }()
	select {
	case err := <-failed:
		s.Close()
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	s.log.Info("ending")
	s.health.end()
	if drain > 0 {
		time.Sleep(drain)
	}
	ending, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- server.Shutdown(ending) }()
	waiting.close() // Shutdown would wait for those that are new
	s.dismiss()
	err := <-ended
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("some requests were not answered in time")
		err = server.Close()
	}
	s.closeStore()
	s.log.Info("ended")
	return err
}

// waiting are the connections without a request: those that are new, and those
// whose last one has been answered. They cost memory and a file each, and whoever
// opens thousands of them wants just that. When there are too many, the one that
// has waited longest is closed, of the address that has the most of them.
type waiting struct {
	most   int
	closed func() // is told of each

	mu     sync.Mutex
	of     map[netip.Addr]*list.List // of net.Conn, by the address at the other end
	all    map[net.Conn]*list.Element
	ending bool
}

func newWaiting(most int, closed func()) *waiting {
	return &waiting{most: most, closed: closed, of: map[netip.Addr]*list.List{}, all: map[net.Conn]*list.Element{}}
}

// changed is told by http.Server what becomes of a connection. It is active as soon
// as the whole header of a request has come.
func (w *waiting) changed(c net.Conn, state http.ConnState) {
	if given := w.note(c, state == http.StateNew || state == http.StateIdle); given != nil {
		_ = given.Close() // whoever is at the other end is not waited for
	}
}

// note keeps whether a connection waits, and gives the one that has to be closed for it.
func (w *waiting) note(c net.Conn, waits bool) net.Conn {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove(c)
	switch {
	case !waits:
		return nil
	case w.ending:
		return c
	}
	w.add(c)
	if len(w.all) <= w.most {
		return nil
	}
	longest := w.longest()
	w.remove(longest)
	w.closed()
	return longest
}

func (w *waiting) add(c net.Conn) {
	a := peer(c.RemoteAddr().String())
	if w.of[a] == nil {
		w.of[a] = list.New()
	}
	w.all[c] = w.of[a].PushBack(c)
}

func (w *waiting) remove(c net.Conn) {
	at := w.all[c]
	if at == nil {
		return
	}
	delete(w.all, c)
	a := peer(c.RemoteAddr().String())
	if w.of[a].Remove(at); w.of[a].Len() == 0 {
		delete(w.of, a)
	}
}

// longest is the first connection of the address that has the most.
func (w *waiting) longest() net.Conn {
	var greediest *list.List
	for _, l := range w.of {
		if greediest == nil || l.Len() > greediest.Len() {
			greediest = l
		}
	}
	return greediest.Front().Value.(net.Conn)
}

// close closes all of them, and whoever waits from now on.
func (w *waiting) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ending = true
	for c := range w.all {
		_ = c.Close()
	}
}
