package shelf

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// A source is where a course comes from: a directory, or a course file.
type source struct {
	path   string
	packed bool // it is a course file
	course *course.Course
	print  string         // of its files, as the system tells about them
	recent bool           // a file was so new that a later change may leave its time as it is
	of     course.Content // what the course file holds
}

func openSource(path string) (*source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("opening the course: %w", err)
	}
	if _, err := os.Stat(filepath.Join(path, "course.yaml")); info.IsDir() && errors.Is(err, fs.ErrNotExist) {
		return nil, lang.Errorf("%s is no course: there is no file course.yaml in it", "%s 不是课程：其中没有文件 course.yaml", path)
	}
	s := &source{path: path, packed: !info.IsDir()}
	return s, s.read()
}

func (s *source) read() error {
	if s.packed {
		packed, err := course.ReadPacked(s.path)
		if err != nil {
			return err
		}
		s.of = sha256.Sum256(packed)
		if c, err := course.OpenPacked(packed, s.path); err != nil {
			return err
		} else {
			s.course = c
		}
	} else if c, err := course.Open(s.path); err != nil {
		return err
	} else {
		s.course = c
	}
	s.print, _ = s.look()
	s.recent = true // somebody may have written to a file while it was read
	return nil
}

// again reads the course again if its files have changed, and reports whether they have. If the course cannot be read any
// more, it stays as it was.
func (s *source) again() (changed bool, err error) {
	print, recent := s.look()
	if print == s.print && !s.recent {
		return false, nil
	}
	s.print, s.recent = print, recent
	if !s.changed() {
		return false, nil
	}
	if err := s.read(); err != nil {
		return false, err
	}
	return true, nil
}

// settled is the age from which a file's time tells each change: some file systems count in two seconds.
const settled = 3 * time.Second

// look returns what the system tells about the files that the course was read from or looked for, and whether one of them is
// younger than settled. It asks about as many files as the course names.
func (s *source) look() (print string, recent bool) {
	sum, dir := sha256.New(), s.dir()
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
	if s.packed {
		packed, err := course.ReadPacked(s.path)
		now := course.Content(sha256.Sum256(packed))
		if err != nil || now == s.of {
			return err != nil
		}
		return true
	}
	dir := s.dir()
	return slices.ContainsFunc(s.names(), func(name string) bool { return course.ContentOf(dir, name) != s.course.Files[name] })
}

// dir and names return where the files are, and what they are called there.
func (s *source) dir() fs.FS {
	if s.packed {
		return os.DirFS(filepath.Dir(s.path)) // the user's own
	}
	return course.Dir(s.path)
}

func (s *source) names() []string {
	if s.packed {
		return []string{filepath.Base(s.path)}
	}
	return slices.Sorted(maps.Keys(s.course.Files))
}
