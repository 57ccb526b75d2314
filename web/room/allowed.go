package room

import (
	"errors"

	"lockstep/engine/lang"
)

// controls are the verbs of which somebody has one control, in the order of entry.go.
var controls = []Verb{
	VerbLock, VerbSwitch, VerbEnd,
	VerbDrive, VerbCursor, VerbGather, VerbBlack,
	VerbLanes,
	VerbAsk, VerbVote, VerbRound, VerbReveal, VerbDrop,
	VerbFork, VerbChallenge, VerbOwn, VerbHome,
}

// Questions that a room takes while no poll is open: any one from the presenter, the network's from a driver.
var (
	anyPrediction = &Question{Kind: Predict, Text: lang.Both("?", "?"), Choices: []Choice{{ID: "a", Text: lang.Both("a", "a")}, {ID: "b", Text: lang.Both("b", "b")}}}
	anyMessage    = &Question{Kind: Network, Text: lang.Both("?", "?"), Choices: []Choice{{ID: "a", Text: lang.Both("a", "a")}}}
)

// pressed returns the entry that a control would append now.
func (r *Room) pressed(who Who, verb Verb) Entry {
	e := Entry{Verb: verb}
	switch verb {
	case VerbLock:
		e.On = !r.locked
	case VerbSwitch:
		e.Free, e.Rosters = !r.free, r.rosters
	case VerbCursor:
		e.At = r.cursor
	case VerbBlack:
		e.On = !r.black
	case VerbAsk:
		if e.Poll = anyMessage; who.Presenter {
			e.Poll = anyPrediction
		}
	case VerbVote:
		e.Seat = who.Seat
	case VerbReveal:
		e.Choice = None
	case VerbFork:
		e.Run, e.At = r.run, End
	case VerbChallenge:
		e.Task = "any"
	case VerbOwn:
		e.Seat, e.Run = who.Seat, "any"
	}
	return e
}

// Allowed returns the verbs whose controls somebody may press now: it asks Can for each. What changes nothing is allowed.
func (r *Room) Allowed(who Who) []Verb {
	var allowed []Verb
	for _, verb := range controls {
		if err := r.Can(who, r.pressed(who, verb)); err == nil || errors.Is(err, ErrSame) {
			allowed = append(allowed, verb)
		}
	}
	return allowed
}
