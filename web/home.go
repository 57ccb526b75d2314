package web

import (
	"net/http"
	"net/url"
	"sync"

	"lockstep/engine/explore"
	siteview "lockstep/views/site"
	"lockstep/web/present"
)

// handleHome answers with the home page.
func (s *Server) handleHome(w http.ResponseWriter, r *http.Request) {
	s.Remember(w, r)
	asked := r.URL.Query()
	page := present.Home(s.Shelf.All(), homeAt(asked), asked.Get("show"), homeProof(), s.SiteFor(r))
	s.Render(w, r, http.StatusOK, siteview.HomePage(page))
}

// homeAt returns the query that names a state of the page: an order of the race, or a beat before it.
func homeAt(asked url.Values) string {
	for _, name := range []string{"order", "beat"} {
		if value := asked.Get(name); value != "" {
			return name + "=" + value
		}
	}
	return ""
}

// homeBudget bounds the search of the home page. The work of 200 ms is more than it takes, so its count is the same on every
// machine.
var homeBudget = explore.Budget{Memory: 16 << 20, Work: 20_000_000}

// homeProof searches what the repair can do, once in the life of the process. The first visitor waits for it: a few milliseconds,
// and no more than the budget allows.
var homeProof = sync.OnceValue(func() *explore.Answer {
	found, err := present.HomeQuestion().Search(homeBudget, explore.Runtime{}, 1)
	if err != nil {
		panic(err) // a test asks it
	}
	return found
})
