package views

// embedWords are the texts of a page in a frame of another site.
var embedWords = Words{
	"oembed.format": {"oEmbed is answered in JSON only.", "oEmbed 只有 JSON 格式。"},
	"oembed.size":   {"maxwidth and maxheight are whole numbers of px.", "maxwidth 和 maxheight 须为整数，单位是像素。"},
	"oembed.none":   {"url is not the address of a run, a lesson, a challenge or the explorer on this site.", "url 不是本站上某次运行、某一课、某个挑战或穷举页面的网址。"},
	"oembed.room":   {"Only the people of its room may see this run.", "只有房间里的人能看这次运行。"},

	"embed.open": {"Open in Lockstep", "在 Lockstep 中打开"},
}
