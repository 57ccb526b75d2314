package web

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/session"
)

// The metrics count events and name nobody: no label is an address, a name, a code
// or the id of a run. Every label has a bounded number of values: no request can
// add one.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	sockets  *prometheus.GaugeVec
	received prometheus.Counter
	sent     prometheus.Counter
	encoded  prometheus.Counter
	slow     prometheus.Counter
	panics   prometheus.Counter
	refused  *prometheus.CounterVec
}

func newMetrics(runs func() float64, g *guard) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "lockstep", Name: name, Help: help})
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "lockstep", Name: "http_requests_total", Help: "Requests that were answered; a socket's when it is opened."}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "lockstep", Name: "http_request_duration_seconds", Help: "How long answers took, sockets aside.", Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}}, []string{"route", "method"}),
		sockets:  prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "lockstep", Name: "sockets_open", Help: "Sockets that are open, by what they are for."}, []string{"surface"}),
		received: counter("messages_received_total", "Messages that sockets have brought."),
		sent:     counter("messages_sent_total", "Messages that were sent on sockets."),
		encoded:  counter("messages_encoded_total", "Messages that were encoded and compressed for the wire: each once, for all sockets that it was sent on."),
		slow:     counter("slow_viewers_total", "Viewers that were dropped because they read too slowly."),
		panics:   counter("panics_total", "Requests and sockets that ended in a mistake of the program."),
		refused:  prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "lockstep", Name: "refused_total", Help: "What was refused because it was too much, by the limit."}, []string{"reason"}),
	}
	m.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "lockstep", Name: "runs_in_memory", Help: "Runs that are in memory."}, runs),
		heldBytes("reading", g.reading), heldBytes("answers", g.answers), heldBytes("frames", g.Frames), heldBytes("runs", g.Runs.Shares), heldBytes("room-runs", g.RoomRuns),
		m.requests, m.duration, m.sockets, m.received, m.sent, m.encoded, m.slow, m.panics, m.refused,
	)
	return m
}

// heldBytes returns a gauge for the bytes that some shares hold.
func heldBytes(of string, by *limit.Shares) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "lockstep", Name: "held_bytes", ConstLabels: prometheus.Labels{"of": of},
		Help: "Bytes that the server holds for visitors, by what they are of: messages and forms that are being read, answers that are being taken, frames that wait for their viewers, runs that somebody uses, and those of them that rooms show.",
	}, func() float64 { return float64(by.Held()) })
}

// watch registers the health of the server's parts and the figures of its store.
func (m *metrics) watch(s *Server) {
	for _, p := range s.health.parts {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: "lockstep", Name: "health", Help: "1 if the part works, 0 if it fails, as in /healthz.", ConstLabels: prometheus.Labels{"part": p.name},
		}, func() float64 { return s.healthy(p.name) }))
	}
	m.registry.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "lockstep", Name: "store_bytes", Help: "Bytes that runs and rooms take in the store."}, func() float64 { return float64(s.store.Stats().Bytes) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "lockstep", Name: "store_max_bytes", Help: "Bytes above which the store refuses new runs and rooms; 0: no bound."}, func() float64 { return float64(s.store.Stats().MaxBytes) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: "lockstep", Name: "store_panics_total", Help: "Mistakes of the program in the store, of which each has ended one request or job."}, func() float64 { return float64(s.store.Stats().Panics) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: "lockstep", Name: "damaged_records_total", Help: "Damaged records that were found in the store."}, func() float64 { return float64(s.store.Stats().Damaged) }),
	)
}

// socketFor returns the surface that a socket serves.
func socketFor(r *http.Request) string {
	if strings.HasPrefix(r.URL.Path, "/explore") {
		return "explorer"
	}
	return string(session.SurfaceOf(r.URL.Query().Get("surface")))
}

// measure counts requests by the route that answers them.
func (j *journal) measure(next http.Handler) http.Handler {
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
		j.metrics.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
		if status != http.StatusSwitchingProtocols {
			j.metrics.duration.WithLabelValues(route, method).Observe(took.Seconds())
		}
		j.log.Debug("request", "method", method, "route", route, "status", status, "took", took)
	})
}

// handleMetrics answers addresses that may read the metrics; for others the page does
// not exist. An untrusted proxy on this machine forwards requests from anywhere, and
// its own address proves nothing about them. Nor does a browser's address, if its page
// has given this server a name (DNS rebinding): the host has to be this machine's or
// the public one.
func (s *Server) handleMetrics(from []netip.Prefix) http.HandlerFunc {
	shown := promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{})
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.isOurs(r) || !limit.Contains(from, visitorAddress(r)) || forwarded(r) && !s.fromProxy(r) {
			http.Error(w, views.Say(language(r), "error.none"), http.StatusNotFound) // no limit applies here, and a page would cost more
			return
		}
		shown.ServeHTTP(w, r)
	}
}
