// Package present makes the view models of the pages: it turns what the engine, a course, the explorer and a room
// know into values of package views, in the reader's language.
//
// Everything here is a pure function. The package knows no HTTP, no clock, no lock and nobody who watches. What shows
// a run or a room first takes its lock, and fills in a plain struct:
//
//	Run       an engine's run, its task and its tabs → the run's page, its panels, one side of a comparison
//	Room      a room's View, and who is connected    → each surface of the room
//	Finding   an answer of the explorer              → the outcome with its counterexamples
//	Question  what the explorer is asked             → its form
//	course    lessons, challenges, sources           → the pages of the course, and the handout
//
// A Log is what a run has done so far. It comes in stretches, which PROTOCOL.md describes: Begin makes the one in a
// page, News those of the messages, After those of the answers.
//
// A page has a bound in bytes. Each of its parts has one too (KeysShown, colouredSize, …), and Fit cuts the rest.
//
// Where a page has a form, the package also reads what the form sends back: Line, RowsFor and ReadQuestion.
package present
