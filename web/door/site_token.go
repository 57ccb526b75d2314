package door

import (
	"crypto/subtle"
	"net/http"

	"lockstep/views"
)

// A site with a token is for one person on this machine: the person who has read the token where the server has printed it.
// The token comes once in an address, and then in a cookie. Any page in the person's browser reaches this machine, too:
// a request that names another host, or comes from the page of another origin, is refused even with the cookie.

const tokenField = "token"

// tokenCookie has the port in its name, so that several sites of this machine keep theirs. That hides nothing: browsers send a
// cookie to every port of a host. SameSite keeps it from requests that the page of another site begins.
func (g *gateway) tokenCookie(r *http.Request) string { return tokenField + "-" + portOf(r) }

// Admitted refuses requests without the token of the site, if it has one.
func (g *gateway) Admitted(next http.Handler) http.Handler {
	if g.Token == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !FromHere(r) || !fromOwnPage(r) {
			http.Error(w, views.Say(Language(r), "error.foreign"), http.StatusForbidden)
			return
		}
		query := r.URL.Query()
		if given := query.Get(tokenField); given != "" && r.Method == http.MethodGet && g.isToken(given) {
			g.SetCookie(w, r, http.Cookie{Name: g.tokenCookie(r), Value: given, SameSite: http.SameSiteStrictMode})
			query.Del(tokenField)
			to := *r.URL
			to.Scheme, to.Host, to.RawQuery = "", "", query.Encode()
			w.Header().Set("Cache-Control", "no-store")
			http.Redirect(w, r, g.Base+to.String(), http.StatusSeeOther)
			return
		}
		if kept, _ := Cookie(r, g.tokenCookie(r)); !g.isToken(kept) {
			http.Error(w, views.Say(Language(r), "error.token"), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (g *gateway) isToken(text string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(g.Token)) == 1
}
