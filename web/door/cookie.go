package door

import (
	"context"
	"net/http"

	"lockstep/web/room"
)

// Over https a cookie's name begins with a promise that browsers enforce. Only this host can set a cookie named __Host-…,
// over https and for all of its paths. A cookie named __Secure-… comes over https at least, and is all that a site below
// a base path can have. A neighbour under the same domain cannot replace the first kind, and an attacker in the network
// who answers http neither kind.

type prefixKey struct{}

// prefixed notes the prefix of a request's cookie names, for the handlers after it.
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
	case !g.Https(r):
		return ""
	case g.Base == "":
		return "__Host-"
	}
	return "__Secure-"
}

// SetCookie keeps a cookie in the visitor's browser: for this site only and out of reach of scripts. A browser that uses
// https never sends it in the clear.
func (g *gateway) SetCookie(w http.ResponseWriter, r *http.Request, c http.Cookie) {
	c.Name = g.prefix(r) + c.Name
	c.Path, c.HttpOnly, c.Secure = g.Base+"/", true, g.Https(r)
	if c.SameSite == 0 {
		c.SameSite = http.SameSiteLaxMode
	}
	http.SetCookie(w, &c)
}

// Cookie returns the value that setCookie has kept under a name, over https as over http. It accepts no cookie that came
// in any other way, because the value identifies somebody.
func Cookie(r *http.Request, name string) (value string, ok bool) {
	prefix, _ := r.Context().Value(prefixKey{}).(string)
	return sent(r, prefix+name)
}

// Choice returns a cookie that holds a visitor's choice of display. It falls back to a cookie from http, or from before
// names had prefixes. An attacker who replaces that one changes a colour.
func Choice(r *http.Request, name string) (value string, ok bool) {
	if value, ok = Cookie(r, name); ok {
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

// KeyOf returns the hash of the key that a request brings for a room; empty: none.
func KeyOf(r *http.Request, code string) string {
	key, ok := Cookie(r, KeyCookie(code))
	if !ok {
		return ""
	}
	return room.HashKey(key)
}

// KeyCookie returns the name of the cookie with a visitor's key in a room.
func KeyCookie(code string) string { return "room-" + code }
