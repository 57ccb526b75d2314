package engine

import "slices"

// A judge knows the properties of a run, and which of them are violated now.
type judge struct {
	properties []Property
	open       [][]Violation // by property: those that hold now
	seen       int           // how many events they have seen
}

func newJudge(properties []Property) judge {
	return judge{properties: properties, open: make([][]Violation, len(properties))}
}

// update judges every property in the new state of the world and puts beginnings and ends of violations on its log.
func (j *judge) update(w *World) {
	latest := w.events[j.seen:]
	if len(latest) == 0 {
		return
	}
	w.meter.Spend(int64(len(j.properties) * (propertyWork + len(latest) + len(w.clients))))
	for i, p := range j.properties {
		before := j.open[i]
		now := p.Judge(w, latest, before)
		w.meter.Spend(int64(len(before) * len(now))) // update looks for each among the others
		for k := range now {
			v := now[k]
			if v.Property, v.Momentary = p.Name, p.Momentary; !includes(before, v) {
				if p.Explain != nil {
					w.meter.Spend(int64(len(w.events))) // Explain looks through them
					p.Explain(w, &v)
				}
				if v.Cause > 0 {
					because := w.events[v.Cause-1]
					v.because = &because
				}
				w.emit(Event{Kind: Violated, Violation: &v})
			}
			now[k] = v
		}
		for _, v := range before {
			if !includes(now, v) {
				w.emit(Event{Kind: Cleared, Violation: &v})
			}
		}
		if p.Momentary {
			now = nil
		}
		j.open[i] = now
	}
	j.seen = len(w.events)
}

func includes(violations []Violation, v Violation) bool {
	return slices.ContainsFunc(violations, func(other Violation) bool { return slices.Equal(v.Clients, other.Clients) })
}

// Violations returns the violations of the present state.
func (w *World) Violations() []Violation {
	var now []Violation
	for _, open := range w.judge.open {
		now = append(now, open...)
	}
	return now
}
