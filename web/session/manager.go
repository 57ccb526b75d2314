package session

import (
	"errors"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/store"
)

// An Environment is what a server gives its sessions. All of it is set.
type Environment struct {
	Server  string // its id among the servers of the same store
	Store   store.Store
	Work    *limit.Work
	Limits  *Limits
	Courses []*course.Course

	MaxRuns    int // in memory at once
	MaxRooms   int // in use at once
	MaxViewers int // of one run at once

	Site     func(lang.Language) views.Site     // what the pages for a language know of the server
	Sign     func(what, text string) string     // returns a mark that only the servers of the store can make
	MayMake  func(network, person string) error // counts one more run or room of somebody
	Refused  func(what string)                  // counts what a limit has refused
	Slow     func()                             // counts a viewer who was dropped because they did not read
	Survives func(do, after func()) func()      // returns a function for a goroutine of its own, which ends no server
	Debug    func(what string, err error)       // logs what nobody has to act on
}

// Limits are how much of what sessions hold and do one network may have, one person, and all of them.
type Limits struct {
	Runs        *limit.PersonShares // bytes of runs that somebody uses
	RoomRuns    *limit.Shares       // bytes of runs that rooms show: strangers with long runs shut no presenter out
	Rooms, Logs *limit.Shares       // rooms that somebody is in, and bytes of their logs
	Frames      *limit.Shares       // bytes of messages that wait for their viewers

	Actions, OwnActions             *limit.Rates // in runs
	Entries, OwnEntries, Presenting *limit.Rates // in rooms
}

// A Manager has the runs and rooms that somebody uses, and the sockets of their viewers.
type Manager struct {
	Environment
	Runs    *Registry
	Rooms   *Rooms
	Sockets Sockets
}

// New returns a Manager that has nothing in memory.
func New(e Environment) *Manager {
	m := &Manager{Environment: e}
	m.Runs, m.Rooms = newRegistry(m), newRooms(m)
	return m
}

// News takes in what another server of the same store has done.
func (m *Manager) News(n store.News) error {
	err := m.Rooms.news(n)
	if n.Message == nil {
		err = errors.Join(err, m.Runs.news(n.Log))
	}
	return err
}

// task returns the task of a name; the zero one: there is none.
func (m *Manager) Task(name string) course.Task { return course.Find(m.Courses, name) }

// Owner returns whose share of the store a log takes that whoever asks begins: their network's, of which the store learns no
// address. What the server begins for itself is nobody's.
func (m *Manager) Owner(a *limit.Asker) string {
	if a.Network() == "" {
		return ""
	}
	return m.Sign("owner", a.Network())
}

// mayAct counts an action of somebody: as one of their network and, if they have a name, as themselves. Their network
// counts nothing that they may not.
func (l *Limits) mayAct(a *limit.Asker) bool {
	named := a.Person() != a.Network()
	return (!named || l.OwnActions.Allow(a.Network()+" "+a.Person())) && l.Actions.Allow(a.Network())
}

// Figures are what a Manager has in memory. Those who hold something and give it back leave none of it behind.
type Figures struct {
	Runs, Begun int   // begun: more than an address
	Used        int   // runs that somebody uses
	UsedBytes   int64 // that these take
	Idle        int64 // bytes that the others take
	Stray       bool  // a run that nobody uses is counted for somebody
	Rooms       int   // with their logs
	UnusedRooms int   // of them, those that nobody uses
	UnusedLogs  int64 // bytes of the logs of these
}

// Figures counts what is in memory now.
func (m *Manager) Figures() (f Figures) {
	m.Rooms.mu.Lock()
	f.Rooms, f.UnusedRooms, f.UnusedLogs = len(m.Rooms.open), m.Rooms.unused.Len(), m.Rooms.spare
	m.Rooms.mu.Unlock()
	g := m.Runs
	g.mu.Lock()
	defer g.mu.Unlock()
	f.Runs, f.Begun, f.Idle = len(g.runs), g.begun, g.spare
	for _, p := range g.runs {
		if p.users > 0 {
			f.Used++
			f.UsedBytes += p.bytes
		} else if p.network != "" || p.idle == nil {
			f.Stray = true
		}
	}
	return f
}
