package check

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// LostUpdate is violated by a write to the protected resource that replaces a number which its client does not know: another
// client's write has taken effect since this client's last read, or a write of its own life before a restart. That update
// is lost, as if it had never been.
//
// A client knows a number from its last read, or from its own write. A read counts once the storage has told the number, also
// where the reply is lost: only a program that tries to read goes on then. A client that has never read loses nothing by this
// rule: its write follows from no number.
var LostUpdate = Property{
	Property: engine.Property{Name: "lost-update", Momentary: true, Explain: explainLostUpdate, Judge: judgeLostUpdate},

	Holds:       lang.Both("no update is lost", "不会丢失更新"),
	Goal:        lang.Both("an update is lost", "丢失一次更新"),
	Harm:        lang.Both("a lost update", "丢失更新"),
	Now:         writtenNow,
	Broken:      lang.Both("An update is lost", "一次更新丢失"),
	Reachable:   lang.Both("From here, an update can be lost in %s.", "从这里起，只要 %s，就可能丢失一次更新。"),
	Unreachable: lang.Both("From here, no update is lost within these bounds: %s.", "从这里起，在这些范围内不会丢失更新：%s。"),
	Chinese:     InChinese{"丢失更新", "丢失了一次更新", "不会丢失更新"},
	Flag:        lang.Both("lost update: {clients}", "丢失更新：{clients}"),
}

func judgeLostUpdate(w *engine.World, latest []engine.Event, _ []engine.Violation) []engine.Violation {
	var found []engine.Violation
	for i := range latest {
		e := &latest[i]
		if e.Loses == "" {
			continue
		}
		late, lost := e.Call.Client, e.Loses
		text := lang.Format("%s has overwritten an update by %s, which it had not read", "%[1]s 没有读到 %[2]s 的更新，就把它覆盖了", late, lost)
		if late == lost {
			text = lang.Format("%s has overwritten an update of its life before the restart, which it had not read", "%s 没有读到自己重启前的更新，就把它覆盖了", late)
		}
		found = append(found, engine.Violation{Clients: slices.Compact([]string{late, lost}), Text: text})
	}
	return found
}

// explainLostUpdate blames the first event that took the lock from one of the two writers before its write. Where neither had
// lost it, the late write itself is to blame.
func explainLostUpdate(w *engine.World, v *engine.Violation) {
	late, lost := v.Clients[0], v.Clients[len(v.Clients)-1]
	v.Cause = last(w, func(e *engine.Event) bool { return e.Loses != "" && e.Call.Client == late })
	written, first := v.Cause, 0
	for _, writer := range []string{late, lost} {
		seq := last(w, func(e *engine.Event) bool {
			return e.Seq <= written && (e.Kind == engine.Write || e.Kind == engine.Commit) && e.Call.Client == writer
		})
		g := w.Events()[seq-1].Grant
		if g == nil {
			continue
		}
		if end, _ := ended(w, g); end != nil && end.Seq < seq && (first == 0 || end.Seq < first) {
			first = end.Seq
		}
	}
	if first > 0 {
		v.Cause = first
	}
}
