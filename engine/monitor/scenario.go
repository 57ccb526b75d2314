package monitor

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
	"lockstep/engine/redis"
)

// headSpace is how many bytes and lines of the text the comments at its top may take.
const (
	headSpace = 12 << 10
	headLines = 40
)

// A writer writes a log as a scenario. It does each action in a run of its own: replies, grants and bounds are those
// that a reader of the scenario gets.
type writer struct {
	*Log
	language lang.Language
	entries  []Entry // in the order in which they are written
	run      *engine.Run
	lines    []engine.Line
	size     int
	number   int // lines that the entries may take

	began  int64       // Unix time at which the run starts, ns
	base   int64       // the same; it moves where the log's clock jumps
	last   int64       // of the last entry
	passed engine.Time // so far

	marked  bool     // the log has markers
	planned bool     // without markers: a plan says who is inside
	unsure  int      // requests whose answer the run cannot give
	lock    string   // without markers: the key of the lock
	stays   []string // clients in the critical section that never release the lock

	written int // commands
	full    int // the entry's line at which the run was full
	refused int // commands that the run refused, such as those on too many keys
	why     lang.Text
	loose   int // markers that fit nowhere
	back    int // the line at which the log's clock first went back
	jumps   int // how often
	gap     int // the line of the first gap that was cut
	gaps    int
	keys    map[string]bool // of the commands

	differ    int // replies
	firstDiff int // the line of the first one
}

// Scenario returns the log as a scenario, with comments in a language.
func (l *Log) Scenario(in lang.Language) *engine.Scenario {
	w := &writer{Log: l, language: in, run: engine.NewRun(engine.Header{}, check.All()...), number: engine.MaxLines - headLines, last: l.Entries[0].Time}
	w.base = w.last - w.last%1e6 // a wall time is the log's, cut to milliseconds
	w.began = w.base
	defer w.run.World().Close()
	w.marked = slices.ContainsFunc(l.Entries, func(e Entry) bool { return e.Mark == Enter || e.Mark == Leave })
	switch {
	case w.marked:
	case l.plan != nil:
		w.lock, w.planned = l.lockName, true
	case !l.unguessed:
		w.lock = l.lockKey()
	}
	w.entries, w.keys = slices.Clone(l.Entries), map[string]bool{}
	for _, e := range l.Entries {
		if full := checked(e.Command); full != nil {
			for _, key := range redis.Keys(full) {
				w.keys[key] = true
			}
		}
	}
	for i := range w.entries {
		w.reorder(i)
		if !w.entry(i) {
			w.full = w.entries[i].Line
			l.full = w.full
			break
		}
	}
	s := &engine.Scenario{Header: w.header()}
	for _, line := range w.head() {
		s.Lines = append(s.Lines, engine.Line{Comment: oneLine(line.In(in))})
	}
	s.Lines = append(s.Lines, w.lines...)
	return s
}

// entry writes an entry. It reports false where the run takes no more.
func (w *writer) entry(i int) bool {
	e := &w.entries[i]
	if e.Command == nil && e.Call != nil && !slices.ContainsFunc(e.Call.Keys, func(key string) bool { return w.keys[key] }) {
		return true // it is about something else
	}
	if !w.tick(e) {
		return false
	}
	step := w.step(e)
	if step != nil && step.Kind == detect.Granted && e.acquires() == w.lock {
		if !w.lapse(e) {
			return false
		}
	}
	if step != nil && step.Kind == detect.Granted {
		for _, name := range slices.Clone(w.stays) {
			until := w.run.World().Client(name).Lease.Until
			if name != e.Client && (until == 0 || until <= w.run.World().Now()) && !w.leave(name, lang.Both("a guess: it never releases the lock, and another is granted it", "推测：它一直没有释放锁，而锁被别人得到")) {
				return false
			}
		}
	}
	switch e.Mark {
	case Enter, Leave:
		return w.mark(e)
	case Closed:
		if w.inside(e.Client) {
			return w.leave(e.Client, lang.Both("its connection is closed", "它的连接已关闭"))
		}
		return true
	}
	if w.lock != "" && w.inside(e.Client) && (!w.planned && w.endsStay(i) || step != nil && step.leaves()) && !w.leave(e.Client, lang.Text{}) {
		return false
	}
	if step != nil && (step.Kind == detect.Refused || step.Kind == detect.Asked) && e.acquires() == w.lock && w.run.World().Stored(0, w.lock) == nil {
		w.unsure++ // by a moment, the run would grant it
		return true
	}
	comment := lang.Format("line %d", "第 %d 行", e.Line)
	if e.Script > 0 {
		comment = lang.Format("line %d, by the script of line %d", "第 %d 行，由第 %d 行的脚本执行", e.Line, e.Script)
	}
	if e.Call != nil {
		recorded := e.Call.comment()
		comment = lang.Format("line %d; %s", "第 %d 行；%s", e.Line, recorded)
		if e.Command == nil {
			return w.note(e.Client + ": " + comment.In(w.language))
		}
	}
	a := engine.Action{Verb: engine.VerbDo, Client: e.Client, Command: w.shifted(e.Command)}
	events, ok := w.do(a, e, comment)
	if !ok || events == nil {
		return ok
	}
	w.written++
	w.compare(e, events)
	switch {
	case w.lock == "" || w.inside(e.Client):
	case w.planned:
		last := i+1 == len(w.entries) || e.Script == 0 || w.entries[i+1].Script != e.Script
		if step != nil && step.Kind == detect.Granted && last && w.run.World().Stored(0, w.lock) != nil {
			return w.enter(i)
		}
	case granted(events, w.lock) && e.acquires() == w.lock:
		return w.enter(i)
	}
	return true
}

// do does an action and writes its line. It reports false where the run takes no more; it returns no events for an
// action that the run refuses.
func (w *writer) do(a engine.Action, e *Entry, comment lang.Text) (events []engine.Event, ok bool) {
	line := engine.Line{Actions: []engine.Action{a}, Comment: oneLine(comment.In(w.language))}
	if !w.fits(line) {
		return nil, false
	}
	done, err := w.run.Do(a)
	if full := (*engine.FullError)(nil); errors.As(err, &full) {
		return nil, false
	}
	if err != nil {
		if refusal := (*engine.Refusal)(nil); w.refused == 0 && errors.As(err, &refusal) {
			w.why = refusal.Text
		}
		w.refused++
		return nil, true
	}
	if w.accuses(done.Events) && w.Log.doubt == 0 {
		line := math.MaxInt
		if e != nil {
			line = cmp.Or(e.Script, e.Line) // a script is inside as a whole, or not at all
		}
		if w.plan == nil || line < w.plan.guilty {
			w.Log.doubt = line
		}
	}
	if n := len(w.lines); a.Verb == engine.VerbTick && n > 0 && len(w.lines[n-1].Actions) == 1 {
		if last := &w.lines[n-1].Actions[0]; last.Verb == engine.VerbTick && last.Time+a.Time <= engine.MaxTick {
			last.Time += a.Time // nothing was written since
			return done.Events, true
		}
	}
	w.write(line)
	return done.Events, true
}

// accuses reports whether somebody is accused by what happened.
func (w *writer) accuses(events []engine.Event) bool {
	return slices.ContainsFunc(events, func(e engine.Event) bool {
		return e.Kind == engine.Violated && slices.Contains([]string{check.Overlap.Name, check.MutualExclusion.Name, check.ForeignDelete.Name}, e.Violation.Property)
	})
}

// note writes a comment that has a line of its own. It reports false where the scenario takes no more.
func (w *writer) note(comment string) bool {
	line := engine.Line{Comment: oneLine(comment)}
	if !w.fits(line) {
		return false
	}
	w.write(line)
	return true
}

func (w *writer) fits(line engine.Line) bool {
	return w.size+len(line.String())+len("\n") <= engine.MaxText-headSpace && len(w.lines) < w.number
}

func (w *writer) write(line engine.Line) {
	w.lines, w.size = append(w.lines, line), w.size+len(line.String())+len("\n")
}

// tick writes the time that has passed since the last entry. The parts of a millisecond add up, so that the sum never
// drifts from the log.
func (w *writer) tick(e *Entry) bool {
	if e.Time < w.last {
		w.base -= w.last - e.Time
		if w.jumps++; w.back == 0 {
			w.back = e.Line
		}
	}
	w.last = e.Time
	due := engine.Time((e.Time-w.base)/1e6) - w.passed
	if due > engine.MaxTick {
		w.base += int64(due-engine.MaxTick) * 1e6
		due = engine.MaxTick
		if w.gaps++; w.gap == 0 {
			w.gap = e.Line
		}
	}
	for due > 0 {
		next, leaves := due, ""
		for _, name := range w.stays {
			if c := w.run.World().Client(name); c.Lease.Until > 0 && c.Lease.Until-w.run.World().Now() <= next {
				next, leaves = max(0, c.Lease.Until-w.run.World().Now()), name
			}
		}
		if next > 0 {
			if _, ok := w.do(engine.Action{Verb: engine.VerbTick, Time: next}, e, lang.Text{}); !ok {
				return false
			}
			w.passed, due = w.passed+next, due-next
		}
		if leaves != "" && !w.leave(leaves, lang.Both("a guess: its TTL has run out, and it never releases the lock", "推测：TTL 已到期，而它一直没有释放锁")) {
			return false
		}
	}
	return true
}

// shifted returns a command whose expiry is on the clock of the run, which starts at 1000 s.
func (w *writer) shifted(command []string) []string {
	at := func(text string, unit int64) string {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n > 1<<52/unit || n < 0 {
			return text
		}
		return strconv.FormatInt(max(1, n*unit-w.base/1e6+int64(engine.Start)), 10)
	}
	moved := slices.Clone(command)
	switch command[0] {
	case "EXPIREAT", "PEXPIREAT":
		if len(moved) > 2 {
			unit := int64(1)
			if command[0] == "EXPIREAT" {
				unit = 1000
			}
			moved[0], moved[2] = "PEXPIREAT", at(moved[2], unit)
		}
	case "SET", "GETEX":
		first := 2
		if command[0] == "SET" {
			first = 3
		}
		for i := first; i+1 < len(moved); i++ {
			switch strings.ToUpper(moved[i]) {
			case "EXAT":
				moved[i], moved[i+1] = "PXAT", at(moved[i+1], 1000)
			case "PXAT":
				moved[i+1] = at(moved[i+1], 1)
			default:
				continue
			}
			i++
		}
	}
	return moved
}

// compare says at a command where the run replies something else than the recording.
func (w *writer) compare(e *Entry, events []engine.Event) {
	if e.Reply == "" {
		return
	}
	for i := range events {
		if events[i].Kind != engine.Receive {
			continue
		}
		computed := events[i].Execution.Reply
		if same(computed, e.Reply) {
			return
		}
		if w.differ++; w.firstDiff == 0 {
			w.firstDiff = e.Line
		}
		if e.Call != nil {
			return // the comment tells what was recorded
		}
		comment := oneLine(lang.Format("line %d; recorded: %s", "第 %d 行；录制的回复：%s", e.Line, clip(strings.ToValidUTF8(e.Reply.String(), "?"), 100)).In(w.language))
		w.lines[len(w.lines)-1].Comment = comment
		w.size += len(comment) + 30
	}
}

// same reports whether two replies say the same. Errors count as one, and RESP3 has a nil of its own.
func same(a, b redis.Reply) bool {
	if a.Err() != "" || b.Err() != "" {
		return a.Err() != "" && b.Err() != ""
	}
	return a == b || isNil(a) && isNil(b) || a.Plain() == b.Plain()
}

func isNil(r redis.Reply) bool { return r.IsNil() || r == "_\r\n" }

// oneLine returns a comment that stays on its line.
func oneLine(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
}

// quoted returns a key for a comment.
func quoted(key string) string { return clip(redis.Quote([]string{key}), 100) }

func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
