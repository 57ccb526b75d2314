package shelf

import (
	"fmt"
	"os"
	"path/filepath"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// Options say what a shelf holds.
type Options struct {
	Courses []string // each a directory with a course, or a course file
	Drop    string   // a directory whose course files are served as they come and go; empty: none
	Only    bool     // not the built-in course
	Watch   bool     // somebody works on the courses: Follow reads them again as their files change

	Tell func(string) // is told what is wrong with a course, a sentence at a time
}

// Open reads the courses. It refuses one that cannot be read at all, and tells the mistakes of the others.
func Open(o Options) (*Follower, error) {
	f := &Follower{Shelf: &Shelf{only: o.Only, watch: o.Watch}, tell: o.Tell}
	if o.Only && len(o.Courses) == 0 && o.Drop == "" {
		return nil, lang.Errorf("--only hides the built-in course: name a course to serve instead with --course or --courses", "--only 会隐藏内置课程：请用 --course 或 --courses 指定要提供的课程")
	}
	if o.Watch && len(o.Courses) == 0 {
		return nil, lang.Errorf("--watch reads courses again as their files change: name one with --course", "--watch 在文件改动时重新读取课程：请用 --course 指定课程")
	}
	for _, path := range o.Courses {
		s, err := openSource(path)
		if err != nil {
			return nil, err
		}
		if f.taken(s.course.Name) {
			return nil, lang.Errorf("two courses are named %s: a course takes the name of its directory; rename one of them", "有两门课程都叫 %s：课程以目录名为名，请改名", s.course.Name)
		}
		reportTo(f.tell, s)
		f.given = append(f.given, s)
	}
	if o.Drop != "" {
		if _, err := os.ReadDir(o.Drop); err != nil {
			return nil, fmt.Errorf("--courses: %w", err)
		}
		f.drop = &drop{path: o.Drop, found: map[string]*dropped{}}
		f.drop.look(true, f.taken, f.tell)
	}
	f.shelve()
	return f, nil
}

// taken reports whether a course of the shelf has a name.
func (f *Follower) taken(name string) bool {
	if !f.only && name == course.Builtin().Name {
		return true
	}
	for _, s := range f.sources() {
		if s.course.Name == name {
			return true
		}
	}
	return false
}

// reportTo tells the mistakes of a course, and which words are not translated.
func reportTo(tell func(string), s *source) {
	for _, m := range s.course.Mistakes {
		tell(filepath.Join(s.path, m.Error()))
	}
	for _, w := range s.course.Warnings {
		if w.Untranslated {
			tell(filepath.Join(s.path, w.Error()))
		}
	}
}
