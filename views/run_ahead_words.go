package views

// What the page says of what can still happen from the position that it shows:
// for each property how it can come about, that it cannot, and its name in a list.
var aheadWords = map[string]word{
	"ahead.option":       {"What could go wrong", "可能出什么错"},
	"ahead.bounds":       {"Search bounds: ", "搜索范围："},
	"ahead.menu":         {"From here: what to look for, and how far", "从这里起：找什么，找多远"},
	"ahead.first":        {"Do the first action", "执行第一个动作"},
	"ahead.actions":      {"%d actions", "%d 个动作"},
	"ahead.action":       {"1 action", "1 个动作"},
	"ahead.budget":       {"From here: undecided; the quick search used up its budget.", "从这里起：快速搜索的预算已用完，尚无定论。"},
	"script.aheadWait":   {"From here: looking…", "从这里起：正在查看……"},
	"script.aheadAction": {"First: {action}", "第一步：{action}"},

	"ahead.can.mutual-exclusion": {"From here, two clients can hold the lock in %s.", "从这里起，只要 %s，就可能有两个客户端同时持有锁。"},
	"ahead.can.overlap":          {"From here, two clients can be inside in %s.", "从这里起，只要 %s，就可能有两个客户端同时在临界区内。"},
	"ahead.can.foreign-delete":   {"From here, a client can delete another's lock in %s.", "从这里起，只要 %s，就可能有客户端删除别人的锁。"},
	"ahead.can.lease-drift":      {"From here, a holder's expiry can be overwritten in %s.", "从这里起，只要 %s，持有者的过期时间就可能被别人改写。"},
	"ahead.can.stuck":            {"From here, the lock can be stuck for good in %s.", "从这里起，只要 %s，就可能死锁。"},
	"ahead.can.stale-write":      {"From here, a stale write can be accepted in %s.", "从这里起，只要 %s，资源就可能接受过时的写入。"},

	"ahead.none.mutual-exclusion": {"From here, two clients never hold the lock within these bounds: %s.", "从这里起，在这些范围内不会有两个客户端同时持有锁：%s。"},
	"ahead.none.overlap":          {"From here, two clients are never inside within these bounds: %s.", "从这里起，在这些范围内不会有两个客户端同时在临界区内：%s。"},
	"ahead.none.foreign-delete":   {"From here, nobody deletes another's lock within these bounds: %s.", "从这里起，在这些范围内谁也不会删除别人的锁：%s。"},
	"ahead.none.lease-drift":      {"From here, no holder's expiry is overwritten within these bounds: %s.", "从这里起，在这些范围内持有者的过期时间不会被别人改写：%s。"},
	"ahead.none.stuck":            {"From here, somebody can always get in within these bounds: %s.", "从这里起，在这些范围内总有客户端还能进入：%s。"},
	"ahead.none.stale-write":      {"From here, no stale write is accepted within these bounds: %s.", "从这里起，在这些范围内资源不会接受过时的写入：%s。"},

	"ahead.name.mutual-exclusion": {"Two clients hold the lock", "两个客户端同时持有锁"},
	"ahead.name.overlap":          {"Two clients are inside", "两个客户端同时在临界区内"},
	"ahead.name.foreign-delete":   {"A client deletes another's lock", "客户端删除别人的锁"},
	"ahead.name.lease-drift":      {"A holder's expiry is overwritten", "持有者的过期时间被别人改写"},
	"ahead.name.stuck":            {"Nobody can get in any more", "死锁"},
	"ahead.name.stale-write":      {"A stale write is accepted", "资源接受过时的写入"},
}
