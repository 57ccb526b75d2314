package views

import "strings"

// A Recall offers a question from an earlier lesson. The browser knows which ones the reader has missed, and prefers those.
type Recall struct {
	Course  string   // the path of the course
	Lessons []string // the names of the lessons that supply the questions, in the order in which they come back
	Missed  bool     // only a question that the reader has missed comes back, so it takes the browser to offer one
}

// first returns the first of some names, which blanks separate.
func first(names string) string {
	name, _, _ := strings.Cut(names, " ")
	return name
}

// path returns the path of the question that comes back first.
func (r *Recall) path() string { return r.Course + "/" + r.Lessons[0] + "/again" }

func (r *Recall) names() string { return strings.Join(r.Lessons, " ") }
