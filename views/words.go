package views

import (
	"fmt"
	"strings"
)

// A Language is one that every page is written in, by its BCP 47 tag.
type Language string

// The languages.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// Say gives the text of a key, with its arguments filled in.
func (l Language) Say(key string, arguments ...any) string {
	w, ok := words[key]
	if !ok {
		return key // a test keeps this from happening
	}
	pattern := w.english
	if l == Chinese {
		pattern = w.chinese
	}
	if len(arguments) == 0 {
		return pattern
	}
	return fmt.Sprintf(pattern, arguments...)
}

// TimelineWords are the texts that the timeline draws, by the keys that it
// names at the top of static/js/timeline/timeline.js; those with a dot are nested.
func (l Language) TimelineWords() map[string]any {
	said := map[string]any{}
	for key := range words {
		name, ok := strings.CutPrefix(key, "timeline.")
		if !ok {
			continue
		}
		if group, inner, nested := strings.Cut(name, "."); nested {
			if said[group] == nil {
				said[group] = map[string]any{}
			}
			said[group].(map[string]any)[inner] = l.Say(key)
			continue
		}
		said[name] = l.Say(key)
	}
	return said
}

type word struct{ english, chinese string }

// words is the catalogue. An argument stands where the sentence wants it; %[2]s
// takes it out of turn. Commands, keys and names are not translated.
var words = map[string]word{
	// The frame of the page
	"title":          {"Lockstep: break the Redis lock", "Lockstep：把 Redis 锁弄坏"},
	"skip":           {"Skip to the timeline", "跳到时间线"},
	"other-language": {"中文", "English"},
	"connection":     {"Connection lost. Trying again…", "连接已断开，正在重试…"},
	"forgotten":      {"While you were away this run was taken back, or the server has begun anew.", "你离线期间，这次运行被撤销过，或者服务器已重新启动。"},
	"back":           {"Go on", "继续"},
	"download-text":  {"Scenario", "场景文本"},
	"download-trace": {"Events as NDJSON", "事件 (NDJSON)"},

	// Spawning
	"program":         {"Program", "程序"},
	"spawn":           {"Spawn %s", "启动 %s"},
	"spawn-two":       {"Spawn two clients", "启动两个客户端"},
	"nobody":          {"Nobody wants the lock yet.", "还没有人想要这把锁。"},
	"options":         {"Options", "选项"},
	"option.timeout":  {"Lock timeout", "锁的有效时间"},
	"option.retry":    {"Retry after", "重试间隔"},
	"option.skew":     {"Clock skew", "时钟偏差"},
	"option.blocking": {"When it fails", "获取失败时"},
	"blocking.unset":  {"as the program says", "按程序的设定"},
	"blocking.true":   {"try again", "重试"},
	"blocking.false":  {"give up", "放弃"},

	// A program of the reader's own
	"own":        {"Write a program", "自己写一个程序"},
	"own.name":   {"Name", "名称"},
	"own.source": {"Source", "源代码"},
	"own.add":    {"Add program", "添加程序"},
	"at-line":    {"Line %d, column %d: %s", "第 %d 行第 %d 列：%s"},

	// The program's text
	"source": {"Source of %s", "%s 的源代码"},

	// The picture and its twin
	"events":         {"Events", "事件"},
	"column.number":  {"No.", "序号"},
	"column.time":    {"Time", "时间"},
	"column.lane":    {"Lane", "泳道"},
	"column.what":    {"What happened", "发生了什么"},
	"caption.begin":  {"Spawn a client, then decide whose command Redis serves next.", "先启动一个客户端，再决定 Redis 接下来处理谁的命令。"},
	"without-script": {"Without JavaScript there is no picture; the list of events below says the same.", "没有 JavaScript 就没有图；下面的事件列表内容相同。"},

	// Redis
	"redis":        {"Redis", "Redis"},
	"redis.down":   {"down", "已宕机"},
	"keys.none":    {"No keys.", "没有键。"},
	"key.written":  {"written by %s at #%d", "由 %s 在 #%d 写入"},
	"key.expires":  {"expires at %s", "%s 过期"},
	"key.forever":  {"no TTL", "没有生存时间 (TTL)"},
	"now":          {"now %s", "现在 %s"},
	"clients":      {"Clients", "客户端"},
	"clients.none": {"No clients.", "没有客户端。"},

	// A client
	"status.waits":     {"waits", "等待中"},
	"status.asleep":    {"asleep", "休眠中"},
	"status.inside":    {"inside", "临界区内"},
	"status.releasing": {"releasing", "释放中"},
	"status.done":      {"done", "已结束"},
	"status.crashed":   {"crashed", "已崩溃"},
	"status.failed":    {"failed", "已出错"},
	"status.paused":    {"paused", "停顿"},
	"believes":         {"believes until %s", "自认为持有到 %s"},
	"believes.always":  {"believes until it gives the lock back", "自认为持有，直到自己释放"},
	"believes.over":    {"its lease ended at %s, by its own clock", "按它自己的时钟，租约已在 %s 到期"},
	"wakes":            {"wakes at %s", "%s 醒来"},
	"clock":            {"own clock %s", "自己的时钟 %s"},
	"clock.ahead":      {"own clock %s (%s ahead)", "自己的时钟 %s（快 %s）"},
	"clock.behind":     {"own clock %s (%s behind)", "自己的时钟 %s（慢 %s）"},
	"flight.request":   {"on its way to Redis:", "正在发往 Redis："},
	"flight.reply":     {"reply on its way, to:", "回复在途，对应："},
	"flight.orphan":    {"still on its way from before the crash:", "崩溃前发出、仍在途中："},
	"violating":        {"part of a violation", "涉及一次违规"},

	// Actions
	"step":            {"Step", "执行一步"},
	"leave":           {"Leave", "离开"},
	"deliver":         {"Deliver", "送达请求"},
	"receive":         {"Receive", "收到回复"},
	"drop":            {"Drop", "丢失"},
	"crash":           {"Crash", "崩溃"},
	"restart":         {"Restart", "重启"},
	"pause":           {"Pause", "停顿"},
	"resume":          {"Resume", "继续"},
	"slower":          {"Clock −1 s", "本机时钟 −1 s"},
	"faster":          {"Clock +1 s", "本机时钟 +1 s"},
	"more":            {"More", "更多"},
	"run":             {"This run", "这次运行"},
	"undo":            {"Undo", "撤销"},
	"reset":           {"Reset", "重来"},
	"tick":            {"Tick +%s s", "时间 +%s s"},
	"tick.long":       {"Let %s s pass", "让时间过去 %s 秒"},
	"faults":          {"Redis faults", "Redis 故障"},
	"crash-keep":      {"Crash %s, keep its data", "%s 宕机，数据保留"},
	"crash-lose":      {"Crash %s, lose its data", "%s 宕机，数据丢失"},
	"redis-restart":   {"Restart %s", "重启 %s"},
	"nothing-to-undo": {"Nothing has been done yet.", "还没有做过任何事。"},

	// What cannot be done
	"stale":             {"The run has moved on to action %d; nothing was done.", "这次运行已进行到第 %d 个动作；什么也没有做。"},
	"error.malformed":   {"The message is not valid JSON of the protocol; nothing was done.", "消息不是协议规定的有效 JSON；什么也没有做。"},
	"error.type":        {"There is no message of type %q; nothing was done.", "没有 %q 这种类型的消息；什么也没有做。"},
	"error.binary":      {"The message is binary; only text is read. Nothing was done.", "消息是二进制的，只接受文本；什么也没有做。"},
	"error.large":       {"The message has more than %d KB; nothing was done.", "消息超过 %d KB；什么也没有做。"},
	"error.full":        {"Every place for a run is taken and watched. Try again later.", "所有运行的位置都已被占用。请稍后再试。"},
	"error.crowded":     {"Too many viewers watch this run already.", "观看这次运行的人已经太多。"},
	"error.foreign":     {"The request comes from another site; nothing was done.", "请求来自其他网站；什么也没有做。"},
	"error.none":        {"There is no such page.", "没有这个页面。"},
	"error.form":        {"The form cannot be read, or is too large; nothing was done.", "表单无法读取或过大；什么也没有做。"},
	"error.empty":       {"Expected an action, such as step C1.", "缺少动作，例如 step C1。"},
	"error.expectation": {"Expected an action; a header, a comment or an expectation belongs in a scenario.", "应为动作；程序行、注释和 expect 只用在场景文本里。"},

	// The timeline, by the names that it asks for
	"timeline.timeline":                {"Timeline", "时间线"},
	"timeline.waits":                   {"waits", "等待中"},
	"timeline.asleep":                  {"asleep", "休眠中"},
	"timeline.inside":                  {"inside", "临界区内"},
	"timeline.releasing":               {"releasing", "释放中"},
	"timeline.done":                    {"done", "已结束"},
	"timeline.crashed":                 {"crashed", "已崩溃"},
	"timeline.failed":                  {"failed", "已出错"},
	"timeline.paused":                  {"paused", "停顿"},
	"timeline.expired":                 {"expired", "已过期"},
	"timeline.until":                   {"until {time}", "至 {time}"},
	"timeline.lost":                    {"lost", "丢失"},
	"timeline.holders":                 {"{n} holders: {clients}", "{n} 个持有者：{clients}"},
	"timeline.cause":                   {"the cause", "起因"},
	"timeline.property.overlap":        {"{n} inside: {clients}", "{n} 个在临界区内：{clients}"},
	"timeline.property.foreign-delete": {"{a} deleted {b}’s lock", "{a} 删除了 {b} 的锁"},
	"timeline.property.lease-drift":    {"lease drift: {clients}", "租约漂移：{clients}"},
	"timeline.property.stuck":          {"stuck: {clients}", "死锁：{clients}"},
	"timeline.property.stale-write":    {"stale write: {clients}", "过时的写入：{clients}"},
}
