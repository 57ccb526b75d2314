package monitor

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
	"lockstep/engine/redis"
)

// A Call is a script of a recording that is not here. The recording has its reply, and often its text.
type Call struct {
	Name     string // EVAL, EVALSHA, FCALL
	Keys     []string
	Reply    redis.Reply
	releases bool // by its text and its reply, the client does not hold its first key afterwards
}

// comment says what stood in the recording.
func (c *Call) comment() lang.Text {
	return lang.Format("recorded: %s of a script that is not here -> %s", "录制的是：%s 一个这里没有的脚本 -> %s", c.Name, clip(strings.ToValidUTF8(c.Reply.Plain(), "?"), 100))
}

// triesRelease reports whether an entry is a script that was to release a key.
func (e *Entry) triesRelease(key string) bool {
	return e.Call != nil && e.Call.releases && e.Call.Keys[0] == key
}

// maxTexts is how many scripts a reader keeps, and maxNotes how many calls for which no command stands.
const (
	maxTexts = 100
	maxNotes = 1000
)

// teaches reports whether a command may have the text of a script.
func (r *reader) teaches(name []byte) bool {
	return r.texts.Len() < maxTexts && (bytes.EqualFold(name, []byte("SCRIPT")) || bytes.EqualFold(name, []byte("EVAL")))
}

// learnFrom keeps the text of a script before the part that a scenario has.
func (r *reader) learnFrom(c *detect.Command) {
	if !c.Script && len(c.Words) > 1 && r.teaches(c.Words[0]) {
		command := make([]string, len(c.Words))
		for i, word := range c.Words {
			command[i] = string(word)
		}
		r.learn(command)
	}
}

// alike returns the call of a named script that does what a script of the log does, whose text the log has.
func (r *reader) alike(command []string) ([]string, bool) {
	full, refusal := redis.CheckOwn(r.named(command), r.texts)
	if refusal != nil || full[0] != "EVAL" {
		return nil, false
	}
	text, ok := redis.Alike(full[1])
	if !ok {
		return nil, false
	}
	full = slices.Clone(full)
	full[1] = text
	_, ok = r.check(full)
	return full, ok
}

// written writes a script of a MONITOR log as the one that it is like. An EVALSHA by which no commands follow has not run: Redis did not
// have the script.
func (r *reader) written(e Entry, alike []string, name string) {
	e.Command = alike
	if name == "EVALSHA" {
		r.script = script{client: e.Client, from: e.from, line: e.Line, name: name, alike: &e}
		return
	}
	r.Alike++
	r.keep(e)
}

// learn keeps the text of a script that a log loads or runs, for EVALSHA.
func (r *reader) learn(command []string) {
	switch name := strings.ToUpper(command[0]); {
	case r.texts.Len() >= maxTexts:
	case name == "EVAL" && len(command) > 1:
		r.texts = r.texts.With(command[1])
	case name == "SCRIPT" && len(command) == 3 && strings.EqualFold(command[1], "LOAD"):
		r.texts = r.texts.With(command[2])
	}
}

// called reads a script that is not here: it keeps commands that do the same, or a note.
func (r *reader) called(e Entry, name string) {
	call := &Call{Name: name, Reply: e.Reply}
	var stand []Entry
	named := r.named(e.Command)
	if n, err := strconv.Atoi(named[min(2, len(named)-1)]); err == nil && n >= 0 && n <= len(named)-3 {
		call.Keys = slices.Clone(named[3 : 3+n])
	}
	if !r.wanted(append([]string{"EXISTS"}, call.Keys...)) {
		r.OtherKeys++
		return
	}
	if full, refusal := redis.CheckOwn(named, r.texts); refusal == nil && len(call.Keys) > 0 {
		stand = call.does(full)
	}
	if r.Redact {
		call.Reply = r.redactor.Reply(call.Reply)
		for i, key := range call.Keys {
			call.Keys[i] = r.redactor.name("key", key)
		}
	}
	r.Calls++
	if len(stand) > 0 {
		r.Stand++
	} else if r.Calls-r.Stand <= maxNotes {
		e.Command, e.Call = nil, call
		r.Entries = append(r.Entries, e)
	}
	for _, s := range stand {
		e.Command, e.Reply, e.Call = s.Command, s.Reply, call
		r.keep(e)
	}
}

// does returns the commands that do what a checked EVAL has done to its first key, with the replies that they have then.
// It returns none where the script's text and its reply do not tell.
func (c *Call) does(command []string) []Entry {
	key, arguments := c.Keys[0], command[3+len(c.Keys):]
	lua := otherKeys.ReplaceAllString(command[1], "")
	calls := redis.Calls(lua)
	has := func(words ...string) bool {
		return slices.ContainsFunc(calls, func(word string) bool { return slices.Contains(words, word) })
	}
	sets := has("set", "setnx", "getset", "setex", "psetex", "hset", "hmset", "hsetnx")
	counts := has("hincrby", "incr", "incrby", "decr", "decrby")
	deletes := redis.Releases([]string{"EVAL", lua, "1", key}, key)
	unit, lease, at := leaseOf(lua, arguments)
	_, acquired := redis.Acquires([]string{"EVAL", lua, "1", key}, c.Reply)
	c.releases = deletes && !sets && c.Reply.Err() == "" && (!counts || isNil(c.Reply))
	one := c.Reply == ":1\r\n"
	switch {
	case one && deletes && !sets && !has("hdel") && (!counts || returnsOne.MatchString(lua)): // else 1 may be the count
		c.releases = true
		return []Entry{{Command: []string{"DEL", key}, Reply: ":1\r\n"}}
	case acquired && has("nx", "setnx"):
		set := []string{"SET", key, holder(lua, arguments, at), "NX"}
		if lease != "" {
			set = append(set, unit, lease)
		}
		return []Entry{{Command: set, Reply: "+OK\r\n"}}
	case acquired:
		all := []Entry{{Command: []string{"HSETNX", key, holder(lua, arguments, at), "1"}, Reply: ":1\r\n"}}
		if lease != "" {
			all = append(all, Entry{Command: []string{expire[unit], key, lease}, Reply: ":1\r\n"})
		}
		return all
	case one && !deletes && !sets && !counts && lease != "" && has("expire", "pexpire"):
		return []Entry{{Command: []string{expire[unit], key, lease}, Reply: ":1\r\n"}}
	}
	return nil
}

var (
	otherKeys  = regexp.MustCompile(`['"]\w+['"]\s*,\s*KEYS\[([2-9]|\d\d+)\]`) // a call on another key than the first
	returnsOne = regexp.MustCompile(`\breturn\s+1\b`)
	leases     = regexp.MustCompile(`(?i)['"](px|ex|pexpire|expire)['"]\s*,\s*(?:KEYS\[1\]\s*,\s*)?(?:tonumber\(\s*)?(?:ARGV\[(\d+)\]|['"]?(\d+))`)
	holders    = regexp.MustCompile(`(?i)['"](?:set|setnx|hsetnx|hincrby)['"]\s*,\s*KEYS\[1\]\s*,\s*ARGV\[(\d+)\]`)
	expire     = map[string]string{"PX": "PEXPIRE", "EX": "EXPIRE"}
)

// leaseOf returns the lease that a script sets, with PX or EX, and the index of its argument; -1: it is none. It is what the
// text has at the place of a lease, or where that is a variable, the only number among several arguments. There is no lease
// where it may be several.
func leaseOf(lua string, arguments []string) (unit, lease string, at int) {
	at = -1
	matches := leases.FindAllStringSubmatch(lua, -1)
	if len(matches) == 0 && len(arguments) > 1 {
		calls := redis.Calls(lua)
		ms := slices.Contains(calls, "px") || slices.Contains(calls, "pexpire")
		s := slices.Contains(calls, "ex") || slices.Contains(calls, "expire")
		if i := slices.IndexFunc(arguments, isNumber); ms != s && i >= 0 && isTTL(arguments[i]) && !slices.ContainsFunc(arguments[i+1:], isNumber) {
			if unit = "EX"; ms {
				unit = "PX"
			}
			return unit, arguments[i], i
		}
	}
	for _, match := range matches {
		u, l, i := "EX", match[3], -1
		if strings.HasPrefix(strings.ToLower(match[1]), "p") {
			u = "PX"
		}
		if match[2] != "" {
			if i = argument(match[2], arguments); i < 0 {
				return "", "", -1
			}
			l = arguments[i]
		}
		if !isTTL(l) || lease != "" && (u != unit || l != lease) {
			return "", "", -1
		}
		unit, lease, at = u, l, i
	}
	return unit, lease, at
}

// holder returns the value by which an acquiring script says who holds the lock: the argument that it sets, or its first one
// that is not the lease.
func holder(lua string, arguments []string, lease int) string {
	if match := holders.FindStringSubmatch(lua); match != nil {
		if i := argument(match[1], arguments); i >= 0 {
			return arguments[i]
		}
	}
	for i, text := range arguments {
		if i != lease {
			return text
		}
	}
	return "1"
}

// argument returns the index of ARGV[n]; -1: there is none.
func argument(n string, arguments []string) int {
	if i, err := strconv.Atoi(n); err == nil && i >= 1 && i <= len(arguments) {
		return i - 1
	}
	return -1
}

// A script is one whose commands follow in a MONITOR log.
type script struct {
	client string // the lane whose script it is; empty: its commands are left out
	from   string
	line   int
	name   string // EVAL, EVALSHA, FCALL
	shown  bool   // a command of it has followed
	alike  *Entry // what stands for it once a command of it has followed
}

// inScript reads a command of the script that ran last. If that script runs in a scenario itself, its commands are
// left out.
func (r *reader) inScript(e Entry) {
	if r.script.client == "" {
		return
	}
	if stands := r.script.alike; stands != nil {
		r.script = script{}
		r.Alike++
		r.keep(*stands)
		return
	}
	e.Client, e.from, e.Script, r.script.shown = r.script.client, r.script.from, r.script.line, true
	r.keep(e)
}

// endScript counts a script of a MONITOR log that no scenario may have, and that has shown no commands of its own.
func (r *reader) endScript() {
	if r.script.client != "" && !r.script.shown {
		r.refuse(r.script.name)
	}
	r.script = script{}
}

// wantedScript reports whether a script may be about one of those keys: it names one among its arguments.
func (r *reader) wantedScript(command []string) bool {
	return len(r.Keys) == 0 || slices.ContainsFunc(command[1:], func(word string) bool { return slices.Contains(r.Keys, word) })
}

func isScript(name string) bool {
	switch name {
	case "EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "FCALL", "FCALL_RO":
		return true
	}
	return false
}
