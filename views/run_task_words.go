package views

// taskWords holds the texts beside a run that belongs to a lesson or a challenge.
var taskWords = map[string]word{
	"task.place":          {"%d / %d", "%d / %d"},
	"task.go-on":          {"Go on", "继续"},
	"task.predict":        {"What happens next?", "接下来会发生什么？"},
	"task.not-sure":       {"Not sure", "不确定"},
	"task.came-true":      {"Your prediction came true:", "你的预测成真了："},
	"task.came-otherwise": {"Your prediction did not come true:", "你的预测没有成真："},
	"task.came-unsure":    {"This is what happened:", "实际发生的是："},
	"task.own":            {"From here on, this run is yours. Try anything; the lesson waits where you left it.", "从这里起，这次运行由你自己做主。随意尝试；课程会停在你离开的地方等你。"},
	"task.again":          {"Back to the lesson", "回到课程"},
	"task.challenges":     {"Break it, or prove that it cannot be broken", "攻破它，或者证明它攻不破"},
	"task.next":           {"Next:", "下一课："},
	"task.over":           {"The lesson is over, or the run has left it; nothing was done.", "课程已经结束，或者这次运行已离开课程，未执行任何操作。"},

	"task.bounds":      {"Bounds: %s.", "范围：%s。"},
	"task.so-far":      {"So far: %s.", "到目前为止：%s。"},
	"task.shortest":    {"Broken in %s. There is no shorter way.", "用 %s攻破了。没有更短的办法。"},
	"task.longer":      {"Broken in %s. The shortest way takes %d.", "用 %s攻破了。最短的办法只要 %d 个。"},
	"task.foul":        {"%s Go back and act there, or start over.", "%s回到前面再操作，或者重新开始。"},
	"task.solved":      {"Solved.", "已解决。"},
	"task.claim":       {"It cannot be broken", "它攻不破"},
	"task.claim.long":  {"Search everything that can happen within these bounds", "在这个范围内，把所有可能发生的情况都搜索一遍"},
	"task.proved":      {"The search covered everything that can happen within these bounds, %s states: nothing breaks it.", "这个范围内可能发生的情况已全部搜索，共 %s 个状态：它攻不破。"},
	"task.begin":       {"Nobody wants the lock yet. The lesson brings the clients.", "还没有人想要这把锁。客户端由课程启动。"},
	"task.caption":     {"Press Go on, and watch the picture.", "按“继续”，看图上会发生什么。"},
	"task.wrong-claim": {"It can be broken: the search has found a way. Find one yourself, or look at this one.", "它攻得破：搜索找到了一种办法。你可以自己再找一找，或者看看这一种。"},
	"task.attack":      {"Look at a shortest way", "看看一种最短的办法"},
	"task.anew":        {"Start over", "重新开始"},
	"task.back":        {"Continue the lesson", "回到这一课"},
	"task.hint":        {"Hint: how far is it from here?", "提示：从这里起还差多远？"},

	"task.mend.source":  {"The program; every client runs it", "程序；每个客户端都运行它"},
	"task.mend.go":      {"Search everything that can happen", "搜索所有可能发生的情况"},
	"task.mend.nothing": {"Edit the program, then search everything that can happen. The run that breaks it appears here.", "修改程序，然后搜索所有可能发生的情况。能攻破它的办法会显示在这里。"},
}
