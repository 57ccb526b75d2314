package process

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// A transaction is open between MULTI and EXEC.
type transaction struct {
	queued  [][]string
	size    int
	aborted bool // a command in it was refused
}

// aside answers the commands that touch no key and need no place in a schedule, as Redis does. Where it would have to make an
// answer up, it ends the test instead.
var aside = map[string]func(c *connection, words []string) string{
	"HELLO":    (*connection).hello,
	"AUTH":     (*connection).auth,
	"CLIENT":   (*connection).client,
	"PING":     (*connection).ping,
	"ECHO":     func(c *connection, words []string) string { return between(words, 2, 2, bulk(words[len(words)-1])) },
	"SELECT":   (*connection).selects,
	"INFO":     (*connection).info,
	"COMMAND":  (*connection).command,
	"CLUSTER":  (*connection).cluster,
	"READONLY": noCluster, "READWRITE": noCluster, "ASKING": noCluster,
	"RESET":   (*connection).reset,
	"QUIT":    func(c *connection, words []string) string { return ok },
	"SCRIPT":  (*connection).script,
	"WAIT":    (*connection).wait,
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
	if c.resp3 && !redis.SameInRESP3(name) {
		return c.cannot(words, "over RESP3", "用 RESP3 发送"), nil
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
	switch {
	case len(words) > 1:
	case c.multi != nil:
		return failure("ERR MULTI calls can not be nested")
	default:
		c.multi = &transaction{}
	}
	return c.between(words, 1, 1, ok)
}

// between does what the function between does, for a command that a transaction does not queue: an error aborts that.
func (c *connection) between(words []string, least, most int, answer string) string {
	if c.multi != nil && (len(words) < least || len(words) > most) {
		c.multi.aborted = true
	}
	return between(words, least, most, answer)
}

// enqueue puts a command into the open transaction.
func (c *connection) enqueue(name string, words []string) string {
	m := c.multi
	if aside[name] != nil && name != "PING" && name != "ECHO" {
		return c.cannot(words, "in a transaction", "放在事务里")
	}
	if takes, known := redis.Takes(name, len(words)); known && !takes {
		m.aborted = true
		return wrongNumber(name)
	}
	if c.resp3 && !redis.SameInRESP3(name) {
		return c.cannot(words, "over RESP3", "用 RESP3 发送")
	}
	command, _ := c.withText(name, words)
	if command == nil { // Redis looks for a script at EXEC
		return c.cannot(words, "in a transaction, of a script that Redis does not have", "放在事务里，而 Redis 没有这个脚本")
	}
	m.queued = append(m.queued, command)
	if m.size += size(command); len(m.queued) > maxPipelined || m.size > maxRequest {
		c.process.fail(tooLongTransaction())
	}
	return queued
}

func (c *connection) discard(words []string) string {
	switch {
	case len(words) > 1:
		return c.between(words, 1, 1, "")
	case c.multi == nil:
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
	case len(words) > 1:
		return failure("EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command"), nil
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

// lacks refuses a command that Lockstep cannot schedule. A lock that needs it cannot be tested.
func lacks(has string) func(*connection, []string) string {
	return func(c *connection, words []string) string {
		c.process.fail(faulty("it sends %s, which Lockstep does not take: it has %s", "它发送了 %s，Lockstep 不支持这条命令：这里只有 %s", strings.ToUpper(words[0]), has))
		return failure("ERR Lockstep does not take " + strings.ToUpper(words[0]) + ": it has " + has)
	}
}

// cannot ends the test at a command to which Lockstep does not know what Redis answers. how says more than its first words.
func (c *connection) cannot(words []string, how, chinese string) string {
	command := strings.ToUpper(words[0])
	if len(words) > 1 && how == "" {
		command += " " + words[1][:min(len(words[1]), 32)]
	}
	f := faulty("it sends %s, and Lockstep does not know what Redis answers", "它发送了 %s，而 Lockstep 不知道 Redis 会怎样回答", strconv.Quote(command))
	if how != "" {
		f = faulty("it sends %s %s, and Lockstep does not know what Redis answers", "它把 %s %s，而 Lockstep 不知道 Redis 会怎样回答", strconv.Quote(command), lang.Both(how, chinese))
	}
	c.process.fail(f)
	return failure("ERR Lockstep does not know what Redis answers to " + command)
}
