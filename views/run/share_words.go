package run

import "lockstep/views"

// shareWords holds the texts for links and files, and their faults.
var shareWords = views.Words{
	// The page that a link leads to
	"link.title":   {"Open a run", "打开一次运行"},
	"link.about":   {"A run is text: its program, and an action on each line. Paste one here, or follow a link that carries one.", "一次运行就是一段文本：先写程序，再一行写一个动作。可以粘贴在这里，也可以从带有它的链接打开。"},
	"link.text":    {"Scenario", "场景文本"},
	"link.open":    {"Open the run", "打开"},
	"link.opening": {"Opening the run…", "正在打开……"},
	"link.looking": {"Reading the link…", "正在读取链接……"},
	"link.kept":    {"This link has opened a run already. Press the button for another one.", "这个链接已经打开过一次运行。按下按钮可以再开一次。"},

	// The preview of a link
	"link.ask":       {"Open this run?", "打开这次运行吗？"},
	"link.ask-about": {"A link carries this run. Nothing is run or kept until you press the button.", "这次运行来自一个链接。按下按钮之前，什么都不会执行，也不会保存。"},
	"link.programs":  {"Programs", "程序"},
	"link.more":      {"and %d more", "还有 %d 个"},
	"link.none":      {"none", "无"},
	"link.own":       {"Brings along", "自带的程序"},
	"link.own-none":  {"no program of its own", "无"},
	"link.actions":   {"Actions", "动作数"},
	"link.size":      {"Size", "大小"},
	"link.bytes":     {"%d bytes", "%d 字节"},
	"link.open-it":   {"Open it", "打开"},

	// Sharing a run
	"share":           {"Share", "分享"},
	"share.link":      {"Link with the run in it", "带有这次运行的链接"},
	"share.copy":      {"Copy", "复制"},
	"share.copied":    {"Copied.", "已复制。"},
	"share.selected":  {"The link is selected: copy it with Ctrl+C (⌘C on a Mac) or from its menu.", "链接已选中，请按 Ctrl+C（Mac 上按 ⌘C）或用菜单复制。"},
	"share.long":      {"The link has {n} characters, and some programs cut long links. A file is safer.", "链接长达 {n} 个字符，有些程序会截断它。用文件更稳妥。"},
	"share.picture":   {"Picture that carries the run", "带有这次运行的图片"},
	"share.files":     {"Files", "文件"},
	"share.open":      {"Open a file", "打开文件"},
	"share.open-hint": {"A picture, scenario or trace that was saved here, or the log of a real Redis (redis-cli MONITOR). It can also be dropped anywhere on the page.", "从这里保存的图片、场景文本或事件记录，或真实 Redis 的日志（redis-cli MONITOR）。也可以把文件拖到页面任意位置。"},
	"share.paste":     {"Paste a scenario", "粘贴场景文本"},
	"share.drop":      {"Drop the file to open its run", "松手即可打开文件里的运行"},
	"share.saved":     {"{name} is saved.", "已保存 {name}。"},
	"share.failed":    {"The run could not be read; the connection may have been lost.", "读取这次运行失败，连接可能已断开。"},

	// A run as one file that plays by itself
	"player.step":     {"Step", "下一步"},
	"player.begin":    {"Nothing has happened yet.", "什么都还没有发生。"},
	"player.why-of":   {"Show me why: event {seq}", "为什么会这样：事件 {seq}"},
	"player.scenario": {"Scenario", "场景文本"},
	"player.about":    {"This file carries its run. Drop it on a page of Lockstep to go on from here.", "这个文件带有整个运行。把它拖到 Lockstep 的页面上，就可以接着做。"},
	"player.noscript": {"The picture needs JavaScript. The scenario is in this file, as text.", "显示图需要 JavaScript。场景文本就在这个文件里。"},

	// A run that was imported from a log
	"import.remarks": {"Imported: what is guessed, and what was left out (%d)", "导入说明：哪些是推测，哪些被略去（%d 条）"},
	"import.began":   {"The run begins at %s. Times are in UTC.", "运行从 %s 开始。时刻均为 UTC。"},

	// Faults of a link or a file (static/js/share/mistake.js)
	"share.say.link-broken":  {"The link is damaged: it may have been cut off where it was copied. Ask for it again.", "链接已损坏，可能在复制时被截断了。请重新索取。"},
	"share.say.link-empty":   {"The link carries no run.", "链接里没有运行记录。"},
	"share.say.text-long":    {"The scenario is longer than 256 KB and cannot be read.", "场景文本超过 256 KB，无法读取。"},
	"share.say.file-large":   {"The file is larger than 32 MB and cannot be read.", "文件超过 32 MB，无法读取。"},
	"share.say.log-large":    {"The log is larger than 3 MB. Import it on your own machine: lockstep import LOG > run.lock", "日志超过 3 MB，请在本机导入：lockstep import LOG > run.lock"},
	"share.say.file-foreign": {"The file is no scenario, no MONITOR log or recording, and no picture, trace or page saved here.", "文件不是场景文本，不是 MONITOR 日志或录制，也不是从这里保存的图片、事件记录或网页。"},
	"share.say.file-broken":  {"The file is damaged; it may have been cut off.", "文件已损坏，可能不完整。"},
	"share.say.file-newer":   {"The file comes from a newer version of Lockstep.", "文件来自更新版本的 Lockstep。"},
	"share.say.picture-bare": {"The picture carries no run. Some programs and chats remove it when they save or send a picture.", "图片里没有运行记录。有些程序和聊天工具在保存或发送图片时会把它去掉。"},
	"share.say.trace-bare":   {"The trace carries no scenario.", "事件记录里没有场景文本。"},
	"share.say.canvas":       {"The run is too long for a readable PNG. Save the SVG instead: it has no limit.", "这次运行太长，生成的 PNG 会看不清。请改存 SVG，它没有大小限制。"},
}
