package monitor

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
	"lockstep/engine/redis"
)

// Remarks say how much was read, and what was left out.
func (a *Account) Remarks() []lang.Text {
	all := []lang.Text{lang.Format("Read: %d lines, %d commands.", "已读：%d 行，%d 条命令。", a.Lines, a.Commands)}
	if a.Commands > 0 {
		all[0] = lang.Format("Read: %d lines, %d commands, from %s to %s (%s).", "已读：%d 行，%d 条命令，从 %s 到 %s（%s）。", a.Lines, a.Commands, clock(a.Began), clock(a.Ended), lasting(a.Ended-a.Began))
	}
	add := func(n int, t lang.Text) {
		if n > 0 {
			all = append(all, t)
		}
	}
	if a.Only.First > 0 {
		all = append(all, lang.Format("What was found is told as far as it shows at lines %d to %d. The table is of the whole log.", "只列出在第 %d 到 %d 行显现的问题；表格统计整个日志。", a.Only.First, a.Only.Last))
	}
	all = append(all, a.leftOut()...)
	if len(a.Locks) > 0 && !a.Recorded && !a.from.partial {
		all = append(all, lang.Both("MONITOR shows no replies: who was granted a lock and who was refused is inferred from the commands and the leases.", "MONITOR 不显示回复：谁得到锁、谁被拒绝，都由命令和租约推断。"))
	}
	if a.Found > 0 {
		all = append(all, lang.Both("A run may count more violations than there are findings: where two are inside, and both still believe that they hold the lock, it counts an overlap, and beside it a breach of mutual exclusion.", "运行里的违反次数可能比这里的发现多：两个同时在临界区内、又都以为自己持有锁时，运行既算作重叠，也算作违反互斥。"))
	}
	unsure := 0
	for i := range a.Locks {
		unsure += max(0, a.Locks[i].Asks-a.Locks[i].Grants-a.Locks[i].Refused)
	}
	add(unsure, lang.Format("Requests of which the log does not tell whether they were granted: %d. They come where the log begins or was interrupted, or at the end of a lease.", "日志看不出是否得到锁的请求有 %d 次：它们在日志刚开始或中断之后，或在租约将尽之时。", unsure))
	add(a.NoLocks, lang.Format("Keys that clients asked for with NX, and that nobody releases in this log: %d%s. Keys that limit a rate or find duplicates are like that; they are not judged.", "用 NX 设置、在这份日志里没有人释放的键有 %d 个%s。限流和去重的键就是这样；它们不作判断。", a.NoLocks, a.prefixes(a.Prefixes)))
	add(a.Overwritten, lang.Format("Keys that clients asked for with NX or GETSET, and that a SET or GETSET overwrites, whoever has them: %d%s. They hold data, or are freed by that; they are not judged.", "用 NX 或 GETSET 设置、又会被 SET 或 GETSET 直接改写（不管此刻归谁）的键有 %d 个%s。它们存的是数据，或者就靠改写来释放；它们不作判断。", a.Overwritten, a.prefixes(a.OverPrefixes)))
	loose := 0
	for i := range a.Locks {
		if a.Locks[i].Loose {
			loose++
		}
	}
	add(loose, lang.Format("Keys that are deleted by others too often for a DEL to prove anything: %d. Caches and sessions are like that; a DEL of them accuses nobody.", "经常被别人删除、因而 DEL 证明不了什么的键有 %d 个。缓存和会话就是这样；不能凭它们的 DEL 指责谁。", loose))
	add(a.Unclear, lang.Format("Keys that somebody asked for with NX, and that commands changed which this report does not follow: %d.", "用 NX 设置、又被本报告无法跟踪的命令改动过的键有 %d 个。", a.Unclear))
	pooled, strangers := 0, 0
	for i := range a.Locks {
		pooled, strangers = pooled+a.Locks[i].Pooled, strangers+a.Locks[i].Strangers
	}
	add(pooled, lang.Format("Releases from another connection than the grant: %d. Clients with a pool do that; it accuses nobody.", "从另一个连接释放的有 %d 次：使用连接池的客户端会这样，不能据此指责谁。", pooled))
	add(strangers, lang.Format("Locks deleted by a connection that held nothing: %d. That may be a person, or another program.", "被没有持锁的连接删除的锁有 %d 次：可能是人工操作，也可能是别的程序。", strangers))
	return all
}

// leftOut says what kind of log one is, and which of its lines are left out.
func (a *Account) leftOut() (all []lang.Text) {
	add := func(n int, t lang.Text) {
		if n > 0 {
			all = append(all, t)
		}
	}
	if a.from.name.English != "" {
		all = append(all, lang.Format("This is %s. Lines are numbered by its commands.", "这是%s。行号按命令计数。", a.from.name))
	}
	add(a.Odd.Count, lang.Format("Left out: lines that are no command (%d): line %s.", "略去：不是命令的 %d 行：第 %s 行。", a.Odd.Count, a.Odd.numbers()))
	add(a.Glued.Count, lang.Format("Two commands on one line, read as two (%d): line %s.", "一行里有两条命令，按两条读入（%d 处）：第 %s 行。", a.Glued.Count, a.Glued.numbers()))
	add(a.Long, lang.Format("Left out: lines of more than %d KB (%d).", "略去：超过 %d KB 的 %d 行。", MaxLine>>10, a.Long))
	if a.Partial {
		all = append(all, lang.Both("The last line of the log is not complete, and left out.", "日志的最后一行不完整，已略去。"))
	}
	add(a.Breaks.Count, lang.Format("MONITOR was interrupted at line %s: commands may be missing there. What was known of the locks before counts no more after it.", "MONITOR 在第 %s 行中断，那里可能缺少命令。此前对各把锁的了解，在那之后不再算数。", a.Breaks.numbers()))
	return all
}

// mostPrefixes is how many prefixes a remark names.
const mostPrefixes = 4

// prefixes names the prefixes of keys that are no locks.
func (a *Account) prefixes(all []detect.Prefix) string {
	if a.hidden || len(all) == 0 {
		return ""
	}
	var words []string
	for _, p := range all[:min(len(all), mostPrefixes)] {
		words = append(words, fmt.Sprintf("%s %d", quoted(p.Name), p.Keys))
	}
	if len(all) > mostPrefixes {
		words = append(words, "…")
	}
	return " (" + strings.Join(words, ", ") + ")"
}

func (o *Odd) numbers() string {
	words := make([]string, len(o.First))
	for i, n := range o.First {
		words[i] = strconv.Itoa(n)
	}
	text := strings.Join(words, ", ")
	if o.Count > len(o.First) {
		text += " …"
	}
	return text
}

// columns head the table of locks.
var columns = []lang.Text{
	lang.Both("lock", "锁"), lang.Both("db", "库"), lang.Both("connections", "连接"), lang.Both("asked", "请求"), lang.Both("granted", "得到"), lang.Both("refused", "被拒"), lang.Both("released", "释放"),
	lang.Both("ran out", "到期"), lang.Both("deleted by others", "被别人删除"), lang.Both("held (typical, longest)", "持有（典型，最长）"), lang.Both("waited (typical, longest)", "等待（典型，最长）"), lang.Both("found", "问题"),
}

func cells(r *detect.Row) []string {
	pair := func(a, b int64) string {
		if b == 0 {
			return "-"
		}
		if a == 0 {
			return "-, " + lasting(b)
		}
		return "~" + about(a, b) + ", " + lasting(b)
	}
	if unjudged(r) {
		return []string{quoted(r.Key), strconv.Itoa(int(r.DB)), strconv.Itoa(r.Connections), strconv.Itoa(r.Asks), "?", "?", "?", "?", "?", "-", "-", "?"}
	}
	found := r.Overlaps + r.ForeignDeletes + r.Late
	return []string{quoted(r.Key), strconv.Itoa(int(r.DB)), strconv.Itoa(r.Connections), strconv.Itoa(r.Asks), strconv.Itoa(r.Grants), strconv.Itoa(r.Refused), strconv.Itoa(r.Released), strconv.Itoa(r.Expired), strconv.Itoa(r.Removed),
		pair(r.HeldTypical, r.HeldLongest), pair(r.WaitedTypical, r.WaitedLongest), strconv.Itoa(found)}
}

// unjudged reports whether nothing can be said of a lock: nobody releases it in this log for certain.
func unjudged(r *detect.Row) bool {
	return r.Released == 0 && r.Overlaps+r.ForeignDeletes+r.Late+r.Steals == 0
}

// about writes a duration (ns) that is known by its order alone, and is not longer than the longest.
func about(ns, longest int64) string {
	d := time.Duration(ns)
	for unit := time.Duration(1); ; unit *= 10 {
		if d < 10*unit {
			if d = d.Round(unit); int64(d) > longest {
				return lasting(longest)
			}
			return d.String()
		}
	}
}

// mostUnjudged is how many locks a sentence names.
const mostUnjudged = 5

// notJudged names the locks of which nothing can be said; nothing: there is none.
func (a *Account) notJudged() (t lang.Text, any bool) {
	var keys []string
	n := 0
	for i := range a.Locks {
		if r := &a.Locks[i]; unjudged(r) {
			if n++; n <= mostUnjudged {
				keys = append(keys, quoted(r.Key))
			}
		}
	}
	names := strings.Join(keys, ", ")
	if n > mostUnjudged {
		names += " …"
	}
	return lang.Format("Not judged: %s. The log does not show that anybody releases it as its holder. Where the log is a part of a longer one, give the whole, and choose a part with --lines.",
		"未作判断：%s。日志里看不到有谁以持有者的身份释放它。如果这份日志是从更长的日志里截取的，请给出整个日志，再用 --lines 选取其中一段。", names), n > 0
}

// noLock says that the account has no lock.
func (a *Account) noLock() lang.Text {
	if len(a.Only.Keys) > 0 || a.Only.DB != nil {
		return lang.Both("There is no lock among the keys and databases that you chose.", "你选取的键和数据库里没有锁。")
	}
	return lang.Both("There is no lock in the log: nobody takes a key with NX and releases it.", "日志里没有锁：没有谁用 NX 得到一个键又释放它。")
}

// mostCommands is how many findings have the command that makes their scenario.
const mostCommands = 20

// Command returns the command that makes the scenario of a finding, and of those that hang together with it; empty: an earlier
// finding has it already, or nobody knows how the log is called.
func (a *Account) Command(i int) string {
	f := &a.Findings[i]
	if a.File == "" || i >= mostCommands || f.First.Line == 0 || a.Marked {
		return ""
	}
	for j := range i {
		if g := &a.Findings[j]; g.DB == f.DB && g.Key == f.Key && f.Line <= a.together(g) {
			return ""
		}
	}
	command := fmt.Sprintf("lockstep import %s --lines %d:%d", shell(a.File), f.First.Line, a.together(f))
	return runs(command, a.hidden, f.Key, f.DB)
}

// runs ends a command that shows a finding on a key.
func runs(command string, hidden bool, key string, db int32) string {
	if hidden {
		command += " --redact"
	} else {
		command += " --key " + shell(key)
	}
	if db != 0 {
		command += fmt.Sprintf(" --db %d", db)
	}
	return command + " | lockstep run -"
}

// shell returns a word as a shell takes it.
func shell(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:@%,") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// WriteText writes the account for a person.
func (a *Account) WriteText(out io.Writer, in lang.Language) error {
	var b strings.Builder
	if a.Found == 0 {
		b.WriteString(lang.Both("Nothing was found that the log proves.", "没有发现日志能够证明的问题。").In(in) + "\n")
	} else {
		b.WriteString(lang.Format("Found: %d.", "发现 %d 处问题。", a.Found).In(in) + "\n")
	}
	if len(a.Locks) == 0 {
		b.WriteString(a.noLock().In(in) + "\n")
	}
	if notJudged, any := a.notJudged(); any {
		b.WriteString(notJudged.In(in) + "\n")
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		fmt.Fprintf(&b, "\n%s  %s\n  %s\n  %s\n", clock(f.From), names[f.Kind].In(in), Sentence(f).In(in), lang.Format("In short: %s.", "一句话：%s。", Short(f)).In(in))
		if len(f.Said) > 0 {
			b.WriteString("  " + lang.Format("Line %d: %s", "第 %d 行：%s", f.Line, clip(redis.Quote(f.Said), 300)).In(in) + "\n")
		}
		runText(&b, a.Command(i), in)
	}
	moreText(&b, a.Found-len(a.Findings), in)
	tableText(&b, columns, len(a.Locks), func(i int) []string { return cells(&a.Locks[i]) }, a.MoreLocks, in)
	return endText(&b, a.Remarks(), in, out)
}

// endText writes the remarks, and the text to its reader.
func endText(b *strings.Builder, remarks []lang.Text, in lang.Language, out io.Writer) error {
	b.WriteString("\n")
	for _, remark := range remarks {
		b.WriteString(remark.In(in) + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// runText writes the command that runs a finding, if there is one.
func runText(b *strings.Builder, command string, in lang.Language) {
	if command != "" {
		b.WriteString("  " + lang.Format("See it run: %s", "运行来看：%s", command).In(in) + "\n")
	}
}

// moreText writes how many findings the report leaves out.
func moreText(b *strings.Builder, more int, in lang.Language) {
	if more > 0 {
		b.WriteString("\n" + lang.Format("… and %d more", "……还有 %d 处", more).In(in) + "\n")
	}
}

// tableText writes the locks, and how many of them the report leaves out.
func tableText(b *strings.Builder, columns []lang.Text, locks int, cells func(i int) []string, more int, in lang.Language) {
	if locks == 0 {
		return
	}
	rows := [][]string{{}}
	for _, c := range columns {
		rows[0] = append(rows[0], c.In(in))
	}
	for i := range locks {
		rows = append(rows, cells(i))
	}
	b.WriteString("\n")
	writeTable(b, rows)
	if more > 0 {
		b.WriteString(lang.Format("… and %d more locks", "……还有 %d 把锁", more).In(in) + "\n")
	}
}

// writeTable writes rows in columns.
func writeTable(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-width(cell)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// width returns how many columns of a terminal a text takes: a Chinese character takes two.
func width(text string) int {
	n := utf8.RuneCountInString(text)
	for _, r := range text {
		if r >= 0x2e80 {
			n++
		}
	}
	return n
}
