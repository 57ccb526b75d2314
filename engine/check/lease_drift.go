package check

import (
	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// LeaseDrift is violated while the key no longer holds the value of a client that believes in its lease, because a client
// that did not get the lock wrote over it.
var LeaseDrift = Property{
	Property: engine.Property{Name: "lease-drift", Inside: 1, Stores: true, Explain: explainDrift, Judge: judgeLeaseDrift},

	Holds:       lang.Both("a client that thinks it holds the lock still owns the key", "自认为持有锁时，键确实还在"),
	Goal:        lang.Both("a holder's key is overwritten", "持有者的键被别人改写"),
	Harm:        lang.Both("an overwritten expiry", "过期时间被改写"),
	Now:         keysNow,
	Broken:      lang.Both("A holder's expiry is overwritten", "持有者的过期时间被别人改写"),
	Reachable:   lang.Both("From here, a holder's expiry can be overwritten in %s.", "从这里起，只要 %s，持有者的过期时间就可能被别人改写。"),
	Unreachable: lang.Both("From here, no holder's expiry is overwritten within these bounds: %s.", "从这里起，在这些范围内持有者的过期时间不会被别人改写：%s。"),
	Chinese:     InChinese{"租约漂移", "租约发生漂移", "租约不会漂移"},
	Flag:        lang.Both("lease drift: {clients}", "租约漂移：{clients}"),
}

func judgeLeaseDrift(w *engine.World, _ []engine.Event, before []engine.Violation) []engine.Violation {
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
		if writer := w.Client(now.Writer); writer != nil && replaced(writer, g, now) {
			continue
		}
		if known := find(before, c.Name); known != nil {
			found = append(found, *known)
			continue
		}
		found = append(found, engine.Violation{
			Clients: []string{c.Name},
			Text: lang.Format("%s holds the lock and stored %s in %s, which now says %s, written by %s",
				"%[1]s 持有锁，它在 %[3]s 中存的是 %[2]s，现在却是 %[4]s，由 %[5]s 写入", c.Name, redis.Readable(g.Stored.Value), redis.Readable(g.Key), redis.Readable(now.Value), now.Writer),
			Cleared: c.Name + " 的租约不再漂移",
		})
	}
	return found
}

// replaced reports whether the writer got in by the value now stored in the
// place of g. Then it took the lock over, and another property judges that. A
// writer that has not heard yet may still get in, and a finished one had got in
// by its last value.
func replaced(writer *engine.Client, g *engine.Grant, now *engine.Stored) bool {
	if writer.Status == engine.Finished {
		return writer.Lease != nil
	}
	wrote := writer.Grant
	if wrote == nil {
		wrote = writer.Unconfirmed()
	}
	return wrote != nil && wrote.Key == g.Key && wrote.Stored.Value == now.Value // on this node or, later, on another
}

func explainDrift(w *engine.World, v *engine.Violation) {
	g := w.Client(v.Clients[0]).Grant
	now := w.Stored(g.Node, g.Key)
	v.Cause = max(executed(w, now.Order), broughtBack(w, now))
}
