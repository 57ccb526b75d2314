package detect

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"strconv"
)

// A kind says how a command is read.
type kind uint8

const (
	doAny       kind = iota // an unknown effect on any key among its arguments
	nothingToDo             // it changes no key that may be a lock
	doRead                  // its first argument is a key that it only reads
	doOne                   // an unknown effect on the key that is its first argument
	doSet
	doSetNX
	doGetSet
	doGet
	doWatch
	doDel // of the key that is its first argument
	doMany
	doExpire
	doScript
	doLoad
	doFlush
	doSwap
	doClient
)

// kinds is another table than that of package redis: a log has the commands of all Redis, most of which Lockstep never
// executes, and each line of a large log is looked up by its bytes. A test holds both to the same.
var kinds = func() map[string]kind {
	all := map[string]kind{}
	for do, names := range map[kind]string{
		nothingToDo: "PING HELLO AUTH SELECT QUIT RESET READONLY READWRITE ASKING COMMAND INFO CLUSTER ROLE MONITOR ECHO TIME UNWATCH MULTI EXEC DISCARD CONFIG DBSIZE KEYS SCAN RANDOMKEY " +
			"PUBLISH SPUBLISH SUBSCRIBE PSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SSUBSCRIBE SUNSUBSCRIBE PUBSUB EXISTS TOUCH MGET SLOWLOG LATENCY MEMORY ACL WAIT WAITAOF REPLCONF PSYNC SAVE BGSAVE LASTSAVE BGREWRITEAOF OBJECT MODULE",
		doRead: "TTL PTTL EXPIRETIME PEXPIRETIME STRLEN TYPE DUMP GETRANGE SUBSTR GETBIT BITCOUNT BITPOS HGET HMGET HGETALL HEXISTS HLEN HKEYS HVALS HSTRLEN HSCAN HRANDFIELD LLEN LRANGE LINDEX LPOS " +
			"SCARD SISMEMBER SMISMEMBER SMEMBERS SRANDMEMBER SSCAN ZCARD ZCOUNT ZSCORE ZMSCORE ZRANGE ZRANGEBYSCORE ZREVRANGE ZREVRANGEBYSCORE ZRANK ZREVRANK ZSCAN ZLEXCOUNT ZRANGEBYLEX XLEN XRANGE XREVRANGE XINFO GEOPOS GEODIST PFCOUNT",
		doOne: "APPEND INCR DECR INCRBY DECRBY INCRBYFLOAT SETRANGE SETBIT BITFIELD PERSIST HSET HMSET HSETNX HDEL HINCRBY HINCRBYFLOAT LPUSH RPUSH LPUSHX RPUSHX LPOP RPOP LSET LREM LTRIM LINSERT " +
			"SADD SREM SPOP ZADD ZREM ZINCRBY ZPOPMIN ZPOPMAX ZREMRANGEBYSCORE ZREMRANGEBYRANK ZREMRANGEBYLEX XADD XDEL XTRIM XACK XCLAIM XAUTOCLAIM GEOADD PFADD SETEX PSETEX GETEX RESTORE",
		doSet: "SET", doSetNX: "SETNX", doGetSet: "GETSET", doGet: "GET", doWatch: "WATCH", doDel: "GETDEL", doMany: "DEL UNLINK",
		doExpire: "EXPIRE PEXPIRE EXPIREAT PEXPIREAT",
		doScript: "EVAL EVALSHA FCALL EVAL_RO EVALSHA_RO FCALL_RO", doLoad: "SCRIPT", doFlush: "FLUSHALL FLUSHDB", doSwap: "SWAPDB", doClient: "CLIENT",
	} {
		for _, name := range bytes.Fields([]byte(names)) {
			all[string(name)] = do
		}
	}
	return all
}()

// A named is a command and how it is read.
type named struct {
	name string
	kind kind
}

// table has the commands by a few of their letters, since each line of a log is looked up.
var table = func() (all [1024][]named) {
	for name, do := range kinds {
		at := slot([]byte(name))
		all[at] = append(all[at], named{name, do})
	}
	return all
}()

func slot(name []byte) uint {
	n := len(name)
	if n == 0 {
		return 0
	}
	return (uint(name[0]&0x1f)*31 + uint(name[n-1]&0x1f)*7 + uint(name[n/2]&0x1f)*131 + uint(n)*17) % 1024
}

// lookUp returns how a command is read.
func lookUp(name []byte) kind {
	for _, n := range table[slot(name)] {
		if is(name, n.name) {
			return n.kind
		}
	}
	return doAny
}

// setOptions are those of SET.
type setOptions struct {
	nx, xx, get, keep bool
	wrong             bool  // Redis refuses it
	lease             int64 // the end, Unix time, ns; 0: none; -1: unknown
}

func setOptionsOf(c *Command) (o setOptions) {
	for i := 3; i < len(c.Words); i++ {
		switch word := c.Words[i]; {
		case is(word, "NX"):
			o.nx = true
		case is(word, "XX"):
			o.xx = true
		case is(word, "GET"):
			o.get = true
		case is(word, "KEEPTTL"):
			o.keep = true
		case (is(word, "PX") || is(word, "EX") || is(word, "PXAT") || is(word, "EXAT")) && i+1 < len(c.Words):
			unit := int64(1e9)
			if word[0]|0x20 == 'p' {
				unit = 1e6
			}
			n, err := strconv.ParseInt(string(c.Words[i+1]), 10, 64)
			if err != nil || n <= 0 {
				o.wrong = true
				return o
			}
			o.lease = end(c.Time, n, unit, len(word) == 4)
			i++
		default:
			o.xx, o.lease = true, -1 // a condition of a later Redis
		}
	}
	return o
}

// end returns the end of a lease.
func end(now, n, unit int64, absolute bool) int64 {
	if n > 1<<62/unit {
		return 0 // in centuries
	}
	if n *= unit; !absolute {
		n += now
	}
	return n
}

// leaseOf returns the end that EXPIRE and its like set. They delete a key whose end has passed.
func leaseOf(c *Command) (lease int64, gone bool) {
	if len(c.Words) < 3 {
		return -1, false
	}
	n, err := strconv.ParseInt(string(c.Words[2]), 10, 64)
	if err != nil || len(c.Words) > 3 {
		return -1, false
	}
	unit := int64(1e9)
	if c.Words[0][0]|0x20 == 'p' {
		unit = 1e6
	}
	absolute := len(c.Words[0]) > len("PEXPIRE")
	if n <= 0 {
		return 0, true
	}
	lease = end(c.Time, n, unit, absolute)
	return lease, lease != 0 && lease < c.Time-Margin
}

func is(word []byte, name string) bool {
	if len(word) != len(name) {
		return false
	}
	for i, c := range word {
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != name[i] {
			return false
		}
	}
	return true
}

// sha1Of returns the SHA-1 by which Redis knows a script.
func sha1Of(text []byte) []byte {
	digest := sha1.Sum(text)
	return hex.AppendEncode(nil, digest[:])
}
