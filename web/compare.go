package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/views"
)

// A destination is where a form leads to.
type destination struct {
	run     *run
	step    int    // anywhere: its end
	beside  *run   // to be compared with; nothing: none
	omitted int    // actions of a schedule that were not possible
	guess   string // what was predicted, for a page without scripts
}

// address is that of a destination, the base path included.
func (s *Server) address(d destination) string {
	query := url.Values{}
	if d.step != anywhere && d.step != d.run.length() {
		query.Set("step", strconv.Itoa(d.step))
	}
	if d.beside != nil && d.beside != d.run {
		query.Set("beside", d.beside.id)
	}
	if d.omitted > 0 {
		query.Set("omitted", strconv.Itoa(d.omitted))
	}
	if d.guess != "" {
		query.Set("guess", d.guess)
	}
	target := s.base + d.run.path()
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	return target
}

// putBeside lays another run beside the one that the page shows, or says why it
// cannot. What a rerun has left out is part of the comparison.
func (s *Server) putBeside(q *http.Request, page *views.Page, r *run, id string) {
	if id == "" {
		return
	}
	other, done, err := s.runs.look(askerOf(q), id)
	if err == nil {
		defer done()
		err = s.mayLook(q, other)
	}
	if id == r.id || err != nil || other.untouched() {
		why := page.Lang.Say("compare.unknown")
		if id == r.id {
			why = page.Lang.Say("compare.itself")
		}
		page.Refusal = strings.TrimSpace(page.Refusal + " " + why)
		return
	}
	beside := &views.Beside{ID: id, Path: other.path(), Here: r.compared(page.Lang), There: other.compared(page.Lang)}
	if !other.family.same(r.family) {
		beside.There.Name = other.path() // both may be the first of their family
	}
	page.Beside = beside
	beside.Omissions, page.Refusal = page.Refusal, ""
	here, there := beside.Labels()
	missingHere, missingThere := omittedBy(r, other)
	other.mu.Lock()
	defer other.mu.Unlock()
	page.Data.Beside = &views.BesideData{
		Run: other.id, Path: other.path(), Here: here, There: there, Log: other.begins(askerOf(q), page.Lang),
		Omitted: views.Omitted{Here: missingHere, There: missingThere}, Words: page.Lang.BesideWords(),
	}
}

// compared is a run as one of two.
func (r *run) compared(l views.Language) views.Compared {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := slices.Compact(slices.Sorted(slices.Values(r.usedPrograms())))
	if header := r.engine.Scenario().Header.Program; len(names) == 0 && header != "" {
		names = []string{header}
	}
	return views.Compared{Program: strings.Join(names, ", "), Name: r.family.title(r, l)}
}

// A schedule is what a run has done again: the actions of another run, but for
// those that were not possible any more.
type schedule struct {
	of      string // the other run's id
	omitted []int  // places, counted from 1
}

// omittedBy says what each of two runs has left out of the schedule that they
// have in common. Without one, the same number of actions is the same position.
func omittedBy(here, there *run) (missingHere, missingThere []int) {
	a, b := here.repeated(), there.repeated()
	switch {
	case a.of == there.id:
		return a.omitted, []int{}
	case b.of == here.id:
		return []int{}, b.omitted
	case a.of != "" && a.of == b.of:
		return a.omitted, b.omitted
	}
	return []int{}, []int{}
}

func (r *run) repeated() schedule {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rerunOf
}
