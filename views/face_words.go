package views

// faceWords holds what a link says where somebody pastes it, and the titles of windows.
var faceWords = Words{
	"face.locale":    {"en_US", "zh_CN"},
	"face.about":     {"You decide whose command Redis serves next. The timeline shows what each client believes, and where that is wrong.", "由你决定 Redis 先执行谁的命令。时间线画出每个客户端以为的情况，以及它从哪里开始错了。"},
	"face.kind":      {"The Redis lock, broken by hand", "亲手攻破 Redis 分布式锁"},
	"face.lessons":   {"%d lessons", "%d 节课"},
	"face.challenge": {"Challenge", "挑战"},
	"face.handout":   {"Handout", "讲义"},
	"face.answers":   {"with the answers", "含答案"},
	"face.clients":   {"%s, %s", "%s，%s"},
	"face.client":    {"1 client", "1 个客户端"},
	"face.many":      {"%d clients", "%d 个客户端"},
	"face.then":      {"%s %s", "%s%s"},
	"face.ask":       {"%s: %s?", "%s：%s？"},
	"face.count":     {"%s: how many states?", "%s：有多少个状态？"},
	"face.joining":   {"Join", "加入"},
	"face.screen":    {"Projector", "投影页面"},
	"face.link":      {"A run in a link", "链接里的一次运行"},
}
