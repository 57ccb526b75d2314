package process

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/redis"
)

// version is the Redis that the front says it is. Libraries ask an older one for nothing that is new.
const version = "7.2.4"

// sections are what INFO tells: a Redis that has just been started, alone, and keeps nothing on disk.
var sections = []struct{ name, text string }{
	{"server", "# Server\r\nredis_version:" + version + "\r\nredis_mode:standalone\r\n"},
	{"persistence", "# Persistence\r\nloading:0\r\n"},
	{"replication", "# Replication\r\nrole:master\r\nconnected_slaves:0\r\n"},
	{"cluster", "# Cluster\r\ncluster_enabled:0\r\n"},
}

// info is INFO [section [section ...]]. It tells who the server is, and nothing of what it has done.
func (c *connection) info(words []string) string {
	var told []string
	for _, s := range sections {
		if len(words) == 1 || slices.ContainsFunc(words[1:], func(word string) bool {
			return strings.EqualFold(word, s.name) || slices.Contains([]string{"default", "all", "everything"}, strings.ToLower(word))
		}) {
			told = append(told, s.text)
		}
	}
	if len(told) == 0 {
		return c.cannot(words, "", "")
	}
	return bulk(strings.Join(told, "\r\n"))
}

// hello is HELLO [version [AUTH name password] [SETNAME name]]. Every password is right.
func (c *connection) hello(words []string) string {
	resp3, name := c.resp3, c.name
	if len(words) > 1 {
		switch n, err := strconv.ParseInt(words[1], 10, 64); {
		case err != nil:
			return failure("ERR Protocol version is not an integer or out of range")
		case n != 2 && n != 3:
			return failure("NOPROTO unsupported protocol version")
		default:
			resp3 = n == 3
		}
	}
	for rest := words[min(2, len(words)):]; len(rest) > 0; {
		switch option := strings.ToUpper(rest[0]); {
		case option == "AUTH" && len(rest) > 2:
			rest = rest[3:]
		case option == "SETNAME" && len(rest) > 1:
			if name = rest[1]; !isName(name) {
				return badName
			}
			rest = rest[2:]
		default:
			return failure("ERR Syntax error in HELLO option '" + rest[0] + "'")
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

// auth is AUTH [name] password. Every password is right.
func (c *connection) auth(words []string) string {
	if len(words) > 3 {
		return failure("ERR syntax error")
	}
	return between(words, 2, 3, ok)
}

const badName = "-ERR Client names cannot contain spaces, newlines or special characters.\r\n"

// isName reports whether Redis takes a name for a connection.
func isName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r < '!' || r > '~' })
}

func (c *connection) client(words []string) string {
	switch sub := subcommand(words); sub {
	case "":
		return between(words, 2, 2, "")
	case "SETNAME":
		switch {
		case len(words) != 3:
		case !isName(words[2]):
			return badName
		default:
			c.name = words[2]
		}
		return between(words, 3, 3, ok)
	case "GETNAME":
		if c.name == "" {
			return between(words, 2, 2, c.null())
		}
		return between(words, 2, 2, bulk(c.name))
	case "SETINFO":
		if len(words) == 4 && !slices.Contains([]string{"LIB-NAME", "LIB-VER"}, strings.ToUpper(words[2])) {
			return failure("ERR Unrecognized option '" + words[2] + "'")
		}
		return between(words, 4, 4, ok)
	case "NO-EVICT", "NO-TOUCH":
		if len(words) == 3 && !strings.EqualFold(words[2], "ON") && !strings.EqualFold(words[2], "OFF") {
			return failure("ERR syntax error")
		}
		return between(words, 3, 3, ok)
	case "REPLY":
		if len(words) == 3 && strings.EqualFold(words[2], "ON") {
			return ok
		}
	case "ID":
		return between(words, 2, 2, number(c.id))
	case "GETREDIR":
		return between(words, 2, 2, number(-1))
	case "INFO", "LIST", "KILL", "PAUSE", "UNPAUSE", "UNBLOCK", "TRACKING", "TRACKINGINFO", "CACHING", "HELP":
	default:
		return unknown("CLIENT", words)
	}
	return c.cannot(words, "", "")
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

// databases is how many databases a Redis has that nobody has configured. Lockstep has the first.
const databases = 16

func (c *connection) selects(words []string) string {
	if len(words) != 2 {
		return between(words, 2, 2, ok)
	}
	switch n, err := strconv.ParseInt(words[1], 10, 64); {
	case err != nil:
		return failure("ERR value is not an integer or out of range")
	case n != int64(int32(n)):
		return failure("ERR value is out of range, value must between -2147483648 and 2147483647")
	case n < 0 || n >= databases:
		return failure("ERR DB index is out of range")
	case n > 0:
		c.process.fail(faulty("it selects database %d: Lockstep has database 0 alone", "它选用了数据库 %d：Lockstep 只有数据库 0", n))
	}
	return ok
}

// command is COMMAND. redis-cli asks for it when a person begins to type, and does without: nobody tests that.
func (c *connection) command(words []string) string {
	if c.process.child == nil && subcommand(words) == "DOCS" {
		return pairs(c.resp3)
	}
	return c.cannot(words, "", "")
}

func noCluster(_ *connection, words []string) string {
	return between(words, 1, 1, failure("ERR This instance has cluster support disabled"))
}

func (c *connection) cluster(words []string) string {
	switch sub := subcommand(words); sub {
	case "":
		return between(words, 2, 2, "")
	case "SLOTS", "SHARDS", "NODES", "INFO", "MYID":
		if len(words) == 2 {
			return failure("ERR This instance has cluster support disabled")
		}
	}
	return c.cannot(words, "", "")
}

func (c *connection) reset(words []string) string {
	if len(words) == 1 {
		c.multi, c.resp3, c.name = nil, false, ""
	}
	return c.between(words, 1, 1, "+RESET\r\n")
}

// wait is WAIT numreplicas timeout. There is no replica to wait for.
func (c *connection) wait(words []string) string {
	if len(words) != 3 {
		return between(words, 3, 3, "")
	}
	replicas, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil {
		return failure("ERR value is not an integer or out of range")
	}
	switch timeout, err := strconv.ParseInt(words[2], 10, 64); {
	case err != nil:
		return failure("ERR timeout is not an integer or out of range")
	case timeout < 0:
		return failure("ERR timeout is negative")
	case replicas > 0:
		return lacks(noWait)(c, words)
	}
	return number(0)
}

func (c *connection) script(words []string) string {
	known := &c.process.scripts
	switch sub := subcommand(words); {
	case sub == "":
		return between(words, 2, 2, "")
	case sub == "LOAD" && len(words) == 3:
		if !redis.Compiles(words[2]) {
			c.process.fail(faulty("it loads a script that is not Lua", "它加载的脚本不是合法的 Lua"))
		}
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
	case sub == "FLUSH" && len(words) == 3 && !strings.EqualFold(words[2], "SYNC") && !strings.EqualFold(words[2], "ASYNC"):
		return failure("ERR SCRIPT FLUSH only support SYNC|ASYNC option")
	case sub == "FLUSH" && len(words) < 4:
		known.flush()
		return ok
	case sub == "KILL" && len(words) == 2:
		return failure("NOTBUSY No scripts in execution right now.")
	case slices.Contains([]string{"LOAD", "EXISTS", "KILL"}, sub):
		return wrongNumber("SCRIPT|" + sub)
	case slices.Contains([]string{"FLUSH", "DEBUG", "HELP", "SHOW"}, sub):
		return c.cannot(words, "", "")
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

// unknown is what Redis says to a subcommand that it lacks.
func unknown(command string, words []string) string {
	return failure("ERR unknown subcommand '" + words[1][:min(len(words[1]), 128)] + "'. Try " + command + " HELP.")
}

// between returns the answer to a command of least to most words, or the error for another number. The name of a subcommand
// belongs to that of its command.
func between(words []string, least, most int, answer string) string {
	if len(words) >= least && len(words) <= most {
		return answer
	}
	name := words[0]
	if strings.EqualFold(name, "CLIENT") && len(words) > 1 {
		name += "|" + words[1]
	}
	return wrongNumber(name)
}

func wrongNumber(name string) string {
	return failure("ERR wrong number of arguments for '" + strings.ToLower(name) + "' command")
}
