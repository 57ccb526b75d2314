package room

// VerbTimer gives a round or an exercise a timer.
const VerbTimer Verb = "timer" // On, Now: one more minute for the round or the exercise that is open; off: no timer

var timerVerbs = []verb{{
	name: VerbTimer, who: onlyPresenter,
	possible: canTimer,
	apply:    setTimer,
	last:     func(e Entry) bool { return !e.On },
	control:  func(r *Room, _ Who) Entry { return Entry{On: true, Now: max(1, r.until)} },
}}

// A timer tells how long a round of a poll, its discussion or an exercise goes on. It closes nothing: the presenter does.
type timer struct {
	until int64 // in ms since 1970, as the servers' clocks say; 0: there is no timer
	of    timed // ends with it
}

// A timed identifies what a timer can be for. The zero timed is nothing.
type timed struct {
	ballot   int // the round of a poll, counted through the room's life
	phase    Phase
	exercise int // its number
}

// minute is what each press adds, in ms.
const minute = 60_000

// maxNow is the last moment that an entry may have: later ones are nobody's clock.
const maxNow = 1 << 50

// timed returns what a timer can be for now. A poll comes first: everybody waits for it. A vote of the network ends by itself.
func (r *Room) timed() timed {
	switch p := r.poll; {
	case p != nil && p.question.Kind != Network && (p.open() || p.phase == Discuss):
		return timed{ballot: r.ballots, phase: p.phase}
	case p == nil && r.exercise != nil:
		return timed{exercise: r.exercise.Number}
	}
	return timed{}
}

// Until returns the end of the timer, in ms since 1970; 0: there is none. It may have passed.
func (t *timer) Until() int64 { return t.until }

// more returns the end of the timer after one more minute. A timer whose time is up begins again.
func (t *timer) more(now int64) int64 { return max(t.until, now) + minute }

// canTimer refuses a timer for nothing, and one that is too long. Nobody stops a timer that is not there.
func canTimer(r *Room, e Entry) error {
	switch {
	case !e.On:
		return same(r.until == 0)
	case e.Now <= 0 || e.Now > maxNow:
		return ErrMalformed
	case r.timed() == timed{}:
		return ErrNoTimer
	case r.more(e.Now) > e.Now+MaxTimer*minute:
		return ErrTimer
	}
	return nil
}

func setTimer(r *Room, e Entry) {
	if !e.On {
		r.timer = timer{}
		return
	}
	r.timer = timer{r.more(e.Now), r.timed()}
}
