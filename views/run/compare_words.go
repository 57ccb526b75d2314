package run

import "lockstep/views"

// compareWords holds the texts that compare two runs.
var compareWords = views.Words{
	"compare":             {"Two runs side by side", "两次运行对照"},
	"compare.back":        {"Back to %s", "返回 %s"},
	"compare.back-lesson": {"Back to the lesson", "返回这一课"},
	"compare.go":          {"Go there", "跳到那里"},
	"compare.open":        {"Go to this run", "打开这次运行"},
	"compare.shown":       {"The run that is shown", "显示哪一次运行"},
	"compare.picture":     {"Timeline of the other run", "另一次运行的时间线"},
	"compare.with":        {"Compare", "对照"},
	"compare.to":          {"Compare with: %s", "与“%s”对照"},
	"compare.unknown":     {"This server no longer has the run to compare with. Its scenario brings it back.", "服务器上已没有要对照的那次运行；用它的场景文本可以恢复。"},
	"compare.itself":      {"That is this run itself; there is nothing to compare.", "那就是这次运行本身，没有什么可对照的。"},

	// The script
	"beside.part":  {"The runs diverge at ≠. {here}: {event} {there}: {other}", "两次运行从 ≠ 处起不同。{here}：{event}{there}：{other}"},
	"beside.ends":  {"Up to ≠ the two runs are the same; there {run} ends.", "到 ≠ 处为止两次运行相同，{run} 到此结束。"},
	"beside.over":  {"The run ends here.", "运行到此结束。"},
	"beside.alike": {"The two runs do not differ.", "两次运行没有差别。"},
	"beside.begin": {"Nothing has happened yet.", "还什么都没有发生。"},
}
