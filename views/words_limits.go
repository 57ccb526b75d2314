package views

// What is said to whoever asks for more than the server has to give.
var limitWords = map[string]word{
	"error.many":     {"Too many requests come from your address. Try again in a minute.", "来自你所在地址的请求太多。请过一分钟再试。"},
	"error.guesses":  {"Too many wrong codes have been tried. Try again in a minute.", "输错加入码的次数太多。请过一分钟再试。"},
	"error.sockets":  {"Too many connections are open. Try again in a minute.", "打开的连接太多。请过一分钟再试。"},
	"error.too-fast": {"You send more than %d messages a second. They are read more slowly now; if it goes on, the connection is closed.", "你每秒发送的消息超过 %d 条。服务器已放慢读取；若继续如此，连接将被关闭。"},
	"error.broken":   {"Something here is broken. It has been written to the server's log; nothing else is affected.", "这里出错了。错误已记入服务器日志，其他部分不受影响。"},
}
