package course

import (
	"lockstep/engine/lang"
	"lockstep/views"
)

// A Handout is a lesson on paper.
type Handout struct {
	views.Site
	Lesson     LessonLink
	Course     Link
	Answers    bool // shows the outcome beside each prediction
	Lead       Text // HTML
	LeadMore   Text // HTML; may be missing
	Programs   []views.Program
	Begins     string // the scenario's first line
	Parts      []HandoutPart
	Challenges []HandoutChallenge
	Data       HandoutData
}

// file returns the path of the handout as one file.
func (h Handout) file() string {
	path := h.Lesson.Path + "/handout.html?lang=" + string(h.Lang)
	if h.Answers {
		path += "&answers=1"
	}
	return path
}

// A HandoutFile is the handout of lessons as one file, which needs no server.
type HandoutFile struct {
	Lang    lang.Language
	Title   string
	Style   string // a style sheet
	Script  string // a module, which draws the pictures
	Policy  string // the content security policy: this style and this script, and nothing else
	Lessons []Handout
	Data    []HandoutData // of the lessons with a picture
}

// HandoutData is the input for the picture of a handout.
type HandoutData struct {
	Lang     lang.Language    `json:"lang"`
	Timeline map[string]any   `json:"timeline"`
	Moments  []int            `json:"moments"` // actions before each
	Events   []map[string]any `json:"events"`
}

// A HandoutPart holds the actions that lead to a moment, and the words of the moment.
type HandoutPart struct {
	Actions []HandoutAction
	Heading Text // HTML of a line; empty: no moment follows
	Text    Text // HTML
	More    Text // HTML; may be missing
	Answers []Answer
}

// A HandoutAction is an action with its events.
type HandoutAction struct {
	Number    int
	Action    string
	Sentences []views.Event
}

// A HandoutChallenge is a challenge on paper.
type HandoutChallenge struct {
	Heading    Text           // HTML of a line
	Text       Text           // HTML
	More       Text           // HTML; may be missing
	Program    *views.Program // the program of its clients; nil: it is printed above
	Start      string
	Bounds     string
	Solved     Text // HTML
	SolvedMore Text // HTML; may be missing
	Par        int  // actions of the shortest solution; 0: there is none
	Fix        *views.Program
}
