package door

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

// ClassOf returns the link to the room that a visitor is in; nil: none. It reads no log, because every page asks. Where
// this server has the room in memory, the room says whether the visitor's key is still good.
func (rs *Responder) ClassOf(r *http.Request) *views.ClassLink {
	if rs.Token != "" { // the site has no rooms
		return nil
	}
	for _, name := range []string{presentsCookie, attendsCookie} {
		named, _ := Cookie(r, name)
		code, ok := room.ParseCode(named)
		if !ok || !rs.HasBeenIn(r, code) {
			continue
		}
		presents := name == presentsCookie
		if h := rs.Rooms.Of(code); h != nil {
			who := h.Who(KeyOf(r, code))
			if class.Ask(h, (*room.Room).Over) || who.Presenter != presents || !presents && who.Seat == 0 {
				continue
			}
		}
		return &views.ClassLink{Code: code, Says: room.FormatCode(code), Path: present.RoomPath(code), Presenter: presents}
	}
	return nil
}

// SiteIn returns the site in a visitor's language, with the room that they are in: for an answer that is no page.
func (rs *Responder) SiteIn(r *http.Request) views.Site {
	site := rs.Site(Language(r))
	site.Class = rs.ClassOf(r)
	return site
}

// KeepClass has the visitor's browser remember a room that they are in, and forget a room that is over.
func (rs *Responder) KeepClass(w http.ResponseWriter, r *http.Request, code string, who room.Who, over bool) {
	for name, is := range map[string]bool{presentsCookie: who.Presenter, attendsCookie: who.Seat > 0} {
		kept, _ := Cookie(r, name)
		switch is = is && !over; {
		case is && kept != code:
			rs.SetCookie(w, r, http.Cookie{Name: name, Value: code, MaxAge: classTime})
		case !is && kept == code:
			rs.SetCookie(w, r, http.Cookie{Name: name, MaxAge: -1})
		}
	}
}

// HasBeenIn reports whether a request brings a key that the room of a code has given out.
func (g *gateway) HasBeenIn(r *http.Request, code string) bool {
	key, _ := Cookie(r, KeyCookie(code))
	key, mark, _ := strings.Cut(key, ".")
	return hmac.Equal([]byte(mark), []byte(g.Sign("room "+code, key)))
}
