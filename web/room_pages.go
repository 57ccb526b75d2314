package web

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/views"
	"lockstep/web/room"
)

// postRoom opens a room: with a copy of a run up to a position, or with an empty
// run. Whoever asks is its presenter.
func (s *Server) postRoom(w http.ResponseWriter, r *http.Request) {
	if !s.parseForm(w, r, maxForm) {
		return
	}
	begins, how := engine.NewRun(engine.Header{}, check.All()...), beginning{}
	if id := r.PostFormValue("run"); id != "" {
		from, done, err := s.runs.look(id)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		defer done()
		if err := s.mayLook(r, from); err != nil {
			s.refuse(w, r, err)
			return
		}
		at, err := position(r.PostFormValue("at"))
		if err == nil && at == anywhere {
			at = from.length()
		}
		if err == nil {
			begins, err = from.prefix(at)
		}
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		how.Task = from.task().name()
	}
	code, key, err := s.rooms.create(func(code string) (*run, error) {
		how.Place = roomSeat{Room: code}
		return s.runs.add(begins, how)
	})
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.keepKey(w, r, code, key)
	http.Redirect(w, r, s.base+roomPath(code)+"/present", http.StatusSeeOther)
}

// join leads from a code, as somebody has typed it, to the room.
func (s *Server) join(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	typed := r.URL.Query().Get("code")
	if code, ok := room.ParseCode(typed); ok {
		http.Redirect(w, r, s.base+roomPath(code), http.StatusSeeOther)
		return
	}
	sentence := ""
	status := http.StatusOK
	if typed != "" {
		sentence, status = language(r).Say("room.malformed-code"), http.StatusUnprocessableEntity
	}
	s.render(w, r, status, views.NoRoomPage(s.siteFor(r), typed, sentence))
}

// enter finds the room of an address for whoever asks, or answers why they cannot
// have it. Codes that there are not are counted, so that nobody tries them all; to
// strangers a room that is over is one that there is not. Whoever is in the room goes
// in and out whatever somebody beside them tries.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) (h *hub, key string, done func(), ok bool) {
	code := chi.URLParam(r, "code")
	if !s.guesses.allow(r) && !s.rooms.knows(r, code) {
		s.tooManyGuesses(w, r)
		return nil, "", nil, false
	}
	key = keyOf(r, code)
	h, done, err := s.rooms.use(code)
	if err == nil && h.who(key) == (room.Who{}) && ask(h, (*room.Room).Over) {
		done()
		err = errNoRoom
	}
	if errors.Is(err, errNoRoom) {
		s.guesses.wrong(r)
		s.render(w, r, http.StatusNotFound, views.NoRoomPage(s.siteFor(r), code, language(r).Say("room.none")))
		return nil, "", nil, false
	}
	if err != nil {
		s.refuse(w, r, err)
		return nil, "", nil, false
	}
	s.remember(w, r)
	h.reachedAt(s.publicURL(r), key)
	return h, key, done, true
}

// reachedAt notes under which address the presenter reaches the site, which the
// whole room is shown. What somebody else has asked for counts only as long as the
// presenter has not: they could make up a host, and send the room there.
func (h *hub) reachedAt(url, key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	if h.url == "" || who.Presenter && h.url != url {
		h.url, h.qr = url, qr(url+roomPath(h.code))
	}
}

// roomPage answers with a page of the room that shows its run, too: where at says.
func (s *Server) roomPage(may func(room.Who) bool, at func(*room.Room) int, page func(views.Room, views.Page) templ.Component) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h, key, done, ok := s.enter(w, r)
		if !ok {
			return
		}
		defer done()
		if !may(h.who(key)) {
			s.refuse(w, r, room.ErrPresenterOnly)
			return
		}
		run, end, err := s.runs.use(ask(h, (*room.Room).Run))
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		defer end()
		site := s.siteFor(r)
		s.render(w, r, http.StatusOK, page(h.presentFor(key, site), presentPage(run, ask(h, at), site)))
	}
}

// atEnd is where a phone is, wherever the driver looks: its client goes on from there.
func atEnd(*room.Room) int { return anywhere }

func anybody(room.Who) bool    { return true }
func presents(w room.Who) bool { return w.Presenter }

// participantPage is where a code leads: the phone of whoever has a seat, and the
// question whether to join for others.
func participantPage(v views.Room, p views.Page) templ.Component {
	if v.Seat > 0 || v.Over != "" {
		return views.PhonePage(v, p)
	}
	return views.JoinPage(v)
}

// postSeat gives a visitor a seat, unless they have one.
func (s *Server) postSeat(w http.ResponseWriter, r *http.Request) {
	h, key, done, ok := s.enter(w, r)
	if !ok {
		return
	}
	defer done()
	if !s.parseForm(w, r, maxForm) {
		return
	}
	if h.who(key) == (room.Who{}) {
		own := newKey()
		if err := h.as(room.Who{}, room.Entry{Verb: room.VerbJoin, Key: room.HashKey(own)}); err != nil {
			s.refuse(w, r, err)
			return
		}
		s.keepKey(w, r, h.code, own)
		key = room.HashKey(own)
		if name, roster := r.PostFormValue("text"), r.PostFormValue("roster"); name != "" || roster != "" {
			e := room.Entry{Verb: room.VerbName, Seat: h.who(key).Seat, Text: name, Roster: roster}
			if err := h.do(key, e); err != nil {
				s.refuse(w, r, err)
				return
			}
		}
	}
	http.Redirect(w, r, s.base+roomPath(h.code), http.StatusSeeOther)
}

// present leads the presenter to the run, and whoever is none to where they belong.
func (s *Server) present(w http.ResponseWriter, r *http.Request) {
	h, key, done, ok := s.enter(w, r)
	if !ok {
		return
	}
	defer done()
	target := roomPath(h.code)
	if h.who(key).Presenter {
		target = pathOf(ask(h, (*room.Room).Run))
	}
	http.Redirect(w, r, s.base+target, http.StatusSeeOther)
}

// postDo does what a form of the room asks for, and leads back to its page.
func (s *Server) postDo(w http.ResponseWriter, r *http.Request) {
	h, key, done, ok := s.enter(w, r)
	if !ok {
		return
	}
	defer done()
	if !s.parseForm(w, r, maxForm) {
		return
	}
	if err := s.command(h, key, "", r.PostFormValue); err != nil {
		s.refuse(w, r, err)
		return
	}
	back := r.PostFormValue("back")
	if back == "" {
		back = roomPath(h.code)
	}
	http.Redirect(w, r, s.base+within(back), http.StatusSeeOther)
}

// postRemote gives the presenter a link that makes another device of theirs a
// remote. It works once, and for a few minutes.
func (s *Server) postRemote(w http.ResponseWriter, r *http.Request) {
	h, key, done, ok := s.enter(w, r)
	if !ok {
		return
	}
	defer done()
	if !h.who(key).Presenter {
		s.refuse(w, r, room.ErrPresenterOnly)
		return
	}
	pairing, err := s.offerPairing(h.code)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	link := s.publicURL(r) + roomPath(h.code) + "/remote?" + url.Values{"pair": {pairing}}.Encode()
	s.render(w, r, http.StatusOK, views.PairPage(h.presentFor(key, s.siteFor(r)), link, qr(link)))
}

// remote is the presenter's phone as a remote. A link that pairs it asks once.
func (s *Server) remote(w http.ResponseWriter, r *http.Request) {
	if pairing := r.URL.Query().Get("pair"); pairing != "" {
		h, key, done, ok := s.enter(w, r)
		if !ok {
			return
		}
		defer done()
		if !h.who(key).Presenter {
			s.render(w, r, http.StatusOK, views.AcceptPage(h.presentFor(key, s.siteFor(r)), pairing))
			return
		}
	}
	s.roomPage(presents, (*room.Room).Cursor, views.RemotePage)(w, r)
}

// postPairing makes a device a remote of the presenter's.
func (s *Server) postPairing(w http.ResponseWriter, r *http.Request) {
	h, _, done, ok := s.enter(w, r)
	if !ok {
		return
	}
	defer done()
	if !s.parseForm(w, r, maxForm) {
		return
	}
	if err := s.takePairing(h.code, r.PostFormValue("pair")); err != nil {
		s.guesses.wrong(r)
		s.refuse(w, r, err)
		return
	}
	own := newKey()
	if err := h.as(room.Who{Presenter: true}, room.Entry{Verb: room.VerbPair, Key: room.HashKey(own)}); err != nil {
		s.refuse(w, r, err)
		return
	}
	s.keepKey(w, r, h.code, own)
	http.Redirect(w, r, s.base+roomPath(h.code)+"/remote", http.StatusSeeOther)
}

func wallPage(v views.Room, _ views.Page) templ.Component { return views.WallPage(v) }
