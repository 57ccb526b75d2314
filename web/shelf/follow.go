package shelf

import (
	"context"
	"fmt"
	"time"

	"lockstep/engine/course"
	"lockstep/web/recovery"
)

// A Follower keeps a shelf as its files are.
type Follower struct {
	*Shelf
	given []*source // by --course
	drop  *drop     // nil: there is none
	tell  func(string)
}

// each is how long Watch waits before it looks at the files again.
const each = time.Second

// Watch looks at the files once a second until ctx ends, and exchanges courses that have changed. It returns at once where
// nobody wants that.
func (f *Follower) Watch(ctx context.Context) {
	if !f.watch && f.drop == nil {
		return
	}
	ticker := time.NewTicker(each)
	defer ticker.Stop()
	look := recovery.Func(f.Look, func(mistake any) { f.tell(fmt.Sprintf("reading the courses again: %v", mistake)) })
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			look()
		}
	}
}

// Look looks at the files once. A course that cannot be read any more stays as it was.
func (f *Follower) Look() {
	changed := false
	if f.watch {
		for _, s := range f.given {
			exchanged, err := s.again()
			switch {
			case err != nil:
				f.tell(err.Error())
			case exchanged:
				changed = true
				reportTo(f.tell, s)
			}
		}
	}
	if f.drop != nil && f.drop.look(false, f.taken, f.tell) {
		changed = true
	}
	if changed {
		f.shelve()
	}
}

// sources returns where the own courses come from, in their order.
func (f *Follower) sources() []*source {
	all := f.given
	if f.drop != nil {
		all = append(all[:len(all):len(all)], f.drop.sources()...)
	}
	return all
}

// shelve puts the courses of the sources on the shelf.
func (f *Follower) shelve() {
	var own []*course.Course
	for _, s := range f.sources() {
		own = append(own, s.course)
	}
	f.put(own)
}
