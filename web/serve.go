package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"lockstep/web/door"
	"lockstep/web/limit"
)

// How long the other end of a connection may take.
const (
	headerTime = 10 * time.Second // to send a request's header
	answerTime = 5 * time.Minute  // to take the answer, also that of a long search
	idleTime   = 2 * time.Minute  // to send the next request
	endTime    = 10 * time.Second // to get the last answer when the server shuts down

	maxHeader = 32 << 10 // bytes
)

// Serve answers requests until ctx ends. Then /healthz reports the shutdown, and the
// server goes on for the time of drain, so that a balancer can notice. After that it
// takes no more connections, tells every socket to connect again, ends the searches
// and answers the last requests. Serve closes the server, too.
func (s *Server) Serve(ctx context.Context, l net.Listener, drain time.Duration) error {
	idle := limit.NewIdle(s.Guard.Connections, func() { s.Refused("connections") })
	server := &http.Server{
		Handler: s.Handler(), ErrorLog: s.HttpLog(), MaxHeaderBytes: maxHeader,
		ReadHeaderTimeout: headerTime, ReadTimeout: door.BodyTime, WriteTimeout: answerTime, IdleTimeout: idleTime,
		// A connection becomes active once the whole header of a request has arrived.
		ConnState: func(c net.Conn, state http.ConnState) {
			idle.Note(c, state == http.StateNew || state == http.StateIdle)
		},
	}
	if _, err := s.health.check(ctx); err != nil {
		s.tellHealth(err) // the part may recover; /healthz reports the failure until then
	}
	paced := limit.Listener{Listener: l, Arrivals: s.Guard.Arrivals, Trusted: s.Proxies, Refused: func() { s.Refused("arrivals") }}
	go s.Survives(s.explore.Prepare, func() {})()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(paced) }()
	select {
	case err := <-failed:
		s.Close()
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	s.Log.Info("ending")
	s.health.end()
	if drain > 0 {
		time.Sleep(drain)
	}
	ending, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- server.Shutdown(ending) }()
	idle.Close() // Shutdown would wait for new connections
	s.dismiss()
	err := <-ended
	if errors.Is(err, context.DeadlineExceeded) {
		s.Log.Warn("some requests were not answered in time")
		err = server.Close()
	}
	s.closeStore()
	s.Log.Info("ended")
	return err
}
