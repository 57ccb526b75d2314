package views

// classWords holds what every page says to somebody who is in a room.
var classWords = Words{
	"class.room":      {"Room", "房间"},
	"class.of":        {"Room %s", "房间 %s"},
	"class.back":      {"Back to the room", "回到房间"},
	"class.outside":   {"Room %s does not see this page.", "房间 %s 看不到这个页面。"},
	"class.away":      {"You are in room %s, and on a page of your own.", "你在房间 %s 中，正在自行浏览。"},
	"class.undecided": {"The explorer has not answered this question yet.", "穷举还没有得出这个问题的结论。"},
	"class.exercise":  {"Set for everybody:", "布置给大家："},
	"class.show":      {"Show in room %s", "在房间 %s 展示"},
}
