package roompages

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
	roomview "lockstep/views/room"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/limit"
	"lockstep/web/room"
	"lockstep/web/store"
)

// roomPages answers requests for the pages and forms of rooms.
type Pages struct {
	*door.Responder
	store   store.Store    // keeps the links that pair remotes
	guesses *limit.Guesses // at the codes of rooms
}

func New(rs *door.Responder, links store.Store, guesses *limit.Guesses) *Pages {
	return &Pages{rs, links, guesses}
}

// in returns a handler that enters the room of an address, reads the form and calls do. The
// key is the hash of the key that the request brings; empty: none.
func (p *Pages) in(do func(w http.ResponseWriter, r *http.Request, h *class.Room, key string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h, key, done, ok := p.enter(w, r)
		if !ok {
			return
		}
		defer done()
		if r.Method == http.MethodPost && !p.ParseForm(w, r, door.MaxForm) {
			return
		}
		do(w, r, h, key)
	}
}

// enter finds the room of an address for a visitor, or answers why they cannot enter. It counts
// wrong codes, which slow down the network that tries them. For strangers a room that is over
// does not exist. Guesses by others do not slow down a visitor who has been in the room.
func (p *Pages) enter(w http.ResponseWriter, r *http.Request) (h *class.Room, key string, done func(), ok bool) {
	code := chi.URLParam(r, "code")
	network := door.VisitorOf(r).Network
	ctx := r.Context()
	if !p.HasBeenIn(r, code) && !p.guesses.Try(ctx, code) {
		p.tooManyGuesses(w, r)
		return nil, "", nil, false
	}
	if err := limit.Begin(ctx); err != nil {
		p.Busy(w, r, err)
		return nil, "", nil, false
	}
	key = door.KeyOf(r, code)
	h, done, err := p.Rooms.Enter(ctx, code)
	if errors.Is(err, class.ErrNoRoom) && p.HasBeenIn(r, code) { // nobody guesses a code of which they have a key
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
		p.Refuse(w, r, err)
		return nil, "", nil, false
	}
	p.guesses.Right(network, code)
	p.Remember(w, r)
	p.KeepClass(w, r, code, h.Who(key), class.Ask(h, (*room.Room).Over))
	url, alone := p.Reaches(r)
	h.ReachedAt(url, alone, key)
	return h, key, done, true
}

// noRoom answers that no room has a code. The visitor's browser forgets that they were in it, and this page does not lead there either.
func (p *Pages) noRoom(w http.ResponseWriter, r *http.Request, status int, code, typed, says string) {
	p.KeepClass(w, r, code, room.Who{}, true)
	site := p.SiteFor(r)
	if site.Class != nil && site.Class.Code == code {
		site.Class = nil
	}
	p.Render(w, r, status, roomview.NoRoomPage(site, typed, views.Say(site.Lang, says)))
}

// keepKey keeps a key in the visitor's browser.
func (p *Pages) keepKey(w http.ResponseWriter, r *http.Request, code, key string) {
	p.SetCookie(w, r, http.Cookie{Name: door.KeyCookie(code), Value: key, MaxAge: 30 * 24 * 60 * 60})
}

// tooManyGuesses refuses a visitor from a network that tries too many codes.
func (p *Pages) tooManyGuesses(w http.ResponseWriter, r *http.Request) {
	p.Refused("guesses")
	w.Header().Set("Retry-After", "10")
	p.Name(w, r) // a visitor who returns with a name waits only for those who were served more recently
	p.Fail(w, r, http.StatusTooManyRequests, views.Say(door.Language(r), "error.guesses"))
}
