package room

import (
	"slices"

	"lockstep/engine/lang"
)

// The verbs of the playlist.
const (
	VerbPlan Verb = "plan" // Plan: what the class does, in its order
	VerbNext Verb = "next" // Item: the class has come to it
)

var playlistVerbs = []verb{
	{
		name: VerbPlan, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return r.canPlan(e.Plan) },
		apply:    func(r *Room, e Entry) { r.setPlan(e.Plan) },
		bytes:    func(e Entry) int { return planSize(e.Plan) },
		pile:     playlists,
		control:  func(*Room, Who) Entry { return Entry{Plan: []PlanItem{{Kind: PlanPoll}}} },
	},
	{
		name: VerbNext, who: onlyPresenter,
		possible: canNext,
		apply:    func(r *Room, e Entry) { r.now = e.Item },
		last:     calms,
		control:  func(r *Room, _ Who) Entry { return Entry{Item: r.now + 1} },
	},
}

// A playlist is what the class does, and how far it is.
type playlist struct {
	plan []PlanItem // in its order
	now  int        // the number of the item that it is at; 0: none
}

// A PlanKind tells what happens when a class comes to an item of its playlist.
type PlanKind string

// The kinds of items.
const (
	PlanLesson    PlanKind = "lesson"    // the room is shown a lesson, from its beginning
	PlanChallenge PlanKind = "challenge" // an exercise: everybody tries the challenge alone
	PlanPoll      PlanKind = "poll"      // the room is asked the lesson's next question, or for the next reply of Redis
	PlanRun       PlanKind = "run"       // the room is shown a run
	PlanTest      PlanKind = "test"      // a form of a course's test opens
)

// A PlanItem is one thing that a class does, in its order.
type PlanItem struct {
	Kind   PlanKind  `json:"kind"`
	Target string    `json:"target,omitempty"` // a task's name, a run's id, a course and a form; of a poll: reply, or nothing for the lesson's own question
	At     int       `json:"at,omitempty"`     // the position of a run that everybody looks at first, or End
	Title  lang.Text `json:"title,omitzero"`   // empty: as the course calls it
}

// PlanReply is the target of a poll for the next reply of Redis.
const PlanReply = "reply"

// Plan returns the playlist.
func (p *playlist) Plan() []PlanItem { return slices.Clone(p.plan) }

// Now returns the number of the item that the class is at, from 1; 0: it is at none.
func (p *playlist) Now() int { return p.now }

// setPlan replaces the playlist. The class stays at its item, wherever that stands now; if the item is gone, the class is
// between its neighbours, and the next item is the same as before.
func (p *playlist) setPlan(plan []PlanItem) {
	before, now := p.plan, p.now
	p.plan = slices.Clone(plan)
	for p.now = 0; now > 0 && p.now == 0; now-- {
		p.now = nearest(p.plan, before[now-1], now)
	}
}

// nearest returns the place of an item in a list, from 1, the nearest to a place where the list has it twice; 0: the list
// does not have it.
func nearest(plan []PlanItem, item PlanItem, place int) (found int) {
	for i, other := range plan {
		if other == item && (found == 0 || distance(i+1, place) < distance(found, place)) {
			found = i + 1
		}
	}
	return found
}

func distance(a, b int) int { return max(a-b, b-a) }

// canPlan refuses a playlist that is too long, and an item that no page makes.
func (p *playlist) canPlan(plan []PlanItem) error {
	if len(plan) > MaxPlan {
		return ErrPlan
	}
	for _, item := range plan {
		if !item.isFormed() {
			return ErrMalformed
		}
	}
	return same(slices.Equal(plan, p.plan))
}

func (i PlanItem) isFormed() bool {
	switch i.Kind {
	case PlanLesson, PlanChallenge, PlanRun, PlanTest:
		if !isShort(i.Target, maxTask) {
			return false
		}
	case PlanPoll:
		if i.Target != "" && i.Target != PlanReply {
			return false
		}
	default:
		return false
	}
	return isPosition(i.At) && (i.Title == lang.Text{} || isText(i.Title) && len(i.Title.English) <= maxTitle && len(i.Title.Chinese) <= maxTitle)
}

// canNext refuses an item that the playlist does not have, the one that the class is at, as a second press names it, and to
// leave an open question behind.
func canNext(r *Room, e Entry) error {
	switch {
	case e.Item < 1 || e.Item > len(r.plan):
		return ErrNoItem
	case e.Item == r.now:
		return ErrSame
	case r.poll != nil && r.poll.phase != Revealed:
		return ErrPollOpen
	}
	return nil
}

// planSize returns how many bytes a playlist has.
func planSize(plan []PlanItem) (n int) {
	for _, i := range plan {
		n += len(i.Kind) + len(i.Target) + len(i.Title.English) + len(i.Title.Chinese)
	}
	return n
}
