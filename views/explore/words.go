package explore

import "lockstep/views"

func init() { views.AddWords(exploreWords) }

// exploreWords holds the texts of the explorer page and its verdicts.
var exploreWords = views.Words{
	"explore.promise": {"%s: %s", "%s：%s"},
	"explore.picture": {"Save the picture", "保存图片"},
	"explore.claim":   {"The explorer tries every interleaving within the bounds: not what happened once, but everything that can happen.", "穷举（模型检查）把给定范围内的所有交错执行都走一遍：不是看某一次发生了什么，而是看一切可能发生的事。"},

	// The question
	"explore.question":            {"Question", "问题"},
	"explore.property":            {"Property", "性质"},
	"explore.property.label":      {"%s: %s", "%s：%s"},
	"explore.property.none":       {"none, count the states only", "无，只统计状态"},
	"explore.more":                {"More", "更多"},
	"explore.bound.clients":       {"Clients", "客户端数"},
	"explore.bound.ticks":         {"Ticks of 1 s", "时钟推进次数（每次 1 秒）"},
	"explore.bound.timeout":       {"Lock timeout, s", "锁的有效时间（秒）"},
	"explore.bound.crashes":       {"Crashes", "崩溃次数"},
	"explore.bound.delays":        {"Delay of a request, ticks", "请求最多延迟（时钟推进次数）"},
	"explore.bound.losses":        {"Lost messages", "丢失的消息数"},
	"explore.bound.failovers":     {"Failovers to a replica that lags", "故障转移次数（副本落后）"},
	"explore.bound.nodes":         {"Redis nodes", "Redis 节点数"},
	"explore.bound.node-crashes":  {"Node crashes", "节点宕机次数"},
	"explore.bound.restart-delay": {"Ticks until a node is back", "节点恢复前至少经过（时钟推进次数）"},
	"explore.delay.any":           {"any", "不限"},
	"explore.skews":               {"Clock skew, s", "时钟偏差（秒）"},
	"explore.replies":             {"Replies take time, too", "回复在途中也要时间"},
	"explore.lose":                {"A node that crashes loses its data", "宕机的节点丢失数据"},
	"explore.apart":               {"Count states apart that differ only in the names of clients", "只有客户端名字不同的状态也分开计数"},
	"explore.causes":              {"Look for other causes after the first counterexample", "找到第一个反例后继续，找出其他起因"},
	"explore.search":              {"Search", "开始穷举"},
	"explore.edit":                {"Edit its text", "编辑它的代码"},
	"explore.own":                 {"Your version of %s", "你改写的 %s"},
	"explore.builtin":             {"Back to the built-in programs", "回到内置程序"},
	"explore.link":                {"Link to this question", "这个问题的链接"},

	// Faults of a question
	"explore.wrong-bound":    {"%[1]s: %[2]q is not a whole number from %[3]d to %[4]d. Nothing was searched.", "%[1]s：%[2]q 不是 %[3]d 到 %[4]d 之间的整数。没有开始穷举。"},
	"explore.wrong-skew":     {"Clock skew of %[1]s: %[2]q is not a number of seconds from %[3]d to %[4]d. Nothing was searched.", "%[1]s 的时钟偏差：%[2]q 不是 %[3]d 到 %[4]d 秒之间的数。没有开始穷举。"},
	"explore.wrong-property": {"There is no such property. Nothing was searched.", "没有这个性质。没有开始穷举。"},
	"explore.wrong-luck":     {"The luck meter needs a property that can be violated. Choose one, and try again.", "运气计需要一个可以被违反的性质。请先选择一个。"},

	"explore.failure": {"The program fails, so the explorer cannot judge its lock: %s", "程序出错，无法判断这把锁：%s"},

	// Waiting, and the reasons for which a search ends
	"explore.searching":  {"Searching…", "正在穷举……"},
	"explore.place":      {"The explorer is busy. Place %d in the queue.", "搜索繁忙，排在第 %d 位。"},
	"explore.busy":       {"The explorer is busy: your search was at place %d in the queue. Try again in a moment.", "搜索繁忙，刚才排在第 %d 位。请稍后再试。"},
	"explore.queue-full": {"The explorer's queue is full. Try again in a minute, or search on your own machine.", "穷举的队列已满。请一分钟后再试，或在自己的机器上运行。"},
	"explore.replaced":   {"You started another search, which replaced this one.", "你又提交了一次穷举，它取代了这一次。"},
	"explore.closing":    {"The server is restarting. Search again in a moment.", "服务器正在重启。请稍后再穷举一次。"},
	"explore.lost":       {"The search ended because the connection was lost. Search again.", "连接已断开，穷举也随之中止。请再试一次。"},
	"explore.stop":       {"Stop", "停止"},
	"explore.no-script":  {"Without JavaScript, a search may take %s and shows no picture.", "没有 JavaScript 时，一次穷举至多进行 %s，也没有图。"},

	// The verdict
	"explore.outcome":      {"Answer", "结论"},
	"explore.nothing":      {"Nothing has been searched yet.", "还没有开始穷举。"},
	"explore.holds":        {"Holds", "攻不破"},
	"explore.holds-feat":   {"%s states: none breaks it.", "%s 个状态，无一能破。"},
	"explore.counted":      {"Counted", "数完了"},
	"explore.counted-feat": {"%s states: those are all.", "%s 个状态，全在这里。"},
	"explore.broken":       {"Broken in %d", "%d 个动作攻破"},
	"explore.broken-feat":  {"No shorter way among %s states.", "在 %s 个状态里，没有更短的办法。"},
	"explore.open-stamp":   {"Not decided", "尚无定论"},
	"explore.open-feat":    {"%s states so far.", "目前看过 %s 个状态。"},
	"explore.failed":       {"It fails", "程序出错"},
	"explore.shape":        {"Every state, by how many actions lead there; twice as wide is four times as many.", "每一行是经过同样多个动作到达的状态；宽度是两倍，状态数就是四倍。"},
	"explore.shape-says":   {"The shape of the search: from 1 state at the start to %[1]s states after %[2]d actions, and down to %[3]s after %[4]d.", "搜索的形状：开始时 1 个状态，%[2]d 个动作后增至 %[1]s 个，%[4]d 个动作后为 %[3]s 个。"},
	"explore.no-events":    {"There is no run whose events could stand here.", "没有运行，也就没有事件可列。"},
	"explore.none":         {"Counterexamples: none within these bounds.", "反例：在此范围内没有。"},
	"explore.unfinished":   {"The search for other causes is not finished: %s. There may be more.", "寻找其他起因的穷举没有完成：%s。可能还有别的起因。"},
	"explore.ended-memory": {"the budget of %s of memory ran out", "%s 的内存预算已用完"},
	"explore.ended-work":   {"the work that one search may do here ran out", "一次穷举在这里允许的计算量已用完"},
	"explore.ended-time":   {"the %s that a search has here ran out", "%s的时间已用完"},
	"explore.ended-stop":   {"it was stopped", "已被停止"},

	// Figures
	"explore.figure.states":       {"States", "状态"},
	"explore.figure.transitions":  {"Transitions", "转移"},
	"explore.figure.depth":        {"Depth", "深度"},
	"explore.figure.speed":        {"States per second", "每秒状态数"},
	"explore.figure.memory":       {"Memory", "内存"},
	"explore.figure.time":         {"Time", "用时"},
	"explore.seconds":             {"%s s", "%s 秒"},
	"explore.milliseconds":        {"%d ms", "%d 毫秒"},
	"explore.under-a-millisecond": {"under 1 ms", "不到 1 毫秒"},

	// Suggestions
	"explore.more-ticks":   {"Ask again with one more tick", "时钟多推进一次，再穷举"},
	"explore.more-clients": {"Ask again with one more client", "增加一个客户端，再穷举"},
	"explore.less-apart":   {"Ask again: states that differ only in the names of clients count once", "只有客户端名字不同的状态只算一次，再穷举"},
	"explore.less-clients": {"Ask again with one client fewer", "减少一个客户端，再穷举"},
	"explore.less-ticks":   {"Ask again with one tick fewer", "时钟少推进一次，再穷举"},
	"explore.try":          {"Try to break it yourself", "自己试着攻破它"},
	"explore.longer":       {"Search again, for longer", "再穷举一次，时间更长"},
	"explore.begin":        {"Nothing has happened yet. Play it, and watch how the lock breaks.", "什么都还没有发生。播放它，看这把锁是怎样被攻破的。"},
	"explore.more-causes":  {"Look for other causes", "找出其他起因"},

	// Counterexamples
	"explore.counterexamples": {"Counterexamples by cause", "按起因分组的反例"},
	"explore.counterexample":  {"Shortest counterexample: %s", "最短的反例：%s"},
	"explore.way":             {"Shortest way there: %s", "最短的过程：%s"},
	"explore.of-cause":        {"Counterexample %d: %s", "反例 %d：%s"},
	"explore.show":            {"Show", "显示"},
	"explore.compare":         {"Compare", "对照"},
	"explore.show-it":         {"Show counterexample %d", "显示反例 %d"},
	"explore.compare-it":      {"Compare with counterexample %d", "对照反例 %d"},
	"explore.open":            {"Open in the playground", "在实验台中打开"},
	"explore.scenario":        {"Scenario", "场景文本"},
	"explore.cause-command":   {"%[1]s, sent at line %[2]d of the program", "程序第 %[2]d 行发出的 %[1]s"},
	"explore.cause-expire":    {"A key or a lease expired", "键或租约过期"},
	"explore.cause-crash":     {"A crash", "崩溃"},
	"explore.cause-enter":     {"A client entered without the lock", "有客户端没有拿到锁就进入"},
	"explore.cause-failover":  {"A failover", "故障转移"},
	"explore.cause-drop":      {"A lost message", "消息丢失"},
	"explore.cause-skew":      {"A wrong clock", "时钟偏差"},
	"explore.cause-none":      {"No single event", "没有单一的起因"},
	"explore.cause-other":     {"An event of the kind %s", "%s 类事件"},

	// Luck
	"explore.luck":           {"Luck meter", "运气计"},
	"explore.luck.about":     {"Would random testing have found it? Random schedules beside the one search.", "靠随机测试能碰上吗？把随机调度和一次穷举放在一起看。"},
	"explore.luck.go":        {"%s random schedules", "随机调度 %s 次"},
	"explore.luck.random":    {"Chance", "随机"},
	"explore.luck.search":    {"Search", "穷举"},
	"explore.luck.broke":     {"%[1]s of %[2]s random schedules violated %[3]s.", "%[2]s 次随机调度中，有 %[1]s 次%[3]s。"},
	"explore.luck.took":      {"%s actions in %s.", "共 %s 个动作，用时 %s。"},
	"explore.luck.early":     {"%[1]s It ended early: %[2]s.", "%[1]s提前结束：%[2]s。"},
	"explore.luck.found":     {"The search needed %[1]s and %[2]s states for the shortest way.", "穷举用 %[1]s看了 %[2]s 个状态，就找到了最短的反例。"},
	"explore.luck.none":      {"The search needed %[1]s for all %[2]s states: none within these bounds.", "穷举用 %[1]s看完全部 %[2]s 个状态：在此范围内没有反例。"},
	"explore.luck.undecided": {"The search was not finished after %[1]s and %[2]s states.", "穷举用 %[1]s看了 %[2]s 个状态，还没有完成。"},

	// How far a violation is
	"ahead.actions":  {"%d actions", "%d 个动作"},
	"ahead.action":   {"1 action", "1 个动作"},
	"ahead.away":     {"{n} actions from disaster", "最快 {n} 个动作后出事"},
	"ahead.away.one": {"{n} action from disaster", "最快 {n} 个动作后出事"},
}
