package web

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
	roomview "lockstep/views/room"
	"lockstep/web/class"
	"lockstep/web/limit"
	"lockstep/web/room"
	"lockstep/web/store"
)

// roomPages answers requests for the pages and forms of rooms.
type roomPages struct {
	*responder
	store   store.Store    // keeps the links that pair remotes
	guesses *limit.Guesses // at the codes of rooms
}

// in returns a handler that enters the room of an address, reads the form and calls do. The
// key is the hash of the key that the request brings; empty: none.
func (p *roomPages) in(do func(w http.ResponseWriter, r *http.Request, h *class.Room, key string)) http.HandlerFunc {
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

// enter finds the room of an address for a visitor, or answers why they cannot enter. It counts
// wrong codes, which slow down the network that tries them. For strangers a room that is over
// does not exist. Guesses by others do not slow down a visitor who has been in the room.
func (p *roomPages) enter(w http.ResponseWriter, r *http.Request) (h *class.Room, key string, done func(), ok bool) {
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
	h, done, err := p.rooms.Enter(a, code)
	if errors.Is(err, class.ErrNoRoom) && p.hasBeenIn(r, code) { // nobody guesses a code of which they have a key
		p.noRoom(w, r, http.StatusGone, code, "", "room.gone")
		return nil, "", nil, false
	}
	if err == nil && h.Who(key) == (room.Who{}) && class.Ask(h, (*room.Room).Over) {
		done()
		err = class.ErrNoRoom
	}
	if errors.Is(err, class.ErrNoRoom) {
		p.guesses.Wrong(network)
		p.noRoom(w, r, http.StatusNotFound, code, code, "room.none")
		return nil, "", nil, false
	}
	if err != nil {
		p.refuse(w, r, err)
		return nil, "", nil, false
	}
	p.guesses.Right(network, code)
	p.remember(w, r)
	p.keepClass(w, r, code, h.Who(key), class.Ask(h, (*room.Room).Over))
	url, alone := p.reaches(r)
	h.ReachedAt(url, alone, key)
	return h, key, done, true
}

// noRoom answers that no room has a code. The visitor's browser forgets that they were in it, and this page does not lead there either.
func (p *roomPages) noRoom(w http.ResponseWriter, r *http.Request, status int, code, typed, says string) {
	p.keepClass(w, r, code, room.Who{}, true)
	site := p.siteFor(r)
	if site.Class != nil && site.Class.Code == code {
		site.Class = nil
	}
	p.render(w, r, status, roomview.NoRoomPage(site, typed, views.Say(site.Lang, says)))
}

// keyCookie returns the name of the cookie with a visitor's key in a room.
func keyCookie(code string) string { return "room-" + code }

// keyOf returns the hash of the key that a request brings for a room; empty: none.
func keyOf(r *http.Request, code string) string {
	key, ok := cookie(r, keyCookie(code))
	if !ok {
		return ""
	}
	return room.HashKey(key)
}

// keepKey keeps a key in the visitor's browser.
func (p *roomPages) keepKey(w http.ResponseWriter, r *http.Request, code, key string) {
	p.setCookie(w, r, http.Cookie{Name: keyCookie(code), Value: key, MaxAge: 30 * 24 * 60 * 60})
}

// tooManyGuesses refuses a visitor from a network that tries too many codes.
func (p *roomPages) tooManyGuesses(w http.ResponseWriter, r *http.Request) {
	p.refused("guesses")
	w.Header().Set("Retry-After", "10")
	p.name(w, r) // a visitor who returns with a name waits only for those who were served more recently
	p.fail(w, r, http.StatusTooManyRequests, views.Say(language(r), "error.guesses"))
}
