package engine

import (
	"slices"

	"lockstep/engine/program"
)

// A Run is a log of actions and the world they lead to. The log is the run:
// everything else can be made again from it. It is only ever appended to: the
// past is a prefix, and another future is another run.
type Run struct {
	header     Header
	properties []Property
	actions    []Action
	world      *World
}

// NewRun returns a run without actions.
func NewRun(h Header, properties ...Property) *Run {
	return &Run{header: h, properties: properties, world: New(h, properties...)}
}

// Header is what the run began with. Do not change what it points to.
func (r *Run) Header() Header { return r.header }

// Own are the programs that the run brings along. Do not change them.
func (r *Run) Own() []*program.Program { return r.header.Own }

// World is the state the log leads to.
func (r *Run) World() *World { return r.world }

// Actions is the log. Do not change it.
func (r *Run) Actions() []Action { return r.actions }

// Do appends an action and returns the events it caused, or refuses it.
func (r *Run) Do(a Action) ([]Event, error) {
	events, err := r.world.Apply(a)
	if err == nil {
		r.actions = append(r.actions, a)
	}
	return events, err
}

// Prefix is a run of its own that has done the first n actions of this one.
func (r *Run) Prefix(n int) *Run {
	twin := NewRun(r.header, r.properties...)
	for _, a := range r.actions[:n] {
		if _, err := twin.Do(a); err != nil {
			panic("engine: a replayed action was refused: " + err.Error()) // the world is deterministic
		}
	}
	return twin
}

// Define brings a program along, for clients spawned from now on. A name stays
// what it is, so that the log means the same when it is replayed.
func (r *Run) Define(p *program.Program) error {
	_, taken := r.header.program(p.Name)
	switch {
	case !isProgram(p.Name):
		return refuse("%q is not a program's name: small letters, digits and dashes", "%q 不是程序名：应由小写字母、数字和连字符组成", p.Name)
	case taken:
		return refuse("there is a program %s already; give yours another name", "已有程序 %s；请换一个名字", p.Name)
	case len(r.header.Own) >= MaxOwn:
		return refuse("a run brings along at most %d programs of its own", "一次运行至多自带 %d 个程序", MaxOwn)
	}
	r.header.Own = append(slices.Clone(r.header.Own), p)
	r.world.header.Own = r.header.Own
	return nil
}

// Scenario is the run as text.
func (r *Run) Scenario() *Scenario {
	s := &Scenario{Header: r.header}
	for i, a := range r.actions {
		s.Lines = append(s.Lines, Line{Number: i + 1, Actions: []Action{a}})
	}
	return s
}
