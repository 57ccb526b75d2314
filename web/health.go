package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A part is something that has to work for the site to work.
type part struct {
	name string
	ping func(context.Context) error
}

// health knows which parts of the server do not work, and why. It looks at most once
// a second, however often it is asked.
type health struct {
	parts []part

	mu     sync.Mutex
	looked time.Time
	failed map[string]string // why each part does not work, by name; those that work are not in it
	ending bool
}

const (
	pingEvery    = time.Second
	pingPatience = 2 * time.Second
)

// end says from now on that the server is about to end, so that a balancer sends
// its visitors elsewhere.
func (h *health) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ending = true
}

// check says on a line for each part that does not work why that is, and nothing
// where all of them do. A part that fails for another reason than when it was looked
// at last is in err: the log has a line for each change.
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

// look pings the parts, unless that was done just now; the lock is held.
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

// reason is why a part does not work, in a few words that name nobody.
func reason(err error) string {
	if said := (interface{ Reason() string })(nil); errors.As(err, &said) {
		return said.Reason()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "it does not answer"
	}
	return "it does not work"
}

// getHealth is for balancers and whoever watches over the server, hence not translated.
func (s *Server) getHealth(w http.ResponseWriter, r *http.Request) {
	failed, err := s.health.check(r.Context())
	s.tellHealth(err)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	said := "ok"
	if failed != "" {
		w.WriteHeader(http.StatusServiceUnavailable)
		said = failed
	}
	_, _ = fmt.Fprintln(w, said) // nobody is left to tell where it does not arrive
}

// tellHealth logs what has begun to fail.
func (s *Server) tellHealth(changed error) {
	if changed != nil {
		s.log.Error("health", "err", nameless(changed.Error()))
	}
}

// healthy is 1 while a part works, and 0 while it does not.
func (s *Server) healthy(part string) float64 {
	works, err := s.health.works(part)
	s.tellHealth(err)
	if works {
		return 1
	}
	return 0
}
