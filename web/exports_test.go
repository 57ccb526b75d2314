package web

import (
	"net/http"
	"testing"

	"lockstep/web/runpages"
)

// The page of a run offers each format, under an address that serves it.
func TestMenuOffersEachFormat(t *testing.T) {
	s := newSite(t, Options{})
	page := s.get(aRun)
	for _, f := range runpages.Formats {
		page.wants(t, http.StatusOK, `href="`+aRun+"."+f.Extension+`" download="lockstep-aaaaaaaaaa.`+f.Extension+`">`+f.Title.English+"</a>")
		if a := s.get(aRun + "." + f.Extension); a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != f.MediaType {
			t.Errorf("%s: %s, %s", f.Name, a.Status, a.Header.Get("Content-Type"))
		}
	}
}
