package process

import (
	"strings"
	"testing"
)

// The front answers what touches no key. Each line is a command and its reply; nothing of it comes to the door.
func TestFront(t *testing.T) {
	conversations := map[string]string{
		"RESP2": `
			PING | +PONG
			PING hello | $5 hello
			ECHO hello | $5 hello
			HELLO | *14 $6 server $5 redis $7 version $5 7.2.4 $5 proto :2 $2 id :1 $4 mode $10 standalone $4 role $6 master $7 modules *0
			HELLO 4 | -NOPROTO unsupported protocol version
			HELLO x | -ERR Protocol version is not an integer or out of range
			HELLO 2 NAME x | -ERR Syntax error in HELLO option 'NAME'
			HELLO 2 SETNAME "a b" | -ERR Client names cannot contain spaces, newlines or special characters.
			AUTH secret | +OK
			AUTH me secret | +OK
			AUTH | -ERR wrong number of arguments for 'auth' command
			AUTH a b c | -ERR syntax error
			CLIENT GETNAME | $-1
			HELLO 2 AUTH me secret SETNAME jo | *14 $6 server $5 redis $7 version $5 7.2.4 $5 proto :2 $2 id :1 $4 mode $10 standalone $4 role $6 master $7 modules *0
			CLIENT GETNAME | $2 jo
			CLIENT ID | :1
			CLIENT SETNAME mo | +OK
			CLIENT GETNAME | $2 mo
			client setinfo LIB-NAME x | +OK
			CLIENT SETINFO LIB-AGE 3 | -ERR Unrecognized option 'LIB-AGE'
			CLIENT SETNAME "a b" | -ERR Client names cannot contain spaces, newlines or special characters.
			CLIENT SETNAME | -ERR wrong number of arguments for 'client|setname' command
			CLIENT REPLY ON | +OK
			CLIENT GETREDIR | :-1
			CLIENT NO-EVICT on | +OK
			CLIENT NO-EVICT x | -ERR syntax error
			CLIENT MAINT_NOTIFICATIONS ON | -ERR unknown subcommand 'MAINT_NOTIFICATIONS'. Try CLIENT HELP.
			CLIENT | -ERR wrong number of arguments for 'client' command
			SELECT 0 | +OK
			SELECT 16 | -ERR DB index is out of range
			SELECT x | -ERR value is not an integer or out of range
			COMMAND DOCS get | *0
			CLUSTER SLOTS | -ERR This instance has cluster support disabled
			READONLY | -ERR This instance has cluster support disabled
			WAIT 0 0 | :0
			WAIT x 0 | -ERR value is not an integer or out of range
			WAIT 0 -1 | -ERR timeout is negative
			UNWATCH | +OK
			UNWATCH x | -ERR wrong number of arguments for 'unwatch' command
			RESET | +RESET
			CLIENT GETNAME | $-1
			QUIT | +OK`,
		"RESP3": `
			HELLO 3 | %7 $6 server $5 redis $7 version $5 7.2.4 $5 proto :3 $2 id :1 $4 mode $10 standalone $4 role $6 master $7 modules *0
			CLIENT GETNAME | _
			COMMAND DOCS | %0
			RESET | +RESET
			CLIENT GETNAME | $-1`,
		"scripts": `
			SCRIPT LOAD "return 1" | $40 e0e1f9fabfc9d4800c877a703b823ac0578ff8db
			SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db E0E1F9FABFC9D4800C877A703B823AC0578FF8DB 00 | *3 :1 :1 :0
			SCRIPT FLUSH | +OK
			EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0 | -NOSCRIPT No matching script. Please use EVAL.
			SCRIPT KILL | -NOTBUSY No scripts in execution right now.
			SCRIPT FLUSH x | -ERR SCRIPT FLUSH only support SYNC|ASYNC option
			SCRIPT NOSUCH | -ERR unknown subcommand 'NOSUCH'. Try SCRIPT HELP.
			SCRIPT LOAD | -ERR wrong number of arguments for 'script|load' command`,
		"transactions": `
			EXEC | -ERR EXEC without MULTI
			DISCARD | -ERR DISCARD without MULTI
			MULTI | +OK
			MULTI | -ERR MULTI calls can not be nested
			SET k v | +QUEUED
			DISCARD | +OK
			MULTI | +OK
			EXEC | *0
			MULTI | +OK
			SET k | -ERR wrong number of arguments for 'set' command
			SET k v | +QUEUED
			EXEC | -EXECABORT Transaction discarded because of previous errors.
			MULTI | +OK
			EXEC now | -EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command
			MULTI | +OK
			DISCARD now | -ERR wrong number of arguments for 'discard' command
			EXEC | -EXECABORT Transaction discarded because of previous errors.
			MULTI | +OK
			RESET | +RESET
			EXEC | -ERR EXEC without MULTI`,
		// A shell writes lines.
		"lines": `
			raw ping | +PONG
			raw   echo  "a\x20b"  | $3 a b
			raw client id | :1`,
	}
	for name, conversation := range conversations {
		t.Run(name, func(t *testing.T) {
			p := listening(t)
			c := dial(t, p)
			for line := range strings.Lines(conversation) {
				sent, want, found := strings.Cut(strings.TrimSpace(line), " | ")
				if !found {
					continue
				}
				if typed, is := strings.CutPrefix(sent, "raw "); is {
					c.raw(typed + "\r\n")
				} else {
					c.sends(sent)
				}
				c.reads(want)
			}
			c.raw("\r\n*0\r\n") // nothing is no command
			if name == "RESP2" {
				c.ends()
				return
			}
			c.sends("GET k")
			comes(t, p, "GET k")
		})
	}
}

// A command that Lockstep cannot schedule gets a reply, so its program does not wait, and ends the program with one sentence. A Redis would
// answer some of them late, some more than once, and some never.
func TestACommandThatNobodyCanScheduleEndsItsProgram(t *testing.T) {
	for line := range strings.Lines(`
		WATCH k | a transaction of MULTI and EXEC alone
		SUBSCRIBE k | commands that have one reply
		PSUBSCRIBE k* | commands that have one reply
		MONITOR | commands that have one reply
		BLPOP k 0 | commands that are answered at once
		XREAD BLOCK 0 STREAMS k $ | commands that are answered at once
		FCALL f 0 | scripts by EVAL and EVALSHA
	`) {
		sent, has, found := strings.Cut(strings.TrimSpace(line), " | ")
		if !found {
			continue
		}
		p := listening(t)
		c := dial(t, p)
		c.sends(sent)
		name, _, _ := strings.Cut(sent, " ")
		c.reads("-ERR Lockstep does not take " + name + ": it has " + has)
		fails(t, p, faulty("it sends %s, which Lockstep does not take: it has %s", "它发送了 %s，Lockstep 不支持这条命令：这里只有 %s", name, has))
	}
}

// Where the front would have to make a reply up, the test ends. Redis answers all of these, and a lock may depend on it.
func TestTheFrontMakesNoReplyUp(t *testing.T) {
	for _, row := range []struct {
		sent []string
		want string
	}{
		{[]string{"CLIENT LIST"}, `it sends "CLIENT LIST", and Lockstep does not know what Redis answers`},
		{[]string{"CLIENT TRACKING ON"}, `it sends "CLIENT TRACKING", and Lockstep does not know what Redis answers`},
		{[]string{"CLIENT REPLY OFF"}, `it sends "CLIENT REPLY", and Lockstep does not know what Redis answers`},
		{[]string{"INFO memory"}, `it sends "INFO memory", and Lockstep does not know what Redis answers`},
		{[]string{"COMMAND COUNT"}, `it sends "COMMAND COUNT", and Lockstep does not know what Redis answers`},
		{[]string{"CLUSTER KEYSLOT x"}, `it sends "CLUSTER KEYSLOT", and Lockstep does not know what Redis answers`},
		{[]string{"SELECT 1"}, "it selects database 1: Lockstep has database 0 alone"},
		{[]string{"WAIT 1 100"}, "it sends WAIT, which Lockstep does not take: it has commands that are answered at once"},
		{[]string{`SCRIPT LOAD "return +"`}, "it loads a script that is not Lua"},
		{[]string{"SCRIPT DEBUG YES"}, `it sends "SCRIPT DEBUG", and Lockstep does not know what Redis answers`},
		{[]string{"MULTI", "SELECT 0"}, `it sends "SELECT" in a transaction, and Lockstep does not know what Redis answers`},
		{[]string{"MULTI", "WATCH k"}, `it sends "WATCH" in a transaction, and Lockstep does not know what Redis answers`},
		{[]string{"MULTI", "EVALSHA 00 0"}, `it sends "EVALSHA" in a transaction, of a script that Redis does not have, and Lockstep does not know what Redis answers`},
		{[]string{"HELLO 3", "SMEMBERS k"}, `it sends "SMEMBERS" over RESP3, and Lockstep does not know what Redis answers`},
	} {
		p := listening(t)
		dial(t, p).sends(row.sent...)
		if a := p.Next(); a.Fault == nil || a.Fault.English != row.want || a.Fault.Chinese == "" {
			t.Errorf("%q: %v, not %s", row.sent, a.Fault, row.want)
		}
	}
}

// These libraries connect with these commands, as they have been watched to, and nothing of it comes to the door.
func TestLibrariesConnect(t *testing.T) {
	for name, commands := range map[string][]string{
		"redis-py 8.0.0":   {"HELLO 3", "CLIENT MAINT_NOTIFICATIONS ON moving-endpoint-type internal-ip", "CLIENT SETINFO LIB-NAME redis-py", "CLIENT SETINFO LIB-VER 8.0.0"},
		"go-redis 9.23.0":  {"hello 3", "client maint_notifications on moving-endpoint-type internal-ip", "client setinfo LIB-NAME go-redis(,go1.26.8)", "client setinfo LIB-VER 9.23.0"},
		"ioredis 6.0.0":    {"hello 3", "client SETINFO LIB-VER 6.0.0", "client SETINFO LIB-NAME ioredis", "info"},
		"node-redis 6.3.1": {"HELLO 3", "CLIENT SETINFO LIB-VER 6.3.1", "CLIENT SETINFO LIB-NAME node-redis", "CLIENT MAINT_NOTIFICATIONS ON moving-endpoint-type external-ip"},
		"redis-cli 7.0.15": {"COMMAND DOCS"},
	} {
		t.Run(name, func(t *testing.T) {
			p := listening(t)
			c := dial(t, p)
			c.sends(append(commands, "SET k t PX 1000 NX")...)
			for _, command := range commands {
				reply, err := c.value()
				refused := strings.HasPrefix(reply, "-")
				if maint := strings.Contains(strings.ToUpper(command), "MAINT"); err != nil || refused != maint {
					t.Errorf("%s: %s, %v", command, reply, err)
				}
			}
			comes(t, p, "SET k t PX 1000 NX")
			p.Answer("$-1\r\n")
			if name == "redis-cli 7.0.15" {
				c.reads("$-1")
			} else {
				c.reads("_")
			}
		})
	}
}
