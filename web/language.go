package web

import (
	"net/http"
	"strconv"
	"strings"

	"lockstep/engine/lang"
)

const languageCookie = "lang"

// language is what a viewer reads: as the link says, as they chose before, or
// as their browser prefers.
func language(r *http.Request) lang.Language {
	if l, ok := lang.Named(r.URL.Query().Get("lang")); ok {
		return l
	}
	if kept, ok := choice(r, languageCookie); ok {
		if l, ok := lang.Named(kept); ok {
			return l
		}
	}
	return accepted(r.Header.Get("Accept-Language"))
}

// remember keeps the choice that a link has made.
func (g *gateway) remember(w http.ResponseWriter, r *http.Request) {
	if l, ok := lang.Named(r.URL.Query().Get("lang")); ok {
		g.setCookie(w, r, http.Cookie{Name: languageCookie, Value: string(l), MaxAge: 365 * 24 * 60 * 60})
	}
}

// accepted is the language of ours that the header gives the greatest weight;
// the first of equals, and English when it names neither.
func accepted(header string) lang.Language {
	best, weight := lang.English, 0.0
	for part := range strings.SplitSeq(header, ",") {
		tag, parameter, _ := strings.Cut(strings.TrimSpace(part), ";")
		primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
		l, ok := lang.Named(primary)
		if !ok {
			continue
		}
		q := 1.0
		if text, found := strings.CutPrefix(strings.TrimSpace(parameter), "q="); found {
			var err error
			if q, err = strconv.ParseFloat(text, 64); err != nil {
				continue
			}
		}
		if q > weight {
			best, weight = l, q
		}
	}
	return best
}
