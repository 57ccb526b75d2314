package learn

import (
	"maps"
	"slices"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A guess of who is inside counts only where what was learned bears it out.

// noLock returns a key by which clients enter although it is no lock, where they say nothing themselves; nothing: there is none. It
// is none if
//
//   - a client does the same next, whether its first request was granted or refused: it only sets something once, or
//   - nobody ever gives it back, and it never expires or there is another lock that is given back, or
//   - there are several places in it: fields of one hash.
//
// The second shows only when the whole is known. Before that, noLock looks at few histories alone: a set-once key shows early.
func (l *Learner) noLock(whole bool) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.recording.Markers || !whole && l.recording.Size() > mostEarly {
		return ""
	}
	given, fields, never := map[string]bool{}, map[string]string{}, ""
	for history, op := range l.recording.Histories() {
		switch op.Kind {
		case program.Command:
			key := l.asksFor(op)
			if key == "" {
				continue
			}
			if strings.EqualFold(op.Command[0], "HSETNX") && len(op.Command) > 2 {
				if other := fields[key]; other != "" && other != op.Command[2] {
					return key
				}
				fields[key] = op.Command[2]
			}
			if l.indifferent(history, op, key) && l.first(history, key) {
				return key
			}
		case program.Leave:
			if after, ok := l.recording.At(append(slices.Clip(history), program.Done)); ok && after.Kind != program.End {
				at := l.place(history)
				given[at.key] = true
			}
		}
	}
	if !whole {
		return ""
	}
	for history, op := range l.recording.Histories() {
		if op.Kind != program.Enter {
			continue
		}
		at := l.place(append(slices.Clip(history), program.Done))
		if at.key != "" && at.took != nil && !given[at.key] && (len(given) > 0 || redis.Stays(l.Redis, l.full(at.took), at.key)) && !l.named(history, at.key) {
			never = at.key
		}
	}
	return never
}

// mostEarly bounds the recordings that noLock looks at before they are whole.
const mostEarly = 500

// asksFor returns the key of the lock that an operation asks for; nothing: it asks for none.
func (l *Learner) asksFor(op program.Op) string {
	if op.Kind != program.Command {
		return ""
	}
	if keys := redis.Keys(l.full(op.Command)); len(keys) > 0 && l.wants(op.Command) {
		return keys[0]
	}
	return ""
}

// first reports whether a client has not asked for a key before.
func (l *Learner) first(history []string, key string) bool {
	for n := range history {
		if op, _ := l.recording.At(history[:n]); l.asksFor(op) == key {
			return false
		}
	}
	return true
}

// named reports whether a client that has entered after a history names a key later, whatever it does with it.
func (l *Learner) named(history []string, key string) bool {
	for other, op := range l.recording.Histories() {
		if op.Kind == program.Command && len(other) > len(history) && slices.Equal(other[:len(history)], history) && slices.Contains(redis.Keys(l.full(op.Command)), key) {
			return true
		}
	}
	return false
}

// indifferent reports whether a client sends the same next, whether a request for a lock was granted or refused, and it is no
// release.
func (l *Learner) indifferent(history []string, op program.Op, key string) bool {
	granted, refused := l.outcomes(history, op, key, false)
	return l.alikeNext(granted, refused, func(a, _ sent) bool { return !redis.Releases(l.full(a.op.Command), key) })
}

// outcomes returns what a client may send next where a request for a lock was granted, and where it was refused, or, with later,
// after its next sleep.
func (l *Learner) outcomes(history []string, op program.Op, key string, later bool) (granted, refused []sent) {
	for seen := range l.recording.After(history) {
		reply, isReply := asItIs(seen)
		next := l.sendsNext(append(slices.Clip(history), seen), later)
		switch {
		case !isReply || seen == program.Lost || strings.HasPrefix(seen, "(error) "):
		case l.acquires(l.full(op.Command), reply) == key:
			granted = append(granted, next...)
		default:
			refused = append(refused, next...)
		}
	}
	return granted, refused
}

// alikeNext reports whether a client that was refused a lock sends what one sends that was granted it, and both count.
func (l *Learner) alikeNext(granted, refused []sent, count func(granted, refused sent) bool) bool {
	return slices.ContainsFunc(granted, func(a sent) bool {
		return slices.ContainsFunc(refused, func(b sent) bool { return alike(a.op.Command, b.op.Command) && count(a, b) })
	})
}

// endsContent reports whether a client may end, content, after what it has sent.
func (l *Learner) endsContent(last sent) bool {
	for seen := range l.recording.After(last.history) {
		if op, _ := l.recording.At(append(slices.Clip(last.history), seen)); op.Kind == program.End && op.Code == 0 {
			return true
		}
	}
	return false
}

// A sent command is one after a history.
type sent struct {
	history []string
	op      program.Op
}

// sendsNext returns the commands that a client may send next after a history, as far as they are known. Unless it is about later,
// one that sleeps first sends none.
func (l *Learner) sendsNext(history []string, later bool) (all []sent) {
	op, known := l.recording.At(history)
	switch op.Kind {
	case program.Command:
		if known {
			all = append(all, sent{history, op})
		}
	case program.Sleep:
		if later {
			return l.sendsNext(append(slices.Clip(history), program.Done), later)
		}
	case program.Clock, program.Enter, program.Hold, program.Leave, program.Want:
		for seen := range l.recording.After(history) {
			all = append(all, l.sendsNext(append(slices.Clip(history), seen), later)...)
		}
	}
	return all
}

// asksInside returns a command that a client sends while it is inside, and that changes nothing, before it sleeps or sends the same
// again; nil: there is none.
func (l *Learner) asksInside() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for history, op := range l.recording.Histories() {
		if op.Kind != program.Sleep && op.Kind != program.Again {
			continue
		}
		for n := len(history) - 1; n >= 0; n-- {
			before, _ := l.recording.At(history[:n])
			if before.Kind == program.Clock {
				continue
			}
			if before.Kind == program.Command && l.place(history[:n]).inside && l.idle(l.full(before.Command), history[n]) {
				return before.Command
			}
			break
		}
	}
	return nil
}

// instead returns the keys of two locks, where a client that was refused the one takes the other: both may be places of one
// semaphore; nothing: none does.
func (l *Learner) instead() (one, other string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.locks) < 2 {
		return "", ""
	}
	for history, op := range l.recording.Histories() {
		if op.Kind != program.Enter {
			continue
		}
		key := l.place(append(slices.Clip(history), program.Done)).key
		for n := len(history) - 1; n >= 0; n-- {
			before, _ := l.recording.At(history[:n])
			if before.Kind == program.Leave || before.Kind == program.Enter {
				break
			}
			if asked := l.asksFor(before); asked != "" && asked != key && slices.Contains(l.locks, asked) {
				return asked, key
			}
		}
	}
	return "", ""
}

// givesIn returns the key of a lock, where a client that is refused at last goes on as one that has been granted the lock: to
// another command, or by a release to its end; nothing: none does.
func (l *Learner) givesIn() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	granted, refused := map[string][]sent{}, map[string][]sent{}
	for history, op := range l.recording.Histories() {
		if key := l.asksFor(op); key != "" {
			in, out := l.outcomes(history, op, key, true)
			granted[key], refused[key] = append(granted[key], in...), append(refused[key], out...)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(granted)) {
		if l.alikeNext(granted[key], refused[key], func(a, b sent) bool { return !redis.Releases(l.full(a.op.Command), key) || l.endsContent(b) }) {
			return key
		}
	}
	return ""
}

// unsure says why a verdict about a question would rest on a guess that cannot bear it; nothing: none would.
func (t *Test) unsure(l *Learner, verdict Verdict) (why lang.Text) {
	switch {
	case t.Question.Property == "unattended" && !l.recording.Markers:
		return withMarkers("nothing says who was inside: that a lock was granted does not mean that the work was done",
			"无法得知谁进过临界区：得到锁并不等于做了工作")
	case t.Question.Property == "overlap" && verdict == Holds && !l.recording.Markers:
		if one, other := l.instead(); one != "" {
			return withMarkers("a client that is refused %[1]s takes %[2]s, and Lockstep does not know whether these are two locks or two places in one", "有客户端得不到 %[1]s 就去取 %[2]s，Lockstep 无法得知这是两把锁，还是同一把锁的两个名额", redis.Quote([]string{one}), redis.Quote([]string{other}))
		}
		if key := l.givesIn(); key != "" {
			return withMarkers("a client that is refused %[1]s for the last time sends the same as one that is granted it, and Lockstep does not know whether it works without the lock", "有客户端最后一次得不到 %[1]s 时，发送的命令和得到它时一样，Lockstep 无法得知它是否在没有锁的情况下工作", redis.Quote([]string{key}))
		}
	case t.Question.Property == "stuck" && verdict == Holds:
		if command := l.asksInside(); command != nil {
			return lang.Format("a client that is inside waits there, by %[1]s, and Lockstep does not know whether it ever leaves", "有客户端在临界区内用 %[1]s 等待，Lockstep 无法判断它是否会离开", redis.Label(command))
		}
	}
	return lang.Text{}
}
