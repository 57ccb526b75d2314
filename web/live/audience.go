package live

import (
	"lockstep/engine/lang"
	roomview "lockstep/views/room"
	runview "lockstep/views/run"
)

// A Surface is the kind of page that a viewer looks at.
type Surface string

// The surfaces, as the address of a socket names them.
const (
	OnPage   Surface = "page"   // the page of the run
	OnScreen Surface = "screen" // the projector
	OnPhone  Surface = "phone"
	OnRemote Surface = "remote" // the presenter's phone
	OnWall   Surface = "wall"
	OnSingle Surface = "single" // the presenter's strip above the wall
)

// SurfaceOf returns the surface of a name. Any other name means the page.
func SurfaceOf(name string) Surface {
	switch s := Surface(name); s {
	case OnScreen, OnPhone, OnRemote, OnWall, OnSingle:
		return s
	}
	return OnPage
}

// An Audience identifies the viewers of a run who are told exactly the same.
type Audience struct {
	Language lang.Language
	Surface  Surface
	Lane     string // the client that a phone is
}

// draws reports whether the audience sees the picture, and therefore needs the events.
func (a Audience) draws() bool { return a.Surface == OnPage || a.Surface == OnScreen }

// panels returns the panels of the surface that change with the run.
func (a Audience) panels(p runview.Page) []runview.Panel {
	switch a.Surface {
	case OnScreen:
		return roomview.ScreenPanels(p)
	case OnPhone:
		return roomview.PhonePanels(p, a.Lane)
	case OnRemote:
		return roomview.RemotePanels(p)
	case OnWall, OnSingle:
		return nil
	}
	return runview.Panels(p)
}
