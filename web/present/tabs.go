package present

import (
	"slices"
	"strings"

	"lockstep/engine/lang"
	"lockstep/views"
	runview "lockstep/views/run"
)

// A Branch is a run of a family: the first run, or a run that branched off another run's past.
type Branch struct {
	Run  string // its id
	Name string // its position and what it does there, or its program; empty: the first run of the family
	Not  string // what the run beside it has done there; empty: nothing
}

// tabs returns a tab for each run of the family.
func (r Run) tabs(l lang.Language) []runview.Tab {
	if r.Task.Challenge != nil {
		return nil // what an undo has left behind is no branch to the reader
	}
	tabs := make([]runview.Tab, len(r.Branches))
	for i, b := range r.Branches {
		name := b.title(l)
		if slices.ContainsFunc(tabs[:i], func(t runview.Tab) bool { return t.Name == name }) {
			name = shorten(b.Name, tabShown) // it has the position, too
		}
		tabs[i] = runview.Tab{Name: name, Path: RunPath(b.Run), Current: b.Run == r.ID}
		if !tabs[i].Current {
			tabs[i].Compare = RunPath(r.ID) + "?beside=" + b.Run
		}
	}
	return tabs
}

// title returns the text of the run's tab.
func (r Run) title(l lang.Language) string {
	for _, b := range r.Branches {
		if b.Run == r.ID {
			return b.title(l)
		}
	}
	return Branch{}.title(l)
}

func (b Branch) title(l lang.Language) string {
	if b.Name == "" {
		return views.Say(l, "branch.first")
	}
	_, line, _ := strings.Cut(b.Name, ": ")
	line, again, _ := strings.Cut(line, " (") // the second of that name
	if again != "" {
		again = " (" + again
	}
	verb, client, _ := strings.Cut(line, " ")
	before, other, _ := strings.Cut(b.Not, " ")
	switch {
	case verb == "step" && before == "step" && client != other:
		return views.Say(l, "branch.before", client, other) + again
	case verb == "tick":
		return views.Say(l, "tick", client) + again
	case strings.Contains(client, " "): // it has options
	case verb == "crash" && client != "", verb == "step", verb == "spawn", verb == "pause":
		return views.Say(l, "branch."+verb, client) + again
	}
	return shorten(b.Name, tabShown)
}
