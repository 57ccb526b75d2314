package web

import (
	"net/http"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/views"
)

const languageCookie = "lang"

// language is what a viewer reads: as the link says, as they chose before, or
// as their browser prefers.
func language(r *http.Request) views.Language {
	if l, ok := known(r.URL.Query().Get("lang")); ok {
		return l
	}
	if kept, ok := choice(r, languageCookie); ok {
		if l, ok := known(kept); ok {
			return l
		}
	}
	return accepted(r.Header.Get("Accept-Language"))
}

// remember keeps the choice that a link has made.
func (s *Server) remember(w http.ResponseWriter, r *http.Request) {
	if l, ok := known(r.URL.Query().Get("lang")); ok {
		s.setCookie(w, r, http.Cookie{Name: languageCookie, Value: string(l), MaxAge: 365 * 24 * 60 * 60})
	}
}

func known(tag string) (views.Language, bool) {
	switch l := views.Language(tag); l {
	case views.English, views.Chinese:
		return l, true
	}
	return "", false
}

// accepted is the language of ours that the header gives the greatest weight;
// the first of equals, and English when it names neither.
func accepted(header string) views.Language {
	best, weight := views.English, 0.0
	for part := range strings.SplitSeq(header, ",") {
		tag, parameter, _ := strings.Cut(strings.TrimSpace(part), ";")
		primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
		l, ok := known(primary)
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

// engineLanguage is the same language as the engine names it.
func engineLanguage(l views.Language) lang.Language {
	if l == views.Chinese {
		return lang.Chinese
	}
	return lang.English
}
