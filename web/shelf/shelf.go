// Package shelf holds the courses that a server serves, and follows the files that they come from.
//
//	directories, course files → Shelf → the courses of this moment
//
// A shelf exchanges its courses as a whole: a request takes All once and works with those courses to its end. A run that
// has begun keeps the course that it began with for as long as it is in memory.
package shelf

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"lockstep/engine/course"
)

// A Shelf holds courses, an own one first and the built-in one last.
type Shelf struct {
	now   atomic.Pointer[state]
	only  bool
	watch bool
}

// A state is what a shelf holds at a moment.
type state struct {
	courses []*course.Course
	version string // another one for other courses
}

// Of returns a shelf with courses that stay as they are, and behind them the built-in one unless it holds only these.
func Of(own []*course.Course, only bool) *Shelf {
	s := &Shelf{only: only}
	s.put(own)
	return s
}

// All returns the courses of this moment: at least one. A shelf that holds nothing else holds the built-in course.
func (s *Shelf) All() []*course.Course { return s.now.Load().courses }

// Version names the content of the shelf at this moment.
func (s *Shelf) Version() string { return s.now.Load().version }

// Watched reports whether somebody works on the courses and wants to see mistakes on their pages.
func (s *Shelf) Watched() bool { return s.watch }

func (s *Shelf) put(own []*course.Course) {
	courses := append([]*course.Course{}, own...)
	if !s.only || len(courses) == 0 {
		courses = append(courses, course.Builtin())
	}
	s.now.Store(&state{courses, versionOf(own)})
}

// versionOf returns the version of a shelf with these own courses.
func versionOf(own []*course.Course) string {
	sum := sha256.New()
	for _, c := range own {
		fmt.Fprintln(sum, c.Name)
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			fmt.Fprintf(sum, "%s %x\n", name, c.Files[name])
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
