package learn

import (
	"slices"
	"strings"

	"lockstep/engine/redis"
)

// What a command means, only what its client does next may tell. A twin shows it, alone with a Redis of its own.

// mostAhead bounds what a twin does there.
const mostAhead = 40

// givesBack reports whether a client that took a lock with a command gives it back by a key, before it asks for it again or ends.
func (l *Learner) givesBack(s *session, took []string, key string) (bool, error) {
	if l.Literal || took == nil { // there is no other process
		return false, nil
	}
	twin, a, err := l.twin(s, 0, 0)
	if err != nil {
		return false, err
	}
	defer l.put(twin, false)
	node := l.Redis.New(s.clock)
	defer node.Close()
	node.Do(l.full(twin.raw(took))...)
	for range mostAhead {
		switch {
		case a.Fault != nil || a.Ended || node.Unable() != nil:
			return false, nil
		case a.Asleep:
			twin.set(twin.clock + length(a))
			node.Advance(length(a))
		case redis.Releases(a.Command, key):
			return true, nil
		case l.refuses(a.Command, asRecorded(a.Command)) != nil || l.wants(asRecorded(a.Command)) || strings.EqualFold(a.Command[0], "GETSET"):
			return false, nil
		default:
			twin.process.Answer(node.Do(a.Command...))
		}
		a = twin.process.Next()
	}
	return false, nil
}

// steals reports whether a client that has wanted a lock and was refused has got it by a GETSET: it gives the lock back later.
func (l *Learner) steals(s *session, at *place) (bool, error) {
	key := at.swapped()
	wanted := slices.Index(at.asked, key)
	if key == "" || !slices.Contains(at.asked[wanted+1:], key) { // it has not asked before
		return false, nil
	}
	return l.givesBack(s, at.last(), key)
}
