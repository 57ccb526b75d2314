package web

import (
	"net/http"
	"net/netip"

	"lockstep/views"
	"lockstep/web/door"
	"lockstep/web/limit"
	"lockstep/web/metrics"
	"lockstep/web/store"
)

// handleMetrics answers addresses that may read the metrics; for others the page does
// not exist. An untrusted proxy on this machine forwards requests from anywhere, and
// its own address proves nothing about them. Nor does a browser's address, if its page
// has given this server a name (DNS rebinding): the host has to be this machine's or
// the public one.
func (s *Server) handleMetrics(from []netip.Prefix) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.IsOurs(r) || !limit.Contains(from, door.VisitorAddress(r)) || door.Forwarded(r) && !s.FromProxy(r) {
			http.Error(w, views.Say(door.Language(r), "error.none"), http.StatusNotFound) // no limit applies here, and a page would cost more
			return
		}
		w.Header().Set("Content-Type", metrics.ContentType)
		_, _ = w.Write(s.Metrics.All.Text()) // a reader that has gone away misses nothing
	}
}

// watch adds to the metrics the health of the server's parts and the figures of its store.
func (s *Server) watch(m *door.Metrics) {
	health := m.All.Family(metrics.Gauge, "lockstep_health", "1 if the part works, 0 if it fails, as in /healthz.", "part")
	for _, p := range s.health.parts {
		health.Reads(func() float64 { return s.healthy(p.name) }, p.name)
	}
	of := func(kind metrics.Kind, name, help string, figure func(store.Stats) float64) {
		m.All.Family(kind, "lockstep_"+name, help).Reads(func() float64 { return figure(s.store.Stats()) })
	}
	of(metrics.Gauge, "store_bytes", "Bytes that runs and rooms take in the store.", func(f store.Stats) float64 { return float64(f.Bytes) })
	of(metrics.Gauge, "store_max_bytes", "Bytes above which the store refuses new runs and rooms; 0: no bound.", func(f store.Stats) float64 { return float64(f.MaxBytes) })
	of(metrics.Counter, "store_panics_total", "Mistakes of the program in the store, of which each has ended one request or job.", func(f store.Stats) float64 { return float64(f.Panics) })
	of(metrics.Counter, "damaged_records_total", "Damaged records that were found in the store.", func(f store.Stats) float64 { return float64(f.Damaged) })
}
