package redis

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2/server"
)

// MaxExpires is the last time at which a key may expire, in milliseconds since the epoch. It lies in the year 2262, where
// a node's nanoseconds end. Real Redis counts milliseconds, and refuses times beyond their end.
const MaxExpires = math.MaxInt64 / int64(time.Millisecond)

// A lifetime is the expiry that a command gives its key.
type lifetime struct {
	at       int   // the index of the argument
	n        int64 // its number
	unit     int64 // ms
	absolute bool  // since the epoch, not since now
}

// units maps the options that give a time to their units.
var units = map[string]lifetime{
	"EX": {unit: 1000}, "PX": {unit: 1}, "EXAT": {unit: 1000, absolute: true}, "PXAT": {unit: 1, absolute: true},
	"EXPIRE": {unit: 1000}, "PEXPIRE": {unit: 1}, "EXPIREAT": {unit: 1000, absolute: true}, "PEXPIREAT": {unit: 1, absolute: true},
	"SETEX": {unit: 1000}, "PSETEX": {unit: 1},
}

// lifetimeOf returns the lifetime in a command, if it is a number and the command is otherwise well-formed.
func lifetimeOf(command string, args []string) (l lifetime, ok bool) {
	word := command
	switch command {
	case "EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT":
		if len(args) < 2 || slices.ContainsFunc(args[2:], func(option string) bool { return !slices.Contains(conditions, strings.ToUpper(option)) }) {
			return l, false
		}
		l.at = 1
	case "SETEX", "PSETEX":
		if len(args) != 3 {
			return l, false
		}
		l.at = 1
	case "GETEX":
		if len(args) != 3 {
			return l, false
		}
		word, l.at = strings.ToUpper(args[1]), 2
	case "SET":
		for i := 2; i < len(args); i++ {
			switch option := strings.ToUpper(args[i]); option {
			case "NX", "XX", "GET", "KEEPTTL":
			case "EX", "PX", "EXAT", "PXAT":
				if i++; l.at > 0 || i == len(args) {
					return l, false
				}
				word, l.at = option, i
			default:
				return l, false
			}
		}
	}
	unit, known := units[word]
	if !known || l.at == 0 {
		return l, false
	}
	n, err := strconv.ParseInt(args[l.at], 10, 64)
	return lifetime{l.at, n, unit.unit, unit.absolute}, err == nil
}

// conditions are the options of EXPIRE and its relatives.
var conditions = []string{"NX", "XX", "GT", "LT"}

// ends returns when the lifetime is over, in milliseconds since the epoch. It is not ok when a node cannot count so far.
func (l lifetime) ends(now int64) (expires int64, ok bool) {
	if l.n > MaxExpires/l.unit || l.n < math.MinInt64/l.unit {
		return 0, false
	}
	if expires = l.n * l.unit; !l.absolute && expires > 0 {
		expires += now
	} else if !l.absolute {
		expires = now // or earlier: the key is gone
	}
	return expires, expires <= MaxExpires
}

// counts reports whether Redis can count to the end of a lifetime, which it does in milliseconds.
func (l lifetime) counts(now int64) bool {
	return l.n >= 0 && l.n <= math.MaxInt64/l.unit && (l.absolute || l.n*l.unit <= math.MaxInt64-now)
}

// guard runs before every command, also before those of a script. It executes commands with a time that miniredis would not
// execute as Redis does: miniredis overflows its nanoseconds, and keeps keys whose time is over. With guard, Get and Put
// carry every state of a node.
func (s *Server) guard(peer *server.Peer, name string, args ...string) (done bool) {
	if why := s.calls(peer, name, args); why != "" {
		peer.WriteError(why)
		return true
	}
	if name == "SET" && clashes(args) {
		peer.WriteError("ERR syntax error")
		return true
	}
	if name == "SET" && s.setIf(peer, args) {
		return true
	}
	if (name == "MSET" || name == "MSETNX") && len(args)%2 == 1 && len(args) > 1 { // miniredis words it otherwise
		peer.WriteError("ERR wrong number of arguments for '" + strings.ToLower(name) + "' command")
		return true
	}
	if name == "GETEX" && len(args) == 3 && slices.Contains([]string{"EX", "PX", "EXAT", "PXAT"}, strings.ToUpper(args[1])) && (!s.exists(peer, args[0]) || !s.readable(peer, args[0])) {
		s.mini.Server().Dispatch(peer, []string{"GET", args[0]}) // Redis reads the time only then
		return true
	}
	l, ok := lifetimeOf(name, args)
	s.timed = s.timed || name == "TIME" || l.absolute
	if !ok {
		return false
	}
	now := s.now.UnixMilli()
	expires, ok := l.ends(now)
	sets := name == "SET" || name == "SETEX" || name == "PSETEX" || name == "GETEX"
	instead := append([]string{name}, args...)
	stores := false
	switch {
	case !ok && l.counts(now):
		s.cannot(false, "a key would expire after the year 2262", "键的过期时间会在 2262 年之后")
		peer.WriteError("ERR " + s.unable.English)
		return true
	case !ok || sets && l.n <= 0:
		peer.WriteError(fmt.Sprintf("ERR invalid expire time in '%s' command", strings.ToLower(name)))
		return true
	case name == "GETEX" && expires <= now:
		instead = []string{"GETDEL", args[0]}
	case name == "SET" && expires <= now: // the key is stored and expires at once
		exists := s.exists(peer, args[0])
		stores = (exists || !HasOption(instead, "XX")) && (!exists || !HasOption(instead, "NX")) && (!HasOption(instead, "GET") || s.readable(peer, args[0]))
		instead[l.at], instead[l.at+1] = "PX", "1"
	case l.n < 0: // it is over
		instead[l.at+1] = "0"
	default:
		return false
	}
	s.mini.Server().Dispatch(peer, instead)
	if stores && peer == s.peer {
		s.mini.Del(args[0])
	} else if stores {
		s.aside(peer, "DEL", args[0])
	}
	return true
}

// clashes reports whether a SET has options that exclude one another, or one that lacks its argument. miniredis takes some of these.
func clashes(args []string) bool {
	lives, keeps, exists, missing := 0, 0, 0, 0
	for i := 2; i < len(args); i++ {
		switch option := strings.ToUpper(args[i]); option {
		case "EX", "PX", "EXAT", "PXAT":
			lives++
			if i++; i == len(args) {
				return true
			}
		case "IFEQ", "IFNE":
			i++
		case "KEEPTTL":
			keeps = 1
		case "XX":
			exists = 1
		case "NX":
			missing = 1
		}
	}
	return lives+keeps > 1 || exists+missing > 1
}

// exists reports whether a key is there, for a peer that has just begun a command.
func (s *Server) exists(peer *server.Peer, key string) bool {
	if peer == s.peer {
		return s.mini.Exists(key)
	}
	return s.aside(peer, "EXISTS", key) == ":1\r\n"
}

// readable reports whether GET can read a key.
func (s *Server) readable(peer *server.Peer, key string) bool {
	if peer == s.peer {
		return s.mini.Type(key) == "" || s.mini.Type(key) == "string"
	}
	return s.aside(peer, "GET", key).Err() == ""
}

// aside executes a command for a script, whose own reply it leaves alone. miniredis is locked while a script runs: nothing but
// a command of the script reaches its keys then.
func (s *Server) aside(peer *server.Peer, command ...string) Reply {
	var out bytes.Buffer
	aside := server.NewPeer(bufio.NewWriter(&out))
	aside.Ctx = peer.Ctx
	s.mini.Server().Dispatch(aside, command)
	aside.Flush()
	return reply(out.Bytes())
}
