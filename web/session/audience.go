package session

import (
	"lockstep/engine/lang"
	"lockstep/views"
)

// A Surface is what a viewer looks at.
type Surface string

// The surfaces, as the address of a socket names them.
const (
	OnPage   Surface = "page"   // of the run
	OnScreen Surface = "screen" // the projector
	OnPhone  Surface = "phone"
	OnRemote Surface = "remote" // the presenter's phone
	OnWall   Surface = "wall"
)

// SurfaceOf is the one of a name; whoever names none looks at the page.
func SurfaceOf(name string) Surface {
	switch s := Surface(name); s {
	case OnScreen, OnPhone, OnRemote, OnWall:
		return s
	}
	return OnPage
}

// An Audience are the viewers of a run who are told the very same.
type Audience struct {
	Language lang.Language
	Surface  Surface
	Lane     string // of a phone: the client that it is
}

// draws reports an audience that has the picture, and so needs the events.
func (a Audience) draws() bool { return a.Surface == OnPage || a.Surface == OnScreen }

// panels are the parts of what it looks at that change when the run does.
func (a Audience) panels(p views.Page) []views.Panel {
	switch a.Surface {
	case OnScreen:
		return views.ScreenPanels(p)
	case OnPhone:
		return views.PhonePanels(p, a.Lane)
	case OnRemote:
		return views.RemotePanels(p)
	case OnWall:
		return nil
	}
	return views.Panels(p)
}
