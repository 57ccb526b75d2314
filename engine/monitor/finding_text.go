package monitor

import (
	"strings"
	"time"

	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
)

// Sentence says what went wrong, and which lines show it.
func Sentence(f *detect.Finding) lang.Text {
	key := quoted(f.Key)
	switch f.Kind {
	case detect.ForeignDelete:
		return lang.Format("%s deleted the lock %s of %s at line %d. That lock was granted at line %d. The deleter itself was granted it at line %d; %s.",
			"%s 在第 %[4]d 行删除了 %[3]s 的锁 %[2]s。这把锁是在第 %[5]d 行得到的。删除者自己在第 %[6]d 行得到它；%[7]s。",
			who(&f.First), key, who(&f.Second), f.Line, f.FromLine, f.First.Line, lostAt(f))
	case detect.LateRelease:
		return lang.Format("%s was granted %s at line %d; %s. Only %s later, %s. Nobody else was granted it in between.",
			"%s 在第 %[3]d 行得到 %[2]s；%[4]s。它在 %[5]s 之后%[6]s。其间没有别人得到它。", who(&f.First), key, f.First.Line, lostAt(f), lasting(f.To-f.From), showsAt(f))
	}
	return lang.Format("%s and %s were both inside for %s. The first was granted %s at line %d; %s. The second was granted it at line %d (%s). Only %s after the first had lost the lock, %s.",
		"%s 和 %s 同时在临界区内，持续 %s。前者在第 %[5]d 行得到 %[4]s；%[6]s。后者在第 %[7]d 行（%[8]s）得到它。前者失去锁 %[9]s 之后%[10]s。",
		who(&f.First), who(&f.Second), lasting(f.To-f.From), key, f.First.Line, lostAt(f), f.FromLine, timeOfDay(f.From), lasting(f.To-f.Lease), showsAt(f))
}

// lostAt says when and how the first holder of a finding lost the lock.
func lostAt(f *detect.Finding) lang.Text {
	switch at := timeOfDay(f.Lease); {
	case f.First.Gone > 0:
		return lang.Format("the lock was taken from it at line %d (%s)", "在第 %d 行（%s）锁被别人拿走", f.First.Gone, at)
	case f.First.TTL > 0:
		return lang.Format("its lease of %s ended at %s", "%s 的租约在 %s 到期", lasting(f.First.TTL), at)
	default:
		return lang.Format("its lease ended at %s", "租约在 %s 到期", at)
	}
}

// showsAt says by what the first holder shows that it had gone on.
func showsAt(f *detect.Finding) lang.Text {
	at := timeOfDay(f.To)
	switch f.Means {
	case detect.ByRenew:
		return lang.Format("at line %d (%s), it wanted to extend it: its token was no longer there", "才在第 %d 行（%s）要续期，而它的令牌已经不在", f.Line, at)
	case detect.ByGet:
		return lang.Format("at line %d (%s), it looked whether it had to release it: its token was no longer there", "才在第 %d 行（%s）查看是否要释放，而它的令牌已经不在", f.Line, at)
	case detect.ByScript:
		return lang.Format("at line %d (%s), it wanted to release it: its token was no longer there", "才在第 %d 行（%s）要释放，而它的令牌已经不在", f.Line, at)
	}
	return lang.Format("at line %d (%s), it sent its DEL", "才在第 %d 行（%s）发出 DEL", f.Line, at)
}

// Short says a finding in one line for a postmortem.
func Short(f *detect.Finding) lang.Text {
	english, chinese := []string{}, []string{}
	add := func(t lang.Text) { english, chinese = append(english, t.English), append(chinese, t.Chinese) }
	if f.First.TTL > 0 {
		add(lang.Format("lease %s", "租约 %s", lasting(f.First.TTL)))
	}
	if f.First.Gone > 0 {
		add(lang.Format("lock taken away after %s", "%s 后锁被拿走", lasting(f.Lease-f.First.Time)))
	}
	after := lasting(f.To - f.First.Time)
	switch f.Means {
	case detect.ByRenew:
		add(lang.Format("renewal tried after %s", "%s 后还要续期", after))
	case detect.ByGet, detect.ByScript:
		add(lang.Format("release tried after %s", "%s 后才要释放", after))
	default:
		add(lang.Format("DEL after %s, which names no token", "%s 后发出 DEL，而 DEL 不带令牌", after))
	}
	return lang.Both(strings.Join(english, ", "), strings.Join(chinese, "，"))
}

// timeOfDay writes a time of the log without its day.
func timeOfDay(ns int64) string { return time.Unix(0, ns).UTC().Format("15:04:05.000Z") }

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
