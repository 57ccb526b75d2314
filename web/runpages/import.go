package runpages

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/monitor"
	"lockstep/views"
	"lockstep/web/door"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

// maxLog bounds the log of a Redis that somebody sends, in bytes: a network may send 4 MB at once. Cut reads it importTries+3
// times, and each try is a run with a run's bounds.
const (
	maxLog      = 3 << 20
	MaxLogForm  = maxLog + 64<<10
	importTries = 3
)

// importByteWork is the work of reading a byte of a log that often, and importWork that of the runs, in units of the engine's work.
const (
	importByteWork = 14
	importWork     = 30_000_000
)

// mostRemarks bounds the remarks of an import that a run keeps.
const mostRemarks = 32

// handleImport opens a run with the part of a log around the first finding. The run opens there.
func (p *Pages) handleImport(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	log, ok := p.readLog(w, r)
	if !ok {
		return
	}
	ctx := r.Context()
	if err := limit.Spend(ctx, importByteWork*int64(len(log))+importWork); err != nil {
		p.Refuse(w, r, err)
		return
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(log)), nil }
	part, _, err := monitor.Cut(open, monitor.Window{Tries: importTries})
	if said := (lang.Speaker)(nil); errors.As(err, &said) {
		p.Fail(w, r, http.StatusUnprocessableEntity, said.Sentence(door.Language(r)))
		return
	} else if err != nil {
		p.Refuse(w, r, err)
		return
	}
	trace, err := live.Play(limit.PaceOf(ctx), part.Scenario(door.Language(r)).String())
	if err != nil {
		p.Fail(w, r, refusal.Of(err).Status, refusal.Of(err).In(door.Language(r)))
		return
	}
	run, err := p.Rooms.Runs.Add(ctx, trace.Run, live.Beginning{Remarks: remarksIn(trace.Scenario)})
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	where := Destination{Run: run, Step: run.Opening()}
	if finding := accusedAt(trace.Run); finding > 0 {
		where.Step = finding
	}
	http.Redirect(w, r, where.URL(p.Base), http.StatusSeeOther)
}

// readLog reads the log in a form, or answers why it cannot. It counts the bytes for their network until the log is complete.
func (p *Pages) readLog(w http.ResponseWriter, r *http.Request) (log []byte, ok bool) {
	whole := r.Body
	body := p.Counted(door.VisitorOf(r).Network, http.MaxBytesReader(w, whole, MaxLogForm))
	r.Body = struct {
		io.Reader
		io.Closer
	}{body, r.Body}
	ctx := r.Context()
	limit.Rest(ctx) // a slow sender waits for nobody, and nobody waits for a slow sender
	door.ReadUntil(w, time.Now().Add(door.BodyTime))
	log, err := logIn(r)
	body.Done()
	if err != nil {
		door.Discard(w, whole)
	}
	if err := limit.Begin(ctx); err != nil {
		p.Busy(w, r, err)
		return nil, false
	}
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case err == nil:
		door.ReadUntil(w, time.Time{}) // the handler answers without a deadline for reading
		return log, true
	case errors.Is(err, live.ErrReading):
		w.Header().Set("Connection", "close") // the server does not read the rest
		p.Busy(w, r, err)
	case errors.As(err, &tooLarge):
		p.Fail(w, r, http.StatusRequestEntityTooLarge, views.Say(door.Language(r), "share.say.log-large"))
	default:
		p.Fail(w, r, http.StatusBadRequest, views.Say(door.Language(r), "error.form"))
	}
	return nil, false
}

var errNoLog = errors.New("the form has no log")

// logIn returns the first file of a form.
func logIn(r *http.Request) ([]byte, error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, err
	}
	part, err := parts.NextPart()
	if err != nil {
		return nil, err
	}
	if part.FormName() != "log" {
		return nil, errNoLog
	}
	return io.ReadAll(part)
}

// remarksIn returns the remarks at the head of a scenario that was imported; nil: it was not.
func remarksIn(scenario *engine.Scenario) (remarks []string) {
	for _, line := range scenario.Lines {
		remark := line.Comment
		if len(line.Actions) > 0 || line.Expect != nil || len(remarks) == mostRemarks {
			break
		}
		if len(remarks) == 0 && !strings.HasPrefix(remark, "Imported from ") && !strings.HasPrefix(remark, "导入自") {
			return nil
		}
		if len(remark) > 500 {
			remark = strings.ToValidUTF8(remark[:500], "") + "…"
		}
		remarks = append(remarks, remark)
	}
	return remarks
}

// accusedAt returns the position at which somebody is first accused of what a lock promises not to happen; 0: nobody is.
func accusedAt(run *engine.Run) int {
	events := run.World().Events()
	i := slices.IndexFunc(events, func(e engine.Event) bool {
		return e.Kind == engine.Violated && slices.Contains([]string{check.Overlap.Name, check.MutualExclusion.Name, check.ForeignDelete.Name}, e.Violation.Property)
	})
	if i < 0 {
		return 0
	}
	return events[i].Action
}
