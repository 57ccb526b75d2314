package monitor

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// head returns the comments at the top of the scenario: what it is made of, what was left out, what is a guess.
func (w *writer) head() []lang.Text {
	source := lang.Both("a MONITOR log", " MONITOR 日志")
	if w.Recorded {
		source = lang.Both("a recording", "一份录制")
	}
	if w.from.name.English != "" {
		source = w.from.name
	}
	lanes := len(w.run.World().Clients())
	all := []lang.Text{lang.Format("Imported from %s. Commands: %d; connections: %d, each a lane.", "导入自%s：命令 %d 条，连接 %d 个，每个连接是一条泳道。", source, w.written, lanes)}
	if w.plan != nil && w.plan.pooled > 0 {
		each := lang.Both("each for an owner of the lock", "每条属于锁的一个持有者")
		if w.plan.shared {
			each = lang.Both("each for one owner of the lock at a time", "每条同时只属于锁的一个持有者")
		}
		all[0] = lang.Format("Imported from %s. Commands: %d; lanes: %d, %s. The clients have pools. In the whole log, releases of the lock from another connection than the grant: %d.",
			"导入自%s：命令 %d 条，泳道 %d 条，%s。客户端使用连接池：整个日志里，这把锁有 %d 次释放不是从得到锁的连接发出的。", source, w.written, lanes, each, w.plan.pooled)
	}
	add := func(when bool, english, chinese string, arguments ...any) {
		if when {
			all = append(all, lang.Format(english, chinese, arguments...))
		}
	}
	add(!w.Recorded, "MONITOR shows no replies and begins in the middle. The replies here are computed again, from an empty Redis.",
		"MONITOR 不显示回复，而且是从中途开始的。这里的回复是从空的 Redis 开始重新算出来的。")
	add(w.Recorded && w.differ == 0, "The replies are computed again, from an empty Redis. They are the recorded ones.", "回复是从空的 Redis 开始重新算出来的，与录制的一致。")
	add(w.differ > 0, "The replies are computed again, from an empty Redis. Those that differ from the recorded ones: %d, the first at line %d of the log. Possible reasons: %s.",
		"回复是从空的 Redis 开始重新算出来的，其中 %d 个与录制的不同，最早的在日志第 %d 行。可能的原因：%s。", w.differ, w.firstDiff, w.reasons())
	add(w.marked, "enter and leave are markers of the clients: PUBLISH lockstep enter, PUBLISH lockstep leave.", "enter 和 leave 是客户端自己发出的标记：PUBLISH lockstep enter、PUBLISH lockstep leave。")
	add(!w.marked && w.lock != "" && !w.planned, "The lock is taken to be %s. enter and leave are guesses, from the NX that was granted to the release: the log has no markers (PUBLISH lockstep enter).",
		"推测锁是 %s。enter 和 leave 也是推测：从 NX 成功到释放为止，因为日志里没有标记（PUBLISH lockstep enter）。", quoted(w.lock))
	add(!w.marked && w.lock == "", "Nobody asks for a lock with NX, and the log has no markers (PUBLISH lockstep enter): nobody is ever inside.",
		"没有客户端用 NX 获取锁，日志里也没有标记（PUBLISH lockstep enter）：所以没有谁在临界区内。")
	add(w.planned, "The lock is %s. enter and leave are guesses, from the grant to the release: the log has no markers (PUBLISH lockstep enter).",
		"锁是 %s。enter 和 leave 是推测：从得到锁到释放为止，因为日志里没有标记（PUBLISH lockstep enter）。", quoted(w.lock))
	all = append(all, w.whereabouts()...)
	add(w.unsure > 0, "Left out: requests at the very end of a lease, which the run would grant and Redis did not (%d).", "略去：租约即将到期时的 %d 次请求，运行会给它锁，而 Redis 没有给。", w.unsure)
	add(w.loose > 0, "Left out: markers that fit nowhere, because their client is inside already or is not inside (%d).", "略去：无处可用的 %d 个标记，因为客户端已经在临界区内，或者不在。", w.loose)
	all = append(all, w.left()...)
	add(w.refused > 0, "Left out: commands that the run refuses (%d), the first because %s. --key keeps only the commands on the keys that you name.",
		"略去：运行不接受的 %d 条命令，第一条的原因是：%s。用 --key 可以只保留某些键上的命令。", w.refused, w.why)
	add(w.jumps > 0, "The clock of the log goes back (%d), first at line %d: no time passes there.", "日志的时钟倒退了 %d 次，最早在第 %d 行：那里不推进时间。", w.jumps, w.back)
	add(w.gaps > 0, "Gaps of more than a day are cut to a day (%d), the first before line %d.", "有 %d 处间隔超过一天，都截为一天，最早在第 %d 行之前。", w.gaps, w.gap)
	cut := cmp.Or(w.full, w.Cut)
	add(cut > 0, "A run can hold no more: the log is cut before line %d. --key keeps only the commands on the keys that you name.", "运行容纳不下更多：日志在第 %d 行之前截断。用 --key 可以只保留某些键上的命令。", cut)
	return all
}

// reasons says why a reply may differ from the recorded one: first what import has done.
func (w *writer) reasons() lang.Text {
	out := w.Calls - w.Stand + w.Further + w.Long + w.Unknown + w.refused
	for _, n := range w.Refused {
		out += n
	}
	english, chinese := []string{}, []string{}
	add := func(n int, reason lang.Text) {
		if n > 0 {
			english, chinese = append(english, reason.English), append(chinese, reason.Chinese)
		}
	}
	add(out, lang.Format("import left out commands (%d, see below)", "导入时略去了 %d 条命令（见下文）", out))
	add(w.Stand, lang.Format("import wrote commands in place of scripts (%d)", "导入时用命令代替了脚本（%d 次）", w.Stand))
	add(1, lang.Both("the recording began in the middle, or lacks a command", "录制是从中途开始的，或者缺少某条命令"))
	return lang.Both(strings.Join(english, "; "), strings.Join(chinese, "；"))
}

// left says what Read has left out.
func (l *Log) left() []lang.Text {
	var all []lang.Text
	add := func(n int, english, chinese string, arguments ...any) {
		if n > 0 {
			all = append(all, lang.Format(english, chinese, append([]any{n}, arguments...)...))
		}
	}
	refused := 0
	names := slices.SortedFunc(maps.Keys(l.Refused), func(a, b string) int { return cmp.Or(l.Refused[b]-l.Refused[a], strings.Compare(a, b)) })
	for i, name := range names {
		refused += l.Refused[name]
		names[i] = fmt.Sprintf("%s %d", name, l.Refused[name])
	}
	add(refused, "Left out: commands that a scenario cannot have (%d): %s.", "略去：场景里不能有的 %d 条命令：%s。", strings.Join(names, ", "))
	add(l.Stand, "Scripts that are not here, with a command in their place (%d): the command does what the script did, as far as its text and its reply tell.",
		"这里没有的脚本，改用命令代替的有 %d 次：按脚本文本和回复所能看出的，命令做了同样的事。")
	add(l.Calls-l.Stand, "Left out: scripts that are not here (%d). A comment shows those on a key of this scenario.", "略去：这里没有的 %d 次脚本调用。涉及本场景中的键的，有注释说明。")
	add(l.Alike, "Scripts that are one of those that Lockstep knows, but for their spelling (%d): that one stands in their place, and does the same.", "与 Lockstep 已知的脚本只有写法不同的调用有 %d 次：用已知的脚本代替，作用相同。")
	add(l.Further, "Left out: commands of further connections (%d). A run has at most %d lanes.", "略去：其余连接的 %d 条命令。一次运行至多有 %d 条泳道。", engine.MaxClients)
	add(l.OtherDatabases, "Left out: commands of other databases (%d).", "略去：其他数据库的 %d 条命令。")
	add(l.OtherKeys, "Left out: commands on other keys (%d).", "略去：其他键上的 %d 条命令。")
	add(l.Elsewhere, "Left out: commands on other keys, and those of nobody in a lane (%d). The report has read them.", "略去：其他键上的命令，以及不属于这些泳道的命令（%d 条）。报告已经读过它们。")
	add(l.Odd.Count, "Left out: lines that are no command (%d): line %s.", "略去：不是命令的 %d 行：第 %s 行。", l.Odd.numbers())
	add(l.Glued.Count, "Two commands on one line, read as two (%d): line %s.", "一行里有两条命令，按两条读入（%d 处）：第 %s 行。", l.Glued.numbers())
	add(l.Long, "Left out: lines that are too long (%d). A line has at most %d KB.", "略去：超过 %[2]d KB 的 %[1]d 行。", MaxLine>>10)
	add(l.Unknown, "Left out: commands without a reply (%d). Nobody knows whether Redis executed them.", "略去：没有回复的 %d 条命令。Redis 有没有执行它们，无从知道。")
	if l.Partial {
		all = append(all, lang.Both("The last line of the log is not complete, and left out.", "日志的最后一行不完整，已略去。"))
	}
	if l.Renamed && !l.redacted {
		all = append(all, lang.Both("Arguments that are binary or very long have names: binary1, binary2 …", "二进制的和很长的参数改用名字：binary1、binary2……"))
	}
	return all
}

// header says when the run begins on the log's clock, and who stands in the lanes. A log whose clock jumps has no such beginning:
// later times would be told wrong.
func (w *writer) header() (h engine.Header) {
	if began := engine.Wall(w.began / 1e6); began > 0 && w.steady() {
		h.Began = began
	}
	for _, p := range w.people {
		if w.run.World().Client(p.lane) != nil {
			h.Labels = append(h.Labels, engine.Label{Client: p.lane, Text: engine.LabelOf(p.address + " " + p.name)})
		}
	}
	return h
}

// steady reports whether the time of the run and the log's pass alike.
func (w *writer) steady() bool { return w.base/1e6 == w.began/1e6 }

// whereabouts say which lines the scenario has, and which tokens the clients of the lanes had.
func (w *writer) whereabouts() []lang.Text {
	var all []lang.Text
	if !w.steady() {
		all = append(all, lang.Format("The run begins at second 1000, which is %s on the log's clock.", "运行从第 1000 秒开始，即日志时钟的 %s。", clock(w.Entries[0].Time)))
	}
	if w.plan == nil {
		return all
	}
	if first := w.Entries[0].Line; first > 1 && w.plan.before == 0 {
		all = append(all, lang.Format("The scenario begins at line %d of the log.", "场景从日志第 %d 行开始。", first))
	} else if w.plan.before > 0 {
		all = append(all, lang.Format("The scenario begins at line %d of the log, with the grant of line %d before it.", "场景从日志第 %d 行开始，在此之前还有第 %d 行得到锁的命令。", w.plan.from, w.plan.before))
	}
	if w.plan.doubt > 0 {
		all = append(all, lang.Format("The scenario ends before line %d: the log does not tell who held the lock there.", "场景在日志第 %d 行之前结束：日志看不出那里谁持有锁。", w.plan.doubt))
	}
	for _, p := range w.people {
		if w.run.World().Client(p.lane) != nil && len(p.tokens) > 0 {
			all = append(all, p.sentence())
		}
	}
	return all
}

// mostTokens is how many tokens of a lane the head tells.
const mostTokens = 3

// redacted returns somebody with names.
func (p person) redacted(values, hosts *Redactor, of *plan) person {
	addresses := strings.Split(p.address, addressesApart)
	for i := range addresses {
		addresses[i], _ = hosts.person(addresses[i], "")
	}
	_, p.name = hosts.person("", p.name)
	p.address, p.tokens = strings.Join(addresses, addressesApart), slices.Clone(p.tokens)
	for i := range p.tokens {
		p.tokens[i] = values.argument("value", p.tokens[i], of.at)
	}
	return p
}

// addressesApart stands between the addresses of a lane.
const addressesApart = ", "

// sentence says with which tokens the client of a lane was granted the lock.
func (p *person) sentence() lang.Text {
	shown := slices.Clone(p.tokens[:min(len(p.tokens), mostTokens)])
	for i := range shown {
		shown[i] = quoted(shown[i])
	}
	tokens := strings.Join(shown, ", ")
	if more := len(p.tokens) - mostTokens; more > 0 {
		return lang.Format("%s was granted the lock with the tokens %s, and %d more.", "%s 得到锁时的令牌有 %s 等，另有 %d 个。", p.lane, tokens, more)
	}
	return lang.Format("%s was granted the lock with %s.", "%s 得到锁时的令牌是 %s。", p.lane, tokens)
}

// head returns the comments at the top.
func (p *nodesWriter) head() []lang.Text {
	all := []lang.Text{lang.Format("Imported from the logs of %d nodes. Each lane is a token, which its label tells after the address.", "导入自 %d 个节点的日志。每个令牌一条泳道，标签里先写地址，再写令牌。", len(p.Logs))}
	for n, log := range p.Logs {
		t := lang.Format("redis%d is node %s.", "redis%d 是节点 %s。", n+1, log.Name)
		if ahead := p.detector.Ahead(n); ahead != 0 {
			t = joined(t, lang.Format("Its clock is taken to be %s ahead of that of node %s.", "它的时钟按比节点 %[2]s 快 %[1]s 计。", lasting(ahead), p.Logs[0].Name))
			if ahead < 0 {
				t = lang.Format("redis%d is node %s. Its clock is taken to be %s behind that of node %s.", "redis%d 是节点 %s。它的时钟按比节点 %[4]s 慢 %[3]s 计。", n+1, log.Name, lasting(-ahead), p.Logs[0].Name)
			}
		}
		all = append(all, t)
	}
	all = append(all, lang.Format("The lock is %s. enter and leave are guesses: from the grant that makes a majority until the first release.", "锁是 %s。enter 和 leave 是推测：从得到多数到第一次释放为止。", quoted(p.named())),
		lang.Both("The replies are computed again, from empty nodes. A request stands as SET with NX, a release by a script as compare-and-delete, and a renewal as PEXPIRE, as far as they succeeded.", "回复是从空的节点开始重新算出来的。请求写成带 NX 的 SET，脚本的释放写成 compare-and-delete，成功的续期写成 PEXPIRE。"))
	if p.unlike > 0 {
		all = append(all, lang.Format("Left out: requests of which no log shows that they were granted, where the run would grant them (%d): they met what is from before the scenario.", "略去：日志看不出得到了锁、而运行会给它锁的 %d 次请求：它们遇到的是场景之前留下的键。", p.unlike))
	}
	if p.left > 0 {
		all = append(all, lang.Format("Left out: commands of further lanes, and those that the run refuses (%d). A run has at most %d lanes.", "略去：其余泳道的命令，以及运行不接受的命令（%d 条）。一次运行至多有 %d 条泳道。", p.left, engine.MaxClients))
	}
	if p.full || len(p.steps) >= mostSteps {
		all = append(all, lang.Format("A scenario of several nodes has at most %d commands: the rest is left out.", "多个节点的场景至多有 %d 条命令，其余略去。", mostSteps))
	}
	return all
}
