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
			HELLO 2 NAME x | -ERR Syntax error in HELLO option 'NAME'
			AUTH secret | +OK
			AUTH me secret | +OK
			AUTH | -ERR wrong number of arguments for 'auth' command
			CLIENT GETNAME | $-1
			HELLO 2 AUTH me secret SETNAME jo | *14 $6 server $5 redis $7 version $5 7.2.4 $5 proto :2 $2 id :1 $4 mode $10 standalone $4 role $6 master $7 modules *0
			CLIENT GETNAME | $2 jo
			CLIENT ID | :1
			CLIENT SETNAME mo | +OK
			CLIENT GETNAME | $2 mo
			client setinfo LIB-NAME x | +OK
			CLIENT TRACKING ON | -ERR Lockstep has no client-side caching
			CLIENT REPLY OFF | -ERR Lockstep answers every command
			CLIENT MAINT_NOTIFICATIONS ON | -ERR unknown subcommand or wrong number of arguments for 'MAINT_NOTIFICATIONS'. Try CLIENT HELP.
			CLIENT | -ERR wrong number of arguments for 'client' command
			SELECT 0 | +OK
			SELECT 1 | -ERR DB index is out of range: Lockstep has database 0 only
			COMMAND | *0
			COMMAND DOCS get | *0
			COMMAND COUNT | :0
			COMMAND INFO get set | *2 $-1 $-1
			CONFIG GET save | *0
			CONFIG SET save "" | -ERR Lockstep has no configuration to change
			CLUSTER SLOTS | -ERR This instance has cluster support disabled
			READONLY | -ERR This instance has cluster support disabled
			WAIT 1 0 | :0
			UNWATCH | +OK
			RESET | +RESET
			CLIENT GETNAME | $-1
			QUIT | +OK`,
		"RESP3": `
			HELLO 3 | %7 $6 server $5 redis $7 version $5 7.2.4 $5 proto :3 $2 id :1 $4 mode $10 standalone $4 role $6 master $7 modules *0
			CLIENT GETNAME | _
			CONFIG GET save | %0
			COMMAND DOCS | %0
			COMMAND INFO get | *1 _
			RESET | +RESET
			CLIENT GETNAME | $-1`,
		"scripts": `
			SCRIPT LOAD "return 1" | $40 e0e1f9fabfc9d4800c877a703b823ac0578ff8db
			SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db E0E1F9FABFC9D4800C877A703B823AC0578FF8DB 00 | *3 :1 :1 :0
			SCRIPT FLUSH | +OK
			EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0 | -NOSCRIPT No matching script. Please use EVAL.
			SCRIPT KILL | -NOTBUSY No scripts in execution right now.
			SCRIPT LOAD | -ERR unknown subcommand or wrong number of arguments for 'LOAD'. Try SCRIPT HELP.`,
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
			SELECT 0 | -ERR Lockstep does not take SELECT in a transaction
			SET k v | +QUEUED
			EXEC | -EXECABORT Transaction discarded because of previous errors.
			MULTI | +OK
			EVALSHA 00 0 | -NOSCRIPT No matching script. Please use EVAL.
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
