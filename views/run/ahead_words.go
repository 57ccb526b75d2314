package run

import "lockstep/views"

// aheadWords holds the texts of the lookahead. A property brings its own.
var aheadWords = views.Words{
	"ahead.option":        {"What could go wrong", "可能出什么错"},
	"ahead.bounds":        {"Search bounds: ", "搜索范围："},
	"ahead.menu":          {"How near disaster is: what to look for, and how far", "离出事还有多远：选择找什么、找多深"},
	"ahead.first":         {"Do the first action", "执行第一个动作"},
	"ahead.actions":       {"%d actions", "%d 个动作"},
	"ahead.action":        {"1 action", "1 个动作"},
	"ahead.away":          {"{n} actions from disaster", "最快 {n} 个动作后出事"},
	"ahead.away.one":      {"{n} action from disaster", "最快 {n} 个动作后出事"},
	"ahead.broken":        {"Broken in {n}", "第 {n} 个动作出了事"},
	"ahead.none":          {"From here, no %s within %s", "从这里开始，这个范围内不会出现%s：%s"},
	"ahead.deep":          {"%s, %s", "%s、%s"},
	"ahead.recording":     {"Undecided: the recording of a program ends before an answer.", "尚无定论：程序的录制内容不足以得出答案。"},
	"ahead.budget":        {"Undecided: the quick search used up its budget.", "尚无定论：快速搜索的预算已用完。"},
	"hint.more":           {"Another hint", "再提示一点"},
	"hint.cause-command":  {"The harm comes from %s's %s.", "问题出在 %s 的 %s。"},
	"hint.cause-expire":   {"The harm comes when the key expires.", "问题出在键过期。"},
	"hint.cause-crash":    {"The harm comes when %s crashes.", "问题出在 %s 崩溃。"},
	"hint.cause-failover": {"The harm comes from the failover.", "问题出在故障转移。"},
	"hint.cause-drop":     {"The harm comes when a message of %s is lost.", "问题出在 %s 的一条消息丢了。"},
	"hint.cause-enter":    {"The harm comes when %s enters.", "问题出在 %s 进入临界区。"},
	"hint.cause-skew":     {"The harm comes from the clock of %s.", "问题出在 %s 的时钟。"},
	"hint.cause-other":    {"The harm comes from an event on the lane of %s.", "问题出在 %s 泳道上的一个事件。"},
	"hint.cause-none":     {"No single event does the harm.", "问题不是出在某一个事件上。"},
	"hint.lane":           {"The next action happens on the lane of %s.", "下一个动作在 %s 的泳道上。"},
	"hint.spawn":          {"Next, another client comes.", "接下来，再来一个客户端。"},
	"hint.time":           {"Next, time passes.", "接下来，让时间流逝。"},
	"script.aheadWait":    {"Looking…", "正在查看……"},
	"script.aheadAction":  {"First: {action}", "第一步：{action}"},
}
