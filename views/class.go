package views

import "lockstep/engine/lang"

// A ClassLink leads back to the room that the reader presents, or has a seat in.
type ClassLink struct {
	Code      string // six digits, as they stand in addresses
	Says      string // the code as people read it: 434 063
	Path      string // of the room within the site
	Presenter bool
}

// Back returns the path that leads the reader back: the presenter to the run, and everybody else to their own part.
func (c *ClassLink) Back() string {
	if c.Presenter {
		return c.Path + "/present"
	}
	return c.Path
}

// ShownClass returns the link to the reader's room; nil: none. A page in a frame of another site has no part in the room.
func (s Site) ShownClass() *ClassLink {
	if s.Frame != nil {
		return nil
	}
	return s.Class
}

// Presents reports whether the reader presents a room, and can show it something.
func (s Site) Presents() bool { return s.ShownClass() != nil && s.Class.Presenter }

// RoomData is the initial data of the scripts of a phone, a remote, the projector and the wall.
type RoomData struct {
	Version int           `json:"version"`
	Lang    lang.Language `json:"lang"`
	Base    string        `json:"base"`
	Path    string        `json:"path"` // of the room
	Run     string        `json:"run"`  // the path of the run: its socket is there
	At      int           `json:"at"`   // the driver's position; -1: the end
}
