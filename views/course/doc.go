// Package course has the pages of a course: its contents, a reading, its sources, its test, and handouts on paper.
//
// The answers to a prediction are here, too, as lessons, tests, handouts and polls all show them: see answers.templ.
package course
