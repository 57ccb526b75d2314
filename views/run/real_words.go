package run

import "lockstep/views"

// realWords holds the sentences about real programs, which stand behind recordings.
var realWords = views.Words{
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
