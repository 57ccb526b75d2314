// Package views turns view models into markup.
//
// A view model says in plain words and values what a page shows: which buttons
// it has and why one is refused, never how the server found that out. The package
// therefore knows nothing of the engine; package web makes the models from it.
//
// A page consists of panels, the elements that change when a run does. Each panel
// has an id. When its content changes, the server renders it again with the same
// template and sends it. Every text comes from the catalogue in words.go, which
// holds both languages side by side.
//
// The prefix of a file names its page: run_ the page of a run with its task, its
// console and the ways to share it; room_ the presenter's panel, the phone, the
// projector and the wall; course and explore one page each; site_ what every page
// wears, home and help. A file that ends in _words.go holds the texts of its page.
//
// The package has more than 25 files because the pages show one another: a run
// shows its room, a phone shows its lane of the run, and every page reads the one
// catalogue. As packages of their own they would import each other in a circle.
package views

//go:generate go tool templ generate
//go:generate go run shorten.go
