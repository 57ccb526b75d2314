package door

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"lockstep/engine/lang"
	"lockstep/static"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/picture"
	"lockstep/web/present"
)

// A card is the picture of a page's link. Its address is the page's with views.SitePicture behind it.

// cardWork is the work of drawing a card, cardEventWork that of an event on it, and cardByteWork that of a byte of the event's
// JSON, in units of the engine's work.
const (
	cardWork      = 6_000_000
	cardEventWork = 20_000
	cardByteWork  = 40
)

func workOf(card picture.Card) int64 {
	work := int64(cardWork)
	for _, event := range card.Events {
		work += cardEventWork + cardByteWork*int64(len(event))
	}
	return work
}

// CardMemory bounds the cards that the server keeps, in bytes: about 150 of them.
const CardMemory = 16 << 20

// cards keeps the cards that were drawn last.
type cards struct {
	mu    sync.Mutex
	Bytes int
	Kept  map[string]*list.Element
	Order *list.List // the one that was asked for last is the first
}

type keptCard struct {
	key string
	png []byte
}

func NewCards() *cards { return &cards{Kept: map[string]*list.Element{}, Order: list.New()} }

// Of returns the card of a key; nil: it is not kept.
func (c *cards) Of(key string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.Kept[key]
	if e == nil {
		return nil
	}
	c.Order.MoveToFront(e)
	return e.Value.(keptCard).png
}

// Keep keeps a card, and forgets those that nobody has asked for the longest.
func (c *cards) Keep(key string, png []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Kept[key] != nil {
		return
	}
	c.Kept[key] = c.Order.PushFront(keptCard{key, png})
	for c.Bytes += len(png); c.Bytes > CardMemory; {
		oldest := c.Order.Remove(c.Order.Back()).(keptCard)
		delete(c.Kept, oldest.key)
		c.Bytes -= len(oldest.png)
	}
}

// ShowCard answers with a card. The state is all that the card shows besides its address and the reader's language: the
// same state has the same picture.
func (rs *Responder) ShowCard(w http.ResponseWriter, r *http.Request, state string, describe func(lang.Language) (picture.Card, error)) {
	l, dark := Language(r), r.URL.Query().Get("theme") == "dark"
	_, address, _ := strings.Cut(strings.TrimSuffix(rs.PublicURL(r)+r.URL.Path, views.SitePicture), "://")
	sum := sha256.Sum256([]byte(strings.Join([]string{static.Path(""), address, string(l), strconv.FormatBool(dark), state}, "\n")))
	key := hex.EncodeToString(sum[:16])
	known, png := strings.Contains(r.Header.Get("If-None-Match"), key), rs.Cards.Of(key)
	if png == nil && !known {
		card, err := describe(l)
		if err == nil {
			err = limit.Spend(r.Context(), workOf(card))
		}
		if err != nil {
			rs.Refuse(w, r, err)
			return
		}
		card.Dark, card.Address = dark, address
		png = card.PNG()
		rs.Cards.Keep(key, png)
	}
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Cache-Control", "public, max-age=600")
	h.Set("Vary", "Accept-Language, Cookie")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // other sites show it beside the link
	h.Set("ETag", `"`+key+`"`)
	if known {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	rs.deliver(w, r, http.StatusOK, png, false)
}

// HandleSiteCard answers with the card of the site, which pages without one of their own have too.
func (rs *Responder) HandleSiteCard(w http.ResponseWriter, r *http.Request) {
	rs.ShowCard(w, r, "", func(l lang.Language) (picture.Card, error) { return present.HomeCard(l), nil })
}
