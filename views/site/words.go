package site

import "lockstep/views"

func init() { views.AddWords(homeWords) }

// homeWords holds the texts of the home page.
var homeWords = views.Words{
	"home.intro": {
		"You are the network between two clients and Redis: press the command that arrives first.",
		"你就是两个客户端和 Redis 之间的网络：点哪条命令，哪条就先到。",
	},

	"home.begin":     {"C3 crashed with the lock, whose value says that it was good until 1011; now it is 1012. C1 and C2 have both read that, and each sends DEL to remove it.", "C3 拿着锁崩溃了。锁的值写着有效期到 1011，现在是 1012；C1 和 C2 都读到了，各自发出 DEL 来删除它。"},
	"home.asks-same": {"Whose %s arrives first?", "谁的 %s 先到？"},
	"home.asks":      {"Which one arrives first?", "哪一条先到？"},
	"home.asks-one":  {"Now only %s's %s is on its way.", "现在路上只剩 %s 的 %s。"},
	"home.broken":    {"You broke it: %s and %s are both in the critical section.", "攻破了：%s 和 %s 同时在临界区内。"},
	"home.held":      {"It held: only %s is in the critical section, and %s waits.", "这次守住了：只有 %s 在临界区内，%s 在等待。"},
	"home.stale":     {"%s's DEL removed the lock that %s had just taken. %s read the old 1011 before that, and DEL does not look at what it deletes.", "%s 的 DEL 删掉了 %s 刚拿到的锁。%s 在那之前读到的是旧的 1011，而 DEL 不看自己删的是什么。"},
	"home.repaired":  {"With GETSET the same order does no harm: %s gets back 1023, a time still to come, knows that %s was faster, and backs off. It wrote 1023 over the same number: the lock is still %s's.", "改用 GETSET，同样的顺序就没有危害：%s 读回 1023，还没有过期，于是知道 %s 更快，退避等待。它用 1023 盖掉的还是 1023，锁仍归 %s。"},

	"home.chances": {
		"Played from the start in random order, %[1]s of %[2]s runs break this lock. A search of every order finds a way in %[3]s ms.",
		"从头开始按随机顺序运行，%[2]s 次里有 %[1]s 次攻破这把锁。穷举每一种顺序，%[3]s 毫秒就能找到攻破的办法。",
	},
	"home.chances-holds": {
		"None of %s random runs breaks it, nor does any order at all: %s states, searched in %s ms, with 3 clients, 1 crash, 12 s, and messages that take no time.",
		"%s 次随机运行，没有一次攻破它；穷举每一种顺序也一样（%s 个状态，%s 毫秒；范围：3 个客户端、1 次崩溃、12 秒，消息不耗时间）。",
	},

	"home.press":        {"%s's %s", "%s 的 %s"},
	"home.play":         {"Let it happen", "播放一遍"},
	"home.why":          {"See why", "看看为什么"},
	"home.getset":       {"Same order with GETSET", "同样的顺序，改用 GETSET"},
	"home.again":        {"Start over", "重新开始"},
	"home.retry":        {"Try another order", "换个顺序再试"},
	"home.lesson":       {"Lesson 1: %s", "第 1 课：%s"},
	"home.open":         {"Open this run in the playground", "在实验台中打开这次运行"},
	"home.line":         {"The line that did it", "造成问题的那一行"},
	"home.marks":        {"How to read the picture", "怎样看这张图"},
	"home.events":       {"What has happened", "发生了什么"},
	"home.lessons-only": {"%d lessons", "%d 课"},
	"home.lesson-only":  {"One lesson", "一课"},
	"home.lessons-one":  {"One lesson, %s", "一课，%s"},
	"home.lessons":      {"%d lessons, %s", "%d 课，%s"},
	"home.incidents":    {"Bug reports: locks that broke in public", "缺陷报告：真实世界里被攻破的锁"},

	"home.mark.request": {"request", "请求"},
	"home.mark.reply":   {"reply", "回复"},
	"home.mark.inside":  {"in the critical section", "在临界区内"},
	"home.mark.band":    {"the key, and who wrote it", "键的值和写入者"},

	"home.teach-with": {"Teach with it", "用它来教学"},
	"home.teach-says": {
		"A room puts the run on the wall, and the phones of the class become its clients. No accounts, no internet.",
		"房间把运行投到大屏上，学员的手机就是其中的客户端。不需要账号，也不需要互联网。",
	},
	"home.go-compare": {"Both runs, one above the other", "上下对照两次运行"},

	"home.alone": {
		"Phones cannot reach this site: its address leads to this machine only. For a class, start it with --address :%s.",
		"手机打不开这个网站：它的地址只在本机有效。上课时请用 --address :%s 启动。",
	},
	"home.room":    {"Start a room", "创建房间"},
	"home.join":    {"Join a room", "加入房间"},
	"home.join-go": {"Go", "进入"},
	"home.own":     {"A course of your own is a directory of text files:", "自己的课程就是一个放着文本文件的目录："},
}
