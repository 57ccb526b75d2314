package door

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"lockstep/views"
	"lockstep/web/recovery"
)

// The log tells when the server begins and ends, which parts fail, and how much the
// server has refused. It names nobody: no address, name, code, cookie or run. At the
// level debug it has one line for each request, without these.
//
// There is one exception: the store names a damaged log, once. The operator needs the
// name to delete it.

// NewLogger writes to w, as text or as json.
func NewLogger(w io.Writer, format string, level slog.Level) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

// HttpLog returns the log for the errors of net/http, which often contain addresses.
func (j *journal) HttpLog() *log.Logger { return log.New(withoutAddresses{j.Log}, "", 0) }

type withoutAddresses struct{ log *slog.Logger }

func (w withoutAddresses) Write(line []byte) (int, error) {
	w.log.Warn("http", "err", Nameless(string(bytes.TrimSpace(line))))
	return len(line), nil
}

// Errors often name somebody: by the address at the other end of a connection, or by the
// name of an unreadable log, which contains the code of a room or the id of a run.
var (
	address   = regexp.MustCompile(`(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:.%a-z]+\])(:\d+)?`)
	nameOfLog = regexp.MustCompile(`\b[trfp]/[0-9a-z]{6,}`)
)

// Nameless returns an error's text without these names. The store's line about a damaged
// log does not pass through it.
func Nameless(text string) string {
	return nameOfLog.ReplaceAllString(address.ReplaceAllString(text, "…"), "…")
}

// A journal informs the operator: by the log, by the metrics, and by a summary of refusals.
type journal struct {
	Log     *slog.Logger
	Metrics *Metrics
	floods  floods
}

// floods counts refusals, and logs them once a minute at most: visitors who ask too
// often must not fill the log as well.
type floods struct {
	mu    sync.Mutex
	since map[string]int // by reason, since the last line
	told  time.Time
}

const tellEvery = time.Minute

// Refused counts one refusal, by the limit that caused it.
func (j *journal) Refused(reason string) {
	j.Metrics.refused.With(reason).Inc()
	f := &j.floods
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.since == nil {
		f.since = map[string]int{}
	}
	f.since[reason]++
	if time.Since(f.told) >= tellEvery {
		f.tell(j.Log)
	}
}

// tell logs the counts since its last line. The caller holds the lock.
func (f *floods) tell(log *slog.Logger) {
	var counts []any
	for _, reason := range slices.Sorted(maps.Keys(f.since)) {
		counts = append(counts, reason, f.since[reason])
	}
	if len(counts) > 0 {
		log.Warn("refused", counts...)
	}
	f.told = time.Now()
	clear(f.since)
}

// TellRest logs the last counts when the server ends.
func (j *journal) TellRest() {
	j.floods.mu.Lock()
	defer j.floods.mu.Unlock()
	j.floods.tell(j.Log)
}

// Recovers answers in place of a handler that panics. The server goes on.
func (rs *Responder) Recovers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wrapped := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			switch mistake := recover(); {
			case mistake == nil:
			case mistake == http.ErrAbortHandler:
				panic(mistake)
			default:
				rs.Broken(mistake)
				if wrapped.Status() == 0 && r.Header.Get("Upgrade") == "" {
					rs.Fail(wrapped, r, http.StatusInternalServerError, views.Say(Language(r), "error.broken"))
				}
			}
		}()
		next.ServeHTTP(wrapped, r)
	})
}

// Survives returns a function for a goroutine of its own. If do panics, the function logs the panic and calls after.
func (j *journal) Survives(do, after func()) func() {
	return recovery.Func(do, func(mistake any) {
		j.Broken(mistake)
		after()
	})
}

func (j *journal) Broken(mistake any) {
	j.Metrics.Panics.Inc()
	j.Log.Error("panic", "err", Nameless(fmt.Sprint(mistake)), "stack", string(debug.Stack()))
}
