package room

import (
	"cmp"
	"slices"
)

// A Record is what a room keeps of its class when a question or an exercise is over, and what the class takes home. It holds
// numbers, and neither names nor seats.
//
// A poll is one entry, so a log has room for thousands; the record keeps the first MaxPolls of those that everybody answers, MaxExercises exercises and
// MaxShown runs, and counts the others. Their texts are those of the log: MaxAsked bytes at most.
type Record struct {
	Polls     []PastPoll     // predictions and the presenter's own questions that were revealed, or dropped after a vote
	Exercises []PastExercise // the one that goes on is the last
	Shown     []Shown        // runs of the room's own, in the order in which it came to them
	Left      int            // polls, exercises and runs that are not listed
}

// The most that a record lists.
const (
	MaxPolls     = 200
	MaxExercises = 100
	MaxShown     = 100
)

// A PastPoll is a prediction or a question of the presenter's own that is over, with its votes in numbers. A vote of the network is an act on the run, and has no right
// answer: the run tells it.
type PastPoll struct {
	Question Question
	Revealed bool
	Answer   int     // or None; of a revealed poll
	Counts   [][]int // of each round, the votes for each choice
}

// A PastExercise is what became of an exercise.
type PastExercise struct {
	Exercise
	Begun     int        // seats with a sandbox
	Solved    int        // seats
	Claims    int        // wrong claims that the challenge cannot be broken
	Claimants int        // seats with a wrong claim
	Solutions []Solution // fewest actions first
}

// A Solution counts the seats whose best solution has that many actions.
type Solution struct {
	Actions int `json:"actions"`
	Seats   int `json:"seats"`
}

// A Shown is a run of the room's own that it has shown. A branch takes the place of the run that it goes on from.
type Shown struct {
	Run  string
	Task string // its lesson or challenge; empty: none
}

// A Copy is a seat's sandbox in an exercise.
type Copy struct {
	Exercise int // its number
	Task     string
	Run      string
}

// A record grows with the class.
type record struct {
	answered []PastPoll
	past     []PastExercise // that are over
	shown    []Shown
	left     int // of these, in number, that are not listed
}

// Record returns what the room has kept of the class so far.
func (r *Room) Record() Record {
	record := Record{
		Polls: slices.Clone(r.answered), Exercises: slices.Clone(r.past), Shown: slices.Clone(r.shown), Left: r.left,
	}
	if r.exercise != nil {
		record.Exercises = append(record.Exercises, r.outcome())
	}
	return record
}

// keepPoll records a poll before it goes. A question that nobody has voted on tells nothing.
func (r *record) keepPoll(p *Poll) {
	if p.question.Kind == Network || p.phase != Revealed && len(p.votes[0])+len(p.votes[1]) == 0 {
		return
	}
	if len(r.answered) == MaxPolls {
		r.left++
		return
	}
	past := PastPoll{Question: p.Question(), Revealed: p.phase == Revealed, Answer: p.answer}
	for round := range p.round + 1 {
		past.Counts = append(past.Counts, p.tally(round))
	}
	r.answered = append(r.answered, past)
}

// outcome returns what has become of the exercise so far.
func (r *Room) outcome() PastExercise {
	e := PastExercise{Exercise: *r.exercise, Begun: r.Begun()}
	best := map[int]int{}
	for _, s := range r.seated() {
		if e.Claims += s.mark.Claims; s.mark.Claims > 0 {
			e.Claimants++
		}
		if s.mark.Solved {
			e.Solved++
			best[s.mark.Best]++
		}
	}
	for actions, seats := range best {
		e.Solutions = append(e.Solutions, Solution{actions, seats})
	}
	slices.SortFunc(e.Solutions, func(a, b Solution) int { return cmp.Compare(a.Actions, b.Actions) })
	return e
}

// keepExercise records an exercise that is over, if anybody has begun.
func (r *record) keepExercise(e PastExercise) {
	switch {
	case e.Begun == 0:
	case len(r.past) == MaxExercises:
		r.left++
	default:
		r.past = append(r.past, e)
	}
}

// keepShown records that the room shows a run of its own. from is the run that a branch goes on from; empty: it is no branch.
func (r *record) keepShown(run, task, from string) {
	at := func(run string) int { return slices.IndexFunc(r.shown, func(s Shown) bool { return s.Run == run }) }
	before := -1
	if from != "" {
		before = at(from)
	}
	switch {
	case at(run) >= 0:
	case before >= 0:
		r.shown[before].Run = run
	case len(r.shown) == MaxShown:
		r.left++
	default:
		r.shown = append(r.shown, Shown{run, task})
	}
}
