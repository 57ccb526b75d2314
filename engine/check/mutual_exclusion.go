package check

import (
	"lockstep/engine"
	"lockstep/engine/lang"
)

// MutualExclusion is violated while two live clients are in the critical section and both believe in their lease: the
// promise of a lock.
var MutualExclusion = Property{
	Property: engine.Property{Name: "mutual-exclusion", Inside: 2, Explain: explainTogether, Judge: judgeMutualExclusion},

	Holds:       lang.Both("never two clients inside that both believe they hold the lock", "不会有两个客户端同时在临界区且都自认为持有锁"),
	Goal:        lang.Both("two clients hold the lock at once", "两个客户端同时持有锁"),
	Harm:        lang.Both("two holders", "两个持有者"),
	Now:         holdersNow,
	Broken:      lang.Both("Two clients hold the lock", "两个客户端同时持有锁"),
	Reachable:   lang.Both("From here, two clients can hold the lock in %s.", "从这里起，只要 %s，就可能有两个客户端同时持有锁。"),
	Unreachable: lang.Both("From here, nothing lets two clients hold the lock within these bounds: %s.", "从这里起，在这些范围内不会有两个客户端同时持有锁：%s。"),
	Chinese:     InChinese{"互斥", "互斥被破坏", "互斥成立"},
	Flag:        lang.Both("{n} holders: {clients}", "{n} 个持有者：{clients}"),
}

func judgeMutualExclusion(w *engine.World, _ []engine.Event, before []engine.Violation) []engine.Violation {
	return together(w, before, func(c *engine.Client) bool { return c.Believes },
		"%s and %s are both in the critical section, and both believe that they hold the lock", "%s 和 %s %s同时在临界区，并且都自认为持有锁")
}
