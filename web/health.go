package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A part is something that has to work for the site to work.
type part struct {
	name string
	ping func(context.Context) error
}

// health knows which part of the server does not work. It looks at most once a
// second, however often it is asked.
type health struct {
	parts []part

	mu     sync.Mutex
	looked time.Time
	failed string // the name of a part; empty: all work
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

// check names what does not work, and nothing where everything does; err says why.
func (h *health) check(ctx context.Context) (failed string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ending {
		return "ending", nil
	}
	if time.Since(h.looked) < pingEvery {
		return h.failed, nil
	}
	h.failed = ""
	for _, p := range h.parts {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingPatience)
		err = p.ping(ctx)
		cancel()
		if err != nil {
			h.failed, err = p.name, fmt.Errorf("%s: %w", p.name, err)
			break
		}
	}
	h.looked = time.Now()
	return h.failed, err
}

// getHealth is for balancers and whoever watches over the server, hence not translated.
func (s *Server) getHealth(w http.ResponseWriter, r *http.Request) {
	failed, err := s.health.check(r.Context())
	if err != nil {
		s.log.Error("health", "err", err)
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	said := "ok"
	if failed != "" {
		w.WriteHeader(http.StatusServiceUnavailable)
		said = failed
	}
	_, _ = fmt.Fprintln(w, said) // nobody is left to tell where it does not arrive
}
