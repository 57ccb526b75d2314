package check

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// ForeignDelete is violated by a command that removes the value under which another client holds the lock. A value whose
// writer's lease has run out, and one written by a client that did not get the lock (a losing GETSET), protect nobody:
// recovery and release may remove them.
var ForeignDelete = Property{
	Property: engine.Property{Name: "foreign-delete", Momentary: true, Explain: explainForeignDelete, Judge: judgeForeignDelete},

	Holds:       lang.Both("nobody deletes another's lock", "谁也不会删除别人的锁"),
	Goal:        lang.Both("one client deletes another's lock", "一个客户端删除别人的锁"),
	Harm:        lang.Both("a foreign delete", "误删"),
	Now:         keysNow,
	Broken:      lang.Both("A client deletes another's lock", "客户端删除别人的锁"),
	Reachable:   lang.Both("From here, a client can delete another's lock in %s.", "从这里起，只要 %s，就可能有客户端删除别人的锁。"),
	Unreachable: lang.Both("From here, nobody deletes another's lock within these bounds: %s.", "从这里起，在这些范围内谁也不会删除别人的锁：%s。"),
	Chinese:     InChinese{"误删", "锁被别的客户端误删", "锁不会被别的客户端误删"},
	Flag:        lang.Both("{a} deleted {b}'s lock", "{a} 删除了 {b} 的锁"),
}

func judgeForeignDelete(w *engine.World, latest []engine.Event, _ []engine.Violation) []engine.Violation {
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
			// Another client may have removed its value while it had not heard
			// that it is in.
			c := w.Client(e.Lane)
			if r := c.Removed; r != nil && (e.Lease.Until == 0 || r.Time+c.Skew < e.Lease.Until) {
				found = append(found, foreignDelete(r.By, c.Name))
			}
		}
	}
	return found
}

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

// holdsBy reports whether a stored value's writer holds the lock by it: the
// lock was granted on that value and its lease runs, also when the writer has
// crashed.
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
