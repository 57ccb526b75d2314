package session

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/room"
	"lockstep/web/store"
)

// A LiveRoom is a room and those who are in it with this server. Its lock orders what
// is done in the room and what its viewers are told. A run's lock may be taken
// under it, and never the other way round.
type LiveRoom struct {
	code    string
	manager *Manager
	users   int           // requests and sockets; the registry's lock guards it, and what follows
	network string        // for which it is counted; empty: for none
	counted int64         // bytes of its log that are
	unused  time.Time     // since when nobody has used it
	idle    *list.Element // where it stands among those that nobody uses; nil: it is used
	weight  atomic.Int64  // bytes of its log; 0: none has been read
	wake    chan struct{} // something has changed that can wait a moment
	leader  atomic.Value  // the network of whoever leads, as far as they have been here
	stop    func()

	notes notes

	mu        sync.Mutex
	log       *store.Log[room.Entry]
	room      *room.Room
	unsure    bool   // whether there is more in the log
	url       string // under which a phone reaches the site
	qr        views.QRCode
	viewers   map[*Viewer]struct{}
	told      map[toldRoom]*news // what viewers have heard last
	elsewhere presences
	progress  map[int]int // actions in the sandbox of a seat, between its marks
}

const (
	// calm is for how long changes are gathered that are no answer to anybody: three
	// hundred people who vote or join at once are told of thirty times, not three hundred.
	calm = 100 * time.Millisecond

	// A server says every heartbeat who is with it. A server that is silent for longer than gone does not count.
	heartbeat = 10 * time.Second
	gone      = 25 * time.Second
)

func newLiveRoom(code string, m *Manager) *LiveRoom {
	h := &LiveRoom{
		code: code, manager: m, wake: make(chan struct{}, 1),
		log: store.NewLog[room.Entry](m.Store, RoomLog(code)), room: room.New(),
		viewers: map[*Viewer]struct{}{}, told: map[toldRoom]*news{}, elsewhere: presences{}, progress: map[int]int{},
	}
	ended := make(chan struct{})
	ctx, end := context.WithCancel(context.Background())
	h.stop = sync.OnceFunc(func() { end(); close(ended) })
	go m.Survives(func() { h.beat(ctx, ended) }, func() {})()
	return h
}

// beat tells what could wait, and says now and then who is here; in the end, that
// nobody is. It is work of the network that leads the room: what anybody else owes is no reason that a class waits.
func (h *LiveRoom) beat(ctx context.Context, ended <-chan struct{}) {
	beats := time.NewTicker(heartbeat)
	defer beats.Stop()
	for open := true; open; {
		looks := false
		select {
		case <-ended:
			open = false
		case <-beats.C:
			looks = true
		case <-h.wake:
			select {
			case <-ended:
				open = false
			case <-time.After(calm):
			}
		}
		h.manager.Survives(func() {
			a := h.manager.Work.Asker(ctx, h.payer(), "room "+h.code)
			defer a.Done()
			_ = a.Begin() // where there is no turn, it is told all the same: it has waited
			h.mark(a)
			h.tellAll(a, looks)
		}, func() {})()
	}
}

// payer is the network whose work the room's own is: that of whoever leads it or, until they have been here, of whoever
// came first.
func (h *LiveRoom) payer() string {
	if network, ok := h.leader.Load().(string); ok {
		return network
	}
	return h.manager.Rooms.networkOf(h)
}

// tellAll tells the viewers and the other servers. Should that go wrong, the room is not locked for ever.
func (h *LiveRoom) tellAll(a *limit.Asker, looks bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if looks || h.unsure {
		h.look(a)
	}
	h.tellServers(false)
	a.Charge(h.tell())
}

// look finds out whether anything was done in the room that this server has not
// heard of: also an entry of its own, of which the store has not said that it is kept.
func (h *LiveRoom) look(a *limit.Asker) {
	err := h.catchUp(a)
	h.unsure = errors.Is(err, store.ErrUnavailable)
	if h.unsure {
		time.AfterFunc(betweenAsks, h.manager.Survives(h.soon, func() {}))
	}
	if err != nil {
		h.manager.Debug("looking at a room again", err)
	}
}

// soon has the viewers told within a moment. It takes no lock.
func (h *LiveRoom) soon() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// load reads what has been done in the room since, and reports whether that was all of it.
func (h *LiveRoom) load(a *limit.Asker) (first bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first = h.log.Len() == 0
	if err := h.catchUp(a); err != nil {
		return first, err
	}
	if h.room.Code() == "" {
		return first, ErrNoRoom
	}
	if first {
		h.tellServers(true)
	}
	return first, nil
}

// isBehind reads what has been done in the room since, and reports whether that was anything.
func (h *LiveRoom) isBehind(a *limit.Asker) (bool, error) {
	before := h.room.Len()
	err := h.catchUp(a)
	return h.room.Len() != before, err
}

// catchUp does what has been done at other servers, or before this one began. It is work of whoever asks.
func (h *LiveRoom) catchUp(a *limit.Asker) error {
	defer h.weigh()
	return h.log.Read(func() { h.room = room.New() }, func(e room.Entry) error {
		a.Charge(h.apply(e))
		h.soon()
		return nil
	})
}

// foldedEntry is about how many bytes a room takes in memory for each entry, beside the entry itself.
const foldedEntry = 64

// weigh notes how many bytes the log and its room take, and counts them.
func (h *LiveRoom) weigh() {
	bytes := h.log.Bytes() + foldedEntry*int64(h.log.Len())
	if h.weight.Swap(bytes) != bytes {
		h.manager.Rooms.recount(h)
	}
}

// What it takes to fold an entry, in units of the engine's work; and for each seat, where all of them are gone through.
const (
	FoldWork = 300
	seatWork = 30
)

// apply folds an entry, and returns how much work that was.
func (h *LiveRoom) apply(e room.Entry) (work int64) {
	work = FoldWork
	switch e.Verb {
	case room.VerbLanes, room.VerbPlace, room.VerbRemove, room.VerbShow:
		work += seatWork * int64(h.room.Seats())
	}
	h.room.Apply(e)
	if e.Verb == room.VerbOwn { // what is known is of another run
		delete(h.progress, e.Seat)
		h.elsewhere.forgetProgress(e.Seat)
	}
	return work
}

// Who is somebody by the hash of their key.
func (h *LiveRoom) Who(key string) room.Who {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	return who
}

// Ask is what the room says to a question.
func Ask[T any](h *LiveRoom, question func(*room.Room) T) T {
	h.mu.Lock()
	defer h.mu.Unlock()
	return question(h.room)
}

// may says whether somebody could append an entry now.
func (h *LiveRoom) may(key string, e room.Entry) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	return h.room.Can(who, e)
}

// RequestID is the id of somebody's request.
func RequestID(key, id string) string {
	if id == "" {
		return ""
	}
	return room.HashKey(key + id)[:32]
}

// hasDone reports whether the room has carried out a request.
func (h *LiveRoom) hasDone(key, id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.log.Has(RequestID(key, id))
}

// Do appends an entry for whoever has a key. What is so already is done. A request's id
// is that person's own: nobody can use up another's.
func (h *LiveRoom) Do(a *limit.Asker, key string, e room.Entry) error {
	e.ID = RequestID(key, e.ID)
	return h.append(a, func() room.Who {
		who, _ := h.room.Who(key)
		return who
	}, e)
}

// As appends an entry that the server makes for somebody.
func (h *LiveRoom) As(a *limit.Asker, who room.Who, e room.Entry) error {
	return h.append(a, func() room.Who { return who }, e)
}

func (h *LiveRoom) append(a *limit.Asker, who func() room.Who, e room.Entry) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		if h.log.Has(e.ID) {
			return nil
		}
		if refused := h.room.Can(who(), e); refused != nil {
			// It may be possible by now, as another server knows.
			switch behind, err := h.isBehind(a); {
			case err != nil:
				return err
			case behind:
				continue
			case errors.Is(refused, room.ErrSame):
				return nil
			}
			return refused
		}
		err := h.log.Append(e)
		if err == nil {
			break
		}
		if !errors.Is(err, store.ErrBehind) {
			h.unsure = true
			h.soon()
			return err
		}
		if err := h.catchUp(a); err != nil { // somebody at another server was faster
			return err
		}
	}
	a.Charge(h.apply(e))
	h.weigh()
	switch e.Verb {
	case room.VerbVote, room.VerbJoin, room.VerbName, room.VerbOwn, room.VerbMark:
		h.soon()
	default:
		a.Charge(h.tell())
	}
	return nil
}

// hear takes in what another server says: that the room's log has grown, or who is there.
func (h *LiveRoom) hear(message []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if message == nil {
		err := h.catchUp(nil)
		if errors.Is(err, store.ErrUnavailable) {
			h.unsure = true
			h.soon()
		}
		h.tell()
		return err
	}
	var p presence
	if err := json.Unmarshal(message, &p); err != nil {
		return err
	}
	p.heard = time.Now()
	h.elsewhere[p.Server] = p
	if p.Ask {
		h.tellServers(false)
	}
	h.soon()
	return nil
}

// tellServers says who is here.
func (h *LiveRoom) tellServers(ask bool) {
	if h.room.Code() == "" {
		return
	}
	here, away := h.mine()
	h.log.Tell(presence{Server: h.manager.Server, Ask: ask, Here: here, Away: away, Progress: h.progress})
	h.elsewhere.forgetSilent()
}

// mine returns the seats that are here with this server, and the seats among them that are away.
func (h *LiveRoom) mine() (here, away []int) {
	for v := range h.viewers {
		who, _ := h.room.Who(v.key)
		if who.Seat == 0 {
			continue
		}
		here = append(here, who.Seat)
		if v.away {
			away = append(away, who.Seat)
		}
	}
	slices.Sort(here)
	slices.Sort(away)
	return slices.Compact(here), slices.Compact(away)
}

// Join lets a viewer of one of the room's runs hear of the room, too.
func (h *LiveRoom) Join(a *limit.Asker, v *Viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.viewers[v] = struct{}{}
	fresh := map[toldRoom]*news{}
	a.Charge(h.tellOne(v, fresh))
	maps.Copy(h.told, fresh)
	h.soon()
}

// Leave lets a viewer hear of the room no more.
func (h *LiveRoom) Leave(v *Viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.viewers, v)
	h.soon()
}

// goAway notes whether a viewer looks at something else than the driver, and has it told soon or, where the viewer goes to
// and fro too fast, with what is told next. Of a spectator nobody is told.
func (h *LiveRoom) goAway(a *limit.Asker, v *Viewer, away bool) {
	if h.notesAway(v, away) && h.manager.mayEnter(a, h, v.key) == nil {
		h.soon()
	}
}

// notesAway notes it, and reports whether others see that it is so now.
func (h *LiveRoom) notesAway(v *Viewer, away bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(v.key)
	is := v.away != away
	v.away = away
	return is && who.Seat != 0
}

// toldRoom are the viewers of a room who are told the very same.
type toldRoom struct {
	language  lang.Language
	surface   Surface
	presenter bool
}

// A news is what those of one kind are told.
type news struct {
	message roomMessage
	frame   Frame
}

// tell lets all viewers know how the room is, made once for each kind of them.
// Whoever has heard just that is not told again.
func (h *LiveRoom) tell() (work int64) {
	fresh := map[toldRoom]*news{}
	for v := range h.viewers {
		work += h.tellOne(v, fresh)
	}
	h.told = fresh
	return work
}

// tellOne lets a viewer know how the room is, made once for those of a kind, and returns how much work that was.
func (h *LiveRoom) tellOne(v *Viewer, fresh map[toldRoom]*news) (work int64) {
	who, _ := h.room.Who(v.key)
	to := toldRoom{v.language, v.surface, who.Presenter}
	n := fresh[to]
	if n == nil {
		message := h.message(to)
		if n = h.told[to]; n == nil || !n.message.same(message) {
			n = &news{message, Encode(message)}
		}
		fresh[to] = n
		work += Drawing(n.frame.Size())
	}
	work += viewerWork + h.place(v, who)
	if v.owner != 0 {
		work += v.run.viewers.admit(v, h.room.MayLook(who, v.run.id, v.owner) == nil)
	}
	if v.heard != n {
		v.heard = n
		v.Send(n.frame)
	}
	if own := present.SeatOf(h.room, v.key, v.run.id, v.owner, v.language); v.own != own {
		v.own = own
		v.Send(Encode(own))
	}
	return work
}

// viewerWork is what it takes to find out what is a viewer's own and what they may do, in units of the engine's work.
const viewerWork = 300

// dress lets a phone be the client whose lane its seat has, before it hears of the run.
func (h *LiveRoom) dress(v *Viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(v.key)
	v.lane.Store(h.lane(v, who))
}

// place lets it be another client when the seat has got another lane.
func (h *LiveRoom) place(v *Viewer, who room.Who) (work int64) {
	lane := h.lane(v, who)
	if before, _ := v.lane.Load().(string); before != lane {
		v.lane.Store(lane)
		work = v.run.viewers.show(v)
	}
	return work
}

func (h *LiveRoom) lane(v *Viewer, who room.Who) string {
	if you := h.room.You(who.Seat); you != nil && v.surface == OnPhone {
		return you.Lane
	}
	return ""
}

// ReachedAt notes under which address the presenter reaches the site, which the
// whole room is shown. An address of this machine by which somebody else comes
// counts only as long as the presenter has not asked: others may be in another
// network than the room.
func (h *LiveRoom) ReachedAt(url, key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	if h.url == "" || who.Presenter && h.url != url {
		h.url, h.qr = url, present.QR(url+present.RoomPath(h.code))
	}
}

// Code returns the code of the room.
func (h *LiveRoom) Code() string { return h.code }

// Here returns how many seats are here, with any server.
func (h *LiveRoom) Here() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	here, _ := h.elsewhere.with(h.mine())
	return len(here)
}
