package learn

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A place is where a history leads, as far as the lock is concerned.
type place struct {
	inside bool     // it has entered
	held   bool     // it was inside until somebody let it leave
	told   bool     // it has read its clock since its latest reply or sleep
	left   bool     // it has left, and has not wanted the lock again
	sent   bool     // it has sent a command or a marker at all
	key    string   // of the lock, where it was guessed
	took   []string // the command that took it
	asked  []string // keys of commands that take a lock where there is none, in its whole life

	commands []said // since it entered, left or wanted the lock last, with their replies
}

// said is a command with its observation.
type said struct {
	words []string
	seen  string
}

// place follows a history. Callers hold the lock.
func (l *Learner) place(history []string) place {
	var p place
	clock, sent := "", false
	for n := range len(history) {
		op, _ := l.recording.At(history[:n])
		sent = sent || op.Kind != program.Clock && op.Kind != program.Sleep
		switch op.Kind {
		case program.Clock:
			p.told = true
			if now := history[n]; now != clock {
				p.commands, clock = nil, now // it does not do again what it did at another time
			}
		case program.Sleep:
			p.told, p.commands = false, nil
		case program.Enter:
			p = place{asked: p.asked, inside: true, key: cmp.Or(p.lockKey(l), p.swapped(), p.refused(l)), took: p.last(), told: p.told && !l.recording.Markers}
		case program.Hold:
			p.held = true
		case program.Leave:
			p = place{asked: p.asked, left: true, told: p.told && !l.recording.Markers}
		case program.Want:
			p = place{asked: p.asked, told: p.told && !l.recording.Markers}
		case program.Command:
			if p.told = false; redis.Asks(op.Command) {
				p.asked = append(p.asked, redis.Keys(l.full(op.Command))...)
			}
			p.commands = append(p.commands, said{op.Command, history[n]})
		}
	}
	p.sent = sent
	return p
}

// ignore takes a key for none of a lock from now on.
func (l *Learner) ignore(key string) {
	l.mu.Lock()
	l.locks = slices.DeleteFunc(l.locks, func(other string) bool { return other == key })
	l.mu.Unlock()
	l.tries.Lock()
	defer l.tries.Unlock()
	l.beside[key] = true
}

// isLock returns a key, or nothing if it is none of a lock: nobody else can ask for one that has a client's own value.
func (l *Learner) isLock(key string) string {
	l.tries.Lock()
	defer l.tries.Unlock()
	if l.beside[key] || program.Symbolic(key) {
		return ""
	}
	return key
}

// last returns the latest command; nil: there is none.
func (p *place) last() []string {
	if len(p.commands) == 0 {
		return nil
	}
	return p.commands[len(p.commands)-1].words
}

// releases reports whether a command of a client that is inside gives back its lock. One that sets how long the lock lives does if
// the client gives nothing back later: otherwise it is a renewal that has gone wrong.
func (p *place) releases(l *Learner, s *session, words []string) (bool, error) {
	if redis.Releases(l.full(words), p.key) {
		return true, nil
	}
	command := l.full(s.spelled(words))
	if frees := p.frees(l, command, max(s.clock, int64(engine.Start))); !frees || !redis.Renews(command) {
		return frees, nil
	}
	later, err := l.givesBack(s, p.took, p.key)
	return !later, err
}

// frees reports whether somebody else gets the lock of a client that is inside after a command, whose own values are symbols. now is
// what the client's clock says: a moment that the command names may have passed.
func (p *place) frees(l *Learner, command []string, now int64) bool {
	if p.took == nil || redis.Reads(command) || !slices.Contains(redis.Keys(command), p.key) && !redis.Reaches(command) {
		return false
	}
	took := l.full(p.took)
	name := redis.Quote(took) + "\n" + redis.Quote(command)
	l.tries.Lock()
	defer l.tries.Unlock()
	at := name + "\n" + strconv.FormatInt(now, 10)
	for _, name := range []string{name, at} {
		if frees, known := l.freed[name]; known {
			return frees
		}
	}
	frees, timed := redis.Frees(l.Redis, now, took, command)
	if timed {
		name = at
	}
	l.freed[name] = frees
	return frees
}

// lockKey returns the key of the lock that the last command took; nothing: it took none.
func (p *place) lockKey(l *Learner) string {
	if len(p.commands) == 0 {
		return ""
	}
	last := p.commands[len(p.commands)-1]
	if last.words[0] == "GET" && isOwn(last.seen) && slices.Contains(p.asked, last.words[1]) { // its own value is there: the reply that said so was lost
		return last.words[1]
	}
	reply, ok := asItIs(last.seen)
	if !ok {
		return ""
	}
	return l.isLock(l.acquires(l.full(last.words), reply))
}

// acquires returns the key of the lock that a command was granted with this reply; nothing: it was granted none. A script that
// nobody knows is tried.
func (l *Learner) acquires(command []string, reply redis.Reply) string {
	if t, ok := l.trial(command); ok {
		if t.Granted(reply) {
			return t.Key
		}
		return ""
	}
	key, _ := redis.Acquires(command, reply)
	return key
}

// trial returns what a script that nobody knows does, if the command is one that can be tried.
func (l *Learner) trial(command []string) (t redis.Trial, ok bool) {
	if command[0] != "EVAL" || len(command) < 3 || redis.ScriptName(command[1]) != "" {
		return t, false
	}
	name := redis.Quote(command)
	l.tries.Lock()
	defer l.tries.Unlock()
	if t, ok = l.trials[name]; !ok {
		t = redis.Try(l.Redis, command)
		l.trials[name] = t
	}
	return t, t.Executed()
}

// several returns a script that lets a second client write beside a first one; nothing: none does.
func (l *Learner) several() string {
	l.tries.Lock()
	defer l.tries.Unlock()
	for _, name := range slices.Sorted(maps.Keys(l.trials)) {
		if words, refusal := redis.Split(name); refusal == nil && l.trials[name].Shared {
			return redis.Label(asRecorded(words))
		}
	}
	return ""
}

// swapped returns the key whose value the last command has replaced by the client's; nothing: it has replaced none. Whether it
// has taken a lock by that, only its next command tells: it gives the key back.
func (p *place) swapped() string {
	if len(p.commands) == 0 {
		return ""
	}
	if last := p.commands[len(p.commands)-1].words; strings.EqualFold(last[0], "GETSET") && len(last) > 1 {
		return last[1]
	}
	return ""
}

// refused returns the key of the lock that the last command wanted and did not get; nothing: there is none. A client that then
// deletes the key without looking may have taken the refusal for a grant.
func (p *place) refused(l *Learner) string {
	if len(p.commands) == 0 {
		return ""
	}
	last := p.commands[len(p.commands)-1]
	if keys := redis.Keys(l.full(last.words)); len(keys) > 0 && l.wants(last.words) && !strings.HasPrefix(last.seen, "(error) ") && last.seen != program.Lost && p.lockKey(l) == "" {
		return keys[0]
	}
	return ""
}

// deletes reports whether a command deletes a key, whatever it holds.
func deletes(command []string, key string) bool {
	name := strings.ToUpper(command[0])
	return (name == "DEL" || name == "UNLINK") && slices.Contains(command[1:], key) ||
		slices.ContainsFunc(redis.Queued(command), func(q []string) bool { return deletes(q, key) })
}

// wants reports whether a command would take a lock if it were granted.
func (l *Learner) wants(words []string) bool {
	if t, ok := l.trial(l.full(words)); ok {
		return l.isLock(t.Key) != ""
	}
	for _, granted := range []redis.Reply{"+OK\r\n", ":1\r\n"} {
		if key, ok := redis.Acquires(l.full(words), granted); ok {
			return l.isLock(key) != ""
		}
	}
	return slices.ContainsFunc(redis.Queued(l.full(words)), l.wants)
}

// full returns a command as it goes to Redis.
func (l *Learner) full(words []string) []string {
	if full, refusal := redis.CheckOwn(words, l.Scripts()); refusal == nil {
		return full
	}
	return words
}

// mostRepeated is how many commands a retry may have.
const mostRepeated = 4

// repeats returns how many observations a client goes back when it sends the words next: it seems to do again what it has
// done before. 0: it does not. That is so where everything since has come to nothing, and one of it was a try; and where it
// has done all of that twice already, with the same replies.
func (p *place) repeats(l *Learner, words []string) int {
	for back := 1; back <= min(mostRepeated, len(p.commands)); back++ {
		latest := p.commands[len(p.commands)-back:]
		if !alike(latest[0].words, words) {
			continue
		}
		inVain, tries := true, false
		for _, c := range latest {
			command := l.full(c.words)
			inVain, tries = inVain && l.idle(command, c.seen), tries || !redis.Reads(command)
		}
		if inVain && tries || p.twice(back) {
			return back
		}
	}
	return 0
}

// twice reports whether the latest n commands are the same as those before them, with the same replies.
func (p *place) twice(n int) bool {
	from := len(p.commands) - 2*n
	return from >= 0 && slices.EqualFunc(p.commands[from:from+n], p.commands[from+n:], func(a, b said) bool {
		return a.seen == b.seen && alike(a.words, b.words)
	})
}

// alike reports whether two commands differ at most in a value that the client made for each.
func alike(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return x == y || isOwn(x) && isOwn(y) })
}

// isOwn reports whether a word is the symbol of a value that the client made.
func isOwn(word string) bool {
	return len(word) > 1 && word[0] == '$' && word[1] >= '1' && word[1] <= '9'
}

// idle reports whether a command with this observation has changed nothing. Of a script that is a guess: it says no.
func (l *Learner) idle(command []string, seen string) bool {
	name := strings.ToUpper(command[0])
	switch {
	case seen == program.Lost:
		return false
	case redis.Reads(command) || strings.HasPrefix(seen, "(error) "):
		return true
	case name == "SET":
		return seen == "(nil)" && redis.HasOption(command, "NX")
	case name == "EVAL" && l.wants(command): // one that was not granted: it may tell how long the lock lasts
		reply, _ := asItIs(seen)
		return l.acquires(command, reply) == ""
	case name == "EVAL":
		return seen == "(nil)" || seen == "(integer) 0" || seen == "(integer) -1"
	}
	return seen == "(integer) 0" && redis.Tries(command)
}
