// Package present makes the view models of the pages. It turns the data of the engine, a course, the explorer and a
// room into values of the packages of views, in the reader's language.
//
// Everything here is a pure function. The package knows no HTTP, no clock, no lock and no viewer. A caller who shows
// a run or a room first takes its lock, and fills in a plain struct:
//
//	Run       an engine's run, its task and its tabs → the run's page, its panels, one side of a comparison
//	Room      a room's View, and who is connected    → each surface of the room
//	Finding   an answer of the explorer              → the outcome with its counterexamples
//	Question  a question for the explorer            → its form
//	course    lessons, challenges, sources           → the pages of the course, and the handout
//
// A Log records a run so far. It travels in stretches, which PROTOCOL.md describes: Begin makes the stretch in a page,
// News makes those of the messages, and After makes those of the answers.
//
// A page has a bound in bytes. Each of its parts has a bound too (KeysShown, colouredSize, …), and Fit cuts the rest.
//
// Line, RowsFor and ReadQuestion read the forms that a page sends back.
//
// The package has more than 25 files, as each panel and each page has one.
//
// teacher has more than 40 methods: it is a language, and each part of a lesson, a challenge, a test and a handout is written in it.
package present
