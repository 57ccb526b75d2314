package check

import (
	"fmt"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// Unattended is violated while several clients have come, every one has ended its program, and none has ever been in the
// critical section: the work is left undone. A client that crashes, or is stopped by a mistake in its program, has not ended
// it.
var Unattended = Property{
	Property: engine.Property{Name: "unattended", Explain: explainUnattended, Judge: judgeUnattended},

	Holds:       lang.Both("somebody always gets in", "总有客户端能进入临界区"),
	Goal:        lang.Both("all gone, and nobody was inside", "全都结束了，却没有谁进过临界区"),
	Harm:        lang.Both("work left undone", "无人进入"),
	Looks:       func(c *engine.Client) string { return strconv.FormatBool(c.Entered) },
	Now:         absentNow,
	Broken:      lang.Both("All are gone, and nobody was inside", "全都结束了，却没有谁进过临界区"),
	Reachable:   lang.Both("From here, all can be gone without anybody having been inside in %s.", "从这里起，只要 %s，就可能全都结束，却没有谁进过临界区。"),
	Unreachable: lang.Both("From here, all cannot be gone without anybody having been inside within these bounds: %s.", "从这里起，在这些范围内不会全都结束而没有谁进过临界区：%s。"),
	Chinese:     InChinese{"无人进入", "可能没有谁进过临界区", "总有客户端进入临界区"},
	Flag:        lang.Both("nobody was inside: {clients}", "谁也没进过：{clients}"),
}

// Absent reports whether a client has ended its program without ever having been in the critical section.
func Absent(c *engine.Client) bool {
	return c.Program != nil && c.Status == engine.Finished && !c.Entered
}

// Deserted reports whether the absent clients, of those who have come, leave the work undone.
func Deserted(come, absent int) bool { return come > 1 && absent == come }

func judgeUnattended(w *engine.World, _ []engine.Event, before []engine.Violation) []engine.Violation {
	var gone []string
	for _, c := range w.Clients() {
		if Absent(c) {
			gone = append(gone, c.Name)
		}
	}
	if !Deserted(len(w.Clients()), len(gone)) {
		return nil
	}
	if known := find(before, gone...); known != nil {
		return []engine.Violation{*known}
	}
	return []engine.Violation{{
		Clients: gone,
		Text: lang.Both(strings.Join(gone, ", ")+" have ended, and none of them was ever in the critical section",
			strings.Join(gone, "、")+" 都结束了，没有一个进过临界区"),
		Cleared: "不再是全都结束而没有谁进过临界区",
	}}
}

// explainUnattended finds the last command that met a value of another client and changed nothing: the refusal after which
// nobody was left to get in.
func explainUnattended(w *engine.World, v *engine.Violation) {
	var met *engine.Stored
	var key string
	v.Cause = last(w, func(e *engine.Event) bool {
		if e.Kind != engine.Deliver || len(e.Changes) > 0 {
			return false
		}
		for _, key = range redis.Keys(e.Call.Command) {
			if met = stoodAt(w, e, key); met != nil && met.Writer != e.Call.Client {
				return true
			}
		}
		return false
	})
	if v.Cause == 0 {
		return
	}
	name, value := redis.Quote([]string{key}), redis.Quote([]string{met.Value})
	refused := w.Events()[v.Cause-1].Call.Client
	v.English += fmt.Sprintf(": %s was turned away, because %s held %s, written by %s", refused, name, value, met.Writer)
	v.Chinese += fmt.Sprintf("：%s 被拒绝，因为 %s 的值是 %s，由 %s 写入", refused, name, value, met.Writer)
}

// stoodAt returns what a key of a node held when an event of the node happened; nil: nothing.
func stoodAt(w *engine.World, at *engine.Event, key string) *engine.Stored {
	w.Meter().Spend(int64(at.Seq))
	for i := at.Seq - 2; i >= 0; i-- {
		e := &w.Events()[i]
		if e.Lane != at.Lane {
			continue
		}
		for _, c := range e.Changes {
			if c.Key == key {
				return c.New
			}
		}
	}
	return nil
}

func absentNow(w *engine.World) lang.Text {
	return names(w, lang.Both("gone without having been inside: %s", "没进过临界区就结束了：%s"), lang.Both("nobody has gone without having been inside", "还没有谁没进过就结束"), Absent)
}
