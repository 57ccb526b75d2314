package course

import (
	"slices"
	"strings"

	"lockstep/engine/lang"
)

// A Part is one item of a course's playlist: what a class does in a session, in its order. It is a lesson or a challenge,
// a form of the test, or else a question to the class.
type Part struct {
	Task  Task      // a lesson that is shown, or a challenge that everybody tries; the zero Task: it is none
	Form  Form      // of the test; empty: it is none
	Reply bool      // the question is for the next reply of Redis; else for the lesson's own next question
	Title lang.Text // in place of the usual one; optional
}

// MaxPlaylist is how many items a playlist has at most: more than a day holds.
const MaxPlaylist = 40

// playlist reads the items of the course's playlist. An item whose subject has mistakes of its own, which are reported, is
// left out.
func (l *loader) playlist(items []facts) {
	if len(items) > MaxPlaylist {
		items[MaxPlaylist].refuse("a playlist has at most %d items", "课堂流程最多 %d 项", MaxPlaylist)
		items = items[:MaxPlaylist]
	}
	for _, f := range items {
		if part, ok := l.part(f); ok {
			l.course.Playlist = append(l.course.Playlist, part)
		}
	}
}

// part reads one item, such as lesson: race.
func (l *loader) part(f facts) (p Part, ok bool) {
	kinds := 0
	one := func(read func(facts) bool) func(facts) {
		return func(f facts) {
			if kinds++; kinds == 1 {
				ok = read(f)
			}
		}
	}
	f.fields(map[string]func(facts){
		"lesson":    one(func(f facts) bool { return l.lessonPart(&p, f) }),
		"challenge": one(func(f facts) bool { return l.challengePart(&p, f) }),
		"poll":      one(func(f facts) bool { return pollPart(&p, f) }),
		"test":      one(func(f facts) bool { return l.testPart(&p, f) }),
		"title":     func(f facts) { p.Title = l.both(f) },
	})
	if kinds != 1 && len(f.Content) > 0 {
		f.refuse("an item of the playlist is one of lesson, challenge, poll and test", "课堂流程的每一项是 lesson、challenge、poll 或 test 之一")
		return p, false
	}
	return p, ok
}

// lessonPart reads the name of a lesson that can be shown.
func (l *loader) lessonPart(p *Part, f facts) bool {
	name := f.text()
	p.Task = Task{Course: l.course, Lesson: l.course.Lesson(name)}
	if p.Task.Lesson == nil {
		if !slices.Contains(l.taken, name) { // the loader has reported the lesson's own mistakes
			f.refuse("there is no lesson %s%s", "没有课文 %s%s", name, lang.DidYouMean(name, l.known(func(lesson *Lesson) bool { return lesson.Scenario != nil })))
		}
		return false
	}
	if p.Task.Lesson.Scenario == nil {
		f.refuse("%s has no scenario to show; name one of its challenges", "%s 没有可展示的场景；请写它的一个挑战", name)
		return false
	}
	return true
}

// challengePart reads a lesson and its challenge, such as race/break.
func (l *loader) challengePart(p *Part, f facts) bool {
	name := f.text()
	in, challenge, _ := strings.Cut(name, "/")
	p.Task = Task{Course: l.course, Lesson: l.course.Lesson(in)}
	if p.Task.Lesson != nil {
		p.Task.Challenge = p.Task.Lesson.Challenge(challenge)
	}
	switch {
	case p.Task.Lesson == nil && slices.Contains(l.taken, in):
		return false
	case p.Task.Challenge == nil:
		var known []string
		for _, lesson := range l.course.All() {
			for _, c := range lesson.Challenges {
				known = append(known, lesson.Name+"/"+c.Name)
			}
		}
		f.refuse("there is no challenge %s%s", "没有挑战 %s%s", name, lang.DidYouMean(name, known))
		return false
	case p.Task.Challenge.Fix != nil:
		f.refuse("%s is a program to fix: nobody can play it", "%s 要修改程序，不能动手演练", name)
		return false
	}
	return true
}

func pollPart(p *Part, f facts) bool {
	switch name := f.text(); name {
	case "lesson":
	case "reply":
		p.Reply = true
	default:
		f.refuse("a poll asks for the lesson or the reply, not %q%s", "投票只能是 lesson 或 reply，不能是 %q%s", name, lang.DidYouMean(name, []string{"lesson", "reply"}))
		return false
	}
	return true
}

func (l *loader) testPart(p *Part, f facts) bool {
	name := f.text()
	if !slices.Contains(Forms(), Form(name)) {
		f.refuse("a test is before or after, not %q", "测验只能是 before 或 after，不能是 %q", name)
		return false
	}
	if l.course.Test == nil {
		if len(l.course.Languages) > 0 && !l.has("test."+string(l.course.Languages[0])+".md") { // else it has mistakes of its own
			f.refuse("the course has no test", "课程没有测验")
		}
		return false
	}
	p.Form = Form(name)
	return true
}

// known returns the names of some lessons.
func (l *loader) known(some func(*Lesson) bool) (names []string) {
	for _, lesson := range l.course.All() {
		if some(lesson) {
			names = append(names, lesson.Name)
		}
	}
	return names
}
