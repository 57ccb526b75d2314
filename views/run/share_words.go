package run

import "lockstep/views"

// shareWords holds the texts of the ways to compare a run, to type its commands and to take it elsewhere.
var shareWords = views.Words{
	// The page that a link leads to
	"link.title":   {"Open a run", "打开一次运行"},
	"link.about":   {"A run is text: its program, and an action on each line. Paste one here, or follow a link that carries one.", "一次运行就是一段文本：先写程序，再一行写一个动作。可以粘贴在这里，也可以从带有它的链接打开。"},
	"link.text":    {"Scenario", "场景文本"},
	"link.open":    {"Open the run", "打开"},
	"link.opening": {"Opening the run…", "正在打开……"},
	"link.looking": {"Reading the link…", "正在读取链接……"},
	"link.kept":    {"This link has opened a run already. Press the button for another one.", "这个链接已经打开过一次运行。按下按钮可以再开一次。"},

	// The picture of a link
	"link.after":    {"%[1]s after %[2]s", "%[2]s后，%[1]s"},
	"link.empty":    {"The run has no action yet, so there is nothing to draw.", "这次运行还没有动作，没有可画的内容。"},
	"link.large":    {"The run is too long to be drawn here. Open it to see it.", "这次运行太长，这里画不下。打开后即可查看。"},
	"link.details":  {"Details", "详情"},
	"link.programs": {"Programs", "程序"},
	"link.more":     {"and %d more", "还有 %d 个"},
	"link.none":     {"none", "无"},
	"link.own":      {"Brings along", "自带的程序"},
	"link.own-none": {"no program of its own", "无"},
	"link.actions":  {"Actions", "动作数"},
	"link.size":     {"Size", "大小"},
	"link.bytes":    {"%d bytes", "%d 字节"},
	"link.open-it":  {"Open it", "打开"},

	// Sharing a run
	"share.link":      {"Link with the run in it", "带有这次运行的链接"},
	"share.copied":    {"Copied.", "已复制。"},
	"share.selected":  {"The link is selected: copy it with Ctrl+C (⌘C on a Mac) or from its menu.", "链接已选中，请按 Ctrl+C（Mac 上按 ⌘C）或用菜单复制。"},
	"share.long":      {"The link has {n} characters, and some programs cut long links. A file is safer.", "链接长达 {n} 个字符，有些程序会截断它。用文件更稳妥。"},
	"share.picture":   {"Picture with the run in it", "带有这次运行的图片"},
	"share.files":     {"Files for other tools", "供其他工具使用的文件"},
	"share.opens":     {"Open another run", "打开另一次运行"},
	"share.open":      {"Open a file", "打开文件"},
	"share.open-hint": {"A picture, scenario or trace that was saved here, or the log of a real Redis (redis-cli MONITOR). It can also be dropped anywhere on the page.", "从这里保存的图片、场景文本或事件记录，或真实 Redis 的日志（redis-cli MONITOR）。也可以把文件拖到页面任意位置。"},
	"share.paste":     {"Paste a scenario", "粘贴场景文本"},
	"share.saved":     {"{name} is saved.", "已保存 {name}。"},

	// A run as one file that plays by itself
	"player.begin":    {"Nothing has happened yet.", "什么都还没有发生。"},
	"player.at":       {"action {n} of {of}", "第 {n} 个动作，共 {of} 个"},
	"player.why-of":   {"Show me why: event {seq}", "为什么会这样：事件 {seq}"},
	"player.scenario": {"Scenario", "场景文本"},
	"player.about":    {"This file carries its run. Drop it on a page of Lockstep to go on from here.", "这个文件带有整个运行。把它拖到 Lockstep 的页面上，就可以接着做。"},
	"player.noscript": {"The picture needs JavaScript. The scenario is in this file, as text.", "显示图需要 JavaScript。场景文本就在这个文件里。"},

	// A run that was imported from a log
	"import.remarks": {"Imported: what is guessed, and what was left out (%d)", "导入说明：哪些是推测，哪些被略去（%d 条）"},
	"import.began":   {"The run begins at %s. Times are in UTC.", "运行从 %s 开始。时刻均为 UTC。"},

	// Faults of a link or a file (static/js/share/mistake.js)
	"present.start":      {"Start a room", "创建房间"},
	"present.start.long": {"Others join with a code, from a phone or a laptop, and see this run.", "其他人用手机或电脑输入加入码，就能看到这次运行。"},

	// Two runs beside each other
	"compare":             {"Two runs side by side", "两次运行对照"},
	"compare.back":        {"Back to %s", "返回 %s"},
	"compare.back-lesson": {"Back to the lesson", "返回这一课"},
	"compare.go":          {"Go there", "跳到那里"},
	"compare.on":          {"Go on with %s", "用 %s 继续"},
	"compare.open":        {"Go to this run", "打开这次运行"},
	"compare.shown":       {"The run that is shown", "显示哪一次运行"},
	"compare.picture":     {"Timeline of the other run", "另一次运行的时间线"},
	"compare.with":        {"Compare", "对照"},
	"compare.to":          {"Compare with: %s", "与“%s”对照"},
	"compare.unknown":     {"This server no longer has the run to compare with. Its scenario brings it back.", "服务器上已没有要对照的那次运行；用它的场景文本可以恢复。"},
	"compare.itself":      {"That is this run itself; there is nothing to compare.", "那就是这次运行本身，没有什么可对照的。"},

	// The script
	"beside.part":  {"The runs part at the dashed line. {here}: {event} {there}: {other}", "两次运行从虚线处起不同。{here}：{event}{there}：{other}"},
	"beside.ends":  {"Up to the dashed line the two runs are the same; there {run} ends.", "虚线之前两次运行相同，{run} 到此结束。"},
	"beside.over":  {"The run ends here.", "运行到此结束。"},
	"beside.alike": {"The two runs do not differ.", "两次运行没有差别。"},
	"beside.begin": {"Nothing has happened yet.", "还什么都没有发生。"},

	// The console
	"console":             {"Console", "控制台"},
	"console.log":         {"Commands that you typed, and the replies of Redis", "已输入的命令与 Redis 的回复"},
	"console.command":     {"Redis command", "Redis 命令"},
	"console.run":         {"Run", "执行"},
	"console.list":        {"Commands", "命令"},
	"console.completions": {"Completions", "补全建议"},
	"console.try":         {"Type a command, such as", "输入一条命令，例如"},
	"console.keys":        {"Tab completes; ↑ and ↓ bring earlier lines back.", "按 Tab 补全，按 ↑ ↓ 找回之前输入的命令。"},
	"console.help":        {"Help for the command being typed", "当前命令的说明"},
	"console.since":       {"Since", "起始版本"},
	"console.complexity":  {"Complexity", "时间复杂度"},
	"console.categories":  {"ACL", "ACL 类别"},
	"console.replies":     {"Replies", "回复"},
	"console.deprecated":  {"Deprecated since Redis %s: new code uses %s.", "自 Redis %s 起已弃用，新代码应使用 %s。"},
	"console.complete":    {"%s %s", "%s，%s"},
	"console.unknown":     {"{command} is not a command that works here.", "这里没有 {command} 命令。"},
	"console.quotes":      {"A quotation mark is missing, or a space after one.", "缺少一个引号，或引号后缺少空格。"},

	// Real programs
	"real.live":     {"the real program answers here", "这里连着真实的程序"},
	"real.runs":     {"%s: the program has to run for this.", "%s：这一步需要运行程序。"},
	"real.by-hand":  {"%s has its reply. Its program, started by hand, has not sent its next command yet.", "%s 已收到回复。它的程序是手动启动的，还没有发送下一条命令。"},
	"real.held":     {"%s waits: Lockstep holds its command %s until you step it.", "%s 在等待：它的命令 %s 停在这里，等你执行一步。"},
	"real.failed":   {"Lockstep cannot learn what %s does next: %s.", "无法得知 %s 接下来做什么：%s。"},
	"real.deviates": {"its program is not a function of its replies: %s", "它的行为不只取决于收到的回复：%s"},
	"real.bug":      {"Lockstep made a mistake while it ran the program", "Lockstep 运行程序时自己出了错"},
	"real.spent":    {"its program has been started %d times, as often as it may be", "它的程序已启动 %d 次，达到上限"},
	"real.connect":  {"Start a program for each of these addresses of Redis: %s. Its lane appears with its first command.", "为每个 Redis 地址各启动一个程序：%s。程序发出第一条命令时，它的泳道就会出现。"},
	"real.caption":  {"Nobody has connected yet.", "还没有程序连接进来。"},
	"real.again":    {"Run the program again", "再运行一次程序"},
	"real.guess":    {"“Inside” is a guess: from the SET NX that was granted to the release.", "“临界区内”是推测出来的：从成功的 SET NX 到释放锁为止。"},
}
