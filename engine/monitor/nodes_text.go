package monitor

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
)

func init() { names[detect.Gone] = lang.Both("key gone", "键提前消失") }

// party names somebody by the token, and by the address.
func party(m *detect.Majority) lang.Text { return who(&m.Holder) }

// on lists the nodes that granted somebody a lock, with the lines.
func (a *NodesAccount) on(m *detect.Majority) lang.Text {
	english, chinese := make([]string, len(m.Votes)), make([]string, len(m.Votes))
	for i, v := range m.Votes {
		t := lang.Format("%s (line %d)", "%s（第 %d 行）", a.Logs[v.Node].Name, v.Line)
		english[i], chinese[i] = t.English, t.Chinese
	}
	return lang.Both(strings.Join(english, ", "), strings.Join(chinese, "、"))
}

// Sentences say what a finding is, and which lines of which nodes show it.
func (a *NodesAccount) Sentences(f *detect.MajorityFinding) []lang.Text {
	var all []lang.Text
	add := func(english, chinese string, arguments ...any) {
		all = append(all, lang.Format(english, chinese, arguments...))
	}
	node, key, nodes := a.Logs[f.Node].Name, quoted(f.Key), len(a.Logs)
	switch f.Kind {
	case detect.Overlap:
		switch {
		case f.Expired:
			add("%s and %s both had a majority of the %d nodes for %s. The first had renewed its lease, and so worked; then the lease ran out, and it went on.", "%s 和 %s 都得到了 %d 个节点中的多数，持续 %s。前者续过期，可见它在工作；后来租约到期，它却还在继续。", party(&f.First), party(&f.Second), nodes, lasting(f.To-f.From))
		case f.Ordered:
			add("%s and %s both had a majority of the %d nodes at one time. For how long, the clocks of the nodes do not tell; node %s proves it by the order of its lines.", "%s 和 %s 同时得到了 %d 个节点中的多数。持续多久，从各节点的时钟看不出来；节点 %s 的命令顺序证明了这一点。", party(&f.First), party(&f.Second), nodes, node)
		default:
			add("%s and %s both had a majority of the %d nodes for %s.", "%s 和 %s 都得到了 %d 个节点中的多数，持续 %s。", party(&f.First), party(&f.Second), nodes, lasting(f.To-f.From))
		}
		add("The first was granted %s by %s; the second by %s.", "前者得到 %s：%s；后者：%s。", key, a.on(&f.First), a.on(&f.Second))
		if f.Expired {
			add("Only at line %d of node %s, %s after the second was granted it there, it wanted to release it.", "直到节点 %[2]s 的第 %[1]d 行，即后者在那里得到它 %[3]s 之后，前者才要释放。", f.Line, node, lasting(f.To-f.From))
			break
		}
		all = append(all, a.twice(f))
	case detect.ForeignDelete:
		add("%s deleted the lock %s of %s on node %s, at line %d. That lock was granted there at line %d. Both had a majority of the %d nodes.", "%s 在节点 %[4]s 的第 %[5]d 行删除了 %[3]s 的锁 %[2]s。这把锁是在那里的第 %[6]d 行得到的。两者都曾得到 %[7]d 个节点中的多数。", party(&f.First), key, party(&f.Second), node, f.Line, f.FromLine, nodes)
	case detect.LateRelease:
		add("%s was granted %s by %s of %d nodes.", "%s 得到 %s：%s，共 %d 个节点。", party(&f.First), key, a.on(&f.First), nodes)
		if len(f.Second.Votes) > 0 {
			add("Its leases ran out; then %s was granted it by %s. Only %s after node %s had granted it to the second, at line %d, the first wanted to release it: if it worked until then, both were inside.", "它的租约到期，之后 %s 得到它：%s。节点 %[4]s 让后者得到它 %[3]s 之后，前者才在第 %[5]d 行要释放：如果它一直工作到那时，两者就同时在临界区内。", party(&f.Second), a.on(&f.Second), lasting(f.To-f.From), node, f.Line)
			break
		}
		add("Its leases ended on all of them before it wanted to release it: the first release came %s later, at line %d of node %s.", "租约在所有这些节点上都到期之后，它才要释放：最早的释放晚了 %s，在节点 %[3]s 的第 %[2]d 行。", lasting(f.To-f.From), f.Line, node)
	case detect.Gone:
		add("Node %s had granted %s to %s at line %d, and no longer had it at line %d (%s), though its lease still ran and its holder had not released it there.", "节点 %s 在第 %[4]d 行让 %[3]s 得到 %[2]s；到第 %[5]d 行（%[6]s）这个键已经不在，而租约还没有到期，持有者也没有在那里释放。", node, key, party(&f.First), f.FromLine, f.Line, timeOfDay(f.From))
		if len(f.Second.Votes) > 0 {
			add("That line granted it to %s.", "那一行让 %s 得到了它。", party(&f.Second))
		}
		all = append(all, a.because(f))
	}
	return all
}

// twice says that a node has granted a key twice.
func (a *NodesAccount) twice(f *detect.MajorityFinding) lang.Text {
	node := a.Logs[f.Node].Name
	t := lang.Format("Node %s granted it to both: to the first at line %d, and to the second at line %d, while the first one's lease still ran there.", "节点 %s 让两者都得到了它：前者在第 %d 行，后者在第 %d 行，而前者在那里的租约还没有到期。", node, f.FromLine, f.Line)
	if f.Shows > 0 {
		t = joined(t, lang.Format("The first wanted to release it there at line %d, %s later.", "前者 %[2]s 之后才在那里的第 %[1]d 行要释放。", f.Shows, lasting(f.After)))
	}
	return joined(t, a.because(f))
}

// because says why a node no longer had a key.
func (a *NodesAccount) because(f *detect.MajorityFinding) lang.Text {
	node, u := a.Logs[f.Node].Name, f.Cause
	switch u.Kind {
	case detect.Flush:
		return lang.Format("The keys of node %s were flushed at line %d.", "节点 %s 的键在第 %d 行被清空。", node, u.Line)
	case detect.Interruption:
		return lang.Format("The log of node %s is interrupted after line %d: the node may have started again without its data.", "节点 %s 的日志在第 %d 行之后中断：它可能重启过，而数据没有保住。", node, u.Line)
	case detect.Delete:
		return lang.Format("Somebody else had deleted it on node %s at line %d.", "别人在节点 %s 的第 %d 行删除了它。", node, u.Line)
	}
	return lang.Format("The log of node %s does not tell why: the node may have started again without its data.", "节点 %s 的日志没有说明原因：它可能重启过，而数据没有保住。", node)
}

// joined returns two sentences as one text.
func joined(a, b lang.Text) lang.Text {
	return lang.Both(a.English+" "+b.English, a.Chinese+b.Chinese)
}

// sentence returns all sentences of a finding.
func (a *NodesAccount) sentence(f *detect.MajorityFinding) lang.Text {
	all := a.Sentences(f)
	text := all[0]
	for _, t := range all[1:] {
		text = joined(text, t)
	}
	return text
}

// Remarks say how much was read of each node, and what is not known.
func (a *NodesAccount) Remarks() []lang.Text {
	all := []lang.Text{lang.Format("Whoever is granted a lock by at least %d of the %d nodes holds it. With fewer, it is an attempt.", "在 %[2]d 个节点中至少从 %[1]d 个得到锁的，才算持有；不够的只算一次尝试。", a.Majority, len(a.Logs))}
	all = append(all, lang.Format("The clocks of the nodes may differ. An overlap of up to %s is told only where the lines of one node prove it.", "各节点的时钟可能不一致。不超过 %s 的重叠，只有当单个节点的命令顺序能证明时才会报告。", lasting(a.Allowance)))
	if a.Allowance > detect.Allowance {
		all = append(all, lang.Format("That is more than %s, since the logs show that the clocks differ, or have whole seconds alone.", "这比 %s 更多：日志显示时钟确有偏差，或者时刻只精确到秒。", lasting(detect.Allowance)))
	}
	add := func(n int, t lang.Text) {
		if n > 0 {
			all = append(all, t)
		}
	}
	add(a.Close, lang.Format("Not told: overlaps of two majorities that are shorter than the clocks allow, and that no node proves: %d.", "未报告：两个多数的重叠短于时钟允许的误差，又没有哪个节点能证明的，有 %d 处。", a.Close))
	add(a.Single, lang.Format("Keys that nobody asked a majority of the nodes for, or that are no locks: %d. lockstep import with one of the logs tells of them.", "没有谁向多数节点请求过的键，或者不是锁的键：%d 个。用 lockstep import 单独读其中一份日志可以看到它们。", a.Single))
	if len(a.Locks) > 0 {
		all = append(all, lang.Both("What a node granted is counted, also where its reply may have been lost on its way.", "统计的是节点让谁得到；回复在途中丢失的也计算在内。"))
	}
	for n, read := range a.Read {
		r := a.Nodes[n]
		t := lang.Format("Node %s: %d lines, %d commands.", "节点 %s：%d 行，%d 条命令。", a.Logs[n].Name, read.Lines, r.Commands)
		if r.Commands > 0 {
			t = lang.Format("Node %s: %d lines, %d commands, from %s to %s (%s).", "节点 %s：%d 行，%d 条命令，从 %s 到 %s（%s）。", a.Logs[n].Name, read.Lines, r.Commands, clock(r.Began), clock(r.Ended), lasting(r.Ended-r.Began))
		}
		for _, more := range read.leftOut() {
			t = joined(t, more)
		}
		all = append(all, t)
	}
	return all
}

// nodeColumns head the table of locks.
var nodeColumns = []lang.Text{
	lang.Both("lock", "锁"), lang.Both("db", "库"), lang.Both("attempts", "尝试"), lang.Both("with a majority", "得到多数"), lang.Both("without", "未得到多数"), lang.Both("released", "释放"), lang.Both("ran out", "到期"),
	lang.Both("renewed", "续期"), lang.Both("held (typical, longest)", "持有（典型，最长）"), lang.Both("found", "问题"),
}

func nodeCells(r *detect.MajorityRow) []string {
	held := "-"
	if r.HeldLongest > 0 {
		held = "~" + about(r.HeldTypical, r.HeldLongest) + ", " + lasting(r.HeldLongest)
	}
	cells := []string{quoted(r.Key)}
	for _, n := range []int{int(r.DB), r.Asks, r.Grants, r.Refused, r.Released, r.Expired, r.Renewals} {
		cells = append(cells, strconv.Itoa(n))
	}
	return append(cells, held, strconv.Itoa(r.Found))
}

// nothing says that nothing was found, and of what no verdict is given.
func (a *NodesAccount) nothing() []lang.Text {
	all := []lang.Text{lang.Both("Nothing was found that the logs prove.", "没有发现日志能够证明的问题。")}
	majorities := 0
	for i := range a.Locks {
		majorities += a.Locks[i].Grants
	}
	switch {
	case a.partial():
		all = append(all, lang.Both("One of the logs does not have all commands, and convicts nobody.", "其中一份日志并不包含全部命令，不能证明谁有错。"))
	case len(a.Locks) == 0 && (len(a.Only.Keys) > 0 || a.Only.DB != nil):
		all = append(all, lang.Both("Nobody asked a majority of the nodes for a lock among the keys and databases that you chose.", "你选取的键和数据库里，没有谁向多数节点请求过锁。"))
	case len(a.Locks) == 0:
		all = append(all, lang.Both("Nobody asked a majority of the nodes for a lock.", "没有谁向多数节点请求过锁。"))
	case majorities == 0:
		all = append(all, lang.Both("The logs do not show that anybody was granted a lock by a majority: nothing is judged.", "日志里看不到有谁从多数节点得到锁：未作判断。"))
	}
	return all
}

// Command returns the command that makes the scenario of a finding; empty: nobody knows how the logs are called.
func (a *NodesAccount) Command(i int) string {
	if i >= mostCommands {
		return ""
	}
	command := "lockstep import"
	for _, log := range a.Logs {
		if log.File == "" {
			return ""
		}
		command += " --node " + shell(log.Name+"="+log.File)
	}
	f := &a.Findings[i]
	if i > 0 {
		command += " --around " + clock(f.From)
	}
	return runs(command, a.hidden, f.Key, f.DB)
}

// WriteText writes the account for a person.
func (a *NodesAccount) WriteText(out io.Writer, in lang.Language) error {
	var b strings.Builder
	if a.Found > 0 {
		b.WriteString(lang.Format("Found: %d.", "发现 %d 处问题。", a.Found).In(in) + "\n")
	} else {
		for _, t := range a.nothing() {
			b.WriteString(t.In(in) + "\n")
		}
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		fmt.Fprintf(&b, "\n%s  %s\n", clock(f.From), names[f.Kind].In(in))
		for _, t := range a.Sentences(f) {
			b.WriteString("  " + t.In(in) + "\n")
		}
		runText(&b, a.Command(i), in)
	}
	moreText(&b, a.Found-len(a.Findings), in)
	tableText(&b, nodeColumns, len(a.Locks), func(i int) []string { return nodeCells(&a.Locks[i]) }, a.MoreLocks, in)
	return endText(&b, a.Remarks(), in, out)
}
