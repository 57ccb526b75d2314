package present

import (
	"strings"

	"lockstep/engine/course"
	runview "lockstep/views/run"
)

// recalled makes a task of a question: it belongs to the lesson that it asks about, and has a page of its own.
func (in teacher) recalled(task *runview.Task, c *course.Course, q *course.Question) {
	about := in.lesson(c, q.About)
	task.About = &about
	task.Lesson = about
	task.Lesson.Path = LessonPath(c, q.Lesson)
}

// recall returns the questions that may come back where a lesson ends, or where another question does; nil: none.
func (in teacher) recall(t course.Task, l *course.Lesson) *runview.Recall {
	var names []string
	if l.Question != nil {
		for _, one := range t.Course.All() {
			if one.Again != nil && one.Again != l.Question {
				names = append(names, one.Name)
			}
		}
	} else {
		for _, q := range t.Course.Recall(l) {
			names = append(names, q.About.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return &runview.Recall{Course: CoursePath(t.Course), Lessons: names, Missed: l.Question != nil}
}

// waiting returns the names of the lessons with a question that may come back.
func waiting(c *course.Course) string {
	var names []string
	for _, l := range c.All() {
		if l.Again != nil {
			names = append(names, l.Name)
		}
	}
	return strings.Join(names, " ")
}
