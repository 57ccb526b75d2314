package redis

import (
	"slices"
	"strings"
)

// A Trial is what a script does that nobody knows, alone on a node of its own: first where its keys are free, and then for
// somebody else, with other values.
type Trial struct {
	Key string // the key that the first has made, and the second has not changed; "": the script takes no lock

	free, taken Reply
	executed    bool
}

// Executed reports whether the script could be tried: a guess by its words is worth less.
func (t Trial) Executed() bool { return t.executed }

// Try executes a script twice, on a node of its own. It takes a lock if it makes a key where there is none, and leaves the key
// with another reply to somebody else whose values are others.
func Try(command []string) (t Trial) {
	n := New(1) // whatever moment the command names lies ahead
	defer n.Close()
	t.free = n.Do(command...)
	if n.unable != nil || t.free.Err() != "" {
		return t
	}
	t.executed = true
	var made Content
	for _, key := range slices.Concat(Keys(command), n.touched) {
		if c, ok := n.Get(key); ok {
			t.Key, made = key, c
			break
		}
	}
	if t.Key == "" {
		return t
	}
	t.taken = n.Do(others(command, made.Value)...)
	now, there := n.Get(t.Key)
	t.executed = n.unable == nil
	if n.unable != nil || !there || now.Value != made.Value || t.taken == t.free {
		t.Key = ""
	}
	return t
}

// others returns the command of somebody else: its values that stand in what a key holds are others.
func others(command []string, held string) []string {
	other := slices.Clone(command)
	first := 3 + len(Keys(command))
	for i, word := range command {
		if i >= first && word != "" && strings.Contains(held, word) {
			other[i] = word + "~"
		}
	}
	return other
}

// Granted reports whether a reply to the script says that its client has got the lock: it is the reply of the first, or at least
// one of its kind where that of the second is of another kind.
func (t Trial) Granted(r Reply) bool {
	if t.Key == "" || r == "" || r.Err() != "" {
		return false
	}
	kind := func(r Reply) string {
		if r.IsNil() {
			return "nil"
		}
		return string(r[:1])
	}
	return r == t.free || kind(t.free) != kind(t.taken) && kind(r) == kind(t.free)
}
