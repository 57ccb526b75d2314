package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"lockstep/web/door"
)

// The site works only if each part works.
type part struct {
	name string
	ping func(context.Context) error
}

// health pings the parts of the server, at most once a second, and keeps the reason why
// each of them fails.
type health struct {
	parts []part

	mu     sync.Mutex
	looked time.Time
	failed map[string]string // the reason of each part that fails, by name
	ending bool
}

const (
	pingEvery    = time.Second
	pingPatience = 2 * time.Second
)

// end makes the health fail from now on: the server shuts down, and a balancer sends its
// visitors elsewhere.
func (h *health) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ending = true
}

// check returns one line for each part that fails, with the reason; empty: all work. The
// error names the parts that fail for a new reason, so that the log gets a line for each
// change.
func (h *health) check(ctx context.Context) (failed string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ending {
		return "ending", nil
	}
	err = h.look(ctx)
	var lines []string
	for _, p := range h.parts {
		if why, ok := h.failed[p.name]; ok {
			lines = append(lines, p.name+": "+why)
		}
	}
	return strings.Join(lines, "\n"), err
}

// works reports whether a part works.
func (h *health) works(part string) (bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	err := h.look(context.Background())
	_, failed := h.failed[part]
	return !failed, err
}

// look pings the parts, unless it did within the last second. The caller holds the lock.
func (h *health) look(ctx context.Context) (changed error) {
	if time.Since(h.looked) < pingEvery {
		return nil
	}
	failed := map[string]string{}
	for _, p := range h.parts {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingPatience)
		err := p.ping(ctx)
		cancel()
		if err == nil {
			continue
		}
		failed[p.name] = reason(err)
		if h.failed[p.name] != failed[p.name] {
			changed = errors.Join(changed, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	h.failed, h.looked = failed, time.Now()
	return changed
}

// reason returns in a few words why a part fails. The words name nobody.
func reason(err error) string {
	if said := (interface{ Reason() string })(nil); errors.As(err, &said) {
		return said.Reason()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "it does not answer"
	}
	return "it does not work"
}

// handleHealth answers balancers and monitors, in English only.
func (s *Server) handleHealth(w http.ResponseWriter, r *http.Request) {
	failed, err := s.health.check(r.Context())
	s.tellHealth(err)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	said := "ok"
	if failed != "" {
		w.WriteHeader(http.StatusServiceUnavailable)
		said = failed
	}
	_, _ = fmt.Fprintln(w, said) // if it does not arrive, nobody is left to tell
}

// tellHealth logs the parts that fail for a new reason.
func (s *Server) tellHealth(changed error) {
	if changed != nil {
		s.Log.Error("health", "err", door.Nameless(changed.Error()))
	}
}

// healthy returns 1 if a part works, and 0 if it fails.
func (s *Server) healthy(part string) float64 {
	works, err := s.health.works(part)
	s.tellHealth(err)
	if works {
		return 1
	}
	return 0
}
