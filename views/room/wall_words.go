package room

import "lockstep/views"

// wallWords holds the texts of the presenter's wall.
var wallWords = views.Words{
	"wall.title":    {"Everybody's copies · %s", "大家的副本 · %s"},
	"wall.back":     {"Back to the room", "回到房间"},
	"wall.none":     {"No exercise", "没有练习"},
	"wall.none.how": {"When the presenter gives everybody a copy of the run, or sets a challenge, all these runs appear here.", "主讲人给每人一份运行的副本，或布置一个挑战后，所有个人副本都会出现在这里。"},
	"wall.empty":    {"Nobody has begun yet.", "还没有人开始。"},
	"wall.runs":     {"Everybody's own run", "每个人的副本"},
	"wall.show":     {"Show", "展示"},
	"wall.show-of":  {"Show %s", "展示 %s"},
	"wall.show-own": {"Show the room's own run", "展示房间自己的运行"},
	"wall.shown":    {"shown now", "正在展示"},

	"wall.filter":        {"Which runs", "显示哪些"},
	"wall.state.all":     {"All", "全部"},
	"wall.state.broken":  {"Broken", "已攻破"},
	"wall.state.stuck":   {"Stuck", "死锁"},
	"wall.state.safe":    {"Safe", "安全"},
	"wall.state.new":     {"Nothing done", "未操作"},
	"wall.state.solved":  {"Solved", "已解决"},
	"wall.state.claimed": {"Wrong claim", "误判为攻不破"},

	"wall.sort":         {"In which order", "排序方式"},
	"wall.sort.state":   {"Broken first", "已攻破的在前"},
	"wall.sort.name":    {"By name", "按名字"},
	"wall.sort.actions": {"By actions", "按动作数"},
}
