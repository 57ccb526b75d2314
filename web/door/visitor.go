package door

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"net/http"
	"strings"

	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/store"
)

// A visitor is the sender of a request, as far as limits tell senders apart: a network, and a person in it. A cookie that
// this site has signed makes a person; a visitor without one counts as their network. Neither tells who somebody is.
type Visitor struct{ Network, Person string }

const (
	VisitorCookie = "visitor"
	nameLength    = 10 // characters in the name of a person
)

type visitorKey struct{}

// Identify finds the visitor who has sent a request, for the handlers after it.
func (g *gateway) Identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := Visitor{Network: limit.Network(VisitorAddress(r))}
		if v.Person = g.named(r); v.Person == "" && g.Embeds() {
			v.Person = g.TokenName(r.URL.Query().Get(VisitorField), v.Network)
		}
		if v.Person == "" {
			v.Person = v.Network
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitorKey{}, v)))
	})
}

// VisitorOf returns the visitor who has sent a request.
func VisitorOf(r *http.Request) Visitor {
	v, _ := r.Context().Value(visitorKey{}).(Visitor)
	return v
}

// IsNamed reports whether a visitor has a name of their own.
func (v Visitor) IsNamed() bool { return v.Person != v.Network }

// self is the key of a person within their network.
func (v Visitor) self() string { return v.Network + " " + v.Person }

// named returns the name in a cookie that this site has signed; empty: there is none.
func (g *gateway) named(r *http.Request) string {
	value, _ := Cookie(r, VisitorCookie)
	name, mark, _ := strings.Cut(value, ".")
	if len(name) != nameLength || !hmac.Equal([]byte(mark), []byte(g.Sign("visitor", name))) {
		return ""
	}
	return name
}

// Name gives a visitor without a name one, for their next requests. A network gets enough names for real visitors. A
// name earns a share of the network's limits, and nothing beyond them.
func (g *gateway) Name(w http.ResponseWriter, r *http.Request) {
	if v := VisitorOf(r); !v.IsNamed() && g.Names.Allow(v.Network) {
		name := live.NewID()
		g.SetCookie(w, r, http.Cookie{Name: VisitorCookie, Value: name + "." + g.Sign("visitor", name)})
	}
}

// Sign returns a mark of 80 bits for a text. Only the servers of one store can make it.
func (g *gateway) Sign(what, text string) string {
	mac := hmac.New(sha256.New, g.Secret)
	mac.Write([]byte(what + "\x00" + text))
	return strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil)[:10]))
}

// A secret is the one entry of its log.
type secret struct {
	Key []byte `json:"key"`
}

// RequestID returns no id: no request asks for a secret.
func (secret) RequestID() string { return "" }

// SharedSecret returns the key with which all servers of a store sign. If the store does not answer, this server uses a
// key of its own until it restarts, and then its visitors get new names.
func SharedSecret(in store.Store) ([]byte, error) {
	var kept secret
	log := store.NewLog[secret](in, store.Lasting+"visitors")
	read := func() error {
		return log.Read(func() {}, func(s secret) error { kept = s; return nil })
	}
	err := read()
	if err == nil && kept.Key == nil {
		fresh := secret{make([]byte, 32)}
		_, _ = rand.Read(fresh.Key) // never fails
		if err = log.Append(fresh); err == nil {
			return fresh.Key, nil
		}
		if errors.Is(err, store.ErrBehind) { // another server was faster
			err = read()
		}
	}
	if kept.Key == nil {
		kept.Key = make([]byte, 32)
		_, _ = rand.Read(kept.Key)
	}
	return kept.Key, err
}
