package door

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"

	"lockstep/views"
)

// loads lets pages load files from this site only, and no inline scripts: if a
// program's name or a note got into the markup as a script, it would not run.
const loads = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"font-src 'self'; form-action 'self'; base-uri 'none'; "

// Policy is that of every page but those for frames: see policyFor.
const Policy = loads + "frame-ancestors 'none'"

func (g *gateway) Secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", g.policyFor(r.URL.Path))
		h.Set("X-Content-Type-Options", "nosniff")
		// With no-referrer, browsers send this site's own forms with the origin "null"
		// over plain http, as in a workshop's LAN, and sameOrigin would have to refuse
		// them. Other sites learn nothing with either policy.
		h.Set("Referrer-Policy", "same-origin")
		// No other site may hold a window of this one, or load its files. Over plain
		// http browsers ignore the first header, with a warning on every page.
		if g.Https(r) {
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		// Strict-Transport-Security is up to the proxy, which has the certificate and
		// may serve other sites on this host.
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
		next.ServeHTTP(w, r)
	})
}

// SameOrigin refuses forms that come from the pages of another site.
func SameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, views.Say(Language(r), "error.foreign"), http.StatusForbidden)
	}))
	return protection.Handler(next)
}

// HashSource allows one inline text in a content security policy.
func HashSource(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
