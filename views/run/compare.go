package run

import "lockstep/views"

// Beside is the run that the page compares with its own.
type Beside struct {
	ID          string // of the other run
	Here, There Compared
	Back        string // the path to where the reader came from: one of the runs
	Lesson      bool   // that one follows a lesson
	Omissions   string // actions of the other's schedule that this run left out, in words; empty: none
}

// Compared is one of two runs.
type Compared struct {
	Path    string // within the site
	Program string // or programs, as text; empty: no client has one
	Name    string // of its tab
}

// called names the run, by its programs if it has any.
func (c Compared) called() string {
	if c.Program != "" {
		return c.Program
	}
	return c.Name
}

// Labels names the two runs for a sentence, in as few words as tell them apart.
func (b *Beside) Labels() (here, there string) {
	if b.Here.Program != b.There.Program && b.Here.Program != "" && b.There.Program != "" {
		return b.Here.Program, b.There.Program
	}
	return b.Here.Name, b.There.Name
}

// onWith says with which run the reader goes on alone.
func (p Page) onWith() string {
	here, _ := p.Beside.Labels()
	return views.Say(p.Lang, "compare.on", here)
}

// backTo says where the way back leads.
func (p Page) backTo() string {
	if p.Beside.Lesson {
		return p.backBriefly()
	}
	return views.Say(p.Lang, "compare.back", p.backBriefly())
}

// backBriefly names the place, for an arrow.
func (p Page) backBriefly() string {
	here, there := p.Beside.Labels()
	switch {
	case p.Beside.Lesson:
		return views.Say(p.Lang, "compare.back-lesson")
	case p.Beside.Back == p.Beside.There.Path:
		return there
	}
	return here
}

// BesideData tells the page's scripts about the other run.
type BesideData struct {
	Run     string            `json:"run"`
	Path    string            `json:"path"`
	Here    string            `json:"here"` // names of the two runs
	There   string            `json:"there"`
	Log     any               `json:"log"` // as that of the page's own run
	Omitted Omitted           `json:"omitted"`
	Words   map[string]string `json:"words"`
}

// Omitted holds the actions that each of two runs left out of their common schedule, by
// their places in it.
type Omitted struct {
	Here  []int `json:"here"`
	There []int `json:"there"`
}

// address returns the path of the page: that of a draft, or of the run with the run beside it.
func (p Page) address() string {
	switch {
	case p.Draft != nil:
		return p.Draft.Path
	case p.Beside != nil:
		return p.Path + "?beside=" + p.Beside.ID
	}
	return p.Path
}
