package present

import (
	"slices"
	"strconv"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
	roomview "lockstep/views/room"
	"lockstep/web/room"
)

// A Taught is a lesson that a class has come to.
type Taught struct {
	Course *course.Course
	Lesson *course.Lesson
}

// TaughtIn returns the lessons whose runs a room has shown, and those of its exercises, each once.
func TaughtIn(record room.Record, courses []*course.Course) []Taught {
	var all []Taught
	add := func(task string) {
		t := course.Find(courses, task)
		one := Taught{t.Course, t.Lesson}
		if t.Lesson != nil && !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	for _, s := range record.Shown {
		add(s.Task)
	}
	for _, e := range record.Exercises {
		add(e.Task)
	}
	return all
}

// HandoutFile makes the view model of lessons on paper in one file.
func HandoutFile(lessons []Taught, answers bool, title string, site views.Site) courseview.HandoutFile {
	f := courseview.HandoutFile{Lang: site.Lang, Title: title, Data: []courseview.HandoutData{}}
	for _, one := range lessons {
		h := Handout(one.Course, one.Lesson, answers, site)
		if len(h.Data.Events) > 0 {
			f.Data = append(f.Data, h.Data)
		}
		f.Lessons = append(f.Lessons, h)
	}
	return f
}

// TakeHome makes the view model of the page with all that somebody in a room can take home: the class's runs, their own and the handout.
// free has what the runs without a task are called; one in which nothing has happened is not there.
func TakeHome(r *room.Room, who room.Who, courses []*course.Course, free map[string]lang.Text, site views.Site) roomview.TakeHome {
	in := teacher{site.Lang}
	record := r.Record()
	page := roomview.TakeHome{Site: site, Room: RoomPath(r.Code()), Over: r.Over(), Presenter: who.Presenter}
	page.Window = views.Say(in.lang, "home-files") + " · " + room.FormatCode(r.Code())
	page.Name = r.Name().In(in.lang)
	page.About = views.Say(in.lang, "home-files.about")
	for i, s := range record.Shown {
		called, happened := free[s.Run]
		if s.Task == "" && !happened {
			continue
		}
		link := in.toTake(courses, s.Task, s.Run, i+1)
		if happened {
			link.Title = called.In(in.lang)
		}
		page.Runs = append(page.Runs, link)
	}
	for _, c := range r.Copies(who.Seat) {
		page.Copies = append(page.Copies, in.toTake(courses, c.Task, c.Run, c.Exercise))
	}
	for _, one := range TaughtIn(record, courses) {
		page.Lessons = append(page.Lessons, one.Lesson.Title.In(in.lang))
	}
	return page
}

// toTake returns a run as a file that plays without a server.
func (in teacher) toTake(courses []*course.Course, task, run string, number int) roomview.FileLink {
	title := views.Say(in.lang, "home-files.run", strconv.Itoa(number))
	if t := course.Find(courses, task); t.Lesson != nil {
		title = taskTitle(t).In(in.lang)
	}
	return roomview.FileLink{Title: title, File: RunPath(run) + ".html?lang=" + string(in.lang), Page: RunPath(run)}
}

// HandoutTitle returns the title of a class's handout.
func HandoutTitle(r *room.Room, l lang.Language) string {
	return views.Say(l, "home-files.handout-of", r.Name().In(l))
}
