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

// part reads one item, such as lesson: race. It is not ok where the item is left out.
func (l *loader) part(f facts) (p Part, ok bool) {
	var y struct{ Lesson, Challenge, Poll, Test, Title facts }
	f.decode(&y)
	p.Title = l.both(y.Title)
	kinds := slices.DeleteFunc([]facts{y.Lesson, y.Challenge, y.Poll, y.Test}, func(f facts) bool { return !f.given() })
	if len(kinds) != 1 {
		if len(f.Content) > 0 {
			f.refuse("an item of the playlist is one of lesson, challenge, poll and test", "课堂流程的每一项是 lesson、challenge、poll 或 test 之一")
		}
		return p, false
	}
	kind := kinds[0]
	name := kind.text()
	switch {
	case y.Poll.given():
		if p.Reply = name == "reply"; !p.Reply && name != "lesson" {
			kind.refuse("a poll asks for the lesson or the reply, not %q%s", "投票只能是 lesson 或 reply，不能是 %q%s", name, lang.DidYouMean(name, []string{"lesson", "reply"}))
			return p, false
		}
		return p, true
	case y.Test.given():
		p.Form = Form(name)
		return p, l.isForm(kind, name)
	}
	in, challenge, _ := strings.Cut(name, "/")
	if y.Lesson.given() {
		in = name
	}
	p.Task = Task{Course: l.course, Lesson: l.course.Lesson(in)}
	lesson := p.Task.Lesson
	if lesson != nil && y.Challenge.given() {
		p.Task.Challenge = lesson.Challenge(challenge)
	}
	switch {
	case lesson == nil && slices.Contains(l.taken, in): // the loader has reported the lesson's own mistakes
	case lesson == nil && y.Lesson.given():
		kind.refuse("there is no lesson %s%s", "没有课文 %s%s", name, lang.DidYouMean(name, namesOf(l.course.All(), func(lesson *Lesson) bool { return lesson.Scenario != nil })))
	case y.Lesson.given() && lesson.Scenario == nil:
		kind.refuse("%s has no scenario to show; name one of its challenges", "%s 没有可展示的场景；请写它的一个挑战", name)
	case y.Lesson.given():
		return p, true
	case p.Task.Challenge == nil:
		var known []string
		for _, lesson := range l.course.All() {
			for _, c := range lesson.Challenges {
				known = append(known, lesson.Name+"/"+c.Name)
			}
		}
		kind.refuse("there is no challenge %s%s", "没有挑战 %s%s", name, lang.DidYouMean(name, known))
	case p.Task.Challenge.Fix != nil:
		kind.refuse("%s is a program to fix: nobody can play it", "%s 要修改程序，不能动手演练", name)
	default:
		return p, true
	}
	return p, false
}

// isForm reports whether a name is that of a form of the course's test, and notes the mistake where it is none.
func (l *loader) isForm(f facts, name string) bool {
	switch {
	case !slices.Contains(Forms(), Form(name)):
		f.refuse("a test is before or after, not %q", "测验只能是 before 或 after，不能是 %q", name)
	case l.course.Test == nil && len(l.course.Languages) > 0 && !l.hasTest(): // else it has mistakes of its own
		f.refuse("the course has no test", "课程没有测验")
	}
	return slices.Contains(Forms(), Form(name)) && l.course.Test != nil
}

// namesOf returns the names of some lessons.
func namesOf(all []*Lesson, some func(*Lesson) bool) (names []string) {
	for _, lesson := range all {
		if some(lesson) {
			names = append(names, lesson.Name)
		}
	}
	return names
}
