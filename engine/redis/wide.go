package redis

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The door is as wide as what executes the commands behind it. A Server executes the allow-list. Where a real server does it,
// every command passes that has one reply, at once, and that the keys and the time decide.

// onServer are the further commands that only a real server executes, with how many words each takes, as Redis counts them. Not
// among them are those that wait or push (BLPOP, SUBSCRIBE), that draw lots (SPOP, RANDOMKEY), that change more than keys
// (SELECT, CONFIG, FUNCTION), and those of types that Lockstep does not copy (streams).
var onServer = arities(`
	APPEND/3 BITCOUNT/-2 BITFIELD/-2 BITFIELD_RO/-2 BITOP/-4 BITPOS/-3 COPY/-3 DBSIZE/1 EXPIRETIME/2 FLUSHALL/-1 FLUSHDB/-1
	GEOADD/-5 GEODIST/-4 GEOHASH/-2 GEOPOS/-2 GEORADIUS/-6 GEORADIUS_RO/-6 GEORADIUSBYMEMBER/-5 GEORADIUSBYMEMBER_RO/-5
	GEOSEARCH/-7 GEOSEARCHSTORE/-8 GETBIT/3 GETRANGE/4 HINCRBYFLOAT/4 HKEYS/2 HMGET/-3 HMSET/-4 HSCAN/-3 HSTRLEN/3 HVALS/2
	INCRBYFLOAT/3 KEYS/2 LCS/-3 LINDEX/3 LINSERT/5 LLEN/2 LMOVE/5 LMPOP/-4 LPOP/-2 LPOS/-3 LPUSH/-3 LPUSHX/-3 LRANGE/4 LREM/4
	LSET/4 LTRIM/4 PEXPIRETIME/2 PFADD/-2 PFCOUNT/-2 PFMERGE/-2 RENAME/3 RENAMENX/3 RPOP/-2 RPOPLPUSH/3 RPUSH/-3 RPUSHX/-3
	SADD/-3 SCAN/-2 SCARD/2 SDIFF/-2 SDIFFSTORE/-3 SETBIT/4 SETRANGE/4 SINTER/-2 SINTERCARD/-3 SINTERSTORE/-3 SISMEMBER/3
	SMEMBERS/2 SMISMEMBER/-3 SMOVE/4 SORT/-2 SORT_RO/-2 SPUBLISH/3 SREM/-3 SSCAN/-3 SUBSTR/4 SUNION/-2 SUNIONSTORE/-3 TOUCH/-2
	ZADD/-4 ZCARD/2 ZCOUNT/4 ZDIFF/-3 ZDIFFSTORE/-4 ZINCRBY/4 ZINTER/-3 ZINTERCARD/-3 ZINTERSTORE/-4 ZLEXCOUNT/4 ZMPOP/-4
	ZMSCORE/-3 ZPOPMAX/-2 ZPOPMIN/-2 ZRANGE/-4 ZRANGEBYLEX/-4 ZRANGEBYSCORE/-4 ZRANGESTORE/-5 ZRANK/3 ZREM/-3
	ZREMRANGEBYLEX/4 ZREMRANGEBYRANK/4 ZREMRANGEBYSCORE/4 ZREVRANGE/-4 ZREVRANGEBYLEX/-4 ZREVRANGEBYSCORE/-4 ZREVRANK/3 ZSCAN/-3
	ZSCORE/3 ZUNION/-3 ZUNIONSTORE/-4`)

func arities(text string) map[string]int {
	of := map[string]int{}
	for word := range strings.FieldsSeq(text) {
		name, n, _ := strings.Cut(word, "/")
		of[name], _ = strconv.Atoi(n)
	}
	return of
}

// Further returns the names of the commands that only a real server executes, in alphabetical order.
func Further() []string { return slices.Sorted(maps.Keys(onServer)) }

// OnServer returns the scripts of a program whose commands a real server executes: the door lets all of them pass that it can.
func (s Scripts) OnServer() Scripts {
	s.onServer = true
	return s
}

// Wide reports whether a real server executes the program's commands.
func (s Scripts) Wide() bool { return s.onServer }

// Reaches reports whether a checked command may touch keys that it does not name: a script of a user's own program may, and Keys
// knows those of the allow-list alone.
func Reaches(command []string) bool {
	name := strings.ToUpper(command[0])
	if _, ok := allowed[name]; !ok && name != evalSHA {
		return true
	}
	return RunsOwn(command) || slices.ContainsFunc(Queued(command), Reaches)
}

// A Lack is a command that a door does not let pass.
type Lack struct {
	Command string // in quotes, and shortened
	Wide    bool   // a real server executes it
}

// Lacks returns the first command, also of a transaction, that the door does not let pass because of its name; nil: there is none.
func (s Scripts) Lacks(command []string) *Lack {
	for _, part := range Parts(command) {
		name := strings.ToUpper(part[0])
		if _, ok := s.knows(name); !ok && name != evalSHA && name != "EXEC" {
			_, wide := onServer[name]
			return &Lack{abbreviate(name), wide}
		}
	}
	return nil
}

// knows returns which arguments of a command name keys, and whether the command may pass.
func (s Scripts) knows(name string) (kind keys, ok bool) {
	known, ok := allowed[name]
	if !ok && s.onServer {
		_, ok = onServer[name]
	}
	return known.keys, ok
}

// Takes reports whether a command takes that many words with its name, and whether some door lets it pass at all.
func Takes(command string, words int) (takes, known bool) {
	name := strings.ToUpper(command)
	n, known := onServer[name]
	if h, ok := HelpOf(name); ok {
		n, known = h.arity(), true
	}
	return words >= max(n, -n) && (n <= 0 || words == n), known
}

// SameInRESP3 reports whether RESP3 has the reply to a command in the form of RESP2, but for maps of hashes and nil. Numbers with
// fractions and sets have forms of their own there.
func SameInRESP3(command string) bool {
	name := strings.ToUpper(command)
	switch name {
	case "SMEMBERS", "SDIFF", "SINTER", "SUNION", "INCRBYFLOAT", "GEOPOS", "GEORADIUS", "GEORADIUS_RO", "GEORADIUSBYMEMBER", "GEORADIUSBYMEMBER_RO", "GEOSEARCH", "LCS":
		return false
	}
	_, further := onServer[name]
	return !further || name[0] != 'Z'
}
