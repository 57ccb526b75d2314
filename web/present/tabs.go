package present

import (
	"lockstep/engine/lang"
	"lockstep/views"
	runview "lockstep/views/run"
)

// A Branch is a run of a family: the first run, or a run that branched off another run's past.
type Branch struct {
	Run  string // its id
	Name string // empty: the first run of the family
}

// tabs returns a tab for each run of the family.
func (r Run) tabs(l lang.Language) []runview.Tab {
	if r.Task.Challenge != nil {
		return nil // what an undo has left behind is no branch to the reader
	}
	tabs := make([]runview.Tab, len(r.Branches))
	for i, b := range r.Branches {
		tabs[i] = runview.Tab{Name: b.title(l), Path: RunPath(b.Run), Current: b.Run == r.ID}
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
	return shorten(b.Name, tabShown)
}
