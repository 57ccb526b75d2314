package views

// timelineWords holds the texts in the timeline, by the names that static/js/timeline reads.
var timelineWords = Words{
	"timeline.timeline":  {"Timeline", "时间线"},
	"timeline.waits":     {"waits", "等待中"},
	"timeline.asleep":    {"asleep", "休眠中"},
	"timeline.inside":    {"inside", "临界区内"},
	"timeline.releasing": {"releasing", "释放中"},
	"timeline.done":      {"done", "已结束"},
	"timeline.crashed":   {"crashed", "已崩溃"},
	"timeline.down":      {"down", "已宕机"},
	"timeline.failed":    {"failed", "已出错"},
	"timeline.paused":    {"paused", "停顿"},
	"timeline.expired":   {"expired", "已过期"},
	"timeline.until":     {"until {time}", "至 {time}"},
	"timeline.lost":      {"lost", "丢失"},
	"timeline.storage":   {"Storage", "存储"},
	"timeline.accepted":  {"accepted {n}", "已接受 {n}"},
	"timeline.rejected":  {"rejected {n}", "已拒绝 {n}"},
	"timeline.read":      {"read {n}", "读到 {n}"},
	"timeline.wrote":     {"wrote {n}", "写入 {n}"},
	"timeline.staged":    {"wrote {n}, uncommitted", "写入 {n}，未提交"},
	"timeline.committed": {"committed {n}", "已提交 {n}"},
	"timeline.nothing":   {"no transaction", "没有事务"},
	"timeline.cause":     {"the cause", "起因"},
	"timeline.leave":     {"Leave", "离开"},
	"timeline.work":      {"Work on", "继续干活"},
}

// timelineControlWords holds the texts of the controls around the timeline.
var timelineControlWords = Words{
	"picture.scale":       {"Time scale", "时间刻度"},
	"picture.steps":       {"Steps", "按步"},
	"picture.steps-title": {"A column for each step, however much time passes", "每一步占一列，不论经过多少时间"},
	"picture.real":        {"Real time", "按时间"},
	"picture.real-title":  {"Width proportional to elapsed time", "宽度与经过的时间成正比"},
	"picture.fit":         {"Fit", "全览"},
	"picture.fit-title":   {"The whole run in view (0)", "显示整个运行（0）"},
	"picture.full":        {"Full screen (F)", "全屏（F）"},
	"picture.out":         {"Zoom out (−)", "缩小（−）"},
	"picture.in":          {"Zoom in (+)", "放大（+）"},
}
