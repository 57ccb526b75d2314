package views

// aheadWords holds the texts of the lookahead. A property brings its own.
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
}
