package web

import (
	"context"

	"lockstep/engine"
	"lockstep/web/live"
	"lockstep/web/refusal"
	"lockstep/web/runpages"
)

// Open opens a run that the server's own command has made, and returns its id.
func (s *Server) Open(e *engine.Run) (id string, err error) {
	run, err := s.Rooms.Runs.Add(context.Background(), e, live.Beginning{})
	if err != nil {
		return "", err
	}
	return run.ID(), nil
}

// Show opens a run like Open, and returns the path of its page where its first clients stand on their lanes.
func (s *Server) Show(e *engine.Run) (path string, err error) {
	run, err := s.Rooms.Runs.Add(context.Background(), e, live.Beginning{})
	if err != nil {
		return "", err
	}
	return runpages.Destination{Run: run, Step: run.Opening()}.URL(""), nil
}

// Do does an action at the end of a run, for the server's own command.
func (s *Server) Do(id, line string) error {
	run, done, err := s.Rooms.Runs.Use(context.Background(), id)
	if err != nil {
		return err
	}
	defer done()
	for {
		err := s.Rooms.Press(context.Background(), "", run, live.ReadPress("", run.Length(), line))
		if !refusal.Is(err, refusal.Stale) {
			return err
		}
	}
}
