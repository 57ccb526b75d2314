package room

import (
	"errors"

	"lockstep/engine/lang"
)

// anyQuestion is a question that a room without an open poll takes.
var anyQuestion = &Question{
	Kind: Network, Text: lang.Both("?", "?"), Choices: []Choice{{ID: "C1", Text: lang.Both("?", "?")}},
}

// pressed returns an entry of each verb that somebody has a single control for, as the control would append it now.
func (r *Room) pressed(who Who) []Entry {
	question := *anyQuestion
	if who.Presenter {
		question.Kind, question.Choices = Predict, []Choice{{ID: "a", Text: lang.Both("a", "a")}, {ID: "b", Text: lang.Both("b", "b")}}
	}
	return []Entry{
		{Verb: VerbLock, On: !r.locked}, {Verb: VerbSwitch, Free: !r.free, Rosters: r.rosters}, {Verb: VerbEnd},
		{Verb: VerbDrive}, {Verb: VerbCursor, At: r.cursor}, {Verb: VerbGather}, {Verb: VerbBlack, On: !r.black},
		{Verb: VerbLanes},
		{Verb: VerbAsk, Poll: &question}, {Verb: VerbVote, Seat: who.Seat}, {Verb: VerbRound}, {Verb: VerbReveal, Choice: None}, {Verb: VerbDrop},
		{Verb: VerbFork, Run: r.run, At: End}, {Verb: VerbChallenge, Task: "any"}, {Verb: VerbOwn, Seat: who.Seat, Run: "any"}, {Verb: VerbHome},
	}
}

// Allowed returns the verbs whose controls somebody may press now, in the order of entry.go: Can is asked for each. What
// changes nothing is allowed.
func (r *Room) Allowed(who Who) []Verb {
	var allowed []Verb
	for _, e := range r.pressed(who) {
		if err := r.Can(who, e); err == nil || errors.Is(err, ErrSame) {
			allowed = append(allowed, e.Verb)
		}
	}
	return allowed
}
