package web

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"sync"

	"lockstep/web/limit"
	"lockstep/web/room"
	"lockstep/web/store"
)

// rooms has the rooms that somebody is in. A room in which nobody is is its log
// and nothing else.
type rooms struct {
	server *Server

	mu   sync.Mutex
	most int
	open map[string]*hub // by code
}

var (
	errNoRoom   = errors.New("room.none")
	errFullSite = errors.New("room.full-site") // every place for a room is taken
)

// use returns the room of that code, which stays until done is called.
func (g *rooms) use(code string) (h *hub, done func(), err error) {
	g.mu.Lock()
	h = g.open[code]
	if h == nil {
		if len(g.open) >= g.most {
			g.mu.Unlock()
			return nil, nil, errFullSite
		}
		h = newHub(code, g.server)
		g.open[code] = h
	}
	h.users++
	g.mu.Unlock()
	done = sync.OnceFunc(func() { g.done(h) })
	if err := h.load(); err != nil {
		done()
		return nil, nil, err
	}
	return h, done, nil
}

// enter is use for somebody who stays, and counts the room for their network: no network takes the places of all.
func (g *rooms) enter(network, code string) (h *hub, done func(), err error) {
	if h, done, err = g.use(code); err != nil {
		return nil, nil, err
	}
	if !g.count(h, network) {
		done()
		return nil, nil, errFullSite
	}
	return h, done, nil
}

func (g *rooms) count(h *hub, network string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if h.network == "" && g.server.guard.rooms.Take(network, 1) {
		h.network = network
	}
	return h.network != ""
}

// networkOf is the network for which a room is counted.
func (g *rooms) networkOf(h *hub) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return h.network
}

func (g *rooms) done(h *hub) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if h.users--; h.users == 0 {
		if h.network != "" {
			g.server.guard.rooms.Give(h.network, 1)
		}
		delete(g.open, h.code)
		h.stop()
	}
}

// here are the rooms that somebody is in, with this server.
func (g *rooms) here() []*hub {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make([]*hub, 0, len(g.open))
	for _, h := range g.open {
		all = append(all, h)
	}
	return all
}

// of is the room of a code if somebody is in it.
func (g *rooms) of(code string) *hub {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open[code]
}

// knows reports whoever brings a key of a room. It reads no log of a room that
// somebody is in, which would take longer for a code that there is.
func (g *rooms) knows(r *http.Request, code string) bool {
	key := keyOf(r, code)
	if key == "" {
		return false
	}
	h := g.of(code)
	if h == nil {
		opened, done, err := g.use(code)
		if err != nil {
			return false
		}
		defer done()
		h = opened
	}
	return h.who(key) != (room.Who{})
}

// create opens a room under a code that no other room has, and gives the key of
// its presenter. begin makes the run that it shows.
func (g *rooms) create(a *limit.Asker, begin func(code string) (*run, error)) (code, key string, err error) {
	key = newKey()
	for range 20 {
		code = newCode()
		log := replica{store: g.server.store, log: roomLog(code), owner: g.server.owner(a)}
		if err := log.read(func() {}, func([]byte) error { return nil }); err != nil {
			return "", "", err
		}
		if len(log.entries) > 0 {
			continue
		}
		r, err := begin(code)
		if err != nil {
			return "", "", err
		}
		e := room.Entry{Verb: room.VerbOpen, Code: code, Name: random(room.Names), Run: r.id, Key: room.HashKey(key)}
		switch err := log.append(e); {
		case err == nil:
			return code, key, nil
		case !errors.Is(err, store.ErrBehind):
			return "", "", err
		}
	}
	return "", "", errFullSite
}

func roomLog(code string) string { return "r/" + code }

// newCode draws a code. It is no secret: whoever is in the room reads it from the wall.
func newCode() string { return fmt.Sprintf("%06d", random(1_000_000)) }

func random(n int) int {
	drawn, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // crypto/rand never fails
	}
	return int(drawn.Int64())
}

// newKey draws what somebody is known by: 128 random bits.
func newKey() string { return rand.Text() }

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
func (s *Server) keepKey(w http.ResponseWriter, r *http.Request, code, key string) {
	s.setCookie(w, r, http.Cookie{Name: keyCookie(code), Value: key, MaxAge: 30 * 24 * 60 * 60})
}

// news is what another server has done in a room, or, where none is named, in any.
func (g *rooms) news(n store.News) error {
	var failed error
	for _, h := range g.here() {
		if n.Log == "" || n.Log == roomLog(h.code) {
			failed = errors.Join(failed, h.hear(n.Message))
		}
	}
	return failed
}

// close forgets all of them.
func (g *rooms) close() {
	for _, h := range g.here() {
		h.stop()
	}
}

// entryOf reads an entry of a room's log.
func entryOf(text []byte) (e room.Entry, err error) {
	err = json.Unmarshal(text, &e)
	return e, err
}
