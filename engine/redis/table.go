package redis

import "strings"

// keys says which arguments of a command name keys.
type keys uint8

const (
	noKeys keys = iota
	oneKey      // the first
	allKeys
	pairs // the first, the third, … : key value key value
	scriptKeys
	queuedKeys // those of the queued commands
)

// A trait is what a command does, whatever its arguments are.
type trait uint8

const (
	reads  trait = 1 << iota // it changes nothing
	sets                     // it may give a key a value
	claims                   // it sets only what is not there
	counts                   // it leaves a number that Redis has counted
	frees                    // it deletes a key or a field, and so may give back a lock
	tries                    // it has changed nothing if it replies 0
)

// allowed is the allow-list: every command that may reach Redis, and what is known of it.
var allowed = map[string]struct {
	keys   keys
	traits trait
}{
	"SETNX": {oneKey, sets | claims | tries}, "HSETNX": {oneKey, sets | claims | tries},
	"GET": {oneKey, reads}, "TTL": {oneKey, reads}, "PTTL": {oneKey, reads}, "STRLEN": {oneKey, reads},
	"TYPE": {oneKey, reads}, "HGET": {oneKey, reads}, "HGETALL": {oneKey, reads}, "HEXISTS": {oneKey, reads},
	"HLEN":   {oneKey, reads},
	"GETSET": {oneKey, sets}, "SET": {oneKey, sets}, "SETEX": {oneKey, sets}, "PSETEX": {oneKey, sets},
	"HSET": {oneKey, sets}, "HINCRBY": {oneKey, sets},
	"DEL": {allKeys, frees | tries}, "UNLINK": {allKeys, frees | tries},
	"DELEX": {oneKey, frees | tries}, "DELIFEQ": {oneKey, frees | tries}, "HDEL": {oneKey, frees | tries},
	"EVAL":   {scriptKeys, sets},
	"EXPIRE": {oneKey, tries}, "PEXPIRE": {oneKey, tries}, "EXPIREAT": {oneKey, tries}, "PEXPIREAT": {oneKey, tries},
	"PERSIST": {oneKey, tries},
	"GETDEL":  {oneKey, frees},
	"GETEX":   {oneKey, 0},
	"INCR":    {oneKey, sets | counts}, "DECR": {oneKey, sets | counts}, "INCRBY": {oneKey, sets | counts}, "DECRBY": {oneKey, sets | counts},
	"EXISTS": {allKeys, reads}, "MGET": {allKeys, reads},
	"MSET":   {pairs, sets},
	"MSETNX": {pairs, sets | claims | tries},
	"TIME":   {noKeys, reads}, "PING": {noKeys, reads}, "ECHO": {noKeys, reads},
	"PUBLISH": {noKeys, tries},
	"MULTI":   {queuedKeys, 0},
}

// does reports whether a command has a trait. A script whose text is not here may do what one does whose text is here.
func does(name string, t trait) bool {
	if name = strings.ToUpper(name); name == evalSHA {
		name = "EVAL"
	}
	return allowed[name].traits&t != 0
}

// Reads reports whether a command changes nothing, whatever it replies.
func Reads(command []string) bool { return does(command[0], reads) }

// Tries reports whether a command has changed nothing if it replies 0.
func Tries(command []string) bool { return does(command[0], tries) }
