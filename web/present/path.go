package present

import "lockstep/engine/course"

// RunPath returns the path of a run within the site.
func RunPath(id string) string { return "/t/" + id }

// RoomPath returns the path of a room within the site.
func RoomPath(code string) string { return "/r/" + code }

// CoursePath returns the path of a course's contents.
func CoursePath(c *course.Course) string { return "/courses/" + c.Name }

// LessonPath returns the path of a lesson's first page.
func LessonPath(c *course.Course, l *course.Lesson) string { return CoursePath(c) + "/" + l.Name }
