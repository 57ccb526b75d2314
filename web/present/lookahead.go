package present

import (
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/search"
)

// An Ahead tells a page whether a property can still be violated from a position of a run.
type Ahead struct {
	At       int             `json:"at"`
	Property string          `json:"property"`
	Verdict  explore.Verdict `json:"verdict"`
	Length   int             `json:"length"`  // of a shortest way into the violation, in actions; 0: it is there
	Actions  []string        `json:"actions"` // that way
	Bounds   string          `json:"bounds"`
	Says     string          `json:"says"` // all of it in a sentence; empty where the property is violated already
}

// Lookahead makes the answer to a lookahead.
func Lookahead(what search.Lookahead, f search.Foresight, l lang.Language) Ahead {
	a := Ahead{At: what.At, Property: what.Property, Verdict: f.Verdict, Length: f.Length, Actions: []string{}, Bounds: f.Bounds.In(l)}
	for _, action := range f.Actions {
		a.Actions = append(a.Actions, action.String())
	}
	property, _ := check.Named(a.Property)
	switch {
	case a.Verdict == explore.Spent:
		a.Says = views.Say(l, "ahead.budget")
	case a.Verdict == explore.Holds:
		a.Says = property.Unreachable.Fill(l, a.Bounds)
	case a.Length > 0:
		a.Says = property.Reachable.Fill(l, views.Actions(l, a.Length))
	}
	return a
}
