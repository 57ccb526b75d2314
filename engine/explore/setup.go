package explore

import (
	"fmt"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/program"
)

// setup makes every choice that the question leaves open, or says what is wrong with it.
func (q Question) setup() (*setup, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	if q.Tick == 0 {
		q.Tick = 1000
	}
	if q.Retry == 0 {
		q.Retry = q.Tick
	}
	s := &setup{Question: q, nodes: max(1, q.Nodes), start: engine.Start, own: q.Program.UsesName()}
	s.header = engine.Header{Program: q.Program.Name, Options: engine.Options{Timeout: q.Timeout, Retry: q.Retry}, Nodes: q.Nodes}
	if builtin, ok := program.Builtin(q.Program.Name); !ok || builtin != q.Program {
		s.header.Own = []*program.Program{q.Program}
	}
	s.property, _ = check.Named(q.Property)
	s.property.Explain = nil // there is no log here to find a cause in
	for _, name := range clientNames(q.Clients) {
		options := engine.Options{Skew: q.Skew[name]}
		s.names = append(s.names, name)
		s.options = append(s.options, options)
		s.kind = append(s.kind, options.String())
	}
	return s, nil
}

// clientNames are C1, C2, … in the order in which they are spawned.
func clientNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("C%d", i+1)
	}
	return names
}
