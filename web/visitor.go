package web

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
	"lockstep/web/session"
	"lockstep/web/store"
)

// A visitor is who has sent a request, as far as limits tell visitors apart: a network, and in it a person, who has a
// cookie that this site has signed. Whoever has none is their network. It says nothing about anybody.
type visitor struct{ network, person string }

const (
	visitorCookie = "visitor"
	nameLength    = 10 // of a person
)

type visitorKey struct{}

// identify finds out who has sent a request, for those that come after it.
func (g *gateway) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := visitor{network: limit.Network(visitorAddress(r))}
		if v.person = g.named(r); v.person == "" {
			v.person = v.network
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitorKey{}, v)))
	})
}

// visitorOf is who has sent a request.
func visitorOf(r *http.Request) visitor {
	v, _ := r.Context().Value(visitorKey{}).(visitor)
	return v
}

// isNamed reports a visitor that has a name of their own.
func (v visitor) isNamed() bool { return v.person != v.network }

// named is the name in a cookie that this site has signed; empty: there is none.
func (g *gateway) named(r *http.Request) string {
	value, _ := cookie(r, visitorCookie)
	name, mark, _ := strings.Cut(value, ".")
	if len(name) != nameLength || !hmac.Equal([]byte(mark), []byte(g.sign("visitor", name))) {
		return ""
	}
	return name
}

// name gives a visitor that has no name one, for the requests to come. A network gets as many as come to it in earnest: a name
// gives a share within the network, and nothing beyond it.
func (g *gateway) name(w http.ResponseWriter, r *http.Request) {
	if v := visitorOf(r); !v.isNamed() && g.names.Allow(v.network) {
		name := session.NewID()
		g.setCookie(w, r, http.Cookie{Name: visitorCookie, Value: name + "." + g.sign("visitor", name)})
	}
}

// sign gives the mark of a text that only the servers of one store can make: 80 bits.
func (g *gateway) sign(what, text string) string {
	mac := hmac.New(sha256.New, g.secret)
	mac.Write([]byte(what + "\x00" + text))
	return strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil)[:10]))
}

// A secret is the one entry of its log.
type secret struct {
	Key []byte `json:"key"`
}

// RequestID returns no id: no request asks for a secret.
func (secret) RequestID() string { return "" }

// sharedSecret is what all servers of a store sign with. Where the store does not answer, this one has a secret of its
// own until it begins anew: then its visitors have to be told apart once more.
func sharedSecret(in store.Store) ([]byte, error) {
	var kept secret
	log := store.NewLog[secret](in, store.Lasting+"visitors")
	read := func() error {
		return log.Read(func() {}, func(s secret) error { kept = s; return nil })
	}
	err := read()
	if err == nil && kept.Key == nil {
		fresh := secret{make([]byte, 32)}
		_, _ = rand.Read(fresh.Key) // it never fails
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
