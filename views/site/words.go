package site

import "lockstep/views"

func init() { views.AddWords(homeWords) }

// homeWords holds the texts of the home page.
var homeWords = views.Words{
	"home.asks-lock": {"Only one program may work at a time. %s asks Redis for the lock.", "同一时刻只能有一个程序工作。%s 向 Redis 申请锁。"},
	"home.holds":     {"The key is %s's lock. Its value says until when: %s.", "这个键就是 %s 的锁，值写明了有效期：到 %s。"},
	"home.dies":      {"its machine dies", "它的机器宕机"},
	"home.dies-name": {"%s: its machine dies", "%s：它的机器宕机"},
	"home.remains":   {"Nobody will remove %s's lock.", "没人会来删除 %s 的锁了。"},
	"home.tick":      {"%s: time passes", "%s：时间过去"},
	"home.expired":   {"%s is past %s: the lock is expired.", "%s 已经超过 %s：锁过期了。"},
	"home.begin":     {"%[1]s and %[2]s have seen that it is over, and both send %[3]s.", "%[1]s 和 %[2]s 都看到锁已过期，各自发出 %[3]s。"},
	"home.whose":     {"Whose %s arrives first?", "谁的 %s 先到？"},
	"home.next":      {"Which one arrives first?", "哪一条先到？"},
	"home.old":       {"%s's %s removed %s's old lock.", "%s 的 %s 删掉了 %s 的旧锁。"},
	"home.nothing":   {"%s's %s found nothing: the key is free.", "%s 的 %s 什么也没删到：键已经不在了。"},
	"home.took":      {"%s took the lock and is inside. %s's %s is still on its way.", "%s 拿到锁，进去了。%s 的 %s 还在路上。"},
	"home.took-away": {"%s's %s removed %s's lock. Redis has no reason to refuse what comes next.", "%s 的 %s 删掉了 %s 的锁。接下来到的命令，Redis 没有理由拒绝。"},
	"home.broke":     {"You broke it.", "攻破了。"},
	"home.broken":    {"%s and %s are both inside, and each is sure that it is alone.", "%s 和 %s 都在里面，各自都以为只有自己。"},
	"home.held":      {"This time it held: Redis answered %[1]s's %[3]s with %[2]s, so %[1]s stays out.", "这次守住了：Redis 对 %[1]s 的 %[3]s 回复 %[2]s，%[1]s 进不去。"},
	"home.stale":     {"%[1]s's %[2]s removed %[3]s's lock: %[2]s names a key, not the value that %[1]s had read.", "%[1]s 的 %[2]s 删掉了 %[3]s 的锁：%[2]s 只认键名，不管 %[1]s 先前读到的值。"},
	"home.repaired": {
		"%[2]s's %[1]s gets %[4]s's fresh %[3]s back: %[2]s knows that it lost. It has put its own %[3]s there: the same time, so %[4]s loses nothing.",
		"%[2]s 的 %[1]s 读回 %[4]s 刚写的 %[3]s，%[2]s 知道自己输了。它写进去的是自己的 %[3]s，时间一样，%[4]s 什么也没损失。",
	},

	"home.proof": {"No order breaks it: the search went through all %s states.", "没有哪种顺序能攻破它：全部 %s 个状态都搜索过了。"},

	"home.press":        {"%s's %s", "%s 的 %s"},
	"home.skip":         {"Skip to the race", "跳到竞态"},
	"home.let":          {"Let it happen", "自动播放"},
	"home.why":          {"See why", "看看为什么"},
	"home.getset":       {"Same order with GETSET", "同样的顺序，改用 GETSET"},
	"home.again":        {"Start over", "重新开始"},
	"home.retry":        {"Another order", "换个顺序"},
	"home.lesson":       {"From the beginning: %s", "从头开始：%s"},
	"home.on":           {"From here: “%s”", "接着学：“%s”"},
	"home.open":         {"Open it in the playground", "在实验台中打开"},
	"home.program":      {"The program that each of them runs", "它们各自运行的程序"},
	"home.inside":       {"inside", "临界区内"},
	"home.events":       {"What has happened", "发生了什么"},
	"home.lessons-only": {"%d lessons", "%d 课"},
	"home.lesson-only":  {"One lesson", "一课"},
	"home.lessons-one":  {"One lesson, %s", "一课，%s"},
	"home.lessons":      {"%d lessons, %s", "%d 课，%s"},
	"home.incidents":    {"Bug reports: locks that broke in public", "缺陷报告：真实世界里被攻破的锁"},

	"home.teach-with": {"Teach with it", "用它来教学"},
	"home.teach-says": {
		"A room puts the run on the wall, and the phones of the class become its clients. No accounts, no internet.",
		"开一个房间，把演示投到大屏上，学员的手机就是里面的客户端。不需要账号，也不需要互联网。",
	},
	"home.go-compare": {"Both runs, one above the other", "上下对照两次运行"},

	"home.room":    {"Start a room", "创建房间"},
	"home.join":    {"Join a room", "加入房间"},
	"home.join-go": {"Go", "进入"},
	"home.own":     {"A course of your own is a directory of text files:", "把课程写成一个目录里的文本文件，就能用自己的课："},
}
