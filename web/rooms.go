package web

import (
	"container/list"
	"crypto/hmac"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"time"

	"lockstep/web/limit"
	"lockstep/web/refusal"
	"lockstep/web/room"
	"lockstep/web/store"
)

// rooms has the rooms that somebody is in. A room in which nobody is is its log
// and, for a moment, what has been read of it: one page after the other is asked for.
type rooms struct {
	server *Server

	mu     sync.Mutex // a lock under which no room's is taken
	most   int
	open   map[string]*hub // by code
	unused *list.List      // of *hub, those that nobody uses, the longest unused first
	spare  int64           // bytes of the logs of these
	swept  bool            // there will be a sweep
}

// So long a room stays that nobody uses, so many of them, and so many bytes of their logs.
const (
	unusedTime  = 5 * time.Second
	mostUnused  = 32
	unusedBytes = 16 << 20
)

func newRooms(most int, s *Server) *rooms {
	return &rooms{server: s, most: most, open: map[string]*hub{}, unused: list.New()}
}

var (
	errNoRoom   = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.none")
	errFullSite = refusal.Declare(refusal.Unavailable, refusal.Refused, "room.full-site") // every place for a room is taken
)

// use returns the room of that code, which stays until done is called. To read a long one is a request that sets off much.
func (g *rooms) use(a *limit.Asker, code string) (h *hub, done func(), err error) {
	if h = g.take(code); h == nil {
		return nil, nil, errFullSite
	}
	done = sync.OnceFunc(func() { g.done(h) })
	first, err := h.load(a)
	if first && err == nil {
		err = a.Spend(0)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return h, done, nil
}

// take gives the place of a room; nil: there is none left.
func (g *rooms) take(code string) *hub {
	g.mu.Lock()
	defer g.mu.Unlock()
	h := g.open[code]
	if h == nil {
		if len(g.open) >= g.most && !g.dropOldest() {
			return nil
		}
		h = newHub(code, g.server)
		g.open[code] = h
	}
	if h.idle != nil {
		g.unused.Remove(h.idle)
		h.idle, g.spare, h.counted = nil, g.spare-h.counted, 0
	}
	h.users++
	return h
}

// enter is use for somebody who stays, and counts the room and its log for their network: no network takes the places of all.
func (g *rooms) enter(a *limit.Asker, code string) (h *hub, done func(), err error) {
	if h, done, err = g.use(a, code); err != nil {
		return nil, nil, err
	}
	if !g.count(h, a.Network()) {
		done()
		return nil, nil, errFullSite
	}
	return h, done, nil
}

func (g *rooms) count(h *hub, network string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if h.network != "" {
		return true
	}
	guard, bytes := g.server.guard, h.weight.Load()
	if !guard.rooms.Take(network, 1) {
		return false
	}
	if !guard.logs.Take(network, bytes) {
		guard.rooms.Give(network, 1)
		return false
	}
	h.network, h.counted = network, bytes
	return true
}

// recount counts the log of a room as it is now: those who are in the room stay, whether or not there is room for it.
func (g *rooms) recount(h *hub) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if h.network == "" {
		return // it is counted as soon as somebody stays
	}
	bytes := h.weight.Load()
	g.server.guard.logs.Force(h.network, bytes-h.counted)
	h.counted = bytes
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
	if h.users--; h.users > 0 {
		return
	}
	if h.network != "" {
		g.server.guard.rooms.Give(h.network, 1)
		g.server.guard.logs.Give(h.network, h.counted)
		h.network = ""
	}
	if h.counted = h.weight.Load(); h.counted == 0 {
		g.forget(h) // there is no such room
		return
	}
	h.unused, h.idle, g.spare = time.Now(), g.unused.PushBack(h), g.spare+h.counted
	for g.unused.Len() > mostUnused || g.spare > unusedBytes {
		g.dropOldest()
	}
	g.sweepLater()
}

func (g *rooms) sweepLater() {
	if !g.swept && g.unused.Len() > 0 {
		g.swept = true
		time.AfterFunc(unusedTime, g.server.survives(g.sweep, func() {}))
	}
}

// sweep forgets those that nobody has used for long.
func (g *rooms) sweep() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for oldest := g.unused.Front(); oldest != nil && time.Since(oldest.Value.(*hub).unused) >= unusedTime; oldest = g.unused.Front() {
		g.dropOldest()
	}
	g.swept = false
	g.sweepLater()
}

// dropOldest forgets the room that nobody has used for the longest time, if there is one.
func (g *rooms) dropOldest() bool {
	oldest := g.unused.Front()
	if oldest == nil {
		return false
	}
	h := g.unused.Remove(oldest).(*hub)
	h.idle, g.spare = nil, g.spare-h.counted
	g.forget(h)
	return true
}

func (g *rooms) forget(h *hub) {
	delete(g.open, h.code)
	h.stop()
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

// create opens a room under a code that no other room has, and gives the key of
// its presenter. begin makes the run that it shows.
func (g *rooms) create(a *limit.Asker, begin func(code string) (*run, error)) (code, key string, err error) {
	for range 20 {
		code = newCode()
		key = g.server.roomKey(code)
		log := store.NewLog[room.Entry](g.server.store, roomLog(code))
		log.Owner = g.server.owner(a)
		if err := log.Read(func() {}, func(room.Entry) error { return nil }); err != nil {
			return "", "", err
		}
		if log.Len() > 0 {
			continue
		}
		r, err := begin(code)
		if err != nil {
			return "", "", err
		}
		e := room.Entry{Verb: room.VerbOpen, Code: code, Name: random(room.Names), Run: r.id, Key: room.HashKey(key)}
		switch err := log.Append(e); {
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

// roomKey draws a key for a room, with the mark of its code. Nobody has such a key but from the room: so those who come in
// and out are known before anything is looked up, and a key that is made up tells nothing.
func (s *Server) roomKey(code string) string {
	key := newKey()
	return key + "." + s.sign("room "+code, key)
}

// hasBeenIn reports whoever brings a key that was given to somebody in the room of a code.
func (s *Server) hasBeenIn(r *http.Request, code string) bool {
	key, _ := cookie(r, keyCookie(code))
	key, mark, _ := strings.Cut(key, ".")
	return hmac.Equal([]byte(mark), []byte(s.sign("room "+code, key)))
}

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
