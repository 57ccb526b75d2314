package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"lockstep/web/limit"
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
	idle := limit.NewIdle(s.guard.connections, func() { s.refused("connections") })
	server := &http.Server{
		Handler: s.Handler(), ErrorLog: s.httpLog(), MaxHeaderBytes: maxHeader,
		ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, WriteTimeout: answerTime, IdleTimeout: idleTime,
		// A connection is active as soon as the whole header of a request has come.
		ConnState: func(c net.Conn, state http.ConnState) {
			idle.Note(c, state == http.StateNew || state == http.StateIdle)
		},
	}
	if _, err := s.health.check(ctx); err != nil {
		s.tellHealth(err) // it may come back; /healthz says so until then
	}
	paced := limit.Listener{Listener: l, Arrivals: s.guard.arrivals, Trusted: s.proxies, Refused: func() { s.refused("arrivals") }}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(paced) }()
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
	idle.Close() // Shutdown would wait for those that are new
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
