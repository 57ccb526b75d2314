package web

import (
	"lockstep/engine"
	"lockstep/web/refusal"
	"lockstep/web/session"
)

// Open opens a run that the server's own command has made, and returns its id.
func (s *Server) Open(e *engine.Run) (id string, err error) {
	run, err := s.sessions.Runs.Add(nil, e, session.Beginning{})
	if err != nil {
		return "", err
	}
	return run.ID(), nil
}

// Do does an action at the end of a run, for the server's own command.
func (s *Server) Do(id, line string) error {
	run, done, err := s.sessions.Runs.Use(nil, id)
	if err != nil {
		return err
	}
	defer done()
	for {
		err := s.sessions.Press(nil, "", run, session.ReadPress("", run.Length(), line))
		if !refusal.Is(err, refusal.Stale) {
			return err
		}
	}
}
