package views

// homeWords holds the texts of the home page.
var homeWords = map[string]word{
	"home.claim":     {"Two clients. One lock. One step from disaster.", "两个客户端，一把锁，离灾难只差一步。"},
	"home.before":    {"C2's SETNX is on its way. What will Redis answer?", "C2 的 SETNX 正在路上。Redis 会回复什么？"},
	"home.step":      {"1. C1 and C2 are both in the critical section, and both believe that they hold the lock.", "回复是 1。C1 和 C2 同时进入了临界区，而且都自认为持有这把锁。"},
	"home.getset":    {"The same schedule with GETSET: C2 reads back a fresh time, knows that C1 was faster, and backs off.", "同样的调度，改用 GETSET：C2 读回的是一个新的时间，于是知道 C1 更快，退避等待。"},
	"home.go-step":   {"Take one more step", "再走一步"},
	"home.go-why":    {"Show me why", "为什么会这样"},
	"home.go-getset": {"Same schedule with GETSET", "同样的调度，改用 GETSET"},
	"home.go-before": {"Back to the beginning", "回到开头"},
	"home.go-open":   {"Open it in the playground", "在实验台中打开"},
	"home.go-new":    {"Break a lock yourself", "亲手攻破一把锁"},
	"home.go-room":   {"Start a room", "创建房间"},
	"home.join":      {"Join a room", "加入房间"},
	"home.join-go":   {"Go", "进入"},
	"home.lessons":   {"%d lessons of five minutes", "%d 课，每课五分钟"},
}
