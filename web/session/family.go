package session

import (
	"errors"
	"slices"
	"strconv"
	"sync"

	"lockstep/engine/course"
	"lockstep/web/present"
	"lockstep/web/store"
)

// MaxBranches is how many runs a family has: each is a tab on the page.
const MaxBranches = 12

// A family is a run with its branches: what came of acting in the past, and the
// same schedule under other programs. Each is a run with an address of its own.
// What is here is a run's copy of the family's log.
type family struct {
	store    store.Store
	mu       sync.Mutex
	id       string      // of the run that it began with
	task     course.Task // what its runs are for
	log      *store.Log[Branch]
	branches []Branch // in the order in which they were opened
}

// A Branch is an entry of the log.
type Branch struct {
	Run  string `json:"run"`
	Name string `json:"name"`
	ID   string `json:"id,omitempty"` // of the request that has opened it
}

// RequestID returns the id of the request.
func (b Branch) RequestID() string { return b.ID }

func newFamily(id string, s store.Store) *family {
	return &family{id: id, store: s, log: store.NewLog[Branch](s, "f/"+id)}
}

// begin says which family it is, before its log is read.
func (f *family) begin(id string, t course.Task) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.task = t; f.id != id {
		f.id, f.log, f.branches = id, store.NewLog[Branch](f.store, "f/"+id), nil
	}
}

// is says which family it is, and what its runs are for.
func (f *family) is() (id string, t course.Task) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.id, f.task
}

// size is how many tabs there are.
func (f *family) size() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return 1 + len(f.branches)
}

// full reports a family that takes no more branches.
func (f *family) full() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.branches)+1 >= MaxBranches
}

// madeBy returns the run that the request of an id has opened; empty: none.
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

// add takes a branch in, under a name that is not taken yet, and gives its run: that
// of the branch which the same request has opened before, if any. Its log is the
// owner's if this begins it.
func (f *family) add(b Branch, owner string) (run string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log.Owner = owner
	name := b.Name
	for {
		if before := f.opened(b.ID); before != "" {
			return before, nil
		}
		if len(f.branches)+1 >= MaxBranches {
			return "", errBranches
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

// catchUp takes in what has been opened since.
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

// all returns the runs of the family, from the one that it began with.
func (f *family) all() []present.Branch {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := []present.Branch{{Run: f.id}}
	for _, b := range f.branches {
		all = append(all, present.Branch{Run: b.Run, Name: b.Name})
	}
	return all
}
