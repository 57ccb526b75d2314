package redis

import (
	"regexp"
	"slices"
	"strings"
)

// Acquires and Releases guess what a command of an unknown program means. They look at the command and its reply alone.

// Acquires returns the key of the lock that a checked command was granted with this reply:
//
//   - SETNX, MSETNX and HSETNX that set their keys, and SET with NX that set its key, also with GET: the first key.
//   - A named script that acquires: its first key. node-redlock's counts the keys that it has set.
//   - A script without a name that writes only where nothing is ("nx", setnx, hsetnx) or counts in a hash (hincrby), and
//     deletes nothing: its first key. It does not add to a sorted set then. It succeeds with 1 or OK, and one with hincrby also with nil, as Redisson's does.
//   - A transaction: what the first of its commands that acquires was granted.
func Acquires(command []string, r Reply) (key string, ok bool) {
	keys := Keys(command)
	switch strings.ToUpper(command[0]) {
	case "SET":
		ok = HasOption(command, "NX") && len(keys) > 0 && Stores(command, r, keys[0])
	case "EVAL":
		ok = scriptAcquires(command[1], len(keys), r)
	case "MULTI":
		replies := r.Items()
		for i, q := range Queued(command) {
			if i < len(replies) {
				if key, ok = Acquires(q, replies[i]); ok {
					return key, ok
				}
			}
		}
		return "", false
	default:
		ok = does(command[0], claims) && r == ":1\r\n"
	}
	if !ok || len(keys) == 0 {
		return "", false
	}
	return keys[0], true
}

// Asks reports whether a command takes a lock where there is none, as a recording has it: SETNX and its like, GETSET, a SET with NX,
// and a script that may do so. Of a script whose text is not here, nobody knows: it may.
func Asks(command []string) bool {
	switch name := strings.ToUpper(command[0]); name {
	case "GETSET", evalSHA:
		return true
	case "SET":
		return HasOption(command, "NX") || HasOption(command, "GET")
	case "EVAL":
		s := named(command[1])
		if s == nil {
			s = byText(command[1])
		}
		return s == nil || s.acquires
	}
	return does(command[0], claims) || slices.ContainsFunc(Queued(command), Asks)
}

func scriptAcquires(lua string, keys int, r Reply) bool {
	n, isInt := r.Int()
	if s := byText(lua); s != nil {
		switch {
		case !s.acquires:
			return false
		case s.more:
			return isInt && n == int64(keys)
		case s.library == "": // the reply is a fencing token
			return isInt
		}
		return n == 1
	}
	calls := Calls(lua)
	counts := slices.Contains(calls, "hincrby")
	if slices.Contains(calls, "zadd") && !counts { // its NX is about a member
		return false
	}
	if !counts && !slices.ContainsFunc(calls, func(word string) bool { return word == "nx" || word == "setnx" || word == "hsetnx" }) || deletes(calls) {
		return false
	}
	return n == 1 || r == OK || counts && r.IsNil()
}

// Releases reports whether a checked command gives up the lock under a key, whatever its reply:
//
//   - DEL, UNLINK, DELEX, DELIFEQ and GETDEL of the key, and HDEL of one of its fields.
//   - A script that names the key and deletes (del, unlink, hdel and their like), known or not.
//   - A transaction with one of these.
func Releases(command []string, key string) bool {
	if queued := Queued(command); queued != nil {
		return slices.ContainsFunc(queued, func(q []string) bool { return Releases(q, key) })
	}
	if !slices.Contains(Keys(command), key) {
		return false
	}
	return does(command[0], frees) || strings.EqualFold(command[0], "EVAL") && deletes(Calls(command[1]))
}

func deletes(calls []string) bool {
	return slices.ContainsFunc(calls, func(word string) bool { return does(word, frees) })
}

// Calls returns the words that stand alone in quotes in a Lua text, in small letters: commands and their options.
func Calls(lua string) []string {
	var words []string
	for _, match := range quotedWord.FindAllStringSubmatch(lua, -1) {
		words = append(words, strings.ToLower(match[1]+match[2]))
	}
	return words
}

var quotedWord = regexp.MustCompile(`'(\w+)'|"(\w+)"`)
