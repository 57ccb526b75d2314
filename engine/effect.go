package engine

import (
	"slices"
	"strings"

	"lockstep/engine/redis"
)

// Bounds on the effects of a scenario. All of them are part of its text, and of MaxText.
const (
	MaxEffects    = 256
	MaxEffectSize = 8 << 10 // bytes of one effect's text
)

// longestLife is how long a key may still live in an effect, ms: whenever the effect is used, the key expires before
// redis.MaxExpires.
const longestLife = Time(redis.MaxExpires / 2)

// An Effect is a fact about a script of a user's own program: where the keys that its command names hold what Before says,
// Redis replies Reply, and the keys hold what After says. The script's text is no part of it. A run without the script
// has the effect in place of an execution, where exactly this happens again, at any time and on any node.
//
// An effect can do nothing but set, delete, or let expire the keys that its command names.
type Effect struct {
	Command []string // as redis.CheckRecorded returns it
	At      Time     // true time, ms; 0: at any time. The script asks for the time, and so this happens then alone
	Before  []Held   // the keys that the command names, each once, in the command's order
	Reply   redis.Reply
	After   []Held // those of the keys that change
}

// Held is what a key holds at some moment.
type Held struct {
	Key     string
	Kind    string // string, hash, or none: there is no such key. An effect has no others
	Value   string // as redis.Content has it
	Expires Time   // how long the key still lives, ms; 0: for ever
}

// The kinds of Held.
const (
	holdsString = "string"
	holdsHash   = "hash"
	holdsNone   = "none"
)

// held returns what a key holds at a time.
func held(key string, s *Stored, now Time) Held {
	if s == nil {
		return Held{Key: key, Kind: holdsNone}
	}
	h := Held{Key: key, Kind: holdsString, Value: s.Value}
	if s.Type != redis.String {
		h.Kind = string(s.Type)
	}
	if s.Expires > 0 {
		h.Expires = s.Expires - now
	}
	return h
}

// content returns what a key holds at a time as a node has it; none: there is no such key.
func (h *Held) content(now Time) (c redis.Content, ok bool) {
	c = redis.Content{Value: h.Value}
	if h.Kind == holdsHash {
		c.Type = redis.Hash
	}
	if h.Expires > 0 {
		c.Expires = int64(now + h.Expires)
	}
	return c, h.Kind != holdsNone
}

// String writes what a key holds as a line of an effect.
func (h *Held) String() string {
	words := []string{h.Kind, h.Key}
	if h.Kind != holdsNone {
		words = append(words, h.Value)
	}
	if h.Expires > 0 {
		words = append(words, Duration(h.Expires))
	}
	return redis.Quote(words)
}

// readHeld reads a line that String has written.
func readHeld(words []string) (h Held, ok bool) {
	switch {
	case len(words) == 2 && words[0] == holdsNone:
		return Held{Key: words[1], Kind: holdsNone}, true
	case len(words) < 3 || len(words) > 4 || words[0] != holdsString && words[0] != holdsHash:
		return h, false
	}
	h = Held{Key: words[1], Kind: words[0], Value: words[2]}
	if len(words) == 4 {
		h.Expires, ok = ParseDuration(words[3])
		return h, ok && h.Expires > 0
	}
	return h, true
}

// fits reports whether the bounds of commands and hashes hold for what a key holds.
func (h *Held) fits() bool {
	if h.Expires < 0 || h.Expires > longestLife {
		return false
	}
	if h.Kind != holdsString && h.Kind != holdsHash && h.Kind != holdsNone {
		return false
	}
	if h.Kind != holdsHash {
		return len(h.Value) <= redis.MaxArgSize
	}
	words, refusal := redis.Split(h.Value)
	if refusal != nil || len(words) == 0 || len(words)%2 != 0 || len(words) > 2*MaxFields || redis.Quote(words) != h.Value {
		return false
	}
	for i, word := range words {
		if len(word) > redis.MaxArgSize || i%2 == 0 && i > 0 && word <= words[i-2] {
			return false
		}
	}
	return true
}

// String writes the effect as scenario text.
func (e *Effect) String() string {
	return e.situation() + "| " + replyLine(e.Reply) + "\n" + lines(e.After)
}

// replyLine writes a reply as redis-cli shows it, or where that does not tell everything, as Redis sends it.
func replyLine(r redis.Reply) string {
	text := r.String()
	if read, ok := redis.ReadReply(text); ok && read == r && !strings.ContainsAny(text, "\r\n") {
		return "= " + text
	}
	return redis.Quote([]string{"resp", string(r)})
}

// readReplyLine reads a line that replyLine has written. is reports whether it is one.
func readReplyLine(line string) (r redis.Reply, is, ok bool) {
	if text, is := strings.CutPrefix(line, "= "); is {
		r, ok = redis.ReadReply(text)
		return r, true, ok
	}
	words, refusal := redis.Split(line)
	if refusal != nil || len(words) != 2 || words[0] != "resp" {
		return "", false, false
	}
	return redis.Reply(words[1]), true, redis.WellFormed(words[1])
}

// situation writes all of the effect that must be so for it to happen. It differs from those of other effects.
func (e *Effect) situation() string {
	text := "effect " + redis.Label(e.Command) + "\n"
	if e.At > 0 {
		text += "| at " + Duration(e.At) + "\n"
	}
	return text + lines(e.Before)
}

func lines(all []Held) string {
	var b strings.Builder
	for i := range all {
		b.WriteString("| " + all[i].String() + "\n")
	}
	return b.String()
}

// flaw returns why a scenario cannot have the effect, or nil.
func (e *Effect) flaw() *Refusal {
	keys := distinct(redis.Keys(e.Command))
	same := func(h Held, key string) bool { return h.Key == key }
	switch {
	case !redis.Textless(e.Command):
		return refuse("an effect belongs to EVALSHA of a script that Lockstep does not have", "effect 只用于 Lockstep 没有的脚本的 EVALSHA")
	case !slices.EqualFunc(e.Before, keys, same):
		return refuse("before its reply, an effect says what each key of its command holds, in their order", "effect 在回复之前应依次说明命令中每个键的内容")
	case len(e.Reply) > 8*redis.MaxArgSize || !redis.WellFormed(string(e.Reply)):
		return noReply()
	}
	for i, h := range e.After {
		if !slices.Contains(keys, h.Key) || slices.ContainsFunc(e.After[:i], func(other Held) bool { return other.Key == h.Key }) {
			return refuse("after its reply, an effect says what keys of its command hold then, each once", "effect 在回复之后说明命令中各键随后的内容，每个键至多一次")
		}
	}
	for _, h := range slices.Concat(e.Before, e.After) {
		if !h.fits() {
			return refuse("the value of %s in an effect is no value of a key here, or its time is too long", "effect 中 %s 的值不合规定，或时间过长", quote(h.Key))
		}
	}
	if n := len(e.String()); n > MaxEffectSize {
		return refuse("an effect has %d bytes, more than %d", "effect 有 %d 字节，超过 %d", n, MaxEffectSize)
	}
	return nil
}

func noReply() *Refusal {
	return refuse("an effect has one reply, as redis-cli shows it: = (integer) 1", "effect 应有一个回复，写法与 redis-cli 相同：= (integer) 1")
}

// distinct returns keys without repetitions.
func distinct(keys []string) []string {
	var all []string
	for _, key := range keys {
		if !slices.Contains(all, key) {
			all = append(all, key)
		}
	}
	return all
}

// happens reports whether this is the situation of the effect.
func (e *Effect) happens(now Time, stored map[string]*Stored) bool {
	if e.At > 0 && e.At != now {
		return false
	}
	for i := range e.Before {
		if e.Before[i] != held(e.Before[i].Key, stored[e.Before[i].Key], now) {
			return false
		}
	}
	return true
}

// content returns what a key of the effect's command holds after it, where the command arrives at a time.
func (e *Effect) content(key string, now Time) (c redis.Content, ok bool) {
	for _, all := range [][]Held{e.After, e.Before} {
		for i := range all {
			if all[i].Key == key {
				return all[i].content(now)
			}
		}
	}
	return redis.Content{}, false
}

// Effects are the recorded effects of scripts whose texts a run does not have. They never change. A nil Effects has none.
type Effects struct {
	all        []*Effect
	situations map[string]bool
	byCommand  map[string][]*Effect // by label
	scripts    map[string]bool      // SHA-1s
}

// All returns the effects in the order of the text. Callers do not change them.
func (e *Effects) All() []*Effect {
	if e == nil {
		return nil
	}
	return e.all
}

// Knows reports whether there is an effect of the script with a SHA-1.
func (e *Effects) Knows(sha string) bool { return e != nil && e.scripts[sha] }

// find returns the effect of a command in a situation, or nil. The effects of a text have at most MaxText bytes: a look at all
// of them is less than scriptWork.
func (e *Effects) find(command []string, now Time, stored map[string]*Stored) *Effect {
	if e == nil {
		return nil
	}
	for _, x := range e.byCommand[redis.Label(command)] {
		if x.happens(now, stored) {
			return x
		}
	}
	return nil
}

// newEffects returns effects that still grow, by add.
func newEffects() *Effects {
	return &Effects{situations: map[string]bool{}, byCommand: map[string][]*Effect{}, scripts: map[string]bool{}}
}

// add adds an effect, and reports whether there was room and none for its situation.
func (e *Effects) add(x *Effect) bool {
	situation, label := x.situation(), redis.Label(x.Command)
	if e.situations[situation] || len(e.all) >= MaxEffects {
		return false
	}
	e.situations[situation] = true
	e.all, e.byCommand[label] = append(e.all, x), append(e.byCommand[label], x)
	for _, sha := range redis.SHAs(x.Command) {
		e.scripts[sha] = true
	}
	return true
}

// String writes the effects as scenario text.
func (e *Effects) String() string {
	var b strings.Builder
	for _, x := range e.All() {
		b.WriteString(x.String())
	}
	return b.String()
}

// unrecorded is what the client of a command sees whose script is not here and whose effect is not recorded.
const unrecorded = "unrecorded"

func notRecorded() *Refusal {
	return refuse("this script's effect here is not recorded: only the run that was recorded has it", "没有录制这个脚本在此处的效果：只有当初录制的那次运行才有")
}

// Unrecorded reports whether a command has arrived in this copy of a world whose effect nobody knows: what follows is not what
// would happen.
func (w *World) Unrecorded() bool { return w.unrecorded }

// unexecuted is what the client of a command sees whose reply would not be that of Redis.
const unexecuted = "unexecuted"

func notExecuted() *Refusal {
	return refuse("Lockstep does not execute its command as Redis does", "Lockstep 无法像 Redis 那样执行它的命令")
}

// Unable returns the latest command to arrive, if it was not executed as Redis would: what follows is not what would happen. nil:
// it was.
func (w *World) Unable() *Unable { return w.unable }

// An Unable is a command that Lockstep does not execute as Redis does.
type Unable struct {
	Command        []string
	*redis.Refusal // the reason: its subject is the command
}

// check returns a command as it goes to Redis. Where there are effects of a script, or the program is a recording, its text
// need not be here.
func (w *World) check(command []string, recording bool) ([]string, *redis.Refusal) {
	return redis.CheckRecorded(command, w.header.Scripts, func(sha string) bool { return recording || w.header.Effects.Knows(sha) })
}

// execute executes a command on a node. It returns what a key of the command holds then. ok is false where the command runs a
// script that is not here, and its effect is not recorded.
func (w *World) execute(n *node, command []string) (x *Execution, content func(key string) (redis.Content, bool), ok bool) {
	w.unable = nil
	textless := redis.Textless(command)
	if textless && w.header.Scripts.Len() > 0 {
		if full, refusal := redis.CheckOwn(command, w.header.Scripts); refusal == nil { // the run has been brought the script since
			command, textless = full, false
		}
	}
	if textless {
		effect := w.header.Effects.find(command, w.now, n.stored)
		if effect == nil {
			w.unrecorded = true
			return nil, nil, false
		}
		n.rest() // the next command finds what the effect leaves
		w.order++
		now := w.now
		return &Execution{Order: w.order, Reply: effect.Reply, Recorded: true}, func(key string) (redis.Content, bool) { return effect.content(key, now) }, true
	}
	w.order++
	if w.facts == nil || !redis.RunsOwn(command) {
		x = &Execution{Order: w.order, Reply: n.ask(w.now, command)}
		return w.executed(n, command, x)
	}
	var before, after []Held
	for _, key := range distinct(redis.Keys(command)) {
		before = append(before, held(key, n.stored[key], w.now))
	}
	if n.server != nil {
		n.server.Timed()
	}
	x = &Execution{Order: w.order, Reply: n.ask(w.now, command)}
	if n.server.Unable() != nil || len(n.server.Touched()) > 0 { // an effect tells nothing but the keys that a command names
		return w.executed(n, command, x)
	}
	at := Time(0)
	if n.server.Timed() {
		at = w.now
	}
	for _, h := range before {
		s := (*Stored)(nil)
		if c, there := n.server.Get(h.Key); there {
			s = &Stored{Value: c.Value, Type: c.Type, Expires: Time(c.Expires)}
		}
		after = append(after, held(h.Key, s, w.now))
	}
	w.facts.learn(command, before, x.Reply, after, at, w.mute)
	return x, n.server.Get, true
}

// executed returns what execute returns of a command that a node has executed, if it has.
func (w *World) executed(n *node, command []string, x *Execution) (*Execution, func(key string) (redis.Content, bool), bool) {
	if why := n.server.Unable(); why != nil {
		w.unable = &Unable{command, why}
		n.rest() // what it has done before it met its end counts nothing
		return nil, nil, false
	}
	return x, n.server.Get, true
}
