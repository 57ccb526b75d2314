package engine

import "slices"

// A Property is a claim that should hold in every state. Package check has
// those of the course; the world only knows when to judge them.
type Property struct {
	Name string

	// Judge looks at the state that the latest events led to and returns its
	// present violations. before is the result of the last call. The explorer
	// judges a lasting property by the state alone: latest and before are nil there.
	Judge func(w *World, latest []Event, before []Violation) []Violation

	// Explain finds the cause of a violation in the log, once, when the
	// violation begins.
	Explain func(w *World, v *Violation)

	// Momentary: a violation is over as soon as it has happened (a DEL), and
	// nothing clears it. Any other violation lasts until Judge no longer
	// returns it. The explorer shows a momentary property only the acting client
	// and the client whose value it removes: a rule about more clients must last.
	Momentary bool

	// Inside is how many clients in the critical section a violation needs, and
	// Stores whether stored values matter. Both only save calls.
	Inside int
	Stores bool
}

// settle judges every property in the new state and puts beginnings and ends of
// violations on the log.
func (w *World) settle() {
	latest := w.events[w.settled:]
	if len(latest) == 0 {
		return
	}
	w.spend(int64(len(w.properties) * (propertyWork + len(latest) + len(w.clients))))
	for i, p := range w.properties {
		before := w.open[i]
		now := p.Judge(w, latest, before)
		w.spend(int64(len(before) * len(now))) // settle looks for each among the others
		for j := range now {
			v := now[j]
			if v.Property, v.Momentary = p.Name, p.Momentary; !includes(before, v) {
				if p.Explain != nil {
					w.spend(int64(len(w.events))) // Explain looks through them
					p.Explain(w, &v)
				}
				if v.Cause > 0 {
					because := w.events[v.Cause-1]
					v.because = &because
				}
				w.emit(Event{Kind: Violated, Violation: &v})
			}
			now[j] = v
		}
		for _, v := range before {
			if !includes(now, v) {
				w.emit(Event{Kind: Cleared, Violation: &v})
			}
		}
		if p.Momentary {
			now = nil
		}
		w.open[i] = now
	}
	w.settled = len(w.events)
}

func includes(violations []Violation, v Violation) bool {
	return slices.ContainsFunc(violations, func(other Violation) bool { return slices.Equal(v.Clients, other.Clients) })
}

// Violations returns the violations of the present state.
func (w *World) Violations() []Violation {
	var now []Violation
	for _, open := range w.open {
		now = append(now, open...)
	}
	return now
}

// Breaks returns the positions, counted in actions, at which a property begins to be violated, the earliest first.
func (w *World) Breaks() []int {
	var positions []int
	for i := range w.events {
		if e := &w.events[i]; e.Kind == Violated && (len(positions) == 0 || positions[len(positions)-1] < e.Action) {
			positions = append(positions, e.Action)
		}
	}
	return positions
}
