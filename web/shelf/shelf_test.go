package shelf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine/course"
)

// right is a course without a mistake, to copy.
const right = "../../engine/course/testdata/right"

// copied returns a directory of that name with the files of the right course.
func copied(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS(right)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// edit replaces words of a file.
func edit(t *testing.T, file, old, new string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), old) {
		t.Fatalf("%s does not say %q: %v", file, old, err)
	}
	write(t, file, strings.Replace(string(text), old, new, 1))
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// opened returns a shelf, and what it has told.
func opened(t *testing.T, o Options) (*Follower, *[]string) {
	t.Helper()
	var told []string
	o.Tell = func(sentence string) { told = append(told, sentence) }
	f, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return f, &told
}

func names(s *Shelf) string {
	var all []string
	for _, c := range s.All() {
		all = append(all, c.Name)
	}
	return strings.Join(all, " ")
}

func TestAnOwnCourseStandsFirst(t *testing.T) {
	one, two := copied(t, "one"), copied(t, "two")
	own := copied(t, course.Builtin().Name)
	for _, test := range []struct {
		o    Options
		want string // the names, or the refusal
	}{
		{Options{}, "redis-lock"},
		{Options{Courses: []string{one, two}}, "one two redis-lock"},
		{Options{Courses: []string{one, two}, Only: true}, "one two"},
		{Options{Courses: []string{own}, Only: true}, "redis-lock"},
		{Options{Courses: []string{own}}, "two courses are named redis-lock: a course takes the name of its directory; rename one of them"},
		{Options{Courses: []string{one, one}}, "two courses are named one: a course takes the name of its directory; rename one of them"},
		{Options{Only: true}, "--only hides the built-in course: name a course to serve instead with --course or --courses"},
		{Options{Watch: true}, "--watch reads courses again as their files change: name one with --course"},
	} {
		test.o.Tell = func(sentence string) { t.Error(sentence) }
		got := ""
		if f, err := Open(test.o); err != nil {
			got = err.Error()
		} else {
			got = names(f.Shelf)
		}
		if got != test.want {
			t.Errorf("%+v gives %s, want %s", test.o, got, test.want)
		}
	}
	if got := names(Of(nil, true)); got != "redis-lock" {
		t.Errorf("a shelf without any other course holds %q", got)
	}
}

// A course is read again exactly when one of its files holds something else, also within the moment in which a file's time
// does not tell, and also when a file appears that it has looked for.
func TestACourseFollowsItsFiles(t *testing.T) {
	dir := copied(t, "mine")
	f, told := opened(t, Options{Courses: []string{dir}, Watch: true})
	lesson := filepath.Join(dir, "first.en.md")
	title := func() string { return f.All()[0].Lesson("first").Title.English }
	look := func(what string, exchanged bool) {
		t.Helper()
		before, version := f.All()[0], f.Version()
		if f.Look(); (f.All()[0] != before) != exchanged || (f.Version() != version) != exchanged {
			t.Errorf("%s: exchanged %v, version %s after %s", what, f.All()[0] != before, f.Version(), version)
		}
	}
	look("nothing has happened", false)
	edit(t, lesson, "title: First", "title: Start")
	look("a title", true)
	if title() != "Start" {
		t.Errorf("the title is %q", title())
	}
	info, err := os.Stat(lesson)
	if err != nil {
		t.Fatal(err)
	}
	edit(t, lesson, "title: Start", "title: Begin")
	if err := os.Chtimes(lesson, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	look("a title of the same length, within the same tick of the file system", true)
	if err := os.Chtimes(lesson, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	look("another time alone", false)
	write(t, filepath.Join(dir, "notes.txt"), "Nobody reads this.")
	look("a file that the course does not read", false)

	edit(t, lesson, "expect reply C2 0\n  # @showed", "expect reply C2 1\n  # @showed")
	look("a mistake", true)
	if f.All()[0].Lesson("first") != nil || len(*told) == 0 || !strings.HasPrefix((*told)[0], lesson+":10: ") {
		t.Errorf("the mistake is told as %q", *told)
	}
	edit(t, lesson, "expect reply C2 1\n  # @showed", "expect reply C2 0\n  # @showed")
	look("the mistake is gone", true)

	translation := filepath.Join(dir, "first.zh.md")
	words, err := os.ReadFile(translation)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(translation); err != nil {
		t.Fatal(err)
	}
	look("a file is gone", true)
	write(t, translation, string(words))
	look("and is back", true)
	if len(f.All()[0].Mistakes) > 0 {
		t.Errorf("in the end there are mistakes: %v", f.All()[0].Mistakes)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	*told = nil
	look("the directory is gone", false)
	look("and still is", false)
	if want := "opening the course: stat " + dir + ": no such file or directory"; strings.Join(*told, "\n") != want {
		t.Errorf("without its directory it tells %q, want once %q", *told, want)
	}
}

// Requests read the shelf while it is exchanged: each sees the courses of one moment.
func TestAShelfIsExchangedAsAWhole(t *testing.T) {
	dir := copied(t, "mine")
	f, _ := opened(t, Options{Courses: []string{dir}, Watch: true})
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if all := f.All(); len(all) != 2 || all[0].Name != "mine" || all[0].Lesson("first") == nil {
					t.Error("a reader sees a shelf in between")
					return
				}
			}
		})
	}
	for i := range 10 {
		edit(t, filepath.Join(dir, "first.en.md"), "# @showed", strings.Repeat(" ", i%2)+"# @showed")
		f.Look()
	}
	close(stop)
	readers.Wait()
}

// packed writes the right course as a course file, under a name of its own.
func packed(t *testing.T, file, name string) {
	t.Helper()
	text, err := course.Pack(os.DirFS(right), name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, string(text))
}

// A course file is served like a directory, and exchanged under --watch. One that is spoiled leaves the course as it was.
func TestACourseFileIsServed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.lockstep.zip")
	packed(t, file, "mine")
	f, told := opened(t, Options{Courses: []string{file}, Watch: true})
	before := f.All()[0]
	if names(f.Shelf) != "mine redis-lock" || len(before.All()) != 3 {
		t.Errorf("the shelf holds %s", names(f.Shelf))
	}
	write(t, file, "spoiled")
	for range 3 {
		f.Look()
	}
	if f.All()[0] != before || strings.Join(*told, "\n") != "mine.lockstep.zip: this is no zip file" {
		t.Errorf("a spoiled file is told as %q", *told)
	}
	packed(t, file, "yours")
	if f.Look(); names(f.Shelf) != "yours redis-lock" {
		t.Errorf("afterwards the shelf holds %s", names(f.Shelf))
	}
	if _, err := Open(Options{Courses: []string{filepath.Join(t.TempDir(), "nothing.zip")}}); err == nil || !strings.HasPrefix(err.Error(), "opening the course: stat ") {
		t.Errorf("a file that is not there gives %v", err)
	}
}

// A course file that somebody puts into the directory is served without a restart, and goes with its file. Each thing that is
// wrong is told once.
func TestCourseFilesComeAndGo(t *testing.T) {
	dir := t.TempDir()
	f, told := opened(t, Options{Drop: dir, Only: true})
	sees := func(what, want string, wantTold ...string) {
		t.Helper()
		f.Look()
		f.Look() // a file is read once that it looks the same twice
		if got := names(f.Shelf); got != want {
			t.Errorf("%s: the shelf holds %s, want %s", what, got, want)
		}
		if f.Look(); strings.Join(*told, "\n") != strings.Join(wantTold, "\n") {
			t.Errorf("%s: told %q, want %q", what, *told, wantTold)
		}
		*told = nil
	}
	sees("an empty directory", "redis-lock")
	packed(t, filepath.Join(dir, "b.lockstep.zip"), "beta")
	f.Look()
	if names(f.Shelf) != "redis-lock" {
		t.Error("a file is read while somebody may still be copying it")
	}
	sees("a course", "beta")
	packed(t, filepath.Join(dir, "a.zip"), "alpha")
	write(t, filepath.Join(dir, "notes.txt"), "Nobody reads this.")
	if err := os.Mkdir(filepath.Join(dir, "c.zip"), 0o755); err != nil {
		t.Fatal(err)
	}
	sees("a second course", "alpha beta")
	packed(t, filepath.Join(dir, "d.zip"), "alpha")
	sees("a name twice", "alpha beta", filepath.Join(dir, "d.zip")+": there is a course alpha already")
	write(t, filepath.Join(dir, "b.lockstep.zip"), "spoiled")
	sees("a spoiled file", "alpha beta", "b.lockstep.zip: this is no zip file")
	if err := os.Remove(filepath.Join(dir, "a.zip")); err != nil {
		t.Fatal(err)
	}
	sees("the first of that name is gone", "beta alpha")
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	sees("the directory is gone", "beta alpha", "--courses: open "+dir+": no such file or directory")
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b.lockstep.zip", "d.zip"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	sees("all are gone", "redis-lock")
	if _, err := Open(Options{Drop: filepath.Join(dir, "nothing")}); err == nil {
		t.Error("a directory that is not there is taken")
	}
}

// A directory with more course files than the bound serves the first ones, and says so.
func TestADropHasABound(t *testing.T) {
	dir := t.TempDir()
	for i := range maxDropped + 1 {
		packed(t, filepath.Join(dir, fmt.Sprintf("%03d.zip", i)), fmt.Sprintf("c%03d", i))
	}
	f, told := opened(t, Options{Drop: dir, Only: true})
	if len(f.All()) != maxDropped || f.All()[maxDropped-1].Name != "c049" || strings.Join(*told, "") != "--courses: "+dir+" holds 51 course files; the first 50 are served" {
		t.Errorf("%d courses are served, and told is %q", len(f.All()), *told)
	}
}
