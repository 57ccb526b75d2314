package course

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// PackedSuffix ends the name of a course file.
const PackedSuffix = ".lockstep.zip"

// The bounds of a course file, which may come from anybody. The built-in course takes a twentieth of each.
const (
	MaxPacked   = 8 << 20  // bytes of the file
	MaxEntries  = 2000     // files and directories in it
	MaxUnpacked = 16 << 20 // bytes of all files
)

// Pack returns the course in a directory as one file. It holds what the course is read from, and what its author says about
// it: a licence, and what to read first. The same course gives the same bytes.
func Pack(dir fs.FS, name string) ([]byte, error) {
	c := Load(dir, name)
	if len(c.Mistakes) > 0 {
		return nil, engine.Refuse("the course has mistakes, the first of them in %s: lockstep check lists them", "课程里有错误，第一处在 %s：用 lockstep check 可以列出全部", c.Mistakes[0].Place())
	}
	var files []string
	for file, content := range c.Files {
		if content != (Content{}) {
			files = append(files, file)
		}
	}
	beside, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, fmt.Errorf("packing the course: %w", err)
	}
	for _, entry := range beside {
		isFile := entry.Type() == fs.ModeSymlink || ContentOf(dir, entry.Name()) != (Content{})
		if isAbout(entry.Name()) && !slices.Contains(files, entry.Name()) && isFile {
			files = append(files, entry.Name())
		}
	}
	slices.Sort(files)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, file := range files {
		if behindLink(dir, file) { // what it leads to may be the author's own, and the author did not choose it for others
			return nil, engine.Refuse("%s is a link: a course file holds only files", "%s 是链接：课程文件里只能有文件", file)
		}
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return nil, fmt.Errorf("packing the course: %w", err)
		}
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name + "/" + file, Method: zip.Deflate})
		if err == nil {
			_, err = entry.Write(text)
		}
		if err != nil {
			return nil, fmt.Errorf("packing the course: %w", err) // writing to memory does not fail
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("packing the course: %w", err)
	}
	if _, _, err := Unpack(b.Bytes(), name+PackedSuffix); err != nil {
		return nil, err // the course is larger than a course file may be
	}
	return b.Bytes(), nil
}

// isAbout reports whether a file's name says that it tells about the course, such as README.md and LICENSE.
func isAbout(name string) bool {
	name, _, _ = strings.Cut(strings.ToUpper(name), ".")
	return slices.Contains([]string{"README", "LICENSE", "LICENCE", "COPYING", "AUTHORS", "NOTICE"}, name)
}

// ReadPacked returns the bytes of a course file, which may have MaxPacked.
func ReadPacked(file string) ([]byte, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("opening the course: %w", err)
	}
	defer opened.Close()
	packed, err := io.ReadAll(io.LimitReader(opened, MaxPacked+1))
	if err != nil {
		return nil, fmt.Errorf("opening the course: %w", err)
	}
	return packed, nil
}

// OpenPacked reads the course in the bytes of a course file.
func OpenPacked(packed []byte, file string) (*Course, error) {
	dir, name, err := Unpack(packed, file)
	if err != nil {
		return nil, err
	}
	return Load(dir, name), nil
}

// Unpack returns the directory of a course in the bytes of a course file, and the course's name: that of the directory or, if
// the files stand in none, that of the file. It has read each file, whose bytes stay within the bounds whatever the file
// claims about them, and refuses whatever is neither a file nor a directory.
func Unpack(packed []byte, file string) (dir fs.FS, name string, err error) {
	file = filepath.Base(file)
	refuse := func(english, chinese string, arguments ...any) error {
		return engine.Refuse("%[1]s: %[2]s", "%[1]s：%[2]s", file, lang.Format(english, chinese, arguments...))
	}
	if len(packed) > MaxPacked {
		return nil, "", refuse("a course file has at most %d bytes", "课程文件最多 %d 字节", MaxPacked)
	}
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, "", refuse("this is no zip file", "这不是 zip 文件")
	}
	if len(r.File) > MaxEntries {
		return nil, "", refuse("it has %d entries, more than %d", "其中有 %d 个条目，超过 %d", len(r.File), MaxEntries)
	}
	left, seen := int64(MaxUnpacked), map[string]bool{}
	var tops []string
	for _, f := range r.File {
		place := strings.TrimSuffix(f.Name, "/")
		kind := f.Mode().Type()
		switch {
		case !fs.ValidPath(place) || strings.ContainsAny(place, `\:`) || place == ".":
			return nil, "", refuse("the entry %q leads out of the course", "条目 %q 指向课程之外", f.Name)
		case kind == fs.ModeSymlink:
			return nil, "", refuse("%s is a link: a course file holds only files", "%s 是链接：课程文件里只能有文件", f.Name)
		case kind != 0 && kind != fs.ModeDir:
			return nil, "", refuse("%s is neither a file nor a directory", "%s 既不是文件也不是目录", f.Name)
		case seen[place]:
			return nil, "", refuse("%s is there twice", "%s 出现了两次", f.Name)
		case f.Flags&1 != 0:
			return nil, "", refuse("%s is encrypted", "%s 已加密", f.Name)
		}
		seen[place] = true
		if kind == fs.ModeDir || isRubbish(place) {
			continue
		}
		n, err := unpacks(f, min(MaxFile, left))
		switch {
		case errors.Is(err, errNested):
			return nil, "", refuse("%s is a zip file itself: a course file holds no other", "%s 本身是 zip 文件：课程文件里不能再套一层", f.Name)
		case err != nil:
			return nil, "", refuse("%s cannot be unpacked", "%s 无法解压", f.Name)
		case n > MaxFile:
			return nil, "", refuse("%s has more than %d bytes", "%s 超过 %d 字节", f.Name, MaxFile)
		case n > left:
			return nil, "", refuse("its files have more than %d bytes together", "其中的文件合计超过 %d 字节", MaxUnpacked)
		}
		left -= n
		if path.Base(place) == "course.yaml" && strings.Count(place, "/") < 2 {
			tops = append(tops, path.Dir(place))
		}
	}
	switch {
	case len(tops) == 0:
		return nil, "", refuse("it has no course.yaml", "其中没有 course.yaml")
	case len(tops) > 1:
		return nil, "", refuse("it has %d courses: a course file holds one", "其中有 %d 门课程：一个课程文件只能有一门", len(tops))
	case tops[0] == ".":
		name, _, _ = strings.Cut(file, ".")
		return r, name, nil
	}
	dir, err = fs.Sub(r, tops[0])
	return dir, tops[0], err
}

// isRubbish reports whether some system's own file got into the zip: no course reads it.
func isRubbish(place string) bool {
	return strings.HasPrefix(place, "__MACOSX/") || strings.HasPrefix(path.Base(place), ".")
}

var errNested = errors.New("a zip in a zip")

// unpacks reads an entry, and counts its bytes. It reads one more than most, and no further.
func unpacks(f *zip.File, most int64) (int64, error) {
	if f.UncompressedSize64 > MaxFile { // who reads the file later believes it
		return MaxFile + 1, nil
	}
	r, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	var begins [4]byte
	n, err := io.ReadFull(r, begins[:])
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return int64(n), nil
	case err != nil:
		return 0, err
	case string(begins[:]) == "PK\x03\x04" || string(begins[:]) == "PK\x05\x06":
		return 0, errNested
	}
	more, err := io.Copy(io.Discard, io.LimitReader(r, most+1-int64(n)))
	return int64(n) + more, err
}
