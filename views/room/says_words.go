package room

import "lockstep/views"

// roomSays holds the server's sentences about rooms. The refusals are in room_words.go.
var roomSays = views.Words{
	"room.none":           {"There is no room with this code. It may have ended and been deleted.", "没有与这个加入码对应的房间。房间可能已经结束并被删除。"},
	"room.malformed-code": {"A code has six digits.", "加入码是六位数字。"},
	"room.full-site":      {"The server has no space for another room. Try again later.", "服务器已没有空间容纳新的房间。请稍后再试。"},
	"room.no-hint":        {"There are no hints while the exercise goes on.", "练习进行期间没有提示。"},
	"room.no-task":        {"There is no such challenge.", "没有这个挑战。"},
	"room.no-clients":     {"There is no client yet for a phone to play. Spawn some first.", "还没有可以由手机扮演的客户端。请先启动客户端。"},
	"room.no-lead":        {"This item leads nowhere any more: take it off the playlist.", "这一项已经失效：请把它从课堂流程中移除。"},
	"room.nothing-asked":  {"There is nothing to ask here: no command is in flight.", "此处没有可以提问的内容：没有在途的命令。"},
	"room.pairing":        {"This link has been used, or is older than five minutes. Make a new one on the presenter's page.", "这个链接已经用过，或者已超过五分钟。请在主讲人页面上重新生成。"},
	"room.network-asks":   {"Which message arrives next?", "接下来送达哪条消息？"},
	"room.copy":           {"A copy of the run for everybody", "每人一份这次运行的副本"},
	"room.task-of":        {": ", "："},

	"pair.title":       {"Your phone as a remote", "用手机遥控"},
	"pair.says":        {"Scan this with your own phone within five minutes. It works once. Do not show it to the class: anybody who opens it becomes a presenter.", "请在五分钟内用你自己的手机扫描，只能使用一次。不要让学员看到：谁打开它，谁就是主讲人。"},
	"pair.qr":          {"Link that makes your phone a remote", "把你的手机变成遥控器的链接"},
	"pair.void":        {"Cancel this link, and revoke all remotes", "作废这个链接，并撤销所有遥控器"},
	"pair.back":        {"Back to the run", "回到这次运行"},
	"pair.accept-says": {"This device becomes a remote for the presenter of the room “%s”.", "这台设备将成为房间“%s”主讲人的遥控器。"},
	"pair.accept":      {"Use this device as a remote", "把这台设备用作遥控器"},
}
