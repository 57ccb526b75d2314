package redis

import (
	"slices"
	"strconv"
	"strings"
)

// A Trial is what a script does that nobody knows, alone on a node of its own: first where its keys are free, and then for
// somebody else, with other values.
type Trial struct {
	Key    string // the key that the first has made, and the second has not changed; "": the script takes no lock
	Shared bool   // the second has written beside the first, or over it: a counter, a semaphore for several, or no lock at all

	free, taken Reply
	again       Reply    // to the first once more, after the key is gone; "": it did not get the lock
	later       Reply    // to the second once more, when half the key's life is over
	other       []string // the command of the second
	executed    bool
}

// Executed reports whether the script could be tried: a guess by its words is worth less.
func (t Trial) Executed() bool { return t.executed }

// Try executes a script twice, on a node of its own. It takes a lock if it makes a key where there is none, and leaves the key
// with another reply to somebody else whose values are others. One that makes the like under another key then has several places
// to give away.
func Try(m Maker, command []string) (t Trial) {
	n := m.New(1) // whatever moment the command names lies ahead
	free := n.Do(command...)
	executed := n.Unable() == nil && free.Err() == ""
	_, made := firstMade(n, command)
	n.Close()
	if !executed {
		return t
	}
	shared := true
	for i, other := range others(command, made.Value) {
		if next := try(m, command, other); i == 0 || next.executed {
			t = next
		}
		if shared = shared && t.Shared; t.Key != "" {
			break
		}
	}
	t.Shared = shared && t.Key == ""
	return t
}

// try executes a script, and then that of somebody else.
func try(m Maker, command, other []string) (t Trial) {
	n := m.New(1)
	defer n.Close()
	t.free, t.other = n.Do(command...), other
	key, made := firstMade(n, command)
	if t.executed = n.Unable() == nil; !t.executed || key == "" {
		return t
	}
	before := reached(n, command)
	t.taken = n.Do(other...)
	if t.executed = n.Unable() == nil && !fails(t.taken); !t.executed {
		return t
	}
	now, there := n.Get(key)
	place := slices.ContainsFunc(reached(n, command), func(another string) bool {
		c, _ := n.Get(another)
		return !slices.Contains(before, another) && c.Type == made.Type && strings.ReplaceAll(c.Value, "~", "") == made.Value && t.taken.kind() == t.free.kind()
	})
	t.Shared = place || there && now.Value != made.Value
	holder, ok := t.free.Text() // both are told who holds it
	named := ok && slices.Contains(command, holder) && !slices.Contains(other, holder)
	if there && !t.Shared && (t.taken != t.free || named) {
		t.Key = key
		t.repeat(n, command, made)
	}
	return t
}

// repeat has the second refused later, and the first granted the lock again, to see which part of their replies changes: a grant may
// tell a number that grows, and a refusal how long the lock lasts.
func (t *Trial) repeat(n Node, command []string, made Content) {
	if made.Expires > 0 {
		n.Advance((made.Expires - 1) / 2)
	}
	later := n.Do(t.other...)
	if now, there := n.Get(t.Key); n.Unable() != nil || !there || now.Value != made.Value {
		return
	}
	n.Do("DEL", t.Key)
	again := n.Do(command...)
	if n.Unable() == nil && n.Has(t.Key) {
		t.later, t.again = later, again
	}
}

// reached returns the keys that are there of those that a command names, or has touched besides.
func reached(n Node, command []string) []string {
	return slices.DeleteFunc(slices.Concat(Keys(command), n.Touched()), func(key string) bool { return !n.Has(key) })
}

// firstMade returns the first of them, and what it holds.
func firstMade(n Node, command []string) (key string, c Content) {
	for _, key := range reached(n, command) {
		if c, ok := n.Get(key); ok {
			return key, c
		}
	}
	return "", c
}

// fails reports whether a reply is the error of a script that cannot go on, and none that it replies on purpose.
func fails(r Reply) bool { return strings.Contains(r.Err(), "user_script") }

// others returns what the command of somebody else may be: its values that stand in what a key holds are others. Where none but
// numbers do, they may be bounds and times, the same for all, or values.
func others(command []string, held string) (all [][]string) {
	named, numbered := slices.Clone(command), slices.Clone(command)
	for i := 3 + len(Keys(command)); i < len(command); i++ {
		word := command[i]
		n, err := strconv.ParseInt(word, 10, 64)
		switch {
		case word == "" || !strings.Contains(held, word):
		case err == nil:
			numbered[i] = strconv.FormatInt(n+1, 10)
		case !written.MatchString(word):
			named[i] = word + "~"
		}
	}
	if all = append(all, named); slices.Equal(named, command) && !slices.Equal(numbered, command) {
		all = append(all, numbered)
	}
	return all
}

// Granted reports whether a reply to the script says that its client has got the lock: it is the reply of the first, or at least
// one of its kind where that of the second is of another kind, or where grants differ and refusals do not. Of arrays, the first
// item decides that is the same in all grants, and another one in all refusals.
func (t Trial) Granted(r Reply) bool {
	switch {
	case t.Key == "" || r == "" || r.Err() != "":
		return false
	case r == t.free || r == t.again:
		return true
	case t.free.kind() != t.taken.kind():
		return r.kind() == t.free.kind()
	case r.kind() != t.free.kind() || t.again == "" || t.again == t.free:
		return false
	}
	free, again, taken, later, items := t.free.Items(), t.again.Items(), t.taken.Items(), t.later.Items(), r.Items()
	for i := range min(len(free), len(again), len(taken), len(later)) {
		if free[i] == again[i] && taken[i] == later[i] && free[i] != taken[i] {
			return i < len(items) && items[i] == free[i]
		}
	}
	return t.taken == t.later && r != t.taken
}

func (r Reply) kind() string {
	if r.IsNil() || r == "" {
		return "nil"
	}
	return string(r[:1])
}

// Frees reports whether a command gives back the lock that its client has taken with another one, though it deletes no key (see
// Releases): alone on a node of their own, somebody else gets the lock after both. The node's clock says now, or less where
// the lock that was taken has expired by then. timed: at another time it may be otherwise.
func Frees(m Maker, now int64, took, command []string) (frees, timed bool) {
	taken, frees, timed := tryRelease(m, now, took, command)
	if !taken && timed {
		_, frees, _ = tryRelease(m, 1, took, command)
	}
	return frees, timed
}

// tryRelease tries both commands at a time. taken: the first has taken the lock.
func tryRelease(m Maker, now int64, took, command []string) (taken, frees, timed bool) {
	again, granted := took, func(r Reply) bool { _, ok := Acquires(took, r); return ok }
	if strings.EqualFold(took[0], "EVAL") {
		t := Try(m, took)
		again, granted = t.other, t.Granted
	}
	n := m.New(now)
	defer n.Close()
	r := n.Do(took...)
	timed = n.Timed()
	if n.Unable() != nil {
		return false, false, timed
	}
	key, made := firstMade(n, took)
	if taken = key != "" && granted(r); !taken {
		return false, false, timed
	}
	n.Do(command...)
	timed = n.Timed() || timed
	if n.Unable() != nil {
		return true, false, timed
	}
	if now, there := n.Get(key); there && now == made {
		return true, false, timed
	}
	r = n.Do(again...)
	return true, n.Unable() == nil && granted(r), timed
}

// Stays reports whether the key that a command makes never expires.
func Stays(m Maker, command []string, key string) bool {
	n := m.New(1)
	defer n.Close()
	n.Do(command...)
	c, there := n.Get(key)
	return n.Unable() == nil && there && c.Expires == 0
}

// Renews reports whether a command sets how long a key lives.
func Renews(command []string) bool {
	name := strings.ToLower(command[0])
	sets := func(word string) bool { return strings.Contains(word, "expire") || word == "getex" }
	return sets(name) || name == "eval" && slices.ContainsFunc(Calls(command[1]), sets) || slices.ContainsFunc(Queued(command), Renews)
}
