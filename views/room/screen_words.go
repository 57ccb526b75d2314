package room

import "lockstep/views"

// screenWords holds the texts of the projector and the wall.
var screenWords = views.Words{
	"screen.noscript":   {"Without JavaScript there is no picture.", "没有 JavaScript 就没有图。"},
	"screen.black":      {"The projector is dark. The presenter can bring the picture back.", "投影已黑屏，主讲人可以恢复画面。"},
	"screen.black.back": {"Dark on purpose: B or . on the presenter's page brings the picture back.", "有意黑屏：在主讲人页面按 B 或 . 恢复画面。"},
	"screen.here":       {"%d here", "%d 人在场"},
	"screen.driver":     {"%s drives", "控制者：%s"},

	// How to join
	"screen.join":         {"How to join (J)", "如何加入（J）"},
	"screen.join.title":   {"Join in", "加入房间"},
	"screen.join.scan":    {"Scan this, or open", "扫描二维码，或打开"},
	"screen.join.code":    {"with the code", "并输入加入码"},
	"screen.locked":       {"locked", "已锁定"},
	"screen.locked.title": {"The room is locked", "房间已锁定"},
	"screen.locked.long":  {"Nobody new can join now. If you are in the room, come back here:", "暂时不接受新成员加入。已在房间里的人可以从这里回来："},
	"screen.joined":       {"Who has joined", "已加入的人"},
	"screen.qr":           {"QR code of %s", "%s 的二维码"},

	// A poll
	"screen.predict.first":    {"Vote alone", "独立投票"},
	"screen.predict.discuss":  {"Discuss", "讨论"},
	"screen.predict.second":   {"Vote again", "再次投票"},
	"screen.predict.closed":   {"The vote is closed", "投票已结束"},
	"screen.predict.revealed": {"What really happens", "实际结果"},
	"screen.own.revealed":     {"What the class says", "大家的选择"},
	"screen.own.right":        {"correct", "正确"},
	"screen.network.first":    {"The network votes", "由网络投票"},
	"screen.network.closed":   {"The vote is closed", "投票已结束"},
	"screen.network.revealed": {"The network has decided", "网络已决定"},
	"screen.cast":             {"%d of %d have voted", "已投票 %d / %d"},
	"screen.round.one":        {"votes", "票数"},
	"screen.round.first":      {"alone", "讨论前"},
	"screen.round.second":     {"discussed", "讨论后"},
	"screen.vote":             {"1 vote", "1 票"},
	"screen.votes":            {"%d votes", "%d 票"},
	"screen.right":            {"correct: this happens", "正确，结果就是这样"},
	"screen.chosen":           {"arrives next", "接下来送达"},

	// A test
	"screen.test":        {"A test", "测验"},
	"screen.test.how":    {"Everybody answers alone, on their own page.", "每人在自己的页面上独立作答。"},
	"screen.test.handed": {"%d of %d have handed in", "已交卷 %d / %d"},

	// An exercise
	"screen.exercise.copy":   {"Everybody goes on from here, in a copy of their own.", "每个人都从这里出发，在自己的副本里继续。"},
	"screen.exercise.begins": {"Everybody begins here.", "每个人都从这里开始。"},
	"screen.claims":          {"%d claimed wrongly that it cannot be broken", "%d 次误判为攻不破"},
	"screen.claims.one":      {"1 claimed wrongly that it cannot be broken", "1 次误判为攻不破"},
	"screen.exercise":        {"Exercise", "练习"},
	"screen.begun":           {"of %d have begun", "/ %d 人已开始"},
	"screen.solved":          {"have solved it", "人已解决"},
	"screen.ranking":         {"Fewest actions", "动作最少"},
	"screen.more":            {"and %d more", "另有 %d 人"},
	"screen.action":          {"1 action", "1 个动作"},
	"screen.actions":         {"%d actions", "%d 个动作"},

	// Phones and their clients
	"screen.lanes":   {"Who is which client", "谁是哪个客户端"},
	"screen.network": {"Network", "网络"},
	"screen.people":  {"%d people", "%d 人"},
	"screen.free":    {"nobody yet", "暂无"},
	"screen.and":     {", ", "、"},

	// The end
	"screen.over":        {"The class is over", "课堂已结束"},
	"screen.over.replay": {"The whole run can be replayed at", "整个运行的回放地址"},
	"screen.over.home":   {"Your phone offers the files to take home; they need no server.", "手机上可以保存要带回家的文件，不需要服务器也能打开。"},

	// The wall
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
