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
	mostOwn    = 64  // the same where a user's own program runs on the user's own machine
	MaxArgSize = 512 // bytes in one argument
)

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
type Refusal struct {
	lang.Text
	Wide bool // a real server executes it
}

func (r *Refusal) Error() string { return r.English }

// Fault says that the command is wrong.
func (r *Refusal) Fault() lang.Fault { return lang.Fault{Code: "syntax", Args: []any{r.Text}} }

func refuse(english, chinese string, arguments ...any) *Refusal {
	return &Refusal{Text: lang.Format(english, chinese, arguments...)}
}

// Check returns the command as it goes to Redis, or a Refusal. An EVAL may name a script instead of giving its text:
// EVAL compare-and-delete 1 lock.foo C1-1. EVALSHA with the SHA-1 of a known script becomes the same EVAL. A transaction is
// one command (see Queued). Redis itself checks the number of arguments, and answers with its own error.
func Check(command []string) ([]string, *Refusal) { return CheckOwn(command, Scripts{}) }

// CheckOwn does what Check does, and also accepts those scripts.
func CheckOwn(command []string, own Scripts) ([]string, *Refusal) {
	return CheckRecorded(command, own, nil)
}

// CheckRecorded does what CheckOwn does, and also accepts EVALSHA of a script whose text is not here, where recorded knows its
// SHA-1. The command stays an EVALSHA. No node executes it (see Textless): package engine has a recorded effect in its place.
func CheckRecorded(command []string, own Scripts, recorded func(sha string) bool) ([]string, *Refusal) {
	if len(command) == 0 || command[0] == "" {
		return nil, refuse("the command is empty", "命令是空的")
	}
	if most := own.mostArgs(); len(command) > most {
		return nil, refuse("%s has %d arguments, more than %d", "%s 有 %d 个参数，超过了 %d 个", abbreviate(command[0]), len(command), most)
	}
	name := strings.ToUpper(command[0])
	kind, ok := own.knows(name)
	if name == evalSHA {
		kind, ok = scriptKeys, true
	}
	var refusal *Refusal
	switch {
	case !ok:
		return nil, refuse("%s is not one of the commands allowed here: %s", "%s 不在这里允许的命令之中：%s", abbreviate(command[0]), strings.Join(Commands(), " "))
	case kind == queuedKeys:
		return checkTransaction(command, own, recorded)
	case kind == scriptKeys:
		if command, refusal = checkScript(command, own, recorded); refusal != nil {
			return nil, refusal
		}
	}
	for i, argument := range command {
		if kind == scriptKeys && i == 1 { // the text of a script has its own bound
			continue
		}
		if len(argument) > MaxArgSize {
			return nil, refuse("argument %d of %s has %d bytes, more than %d", "%[2]s 的第 %[1]d 个参数有 %[3]d 字节，超过了 %[4]d 字节", i, name, len(argument), MaxArgSize)
		}
	}
	return command, nil
}

func checkScript(command []string, own Scripts, recorded func(sha string) bool) ([]string, *Refusal) {
	name := strings.ToUpper(command[0])
	if len(command) < 3 {
		return nil, refuse("%s needs a script, the number of its keys, and the keys", "%s 后面应有脚本、键的个数以及各个键", name)
	}
	s := named(command[1])
	if name == evalSHA {
		s = bySHA()[strings.ToLower(command[1])]
	} else if s == nil {
		s = byText(command[1])
	}
	full := slices.Clone(command)
	if name == evalSHA {
		full[0] = "EVAL"
	}
	keys, err := strconv.Atoi(command[2])
	counted := err == nil && keys >= 0 && strconv.Itoa(keys) == command[2]
	if s == nil {
		lua, ok := own.find(command[1], name == evalSHA)
		sha := strings.ToLower(command[1])
		textless := !ok && name == evalSHA && recorded != nil && isSHA(sha) && recorded(sha)
		switch {
		case !ok && !textless:
			return nil, refuse("%s runs only these scripts: %s", "%s 只运行这些脚本：%s", name, strings.Join(allScripts(), " "))
		case !counted || keys > len(command)-3:
			return nil, refuse("%s is not the number of the script's keys here", "%s 不是这里脚本键的个数", abbreviate(command[2]))
		}
		if full[1] = lua; textless {
			full[0], full[1] = evalSHA, sha
		}
		return full, nil
	}
	if !counted || keys < s.keys || keys > s.keys && !s.more || len(command) != 3+keys+s.args {
		return nil, refuse("this script takes other keys and arguments: EVAL %s", "该脚本的键和参数不是这样的：EVAL %s", s.usage)
	}
	full[1] = s.lua
	return full, nil
}

// Keys returns the keys that a checked command names.
func Keys(command []string) []string {
	kind := allowed[strings.ToUpper(command[0])].keys
	if command[0] == evalSHA {
		kind = scriptKeys
	}
	switch kind {
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
	case queuedKeys:
		var found []string
		for _, q := range Queued(command) {
			found = append(found, Keys(q)...)
		}
		return found
	}
	return nil
}

// Counts reports whether a checked command leaves a counter in a key: a number that Redis has counted, and no value of the
// client's own with which it could hold a lock. INCR and its like leave counters. A script leaves them in every key but its
// first, unless a lock library's takes several locks. In a transaction, the last command that sets the key decides.
func Counts(command []string, key string) bool {
	switch strings.ToUpper(command[0]) {
	case "EVAL":
		s := byText(command[1])
		return (s == nil || s.library == "") && key != command[3]
	case evalSHA:
		return key != command[3]
	case "MULTI":
		for _, q := range slices.Backward(Queued(command)) {
			if slices.Contains(Keys(q), key) && does(q[0], sets) {
				return Counts(q, key)
			}
		}
		return false
	}
	return does(command[0], counts)
}

// Stores reports whether a command with this reply stored a value in the key, even if the same value was there already. A
// look at the key cannot tell.
func Stores(command []string, r Reply, key string) bool {
	if !slices.Contains(Keys(command), key) {
		return false
	}
	switch strings.ToUpper(command[0]) {
	case "GETSET", "SETEX", "PSETEX", "MSET", "HSET":
		return r.Err() == ""
	case "SET":
		if !HasOption(command, "GET") {
			return r == OK
		}
		if c, ok := ConditionOf(command); ok {
			old, exists := r.Text()
			return r.Err() == "" && c.holds(old, exists)
		}
		// With GET the reply is the previous value: NX stores where there was none, XX where there was one.
		return r.Err() == "" && (!HasOption(command, "NX") || r.IsNil()) && (!HasOption(command, "XX") || !r.IsNil())
	case "MULTI":
		replies := r.Items()
		for i, q := range Queued(command) {
			if i < len(replies) && Stores(q, replies[i], key) {
				return true
			}
		}
		return false
	}
	return does(command[0], claims) && r == ":1\r\n"
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
// text. A script without a name has its SHA-1, as in EVALSHA.
func Label(command []string) string {
	switch {
	case len(command) > 1 && strings.EqualFold(command[0], "EVAL"):
		name := ScriptName(command[1])
		if name == "" && named(command[1]) == nil { // it is Lua
			return Quote(append([]string{"EVALSHA", shaOf(command[1])}, command[2:]...))
		} else if name != "" {
			return Quote(append([]string{command[0], name}, command[2:]...))
		}
	case len(command) > 1 && strings.EqualFold(command[0], "MULTI"):
		short := slices.Clone(command)
		for i, q := range command[1 : len(command)-1] {
			if words, refusal := Split(q); refusal == nil { // else Check refuses it
				short[1+i] = Label(words)
			}
		}
		return Quote(short)
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
	for i, r := range argument {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(argument[i:], string(utf8.RuneError)): // a byte that is not UTF-8
			fmt.Fprintf(&b, `\x%02x`, argument[i])
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

// Readable returns a text with \xff for each byte that is not UTF-8, for places that hold only UTF-8, such as JSON. Almost
// every text stays as it is. Where it matters which text it was, use Quote: it also escapes backslashes.
func Readable(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[0])
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// Encode returns the RESP in which a client sends a command. A transaction is several.
func Encode(command []string) string {
	var b strings.Builder
	if len(command) > 1 && allowed[strings.ToUpper(command[0])].keys == queuedKeys {
		b.WriteString(Encode(command[:1]))
		for _, q := range Queued(command) {
			b.WriteString(Encode(q))
		}
		b.WriteString(Encode(command[len(command)-1:]))
		return b.String()
	}
	fmt.Fprintf(&b, "*%d\r\n", len(command))
	for _, argument := range command {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(argument), argument)
	}
	return b.String()
}

func abbreviate(s string) string {
	if len(s) > 32 {
		s = strings.ToValidUTF8(s[:32], "") + "…"
	}
	return strconv.Quote(s)
}
