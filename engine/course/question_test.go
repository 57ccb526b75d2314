package course_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
)

const asking = `---
title: Lesson %[1]s
goal: See who is first.
scenario: |
  program naive
  spawn C1 C2
  step C1
  # @first
  step C2
  expect reply C2 0
  # @showed
%[2]s---
Two clients.

## First {#first}
Words.

## Showed {#showed}
Words.
`

const comesBack = `again:
  scenario: |
    program naive
    spawn C1 C2 C3
    step C2
    # @again
    step C3
    step C1
  answers:
    gets-in: expect C1 holds
    waits:
      - expect C1 asleep
      - expect C3 asleep
`

const backWords = `
## C2 is inside {#again}
C3 and C1 ask. What happens to C1?

***

C3 is faster.

### It gets in {#gets-in}
The key is there.

### It waits {#waits}
Redis replies 0.
`

const tested = `---
title: What do you know?
questions:
  winner:
    about: a
    before:
      scenario: |
        program naive
        spawn C1 C2
        # @before
        step C1
      answers: {gets-in: expect C1 holds, waits: expect C1 asleep}
    after:
      scenario: |
        program naive
        spawn C1 C2
        step C2
        # @after
        step C1
      answers: {gets-in: expect C1 holds, waits: expect C1 asleep}
---
Nobody counts your mistakes.

## C1 asks {#winner-before}
What happens?

### It gets in {#gets-in}
Yes.

### It waits {#waits}
No.

## C1 asks again {#winner-after}
What happens?

### It gets in {#gets-in}
No.

### It waits {#waits}
Yes.
`

// questions returns a course of lessons a, b, c …, of which those in quiet supply no question, and a test.
func questions(t *testing.T, lessons string, quiet string) *course.Course {
	t.Helper()
	dir := fstest.MapFS{
		"course.yaml": {Data: []byte("title: {en: Questions}\nlessons: [" + strings.Join(strings.Split(lessons, ""), ", ") + "]\n")},
		"test.en.md":  {Data: []byte(tested)},
	}
	for _, name := range strings.Split(lessons, "") {
		front, words := comesBack, backWords
		if strings.Contains(quiet, name) {
			front, words = "", ""
		}
		dir[name+".en.md"] = &fstest.MapFile{Data: []byte(fmt.Sprintf(asking, name, front) + words)}
	}
	c := course.Load(dir, "questions")
	for _, m := range c.Check(explore.Runtime{}) {
		t.Error(m)
	}
	return c
}

// The list of a course's own programs has those of questions that come back.
func TestAQuestionHasAProgramOfItsOwn(t *testing.T) {
	naive, _ := program.Builtin("naive")
	c := course.Load(fstest.MapFS{
		"course.yaml": {Data: []byte("title: {en: Questions}\nlessons: [a]\n")},
		"mine.star":   {Data: []byte(naive.Source)},
		"a.en.md":     {Data: []byte(fmt.Sprintf(asking, "a", strings.Replace(comesBack, "program naive", "program mine.star", 1)) + backWords)},
	}, "questions")
	if own := c.Own(lang.English); own != "own programs: mine (a)" {
		t.Errorf("%q, with %v", own, c.Mistakes)
	}
}

// A question is a task that begins where it asks, and ends with its outcome.
func TestAQuestionIsATask(t *testing.T) {
	c := questions(t, "ab", "")
	q := c.Lesson("a").Again
	if q == nil {
		t.Fatal("the lesson supplies no question")
	}
	task := course.Find([]*course.Course{c}, "questions/a/again")
	if task.Lesson != q.Lesson || task.Name() != "questions/a/again" || task.Lesson.Question != q || q.About != c.Lesson("a") {
		t.Fatalf("Find returns %+v", task)
	}
	run := task.Begin(0)
	if m, until := task.Asked(run.Actions()); m != q.Asks() || until != len(q.Scenario.Actions()) || len(run.Actions()) != 4 {
		t.Errorf("after %d actions the task asks %v until %d", len(run.Actions()), m, until)
	}
	if !task.Spoils(run.Actions()) {
		t.Error("a lookahead would not be held back")
	}
	if m, follows := q.Here(q.Scenario.Actions()); !follows || m.Name != "outcome" {
		t.Errorf("at its end the question is at %v", m)
	}
	if a := q.Right(); a.Name != "waits" || a.After.In(lang.English) != "<p>Redis replies 0.</p>\n" {
		t.Errorf("the right answer is %+v", a)
	}
	if m := q.Asks(); m.Asks.In(lang.English) != "What happens to C1?" || m.More.In(lang.English) != "<p>C3 is faster.</p>\n" {
		t.Errorf("the question says %+v", m)
	}
	for _, name := range []string{"questions/b/other", "questions/c/again", "questions/a/again/again"} {
		if found := course.Find([]*course.Course{c}, name); found.Lesson != nil {
			t.Errorf("Find finds %s", name)
		}
	}
}

// What comes back at the end of a lesson was learned two or three lessons ago, if there is such a question.
func TestWhatComesBack(t *testing.T) {
	for _, test := range []struct{ lessons, quiet, at, want string }{
		{"abcdef", "", "f", "dceba"},
		{"abcdef", "", "c", "ab"},
		{"abcdef", "", "b", ""},
		{"abcdef", "", "a", ""},
		{"abcdef", "d", "f", "ceba"},
		{"abcdef", "abcdef", "f", ""},
	} {
		c := questions(t, test.lessons, test.quiet)
		var got []string
		for _, q := range c.Recall(c.Lesson(test.at)) {
			got = append(got, q.About.Name)
		}
		if strings.Join(got, "") != test.want {
			t.Errorf("of %s without %q come back at %s %v, want %s", test.lessons, test.quiet, test.at, got, test.want)
		}
	}
	c := questions(t, "ab", "")
	if got := c.Recall(c.Lesson("a").Again.Lesson); len(got) > 0 {
		t.Errorf("after a question come back %v", got)
	}
}

// Both forms of a test ask about the same, and the engine says what is right in each.
func TestATestAsksTwice(t *testing.T) {
	c := questions(t, "a", "a")
	if c.Test == nil || c.Test.Title.In(lang.English) != "What do you know?" || c.Test.Lead.In(lang.English) != "<p>Nobody counts your mistakes.</p>\n" {
		t.Fatalf("the test is %+v", c.Test)
	}
	var said []string
	for _, f := range course.Forms() {
		for _, p := range c.Test.Pairs {
			q := p.In(f)
			said = append(said, string(f)+" "+q.About.Name+" "+q.Right().Name+" "+q.Asks().Heading.In(lang.English))
		}
	}
	if want := []string{"before a gets-in C1 asks", "after a waits C1 asks again"}; !slices.Equal(said, want) {
		t.Errorf("right are %q, want %q", said, want)
	}
	if said := c.Proved(lang.English); said != "1 lesson, 0 bug reports: 2 moments, 2 predictions and 0 challenges hold" {
		t.Error(said)
	}
	if c := course.Load(right(t), "right"); c.Test != nil {
		t.Error("a course without a test has one")
	}
}
