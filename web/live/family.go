package live

import (
	"errors"
	"slices"
	"strconv"
	"sync"

	"lockstep/engine/course"
	"lockstep/web/present"
	"lockstep/web/store"
)

// MaxBranches is how many runs a family has. Each is a tab on the page.
const MaxBranches = 12

// MaxTries is how many runs the family of a challenge has: each action after an undo begins another. The page shows no
// tabs for them.
const MaxTries = 200

// A family is a run with its branches: runs that act in its past, and runs that do its schedule under another program.
// Each branch is a run with an address of its own. A family struct is one run's copy of the family's log.
type family struct {
	store    store.Store
	mu       sync.Mutex
	id       string      // of the first run
	task     course.Task // of each of its runs
	log      *store.Log[Branch]
	branches []Branch // in the order in which they were opened
}

// A Branch is an entry of the log.
type Branch struct {
	Run  string `json:"run"`
	Name string `json:"name"`
	Not  string `json:"not,omitempty"` // the action that the run beside it has done in its place; empty: none
	ID   string `json:"id,omitempty"`  // of the request that opened it
}

// RequestID returns the id of the request.
func (b Branch) RequestID() string { return b.ID }

func newFamily(id string, s store.Store) *family {
	return &family{id: id, store: s, log: store.NewLog[Branch](s, FamilyLog(id))}
}

// begin sets the family of a run before the log is read.
func (f *family) begin(id string, t course.Task) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.task = t; f.id != id {
		f.id, f.log, f.branches = id, store.NewLog[Branch](f.store, FamilyLog(id)), nil
	}
}

// is returns the id and the task of the family.
func (f *family) is() (id string, t course.Task) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.id, f.task
}

// size returns how many tabs there are.
func (f *family) size() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return 1 + len(f.branches)
}

// full refuses a branch if the family takes no more of them.
func (f *family) full() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bound()
}

// bound is full for a caller that holds the family's lock.
func (f *family) bound() error {
	switch runs := len(f.branches) + 1; {
	case f.task.Challenge != nil && runs >= MaxTries:
		return errTries
	case f.task.Challenge == nil && runs >= MaxBranches:
		return errBranches
	}
	return nil
}

// madeBy returns the run that a request has opened; empty: the request has opened none.
func (f *family) madeBy(id string) (run string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.opened(id)
}

func (f *family) opened(id string) (run string) {
	if f.log.Has(id) {
		i := slices.IndexFunc(f.branches, func(b Branch) bool { return b.ID == id })
		return f.branches[i].Run
	}
	return ""
}

// add appends a branch under a name that is free, and returns its run. If the same request has opened a branch before,
// add returns the run of that branch. A new log belongs to the owner.
func (f *family) add(b Branch, owner string) (run string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log.Owner = owner
	name := b.Name
	for {
		if before := f.opened(b.ID); before != "" {
			return before, nil
		}
		if err := f.bound(); err != nil {
			return "", err
		}
		taken := func(name string) bool {
			return slices.ContainsFunc(f.branches, func(b Branch) bool { return b.Name == name })
		}
		b.Name = name
		for n := 2; taken(b.Name); n++ {
			b.Name = name + " (" + strconv.Itoa(n) + ")"
		}
		err := f.log.Append(b)
		switch {
		case err == nil:
			f.branches = append(f.branches, b)
			return b.Run, nil
		case !errors.Is(err, store.ErrBehind):
			return "", err
		}
		if err := f.read(); err != nil {
			return "", err
		}
	}
}

// catchUp reads the branches that have been opened since.
func (f *family) catchUp() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.read()
}

func (f *family) read() error {
	return f.log.Read(func() { f.branches = nil }, func(b Branch) error {
		f.branches = append(f.branches, b)
		return nil
	})
}

// all returns the runs of the family in their order, from the first.
func (f *family) all() []present.Branch {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := []present.Branch{{Run: f.id}}
	for _, b := range f.branches {
		all = append(all, present.Branch{Run: b.Run, Name: b.Name, Not: b.Not})
	}
	return all
}

// FamilyLog returns the name of the log of a family, by its first run.
func FamilyLog(id string) string { return "f/" + id }
