package web

import (
	"slices"
	"strconv"
	"sync"

	"lockstep/views"
)

// maxBranches is how many runs a family has: each is a tab on the page.
const maxBranches = 12

// A family is a run with its branches: what came of acting in the past, and the
// same schedule under other programs. Each is a run with an address of its own.
type family struct {
	task     task // what its runs are for
	mu       sync.Mutex
	branches []branch // in the order in which they were opened
}

type branch struct {
	run  *run
	name string // empty: the one it began with
}

// add takes a run in, under a name that is not taken yet.
func (f *family) add(r *run, name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.branches) >= maxBranches {
		return false
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(f.branches, func(b branch) bool { return b.name == name })
	}
	unique := name
	for n := 2; taken(unique); n++ {
		unique = name + " (" + strconv.Itoa(n) + ")"
	}
	f.branches = append(f.branches, branch{r, unique})
	return true
}

// remove lets go of a run that has given up its place.
func (f *family) remove(r *run) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.branches = slices.DeleteFunc(f.branches, func(b branch) bool { return b.run == r })
}

// runs are all that belong together.
func (f *family) runs() []*run {
	f.mu.Lock()
	defer f.mu.Unlock()
	runs := make([]*run, len(f.branches))
	for i, b := range f.branches {
		runs[i] = b.run
	}
	return runs
}

// tabs lead to every run of the family.
func (f *family) tabs(current *run, l views.Language) []views.Tab {
	f.mu.Lock()
	defer f.mu.Unlock()
	tabs := make([]views.Tab, len(f.branches))
	for i, b := range f.branches {
		tabs[i] = views.Tab{Name: b.title(l), Path: b.run.path(), Current: b.run == current}
		if !tabs[i].Current {
			tabs[i].Compare = current.path() + "?beside=" + b.run.id
		}
	}
	return tabs
}

// title is what the tab of a run says.
func (f *family) title(r *run, l views.Language) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.branches {
		if b.run == r {
			return b.title(l)
		}
	}
	return ""
}

func (b branch) title(l views.Language) string {
	if b.name == "" {
		return l.Say("branch.first")
	}
	return b.name
}
