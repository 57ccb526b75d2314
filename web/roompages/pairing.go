package roompages

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"

	roomview "lockstep/views/room"
	runview "lockstep/views/run"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
	"lockstep/web/store"
)

// A pairing is the first entry in the log of a link that makes a device the
// presenter's. A second entry marks the link as used. Neither tells the room, as a room that is forgotten does not know its links.
type Pairing struct {
	Until   time.Time `json:"until"`
	Revoked int       `json:"revoked,omitempty"` // how often the presenter had revoked the room's remotes; the room refuses links from before
}

// RequestID returns no id: the entry in the room's log has it.
func (Pairing) RequestID() string { return "" }

// pairingTime is how long such a link works: it stands on a screen, and somebody scans
// it at once.
const pairingTime = 5 * time.Minute

var errPairing = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.pairing")

// offerPairing returns the secret of a new link.
func (p *Pages) offerPairing(ctx context.Context, h *class.Room) (secret string, err error) {
	secret = class.NewKey()
	offer := Pairing{Until: time.Now().Add(pairingTime), Revoked: class.Ask(h, (*room.Room).Revoked)}
	log := p.Pairing(h.Code(), secret)
	log.Owner = p.Rooms.Owner(ctx)
	return secret, log.Append(offer)
}

// readPairing returns the pairing and the log of an unused link, or an error for any other link.
func (p *Pages) readPairing(code, secret string) (offer Pairing, log *store.Log[Pairing], err error) {
	log = p.Pairing(code, secret)
	if err := log.Read(func() {}, func(first Pairing) error { offer = first; return nil }); err != nil {
		return Pairing{}, nil, err
	}
	if log.Len() != 1 || time.Now().After(offer.Until) {
		return Pairing{}, nil, errPairing
	}
	return offer, log, nil
}

// Pairing returns the log of a link, whose name nobody finds without the link.
func (p *Pages) Pairing(code, secret string) *store.Log[Pairing] {
	return store.NewLog[Pairing](p.store, "p/"+room.HashKey(code+" "+secret))
}

// handleOfferRemote gives the presenter a link that makes another device of theirs a
// remote. The link works once, and for a few minutes.
func (p *Pages) handleOfferRemote(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	if !h.Who(key).Presenter {
		p.Refuse(w, r, h.NotPresenter(key))
		return
	}
	secret, err := p.offerPairing(r.Context(), h)
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	link := p.PublicURL(r) + present.RoomPath(h.Code()) + "/remote?" + url.Values{"pair": {secret}}.Encode()
	p.Render(w, r, http.StatusOK, roomview.PairPage(h.Present(key, nil, p.SiteFor(r)), link, present.QR(link)))
}

// handleRemote answers with the presenter's remote. A phone that comes by a link confirms the pairing first.
func (p *Pages) handleRemote(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	switch secret := r.URL.Query().Get("pair"); {
	case h.Who(key).Presenter:
		p.showRoom(w, r, h, key, (*room.Room).Cursor, func(v roomview.Room, run runview.Page) templ.Component {
			v.First = class.Ask(h, func(in *room.Room) []int { return in.View(room.Who{Presenter: true}).Desk.First })
			return roomview.RemotePage(v, run)
		}, nil)
	case secret != "":
		p.Render(w, r, http.StatusOK, roomview.AcceptPage(h.Present(key, nil, p.SiteFor(r)), secret))
	default:
		p.Refuse(w, r, h.NotPresenter(key))
	}
}

// handlePairing makes a device a remote of the presenter's. The room recognizes the link by the id of its entry: the link
// makes one device a remote, and no second one. A refusal by the room does not use up the link.
func (p *Pages) handlePairing(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	secret := r.PostFormValue("pair")
	offer, log, err := p.readPairing(h.Code(), secret)
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	own := p.Rooms.RoomKey(h.Code())
	e := room.Entry{ID: class.RequestID("pair", secret), Verb: room.VerbPair, Key: room.HashKey(own), Revoked: offer.Revoked}
	err = h.As(r.Context(), room.Who{Presenter: true}, e)
	if err == nil && !h.Who(e.Key).Presenter { // the link has paired another device
		err = errPairing
	}
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	if err := log.Append(Pairing{}); err != nil { // the room has paired the device all the same
		p.Log.Debug("a link that is used", "err", door.Nameless(err.Error()))
	}
	if seat := h.Who(key).Seat; seat > 0 { // a remote is no person: the device gives up the seat that it took when it found the room
		if err := h.As(r.Context(), room.Who{Presenter: true}, room.Entry{Verb: room.VerbRemove, Seats: []int{seat}}); err != nil {
			p.Log.Debug("the seat of a remote", "err", door.Nameless(err.Error()))
		}
	}
	p.keepKey(w, r, h.Code(), own)
	http.Redirect(w, r, p.Base+present.RoomPath(h.Code())+"/remote", http.StatusSeeOther)
}
