package door

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/metrics"
)

// The metrics count events and name nobody: no label is an address, a name, a code
// or the id of a run. Every label has a bounded number of values: no request can
// add one.
type Metrics struct {
	All      metrics.Set
	requests *metrics.Family
	duration *metrics.Family
	sockets  *metrics.Family
	received *metrics.Series
	sent     *metrics.Series
	encoded  *metrics.Series
	Slow     *metrics.Series
	Panics   *metrics.Series
	refused  *metrics.Family
}

// Labels are in the order of their names.
func NewMetrics(runs func() float64, g *Guard) *Metrics {
	m := &Metrics{}
	counter := func(name, help string, labels ...string) *metrics.Family {
		return m.All.Family(metrics.Counter, "lockstep_"+name, help, labels...)
	}
	m.requests = counter("http_requests_total", "Requests that were answered; a socket's when it is opened.", "method", "route", "status")
	m.duration = m.All.Histogram("lockstep_http_request_duration_seconds", "How long answers took, sockets aside.", []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}, "method", "route")
	m.sockets = m.All.Family(metrics.Gauge, "lockstep_sockets_open", "Sockets that are open, by what they are for.", "surface")
	m.received = counter("messages_received_total", "Messages that sockets have brought.").With()
	m.sent = counter("messages_sent_total", "Messages that were sent on sockets.").With()
	m.encoded = counter("messages_encoded_total", "Messages that were encoded and compressed for the wire: each once, for all sockets that it was sent on.").With()
	m.Slow = counter("slow_viewers_total", "Viewers that were dropped because they read too slowly.").With()
	m.Panics = counter("panics_total", "Requests and sockets that ended in a mistake of the program.").With()
	m.refused = counter("refused_total", "What was refused because it was too much, by the limit.", "reason")
	m.All.Family(metrics.Gauge, "lockstep_runs_in_memory", "Runs that are in memory.").Reads(runs)
	held := m.All.Family(metrics.Gauge, "lockstep_held_bytes", "Bytes that the server holds for visitors, by what they are of: messages and forms that are being read, answers that are being taken, frames that wait for their viewers, runs that somebody uses, and those of them that rooms show.", "of")
	for of, by := range map[string]*limit.Shares{"reading": g.Reading, "answers": g.Answers, "frames": g.Frames, "runs": g.Runs.Shares, "room-runs": g.RoomRuns} {
		held.Reads(func() float64 { return float64(by.Held()) }, of)
	}
	m.All.Runtime()
	m.All.Process()
	return m
}

// socketFor returns the surface that a socket serves.
func socketFor(r *http.Request) string {
	if strings.HasPrefix(r.URL.Path, "/explore") {
		return "explorer"
	}
	return string(live.SurfaceOf(r.URL.Query().Get("surface")))
}

// Measure counts requests by the route that answers them.
func (j *journal) Measure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wrapped := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		began := time.Now()
		next.ServeHTTP(wrapped, r)
		route := chi.RouteContext(r.Context()).RoutePattern()
		if route == "" {
			route = "none"
		}
		method := r.Method
		if method != http.MethodGet && method != http.MethodHead && method != http.MethodPost {
			method = "other"
		}
		status := wrapped.Status()
		if status == 0 { // a socket took the connection over, or the handler wrote nothing
			status = http.StatusOK
			if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
				status = http.StatusSwitchingProtocols
			}
		}
		took := time.Since(began)
		j.Metrics.requests.With(method, route, strconv.Itoa(status)).Inc()
		if status != http.StatusSwitchingProtocols {
			j.Metrics.duration.Observe(took.Seconds(), method, route)
		}
		j.Log.Debug("request", "method", method, "route", route, "status", status, "took", took)
	})
}
