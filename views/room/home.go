package room

import (
	"strconv"

	"lockstep/views"
)

// TakeHome is the page with all that somebody in a room can take home.
type TakeHome struct {
	views.Site
	Room      string // the path of the room
	Name      string // of the room
	About     string
	Over      bool
	Presenter bool
	Runs      []FileLink // that the class has seen
	Copies    []FileLink // of the reader
	Lessons   []string   // titles of those that were taught
}

// A FileLink is a run as a file that plays without a server, and as a page of this one.
type FileLink struct{ Title, File, Page string }

// saveID returns the id of the link that saves a file.
func saveID(name string, i int) string { return "save-" + name + "-" + strconv.Itoa(i+1) }
