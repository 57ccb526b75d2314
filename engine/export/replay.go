package export

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// A step is a line that a real Redis gets, to make it answer as in the run.
type step struct {
	comment string // a comment alone
	client  string // empty: the step stands for something that is no command in the run
	command []string
	reply   redis.Reply
	loose   bool // a real Redis answers in the same form with another value

	// The lives of keys that the command can see or sets, in ms, where frozen steps take them away between commands; 0: the
	// key has none before.
	lives map[string]engine.Time
}

// steps returns the run as a real Redis can repeat it: the commands in the order of their execution, and between them
// commands for all that a real Redis cannot do by itself.
//
//   - It does not wait for virtual time: a step deletes the keys that expire in the run. Where the steps are frozen, no key
//     has a life but while a command runs that can see it; otherwise a tick gives each the life that it has left.
//   - It loses no data in a crash: a step deletes the keys that a node loses.
//   - It has no replica that lags: steps set what the replica has when it takes over.
//   - It has no virtual clock: an expiry that a command gives as a moment becomes a length of time.
//   - It is one server: nodes share nothing, so each node becomes a database.
//   - It has no storage: a comment tells what the storage does.
//   - It lacks a script whose effect is only recorded: a comment says so, and steps set what the effect leaves in the keys.
func steps(t *engine.Trace, frozen bool) []step {
	w := t.Run.World()
	r := replay{nodes: w.Nodes(), selected: -1, frozen: frozen, expires: map[string]map[string]engine.Time{}}
	for _, name := range r.nodes {
		r.expires[name] = map[string]engine.Time{}
	}
	events := w.Events()
	for i := range events {
		r.event(&events[i])
	}
	return r.steps
}

type replay struct {
	nodes    []string
	selected int // the current node; -1 before the first
	frozen   bool
	expires  map[string]map[string]engine.Time
	steps    []step
}

func (r *replay) event(e *engine.Event) {
	sentence := e.Sentence(lang.English)
	switch e.Kind {
	case engine.Note, engine.Violated, engine.Read, engine.Write, engine.Stage, engine.Commit, engine.Reject:
		r.say(sentence)
	case engine.Tick:
		r.say(sentence)
		if r.frozen {
			break
		}
		for _, node := range r.nodes {
			for _, key := range slices.Sorted(maps.Keys(r.expires[node])) {
				if left := r.expires[node][key] - e.Time; left > 0 {
					r.tell(node, "PEXPIRE", key, strconv.FormatInt(int64(left), 10))
				}
			}
		}
	case engine.Expire, engine.Crash:
		if len(e.Changes) == 0 {
			return
		}
		r.say(sentence)
		gone := []string{"DEL"}
		for _, change := range e.Changes {
			gone = append(gone, change.Key)
		}
		r.tell(e.Lane, gone...)
	case engine.Failover:
		r.say(sentence)
		r.set(e)
	case engine.Deliver:
		if e.Execution.Recorded {
			r.say(sentence)
			note := "Only the effect of this script was recorded, not its text: a real Redis cannot run it here."
			if len(e.Changes) > 0 {
				note += " The next lines set what it leaves."
			}
			r.say(note)
			r.set(e)
			break
		}
		r.turnTo(e.Lane)
		if queued := redis.Queued(e.Call.Command); queued != nil {
			r.transaction(e, queued)
			break
		}
		command := relative(e.Call.Command, e.Time)
		r.steps = append(r.steps, step{
			client: e.Call.Client, command: command, reply: e.Execution.Reply, loose: loose(command, e.Execution.Reply), lives: r.lives(e, command),
		})
	}
	for _, change := range e.Changes {
		delete(r.expires[e.Lane], change.Key)
		if change.New != nil && change.New.Expires > 0 {
			r.expires[e.Lane][change.Key] = change.New.Expires
		}
	}
}

// set gives the keys of an event what they hold after it.
func (r *replay) set(e *engine.Event) {
	for _, change := range e.Changes {
		command := []string{"DEL", change.Key}
		if s := change.New; s != nil && s.Type == redis.Hash {
			words, _ := redis.Split(s.Value)
			r.tell(e.Lane, command...)
			r.tell(e.Lane, append([]string{"HSET", change.Key}, words...)...)
			if s.Expires == 0 || r.frozen {
				continue
			}
			command = []string{"PEXPIRE", change.Key, strconv.FormatInt(int64(s.Expires-e.Time), 10)}
		} else if s != nil {
			if command = []string{"SET", change.Key, s.Value}; s.Expires > 0 && !r.frozen {
				command = append(command, "PX", strconv.FormatInt(int64(s.Expires-e.Time), 10))
			}
		}
		r.tell(e.Lane, command...)
	}
}

// transaction adds the commands that a client sends for a transaction.
func (r *replay) transaction(e *engine.Event, queued [][]string) {
	replies, client := e.Execution.Reply.Items(), e.Call.Client
	exec := step{client: client, command: []string{"EXEC"}, reply: e.Execution.Reply}
	r.steps = append(r.steps, step{client: client, command: []string{"MULTI"}, reply: "+OK\r\n"})
	before, after := r.around(e, queued)
	for _, key := range before {
		r.tell(e.Lane, "PEXPIRE", key, strconv.FormatInt(int64(r.expires[e.Lane][key]-e.Time), 10))
	}
	for i, q := range queued {
		q = relative(q, e.Time)
		r.steps = append(r.steps, step{client: client, command: q, reply: "+QUEUED\r\n", loose: replies == nil}) // Redis refuses to queue one of them
		exec.loose = exec.loose || i < len(replies) && loose(q, replies[i])
	}
	for _, key := range after {
		r.tell(e.Lane, "PERSIST", key)
	}
	exec.reply = enclosed(exec.reply, len(before), len(after))
	r.steps = append(r.steps, exec)
}

func (r *replay) say(comment string) { r.steps = append(r.steps, step{comment: comment}) }

func (r *replay) tell(node string, command ...string) {
	r.turnTo(node)
	r.steps = append(r.steps, step{command: command, loose: true})
}

// turnTo selects another node.
func (r *replay) turnTo(node string) {
	i := slices.Index(r.nodes, node)
	if len(r.nodes) == 1 || i == r.selected {
		return
	}
	r.selected = i
	r.say(fmt.Sprintf("%s is database %d", engine.Title(node), i))
	r.steps = append(r.steps, step{command: []string{"SELECT", strconv.Itoa(i)}, loose: true})
}

// loose reports whether a reply depends on the real clock.
func loose(command []string, reply redis.Reply) bool {
	switch strings.ToUpper(command[0]) {
	case "TIME":
		return reply.Err() == ""
	case "PTTL":
		n, ok := reply.Int()
		return ok && n > 0
	case "EVAL", "EVALSHA": // a script may return what it has read of a life
		n, ok := reply.Int()
		return ok && n > 1 && (len(command[0]) > len("EVAL") || strings.Contains(strings.ToUpper(command[1]), "TTL"))
	}
	return false
}

// relative returns a command with its moments of expiry as lengths of time from now.
func relative(command []string, now engine.Time) []string {
	own := slices.Clone(command)
	options := len(own) // where the command's options begin
	switch strings.ToUpper(own[0]) {
	case "EXPIREAT":
		fromNow(own, 0, "PEXPIRE", 2, 1000, now)
	case "PEXPIREAT":
		fromNow(own, 0, "PEXPIRE", 2, 1, now)
	case "GETEX":
		options = 2
	case "SET":
		options = 3
	}
	for i := options; i < len(own); i++ {
		switch strings.ToUpper(own[i]) {
		case "EXAT":
			fromNow(own, i, "PX", i+1, 1000, now)
		case "PXAT":
			fromNow(own, i, "PX", i+1, 1, now)
		}
	}
	return own
}

// fromNow replaces an option that takes a moment by one that takes a length of time, and the moment by that length. A
// malformed moment stays, and is an error as in the run.
func fromNow(command []string, word int, relative string, moment int, unit, now engine.Time) {
	if moment >= len(command) {
		return
	}
	if at, err := strconv.ParseInt(command[moment], 10, 64); err == nil && at > 0 && at < 1<<40 {
		command[word] = relative
		command[moment] = strconv.FormatInt(int64(engine.Time(at)*unit-now), 10)
	}
}
