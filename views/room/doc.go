// Package room has the pages of a room: the presenter's strip and drawers on the page of the run, the phone, the remote, the
// projector, the wall, the results and what a class takes home.
//
// A [Room] is the view of a room for one role. It holds nothing that the role may not know.
//
// The package has more than 25 files: each page and each section of the strip has a template beside its view model.
package room
