package monitor

import (
	"slices"

	"lockstep/engine"
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
