package course

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Dir returns the files in a directory that may come from a stranger: no link leads out of it, and no pipe or device waits or
// goes on for ever.
func Dir(path string) fs.FS { return dir(path) }

type dir string

func (d dir) in(do func(*os.Root) error) error {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return err
	}
	defer root.Close()
	return do(root)
}

// Open opens a file, and does not wait for the other end of a pipe.
func (d dir) Open(name string) (file fs.File, err error) {
	err = d.in(func(root *os.Root) error {
		opened, err := root.OpenFile(name, os.O_RDONLY|notWaiting, 0)
		if err == nil {
			file = opened
		}
		return err
	})
	return file, err
}

// Stat tells about a file without opening it.
func (d dir) Stat(name string) (info fs.FileInfo, err error) {
	err = d.in(func(root *os.Root) error {
		info, err = root.Stat(name)
		return err
	})
	return info, err
}

// ReadFile reads a file that a course can have, and refuses any other before it reads.
func (d dir) ReadFile(name string) ([]byte, error) {
	file, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, fs.ErrInvalid)
	}
	text, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
	if err == nil && len(text) > MaxFile {
		return nil, fmt.Errorf("more than %d bytes", MaxFile)
	}
	return text, err
}

// ReadLink and Lstat tell whether a file is a link.
func (d dir) ReadLink(name string) (to string, err error) {
	err = d.in(func(root *os.Root) error {
		to, err = root.Readlink(name)
		return err
	})
	return to, err
}

func (d dir) Lstat(name string) (info fs.FileInfo, err error) {
	err = d.in(func(root *os.Root) error {
		info, err = root.Lstat(name)
		return err
	})
	return info, err
}

// behindLink reports whether a file is a link, or stands in a directory that is one.
func behindLink(files fs.FS, name string) bool {
	for end := range len(name) + 1 {
		if end < len(name) && name[end] != '/' {
			continue
		}
		if info, err := fs.Lstat(files, name[:end]); err == nil && info.Mode().Type() == fs.ModeSymlink {
			return true
		}
	}
	return false
}

// isHidden reports whether a file, or a directory above it, has a name that begins with a dot: what stands there is the
// author's own, such as .env and .git/config.
func isHidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

// A Content is the hash of what a file holds; the zero Content is that of no file, or of one that a course cannot have.
type Content [sha256.Size]byte

// ContentOf returns the content of a file in a directory.
func ContentOf(dir fs.FS, file string) Content {
	info, err := fs.Stat(dir, file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > MaxFile {
		return Content{}
	}
	text, err := fs.ReadFile(dir, file)
	if err != nil {
		return Content{}
	}
	return sha256.Sum256(text)
}

// askedFiles notes the files that somebody asks for, also those that are not there.
type askedFiles struct {
	fs.FS
	files map[string]Content
}

func (a askedFiles) Open(name string) (fs.File, error) {
	a.note(name)
	return a.FS.Open(name)
}

// Stat and ReadFile are the directory's own, which may know more than opening a file tells.
func (a askedFiles) Stat(name string) (fs.FileInfo, error) {
	a.note(name)
	return fs.Stat(a.FS, name)
}

func (a askedFiles) ReadFile(name string) ([]byte, error) {
	a.note(name)
	return fs.ReadFile(a.FS, name)
}

// Lstat and ReadLink tell of links, where the directory has any.
func (a askedFiles) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(a.FS, name) }
func (a askedFiles) ReadLink(name string) (string, error)   { return fs.ReadLink(a.FS, name) }

func (a askedFiles) note(name string) {
	if _, noted := a.files[name]; !noted {
		a.files[name] = Content{}
	}
}
