package check

import (
	"fmt"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// BoundedWait is violated while a client waits for the lock for longer than the header's Within, by true time. A client that
// gets in, or gives up, in time has kept the promise. A run whose header says nothing promises nothing.
//
// A client begins to wait with its first request, or, where it is a real program, with the first that names the lock's key;
// once it has been inside, it begins again. While its request is under way the network may be to blame, and not the lock: the
// client is late if it sleeps when the time is over, or if it is told no after that. Nor is the lock to blame for a holder that
// could leave and is given no turn: a search may bound the ticks that pass meanwhile (explore.Question.Clocked).
var BoundedWait = Property{
	Property: engine.Property{Name: "bounded-wait", Explain: explainBoundedWait, Judge: judgeBoundedWait},

	Holds:       lang.Both("nobody waits too long for the lock", "没有客户端等锁等得太久"),
	Goal:        lang.Both("a client waits too long", "有客户端等得太久"),
	Harm:        lang.Both("an overlong wait", "等待过久"),
	Looks:       waited,
	Now:         sinceNow,
	Broken:      lang.Both("A client waits too long", "有客户端等得太久"),
	Reachable:   lang.Both("From here, a client can wait too long in %s.", "从这里起，只要 %s，就可能有客户端等得太久。"),
	Unreachable: lang.Both("From here, nobody waits too long within these bounds: %s.", "从这里起，在这些范围内没有客户端等得太久：%s。"),
	Chinese:     InChinese{"限时等待", "可能等得太久", "不会等得太久"},
	Flag:        lang.Both("waits too long: {clients}", "等得太久：{clients}"),
}

// Late reports whether a client has waited too long.
func Late(c *engine.Client) bool { return c.Overdue }

func waited(c *engine.Client) string {
	switch {
	case c.Overdue:
		return "late"
	case c.Live():
		return c.Since.String()
	}
	return ""
}

func judgeBoundedWait(w *engine.World, _ []engine.Event, before []engine.Violation) []engine.Violation {
	var found []engine.Violation
	for _, c := range w.Clients() {
		if !Late(c) {
			continue
		}
		if known := find(before, c.Name); known != nil {
			found = append(found, *known)
			continue
		}
		since, within := w.When(c.Since), w.Within().String()
		found = append(found, engine.Violation{
			Clients: []string{c.Name},
			Text:    lang.Format("%[1]s has waited for the lock since %[2]s, for more than %[3]s s", "%[1]s 从 %[2]s 起一直在等锁，已超过 %[3]s 秒", c.Name, since, within),
			Cleared: c.Name + " 不再等得太久",
		})
	}
	return found
}

// explainBoundedWait finds what stands in the way: the command that wrote the value which the client last asked about, or,
// where the key is free, its own sleep.
func explainBoundedWait(w *engine.World, v *engine.Violation) {
	client := v.Clients[0]
	asked := last(w, func(e *engine.Event) bool { return e.Kind == engine.Deliver && e.Call.Client == client })
	for i := range w.Nodes() {
		for _, key := range keys(w, i, asked) {
			s := w.Stored(i, key)
			if s == nil {
				continue
			}
			v.Cause = executed(w, s.Order)
			name, value := redis.Quote([]string{key}), redis.Quote([]string{s.Value})
			v.English += fmt.Sprintf(": %s holds %s, written by %s", name, value, s.Writer)
			v.Chinese += fmt.Sprintf("：%s 的值是 %s，由 %s 写入", name, value, s.Writer)
			return
		}
	}
	v.Cause = last(w, func(e *engine.Event) bool { return e.Kind == engine.Sleep && e.Lane == client })
	until := w.When(w.Client(client).Until)
	v.English += ": it sleeps until " + until
	v.Chinese += "：它要休眠到 " + until
}

func sinceNow(w *engine.World) lang.Text {
	return names(w, lang.Both("waiting: %s", "%s 在等"), lang.Both("nobody waits", "没有客户端在等"), func(c *engine.Client) bool { return c.Since > 0 && c.Live() })
}
