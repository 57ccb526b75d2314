package monitor

import (
	"slices"

	"lockstep/engine"
)

// maxAhead is how many entries reorder looks ahead.
const maxAhead = 16

// reorder finds out which of several commands Redis executed first. Two commands that were under way at the same time
// stand in a recording in the order of their replies, and the proxy may have seen these in the other order. Where the
// run does not give an entry its recorded reply, another one goes first that was under way, too, if both then get theirs.
func (w *writer) reorder(i int) {
	e := &w.entries[i]
	if e.Command == nil || e.Reply == "" || w.replies(e) {
		return
	}
	for j := i + 1; j < len(w.entries) && j <= i+maxAhead; j++ {
		other := w.entries[j]
		if other.Command == nil || other.Reply == "" || slices.ContainsFunc(w.entries[i:j], func(k Entry) bool { return k.Client == other.Client || other.Sent >= k.Time }) {
			continue // it came after one of those before it
		}
		if w.replies(&other, e) {
			time := e.Time
			copy(w.entries[i+1:j+1], w.entries[i:j])
			other.Time = time
			w.entries[i] = other
			return
		}
	}
}

// replies reports whether entries, one after the other, get their recorded replies.
func (w *writer) replies(entries ...*Entry) bool {
	world := w.run.World().Fork()
	defer world.Close()
	for _, e := range entries {
		if _, err := world.Apply(engine.Action{Verb: engine.VerbDo, Client: e.Client, Command: w.shifted(e.Command)}, engine.MaxActionWork); err != nil {
			return true // the run itself will tell
		}
		if c := world.Client(e.Client); c == nil || !same(c.Replied, e.Reply) {
			return false
		}
	}
	return true
}
