package present

import (
	"slices"
	"strings"

	"lockstep/engine/lang"
	"lockstep/views"
	runview "lockstep/views/run"
)

// A Schedule describes a rerun: it repeated another run's actions, and omitted those that were no longer possible.
type Schedule struct {
	Of      string // the other run's id; empty: the run's actions are its own
	Omitted []int  // positions of the omitted actions, counted from 1
}

// A Side is one of two compared runs.
type Side struct {
	id, family string
	repeats    Schedule
	shown      runview.Compared
}

// Side returns the run as one side of a comparison.
func (r Run) Side(l lang.Language) Side {
	names := slices.Compact(slices.Sorted(slices.Values(r.UsedPrograms())))
	if header := r.Engine.Scenario().Header.Program; len(names) == 0 && header != "" {
		names = []string{header}
	}
	return Side{r.ID, r.Branches[0].Run, r.Repeats, runview.Compared{Path: RunPath(r.ID), Program: strings.Join(names, ", "), Name: r.title(l)}}
}

// UsedPrograms returns the names of the clients' programs.
func (r Run) UsedPrograms() []string {
	var names []string
	for _, c := range r.Engine.World().Clients() {
		if c.Program != nil {
			names = append(names, c.Program.Name)
		}
	}
	return names
}

// PutBeside puts another run, and the beginning of its log, beside the run of a page. If a rerun has left actions out,
// the page says it in Refusal, which moves into the comparison.
func PutBeside(page *runview.Page, here, there Side, log *Piece) {
	beside := &runview.Beside{ID: there.id, Here: here.shown, There: there.shown, Back: here.shown.Path, Lesson: page.Task != nil, Omissions: page.Refusal}
	if here.repeats.Of == there.id {
		beside.Back = there.shown.Path // the reader has come from there
	}
	if here.family != there.family {
		beside.There.Name = there.shown.Path // both may be the first of their family
	}
	page.Beside, page.Refusal = beside, ""
	page.Task, page.Data.Task = nil, "" // the lesson stays on the run's own page
	onHere, onThere := beside.Labels()
	page.Data.Beside = &runview.BesideData{
		Run: there.id, Path: there.shown.Path, Here: onHere, There: onThere, Log: log,
		Omitted: omitted(here, there), Words: views.BesideWords(page.Lang),
	}
}

// omitted returns the actions that each run has left out of their common schedule. Without a common schedule it
// returns none: the same number of actions is the same position.
func omitted(here, there Side) runview.Omitted {
	switch a, b := here.repeats, there.repeats; {
	case a.Of == there.id:
		return runview.Omitted{Here: a.Omitted, There: []int{}}
	case b.Of == here.id:
		return runview.Omitted{Here: []int{}, There: b.Omitted}
	case a.Of != "" && a.Of == b.Of:
		return runview.Omitted{Here: a.Omitted, There: b.Omitted}
	}
	return runview.Omitted{Here: []int{}, There: []int{}}
}

// Omissions says how many actions a schedule had to leave out.
func Omissions(l lang.Language, n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return views.Say(l, "rerun.omitted-one")
	}
	return views.Say(l, "rerun.omitted", n)
}
