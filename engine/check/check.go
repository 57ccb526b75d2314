package check

import (
	"fmt"
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// All are the properties of the course, in the order in which they are told.
func All() []engine.Property {
	return []engine.Property{MutualExclusion, Overlap, ForeignDelete, LeaseDrift, Stuck, StaleWrite}
}

// Names are those of the properties, in the same order.
func Names() []string {
	var names []string
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// Named is the property of that name.
func Named(name string) (engine.Property, bool) {
	all := All()
	if i := slices.IndexFunc(all, func(p engine.Property) bool { return p.Name == name }); i >= 0 {
		return all[i], true
	}
	return engine.Property{}, false
}

// MutualExclusion is what a lock is for.
var MutualExclusion = engine.Property{Name: "mutual-exclusion", Chinese: engine.InChinese{Name: "互斥", Violated: "互斥被破坏", Holds: "互斥成立"}, Inside: 2, Explain: explainTogether, Judge: func(w *engine.World, _ []engine.Event, before []engine.Violation) []engine.Violation {
	return together(w, before, func(c *engine.Client) bool { return c.Believes },
		"%s and %s are both in the critical section, and both believe that they hold the lock", "%s 和 %s %s同时在临界区，并且都自认为持有锁")
}}

// Overlap is what the protected resource sees.
var Overlap = engine.Property{Name: "overlap", Chinese: engine.InChinese{Name: "重叠", Violated: "临界区发生重叠", Holds: "临界区不会重叠"}, Inside: 2, Explain: explainTogether, Judge: func(w *engine.World, _ []engine.Event, before []engine.Violation) []engine.Violation {
	return together(w, before, func(*engine.Client) bool { return true },
		"%s and %s are both in the critical section", "%s 和 %s %s同时在临界区")
}}

// together finds the pairs of clients in the critical section that both count, and says of each what is wrong.
func together(w *engine.World, before []engine.Violation, counts func(*engine.Client) bool, english, chinese string) []engine.Violation {
	var found []engine.Violation
	var inside []*engine.Client
	for _, c := range w.Clients() {
		if c.Status == engine.Inside && counts(c) {
			inside = append(inside, c)
		}
	}
	for i, a := range inside {
		for _, b := range inside[i+1:] {
			if known := find(before, a.Name, b.Name); known != nil {
				found = append(found, *known)
				continue
			}
			found = append(found, engine.Violation{
				Clients: []string{a.Name, b.Name},
				Text:    lang.Both(fmt.Sprintf(english, a.Name, b.Name), fmt.Sprintf(chinese, a.Name, b.Name, "")),
				Cleared: fmt.Sprintf(chinese, a.Name, b.Name, "不再"),
			})
		}
	}
	return found
}

func explainTogether(w *engine.World, v *engine.Violation) {
	if v.Cause = believed(w, v.Clients[0], v.Clients[1]); v.Cause == 0 {
		v.Cause = entered(w, v.Clients[0], v.Clients[1])
	}
}

// find is the violation of exactly these clients, or nil.
func find(violations []engine.Violation, clients ...string) *engine.Violation {
	i := slices.IndexFunc(violations, func(v engine.Violation) bool { return slices.Equal(v.Clients, clients) })
	if i < 0 {
		return nil
	}
	return &violations[i]
}

// LeaseDrift is judged for every client that believes.
var LeaseDrift = engine.Property{Name: "lease-drift", Chinese: engine.InChinese{Name: "租约漂移", Violated: "租约发生漂移", Holds: "租约不会漂移"}, Inside: 1, Stores: true, Explain: explainDrift, Judge: func(w *engine.World, _ []engine.Event, before []engine.Violation) []engine.Violation {
	var found []engine.Violation
	for _, c := range w.Clients() {
		if !c.Believes {
			continue
		}
		g := c.Grant
		if g == nil {
			continue
		}
		now := w.Stored(g.Node, g.Key)
		if now == nil || now.Value == g.Stored.Value || now.Writer == c.Name {
			continue
		}
		if writer := w.Client(now.Writer); writer != nil && tookOver(writer, g, now) {
			continue
		}
		if known := find(before, c.Name); known != nil {
			found = append(found, *known)
			continue
		}
		found = append(found, engine.Violation{
			Clients: []string{c.Name},
			Text: lang.Format("%s holds the lock and stored %s in %s, which now says %s, written by %s",
				"%[1]s 持有锁，它在 %[3]s 中存的是 %[2]s，现在却是 %[4]s，由 %[5]s 写入", c.Name, g.Stored.Value, g.Key, now.Value, now.Writer),
			Cleared: c.Name + " 的租约不再漂移",
		})
	}
	return found
}}

// tookOver reports a writer that got in by the value now stored where g was:
// then the lock was taken over, which is another property's business. Whoever has
// not heard yet may still get in, and whoever is done had got in by what it wrote last.
func tookOver(writer *engine.Client, g *engine.Grant, now *engine.Stored) bool {
	if writer.Status == engine.Finished {
		return writer.Lease != nil
	}
	wrote := writer.Grant
	if wrote == nil {
		wrote = writer.Unheard()
	}
	return wrote != nil && wrote.Key == g.Key && wrote.Stored.Value == now.Value // on this node or, later, on another
}

func explainDrift(w *engine.World, v *engine.Violation) {
	g := w.Client(v.Clients[0]).Grant
	v.Cause = executed(w, w.Stored(g.Node, g.Key).Order)
}

// ForeignDelete is judged on the commands that removed a key.
var ForeignDelete = engine.Property{Name: "foreign-delete", Chinese: engine.InChinese{Name: "误删", Violated: "锁被别的客户端误删", Holds: "锁不会被别的客户端误删"}, Momentary: true, Explain: explainForeignDelete, Judge: func(w *engine.World, latest []engine.Event, _ []engine.Violation) []engine.Violation {
	var found []engine.Violation
	for i := range latest {
		e := &latest[i]
		switch e.Kind {
		case engine.Deliver:
			for _, change := range e.Changes {
				if change.New == nil && change.Old.Writer != e.Call.Client && holdsBy(w, e.Lane, change) {
					found = append(found, foreignDelete(e.Call.Client, change.Old.Writer))
				}
			}
		case engine.Enter:
			// Its value may have been removed while it had not heard that it is in.
			c := w.Client(e.Lane)
			if r := c.Robbed; r != nil && (e.Lease.Until == 0 || r.Time+c.Skew < e.Lease.Until) {
				found = append(found, foreignDelete(r.By, c.Name))
			}
		}
	}
	return found
}}

func foreignDelete(by, of string) engine.Violation {
	return engine.Violation{
		Clients: []string{by, of},
		Text:    lang.Format("%s has deleted %s's lock", "%s 删除了 %s 的锁", by, of),
	}
}

// explainForeignDelete blames the command that removed the value.
func explainForeignDelete(w *engine.World, v *engine.Violation) {
	v.Cause = last(w, func(e *engine.Event) bool {
		return e.Kind == engine.Deliver && e.Call.Client == v.Clients[0] &&
			slices.ContainsFunc(e.Changes, func(c engine.Change) bool { return c.New == nil && c.Old.Writer == v.Clients[1] })
	})
}

// holdsBy reports a stored value under which its writer holds the lock: it was
// granted on that value and its lease runs, also when the writer has crashed.
func holdsBy(w *engine.World, lane string, removed engine.Change) bool {
	s := removed.Old
	writer := w.Client(s.Writer)
	if writer == nil || writer.Status == engine.Finished || writer.Grant == nil {
		return false
	}
	if g := writer.Grant; g.Key != removed.Key || g.Stored.Value != s.Value || w.Nodes()[g.Node] != lane {
		return false
	}
	if writer.Status == engine.Inside {
		return writer.Believes
	}
	return writer.Lease.Until == 0 || w.Now()+writer.Skew < writer.Lease.Until
}
