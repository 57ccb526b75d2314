package views

// limitWords holds the refusals of a busy server.
var limitWords = Words{
	"error.many":      {"Too many requests come from your address. Try again in a minute.", "来自你所在地址的请求太多。请过一分钟再试。"},
	"error.guesses":   {"Too many wrong codes from your network. The right code works again soon: try it in ten seconds.", "你所在的网络输错加入码的次数太多。正确的加入码稍后就能打开：请过十秒再试。"},
	"error.fast":      {"You are going too fast. Wait a moment, then continue.", "操作太快了。请稍等片刻再继续。"},
	"error.busy":      {"The server is busy with long requests. Try again in a moment.", "服务器正忙于处理耗时的请求。请稍后再试。"},
	"error.too-much":  {"This would take the server too long. Do less at once, or start a new run.", "这会让服务器计算太久。请一次少做一些，或新建运行。"},
	"error.memory":    {"Your network has too many long runs open here. Close some of their pages, or try again later.", "你所在的网络在这里打开的长运行太多。请关闭其中一些页面，或稍后再试。"},
	"error.bytes":     {"The server is sending as much as it can at the moment. Try again in a few seconds.", "服务器此刻发送的数据已达上限。请过几秒再试。"},
	"error.reading":   {"The server is receiving as much as it can at the moment. Try again in a few seconds.", "服务器此刻接收的数据已达上限。请过几秒再试。"},
	"error.no-socket": {"Only pages of this site can open a socket here.", "只有本站的页面才能在这里建立 WebSocket 连接。"},
	"error.sockets":   {"Too many connections are open. Try again in a minute.", "打开的连接太多。请过一分钟再试。"},
	"error.too-fast":  {"You send more than %d messages a second. The server now reads them more slowly, and closes the connection if this continues.", "你每秒发送的消息超过 %d 条。服务器已放慢读取；若继续如此，连接将被关闭。"},
	"error.broken":    {"Something went wrong here. The server's log has the details; nothing else is affected.", "这里出错了。错误已记入服务器日志，其他部分不受影响。"},
}
