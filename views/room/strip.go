package room

import "lockstep/views"

// A stripOnText tells what is on in a room.
type stripOnText struct {
	kind  string // free, lesson, poll, exercise, test or ended
	what  string
	count string // votes, or answers handed in; empty: nothing is counted
	more  string // in a smaller line below; empty: nothing more
}

// on returns what is on. A poll comes first: everybody waits for it.
func (r Room) on() stripOnText {
	say := func(key string, with ...any) string { return views.Say(r.Lang, key, with...) }
	switch {
	case r.Poll != nil:
		on := stripOnText{kind: "poll", what: r.Poll.says(r.Lang), more: r.Poll.Question}
		if r.Poll.Within > 0 {
			on.more = say("poll.within", r.Poll.Within)
		}
		if !r.Poll.revealed() {
			on.count = say("present.cast", r.Poll.Cast, r.Poll.Of)
		}
		return on
	case r.Exercise != nil:
		return stripOnText{
			kind: "exercise", what: say("follow.exercise", r.Exercise.Title),
			more: say("present.going", r.Exercise.Begun, len(r.Seats), r.Exercise.solved()),
		}
	case r.Test != nil:
		return stripOnText{
			kind: "test", what: say("follow.test") + " " + r.Test.Title, count: say("present.test.handed", r.Test.Handed, r.Test.Asked),
			more: say("test.form." + r.Test.Form),
		}
	}
	on := stripOnText{kind: "free", what: say("present.free-run")}
	if r.Lesson != "" {
		on.kind, on.what = "lesson", r.Lesson
	}
	if r.Verdict != nil {
		on.what, on.more = r.Verdict.Stamp, r.Verdict.Says
	}
	switch ask := r.lessonAsks(); {
	case r.Ended:
		return stripOnText{kind: "ended", what: say("present.ended"), more: on.what}
	case ask != "":
		on.more = ask
	case r.LanesOn:
		on.more = say("present.lanes")
	}
	return on
}

// A step is something that the strip offers to do next.
type step struct {
	id, verb, word, title string
	fields                [][2]string
	own                   bool // asks which answer is right, too
}

// steps returns the one thing to do next and, after it, what may be done instead of it; none: the class waits for nothing.
func (r Room) steps() []step {
	switch p := r.Poll; {
	case p != nil:
		return p.steps()
	case r.Exercise != nil:
		return []step{{id: "room-home", verb: "home", word: "present.home"}}
	case r.Test != nil:
		return []step{{id: "test-close", verb: "test", word: "present.test.close"}}
	}
	if ask := r.lessonAsks(); ask != "" {
		return []step{{
			id: "strip-ask", verb: "ask", word: "present.ask-lesson", title: ask, fields: [][2]string{{"kind", "predict"}, {"client", ""}},
		}}
	}
	return nil
}

// mayGoOn reports whether the playlist may go on although something else is the next thing to do.
func (r Room) mayGoOn() bool {
	return len(r.steps()) > 0 && r.mayAsk() && r.Exercise == nil && r.Test == nil && r.upcoming() != nil
}

// steps leads a poll from phase to phase.
func (p *Poll) steps() []step {
	round := func(word string) step { return step{id: "poll-round", verb: "round", word: word} }
	reveal := step{id: "poll-reveal", verb: "reveal", word: "present.reveal", own: p.Own}
	drop := step{id: "poll-drop", verb: "drop", word: "present.drop"}
	switch {
	case p.revealed():
		drop.word = "present.done"
		return []step{drop}
	case p.Network: // which also closes the vote
		reveal.word = "present.deliver"
		return []step{reveal, drop}
	case p.Phase == "first":
		return []step{round("present.discuss"), reveal, drop}
	case p.Phase == "discuss":
		return []step{round("present.again"), reveal, drop}
	}
	return []step{reveal, drop}
}

// lessonAsks returns the question of the lesson that waits for the room; empty: none does.
func (r Room) lessonAsks() string {
	for _, ask := range r.Asks {
		if ask.Client == "" {
			return ask.Question
		}
	}
	return ""
}
