package monitor

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
)

// names are what an account calls the kinds of findings.
var names = map[detect.Kind]lang.Text{
	detect.Overlap:       lang.Both("overlap", "重叠"),
	detect.ForeignDelete: lang.Both("foreign delete", "误删"),
	detect.LateRelease:   lang.Both("late release", "释放过晚"),
}

// Sentence says what went wrong, and which lines show it.
func Sentence(f *detect.Finding) lang.Text {
	key := quoted(f.Key)
	switch f.Kind {
	case detect.ForeignDelete:
		return lang.Format("%s deleted the lock %s of %s at line %d: it was granted it at line %d. The deleter's own hold, from line %d, was over.",
			"%s 在第 %[4]d 行删除了 %[3]s 的锁 %[2]s：后者在第 %[5]d 行得到它。前者自己从第 %[6]d 行开始的持有已经结束。", who(&f.First), key, who(&f.Second), f.Line, f.FromLine, f.First.Line)
	case detect.LateRelease:
		return lang.Format("%s released %s only at line %d, %s after its lease had run out. It was granted it at line %d; nobody else was in between.",
			"%s 直到第 %[3]d 行才释放 %[2]s，那时租约已到期 %[4]s。它在第 %[5]d 行得到锁，其间没有别人得到锁。", who(&f.First), key, f.Line, lasting(f.To-f.From), f.First.Line)
	}
	until := lang.Format("it released it only at line %d", "它直到第 %d 行才释放", f.Line)
	switch f.Means {
	case detect.ByRenew:
		until = lang.Format("it still wanted to extend it at line %d", "它在第 %d 行还要续期", f.Line)
	case detect.ByGet:
		until = lang.Format("it looked only at line %d whether it had to release it", "它直到第 %d 行才查看是否要释放", f.Line)
	}
	lease := lang.Text{}
	if f.Lease > 0 {
		lease = lang.Format(" Its hold had ended %s before.", "它的持有在 %s 之前已经结束。", lasting(f.To-f.Lease))
	}
	return lang.Format("%s and %s were both inside for %s. The first was granted %s at line %d, and %s.%s The second was granted it at line %d.",
		"%s 和 %s 同时在临界区内，持续 %s。前者在第 %[5]d 行得到 %[4]s，%[6]s。%[7]s后者在第 %[8]d 行得到它。",
		who(&f.First), who(&f.Second), lasting(f.To-f.From), key, f.First.Line, until, lease, f.FromLine)
}

// who names a holder: by its name or its address, and its token.
func who(h *detect.Holder) lang.Text {
	name := h.Address
	if h.Name != "" {
		name = h.Name + " (" + h.Address + ")"
	}
	if name == "" {
		return lang.Format("the owner of %s", "%s 的主人", quoted(h.Token))
	}
	return lang.Format("%s with %s", "%s（%s）", name, quoted(h.Token))
}

// lasting writes a duration (ns) with about three digits.
func lasting(ns int64) string {
	d := time.Duration(ns)
	switch {
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(100 * time.Microsecond).String()
	case d < time.Minute:
		return d.Round(10 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// clock writes a time of the log.
func clock(ns int64) string { return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000Z") }

// Remarks say how much was read, and what was left out.
func (a *Account) Remarks() []lang.Text {
	all := []lang.Text{lang.Format("Read: %d lines, %d commands.", "已读：%d 行，%d 条命令。", a.Lines, a.Commands)}
	if a.Commands > 0 {
		all[0] = lang.Format("Read: %d lines, %d commands, from %s to %s (%s).", "已读：%d 行，%d 条命令，从 %s 到 %s（%s）。", a.Lines, a.Commands, clock(a.Began), clock(a.Ended), lasting(a.Ended-a.Began))
	}
	if a.from.name.English != "" {
		all = append(all, lang.Format("This is %s. Lines are numbered by its commands.", "这是%s。行号按命令计数。", a.from.name))
	}
	add := func(n int, t lang.Text) {
		if n > 0 {
			all = append(all, t)
		}
	}
	add(a.Odd.Count, lang.Format("Left out: lines that are no command (%d): line %s.", "略去：不是命令的 %d 行：第 %s 行。", a.Odd.Count, a.Odd.numbers()))
	add(a.Glued.Count, lang.Format("Two commands on one line, read as two (%d): line %s.", "一行里有两条命令，按两条读入（%d 处）：第 %s 行。", a.Glued.Count, a.Glued.numbers()))
	add(a.Long, lang.Format("Left out: lines of more than %d KB (%d).", "略去：超过 %d KB 的 %d 行。", MaxLine>>10, a.Long))
	if a.Partial {
		all = append(all, lang.Both("The last line of the log is not complete, and left out.", "日志的最后一行不完整，已略去。"))
	}
	add(a.NoLocks, lang.Format("Keys that clients asked for with NX and never released: %d. They limit a rate or find duplicates, and are no locks.", "用 NX 设置却从不释放的键有 %d 个：它们用于限流或去重，不是锁。", a.NoLocks))
	add(a.Unclear, lang.Format("Keys that somebody asked for with NX, and that commands changed which this report does not follow: %d.", "用 NX 设置、又被本报告无法跟踪的命令改动过的键有 %d 个。", a.Unclear))
	pooled, strangers := 0, 0
	for i := range a.Locks {
		pooled, strangers = pooled+a.Locks[i].Pooled, strangers+a.Locks[i].Strangers
	}
	add(pooled, lang.Format("Releases from another connection than the grant: %d. Clients with a pool do that; it accuses nobody.", "从另一个连接释放的有 %d 次：使用连接池的客户端会这样，不能据此指责谁。", pooled))
	add(strangers, lang.Format("Locks deleted by a connection that held nothing: %d. That may be a person, or another program.", "被没有持锁的连接删除的锁有 %d 次：可能是人工操作，也可能是别的程序。", strangers))
	return all
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
	lang.Both("ran out", "到期"), lang.Both("held (typical, longest)", "持有（典型，最长）"), lang.Both("waited (typical, longest)", "等待（典型，最长）"), lang.Both("found", "问题"),
}

func cells(r *detect.Row) []string {
	pair := func(a, b int64) string {
		if b == 0 {
			return "-"
		}
		return lasting(a) + ", " + lasting(b)
	}
	found := r.Overlaps + r.ForeignDeletes + r.Late
	return []string{quoted(r.Key), strconv.Itoa(int(r.DB)), strconv.Itoa(r.Connections), strconv.Itoa(r.Asks), strconv.Itoa(r.Grants), strconv.Itoa(r.Refused), strconv.Itoa(r.Released), strconv.Itoa(r.Expired),
		pair(r.HeldTypical, r.HeldLongest), pair(r.WaitedTypical, r.WaitedLongest), strconv.Itoa(found)}
}

// WriteText writes the account for a person.
func (a *Account) WriteText(out io.Writer, in lang.Language) error {
	var b strings.Builder
	if a.Found == 0 {
		b.WriteString(lang.Both("Nothing was found that the log proves.", "没有发现日志能够证明的问题。").In(in) + "\n")
	} else {
		b.WriteString(lang.Format("Found: %d.", "发现 %d 处问题。", a.Found).In(in) + "\n")
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		fmt.Fprintf(&b, "\n%s  %s\n  %s\n", clock(f.From), names[f.Kind].In(in), Sentence(f).In(in))
	}
	if more := a.Found - len(a.Findings); more > 0 {
		b.WriteString("\n" + lang.Format("… and %d more", "……还有 %d 处", more).In(in) + "\n")
	}
	if len(a.Locks) > 0 {
		b.WriteString("\n")
		a.table(&b, in)
		if a.MoreLocks > 0 {
			b.WriteString(lang.Format("… and %d more locks", "……还有 %d 把锁", a.MoreLocks).In(in) + "\n")
		}
	}
	b.WriteString("\n")
	for _, remark := range a.Remarks() {
		b.WriteString(remark.In(in) + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (a *Account) table(b *strings.Builder, in lang.Language) {
	rows := [][]string{{}}
	for _, c := range columns {
		rows[0] = append(rows[0], c.In(in))
	}
	for i := range a.Locks {
		rows = append(rows, cells(&a.Locks[i]))
	}
	widths := make([]int, len(columns))
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

// WriteJSON writes the account for a program. Times are Unix times in nanoseconds.
func (a *Account) WriteJSON(out io.Writer, in lang.Language) error {
	type finding struct {
		Kind     detect.Kind  `json:"kind"`
		DB       int32        `json:"db"`
		Key      string       `json:"key"`
		First    holderJSON   `json:"first"`
		Second   *holderJSON  `json:"second,omitempty"`
		From     int64        `json:"from"`
		To       int64        `json:"to"`
		Lease    int64        `json:"lease,omitempty"`
		Line     int          `json:"line"`
		Means    detect.Means `json:"means"`
		Sentence string       `json:"sentence"`
	}
	type lock struct {
		DB             int32  `json:"db"`
		Key            string `json:"key"`
		Connections    int    `json:"connections"`
		Asked          int    `json:"asked"`
		Granted        int    `json:"granted"`
		Refused        int    `json:"refused"`
		Released       int    `json:"released"`
		Pooled         int    `json:"releasedElsewhere"`
		Expired        int    `json:"expired"`
		Renewed        int    `json:"renewed"`
		Overlaps       int    `json:"overlaps"`
		ForeignDeletes int    `json:"foreignDeletes"`
		LateReleases   int    `json:"lateReleases"`
		HeldTypical    int64  `json:"heldTypical"`
		HeldLongest    int64  `json:"heldLongest"`
		WaitedTypical  int64  `json:"waitedTypical"`
		WaitedLongest  int64  `json:"waitedLongest"`
	}
	all := struct {
		Found    int       `json:"found"`
		Findings []finding `json:"findings"`
		Locks    []lock    `json:"locks"`
		More     int       `json:"moreLocks"`
		NoLocks  int       `json:"noLocks"`
		Lines    int       `json:"lines"`
		Commands int       `json:"commands"`
		Began    int64     `json:"began"`
		Ended    int64     `json:"ended"`
		LeftOut  int       `json:"linesLeftOut"`
		Remarks  []string  `json:"remarks"`
	}{Found: a.Found, Findings: []finding{}, Locks: []lock{}, More: a.MoreLocks, NoLocks: a.NoLocks, Lines: a.Lines, Commands: a.Commands, Began: a.Began, Ended: a.Ended, LeftOut: a.Odd.Count + a.Long}
	for i := range a.Findings {
		f := &a.Findings[i]
		j := finding{f.Kind, f.DB, f.Key, holderOf(&f.First), nil, f.From, f.To, max(0, f.Lease), f.Line, f.Means, Sentence(f).In(in)}
		if f.Second.ID > 0 {
			second := holderOf(&f.Second)
			j.Second = &second
		}
		all.Findings = append(all.Findings, j)
	}
	for i := range a.Locks {
		r := &a.Locks[i]
		all.Locks = append(all.Locks, lock{r.DB, r.Key, r.Connections, r.Asks, r.Grants, r.Refused, r.Released, r.Pooled, r.Expired, r.Renewals, r.Overlaps, r.ForeignDeletes, r.Late, r.HeldTypical, r.HeldLongest, r.WaitedTypical, r.WaitedLongest})
	}
	for _, remark := range a.Remarks() {
		all.Remarks = append(all.Remarks, remark.In(in))
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(all)
}

type holderJSON struct {
	Token   string `json:"token"`
	Address string `json:"address"`
	Name    string `json:"name,omitempty"`
	Time    int64  `json:"granted"`
	Line    int    `json:"line"`
}

func holderOf(h *detect.Holder) holderJSON {
	return holderJSON{h.Token, h.Address, h.Name, h.Time, h.Line}
}

// Redact gives keys, tokens, addresses and names short names.
func (a *Account) Redact() {
	r := NewRedactor()
	hosts := NewRedactor()
	holder := func(h *detect.Holder) {
		if h.Token != "" {
			h.Token = r.name("value", h.Token)
		}
		if h.Address != "" {
			h.Address = hosts.name("connection", h.Address)
		}
		if h.Name != "" {
			h.Name = hosts.name("name", h.Name)
		}
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		f.Key = r.name("key", f.Key)
		holder(&f.First)
		holder(&f.Second)
	}
	for i := range a.Locks {
		l := &a.Locks[i]
		l.Key = r.name("key", l.Key)
		for j := range l.Stays {
			holder(&l.Stays[j].Holder)
		}
	}
}
