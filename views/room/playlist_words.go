package room

import "lockstep/views"

// planWords holds what the presenter reads of the playlist.
var planWords = views.Words{
	"plan.playlist": {"Playlist", "课堂流程"},
	"plan.next":     {"Next:", "下一项："},
	"plan.empty":    {"Nothing is planned yet.", "还没有安排。"},
	"plan.how":      {"A lesson, a challenge or a run joins the list from its own page: “Add to the playlist”.", "在一课、一个挑战或一次运行的页面上点“加入课堂流程”，就能把它排进来。"},
	"plan.course":   {"Take over the playlist of “%s”", "采用“%s”的课堂流程"},
	"plan.add":      {"Add to the playlist", "加入课堂流程"},

	"plan.add-run":   {"Add the run as it is now", "加入现在的运行"},
	"plan.add-asked": {"Add a poll: the lesson's question", "加入投票：这一课的问题"},
	"plan.add-reply": {"Add a poll: the next reply", "加入投票：下一个回复"},
	"plan.add-test":  {"Add the test: %s", "加入测验：%s"},

	"plan.kind.lesson":    {"Lesson", "课"},
	"plan.kind.challenge": {"Exercise", "练习"},
	"plan.kind.poll":      {"Poll", "投票"},
	"plan.kind.run":       {"Run", "运行"},
	"plan.kind.test":      {"Test", "测验"},

	"plan.asked": {"the lesson's next question", "这一课的下一个问题"},
	"plan.reply": {"the next reply of Redis", "Redis 的下一个回复"},
	"plan.gone":  {"no longer there", "已不存在"},

	"plan.do.next":     {"Go there", "进入这一项"},
	"plan.whom.next":   {"Go to “%s”", "进入“%s”"},
	"plan.do.up":       {"Earlier", "提前"},
	"plan.whom.up":     {"Move “%s” up", "把“%s”提前"},
	"plan.do.down":     {"Later", "推后"},
	"plan.whom.down":   {"Move “%s” down", "把“%s”推后"},
	"plan.do.remove":   {"Take it off the list", "移出课堂流程"},
	"plan.whom.remove": {"Take “%s” off the list", "把“%s”移出课堂流程"},
}
