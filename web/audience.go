package web

import "lockstep/views"

// A surface is what a viewer looks at.
type surface string

// The surfaces, as the address of a socket names them.
const (
	onPage   surface = "page"   // of the run
	onScreen surface = "screen" // the projector
	onPhone  surface = "phone"
	onRemote surface = "remote" // the presenter's phone
	onWall   surface = "wall"
)

// surfaceOf is the one of a name; whoever names none looks at the page.
func surfaceOf(name string) surface {
	switch s := surface(name); s {
	case onScreen, onPhone, onRemote, onWall:
		return s
	}
	return onPage
}

// An audience are the viewers of a run who are told the very same.
type audience struct {
	language views.Language
	surface  surface
	lane     string // of a phone: the client that it is
}

// draws reports an audience that has the picture, and so needs the events.
func (a audience) draws() bool { return a.surface == onPage || a.surface == onScreen }

// panels are the parts of what it looks at that change when the run does.
func (a audience) panels(p views.Page) []views.Panel {
	switch a.surface {
	case onScreen:
		return views.ScreenPanels(p)
	case onPhone:
		return views.PhonePanels(p, a.lane)
	case onRemote:
		return views.RemotePanels(p)
	case onWall:
		return nil
	}
	return views.Panels(p)
}
