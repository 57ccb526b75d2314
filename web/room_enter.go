package web

import (
	"crypto/hmac"
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/room"
	"lockstep/web/session"
	"lockstep/web/store"
)

// roomPages are the pages and forms of rooms.
type roomPages struct {
	*responder
	sessions *session.Manager
	store    store.Store    // of the links that pair remotes
	guesses  *limit.Guesses // at the codes of rooms
}

// in is a request about the room of its address, for whoever may have it. Its form
// has been read. The key is the hash of that which the request brings; empty: none.
func (p *roomPages) in(do func(w http.ResponseWriter, r *http.Request, h *session.LiveRoom, key string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h, key, done, ok := p.enter(w, r)
		if !ok {
			return
		}
		defer done()
		if r.Method == http.MethodPost && !p.parseForm(w, r, maxForm) {
			return
		}
		do(w, r, h, key)
	}
}

// enter finds the room of an address for whoever asks, or answers why they cannot
// have it. Codes that there are not are counted, and slow down the network that tries them; to
// strangers a room that is over is one that there is not. Somebody who has been in the room goes
// in and out whatever is tried beside them.
func (p *roomPages) enter(w http.ResponseWriter, r *http.Request) (h *session.LiveRoom, key string, done func(), ok bool) {
	code := chi.URLParam(r, "code")
	network := visitorOf(r).network
	a := askerOf(r)
	if !p.hasBeenIn(r, code) && !p.guesses.Try(a, code) {
		p.tooManyGuesses(w, r)
		return nil, "", nil, false
	}
	if err := a.Begin(); err != nil {
		p.busy(w, r, err)
		return nil, "", nil, false
	}
	key = keyOf(r, code)
	h, done, err := p.sessions.Rooms.Enter(a, code)
	if err == nil && h.Who(key) == (room.Who{}) && session.Ask(h, (*room.Room).Over) {
		done()
		err = session.ErrNoRoom
	}
	if errors.Is(err, session.ErrNoRoom) {
		p.guesses.Wrong(network)
		p.render(w, r, http.StatusNotFound, views.NoRoomPage(p.siteFor(r), code, views.Say(language(r), "room.none")))
		return nil, "", nil, false
	}
	if err != nil {
		p.refuse(w, r, err)
		return nil, "", nil, false
	}
	p.guesses.Right(network, code)
	p.remember(w, r)
	h.ReachedAt(p.publicURL(r), key)
	return h, key, done, true
}

// hasBeenIn reports whoever brings a key that was given to somebody in the room of a code.
func (p *roomPages) hasBeenIn(r *http.Request, code string) bool {
	key, _ := cookie(r, keyCookie(code))
	key, mark, _ := strings.Cut(key, ".")
	return hmac.Equal([]byte(mark), []byte(p.sign("room "+code, key)))
}

// keyCookie is where a browser has the key of somebody in a room.
func keyCookie(code string) string { return "room-" + code }

// keyOf is the hash of the key that a request brings for a room; empty: none.
func keyOf(r *http.Request, code string) string {
	key, ok := cookie(r, keyCookie(code))
	if !ok {
		return ""
	}
	return room.HashKey(key)
}

// keep lets a visitor's browser keep a key.
func (p *roomPages) keepKey(w http.ResponseWriter, r *http.Request, code, key string) {
	p.setCookie(w, r, http.Cookie{Name: keyCookie(code), Value: key, MaxAge: 30 * 24 * 60 * 60})
}
