package shelf

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxDropped bounds the course files of a directory that a shelf serves, and maxListed the entries of it that it looks at.
const (
	maxDropped = 50
	maxListed  = 10_000
)

// A drop is a directory into which somebody puts course files. Its courses come and go with them.
type drop struct {
	path  string
	found map[string]*dropped
	told  string // what was told about the directory last
}

// A dropped is a course file there.
type dropped struct {
	*source        // nil: it cannot be read
	seen    string // how the file looked when somebody looked last
	read    string // how it looked when it was read last
	clashes bool   // another course has its name
}

// look takes in which course files are there now, and reports whether the shelf changes. It reads a new file once that looks the
// same twice in a row, as copying it takes a while. What is wrong with a file is told once.
func (d *drop) look(first bool, taken func(name string) bool, tell func(string)) (changed bool) {
	names, problem := d.list()
	if problem != d.told && problem != "" {
		tell(problem)
	}
	if d.told = problem; names == nil {
		return false // what was there stays
	}
	for name := range d.found {
		if !slices.Contains(names, name) {
			changed = changed || d.found[name].source != nil
			delete(d.found, name)
		}
	}
	for _, f := range d.found {
		if changed && f.clashes { // its name may be free now
			f.read = ""
		}
	}
	for _, name := range names {
		path := filepath.Join(d.path, name)
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		now := fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		f := d.found[name]
		if f == nil {
			f = &dropped{}
			d.found[name] = f
		}
		settled := first || f.seen == now
		f.seen = now
		if !settled || f.read == now {
			continue
		}
		f.read, f.clashes = now, false
		s := &source{path: path, packed: true}
		was := ""
		if f.source != nil {
			was = f.course.Name
		}
		switch err := s.read(); {
		case err != nil:
			tell(err.Error())
		case s.course.Name != was && taken(s.course.Name):
			f.clashes = true
			tell(fmt.Sprintf("%s: there is a course %s already", path, s.course.Name))
		default:
			changed = changed || f.source == nil || f.of != s.of
			f.source = s
			reportTo(tell, s)
		}
	}
	return changed
}

// list returns the names of the course files, in their order; nil: the directory cannot be read. It also says what it leaves
// out, and why.
func (d *drop) list() (names []string, problem string) {
	dir, err := os.Open(d.path)
	if err != nil {
		return nil, fmt.Sprintf("--courses: %v", err)
	}
	defer dir.Close()
	all, err := dir.Readdirnames(maxListed)
	if err != nil && err != io.EOF {
		return nil, fmt.Sprintf("--courses: %v", err)
	}
	names = []string{}
	for _, name := range all {
		if strings.HasSuffix(name, ".zip") && !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) > maxDropped {
		problem = fmt.Sprintf("--courses: %s holds %d course files; the first %d are served", d.path, len(names), maxDropped)
		names = names[:maxDropped]
	}
	return names, problem
}

// sources returns the courses in the order of their files.
func (d *drop) sources() (all []*source) {
	var names []string
	for name, f := range d.found {
		if f.source != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		all = append(all, d.found[name].source)
	}
	return all
}
