package present

import (
	"slices"
	"strings"
	"unicode/utf8"

	"lockstep/engine/ask"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
	roomview "lockstep/views/room"
	"lockstep/web/room"
)

// calledMost is how many bytes a run's title has at most in one language.
const calledMost = 160

// Called returns what a run is called in a playlist: its lesson, or what happens in it.
func (r Run) Called() (t lang.Text) {
	for _, l := range lang.All {
		title := r.story(r.Engine, nil, l)
		said := title.title
		if r.Task.Lesson != nil {
			said = (teacher{l}).titled(r.Task)
		} else if title.about != "" {
			said += " · " + title.about
		}
		t.Set(l, clipped(said))
	}
	return t
}

// clipped returns as much of a text as a title may have.
func clipped(text string) string {
	if len(text) <= calledMost {
		return text
	}
	cut := calledMost
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// titled returns the title of a lesson, with its challenge if the task is one.
func (in teacher) titled(t course.Task) string {
	title := t.Lesson.Title.In(in.lang)
	if t.Challenge != nil {
		title += views.Say(in.lang, "room.task-of") + plain(t.Challenge.Heading.In(in.lang))
	}
	return title
}

// NextReply returns the client whose reply a class is asked for: the one that the lesson moves next, or the first that
// waits for one; empty: none waits.
func (r Run) NextReply() string {
	if next, ok := r.Task.Next(r.Engine); ok {
		if _, waits := ask.Awaits(r.Engine.World(), next.Client); waits {
			return next.Client
		}
	}
	for _, c := range r.Engine.World().Clients() {
		if _, waits := ask.Awaits(r.Engine.World(), c.Name); waits {
			return c.Name
		}
	}
	return ""
}

// WillAsk reports whether the run follows a lesson that asks a question from here on.
func (r Run) WillAsk() bool {
	lesson, actions := r.Task.Guided(), r.Engine.Actions()
	if lesson == nil {
		return false
	}
	if _, follows := lesson.Here(actions); !follows {
		return false
	}
	return slices.ContainsFunc(lesson.Moments, func(m *course.Moment) bool { return m.At >= len(actions) && len(m.Answers) > 0 })
}

// playlist returns the items of a room's playlist as its presenter sees them.
func playlist(plan []room.PlanItem, now int, courses []*course.Course, l lang.Language) []roomview.PlanItem {
	in := teacher{l}
	var all []roomview.PlanItem
	for i, item := range plan {
		v := roomview.PlanItem{Number: i + 1, Kind: string(item.Kind), Target: item.Target, Title: item.Title.In(l), Now: i+1 == now}
		if v.Title == "" {
			v.Title = in.item(item, courses)
		}
		all = append(all, v)
	}
	return all
}

// item returns what a course calls an item.
func (in teacher) item(item room.PlanItem, courses []*course.Course) string {
	switch item.Kind {
	case room.PlanPoll:
		if item.Target == room.PlanReply {
			return views.Say(in.lang, "plan.reply")
		}
		return views.Say(in.lang, "plan.asked")
	case room.PlanTest:
		name, form, _ := strings.Cut(item.Target, "/")
		if c := course.Named(courses, name); c != nil {
			return courseview.FormOf(in.lang, c.Title.In(in.lang), form)
		}
	default:
		if t := course.Find(courses, item.Target); t.Lesson != nil {
			return in.titled(t)
		}
	}
	return views.Say(in.lang, "plan.gone")
}

// planned returns the courses that bring a playlist.
func planned(courses []*course.Course, l lang.Language) []roomview.TaskLink {
	var all []roomview.TaskLink
	for _, c := range courses {
		if len(c.Playlist) > 0 {
			all = append(all, roomview.TaskLink{Name: c.Name, Title: c.Title.In(l)})
		}
	}
	return all
}
