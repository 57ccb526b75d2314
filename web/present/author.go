package present

import (
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
)

// Tell adds the mistakes and warnings of a course to what a page tells its author: those of a lesson, or without one all. The
// page of a lesson that the course has not tells all of them where none is the lesson's own.
func Tell(page *views.Author, c *course.Course, lesson string, l lang.Language) {
	mistakes, warnings := c.Mistakes, c.Warnings
	if lesson != "" {
		mistakes, warnings = course.In(c.Mistakes, lesson), course.In(c.Warnings, lesson)
		if known := c.Lesson(lesson) != nil || c.Reading(lesson) != nil; !known && len(mistakes) == 0 {
			mistakes = c.Mistakes
		}
	}
	for _, m := range mistakes {
		page.Mistakes = append(page.Mistakes, c.Name+"/"+m.Sentence(l))
	}
	for _, m := range warnings {
		page.Warnings = append(page.Warnings, c.Name+"/"+m.Place()+": "+m.Why.Sentence(l))
	}
}

// FreshPath returns where the task of a run begins again as its course has it now, with as many actions done as the run has. The
// zero Task is that of a course that has lost it: the page of its lesson says why.
func FreshPath(now, was course.Task, actions int) string {
	if now.Lesson == nil {
		return LessonPath(was.Course, was.Lesson)
	}
	if now.Lesson.Question != nil {
		return "/courses/" + now.Name()
	}
	return draftPath(now, actions)
}
