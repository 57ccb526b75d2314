package views

// aheadWords holds the texts of the lookahead. A property brings its own.
var aheadWords = map[string]word{
	"ahead.option":       {"What could go wrong", "可能出什么错"},
	"ahead.bounds":       {"Search bounds: ", "搜索范围："},
	"ahead.menu":         {"How near disaster is: what to look for, and how far", "离出事还有多远：找什么，找多远"},
	"ahead.first":        {"Do the first action", "执行第一个动作"},
	"ahead.actions":      {"%d actions", "%d 个动作"},
	"ahead.action":       {"1 action", "1 个动作"},
	"ahead.away":         {"{n} actions from disaster", "最快 {n} 个动作后出事"},
	"ahead.away.one":     {"{n} action from disaster", "最快 {n} 个动作后出事"},
	"ahead.broken":       {"Broken in {n}", "第 {n} 个动作出了事"},
	"ahead.none":         {"From here, no disaster within %s", "从这里开始，这个范围内不会出事：%s"},
	"ahead.deep":         {"%s, %s", "%s、%s"},
	"ahead.budget":       {"Undecided: the quick search used up its budget.", "尚无定论：快速搜索的预算已用完。"},
	"script.aheadWait":   {"Looking…", "正在查看……"},
	"script.aheadAction": {"First: {action}", "第一步：{action}"},
}
