package learn

import (
	"slices"
	"strconv"

	"lockstep/engine"
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

// lives returns the histories of all clients at the end of some actions.
func lives(header engine.Header, actions []engine.Action) [][]string {
	world := engine.New(header)
	defer world.Close()
	var all [][]string
	for _, a := range actions {
		if _, err := world.Apply(a); err != nil {
			break
		}
		for _, c := range world.Clients() {
			if history := c.History(); !slices.ContainsFunc(all, func(other []string) bool { return slices.Equal(other, history) }) {
				all = append(all, history)
			}
		}
	}
	return all
}
