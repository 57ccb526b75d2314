package web

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
	"lockstep/web/present"
	"lockstep/web/room"
)

// in is a request about the room of its address, for whoever may have it. Its form
// has been read. The key is the hash of that which the request brings; empty: none.
func (s *Server) in(do func(w http.ResponseWriter, r *http.Request, h *hub, key string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h, key, done, ok := s.enter(w, r)
		if !ok {
			return
		}
		defer done()
		if r.Method == http.MethodPost && !s.parseForm(w, r, maxForm) {
			return
		}
		do(w, r, h, key)
	}
}

// enter finds the room of an address for whoever asks, or answers why they cannot
// have it. Codes that there are not are counted, and slow down the network that tries them; to
// strangers a room that is over is one that there is not. Somebody who has been in the room goes
// in and out whatever is tried beside them.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) (h *hub, key string, done func(), ok bool) {
	code := chi.URLParam(r, "code")
	network := visitorOf(r).network
	a := askerOf(r)
	if !s.hasBeenIn(r, code) && !s.guesses.Try(a, code) {
		s.tooManyGuesses(w, r)
		return nil, "", nil, false
	}
	if err := a.Begin(); err != nil {
		s.busy(w, r, err)
		return nil, "", nil, false
	}
	key = keyOf(r, code)
	h, done, err := s.rooms.enter(a, code)
	if err == nil && h.who(key) == (room.Who{}) && ask(h, (*room.Room).Over) {
		done()
		err = errNoRoom
	}
	if errors.Is(err, errNoRoom) {
		s.guesses.Wrong(network)
		s.render(w, r, http.StatusNotFound, views.NoRoomPage(s.siteFor(r), code, language(r).Say("room.none")))
		return nil, "", nil, false
	}
	if err != nil {
		s.refuse(w, r, err)
		return nil, "", nil, false
	}
	s.guesses.Right(network, code)
	s.remember(w, r)
	h.reachedAt(s.publicURL(r), key)
	return h, key, done, true
}

// reachedAt notes under which address the presenter reaches the site, which the
// whole room is shown. An address of this machine by which somebody else comes
// counts only as long as the presenter has not asked: others may be in another
// network than the room.
func (h *hub) reachedAt(url, key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	if h.url == "" || who.Presenter && h.url != url {
		h.url, h.qr = url, present.QR(url+present.RoomPath(h.code))
	}
}
