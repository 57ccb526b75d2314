package web

import (
	"context"
	"net/http"
)

// Over https the name of a cookie begins with a promise that browsers keep. A cookie named __Host-… has been set by this
// host itself, over https and for all of its paths; one named __Secure-… at least over https. Below a base path only the
// latter can be had. A neighbour under the same domain, or somebody in the network who answers for http, cannot put one
// in its place.

type prefixKey struct{}

// prefixed notes with which prefix a request's cookies are named, for those that come after it.
func (g *gateway) prefixed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if prefix := g.prefix(r); prefix != "" {
			r = r.WithContext(context.WithValue(r.Context(), prefixKey{}, prefix))
		}
		next.ServeHTTP(w, r)
	})
}

func (g *gateway) prefix(r *http.Request) string {
	switch {
	case !g.https(r):
		return ""
	case g.base == "":
		return "__Host-"
	}
	return "__Secure-"
}

// setCookie keeps something in the visitor's browser under a name: for this site only, out of reach of scripts, and
// never in the clear where the site is asked for by https.
func (g *gateway) setCookie(w http.ResponseWriter, r *http.Request, c http.Cookie) {
	c.Name = g.prefix(r) + c.Name
	c.Path, c.HttpOnly, c.SameSite, c.Secure = g.base+"/", true, http.SameSiteLaxMode, g.https(r)
	http.SetCookie(w, &c)
}

// cookie is what setCookie has kept under a name, over https as over http, and nothing that came in any other way: by it
// somebody is known.
func cookie(r *http.Request, name string) (value string, ok bool) {
	prefix, _ := r.Context().Value(prefixKey{}).(string)
	return sent(r, prefix+name)
}

// choice is cookie for what a visitor has chosen to see. What they chose before names had prefixes, or over http, counts as
// long as there is nothing else: whoever puts a cookie in its place changes a colour.
func choice(r *http.Request, name string) (value string, ok bool) {
	if value, ok = cookie(r, name); ok {
		return value, ok
	}
	return sent(r, name)
}

func sent(r *http.Request, name string) (value string, ok bool) {
	c, err := r.Cookie(name)
	if err != nil {
		return "", false
	}
	return c.Value, true
}
