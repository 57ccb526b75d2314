package present

import "lockstep/engine/course"

// RunPath returns where a run is, within the site.
func RunPath(id string) string { return "/t/" + id }

// RoomPath returns where a room is, within the site.
func RoomPath(code string) string { return "/r/" + code }

// CoursePath returns where a course has its contents.
func CoursePath(c *course.Course) string { return "/courses/" + c.Name }

// LessonPath returns where a lesson has its front page.
func LessonPath(c *course.Course, l *course.Lesson) string { return CoursePath(c) + "/" + l.Name }
