package course

import (
	"errors"
	"slices"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/program"
)

// Begin returns a new run at the challenge's start.
func (c *Challenge) Begin() *engine.Run { return c.begun(check.All()...) }

// begun returns a new run at the start that judges these properties.
func (c *Challenge) begun(properties ...engine.Property) *engine.Run {
	return played(c.Start, len(c.Start.Actions()), properties...)
}

// played returns a run that has done the first actions of a scenario, which has been played before.
func played(s *engine.Scenario, actions int, properties ...engine.Property) *engine.Run {
	run := engine.NewRun(s.Header, properties...)
	for _, a := range s.Actions()[:actions] {
		if _, err := run.Do(a); err != nil {
			panic("course: an action was possible before: " + err.Error())
		}
	}
	return run
}

// properties returns the properties to violate. Judging all of them takes much
// longer.
func (c *Challenge) properties() []engine.Property {
	all := make([]engine.Property, len(c.Properties))
	for i, name := range c.Properties {
		p, _ := check.Named(name)
		all[i] = p.Property
	}
	return all
}

// Questions returns the explorer's questions, one for each property: can anybody break the challenge's lock?
func (c *Challenge) Questions() []explore.Question {
	all := make([]explore.Question, len(c.Properties))
	for i, name := range c.Properties {
		all[i] = c.question(name, c.Begin())
	}
	return all
}

// QuestionsOf returns the same questions about another program in the place of
// the challenge's.
func (c *Challenge) QuestionsOf(p *program.Program) []explore.Question {
	all := make([]explore.Question, len(c.Properties))
	for i, name := range c.Properties {
		all[i] = c.question(name, nil)
		all[i].Program, all[i].Timeout, all[i].Retry = p, c.Start.Options.Timeout, c.Start.Options.Retry
	}
	return all
}

// Try lets one client after the other take a fixed lock, with nobody in their
// way. A lock that they do not get, do not believe in or do not release
// violates nothing, and is no solution. Neither is a lock that outlives a
// crashed holder by more than its timeout and the second or two that a value in
// seconds takes.
func (c *Challenge) Try(p *program.Program) error {
	if r := c.try(p); r != nil {
		return r
	}
	return nil
}

func (c *Challenge) try(p *program.Program) *engine.Refusal {
	w := engine.New(engine.Header{Program: p.Name, Options: c.Start.Options, Nodes: c.Start.Nodes, Own: []*program.Program{p}})
	defer w.Close()
	var err error
	do := func(a engine.Action) {
		if err == nil {
			_, err = w.Apply(a, engine.MaxActionWork)
		}
	}
	// enter lets a client come and take the lock, if it can at once.
	enter := func(name string) *engine.Client {
		do(engine.Action{Verb: engine.VerbSpawn, Client: name})
		client := w.Client(name)
		for err == nil && client.Status == engine.Waits {
			do(engine.Action{Verb: engine.VerbStep, Client: name})
		}
		if err == nil && client.Status == engine.Failed {
			err = errors.New("its program has failed")
		}
		return client
	}
	for _, name := range []string{"C1", "C2", "C3"} {
		client := enter(name)
		switch {
		case err != nil, client.Status != engine.Inside && name == "C1":
			return nil // the explorer finds it, too, and shows the counterexample
		case client.Status != engine.Inside:
			return engine.Refuse("%s does not let in %s at once when nobody is inside: the lock is not given back", "%s 在没有人持有锁时不让 %s 立刻进入：锁没有被释放", p.Name, name)
		case !client.Believes:
			return engine.Refuse("%s lets in a client that does not believe that it holds the lock", "%s 放进来的客户端并不认为自己持有锁", p.Name)
		}
		for err == nil && client.Live() && name != "C3" {
			do(engine.Action{Verb: engine.VerbStep, Client: name})
		}
	}
	if c.bounds.Crashes == 0 {
		return nil
	}
	after := w.Client("C3").Options.Timeout + 2000
	do(engine.Action{Verb: engine.VerbCrash, Client: "C3"})
	do(engine.Action{Verb: engine.VerbTick, Time: after})
	if client := enter("C4"); err == nil && client.Status != engine.Inside {
		return engine.Refuse("%s lets nobody in for more than %s after its holder has crashed", "持有者崩溃之后，%s 超过 %s 仍不让任何客户端进入", p.Name, engine.Duration(after))
	}
	return nil
}

func (c *Challenge) question(property string, from *engine.Run) explore.Question {
	q := c.bounds
	q.Property, q.From, q.Nodes = property, from, c.Start.Nodes
	return q
}

// Lookahead asks whether a run can still break the lock from its present state, within the rest of the bounds.
func (c *Challenge) Lookahead(run *engine.Run, property string) explore.Question {
	q, used := c.question(property, run), c.Judge(run)
	q.Ticks, q.Crashes, q.NodeCrashes = max(0, q.Ticks-used.ticks), max(0, q.Crashes-used.crashes), max(0, q.NodeCrashes-used.nodeCrashes)
	q.Losses, q.Failovers = max(0, q.Losses-used.losses), max(0, q.Failovers-used.failovers)
	q.Restarts = used.nodeCrashes > 0
	if q.RestartDelay > q.Ticks {
		q.NodeCrashes = 0 // it would not be back in time
	}
	return q
}

// Program returns the program of the challenge's clients.
func (c *Challenge) Program() *program.Program { return programOf(c.Start.Header) }

// programOf returns the program that a header names; nil: there is none.
func programOf(header engine.Header) *program.Program {
	for _, p := range header.Own {
		if p.Name == header.Program {
			return p
		}
	}
	p, _ := program.Builtin(header.Program)
	return p
}

// Begins returns how many actions of a run come before the challenge.
func (c *Challenge) Begins() int { return len(c.Start.Actions()) }

// Tick returns the length of the challenge's ticks.
func (c *Challenge) Tick() engine.Time { return c.bounds.Tick }

// violates reports whether one of the events violates a property.
func violates(events []engine.Event, properties ...string) bool {
	return slices.ContainsFunc(events, func(e engine.Event) bool {
		return e.Kind == engine.Violated && slices.Contains(properties, e.Violation.Property)
	})
}
