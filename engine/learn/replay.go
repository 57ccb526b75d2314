package learn

import (
	"slices"
	"strconv"

	"lockstep/engine"
	"lockstep/engine/program"
)

// Replay runs actions with every client's process alive at once, against one world. It returns an error where a process does
// something else than its recording says.
func (l *Learner) Replay(header engine.Header, actions []engine.Action) error {
	header.Scripts = l.scripts
	world := engine.New(header)
	defer world.Close()
	live := map[string]*session{}
	defer func() {
		for _, s := range live {
			s.process.Kill()
		}
	}()
	for _, a := range actions {
		if _, err := world.Apply(a); err != nil {
			return err
		}
		for _, c := range world.Clients() {
			if err := l.keepUp(live, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepUp lets a client's process observe what the client has observed since, and compares what it does then.
func (l *Learner) keepUp(live map[string]*session, c *engine.Client) error {
	life := c.Name + "-" + strconv.Itoa(c.Attempt)
	s := live[life]
	switch {
	case c.Status == engine.Crashed:
		if s != nil {
			s.process.Kill()
		}
		return nil
	case s == nil:
		l.starts++
		p, err := l.launch(c.Name)
		if err != nil {
			return err
		}
		s = newSession(p, c.Name, nil)
		s.value = func(symbol string) string { return valueOf(live, c, symbol) }
		live[life] = s
	}
	history := c.History()
	if len(history) < len(s.history) { // it tries again
		s.back(len(history))
	}
	if err := l.follow(s, history); err != nil {
		return err
	}
	op, known := l.recording.At(history)
	if known && (op.Kind == program.Command || op.Kind == program.End) {
		return s.arrives(op)
	}
	return nil
}

// valueOf returns the value that a symbol in a client's recording stands for: the process of another client has made it.
func valueOf(live map[string]*session, c *engine.Client, symbol string) string {
	owner, n := c.Other(symbol)
	s := live[owner]
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
