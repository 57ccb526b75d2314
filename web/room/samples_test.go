package room_test

import (
	"maps"
	"slices"
	"testing"

	"lockstep/web/room"
)

// A sample is what the tests of all verbs need to know about one. The constants of package room name the fields that a verb has.
type sample struct {
	read func(e *room.Entry, l *line)  // reads its line of a transcript; nil: it has nothing but options
	fuzz func(e *room.Entry, a, b int) // makes an entry of two bytes. Few values make many entries possible; nil: there is nothing to fill in

	may   []mayRow  // who may do it in the room of lesson
	forms []formRow // what a form asks for; none: no form holds all of the entry
}

// A mayRow says of each person whether the room allows an entry (nil) or why not.
type mayRow struct {
	before []room.Entry // appended by the presenter, or by the seat that it names
	entry  room.Entry
	want   [5]error // presenter, driver, lane, network, spectator
}

// A formRow is a form of somebody, and the entry that it asks for.
type formRow struct {
	who  room.Who
	form map[string]string
	want room.Entry
}

const (
	presenterOnly = room.ErrPresenterOnly
	driverOnly    = room.ErrDriverOnly
	seatOnly      = room.ErrSeatOnly
	notYours      = room.ErrNotYours
	networkOnly   = room.ErrNetworkOnly
)

var (
	onlyPresenter = [5]error{nil, presenterOnly, presenterOnly, presenterOnly, presenterOnly}
	onlySeat2     = [5]error{seatOnly, notYours, nil, notYours, seatOnly}

	examining = []room.Entry{{Verb: room.VerbTest, Task: "redis-lock", Form: "before"}}
	planning  = []room.Entry{{Verb: room.VerbPlan, Plan: []room.PlanItem{{Kind: room.PlanPoll}}}}
)

// samples has one for each verb.
var samples = func() map[room.Verb]sample {
	all := maps.Clone(roomSamples)
	maps.Copy(all, taskSamples)
	return all
}()

// Each verb that is declared is listed, and has a sample.
func TestEachVerbHasASample(t *testing.T) {
	verbs := room.Verbs()
	for name, text := range constants(t, "*.go", "Verb") {
		if !slices.Contains(verbs, room.Verb(text)) {
			t.Errorf("%s is in no list of verbs", name)
		}
	}
	for i, verb := range verbs {
		if _, ok := samples[verb]; !ok {
			t.Errorf("samples has nothing about %q", verb)
		}
		if slices.Contains(verbs[:i], verb) {
			t.Errorf("%q is declared twice", verb)
		}
	}
}
