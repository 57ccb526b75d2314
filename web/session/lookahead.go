package session

import (
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/views"
)

// An Ahead says whether a property can still be violated from a position of a run.
type Ahead struct {
	At       int             `json:"at"`
	Property string          `json:"property"`
	Verdict  explore.Verdict `json:"verdict"`
	Length   int             `json:"length"`  // of a shortest way into the violation, in actions; 0: it is there
	Actions  []string        `json:"actions"` // that way
	Bounds   string          `json:"bounds"`
	Says     string          `json:"says"` // all of it in a sentence; nothing where it is violated already
}

// A Lookahead is a question of a run's readers: what, and from where.
type Lookahead struct {
	At       int
	Property string
}

// A Foreseen is an answer for readers of every language.
type Foreseen struct {
	Ahead
	Bounds lang.Text
}

// In returns the answer for a reader.
func (f Foreseen) In(l lang.Language) Ahead {
	a, in := f.Ahead, lang.Language(l)
	a.Bounds = f.Bounds.In(in)
	property, _ := check.Named(a.Property)
	switch {
	case a.Verdict == explore.Spent:
		a.Says = views.Say(l, "ahead.budget")
	case a.Verdict == explore.Holds:
		a.Says = property.Unreachable.Fill(in, a.Bounds)
	case a.Length > 0:
		a.Says = property.Reachable.Fill(in, views.Actions(l, a.Length))
	}
	return a
}

// LookaheadsKept is how many answers a run keeps.
const LookaheadsKept = 64
