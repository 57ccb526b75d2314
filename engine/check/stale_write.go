package check

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// StaleWrite is what fencing is for. It is judged on the writes that the protected
// resource has accepted: not one of them may come after a write by a client that
// took the lock over from the writer, under a younger grant of the same key.
//
// A late write that comes before the successor's first is not one: no resource
// could tell it from a write in time, and a fencing token cannot prevent it.
var StaleWrite = engine.Property{Name: "stale-write", Chinese: engine.InChinese{Name: "过时写入", Violated: "过时的写入被接受", Holds: "过时的写入不会被接受"}, Momentary: true, Explain: explainStaleWrite, Judge: func(w *engine.World, latest []engine.Event, _ []engine.Violation) []engine.Violation {
	var found []engine.Violation
	for i := range latest {
		e := &latest[i]
		if e.Overtaken == nil {
			continue
		}
		late, successor := e.Call.Client, e.Overtaken.By
		found = append(found, engine.Violation{
			Clients: slices.Compact([]string{late, successor}), // a client that starts afresh may follow itself
			Text: lang.Format("The storage has accepted a late write from %s, after one from %s, which took the lock over",
				"存储接受了 %s 迟到的写入，而接手锁的 %s 已经先写过了", late, successor),
		})
	}
	return found
}}

// explainStaleWrite blames what took the lock from the late writer.
func explainStaleWrite(w *engine.World, v *engine.Violation) {
	written := last(w, func(e *engine.Event) bool { return e.Overtaken != nil && e.Call.Client == v.Clients[0] })
	v.Cause = written
	if end, _ := ended(w, w.Events()[written-1].Overtaken.Grant); end != nil {
		v.Cause = end.Seq
	}
}
