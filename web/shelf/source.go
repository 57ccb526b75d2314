package shelf

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"lockstep/engine/course"
)

// A source is where a course comes from.
type source struct {
	path   string
	course *course.Course
	print  string // of its files, as the system tells about them
	recent bool   // a file was so new that a later change may leave its time as it is
}

func openSource(path string) (*source, error) {
	s := &source{path: path}
	return s, s.read()
}

func (s *source) read() error {
	c, err := course.Open(s.path)
	if err == nil {
		s.course = c
		s.print, s.recent = s.look()
		s.recent = true // somebody may have written to a file while it was read
	}
	return err
}

// again reads the course again if its files have changed, and reports whether they have.
func (s *source) again() bool {
	print, recent := s.look()
	if print == s.print && !s.recent {
		return false
	}
	s.print, s.recent = print, recent
	return s.changed() && s.read() == nil
}

// settled is the age from which a file's time tells each change: some file systems count in two seconds.
const settled = 3 * time.Second

// look returns what the system tells about the files that the course was read from or looked for, and whether one of them is
// younger than settled. It asks about as many files as the course names.
func (s *source) look() (print string, recent bool) {
	sum, dir := sha256.New(), os.DirFS(s.path)
	for _, name := range s.names() {
		info, err := fs.Stat(dir, name)
		if err != nil {
			fmt.Fprintln(sum, name)
			continue
		}
		fmt.Fprintln(sum, name, info.Size(), info.ModTime().UnixNano(), info.Mode())
		recent = recent || time.Since(info.ModTime()) < settled
	}
	return string(sum.Sum(nil)), recent
}

// changed reports whether a file holds something else than the course was read from.
func (s *source) changed() bool {
	dir := os.DirFS(s.path)
	return slices.ContainsFunc(s.names(), func(name string) bool { return course.ContentOf(dir, name) != s.course.Files[name] })
}

func (s *source) names() []string { return slices.Sorted(maps.Keys(s.course.Files)) }
