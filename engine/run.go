package engine

import (
	"errors"
	"slices"

	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A Run is a log of actions and the world they lead to. The log determines
// everything else. It only grows: the past is a prefix, and another future is
// another run.
type Run struct {
	actions []Action
	text    int // size of the run as scenario text
	world   *World
}

// NewRun returns a run without actions.
func NewRun(h Header, properties ...Property) *Run {
	return &Run{text: len(h.String()), world: New(h, properties...)}
}

// Header returns the header that the run began with. Callers do not change what
// it points to.
func (r *Run) Header() Header { return r.world.header }

// Properties returns what the run judges in every state. Callers do not change them.
func (r *Run) Properties() []Property { return r.world.judge.properties }

// Own returns the run's own programs. Callers do not change them.
func (r *Run) Own() []*program.Program { return r.world.header.Own }

// World returns the state that the log leads to.
func (r *Run) World() *World { return r.world }

// Actions returns the log. Callers do not change it.
func (r *Run) Actions() []Action { return r.actions }

// An Outcome is what actions have done: the events that they caused, and the way back.
type Outcome struct {
	Events []Event

	world   *World
	before  *memory
	run     *Run // nil: the world belongs to no run
	actions []Action
	text    int
}

// TakeBack takes the actions back, with everything done after them. A copy of a world, which keeps no log, has no way back.
func (o Outcome) TakeBack() {
	o.world.restore(o.before)
	if o.run != nil {
		o.run.actions, o.run.text = o.actions, o.text
	}
}

// Do appends actions to the log, all or none, as DoWithin does with the highest limit.
func (r *Run) Do(actions ...Action) (Outcome, error) { return r.DoWithin(MaxActionWork, actions...) }

// DoWithin appends actions to the log, or refuses one of them and changes nothing. It refuses what takes more work than the
// limit with ErrLonger; at MaxActionWork, the highest, with ErrTooLong.
func (r *Run) DoWithin(limit int64, actions ...Action) (Outcome, error) {
	all := Outcome{world: r.world, run: r, actions: r.actions, text: r.text}
	if len(actions) == 0 {
		all.before = r.world.remember()
	}
	effort, first := r.world.meter.effort, len(r.world.events)
	for i, a := range actions {
		done, err := r.do(a, limit-(r.world.meter.effort-effort))
		if i == 0 {
			all.before = done.before
		}
		if err != nil {
			if i > 0 {
				all.TakeBack()
			}
			if err == ErrLonger && limit >= MaxActionWork { // all actions together
				err = ErrTooLong
			}
			return Outcome{}, err
		}
	}
	all.Events = r.world.events[first:]
	return all, nil
}

// do applies an action for which the log has room.
func (r *Run) do(a Action, limit int64) (Outcome, error) {
	text := len(a.String()) + len("\n")
	if r.text+text > MaxText {
		return Outcome{}, &FullError{Refusal: refuse("with this action the run as text exceeds %d KB, the most that a run may have", "加上这个动作，运行的文本会超过 %d KB 的上限", MaxText>>10), Text: MaxText}
	}
	done, err := r.world.Apply(a, limit)
	if err == nil {
		r.actions, r.text = append(r.actions, a), r.text+text
	}
	return done, err
}

// Prefix returns a new run that has done the first n actions of this one.
func (r *Run) Prefix(n int) *Run {
	twin, _ := r.PrefixAt(nil, n) // without a pace nothing ends it
	return twin
}

// PrefixAt does what Prefix does, at a pace.
func (r *Run) PrefixAt(pace Pace, n int) (*Run, error) {
	twin := NewRun(r.world.header, r.world.judge.properties...)
	for _, a := range r.actions[:n] {
		refused, ended := pace.Do(twin, a)
		if refused != nil {
			panic("engine: a replayed action was refused: " + refused.Error()) // the world is deterministic
		}
		if ended != nil {
			twin.world.Close()
			return nil, ended
		}
	}
	return twin, nil
}

// Define adds a program for clients spawned from now on. A name keeps its
// program: the log means the same in a replay.
func (r *Run) Define(p *program.Program) error {
	_, taken := r.world.header.program(p.Name)
	switch {
	case !isProgram(p.Name):
		return refuse("%q is not a program's name: small letters, digits and dashes", "%q 不是程序名：应由小写字母、数字和连字符组成", p.Name)
	case taken:
		return refuse("there is a program %s already; give yours another name", "已有程序 %s；请换一个名字", p.Name)
	case len(r.world.header.Own) >= MaxOwn:
		return refuse("a run has at most %d programs of its own", "一次运行至多自带 %d 个程序", MaxOwn)
	}
	r.world.header.Own = append(slices.Clone(r.world.header.Own), p)
	r.text += len((&Header{Own: []*program.Program{p}}).String())
	return nil
}

// Bring lets the run's clients execute those scripts from now on. Only a command that runs the user's own program calls it,
// and no server does: a script can read files, and nothing ends its endless loop.
func (r *Run) Bring(own redis.Scripts) {
	r.world.header.Scripts = own
	if r.world.facts == nil && own.Len() > 0 {
		r.world.facts = newFacts(r.world.header.Effects)
	}
}

// Serve lets nodes that maker makes execute the run's commands from now on, in place of the engine's.
func (r *Run) Serve(maker redis.Maker) {
	r.world.header.Redis = maker
	for _, n := range r.world.nodes {
		n.rest()
		n.makes = maker
	}
}

// Extended returns the run with a larger recording in place of the one of its own programs that has this name. It does the
// log again: a client of which nobody knew what it does next goes on, and everything else is as it was. A pause, a crash or
// another action on such a client may have come too late, since its program had ended already: it is left out. The run
// itself stays as it is.
func (r *Run) Extended(p *program.Program) (*Run, error) {
	i := slices.IndexFunc(r.world.header.Own, func(own *program.Program) bool { return own.Name == p.Name })
	if i < 0 || !p.Extends(r.world.header.Own[i]) {
		return nil, refuse("the program %s does something else than this run has recorded", "程序 %s 的行为与这次运行的录制内容不同", p.Name)
	}
	header := r.world.header
	header.Own = slices.Clone(header.Own)
	header.Own[i] = p
	twin := NewRun(header, r.world.judge.properties...)
	for _, a := range r.actions {
		_, err := twin.Do(a)
		if full := (*FullError)(nil); err != nil && (errors.As(err, &full) || !twin.runs(a.Client, p)) {
			twin.world.Close()
			return nil, err
		}
	}
	return twin, nil
}

// runs reports whether a client runs a program.
func (r *Run) runs(client string, p *program.Program) bool {
	c := r.world.Client(client)
	return c != nil && c.Program == p
}

// Scenario returns the run as text. Of the run's scripts it has the effects, and not the texts.
func (r *Run) Scenario() *Scenario {
	s := &Scenario{Header: r.world.header}
	if f := r.world.facts; f != nil {
		s.Header.Effects = f.within(MaxText - r.text + len(r.world.header.Effects.String()))
	}
	for i, a := range r.actions {
		s.Lines = append(s.Lines, Line{Number: i + 1, Actions: []Action{a}})
	}
	return s
}
