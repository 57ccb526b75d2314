package explore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
)

// Sentence says what a search found, with its bounds: a verdict without them
// would claim too much.
func (q Question) Sentence(a *Answer, in engine.Language) string {
	property := q.Property
	figures := engine.Refuse("%s states, %s transitions", "%s 个状态，%s 次转移", count(a.States), count(a.Transitions))
	if property == "" {
		property = engine.Refuse("nothing asked", "未指定性质").Sentence(in)
	}
	english, chinese := "", ""
	switch a.Verdict {
	case Holds:
		english, chinese = "%[1]s holds within these bounds: %[2]s. Every one of %[3]s was looked at", "在这些范围内，%[1]s 成立：%[2]s。已检查全部 %[3]s"
		if q.Property == "" {
			english, chinese = "These bounds are searched to their end: %[2]s. There are %[3]s", "这些范围已全部搜索：%[2]s。共有 %[3]s"
		}
	case Violated:
		english = fmt.Sprintf("%%[1]s is violated, at the earliest after %d actions: %%[2]s. Looked at: %%[3]s", a.Counterexamples[0].Length)
		chinese = fmt.Sprintf("%%[1]s 被违反，最短只需 %d 个动作：%%[2]s。已检查 %%[3]s", a.Counterexamples[0].Length)
	case Spent:
		english, chinese = "Not decided: the budget ran out. So far none was found that violates %[1]s: %[2]s. Looked at: %[3]s", "尚无定论：预算已用完。目前没有发现违反 %[1]s 的情况：%[2]s。已检查 %[3]s"
	case Stopped:
		english, chinese = "Not decided: the search was stopped. So far none was found that violates %[1]s: %[2]s. Looked at: %[3]s", "尚无定论：搜索已停止。目前没有发现违反 %[1]s 的情况：%[2]s。已检查 %[3]s"
	}
	end := "."
	if in == engine.Chinese {
		english, end = chinese, "。"
	}
	return fmt.Sprintf(english, property, q.Bounds(in), figures.Sentence(in)) + end
}

// Bounds says in words how far a search goes.
func (q Question) Bounds(in engine.Language) string {
	q = q.decided()
	var parts []string
	say := func(english, chinese string, arguments ...any) {
		parts = append(parts, engine.Refuse(english, chinese, arguments...).Sentence(in))
	}
	clients := len(q.participants())
	say(plural(clients, "client"), "%d 个客户端", clients)
	say(plural(q.Ticks, "tick")+" of %s", "%d 次 %s 的时钟滴答", q.Ticks, seconds(q.Tick))
	if q.Timeout > 0 {
		say("a lock timeout of %s", "锁的有效时间 %s", seconds(q.Timeout))
	}
	if q.Retry != q.Tick {
		say("a retry after %s", "重试间隔 %s", seconds(q.Retry))
	}
	if q.Crashes == 0 {
		say("no crash", "无崩溃")
	} else {
		say("at most "+plural(q.Crashes, "crash"), "至多 %d 次崩溃", q.Crashes)
	}
	switch q.Delays {
	case Any:
		say("any delay of messages", "消息可任意延迟")
	case 0:
		say("no message delayed across a tick", "消息的延迟不跨越时钟滴答")
	default:
		say("messages delayed across at most "+plural(q.Delays, "tick"), "消息的延迟至多跨越 %d 次时钟滴答", q.Delays)
	}
	if q.Replies {
		say("replies delayed too", "回复也会延迟")
	}
	for _, name := range clientNames(q.Clients) {
		if skew := q.Skew[name]; skew != 0 {
			say("%s's clock off by %s", "%s 的时钟偏差 %s", name, seconds(skew))
		}
	}
	if q.Nodes > 1 {
		say("%d Redis nodes", "%d 个 Redis 节点", q.Nodes)
	}
	if q.NodeCrashes > 0 {
		what, zh := " of a Redis node that keeps its data", "%d 次 Redis 节点崩溃（保留数据）"
		if q.Lose {
			what, zh = " of a Redis node that loses its data", "%d 次 Redis 节点崩溃（丢失数据）"
		}
		say("at most "+plural(q.NodeCrashes, "crash")+what, "至多 "+zh, q.NodeCrashes)
		if q.RestartDelay > 0 {
			say("which is back after "+plural(q.RestartDelay, "tick")+" at the earliest", "最早 %d 次时钟滴答后恢复", q.RestartDelay)
		}
	}
	if q.Symmetry {
		say("clients that differ only in their names counted once", "仅名字不同的客户端只算一次")
	}
	if in == engine.Chinese {
		return strings.Join(parts, "，")
	}
	return strings.Join(parts, ", ")
}

// seconds writes a length of time for a sentence: 1.5 s.
func seconds(t engine.Time) string { return t.String() + " s" }

func plural(n int, noun string) string {
	switch {
	case n == 1:
		return "%d " + noun
	case strings.HasSuffix(noun, "sh"):
		return "%d " + noun + "es"
	}
	return "%d " + noun + "s"
}

// count writes a number with its thousands apart.
func count(n int64) string {
	digits := []byte(strconv.FormatInt(n, 10))
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = slices.Insert(digits, i, ',')
	}
	return string(digits)
}
