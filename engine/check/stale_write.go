package check

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// StaleWrite is violated by a write that the protected resource accepts after one by a client that took the lock over from
// the writer, under a younger grant of the same key. Fencing prevents it.
//
// A late write that comes before the successor's first does not count: no resource could tell it from a write in time, and
// a fencing token cannot prevent it.
var StaleWrite = Property{
	Property: engine.Property{Name: "stale-write", Momentary: true, Explain: explainStaleWrite, Judge: judgeStaleWrite},

	Holds:       lang.Both("the resource accepts no stale write", "资源不会接受过时的写入"),
	Goal:        lang.Both("a stale write is accepted", "过时的写入被接受"),
	Harm:        lang.Both("a stale write", "过时写入"),
	Now:         writtenNow,
	Broken:      lang.Both("A stale write is accepted", "资源接受过时的写入"),
	Reachable:   lang.Both("From here, a stale write can be accepted in %s.", "从这里起，只要 %s，资源就可能接受过时的写入。"),
	Unreachable: lang.Both("From here, no stale write is accepted within these bounds: %s.", "从这里起，在这些范围内资源不会接受过时的写入：%s。"),
	Chinese:     InChinese{"过时写入", "过时的写入被接受", "过时的写入不会被接受"},
	Flag:        lang.Both("stale write: {clients}", "过时的写入：{clients}"),
}

func judgeStaleWrite(w *engine.World, latest []engine.Event, _ []engine.Violation) []engine.Violation {
	var found []engine.Violation
	for i := range latest {
		e := &latest[i]
		if e.Overtaken == nil {
			continue
		}
		late, successor := e.Call.Client, e.Overtaken.By
		found = append(found, engine.Violation{
			Clients: slices.Compact([]string{late, successor}), // a client that starts afresh may be its own successor
			Text: lang.Format("The storage has accepted a late write from %s, after one from %s, which took the lock over",
				"存储接受了 %s 迟到的写入，而接手锁的 %s 已经先写过了", late, successor),
		})
	}
	return found
}

// explainStaleWrite blames the event that took the lock from the late writer.
func explainStaleWrite(w *engine.World, v *engine.Violation) {
	written := last(w, func(e *engine.Event) bool { return e.Overtaken != nil && e.Call.Client == v.Clients[0] })
	v.Cause = written
	if end, _ := ended(w, w.Events()[written-1].Overtaken.Grant); end != nil {
		v.Cause = end.Seq
	}
}
