package course

import "lockstep/views"

func init() { views.AddWords(courseWords, answerWords, recallWords, testWords) }

// courseWords holds the texts of the course pages, apart from the course's own.
var courseWords = views.Words{
	"course.lesson":            {"Lesson %d", "第 %d 课"},
	"course.minutes":           {"%d min", "%d 分钟"},
	"course.about-minutes":     {"about %d minutes", "约 %d 分钟"},
	"course.about-hours":       {"about %d hours", "约 %d 小时"},
	"course.length":            {"%d lessons with their challenges: %s.", "%d 课，连同挑战%s。"},
	"course.length-one":        {"One lesson with its challenges: %s.", "一课，连同挑战%s。"},
	"course.express":           {"Express", "速成"},
	"course.express.about":     {"Short of time? These %d lessons, each with its first challenge, take %s:", "时间不多？学这 %d 课，每课只做第一个挑战，%s："},
	"course.express.about-one": {"Short of time? This lesson with its first challenge takes %s:", "时间不多？只学这一课，做它的第一个挑战，%s："},
	"course.express.next":      {"Next on the express path:", "速成路线的下一课："},
	"course.only.en":           {"This course is in English only.", "本课程只有英文版。"},
	"course.only.zh":           {"This course is in Chinese only.", "本课程只有中文版。"},
	"course.none":              {"There is no such course.", "没有这个课程。"},

	// The contents
	"course.begin":     {"Begin with lesson %d", "从第 %d 课开始"},
	"course.go-on":     {"Go on with lesson {n}", "继续第 {n} 课"},
	"course.incidents": {"Bug reports", "缺陷报告"},
	"course.incidents.about": {
		"Locks from public reports: break each one again, or prove that it is fixed.",
		"锁取自公开的报告：可以亲手再攻破一次，或者证明已经修好。",
	},
	"course.readings":     {"At work", "用在工作中"},
	"course.others":       {"Other courses", "其他课程"},
	"course.mistakes":     {"%d mistakes in this course", "这个课程里有 %d 处错误"},
	"course.mistakes-one": {"One mistake in this course", "这个课程里有一处错误"},
	"course.mistakes.about": {
		"The affected parts are left out. lockstep check lists the same mistakes and proves the rest.",
		"出错的部分已略去。lockstep check 会列出同样的内容，并逐一验证其余部分。",
	},

	// Progress
	"course.progress":         {"Your progress", "学习进度"},
	"course.progress.about":   {"Your progress stays in this browser, and nothing is graded. Save it as a file to take it to another browser.", "进度只保存在这个浏览器里，不评分。要换一个浏览器，可以存成文件带过去。"},
	"course.progress.script":  {"Keeping progress needs JavaScript, which is turned off here. Everything else works without it.", "记录进度需要 JavaScript，而它在这里被关闭了。其余内容不受影响。"},
	"course.progress.none":    {"Nothing done yet.", "还没有开始。"},
	"course.progress.save":    {"Save as a file", "存成文件"},
	"course.progress.open":    {"Import progress", "导入进度"},
	"course.progress.over":    {"Start over", "重新开始"},
	"course.progress.sure":    {"This erases everything that you have done in this course, including your predictions and solved challenges. You cannot undo it.", "你在这个课程里学过、猜过、解决过的一切都会被清除，且无法恢复。"},
	"course.progress.forget":  {"Erase everything", "全部清除"},
	"course.progress.keep":    {"Keep it", "保留"},
	"course.progress.saved":   {"{name} is saved.", "已保存 {name}。"},
	"course.progress.taken":   {"Progress imported.", "进度已导入。"},
	"course.progress.gone":    {"Everything is erased. You can start over.", "已全部清除，可以重新开始。"},
	"course.progress.foreign": {"The file holds no progress saved here. Nothing was changed.", "这个文件不是从这里保存的进度，未作任何更改。"},
	"course.progress.newer":   {"The file comes from a newer version of Lockstep. Nothing was changed.", "文件来自较新版本的 Lockstep，未作任何更改。"},
	"course.progress.refused": {"The browser does not let this page store data. Nothing was changed.", "浏览器不允许这个页面保存数据，未作任何更改。"},
	"course.progress.lost":    {"The browser does not let this page store data: your progress is lost when you leave.", "浏览器不允许这个页面保存数据：离开后进度会丢失。"},

	// Marks
	"course.sum":        {"{done} of {lessons} lessons done, {solved} of {challenges} challenges solved", "已学完 {done}/{lessons} 课，已解决 {solved}/{challenges} 个挑战"},
	"course.done":       {"Done", "已学完"},
	"course.solved":     {"{solved} of {challenges} challenges solved", "已解决 {solved}/{challenges} 个挑战"},
	"course.solved-one": {"Challenge solved", "挑战已解决"},
	"course.solved-in":  {"Solved in {n} actions", "已解决，用了 {n} 个动作"},
	"course.solved-by":  {"Solved", "已解决"},

	// A lesson
	"course.no-lesson":       {"There is no such lesson in this course.", "这个课程里没有这一课。"},
	"course.incident":        {"Bug report %d", "缺陷报告 %d"},
	"course.report":          {"The report", "报告原文"},
	"course.handout":         {"Handout", "讲义"},
	"course.handout-answers": {"Handout with answers", "带答案的讲义"},

	// Sources
	"course.sources": {"What the sources say", "各来源的说法"},
	"course.sources.about": {
		"Each claim in the source's own words, what it means, and what running it shows.",
		"逐条列出原文、它的意思，以及运行的结果。",
	},
	"course.sources.count":   {"%d claims", "%d 条说法"},
	"course.sources.sum":     {"%d hold, %d in part, %d do not.", "%d 条成立，%d 条部分成立，%d 条不成立。"},
	"course.sources.all":     {"Read all %d claims", "查看全部 %d 条"},
	"course.sources.all-one": {"Read the claim", "查看这条说法"},
	"course.no-sources":      {"This course quotes no sources.", "这个课程没有引用来源。"},
	"course.sources.colon":   {": ", "："},
	"course.sources.list":    {"The sources", "来源"},
	"course.sources.text":    {"Read it", "阅读原文"},
	"course.verdict.holds":   {"Holds", "成立"},
	"course.verdict.partly":  {"Holds in part", "部分成立"},
	"course.verdict.fails":   {"Does not hold", "不成立"},
	"course.claim.see":       {"See it happen", "看它发生"},
	"course.claim":           {"Claim %d", "说法 %d"},

	// On paper
	"course.handout.print":    {"Print", "打印"},
	"course.handout.lessons":  {"Lessons of the handout", "讲义中的课"},
	"course.handout.file":     {"Save as a file", "存为文件"},
	"course.handout.with":     {"With answers", "显示答案"},
	"course.handout.without":  {"Without answers", "不显示答案"},
	"course.handout.back":     {"Back", "返回"},
	"course.handout.run":      {"The run", "运行过程"},
	"course.handout.begins":   {"At 1000 s the run begins with", "从 1000 秒开始运行："},
	"course.handout.picture":  {"The timeline of the run: the tables below say the same.", "这次运行的时间线，内容与下面的表格相同。"},
	"course.handout.action":   {"Action", "动作"},
	"course.handout.what":     {"What happens", "发生了什么"},
	"course.handout.program":  {"The program %s", "程序 %s"},
	"course.handout.tick":     {"Tick what you expect before you read on.", "先勾选你的预测，再往下读。"},
	"course.handout.turn":     {"The result is on the next page.", "结果在下一页。"},
	"course.handout.unsure":   {"I am not sure.", "不确定。"},
	"course.handout.came":     {"This came true.", "结果如此。"},
	"course.handout.start":    {"It begins with", "起点"},
	"course.handout.bounds":   {"Bounds", "范围"},
	"course.handout.notes":    {"Your way, or why there is none", "你的做法，或者为什么做不到"},
	"course.handout.changes":  {"What you would change", "你打算怎么改"},
	"course.handout.answer":   {"Answer", "答案"},
	"course.handout.par":      {"The shortest way takes %d actions.", "最短的做法需要 %d 个动作。"},
	"course.handout.par-none": {"It cannot be broken within these bounds.", "在这个范围内攻不破。"},
	"course.handout.solution": {"One way to fix it", "一种修好的办法"},
	"column.number":           {"No.", "序号"},
}
