package web

import (
	"net/http"
	"net/url"
	"sync"
	"time"

	"lockstep/engine/explore"
	siteview "lockstep/views/site"
	"lockstep/web/present"
	"lockstep/web/search"
)

// handleHome answers with the home page.
func (s *Server) handleHome(w http.ResponseWriter, r *http.Request) {
	s.Remember(w, r)
	asked := r.URL.Query()
	page := present.Home(s.Shelf.All(), homeAt(asked), asked.Get("show"), homeChances(), s.SiteFor(r))
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

// homeBudget bounds each search and each draw of the home page's chances. The work of 200 ms is more than they take, so
// their counts are the same on every machine.
var homeBudget = explore.Budget{Memory: 16 << 20, Work: 20_000_000}

const (
	homeSeed     = 1
	homeSearches = 3 // the quickest counts: it tells how long a search takes while nobody else needs the processor
)

// homeChances measures the chances once in the life of the process. The first visitor waits for it: about 25 ms, and
// no more than four budgets allow.
var homeChances = sync.OnceValue(func() (c present.HomeChances) {
	q := present.HomeQuestion()
	var err error
	if c.Luck, err = q.Sample(search.Schedules, homeSeed, homeBudget, explore.Runtime{}); err != nil {
		panic(err) // a test asks it
	}
	for range homeSearches {
		begun := time.Now()
		found, err := q.Search(homeBudget, explore.Runtime{}, 1)
		if err != nil {
			panic(err) // a test asks it
		}
		c.Search = *found
		if took := time.Since(begun); c.Took == 0 || took < c.Took {
			c.Took = took
		}
	}
	return c
})
