package views

// A Task is what a run is for: a lesson that it follows, or a challenge.
type Task struct {
	Lang   Language
	Course string   // its name
	Lesson string   // its name
	Title  string   // of the lesson, with its number
	Words  Language // of the texts: a course may lack the reader's

	Heading string // HTML
	Text    string // HTML

	Guide     *Guide     // of a lesson
	Challenge *Challenge // of a challenge
}

func (t *Task) path() string { return "/courses/" + t.Course + "/" + t.Lesson }

// A Guide is where a run is in its lesson.
type Guide struct {
	Moment   string    // its name; empty: before the first
	Place    string    // 2 / 6
	Until    int       // the position of the next moment
	Asks     bool      // a prediction is awaited
	Answers  []Guess   // to it
	To       string    // the moment of the prediction before
	Came     []Guess   // the answers to the prediction that has just come true or not
	Given    string    // the name of the one that was given, if the page was told
	Own      bool      // the run has left the lesson's path
	Over     bool      // the lesson is at its end
	On       string    // HTML, the way on
	Next     *TaskLink // the lesson that follows; nothing: none
	Ventures []TaskLink
}

// A Guess is an answer to a prediction.
type Guess struct {
	Name  string
	Text  string // HTML of a line
	After string // HTML, what is said to whoever has given it
	Right bool
}

// A TaskLink leads to another task.
type TaskLink struct {
	Path, Title string // the title is HTML
	Name        string // of a challenge
	Fix         bool   // its page is one where a program is edited
}

// A Challenge is how far a run has come in it.
type Challenge struct {
	Name    string
	Bounds  string
	Says    string // what the standing is
	Foul    string // why the run does not count; empty: it does
	Solved  string // HTML, what is said to whoever has solved it; empty: it is not solved
	Actions int    // in which it was broken; 0: it was not
	Claim   string // what the search said to the claim that it cannot be broken; empty: nobody has made it
	Wrong   bool   // the claim was
	Attack  string // a scenario that shows it
	Hint    bool   // there is something to hint at
}

// A Mend is the page of a challenge to mend a program.
type Mend struct {
	Site
	Task       Task
	Properties []string
	Source     string
	Refusal    string // why it cannot be searched; empty: it can
	Line       int    // of the source, where it is wrong; 0: it is not
	Column     int
	Outcome    Outcome
	Solved     string // HTML, what is said to whoever has solved it; empty: it is not solved
	Data       ExploreData
}

func (g *Guide) gave(a Guess) bool { return g.Given == a.Name }
