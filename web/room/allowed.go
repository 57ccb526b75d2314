package room

import (
	"errors"

	"lockstep/engine/lang"
)

// Allowed returns the verbs whose single control somebody may press now, in the order of entry.go. It asks Can for each.
// A press that changes nothing is allowed.
func (r *Room) Allowed(who Who) []Verb {
	var allowed []Verb
	for i := range rules {
		rule := &rules[i]
		if rule.control == nil {
			continue
		}
		e := rule.control(r, who)
		e.Verb = rule.verb
		if err := r.Can(who, e); err == nil || errors.Is(err, ErrSame) {
			allowed = append(allowed, rule.verb)
		}
	}
	return allowed
}

// The questions of anyQuestion. A room asks them for each viewer, so they are made once.
var (
	anyPrediction = &Question{Kind: Predict, Text: lang.Both("?", "?"), Choices: []Choice{{ID: "a", Text: lang.Both("a", "a")}, {ID: "b", Text: lang.Both("b", "b")}}}
	anyMessage    = &Question{Kind: Network, Text: lang.Both("?", "?"), Choices: []Choice{{ID: "a", Text: lang.Both("a", "a")}}}
)

// anyQuestion asks a question that every room without an open poll takes: a prediction if the presenter asks, and
// otherwise a question for the network.
func anyQuestion(_ *Room, who Who) Entry {
	if who.Presenter {
		return Entry{Poll: anyPrediction}
	}
	return Entry{Poll: anyMessage}
}
