package shelf

import (
	"context"
	"fmt"
	"time"

	"lockstep/engine/course"
	"lockstep/web/survive"
)

// A Follower keeps a shelf as its files are.
type Follower struct {
	*Shelf
	sources []*source
	tell    func(string)
}

// each is how long Follow waits before it looks at the files again.
const each = time.Second

// Follow looks at the files once a second until ctx ends, and exchanges courses that have changed.
func (f *Follower) Follow(ctx context.Context) {
	if !f.watch {
		return
	}
	ticker := time.NewTicker(each)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			survive.Func(f.Look, func(mistake any) { f.tell(fmt.Sprintf("reading the courses again: %v", mistake)) })()
		}
	}
}

// Look looks at the files once. A course that cannot be read any more stays as it was.
func (f *Follower) Look() {
	changed := false
	for _, s := range f.sources {
		if s.again() {
			changed = true
			f.report(s)
		}
	}
	if changed {
		f.shelve()
	}
}

// shelve puts the courses of the sources on the shelf.
func (f *Follower) shelve() {
	var own []*course.Course
	for _, s := range f.sources {
		own = append(own, s.course)
	}
	f.put(own)
}
