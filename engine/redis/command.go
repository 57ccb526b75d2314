package redis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lockstep/engine/lang"
)

// Bounds on a command: a stranger's command costs no more than a lock's.
const (
	MaxArgs    = 16  // arguments, the command's name included
	MaxArgSize = 512 // bytes in one argument
)

// keys tells which arguments of a command name keys.
type keys uint8

const (
	noKeys keys = iota
	oneKey      // the first
	allKeys
	pairs // the first, the third, … : key value key value
	scriptKeys
)

// allowed is the allow-list: every command that may reach Redis.
var allowed = map[string]keys{
	"SETNX": oneKey, "GET": oneKey, "GETSET": oneKey, "SET": oneKey, "DEL": allKeys, "DELEX": oneKey, "DELIFEQ": oneKey, "EVAL": scriptKeys,
	"TTL": oneKey, "PTTL": oneKey, "EXPIRE": oneKey, "PEXPIRE": oneKey, "EXPIREAT": oneKey, "PEXPIREAT": oneKey, "PERSIST": oneKey,
	"SETEX": oneKey, "PSETEX": oneKey, "GETDEL": oneKey, "GETEX": oneKey, "STRLEN": oneKey, "TYPE": oneKey,
	"INCR": oneKey, "DECR": oneKey, "INCRBY": oneKey, "DECRBY": oneKey,
	"EXISTS": allKeys, "UNLINK": allKeys, "MGET": allKeys, "MSET": pairs, "MSETNX": pairs,
	"TIME": noKeys, "PING": noKeys, "ECHO": noKeys,
}

// Commands returns the names of the allow-list in alphabetical order.
func Commands() []string {
	names := make([]string, 0, len(allowed))
	for name := range allowed {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// A Refusal says why a command does not go to Redis.
type Refusal struct{ lang.Text }

func (r *Refusal) Error() string { return r.English }

func refuse(english, chinese string, arguments ...any) *Refusal {
	return &Refusal{lang.Format(english, chinese, arguments...)}
}

// Check returns the command as it goes to Redis, or a Refusal. An EVAL may name a script instead of giving its text:
// EVAL compare-and-delete 1 lock.foo C1-1. Redis itself checks the number of arguments, and answers with its own error.
func Check(command []string) ([]string, *Refusal) {
	if len(command) == 0 || command[0] == "" {
		return nil, refuse("the command is empty", "命令是空的")
	}
	if len(command) > MaxArgs {
		return nil, refuse("the command has %d arguments, more than %d", "命令有 %d 个参数，超过了 %d 个", len(command), MaxArgs)
	}
	kind, ok := allowed[strings.ToUpper(command[0])]
	if !ok {
		return nil, refuse("%s is not one of the commands allowed here: %s", "%s 不在这里允许的命令之中：%s", abbreviate(command[0]), strings.Join(Commands(), " "))
	}
	if kind == scriptKeys {
		var refusal *Refusal
		if command, refusal = checkScript(command); refusal != nil {
			return nil, refusal
		}
	}
	for i, argument := range command {
		if !utf8.ValidString(argument) {
			return nil, refuse("argument %d of %s is not UTF-8 text", "%[2]s 的第 %[1]d 个参数不是 UTF-8 文本", i, strings.ToUpper(command[0]))
		}
		if len(argument) > MaxArgSize {
			return nil, refuse("argument %d of %s has %d bytes, more than %d", "%[2]s 的第 %[1]d 个参数有 %[3]d 字节，超过了 %[4]d 字节", i, strings.ToUpper(command[0]), len(argument), MaxArgSize)
		}
	}
	return command, nil
}

func checkScript(command []string) ([]string, *Refusal) {
	if len(command) < 3 {
		return nil, refuse("EVAL needs a script, the number of its keys, and the keys", "EVAL 后面应有脚本、键的个数以及各个键")
	}
	script, ok := scripts[command[1]]
	if !ok {
		name := ScriptName(command[1])
		if script, ok = scripts[name]; !ok {
			return nil, refuse("EVAL runs only these scripts: %s", "EVAL 只运行这些脚本：%s", strings.Join(ScriptNames(), " "))
		}
	}
	if command[2] != strconv.Itoa(script.keys) || len(command) != 3+script.keys+script.args {
		return nil, refuse("this script takes other keys and arguments: EVAL %s", "该脚本的键和参数不是这样的：EVAL %s", script.usage)
	}
	full := slices.Clone(command)
	full[1] = script.lua
	return full, nil
}

// Keys returns the keys that a checked command names.
func Keys(command []string) []string {
	switch allowed[strings.ToUpper(command[0])] {
	case oneKey:
		return command[min(1, len(command)):min(2, len(command))]
	case allKeys:
		return command[1:]
	case pairs:
		var found []string
		for i := 1; i < len(command); i += 2 {
			found = append(found, command[i])
		}
		return found
	case scriptKeys:
		n, _ := strconv.Atoi(command[2]) // Check has parsed it
		return command[3 : 3+n]
	}
	return nil
}

// Counts reports whether a checked command leaves a counter in a key: a number that Redis has counted, and no value of the
// client's own with which it could hold a lock. INCR and its like leave counters, and so does a script in every key but its
// first.
func Counts(command []string, key string) bool {
	switch strings.ToUpper(command[0]) {
	case "INCR", "DECR", "INCRBY", "DECRBY":
		return true
	case "EVAL":
		return key != command[3]
	}
	return false
}

// Stores reports whether a command with this reply stored its value, even if the same value was there already. A look at
// the key cannot tell.
func Stores(command []string, r Reply) bool {
	switch strings.ToUpper(command[0]) {
	case "GETSET", "SETEX", "PSETEX", "MSET":
		return r.Err() == ""
	case "SET":
		if !HasOption(command, "GET") {
			return r == "+OK\r\n"
		}
		if c, ok := ConditionOf(command); ok {
			old, exists := r.Text()
			return r.Err() == "" && c.holds(old, exists)
		}
		// With GET the reply is the previous value: NX stores where there was none, XX where there was one.
		return r.Err() == "" && (!HasOption(command, "NX") || r.IsNil()) && (!HasOption(command, "XX") || !r.IsNil())
	}
	return false
}

// HasOption reports whether a SET has an option: a word after its key and value that is no value to compare with.
func HasOption(command []string, option string) bool {
	for i := 3; i < len(command); i++ {
		if strings.EqualFold(command[i], option) {
			return true
		}
		if isCondition(command[i]) {
			i++
		}
	}
	return false
}

// Label returns a command in a readable form: arguments with spaces are quoted, and a script has its name instead of its
// text.
func Label(command []string) string {
	if len(command) > 1 && strings.EqualFold(command[0], "EVAL") {
		if name := ScriptName(command[1]); name != "" {
			return Quote(append([]string{command[0], name}, command[2:]...))
		}
	}
	return Quote(command)
}

// Quote writes arguments as redis-cli reads them.
func Quote(arguments []string) string {
	quoted := make([]string, len(arguments))
	for i, argument := range arguments {
		quoted[i] = argument
		if argument == "" || strings.ContainsFunc(argument, func(r rune) bool { return r <= ' ' || r == '"' || r == '\'' || r == '#' || r == '\\' || r >= 0x7f }) {
			quoted[i] = quote(argument)
		}
	}
	return strings.Join(quoted, " ")
}

// quote writes the escapes that Go and redis-cli read alike. redis-cli takes \v for v and \u2028 for u2028, so quote
// escapes unprintable characters byte by byte.
func quote(argument string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range argument {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case strings.ContainsRune("\a\b\n\r\t", r):
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Encode returns the RESP in which a client sends a command.
func Encode(command []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(command))
	for _, argument := range command {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(argument), argument)
	}
	return b.String()
}

func abbreviate(s string) string {
	if len(s) > 32 {
		s = s[:32] + "…"
	}
	return strconv.Quote(s)
}
