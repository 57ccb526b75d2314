package check

import (
	"lockstep/engine"
	"lockstep/engine/lang"
)

// Overlap is violated while two live clients are in the critical section, whatever they believe. An overrun lease counts,
// because the protected resource sees both.
var Overlap = Property{
	Property: engine.Property{Name: "overlap", Inside: 2, Explain: explainTogether, Judge: judgeOverlap},

	Holds:       lang.Both("never two clients inside at once", "不会有两个客户端同时在临界区"),
	Goal:        lang.Both("two clients inside at once", "两个客户端同时在临界区"),
	Harm:        lang.Both("two clients inside", "两个客户端同在临界区"),
	Now:         insideNow,
	Broken:      lang.Both("Two clients are inside", "两个客户端同时在临界区内"),
	Reachable:   lang.Both("From here, two clients can be inside in %s.", "从这里起，只要 %s，就可能有两个客户端同时在临界区内。"),
	Unreachable: lang.Both("From here, nothing lets two clients be inside within these bounds: %s.", "从这里起，在这些范围内不会有两个客户端同时在临界区内：%s。"),
	Chinese:     InChinese{"重叠", "临界区发生重叠", "临界区不会重叠"},
	Flag:        lang.Both("{n} inside: {clients}", "{n} 个在临界区内：{clients}"),
}

func judgeOverlap(w *engine.World, _ []engine.Event, before []engine.Violation) []engine.Violation {
	return together(w, before, func(*engine.Client) bool { return true },
		"%s and %s are both in the critical section", "%s 和 %s %s同时在临界区")
}
