package door

import (
	"net/http"
	"strconv"
	"strings"

	"lockstep/engine/lang"
)

const LanguageCookie = "lang"

// Language returns the language of the answer: the link's, the visitor's earlier
// choice, or their browser's preference, in this order.
func Language(r *http.Request) lang.Language {
	if l, ok := lang.Named(r.URL.Query().Get("lang")); ok {
		return l
	}
	if kept, ok := Choice(r, LanguageCookie); ok {
		if l, ok := lang.Named(kept); ok {
			return l
		}
	}
	return accepted(r.Header.Get("Accept-Language"))
}

// Remember keeps the language that a link has chosen. The address of a frame chooses it for the frame alone.
func (g *gateway) Remember(w http.ResponseWriter, r *http.Request) {
	if FrameOf(r) != nil {
		return
	}
	if l, ok := lang.Named(r.URL.Query().Get("lang")); ok {
		g.SetCookie(w, r, http.Cookie{Name: LanguageCookie, Value: string(l), MaxAge: 365 * 24 * 60 * 60})
	}
}

// accepted returns the one of our languages that the header weighs most, the first
// of equals, and English if the header names neither.
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
