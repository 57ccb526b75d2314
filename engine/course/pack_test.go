package course_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// A packed course is the same course under the same name, wherever it is opened and however the file is called.
func TestAPackedCourseIsTheSame(t *testing.T) {
	for _, from := range []string{"redis-lock", "testdata/right", "testdata/questions"} {
		name := filepath.Base(from)
		packed, err := course.Pack(os.DirFS(from), name)
		if err != nil {
			t.Fatal(err)
		}
		again, err := course.Pack(os.DirFS(from), name)
		if err != nil || !bytes.Equal(packed, again) {
			t.Errorf("%s: packed twice it is another file (%v)", name, err)
		}
		file := filepath.Join(t.TempDir(), "handed around (1).zip")
		if err := os.WriteFile(file, packed, 0o644); err != nil {
			t.Fatal(err)
		}
		opened, err := course.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		want := course.Load(os.DirFS(from), name)
		if opened.Name != name || !maps.Equal(opened.Files, want.Files) || len(opened.All()) != len(want.All()) || len(opened.Mistakes) > 0 {
			t.Errorf("%s: the course %s has %d lessons of %d, and the mistakes %v", from, opened.Name, len(opened.All()), len(want.All()), opened.Mistakes)
		}
		t.Logf("%s: %d bytes of %d", name, len(packed), course.MaxPacked)
	}
}

// A course file holds what the course is read from, its licence and what to read first, and nothing else that lies about.
func TestACourseFileHoldsTheCourseAlone(t *testing.T) {
	dir := right(t)
	for _, name := range []string{"LICENSE", "README.md", "notes.txt", ".env", "drafts/third.en.md", "not-listed.en.md"} {
		dir[name] = &fstest.MapFile{Data: []byte("text")}
	}
	packed, err := course.Pack(dir, "right")
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range r.File {
		names = append(names, f.Name)
	}
	want := "right/LICENSE right/README.md right/course.yaml right/first.en.md right/first.zh.md right/mended.star right/second.en.md right/second.star right/second.zh.md right/sources.yaml right/wild.en.md right/wild.zh.md"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("it holds %s, want %s", got, want)
	}
	delete(dir, "second.star")
	if _, err := course.Pack(dir, "right"); err == nil || !strings.HasPrefix(err.Error(), "the course has mistakes, the first of them in second.en.md:5: ") {
		t.Errorf("a course with mistakes is packed: %v", err)
	}
}

// entry is what a zip file claims and holds.
type entry struct {
	zip.FileHeader
	text string
}

func file(name, text string) entry { return entry{zip.FileHeader{Name: name}, text} }

func zipped(t testing.TB, all ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range all {
		e.Method = zip.Deflate
		f, err := w.CreateHeader(&e.FileHeader)
		if err == nil {
			_, err = f.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Each bound of a course file, at the bound and beyond it, and each thing that a zip may hold and a course may not.
func TestACourseFileHasBounds(t *testing.T) {
	yaml := file("mine/course.yaml", "title: {en: Mine}\n")
	many := func(n int) (all []entry) {
		all = append(all, yaml)
		for i := range n - 1 {
			all = append(all, file(fmt.Sprintf("mine/%d", i), ""))
		}
		return all
	}
	large := func(n int) (all []entry) { // files of that many bytes together
		for i := 0; n > 0; i++ {
			size := min(n, course.MaxFile)
			all, n = append(all, file(fmt.Sprintf("mine/%d", i), strings.Repeat("x", size))), n-size
		}
		return append(all, file("mine/course.yaml", ""))
	}
	link := entry{zip.FileHeader{Name: "mine/first.en.md"}, "/etc/passwd"}
	link.SetMode(fs.ModeSymlink | 0o777)
	device := entry{zip.FileHeader{Name: "mine/tty"}, ""}
	device.SetMode(fs.ModeDevice)
	encrypted := file("mine/secret", "x")
	encrypted.Flags = 1
	liar := zipped(t, yaml, file("mine/bomb", strings.Repeat("\x00", 2*course.MaxFile)))
	for at := bytes.Index(liar, []byte("PK\x01\x02")); at >= 0; { // the directory claims that the bomb is small
		copy(liar[at+24:], []byte{10, 0, 0, 0})
		next := bytes.Index(liar[at+4:], []byte("PK\x01\x02"))
		if next < 0 {
			break
		}
		at += 4 + next
	}
	unknown := zipped(t, yaml)
	copy(unknown[bytes.Index(unknown, []byte("PK\x01\x02"))+10:], []byte{99, 0})
	for _, test := range []struct {
		name   string
		packed []byte
		want   string // the refusal; nothing: none
	}{
		{"in a directory", zipped(t, yaml), ""},
		{"in none", zipped(t, file("course.yaml", "title: {en: Mine}\n")), ""},
		{"from a Mac", zipped(t, yaml, file("__MACOSX/mine/._course.yaml", "\x00\x05"), file("mine/.DS_Store", "PK\x03\x04")), ""},
		{"entries", zipped(t, many(course.MaxEntries)...), ""},
		{"too many entries", zipped(t, many(course.MaxEntries+1)...), "it has 2001 entries, more than 2000"},
		{"a large file", zipped(t, yaml, file("mine/x", strings.Repeat("x", course.MaxFile))), ""},
		{"a file too large", zipped(t, yaml, file("mine/x", strings.Repeat("x", course.MaxFile+1))), "mine/x has more than 262144 bytes"},
		{"much", zipped(t, large(course.MaxUnpacked)...), ""},
		{"too much", zipped(t, large(course.MaxUnpacked+1)...), "its files have more than 16777216 bytes together"},
		{"a bomb that lies about its size", liar, "mine/course.yaml cannot be unpacked"},
		{"a file too long", append(zipped(t, yaml), make([]byte, course.MaxPacked)...), "a course file has at most 8388608 bytes"},
		{"up and away", zipped(t, yaml, file("mine/../../etc/passwd", "x")), `the entry "mine/../../etc/passwd" leads out of the course`},
		{"from the root", zipped(t, yaml, file("/etc/passwd", "x")), `the entry "/etc/passwd" leads out of the course`},
		{"from Windows", zipped(t, yaml, file(`..\evil`, "x")), `the entry "..\\evil" leads out of the course`},
		{"a drive", zipped(t, yaml, file(`C:evil`, "x")), `the entry "C:evil" leads out of the course`},
		{"a link", zipped(t, yaml, link), "mine/first.en.md is a link: a course file holds only files"},
		{"a device", zipped(t, yaml, device), "mine/tty is neither a file nor a directory"},
		{"a name twice", zipped(t, yaml, yaml), "mine/course.yaml is there twice"},
		{"encrypted", zipped(t, yaml, encrypted), "mine/secret is encrypted"},
		{"packed in another way", unknown, "mine/course.yaml cannot be unpacked"},
		{"a zip in a zip", zipped(t, yaml, file("mine/more.zip", string(zipped(t, yaml)))), "mine/more.zip is a zip file itself: a course file holds no other"},
		{"no zip", []byte("title: {en: Mine}"), "this is no zip file"},
		{"an empty zip", zipped(t), "it has no course.yaml"},
		{"too deep", zipped(t, file("a/b/course.yaml", "")), "it has no course.yaml"},
		{"two courses", zipped(t, yaml, file("yours/course.yaml", "")), "it has 2 courses: a course file holds one"},
	} {
		_, name, err := course.Unpack(test.packed, "/somewhere/mine.lockstep.zip")
		switch said := ""; {
		case err == nil && (test.want != "" || name != "mine"):
			t.Errorf("%s: it is taken as %s", test.name, name)
		case err != nil:
			if said = err.Error(); said != "mine.lockstep.zip: "+test.want {
				t.Errorf("%s: %s, want %s", test.name, said, test.want)
			}
			if chinese := err.(lang.Speaker).Sentence(lang.Chinese); chinese == said {
				t.Errorf("%s: no Chinese", test.name)
			}
		}
	}
}

// A course may come from anybody. However long its scenarios run, loading it ends.
func TestLoadingACourseHasABound(t *testing.T) {
	defer course.SetMostWork(28_000)()
	dir := right(t)
	c := course.Load(dir, "right")
	if len(c.Lessons) != 1 || !slices.ContainsFunc(c.Mistakes, func(m course.Mistake) bool {
		return m.Why.English == "the scenarios of the course take too long: no further one is played"
	}) {
		t.Errorf("%d lessons are kept, and the mistakes are %v", len(c.Lessons), c.Mistakes)
	}
}

// Any bytes are a course file or are refused.
func FuzzUnpack(f *testing.F) {
	packed, err := course.Pack(os.DirFS("testdata/right"), "right")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Add(zipped(f, file("course.yaml", "title: {en: A}\nlessons: [a]\n"), file("course.yaml/a", ""), file("a.en.md", "---\n---\n")))
	f.Fuzz(func(t *testing.T, packed []byte) {
		defer course.SetMostWork(1_000_000)()
		c, err := course.OpenPacked(packed, "any.zip")
		if (c == nil) == (err == nil) {
			t.Errorf("the course is %v, the error %v", c, err)
		}
	})
}
