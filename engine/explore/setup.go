package explore

import (
	"fmt"
	"slices"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/program"
)

// setup makes every choice that the question leaves open, or returns the mistake in the question.
func (q Question) setup() (*setup, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	q = q.withDefaults()
	s := &setup{Question: q, nodes: q.Nodes, start: engine.Start}
	if q.From != nil {
		s.fromRun()
	} else {
		s.fromProgram()
	}
	if s.storage {
		s.nodes++
	}
	s.lengths = []uint32{1}
	if len(q.Lengths) > 0 {
		s.lengths = s.lengths[:0]
		for _, l := range q.Lengths {
			s.lengths = append(s.lengths, uint32(l/q.Tick))
		}
	}
	s.simple = !s.byName && s.nodes == 1 && !slices.ContainsFunc(s.variant, func(kind int) bool { return kind != 0 })
	if p, ok := check.Named(q.Property); ok {
		s.property, s.looks = p.Property, p.Looks
	}
	s.property.Explain = nil // there is no log here to find a cause in
	s.lasting = s.property.Name != "" && !s.property.Momentary
	s.midTick = s.midTick && s.lasting && s.property.Inside > 0 // only who is inside changes its mind then
	return s, nil
}

// Header returns the header of the question's runs, where they do not begin with a run.
func (q Question) Header() engine.Header {
	q = q.withDefaults()
	h := engine.Header{Program: q.Program.Name, Options: engine.Options{Timeout: q.Timeout, Retry: q.Retry}, Scripts: q.Scripts, Redis: q.Redis, Within: q.Within}
	if q.Nodes > 1 {
		h.Nodes = q.Nodes
	}
	if builtin, ok := program.Builtin(q.Program.Name); !ok || builtin != q.Program {
		h.Own = []*program.Program{q.Program}
	}
	return h
}

// fromProgram sets up clients that all run the same program.
func (s *setup) fromProgram() {
	s.header = s.Header()
	s.byName, s.storage, s.midTick = s.Program.UsesName(), s.Program.UsesStorage(), s.Program.DefinesHolds()
	for _, name := range clientNames(s.Clients) {
		options := engine.Options{Skew: s.Skew[name]}
		s.names = append(s.names, name)
		s.options = append(s.options, options)
		same := slices.IndexFunc(s.options[:len(s.options)-1], func(o engine.Options) bool { return o == options })
		if same < 0 {
			same = len(s.options) - 1
		}
		s.variant = append(s.variant, same)
	}
}

// fromRun sets up a run that goes on: no two of its clients are alike.
func (s *setup) fromRun() {
	w := s.From.World()
	s.header, s.start, s.nodes, s.byName = s.From.Header(), w.Now(), len(w.Nodes()), true
	s.header.Within = s.Within
	s.storage = w.UsesStorage()
	latest := latestSpawn(s.From)
	s.program, latest.Options.Skew = latest.Program, 0
	s.midTick = true
	s.names = s.participants()
	s.options = make([]engine.Options, len(s.names))
	for i := len(w.Clients()); i < len(s.names); i++ {
		s.options[i] = latest.Options
	}
	s.variant = make([]int, len(s.names))
}

// furthest returns how many units of Tick may pass.
func (s *setup) furthest() int { return s.Ticks * int(s.lengths[len(s.lengths)-1]) }

// mostMoves returns how many ticks a state counts beside the time that has passed. Where ticks have one length, the time tells.
func (s *setup) mostMoves() int {
	if len(s.lengths) == 1 {
		return 0
	}
	return s.Ticks
}

// mayTick reports whether the clock may move in a state.
func (s *setup) mayTick(at *state) bool {
	if len(s.lengths) == 1 {
		return int(at.ticks) < s.Ticks*int(s.lengths[0])
	}
	return int(at.moves) < s.Ticks
}

// leaves reports whether a recorded client that is inside and could leave counts like one with a message in flight.
func (q Question) leaves() bool { return q.Clocked && q.Property == check.BoundedWait.Name }

// participants returns the names of the clients: for a run those that have come, and those that may still come.
func (q Question) participants() []string {
	if q.From == nil {
		return clientNames(q.Clients)
	}
	w, names := q.From.World(), []string{}
	for _, c := range w.Clients() {
		names = append(names, c.Name)
	}
	if q.From.Header().Program == "" && latestSpawn(q.From).Program == "" {
		return names // nobody says which program they would run
	}
	for i := 1; len(names) < min(q.Clients, engine.MaxClients); i++ {
		if name := fmt.Sprintf("C%d", i); w.Client(name) == nil {
			names = append(names, name)
		}
	}
	return names
}

// latestSpawn returns the action that spawned the latest client, or the zero
// action.
func latestSpawn(run *engine.Run) engine.Action {
	for _, a := range slices.Backward(run.Actions()) {
		if a.Verb == engine.VerbSpawn {
			return a
		}
	}
	return engine.Action{}
}

// defaultWithin is how long a client may wait for the lock where nobody says it, ms.
const defaultWithin = 10_000

// withDefaults returns the question with the lengths of time that it leaves open.
func (q Question) withDefaults() Question {
	if q.Tick == 0 {
		q.Tick = 1000
	}
	if q.Retry == 0 {
		q.Retry = q.Tick
	}
	if q.Property != check.BoundedWait.Name {
		q.Within = 0
	} else if q.Within == 0 {
		q.Within = defaultWithin
		if q.From != nil && q.From.Header().Within > 0 {
			q.Within = q.From.Header().Within
		}
	}
	q.Nodes = max(1, q.Nodes)
	q.Replies = q.Replies || q.Losses > 0
	return q
}

// clientNames returns C1, C2, … in the order in which they are spawned.
func clientNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("C%d", i+1)
	}
	return names
}
