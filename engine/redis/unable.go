package redis

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
)

// A reply is Redis' own, or nobody judges by it. This file knows where a Server's would be another one: in a script, whose Lua
// is not that of Redis to the last digit.

// Unable returns why the reply of the latest Do is not what Redis replies; nil: it is. What the keys hold then is not what
// they would hold either.
func (s *Server) Unable() *Refusal { return s.unable }

// Touched returns the keys that the script of the latest Do has named and its command has not, each once.
func (s *Server) Touched() []string { return s.touched }

// maxCalls bounds the commands that one script executes, and maxTouched the keys that it names and its command does not.
const (
	maxCalls   = 1000
	maxTouched = 64
)

// cannot notes why a reply is not that of Redis, unless there is a reason already. wide: a real server executes the command.
func (s *Server) cannot(wide bool, english, chinese string, arguments ...any) {
	if s.unable == nil {
		s.unable = refuse(english, chinese, arguments...)
		s.unable.Wide = wide
	}
}

// calls looks at a command that a script executes. It returns the error that the script gets in place of a reply, or "". Then
// Unable says why.
func (s *Server) calls(peer *server.Peer, name string, args []string) string {
	if peer == s.peer { // no script asks
		return ""
	}
	s.called++
	known, ok := allowed[name]
	_, wide := onServer[name]
	switch {
	case name == "SELECT" && slices.Equal(args, []string{"0"}): // it is there already
		return ""
	case !ok || known.keys == scriptKeys || known.keys == queuedKeys:
		s.cannot(wide, "its script calls %s, which Lockstep does not execute", "它的脚本调用了 %s，而 Lockstep 不执行这条命令", abbreviate(name))
	case s.called > maxCalls:
		s.cannot(true, "its script calls more than %d commands", "它的脚本调用了超过 %d 条命令", maxCalls)
	}
	if i := slices.IndexFunc(args, s.unlikeLua); i >= 0 {
		s.cannot(true, "its script makes the number %s, which the Lua of Redis may write otherwise", "它的脚本算出了数字 %s，Redis 的 Lua 可能写成别的样子", abbreviate(args[i]))
	}
	if s.unable != nil {
		return "ERR " + s.unable.English
	}
	if takes, _ := Takes(name, 1+len(args)); !takes {
		return "ERR Wrong number of args calling Redis command from script"
	}
	for _, key := range Keys(append([]string{name}, args...)) {
		if !slices.Contains(s.named, key) && !slices.Contains(s.touched, key) {
			s.touched = append(s.touched, key)
		}
	}
	if len(s.touched) > maxTouched {
		s.cannot(true, "its script names more than %d keys that its command does not name", "它的脚本用到了超过 %d 个命令中没有写明的键", maxTouched)
		return "ERR " + s.unable.English
	}
	return ""
}

// written matches a number that the Lua of Redis and that of a Server may write in different ways: one with a fraction or an
// exponent, and a long one.
var written = regexp.MustCompile(`^-?(\d+\.\d*|\.\d+|\d+|\d+\.?\d*[eE][-+]?\d+|inf|nan)$`)

// longestAlike is how many digits a whole number has at most that every Lua writes alike.
const longestAlike = 14

// scientific matches a number with an exponent, which not every Lua reads.
var scientific = regexp.MustCompile(`^\s*-?(\d+\.?\d*|\.\d+)[eE][-+]?\d+\s*$`)

// inQuotes matches a text in a script.
var inQuotes = regexp.MustCompile(`'([^'\n]*)'|"([^"\n]*)"`)

// unlikeLua reports whether a word is such a number, and the script has made it: neither its command, nor a text in it, nor a key
// has it.
func (s *Server) unlikeLua(word string) bool {
	if len(s.given) == 0 || !written.MatchString(word) || len(strings.TrimPrefix(word, "-")) <= longestAlike && isWhole(word) {
		return false
	}
	return !slices.ContainsFunc(s.given, func(part string) bool { return strings.Contains(part, word) })
}

func isWhole(word string) bool {
	_, err := strconv.ParseInt(word, 10, 64)
	return err == nil
}

// begins notes that a script is about to run.
func (s *Server) begins(command []string) {
	if s.named = Keys(command); byText(command[1]) != nil {
		return
	}
	s.given = slices.Clone(command[2:])
	for _, text := range inQuotes.FindAllStringSubmatch(command[1], -1) {
		s.given = append(s.given, text[1]+text[2])
	}
	for _, key := range s.mini.Keys() {
		if c, ok := s.Get(key); ok {
			s.given = append(s.given, c.Value)
		}
	}
	if i := slices.IndexFunc(s.given, scientific.MatchString); i >= 0 {
		s.cannot(true, "its script is given the number %s, which the Lua of Redis may read otherwise", "它的脚本得到数字 %s，Redis 的 Lua 可能读成别的数", abbreviate(s.given[i]))
	}
	if m := otherwise.FindStringSubmatch(command[1]); m != nil {
		s.cannot(true, "its script uses %s, which does not do here what it does in Redis", "它的脚本用到了 %s，在这里与在 Redis 中的行为不同", strings.Join(m[1:], ""))
	}
}

// otherwise matches what is not the same in every Lua: libraries that a Server lacks or has rewritten, chance, the order of a
// table's keys, and functions that change Lua itself.
var otherwise = regexp.MustCompile(`\b(cjson|cmsgpack|struct|bit|os|debug|coroutine)\s*\.|\b(math\.random\w*|redis\.(?:setresp|set_repl|breakpoint|debug|acl_check_cmd)|string\.dump|loadstring|load|dofile|setfenv|getfenv|collectgarbage|next)\s*\(|\b(server)\.\w|\b(pairs)\s*\(\s*(?:[^KA\s]|[KA][^ER])`)

// ran returns the reply of a script as Redis words it. Errors of a command come with the place of the call there; for other
// errors of Lua, Unable says why there is no reply.
func (s *Server) ran(lua string, r Reply) Reply {
	defer func() { s.named, s.given = nil, nil }()
	text, failed := strings.CutPrefix(string(r), "-ERR Error compiling script (new function): ")
	if !failed {
		for _, part := range append(r.Items(), r) {
			if text, ok := part.Text(); ok && s.unlikeLua(text) {
				s.cannot(true, "its script replies the number %s, which the Lua of Redis may write otherwise", "它的脚本回复了数字 %s，Redis 的 Lua 可能写成别的样子", abbreviate(text))
			}
		}
		return r
	}
	text = strings.TrimSuffix(text, "\r\n")
	if m := atCall.FindStringSubmatch(text); m != nil {
		return Reply(fmt.Sprintf("-%s script: %s, on @user_script:%s.\r\n", m[2], shaOf(lua), m[1]))
	}
	text, _, _ = strings.Cut(text, " stack traceback:")
	s.cannot(true, "its script fails, and Redis words the error in its own way: %s", "它的脚本出错，Redis 会用自己的措辞报告：%s", text)
	return r
}

// atCall matches an error that a command has replied to redis.call, by the line of the script.
var atCall = regexp.MustCompile(`^:(\d+): ([A-Z]+ [^\r\n]*?) +stack traceback: +\[G\]: in function 'call'`)
