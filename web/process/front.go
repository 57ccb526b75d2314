package process

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/redis"
)

// version is the Redis that the front says it is. Libraries ask an older one for nothing that is new.
const version = "7.2.4"

// A transaction is open between MULTI and EXEC.
type transaction struct {
	queued  [][]string
	size    int
	aborted bool // a command in it was refused
}

// aside answers the commands that touch no key and need no place in a schedule.
var aside = map[string]func(c *connection, words []string) string{
	"HELLO":    (*connection).hello,
	"AUTH":     func(c *connection, words []string) string { return between(words, 2, 3, ok) },
	"CLIENT":   (*connection).client,
	"PING":     (*connection).ping,
	"ECHO":     func(c *connection, words []string) string { return between(words, 2, 2, bulk(words[len(words)-1])) },
	"SELECT":   (*connection).selects,
	"INFO":     func(c *connection, words []string) string { return bulk(info) },
	"COMMAND":  (*connection).command,
	"CONFIG":   (*connection).config,
	"CLUSTER":  noCluster,
	"READONLY": noCluster, "READWRITE": noCluster, "ASKING": noCluster,
	"RESET":   (*connection).reset,
	"QUIT":    func(c *connection, words []string) string { return ok },
	"SCRIPT":  (*connection).script,
	"WAIT":    func(c *connection, words []string) string { return between(words, 3, 3, number(0)) },
	"UNWATCH": func(c *connection, words []string) string { return between(words, 1, 1, ok) },
	"MULTI":   (*connection).begin,
	"DISCARD": (*connection).discard,

	"WATCH": lacks("a transaction of MULTI and EXEC alone"),

	"SUBSCRIBE": lacks(noPush), "PSUBSCRIBE": lacks(noPush), "SSUBSCRIBE": lacks(noPush),
	"UNSUBSCRIBE": lacks(noPush), "PUNSUBSCRIBE": lacks(noPush), "SUNSUBSCRIBE": lacks(noPush),
	"MONITOR": lacks(noPush), "SYNC": lacks(noPush), "PSYNC": lacks(noPush),

	"BLPOP": lacks(noWait), "BRPOP": lacks(noWait), "BRPOPLPUSH": lacks(noWait), "BLMOVE": lacks(noWait), "BLMPOP": lacks(noWait),
	"BZPOPMIN": lacks(noWait), "BZPOPMAX": lacks(noWait), "BZMPOP": lacks(noWait), "XREAD": lacks(noWait), "XREADGROUP": lacks(noWait),
	"WAITAOF": lacks(noWait),

	"FCALL": lacks(noFunctions), "FCALL_RO": lacks(noFunctions), "FUNCTION": lacks(noFunctions),
}

const (
	noPush      = "commands that have one reply"
	noWait      = "commands that are answered at once"
	noFunctions = "scripts by EVAL and EVALSHA"
)

// inTransaction are the commands of aside that a transaction does not queue.
var inTransaction = []string{"MULTI", "DISCARD", "RESET", "QUIT"}

const info = "# Server\r\nredis_version:" + version + "\r\nredis_mode:standalone\r\n# Persistence\r\nloading:0\r\n# Replication\r\nrole:master\r\nconnected_slaves:0\r\n# Cluster\r\ncluster_enabled:0\r\n"

// handle returns the answer to a command, or the command as it stands at the door.
func (c *connection) handle(words []string) (answer string, atDoor *held) {
	name := strings.ToUpper(words[0])
	if name == "EXEC" {
		return c.exec(words)
	}
	if c.multi != nil && !slices.Contains(inTransaction, name) {
		return c.enqueue(name, words), nil
	}
	if does := aside[name]; does != nil {
		answer = does(c, words)
		if name == "QUIT" {
			c.send(answer)
			c.leave()
			return "", nil
		}
		return answer, nil
	}
	command, answer := c.withText(name, words)
	if command == nil {
		return answer, nil
	}
	return "", &held{command: command}
}

// withText returns a command as the door knows it: EVALSHA becomes EVAL with the script's text. Without that text the
// program gets the answer at once.
func (c *connection) withText(name string, words []string) (command []string, answer string) {
	if len(words) < 3 {
		return words, ""
	}
	known := &c.process.scripts
	switch name {
	case "EVAL":
		if _, ok := known.add(words[1]); !ok {
			c.process.fail(tooManyScripts())
			return nil, ""
		}
	case "EVALSHA":
		text, ok := known.find(words[1])
		if !ok {
			return nil, failure("NOSCRIPT No matching script. Please use EVAL.")
		}
		return append([]string{"EVAL", text}, words[2:]...), ""
	}
	return words, ""
}

func (c *connection) begin(words []string) string {
	if c.multi != nil {
		return failure("ERR MULTI calls can not be nested")
	}
	if len(words) == 1 {
		c.multi = &transaction{}
	}
	return between(words, 1, 1, ok)
}

// enqueue puts a command into the open transaction. Redis looks for a script at EXEC; here NOSCRIPT comes now, and EXEC
// refuses the transaction.
func (c *connection) enqueue(name string, words []string) string {
	m := c.multi
	var command []string
	answer := failure("ERR Lockstep does not take " + name + " in a transaction")
	if name == "PING" || name == "ECHO" || aside[name] == nil {
		command, answer = c.withText(name, words)
	}
	if command == nil {
		m.aborted = true
		return answer
	}
	m.queued = append(m.queued, command)
	if m.size += size(command); len(m.queued) > maxPipelined || m.size > maxRequest {
		c.process.fail(tooLongTransaction())
	}
	return queued
}

func (c *connection) discard(words []string) string {
	if c.multi == nil {
		return failure("ERR DISCARD without MULTI")
	}
	c.multi = nil
	return ok
}

// exec brings the transaction to the door as one command.
func (c *connection) exec(words []string) (answer string, atDoor *held) {
	m := c.multi
	c.multi = nil
	switch {
	case m == nil:
		return failure("ERR EXEC without MULTI"), nil
	case m.aborted:
		return failure("EXECABORT Transaction discarded because of previous errors."), nil
	case len(m.queued) == 0:
		return emptyArray, nil
	}
	command := []string{"MULTI"}
	for _, q := range m.queued {
		command = append(command, redis.Quote(q))
	}
	return "", &held{command: append(command, "EXEC"), queued: m.queued}
}

// hello is HELLO [version [AUTH name password] [SETNAME name]].
func (c *connection) hello(words []string) string {
	resp3, name := c.resp3, c.name
	if len(words) > 1 {
		if words[1] != "2" && words[1] != "3" {
			return failure("NOPROTO unsupported protocol version")
		}
		resp3 = words[1] == "3"
	}
	for rest := words[min(2, len(words)):]; len(rest) > 0; {
		switch option := strings.ToUpper(rest[0]); {
		case option == "AUTH" && len(rest) > 2:
			rest = rest[3:]
		case option == "SETNAME" && len(rest) > 1:
			name = rest[1]
			rest = rest[2:]
		default:
			return failure("ERR Syntax error in HELLO option '" + option + "'")
		}
	}
	c.resp3, c.name = resp3, name
	protocol := int64(2)
	if resp3 {
		protocol = 3
	}
	return pairs(resp3, bulk("server"), bulk("redis"), bulk("version"), bulk(version), bulk("proto"), number(protocol),
		bulk("id"), number(c.id), bulk("mode"), bulk("standalone"), bulk("role"), bulk("master"), bulk("modules"), emptyArray)
}

func (c *connection) client(words []string) string {
	switch sub := subcommand(words); sub {
	case "SETNAME":
		if len(words) == 3 {
			c.name = words[2]
		}
		return between(words, 3, 3, ok)
	case "GETNAME":
		if c.name == "" {
			return c.null()
		}
		return bulk(c.name)
	case "SETINFO", "NO-EVICT", "NO-TOUCH":
		return ok
	case "REPLY":
		if len(words) == 3 && strings.EqualFold(words[2], "ON") {
			return ok
		}
		return failure("ERR Lockstep answers every command")
	case "ID":
		return number(c.id)
	case "INFO", "LIST":
		return bulk(fmt.Sprintf("id=%d addr=%s laddr=%s name=%s db=0 multi=-1 resp=%d\n", c.id, c.socket.RemoteAddr(), c.socket.LocalAddr(), c.name, c.protocol()))
	case "GETREDIR":
		return number(-1)
	case "TRACKING", "CACHING", "TRACKINGINFO":
		return failure("ERR Lockstep has no client-side caching")
	case "PAUSE", "UNPAUSE", "KILL", "UNBLOCK":
		return failure("ERR Lockstep takes one program for all clients of its Redis")
	default:
		return unknown("CLIENT", words)
	}
}

func (c *connection) protocol() int {
	if c.resp3 {
		return 3
	}
	return 2
}

func (c *connection) null() string {
	if c.resp3 {
		return "_\r\n"
	}
	return "$-1\r\n"
}

func (c *connection) ping(words []string) string {
	if len(words) == 2 {
		return bulk(words[1])
	}
	return between(words, 1, 1, "+PONG\r\n")
}

func (c *connection) selects(words []string) string {
	if n, err := strconv.Atoi(words[len(words)-1]); len(words) == 2 && (err != nil || n != 0) {
		return failure("ERR DB index is out of range: Lockstep has database 0 only")
	}
	return between(words, 2, 2, ok)
}

func (c *connection) command(words []string) string {
	switch sub := subcommand(words); sub {
	case "COUNT":
		return number(0)
	case "DOCS":
		return pairs(c.resp3)
	case "INFO":
		nulls := make([]string, max(0, len(words)-2))
		for i := range nulls {
			nulls[i] = c.null()
		}
		return array(nulls...)
	case "", "LIST":
		return emptyArray
	default:
		return unknown("COMMAND", words)
	}
}

func (c *connection) config(words []string) string {
	if subcommand(words) != "GET" {
		return failure("ERR Lockstep has no configuration to change")
	}
	return pairs(c.resp3)
}

func noCluster(*connection, []string) string {
	return failure("ERR This instance has cluster support disabled")
}

func (c *connection) reset(words []string) string {
	c.multi, c.resp3, c.name = nil, false, ""
	return "+RESET\r\n"
}

func (c *connection) script(words []string) string {
	known := &c.process.scripts
	switch sub := subcommand(words); {
	case sub == "LOAD" && len(words) == 3:
		sha, ok := known.add(words[2])
		if !ok {
			c.process.fail(tooManyScripts())
		}
		return bulk(sha)
	case sub == "EXISTS" && len(words) > 2:
		found := make([]string, len(words)-2)
		for i, sha := range words[2:] {
			found[i] = number(0)
			if _, ok := known.find(sha); ok {
				found[i] = number(1)
			}
		}
		return array(found...)
	case sub == "FLUSH":
		known.flush()
		return ok
	case sub == "KILL":
		return failure("NOTBUSY No scripts in execution right now.")
	default:
		return unknown("SCRIPT", words)
	}
}

func subcommand(words []string) string {
	if len(words) < 2 {
		return ""
	}
	return strings.ToUpper(words[1])
}

func unknown(command string, words []string) string {
	if len(words) < 2 {
		return between(words, 2, 2, "")
	}
	return failure(fmt.Sprintf("ERR unknown subcommand or wrong number of arguments for '%.64s'. Try %s HELP.", words[1], command))
}

// between returns the answer to a command of least to most words, or the error for another number.
func between(words []string, least, most int, answer string) string {
	if len(words) < least || len(words) > most {
		return failure("ERR wrong number of arguments for '" + strings.ToLower(words[0]) + "' command")
	}
	return answer
}

// lacks refuses a command that Lockstep cannot schedule. A lock that needs it cannot be tested.
func lacks(has string) func(*connection, []string) string {
	return func(c *connection, words []string) string {
		c.process.fail(faulty("it sends %s, which Lockstep does not take: it has %s", "它发送了 %s，Lockstep 不支持这条命令：这里只有 %s", strings.ToUpper(words[0]), has))
		return failure("ERR Lockstep does not take " + strings.ToUpper(words[0]) + ": it has " + has)
	}
}
