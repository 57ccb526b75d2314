package export

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/redis"
)

// looks lists the commands whose reply or effect depends on the life that a key has: for all others a key with a life and one
// without are the same.
var looks = map[string]bool{
	"TTL": true, "PTTL": true, "EXPIRETIME": true, "PEXPIRETIME": true, "PERSIST": true,
	"EXPIRE": true, "PEXPIRE": true, "EXPIREAT": true, "PEXPIREAT": true, "EVAL": true, "EVALSHA": true,
}

// lives returns the lives that a command can see, with the keys to which it gives one. Nothing: the steps are not frozen, or
// the command neither sees a life nor leaves one.
func (r *replay) lives(e *engine.Event, command []string) map[string]engine.Time {
	if !r.frozen {
		return nil
	}
	lives := map[string]engine.Time{}
	if looks[strings.ToUpper(command[0])] && e.Execution.Reply.Err() == "" {
		for key, expires := range r.expires[e.Lane] {
			lives[key] = expires - e.Time
		}
	}
	for _, change := range e.Changes {
		if _, seen := lives[change.Key]; change.New != nil && change.New.Expires > 0 && !seen {
			lives[change.Key] = 0
		}
	}
	return lives
}

// around returns the keys that get their lives at the beginning of a frozen transaction, and those that lose them at its end,
// which are keys that have a life by then.
func (r *replay) around(e *engine.Event, queued [][]string) (before, after []string) {
	if !r.frozen || e.Execution.Reply.Items() == nil || !slices.ContainsFunc(queued, func(q []string) bool { return len(r.lives(e, q)) > 0 }) {
		return nil, nil
	}
	left := maps.Clone(r.expires[e.Lane])
	before = slices.Sorted(maps.Keys(left))
	for _, change := range e.Changes {
		delete(left, change.Key)
		if change.New != nil && change.New.Expires > 0 {
			left[change.Key] = change.New.Expires
		}
	}
	return before, slices.Sorted(maps.Keys(left))
}

// enclosed returns the reply of a transaction with the number 1 in front of its items, and behind them: each of these commands
// has found its key.
func enclosed(reply redis.Reply, before, after int) redis.Reply {
	if before+after == 0 {
		return reply
	}
	items := reply.Items()
	var all strings.Builder
	fmt.Fprintf(&all, "*%d\r\n%s", before+len(items)+after, strings.Repeat(":1\r\n", before))
	for _, item := range items {
		all.WriteString(string(item))
	}
	all.WriteString(strings.Repeat(":1\r\n", after))
	return redis.Reply(all.String())
}
