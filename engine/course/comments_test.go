package course_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"lockstep/engine/course"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
)

// Every comment of every program that comes with Lockstep has its Chinese, and every Chinese its comment. A comment without
// one stays English on a Chinese page. The Chinese has no
// more lines than the English and is no wider than the pane, where a Chinese character takes two columns.
func TestCommentsHaveTheirChinese(t *testing.T) {
	var sources []string
	for _, dir := range []string{"../program/programs", "redis-lock"} {
		files, err := fs.Glob(os.DirFS(dir), "*.star")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has %d programs: %v", dir, len(files), err)
		}
		for _, name := range files {
			source, err := os.ReadFile(dir + "/" + name)
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, string(source))
		}
	}
	comments := course.BuiltinComments()
	used := map[string]bool{}
	for _, source := range sources {
		lines := strings.Split(source, "\n")
		for _, p := range program.Paragraphs(source) {
			used[p.Text] = true
			switch n, chinese := strings.Count(p.Text, "\n")+1, comments[p.Text]; {
			case len(chinese) == 0:
				testtools.Untranslated(t, "this comment needs from 1 to %d lines of Chinese:\n%s", n, p.Text)
			case len(chinese) > n:
				t.Errorf("this comment needs from 1 to %d lines of Chinese and has %d:\n%s", n, len(chinese), p.Text)
			}
		}
		for i, chinese := range comments.In(source) {
			code := lines[i][:strings.LastIndex(lines[i], "# ")]
			if width := len(code) + columns(chinese); width > 66 {
				t.Errorf("%d columns: %s%s", width, code, chinese)
			}
		}
	}
	for english := range comments {
		if !used[english] {
			t.Errorf("no program has this comment any more:\n%s", english)
		}
	}
}

// A program comes with Lockstep as long as nobody has changed it.
func TestShips(t *testing.T) {
	builtin, _ := program.Builtin("naive")
	own := course.Builtin().Lesson("one-winner").Challenge("two-commands").Program()
	mine := *builtin
	mine.Source += "# Mine."
	if !course.Ships(builtin) || !course.Ships(own) || course.Ships(&mine) {
		t.Errorf("naive comes with Lockstep: %v, %s: %v, a changed one: %v", course.Ships(builtin), own.Name, course.Ships(own), course.Ships(&mine))
	}
}

// columns returns the width of a text in which each character beyond Latin takes two columns.
func columns(text string) int {
	n := 0
	for _, r := range text {
		if n++; utf8.RuneLen(r) > 2 {
			n++
		}
	}
	return n
}
