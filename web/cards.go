package web

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/lang"
	"lockstep/static"
	"lockstep/views"
	"lockstep/web/live"
	"lockstep/web/picture"
	"lockstep/web/present"
	"lockstep/web/search"
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

// cardMemory bounds the cards that the server keeps, in bytes: about 150 of them.
const cardMemory = 16 << 20

// cards keeps the cards that were drawn last.
type cards struct {
	mu    sync.Mutex
	bytes int
	kept  map[string]*list.Element
	order *list.List // the one that was asked for last is the first
}

type keptCard struct {
	key string
	png []byte
}

func newCards() *cards { return &cards{kept: map[string]*list.Element{}, order: list.New()} }

// of returns the card of a key; nil: it is not kept.
func (c *cards) of(key string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.kept[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(keptCard).png
}

// keep keeps a card, and forgets those that nobody has asked for the longest.
func (c *cards) keep(key string, png []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept[key] != nil {
		return
	}
	c.kept[key] = c.order.PushFront(keptCard{key, png})
	for c.bytes += len(png); c.bytes > cardMemory; {
		oldest := c.order.Remove(c.order.Back()).(keptCard)
		delete(c.kept, oldest.key)
		c.bytes -= len(oldest.png)
	}
}

// showCard answers with a card. The state is all that the card shows besides its address and the reader's language: the
// same state has the same picture.
func (rs *responder) showCard(w http.ResponseWriter, r *http.Request, state string, describe func(lang.Language) (picture.Card, error)) {
	l, dark := language(r), r.URL.Query().Get("theme") == "dark"
	_, address, _ := strings.Cut(strings.TrimSuffix(rs.publicURL(r)+r.URL.Path, views.SitePicture), "://")
	sum := sha256.Sum256([]byte(strings.Join([]string{static.Path(""), address, string(l), strconv.FormatBool(dark), state}, "\n")))
	key := hex.EncodeToString(sum[:16])
	known, png := strings.Contains(r.Header.Get("If-None-Match"), key), rs.cards.of(key)
	if png == nil && !known {
		card, err := describe(l)
		if err == nil {
			err = askerOf(r).Spend(workOf(card))
		}
		if err != nil {
			rs.refuse(w, r, err)
			return
		}
		card.Dark, card.Address = dark, address
		png = card.PNG()
		rs.cards.keep(key, png)
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

// handleSiteCard answers with the card of the site, which pages without one of their own have too.
func (rs *responder) handleSiteCard(w http.ResponseWriter, r *http.Request) {
	rs.showCard(w, r, "", func(l lang.Language) (picture.Card, error) { return present.HomeCard(l), nil })
}

// handleCard answers with the card of a run at a position. Only a room may see its runs, so they have the site's.
func (p *runPages) handleCard(w http.ResponseWriter, r *http.Request) {
	run, done, ok := p.look(w, r)
	if !ok {
		return
	}
	defer done()
	if run.Place().Room != "" {
		p.handleSiteCard(w, r)
		return
	}
	step, err := position(r.URL.Query().Get("step"))
	if err != nil || step == live.Anywhere || step > run.Length() {
		step = run.Length()
	}
	p.showRunCard(w, r, run, step)
}

func (p *runPages) showRunCard(w http.ResponseWriter, r *http.Request, run *live.Run, step int) {
	state := live.See(run, func(s present.Run) string { return fmt.Sprint(s.Epoch, step, s.Claimed != nil) })
	p.showCard(w, r, state, func(l lang.Language) (picture.Card, error) { return run.Card(askerOf(r), step, l) })
}

// handleCourseCard answers with the card of a course.
func (p *coursePages) handleCourseCard(w http.ResponseWriter, r *http.Request) {
	if c := p.courseOf(w, r); c != nil {
		p.showCard(w, r, "", func(l lang.Language) (picture.Card, error) { return present.CourseCard(c, l), nil })
	}
}

// handleTaskCard answers with the card of a lesson up to its first question, or of a challenge at its start.
func (p *coursePages) handleTaskCard(w http.ResponseWriter, r *http.Request) {
	t := p.taskOf(r)
	if t.Lesson == nil || t.Challenge == nil && t.Lesson.Question == nil && chi.URLParam(r, "challenge") != "" {
		p.fail(w, r, http.StatusNotFound, views.Say(language(r), "error.none"))
		return
	}
	p.showCard(w, r, "", func(l lang.Language) (picture.Card, error) { return present.TaskCard(t, l), nil })
}

// handleCard answers with the card of a question for the explorer, and with the answer if it is known. It searches nothing.
func (p *explorePages) handleCard(w http.ResponseWriter, r *http.Request) {
	q, err := present.ReadQuestion(r.URL.Query())
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	found, known := p.explorer.Known(q.Question, false)
	if !known || q.Own { // the address has no room for an own program's text
		p.showCard(w, r, q.Query(), func(l lang.Language) (picture.Card, error) { return present.AskedCard(q, l), nil })
		return
	}
	p.showCard(w, r, q.Query()+" answered", func(l lang.Language) (picture.Card, error) {
		return present.AnsweredCard(q, found, search.Playing(q.Property, &found.Left, askerOf(r)), l)
	})
}
