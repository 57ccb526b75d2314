package course

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/program"
)

// Begin is a run of its own that stands where the challenge begins.
func (c *Challenge) Begin() *engine.Run { return c.run.Prefix(len(c.run.Actions())) }

// Questions ask the explorer whether the challenge's lock can be broken, one for each property.
func (c *Challenge) Questions() []explore.Question {
	var all []explore.Question
	for _, name := range c.Properties {
		all = append(all, c.question(name))
	}
	return all
}

// QuestionsOf ask the same about another program in the place of the challenge's.
func (c *Challenge) QuestionsOf(p *program.Program) []explore.Question {
	all := c.Questions()
	for i := range all {
		options := c.Start.Options
		all[i].From, all[i].Program, all[i].Timeout, all[i].Retry = nil, p, options.Timeout, options.Retry
		all[i].Nodes = c.Start.Nodes
	}
	return all
}

func (c *Challenge) question(property string) explore.Question {
	q := c.bounds
	q.Property = property
	q.From = c.Begin()
	return q
}

// FromHere asks whether the lock can still be broken from where a run stands, within what is left of the bounds.
func (c *Challenge) FromHere(run *engine.Run, property string) explore.Question {
	q := c.bounds
	q.Property, q.From = property, run
	used := c.Judge(run)
	q.Ticks, q.Crashes, q.NodeCrashes = max(0, q.Ticks-used.ticks), max(0, q.Crashes-used.crashes), max(0, q.NodeCrashes-used.nodeCrashes)
	return q
}

// program is what the challenge's clients run.
func (c *Challenge) program() *program.Program {
	header := c.run.Header()
	for _, p := range header.Own {
		if p.Name == header.Program {
			return p
		}
	}
	p, _ := program.Builtin(header.Program)
	return p
}

// Program is what the challenge's clients run.
func (c *Challenge) Program() *program.Program { return c.program() }

// Bounds says within which bounds the challenge is to be taken.
func (c *Challenge) Bounds(in engine.Language) string {
	return c.question(c.Properties[0]).Bounds(in)
}

// violated reports whether a property has been violated at any moment so far.
func violated(w *engine.World, property string) bool {
	return slices.ContainsFunc(w.Events(), func(e engine.Event) bool { return e.Kind == engine.Violated && e.Violation.Property == property })
}
