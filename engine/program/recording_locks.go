package program

import (
	"slices"
	"strings"

	"lockstep/engine/redis"
)

// Guards reports whether a key may be that of a lock: one by which a client of the recording enters. A recording that tells
// nothing of its lock has any.
func (p *Program) Guards(key string) bool {
	if p == nil {
		return true
	}
	r, ok := p.behaviour.(*recorded)
	return !ok || len(r.locks) == 0 || r.locks[key]
}

// A path is what a client of a recording has sent since it began, left, or wanted the lock again.
type path struct {
	latest  bool     // only its latest command that asks counts: who is inside is a guess from that one
	asked   []string // keys of commands that take a lock where there is none
	written []string // keys of the others
}

// locksOf collects the keys by which the clients of a recording enter: those that they have asked for, or else those that they have
// named. It reports false where a key is a value of the client's own: nobody knows its name.
func (s *step) locksOf(p path, locks map[string]bool) bool {
	if s == nil {
		return true
	}
	switch s.op.Kind {
	case Command:
		for _, part := range redis.Parts(s.op.Command) {
			keys := redis.Keys(part)
			if redis.Asks(part) {
				if p.latest {
					p.asked = nil
				}
				p.asked = append(slices.Clip(p.asked), keys...)
			} else if strings.ToUpper(part[0]) != "PUBLISH" {
				p.written = append(slices.Clip(p.written), keys...)
			}
		}
	case Enter:
		keys := p.asked
		if len(keys) == 0 {
			keys = p.written
		}
		for _, key := range keys {
			if Symbolic(key) {
				return false
			}
			locks[strings.Replace(key, "$$", "$", 1)] = true
		}
	case Leave, Want:
		p = path{latest: p.latest}
	}
	for _, after := range s.after {
		if !after.locksOf(p, locks) {
			return false
		}
	}
	return true
}
