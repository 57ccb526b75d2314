package views

// Beside is another run that is laid beside the one of the page.
type Beside struct {
	ID, Path    string // of the other run
	Here, There Compared
	Omissions   string // what this run had to leave out of the other's schedule; empty: nothing
}

// Compared is one of two runs.
type Compared struct {
	Program string // or programs, as text; empty: no client has one
	Name    string // of its tab
}

// Labels tell the two runs apart in a sentence, in as few words as do it.
func (b *Beside) Labels() (here, there string) {
	if b.Here.Program != b.There.Program && b.Here.Program != "" && b.There.Program != "" {
		return b.Here.Program, b.There.Program
	}
	return b.Here.Name, b.There.Name
}

// BesideData is what the scripts of the page know of the other run.
type BesideData struct {
	Run     string            `json:"run"`
	Path    string            `json:"path"`
	Here    string            `json:"here"` // what the two are called
	There   string            `json:"there"`
	Log     any               `json:"log"` // as that of the page's own run
	Omitted Omitted           `json:"omitted"`
	Words   map[string]string `json:"words"`
}

// Omitted are the actions that two runs of one schedule have left out of it, by
// their places in it.
type Omitted struct {
	Here  []int `json:"here"`
	There []int `json:"there"`
}

// address is where the page is, with what it is compared with.
func (p Page) address() string {
	if p.Beside == nil {
		return p.Path
	}
	return p.Path + "?beside=" + p.Beside.ID
}
