package web

import (
	"crypto/hmac"
	"net/http"
	"strings"

	"lockstep/views"
	"lockstep/web/class"
	"lockstep/web/present"
	"lockstep/web/room"
)

// A browser remembers the room that its visitor is in, and every page of the site leads back there. The cookies name a
// room and prove nothing: the key in another cookie does, by its signature.
const (
	presentsCookie = "presents" // the room that the visitor presents
	attendsCookie  = "attends"  // the room in which the visitor has a seat
	classTime      = 12 * 60 * 60
)

// classOf returns the link to the room that a visitor is in; nil: none. It reads no log, because every page asks. Where
// this server has the room in memory, the room says whether the visitor's key is still good.
func (rs *responder) classOf(r *http.Request) *views.ClassLink {
	if rs.token != "" { // the site has no rooms
		return nil
	}
	for _, name := range []string{presentsCookie, attendsCookie} {
		named, _ := cookie(r, name)
		code, ok := room.ParseCode(named)
		if !ok || !rs.hasBeenIn(r, code) {
			continue
		}
		presents := name == presentsCookie
		if h := rs.rooms.Of(code); h != nil {
			who := h.Who(keyOf(r, code))
			if class.Ask(h, (*room.Room).Over) || who.Presenter != presents || !presents && who.Seat == 0 {
				continue
			}
		}
		return &views.ClassLink{Code: code, Says: room.FormatCode(code), Path: present.RoomPath(code), Presenter: presents}
	}
	return nil
}

// siteIn returns the site in a visitor's language, with the room that they are in: for an answer that is no page.
func (rs *responder) siteIn(r *http.Request) views.Site {
	site := rs.site(language(r))
	site.Class = rs.classOf(r)
	return site
}

// keepClass has the visitor's browser remember a room that they are in, and forget a room that is over.
func (rs *responder) keepClass(w http.ResponseWriter, r *http.Request, code string, who room.Who, over bool) {
	for name, is := range map[string]bool{presentsCookie: who.Presenter, attendsCookie: who.Seat > 0} {
		kept, _ := cookie(r, name)
		switch is = is && !over; {
		case is && kept != code:
			rs.setCookie(w, r, http.Cookie{Name: name, Value: code, MaxAge: classTime})
		case !is && kept == code:
			rs.setCookie(w, r, http.Cookie{Name: name, MaxAge: -1})
		}
	}
}

// hasBeenIn reports whether a request brings a key that the room of a code has given out.
func (g *gateway) hasBeenIn(r *http.Request, code string) bool {
	key, _ := cookie(r, keyCookie(code))
	key, mark, _ := strings.Cut(key, ".")
	return hmac.Equal([]byte(mark), []byte(g.sign("room "+code, key)))
}
