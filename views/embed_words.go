package views

// embedWords are the texts of a page in a frame of another site.
var embedWords = map[string]word{
	"oembed.format": {"oEmbed is answered in JSON only.", "oEmbed 只有 JSON 格式。"},
	"oembed.size":   {"maxwidth and maxheight are whole numbers of px.", "maxwidth 和 maxheight 要用整数像素。"},
	"oembed.none":   {"url is no address of a run, a lesson, a challenge or the explorer on this site.", "url 不是本站的运行、课程、挑战或穷举的网址。"},
	"oembed.room":   {"Only the people of its room may see this run.", "只有房间里的人能看这次运行。"},

	"embed.open": {"Open in Lockstep", "在 Lockstep 中打开"},
}
