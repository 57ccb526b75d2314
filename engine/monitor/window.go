package monitor

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
)

// A Window says which part of a log becomes a scenario. Without anything it is the part around the first finding, or where
// nothing was found, the beginning of the lock that most clients waited for.
type Window struct {
	Options
	At    string // around a time, such as 2026-11-27T21:50:09.9Z, 21:50:09.9 or 1795816209.9
	First int    // from a line; 0: no line is given
	Last  int
	Tries int // how many parts Cut may try; 0: mostTries
}

// mostTries is how many parts of a log Cut tries.
const mostTries = 9

// mostBeside is how many commands a finding may have around it. Where there are more, those on other keys are left out.
const mostBeside = 100

// Cut reads a whole log, which open opens as often as it is read, and returns the part in a window and what the whole tells.
func Cut(open func() (io.ReadCloser, error), w Window) (*Log, *Account, error) {
	in, err := open()
	if err != nil {
		return nil, nil, err
	}
	account, err := Investigate(in)
	in.Close()
	if err != nil {
		return nil, nil, err
	}
	w.of = account
	t, ok, err := w.target(account)
	if err != nil {
		return nil, nil, err
	}
	if !ok || account.Marked {
		log, err := again(open, func(in io.Reader) (*Log, error) { return read(in, w.Options, nil) })
		if err == nil && !account.Marked {
			log.Scenario(lang.English)
			log.unguessed = log.doubt > 0
		}
		return log, account, err
	}
	for i := range account.Locks {
		if r := &account.Locks[i]; r.DB == t.db && r.Key == t.key {
			t.pooled = r.Pooled
		}
	}
	p, err := again(open, func(in io.Reader) (*plan, error) { return planned(in, t) })
	if err != nil {
		return nil, nil, err
	}
	p.guilty = account.guilty(p.db, p.key)
	wider := false
	for try := 0; ; try++ {
		log, err := again(open, func(in io.Reader) (*Log, error) { return read(in, w.Options, p) })
		if err != nil {
			return nil, nil, err
		}
		log.Scenario(lang.English) // finds out what the run makes of it
		reaches := p.must == 0 || (log.Cut == 0 || log.Cut > p.must) && (log.full == 0 || log.full > p.must)
		switch {
		case try+1 >= cmp.Or(w.Tries, mostTries):
			log.unguessed = log.doubt > 0
			return log, account, nil
		case log.doubt > 0 && p.must > log.doubt && !wider: // what came before tells more
			t.wide, wider = true, true
			if p, err = again(open, func(in io.Reader) (*plan, error) { return planned(in, t) }); err != nil {
				return nil, nil, err
			}
			p.guilty = account.guilty(p.db, p.key)
		case log.doubt == math.MaxInt && p.to == math.MaxInt:
			log.unguessed = true
			return log, account, nil
		case log.doubt > p.from: // the report knows no more than that
			p.to, p.doubt = log.doubt-1, log.doubt
		case !p.alone && (!reaches || p.must > 0 && len(log.Entries) > mostBeside):
			p.alone = true
		default:
			return log, account, nil
		}
	}
}

// guilty returns the first line at which an account convicts somebody of what he did to a lock.
func (a *Account) guilty(db int32, key string) int {
	first := math.MaxInt
	for i := range a.Findings {
		if f := &a.Findings[i]; f.DB == db && f.Key == key && f.Kind != detect.LateRelease {
			first = min(first, f.Line)
			if f.FromLine > 0 {
				first = min(first, f.FromLine)
			}
		}
	}
	return first
}

// together returns the line until which the findings last that hang together with one: each begins before the last of them ends.
func (a *Account) together(f *detect.Finding) (until int) {
	until = f.Line
	for i := range a.Findings {
		if g := &a.Findings[i]; g.DB == f.DB && g.Key == f.Key && g.From >= f.From && g.First.Line <= until {
			until = max(until, g.Line)
		}
	}
	return until
}

func again[T any](open func() (io.ReadCloser, error), read func(io.Reader) (T, error)) (made T, err error) {
	in, err := open()
	if err != nil {
		return made, err
	}
	defer in.Close()
	return read(in)
}

// target chooses what the scenario is about. It reports false where the log has no such lock.
func (w *Window) target(a *Account) (t target, ok bool, err error) {
	wanted := func(db int32, key string) bool {
		return (w.DB == nil || *w.DB == int(db)) && (len(w.Keys) == 0 || slices.Contains(w.Keys, key))
	}
	var best *detect.Finding
	if w.At != "" {
		if t.at, err = timeOf(w.At, a.Began, a.Ended); err != nil {
			return t, false, err
		}
		if t.at < a.Began-1e9 || t.at > a.Ended+1e9 {
			return t, false, engine.Refuse("%s is not in the log, which runs from %s to %s. A time without an offset, such as +08:00, is UTC", "%s 不在日志里：日志从 %s 到 %s。不带时区（例如 +08:00）的时刻按 UTC 计", clock(t.at), clock(a.Began), clock(a.Ended))
		}
	}
	if w.First > 0 {
		t.lines = [2]int{w.First, max(w.Last, w.First)}
	}
	distance := func(f *detect.Finding) int64 {
		switch {
		case t.at > 0:
			return max(f.From-t.at, t.at-f.To, 0)
		case w.First > 0:
			return int64(max(w.First-f.Line, f.Line-t.lines[1], 0))
		}
		return 0
	}
	for i := range a.Findings {
		if f := &a.Findings[i]; wanted(f.DB, f.Key) && (best == nil || distance(f) < distance(best)) {
			best = f
		}
	}
	if best != nil {
		t.db, t.key = best.DB, best.Key
		if t.at == 0 && w.First == 0 {
			t.first, t.last = best.First.Line, best.Line
			t.until = a.together(best)
		}
		return t, true, nil
	}
	for i := range a.Locks {
		if r := &a.Locks[i]; wanted(r.DB, r.Key) {
			t.db, t.key = r.DB, r.Key
			return t, true, nil
		}
	}
	return t, false, nil
}

// timeOf reads a time of a log.
func timeOf(text string, began, ended int64) (int64, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 && seconds < 1<<33 {
		whole, fraction, _ := strings.Cut(text, ".")
		s, _ := strconv.ParseInt(whole, 10, 64)
		ns, _ := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
		return s*1e9 + ns, nil
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t.UnixNano(), nil
	}
	for _, layout := range []string{"15:04:05.999999999", "15:04", "15:04:05.999999999Z07:00", "15:04Z07:00"} {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		day := time.Unix(0, began).In(t.Location())
		at := time.Date(day.Year(), day.Month(), day.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
		if at.UnixNano() < began-1e9 && at.Add(24*time.Hour).UnixNano() <= ended+1e9 {
			at = at.Add(24 * time.Hour)
		}
		return at.UnixNano(), nil
	}
	return 0, engine.Refuse("%s is no time; a time is 2026-11-27T21:50:09.9Z, 21:50:09.9 or 1795816209.9", "%s 不是时间；时间应形如 2026-11-27T21:50:09.9Z、21:50:09.9 或 1795816209.9", quoted(text))
}
