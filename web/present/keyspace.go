package present

import (
	"cmp"
	"slices"
	"strconv"

	"lockstep/engine"
	"lockstep/engine/redis"
	"lockstep/views"
	runview "lockstep/views/run"
)

// nodes returns the Redis servers with their keys. Each key shows the difference that its
// last change made.
func (in presenter) nodes() []runview.Node {
	changed, more := in.lastChanges()
	var nodes []runview.Node
	for i, name := range in.world.Nodes() {
		nodes = append(nodes, runview.Node{Name: engine.Title(name), Down: in.world.Down(i), Keys: changed[name], More: more[name]})
	}
	return nodes
}

// storage returns the protected resource, if a program may write to it.
func (in presenter) storage() *runview.Storage {
	if !in.world.UsesStorage() {
		return nil
	}
	shown := new(runview.Storage)
	if fence, ok := in.world.Fence(); ok {
		shown.Fence = strconv.FormatInt(fence, 10)
	}
	if in.world.UsesNumber() {
		number, staged := in.world.Number()
		shown.Number = strconv.FormatInt(number, 10)
		for _, s := range staged {
			shown.Staged = append(shown.Staged, runview.Staged{Client: s.Client, Number: strconv.FormatInt(s.Number, 10)})
		}
	}
	return shown
}

// lastChanges returns the last change of each key, by node and sorted by key. It also
// returns how many keys of each node changed too long ago for the list.
func (in presenter) lastChanges() (keys map[string][]runview.Key, more map[string]int) {
	type place struct{ node, key string }
	seen := map[place]bool{}
	keys, more = map[string][]runview.Key{}, map[string]int{}
	last := 0 // the last event that changed a key
	for _, e := range slices.Backward(in.world.Events()) {
		for _, change := range slices.Backward(e.Changes) {
			if seen[place{e.Lane, change.Key}] {
				continue
			}
			seen[place{e.Lane, change.Key}] = true
			if len(seen) > KeysShown {
				more[e.Lane]++
				continue
			}
			last = max(last, e.Seq)
			keys[e.Lane] = append(keys[e.Lane], in.key(e, change, e.Seq == last))
		}
	}
	for _, all := range keys {
		slices.SortFunc(all, func(a, b runview.Key) int { return cmp.Compare(a.Name, b.Name) })
	}
	return keys, more
}

func (in presenter) key(e engine.Event, change engine.Change, last bool) runview.Key {
	k := runview.Key{Name: shorten(redis.Readable(change.Key), keyShown), Before: in.stored(change.Old), Now: in.stored(change.New), Seq: e.Seq, Last: last}
	switch e.Kind {
	case engine.Expire:
		k.Change = views.Say(in.language, "key.expired", e.When(e.Time))
		return k
	case engine.Crash:
		k.Change = views.Say(in.language, "key.lost", engine.Title(e.Lane))
		return k
	case engine.Failover:
		k.Change = views.Say(in.language, "key.failover", engine.Title(e.Lane))
		return k
	}
	k.Order = e.Execution.Order
	switch by := e.Call.Client; {
	case change.New == nil:
		k.Change = views.Say(in.language, "key.deleted", by)
	case change.Old == nil:
		k.Change = views.Say(in.language, "key.created", by)
	case change.New.Order != k.Order: // another command wrote the value
		k.Change = views.Say(in.language, "key.prolonged", by)
	default:
		k.Change = views.Say(in.language, "key.changed", by)
	}
	return k
}

func (in presenter) stored(s *engine.Stored) *runview.Stored {
	if s == nil {
		return nil
	}
	shown := &runview.Stored{Value: shorten(redis.Readable(s.Value), keyShown), Writer: s.Writer}
	if s.Expires > 0 {
		shown.Expires = in.world.When(s.Expires)
	}
	return shown
}
