package monitor

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
	"lockstep/engine/redis"
)

// lockKey returns the key that is taken to be the lock: most clients have asked for it with NX, and among equals, most
// often. It returns "" where nobody has.
func (l *Log) lockKey() string {
	type asked struct {
		clients map[string]bool
		times   int
	}
	var order []string
	all := map[string]*asked{}
	for _, e := range l.Entries {
		key := e.acquires()
		if key == "" {
			continue
		}
		if all[key] == nil {
			all[key] = &asked{clients: map[string]bool{}}
			order = append(order, key)
		}
		all[key].clients[e.Client] = true
		all[key].times++
	}
	best := ""
	for _, key := range order {
		if a, b := all[key], all[best]; b == nil || len(a.clients) > len(b.clients) || len(a.clients) == len(b.clients) && a.times > b.times {
			best = key
		}
	}
	return best
}

// acquires returns the key that an entry's command takes if it is free; "": it takes none.
func (e *Entry) acquires() string {
	command := e.Command
	switch {
	case len(command) < 3:
	case e.Call != nil && command[0] == "HSETNX":
		return command[1]
	case command[0] == "SETNX", command[0] == "SET" && redis.HasOption(command, "NX"):
		return command[1]
	case command[0] == "EVAL" && len(command) > 3 && command[1] == scriptText("set-and-fence"):
		return command[3]
	}
	return ""
}

func scriptText(name string) string {
	lua, _, _, _ := redis.Script(name)
	return lua
}

// granted reports whether a command created a key.
func granted(events []engine.Event, key string) bool {
	return slices.ContainsFunc(events, func(e engine.Event) bool {
		return e.Kind == engine.Deliver && slices.ContainsFunc(e.Changes, func(c engine.Change) bool { return c.Key == key && c.Old == nil && c.New != nil })
	})
}

// releases reports whether a command releases a key, if it still is the sender's.
func releases(command []string, key string) bool {
	if len(command) < 2 || !slices.Contains(redis.Keys(checked(command)), key) {
		return false
	}
	switch command[0] {
	case "DEL", "UNLINK", "GETDEL", "DELEX", "DELIFEQ":
		return true
	case "EVAL":
		return redis.Releases(checked(command), key)
	}
	return false
}

// checked returns a command as it goes to Redis.
func checked(command []string) []string {
	if full, refused := redis.Check(command); refused == nil {
		return full
	}
	return nil
}

// endsStay reports whether a client that is inside is no longer so when it sends an entry's command: it releases the
// lock, or asks for it again.
func (w *writer) endsStay(i int) bool {
	e := &w.entries[i]
	switch {
	case e.acquires() == w.lock, releases(e.Command, w.lock), e.triesRelease(w.lock):
		return true
	case e.Script == 0:
		return false
	}
	// A script that no scenario may have shows the commands that it ran. One that looks at the lock, and does nothing
	// else with it, has found another's value there: it was to release the lock.
	looks := false
	for j := i; j >= 0 && w.entries[j].Script == e.Script && w.entries[j].Client == e.Client; j-- {
		i = j
	}
	for _, other := range w.entries[i:] {
		if other.Script != e.Script || other.Client != e.Client {
			break
		}
		if slices.Contains(redis.Keys(checked(other.Command)), w.lock) {
			switch other.Command[0] {
			case "GET", "EXISTS", "TTL", "PTTL", "STRLEN", "DEL", "UNLINK":
				looks = true
			default:
				return false
			}
		}
	}
	return looks
}

// releasesLater reports whether a client that has been granted the lock by an entry releases it before it asks again.
func (w *writer) releasesLater(i int) bool {
	client := w.entries[i].Client
	for j := i + 1; j < len(w.entries); j++ {
		if e := &w.entries[j]; e.Client == client && (e.Command != nil || e.Call != nil) && w.endsStay(j) {
			return e.acquires() != w.lock
		}
	}
	return false
}

// mark writes a marker, if it fits.
func (w *writer) mark(e *Entry) bool {
	verb := engine.Verb(e.Mark)
	if (verb == engine.VerbEnter) == w.inside(e.Client) {
		w.loose++
		return true
	}
	_, ok := w.do(engine.Action{Verb: verb, Client: e.Client}, e, lang.Text{})
	return ok
}

// enter lets a client enter that was granted the lock.
func (w *writer) enter(i int) bool {
	e := &w.entries[i]
	if _, ok := w.do(engine.Action{Verb: engine.VerbEnter, Client: e.Client}, e, lang.Format("a guess: it was granted %s", "推测：它得到了 %s", quoted(w.lock))); !ok {
		return false
	}
	if step := w.step(e); step != nil && w.plan.stays[step.Hold] || !w.planned && !w.releasesLater(i) {
		w.stays = append(w.stays, e.Client)
	}
	return true
}

// step returns what an entry did to the lock, by the plan.
func (w *writer) step(e *Entry) *step {
	if !w.planned || e.Command == nil && e.Call == nil {
		return nil
	}
	line := e.Line
	if e.Script > 0 {
		line = e.Script
	}
	if s, ok := w.plan.steps[place{line, e.from}]; ok && s.lane == e.Client {
		return &s
	}
	return nil
}

// leaves reports whether a client that is inside is no longer so when it does this.
func (s *step) leaves() bool {
	switch s.Kind {
	case detect.Released, detect.TooLate, detect.Refused, detect.Asked, detect.Granted:
		return true
	case detect.Deleted:
		return s.By > 0
	}
	return false
}

// lapse lets the moment pass after which Redis has expired the lock, where the log's clock and the run's differ by a little.
func (w *writer) lapse(e *Entry) bool {
	for range 3 {
		s := w.run.World().Stored(0, w.lock)
		if s == nil || s.Expires == 0 || s.Expires > w.run.World().Now()+3 {
			return true
		}
		if _, ok := w.do(engine.Action{Verb: engine.VerbTick, Time: 1}, e, lang.Text{}); !ok {
			return false
		}
		w.passed++
	}
	return true
}

func (w *writer) leave(client string, why lang.Text) bool {
	w.stays = slices.DeleteFunc(w.stays, func(c string) bool { return c == client })
	_, ok := w.do(engine.Action{Verb: engine.VerbLeave, Client: client}, nil, why)
	return ok
}

func (w *writer) inside(client string) bool {
	c := w.run.World().Client(client)
	return c != nil && c.Status == engine.Inside
}
