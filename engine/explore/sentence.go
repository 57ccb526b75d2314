package explore

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
)

// Sentence tells the result of a search with its bounds: a verdict without them
// would claim too much. ended says why a search did not finish, in the same
// language; empty: in the words of the verdict. A sentence of its own says
// where like clients count once.
func (q Question) Sentence(a *Answer, ended string, in lang.Language) string {
	told := q.sentence(a, ended, in)
	if q.Symmetry && q.Clients > 1 {
		told += lang.Both(" States that differ only in the names of clients count once.", "只有客户端名字不同的状态只算一次。").In(in)
	}
	return told
}

func (q Question) sentence(a *Answer, ended string, in lang.Language) string {
	say := func(english, chinese string, arguments ...any) string {
		return lang.Format(english, chinese, arguments...).In(in)
	}
	if ended == "" {
		ended = a.Ended(in)
	}
	who, within := q.who(in), q.Bounds(in)
	seen := say("%s states, %s transitions", "%s 个状态、%s 次转移", Count(a.States), Count(a.Transitions))
	property, _ := check.Named(q.Property)
	chinese := property.InChinese()
	switch {
	case len(a.Counterexamples) > 0:
		return say("%[1]s is violated. The shortest way takes %[2]s actions. Bounds: %[3]s, %[4]s. Searched: %[5]s.",
			"%[6]s：最短 %[2]s 个动作。范围：%[3]s，%[4]s。共搜索 %[5]s。", q.Property, Count(int64(a.Counterexamples[0].Length)), who, within, seen, chinese.Violated)
	case a.Unshown:
		return say("%[1]s is violated, but no way to it was found: %[4]s first. Bounds: %[2]s, %[3]s. Searched: %[5]s.",
			"%[6]s，但%[4]s时，还没有找出具体的步骤。范围：%[2]s，%[3]s。共搜索 %[5]s。", q.Property, who, within, ended, seen, chinese.Violated)
	case a.Verdict == Holds && q.Property == "":
		return say("Everything within the bounds was counted: %[3]s. Bounds: %[1]s, %[2]s.", "所有可能的情况都数完了：%[3]s。范围：%[1]s，%[2]s。", who, within, seen)
	case a.Verdict == Holds:
		return say("%[1]s holds: nothing within the bounds violates it. Bounds: %[2]s, %[3]s. Searched: %[4]s.",
			"%[5]s：在此范围内，无论怎么做都不会违反。范围：%[2]s，%[3]s。共搜索 %[4]s。", q.Property, who, within, seen, chinese.Holds)
	case q.Property == "":
		return say("Not everything was counted: %[1]s after %[4]s, %[5]d actions deep. Bounds: %[2]s, %[3]s.",
			"没有数完：%[1]s，看过 %[4]s，深 %[5]d 个动作，而此范围内还有别的状态。范围：%[2]s，%[3]s。", ended, who, within, seen, a.Depth)
	}
	return say("Not decided: %[1]s after %[5]s, %[6]d actions deep. None of these states violates %[2]s, and there are others within the bounds. Bounds: %[3]s, %[4]s.",
		"尚无定论：%[1]s，看过 %[5]s，深 %[6]d 个动作。其中没有违反“%[7]s”的状态，但此范围内还有别的状态。范围：%[3]s，%[4]s。", ended, q.Property, who, within, seen, a.Depth, chinese.Name)
}

// Ended says why a search did not finish.
func (a *Answer) Ended(in lang.Language) string {
	say := func(english, chinese string) string { return lang.Both(english, chinese).In(in) }
	switch {
	case a.Verdict == Stopped:
		return say("it was stopped", "已被停止")
	case a.Bound == OfStates:
		return say("the budget ran out (states)", "预算已用完（状态数）")
	case a.Bound == OfMemory:
		return say("the budget ran out (memory)", "预算已用完（内存）")
	case a.Bound == OfWork:
		return say("the budget ran out (work)", "预算已用完（计算量）")
	case a.Bound == OfAction:
		return say("one action took too much work", "有一个动作的计算量过大")
	case a.Bound == OfRecording:
		return say("the recording does not say what happens next", "录制内容没有说明接下来会发生什么")
	case a.Bound == OfComponents:
		return say("the numbers for different clients, values and replies ran out", "不同的客户端、值和回复太多，编号已用完")
	}
	return say("the budget ran out", "预算已用完")
}

// who names the clients: 3 clients of del-setnx.
func (q Question) who(in lang.Language) string {
	clients := counted(q.Clients, "client", "个客户端")
	switch {
	case q.From != nil:
		return lang.Both("the run", "这次运行").In(in)
	case q.Nodes > 1:
		return lang.Format("%[1]s of %[2]s on %[3]d Redis nodes", "运行 %[2]s 的 %[1]s（%[3]d 个 Redis 节点）", clients, q.Program.Name, q.Nodes).In(in)
	}
	return lang.Format("%[1]s of %[2]s", "运行 %[2]s 的 %[1]s", clients, q.Program.Name).In(in)
}

// Bounds tells the bounds of a search in words.
func (q Question) Bounds(in lang.Language) string {
	q = q.withDefaults()
	var parts []string
	say := func(english, chinese string, arguments ...any) {
		parts = append(parts, lang.Format(english, chinese, arguments...).In(in))
	}
	if q.From != nil {
		say("%s", "%s", counted(len(q.participants()), "client", "个客户端"))
	}
	if q.Ticks == 0 {
		say("no tick of the clock", "时钟不走")
	} else {
		say("%s of %s", "时钟推进 %s（每次 %s）", counted(q.Ticks, "tick", "次"), q.lengths())
	}
	if q.InTime {
		say("no lease that expires while its client is inside", "临界区内的客户端租约不会到期")
	}
	if q.Timeout > 0 {
		say("leases of %s", "租约 %s", seconds(q.Timeout))
	}
	if q.Retry != q.Tick && q.From == nil {
		say("a retry after %s", "重试间隔 %s", seconds(q.Retry))
	}
	if q.Within > 0 {
		say("waits of %s", "等锁至多 %s", seconds(q.Within))
	}
	if q.Crashes == 0 {
		say("no crash", "没有崩溃")
	} else {
		say("at most %s", "最多崩溃 %s", counted(q.Crashes, "crash", "次"))
	}
	switch {
	case q.Delays == Any:
		say("requests delayed without limit", "请求延迟不限")
	case q.Delays == 0:
		say("no request delayed across a tick", "时钟走动时没有请求在途")
		if q.leaves() {
			say("no tick while a client inside could leave", "能离开临界区的客户端离开之前时钟不走")
		}
	case q.leaves():
		say("a delay of at most %s for requests and for clients that could leave", "请求在途或有客户端能离开临界区期间时钟最多推进 %s", counted(q.Delays, "tick", "次"))
	default:
		say("requests delayed by at most %s", "请求最多延迟到时钟推进 %s", counted(q.Delays, "tick", "次"))
	}
	if q.Replies {
		say("replies that also take time", "回复在途中也要时间")
	}
	if q.Losses > 0 {
		say("at most %s", "最多丢失 %s", counted(q.Losses, "lost message", "条消息"))
	}
	for _, name := range clientNames(q.Clients) {
		switch skew := q.Skew[name]; {
		case skew > 0:
			say("%s's clock %s ahead", "%s 的时钟快 %s", name, seconds(skew))
		case skew < 0:
			say("%s's clock %s behind", "%s 的时钟慢 %s", name, seconds(-skew))
		}
	}
	if q.Nodes > 1 || q.NodeCrashes > 0 {
		crashes := counted(q.NodeCrashes, "crash", "次")
		switch {
		case q.NodeCrashes == 0:
			say("no crash of a node", "节点不宕机")
		case q.Lose:
			say("at most %s of a node that loses its data", "节点最多宕机 %s（丢失数据）", crashes)
		default:
			say("at most %s of a node that keeps its data", "节点最多宕机 %s（保留数据）", crashes)
		}
		if q.NodeCrashes > 0 && q.RestartDelay > 0 {
			say("a node back no sooner than after %s", "节点至少在时钟推进 %s之后才恢复", counted(q.RestartDelay, "tick", "次"))
		}
	}
	if q.Failovers > 0 {
		say("at most %s to a replica that lags", "最多故障转移 %s（副本落后）", counted(q.Failovers, "failover", "次"))
	}
	if in == lang.Chinese {
		return strings.Join(parts, "、")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// lengths names the lengths that a tick may have: 1, 10 or 12 s.
func (q Question) lengths() lang.Text {
	if len(q.Lengths) == 0 {
		return seconds(q.Tick)
	}
	last := len(q.Lengths) - 1
	if last == 0 {
		return seconds(q.Lengths[0])
	}
	var before []string
	for _, l := range q.Lengths[:last] {
		before = append(before, l.String())
	}
	return lang.Format("%s or %s", "%s 或 %s", lang.Both(strings.Join(before, ", "), strings.Join(before, "、")), seconds(q.Lengths[last]))
}

// counted returns a number with its noun.
func counted(n int, noun, chinese string) lang.Text {
	switch {
	case n == 1:
	case noun == "crash":
		noun = "crashes"
	default:
		noun += "s"
	}
	return lang.Format("%[1]d %[2]s", "%[1]d %[3]s", n, noun, chinese)
}

// seconds formats a length of time for a sentence: 1.5 s.
func seconds(t engine.Time) lang.Text { return lang.Format("%s s", "%s 秒", t) }

// Count formats a number with separators: 1,234,567.
func Count(n int64) string {
	digits := []byte(strconv.FormatInt(n, 10))
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = slices.Insert(digits, i, ',')
	}
	return string(digits)
}
