package present

import (
	"strings"

	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
	exploreview "lockstep/views/explore"
	runview "lockstep/views/run"
	"lockstep/web/search"
)

// Mend makes the view model of a challenge to repair a program, with the reader's current text of the program.
func Mend(t course.Task, source string, site views.Site) runview.Mend {
	page := runview.Mend{Site: site, Source: source}
	page.Here = LessonPath(t.Course, t.Lesson) + "/" + t.Challenge.Name
	page.Task, page.Outcome = teacher{page.Lang}.task(t), exploreview.Outcome{Site: page.Site}
	page.Task.Challenge = teacher{page.Lang}.posed(t)
	page.Window, page.About, page.Picture = titleOf(&page.Task), page.Task.Lesson.Goal.Say, pictureOf(page.Here)
	Frame(page.Frame, t)
	page.Data = exploreview.Data{Lang: page.Lang, Base: page.Base, Timeline: views.TimelineWords(page.Lang, check.Flags(page.Lang)), Counterexamples: []Pictured{}, Depths: []int64{}, Words: exploreSayings(page.Lang)}
	return page
}

// Mended says on the page that nothing breaks the repaired program.
func Mended(page *runview.Mend, t course.Task, p *search.Proof) {
	teacher{page.Lang}.proved(page.Task.Challenge, t.Challenge, p)
	page.Task.Challenge.Stamp = views.Say(page.Lang, "challenge.fixed")
}

// Bare returns the text of a program without its opening comment: the reader finds the mistake alone.
func Bare(p *program.Program, l lang.Language) string {
	return editable(strings.Join(strings.Split(p.Source, "\n")[len(headOf(p.Source)):], "\n"), l)
}

// editable returns the text of a program for a reader to edit: with its comments in their language.
func editable(source string, l lang.Language) string {
	if l == lang.Chinese {
		return course.BuiltinComments().Put(source)
	}
	return source
}
