// Package views turns view models into markup: it has what every page of the site has.
//
// A view model says in plain words and values what a page shows: which buttons
// it has and why one is refused, never how the server found that out. These packages
// therefore know nothing of the engine; package web/present makes the models from it.
//
// A page consists of panels, the elements that change when a run does. Each panel
// has an id. When its content changes, the server renders it again with the same
// template and sends it.
//
// Each group of pages is a package: course, explore, run, room and site. A change of one
// leaves the others compiled. They import this package, and each other in one direction:
// a run's task shows links of a course and answers of the explorer, and a phone of a room
// shows its lane of the run. The page of a run shows its room, too: that part travels in
// the model as a component, which package room makes. What several groups need stands in
// the lowest of them, and what all need stands here: the frame of a document, icons,
// settings, help, the way back to a room, the stage with its card and drawers, and a
// program's lines.
//
// Every text comes from one catalogue, which holds both languages side by side. Each
// package keeps the texts of its pages in its files that end in words.go, and adds them
// to the catalogue in its init function: a sentence changes with its page.
package views

//go:generate go tool templ generate
//go:generate go run shorten.go
