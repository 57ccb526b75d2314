package learn

import (
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/program"
)

// Replay runs actions with every client's process alive at once, against one world. launch starts them; nil: as they were
// started to be learned. Replay returns an error where a process does something else than its recording says.
func (l *Learner) Replay(launch Launcher, header engine.Header, actions []engine.Action) error {
	if launch == nil {
		launch = l.launch
	}
	header.Scripts = l.scripts
	world := engine.New(header)
	defer world.Close()
	r := replay{l, launch, map[string]*session{}}
	defer func() {
		for _, s := range r.live {
			s.process.Kill()
		}
	}()
	for _, a := range actions {
		if _, err := world.Apply(a); err != nil {
			return err
		}
		for _, c := range world.Clients() {
			if err := r.keepUp(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// A replay has a session for each client's life, by its name: C1-1.
type replay struct {
	*Learner
	launch Launcher
	live   map[string]*session
}

// keepUp lets a client's process observe what the client has observed since, and compares what it does then.
func (r *replay) keepUp(c *engine.Client) error {
	life := c.Name + "-" + strconv.Itoa(c.Attempt)
	s := r.live[life]
	switch {
	case c.Status == engine.Crashed:
		if s != nil {
			s.process.Kill()
		}
		return nil
	case s == nil:
		p, err := r.launch(c.Name)
		if err != nil {
			return unstarted(err)
		}
		s = newSession(p, c.Name, nil)
		s.value = func(symbol string) string { return r.valueOf(c, symbol) }
		r.live[life] = s
	}
	history := c.History()
	if len(history) < len(s.history) { // it tries again
		s.back(len(history))
	}
	if err := r.follow(s, history); err != nil {
		return err
	}
	op, known := r.recording.At(history)
	if known && (op.Kind == program.Command || op.Kind == program.End) {
		return s.arrives(op)
	}
	return nil
}

// valueOf returns the value that a symbol in a client's recording stands for: the process of another client has made it.
func (r *replay) valueOf(c *engine.Client, symbol string) string {
	owner, n := c.Other(symbol)
	s := r.live[owner]
	switch {
	case n == 0:
		return owner
	case s == nil || n > len(s.own):
		return symbol // an ended life's: nobody knows it any more
	}
	return s.own[n-1]
}

// searchable returns a recording without its text, where that is too long for a run. A search does without, and portable gives
// its counterexample the part that is needed.
func searchable(p *program.Program) *program.Program {
	if len(p.Source) <= engine.MaxText/2 {
		return p
	}
	bare := *p
	bare.Source = p.Source[:strings.IndexByte(p.Source, '\n')+1]
	return &bare
}

// portable gives a scenario all that its text needs to play where the program and its scripts are not: the effects of the
// scripts and, where the text would be too long, only that part of the recording which the run uses. It reports whether the
// text plays, and meets its expectations.
func portable(s *engine.Scenario, recording *program.Recording) bool {
	recorded, histories, err := s.Recorded(check.All()...)
	if err != nil {
		return false
	}
	*s = *recorded
	if plays(s) {
		return true
	}
	part, err := recording.Along(histories).Program(s.Own[0].Name)
	if err != nil {
		return false
	}
	s.Own = []*program.Program{part}
	if recorded, _, err = s.Recorded(check.All()...); err == nil { // there is room for more effects now
		*s = *recorded
	}
	return plays(s)
}

// plays reports whether the text of a scenario plays.
func plays(s *engine.Scenario) bool {
	read, err := engine.Parse("saved", s.String(), nil)
	if err != nil {
		return false
	}
	trace, err := read.Play("saved", check.All()...)
	if err != nil {
		return false
	}
	defer trace.Run.World().Close()
	return len(trace.Unmet) == 0
}
