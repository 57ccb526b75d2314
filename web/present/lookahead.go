package present

import (
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/views"
	exploreview "lockstep/views/explore"
	"lockstep/web/search"
)

// An Ahead tells a page whether a property can still be violated from a position of a run.
type Ahead struct {
	At       int             `json:"at"`
	Property string          `json:"property"`
	Verdict  explore.Verdict `json:"verdict"`
	Length   int             `json:"length"`  // of a shortest way into the violation, in actions; 0: it has happened
	Actions  []string        `json:"actions"` // that way
	Bounds   string          `json:"bounds"`
	Says     string          `json:"says"`  // all of it in a sentence; empty where the property has been violated
	Meter    [3]string       `json:"meter"` // the same in a few words: those before its number, the number, those after
	Hints    []string        `json:"hints"` // of growing help on the way there
}

// Lookahead makes the answer to a lookahead.
func Lookahead(what search.Lookahead, f search.Foresight, l lang.Language) Ahead {
	a := Ahead{At: what.At, Property: what.Property, Verdict: f.Verdict, Length: f.Length, Actions: []string{}, Bounds: f.Bounds.In(l), Hints: []string{}}
	for _, action := range f.Actions {
		a.Actions = append(a.Actions, action.String())
	}
	property, _ := check.Named(a.Property)
	if f.Verdict == explore.Spent && f.Depth > 0 { // a search that goes level by level knows the levels that it has seen
		a.Bounds = views.Say(l, "ahead.deep", exploreview.Actions(l, f.Depth), a.Bounds)
	}
	switch {
	case a.Verdict == explore.Holds, a.Verdict == explore.Spent && f.Depth > 0:
		a.Says = property.Unreachable.Fill(l, a.Bounds)
		a.Meter[0] = views.Say(l, "ahead.none", property.Harm.In(l))
	case a.Verdict == explore.Spent && f.Missing:
		a.Says = views.Say(l, "ahead.recording")
		a.Meter[0] = a.Says
	case a.Verdict == explore.Spent:
		a.Says = views.Say(l, "ahead.budget")
		a.Meter[0] = a.Says
	case a.Verdict == explore.Violated && a.Length == 0:
		a.Meter = metered(views.Say(l, "ahead.broken"), f.Broken)
	case a.Verdict == explore.Violated:
		a.Says = property.Reachable.Fill(l, exploreview.Actions(l, a.Length))
		a.Meter = metered(exploreview.Away(l, a.Length, property.Harm.In(l)), a.Length)
		a.Hints = []string{a.Says, harm(f.Cause, f.By, l), where(f.Actions[0], l)}
	}
	return a
}

// harm says which event makes a violation inevitable, and whose it is.
func harm(c explore.Cause, by string, l lang.Language) string {
	switch {
	case by == "":
		return views.Say(l, "hint.cause-none")
	case c.Command != "":
		return views.Say(l, "hint.cause-command", by, c.Command)
	case c.Kind == engine.Expire:
		return views.Say(l, "hint.cause-expire")
	case c.Kind == engine.Crash:
		return views.Say(l, "hint.cause-crash", by)
	case c.Kind == engine.Failover:
		return views.Say(l, "hint.cause-failover")
	case c.Kind == engine.Drop:
		return views.Say(l, "hint.cause-drop", by)
	case c.Kind == engine.Enter:
		return views.Say(l, "hint.cause-enter", by)
	case c.Kind == engine.Skew:
		return views.Say(l, "hint.cause-skew", by)
	}
	return views.Say(l, "hint.cause-other", by)
}

// where says on whose lane an action happens.
func where(a engine.Action, l lang.Language) string {
	switch {
	case a.Verb == engine.VerbSpawn:
		return views.Say(l, "hint.spawn")
	case a.Verb == engine.VerbTick:
		return views.Say(l, "hint.time")
	case a.Client != "":
		return views.Say(l, "hint.lane", a.Client)
	}
	return views.Say(l, "hint.lane", "Redis")
}

// metered cuts a sentence at its number.
func metered(pattern string, n int) [3]string {
	before, after, _ := strings.Cut(pattern, "{n}")
	return [3]string{before, strconv.Itoa(n), after}
}
