package course_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// Any bytes are a lesson's file. Load reports their mistakes, the same each
// time, in the file's own lines, and a remaining lesson is playable.
func FuzzLoad(f *testing.F) {
	dir := right(f)
	f.Add(string(dir["second.en.md"].Data), string(dir["second.zh.md"].Data))
	archives, err := filepath.Glob("testdata/mistakes/*.txtar")
	if err != nil || len(archives) == 0 {
		f.Fatal("no archives", err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			switch file.Name {
			case "second.en.md":
				f.Add(string(file.Data), string(dir["second.zh.md"].Data))
			case "second.zh.md":
				f.Add(string(dir["second.en.md"].Data), string(file.Data))
			}
		}
	}
	f.Add("---\ntitle: &a One\ngoal: *a\nscenario: *b\n---\n", "---\n<<: {title: x}\n? [goal]\n: !!binary aGk=\n---\n# {#a #b .c id=4 style=x}\n|a|\n|-:|\n|<b>|\n")
	f.Add(string(dir["second.en.md"].Data)+"***\n\nMore.\n\n* * *\n", string(dir["second.zh.md"].Data)+"\n***\n")
	f.Add("---\ntitle: T\ngoal: G\nscenario: |\n  # @a\n  program set-px-watchdog\n  spawn C1\n  step C1 100\n  redis crash\n  tick 1d\n", "\ufeff---\r\n---\r\n\x00")
	f.Add("---\ntitle: T\ngoal: G\nscenario: |\n  program naive\n  spawn C1\n  # @a\n  step C1\n  expect C1 holds\nagain:\n  scenario: |\n    program naive\n    spawn C1\n    # @again\n    step C1\n  answers: {in: expect C1 holds, out: expect C1 done}\n---\nL\n## A {#a}\nW\n## Q {#again}\nW?\n### I {#in}\nY\n### O {#out}\nN\n", "---\ntitle: T\n---\n")
	f.Fuzz(func(t *testing.T, english, chinese string) {
		files := fstest.MapFS{"second.en.md": {Data: []byte(english)}, "second.zh.md": {Data: []byte(chinese)}}
		for _, name := range []string{"course.yaml", "second.star", "mended.star", "first.en.md", "first.zh.md", "sources.yaml"} {
			files[name] = dir[name]
		}
		files["course.yaml"] = &fstest.MapFile{Data: []byte("title: {en: Right, zh: 对}\nlessons: [first, second]\nmisconceptions: {queue: {en: A queue, zh: 排队}}\n")}
		c := course.Load(files, "right")
		if again := course.Load(files, "right"); told(again) != told(c) {
			t.Fatalf("once\n%s\nand once\n%s", told(c), told(again))
		}
		for _, m := range c.Mistakes {
			if lines := 1 + strings.Count(string(files[m.File].Data), "\n"); m.Line > lines {
				t.Errorf("the file has %d lines: %v", lines, m)
			}
		}
		taken(t, c)
		if l := c.Lesson("second"); l != nil {
			take(t, l)
		}
	})
}

// told returns everything in a course that a reader sees.
func told(c *course.Course) string {
	var b strings.Builder
	for _, m := range c.Mistakes {
		fmt.Fprintln(&b, m.Sentence(lang.English), m.Sentence(lang.Chinese))
	}
	for _, l := range c.All() {
		fmt.Fprintln(&b, l.Name, l.Title, l.Goal, l.Link, l.Lead, l.LeadMore, l.On)
		for _, m := range l.Moments {
			fmt.Fprintln(&b, *m)
			for _, a := range m.Answers {
				fmt.Fprintln(&b, *a)
			}
		}
		for _, ch := range l.Challenges {
			fmt.Fprintln(&b, ch.Name, ch.Heading, ch.Text, ch.More, ch.Solved, ch.SolvedMore, ch.Properties, ch.Par, ch.Bounds)
		}
	}
	return regexp.MustCompile(`0x[0-9a-f]+`).ReplaceAllString(b.String(), "")
}

var address = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// take goes through a lesson as a learner does.
func take(t *testing.T, l *course.Lesson) {
	t.Helper()
	var html strings.Builder
	for _, m := range l.Moments {
		run := l.Run(m.At)
		if here, follows := l.Here(run.Actions()); here != m || !follows {
			t.Errorf("after %d actions the lesson is at %v, not at %s", m.At, here, m.Name)
		}
		run.World().Close()
		right := 0
		for _, a := range m.Answers {
			if a.Right {
				right++
			}
			html.WriteString(a.Text.English + a.After.English + a.More.English)
		}
		if len(m.Answers) > 0 && right != 1 {
			t.Errorf("at %s %d answers of %d are right", m.Name, right, len(m.Answers))
		}
		html.WriteString(m.Heading.English + m.Text.English + m.More.English)
	}
	for _, ch := range l.Challenges {
		if s := ch.Judge(ch.Begin()); s.Actions != 0 || s.Broken || s.Foul != nil {
			t.Errorf("%s begins with %+v", ch.Name, s)
		}
		for _, q := range ch.Questions() {
			if err := q.Check(); err != nil {
				t.Errorf("%s: %v", ch.Name, err)
			}
		}
		html.WriteString(ch.Heading.English + ch.Text.English + ch.More.English + ch.Solved.English + ch.SolvedMore.English)
	}
	for _, to := range address.FindAllStringSubmatch(html.String(), -1) {
		if !strings.HasPrefix(to[1], "http://") && !strings.HasPrefix(to[1], "https://") {
			t.Errorf("a link leads to %q", to[1])
		}
	}
	if strings.Contains(html.String(), "<!--") {
		t.Errorf("the renderer left out HTML: %s", html.String())
	}
}
