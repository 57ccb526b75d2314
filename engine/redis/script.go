package redis

import (
	"crypto/sha1"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A script is Lua that runs here under a name. Its first key is the lock's. Another key is a counter, except in a library's
// script: there it is another lock's.
type script struct {
	name       string
	library    string // whose lock sends it; empty: lock programs may run it by its name
	lua        string
	keys, args int
	more       bool // keys is the least number of keys
	usage      string
	acquires   bool // it may grant the lock
}

// bySHA finds a script by the SHA-1 of its text, in small letters.
var bySHA = sync.OnceValue(func() map[string]*script {
	found := map[string]*script{}
	for i := range scripts {
		found[shaOf(scripts[i].lua)] = &scripts[i]
	}
	return found
})

func shaOf(lua string) string {
	sum := sha1.Sum([]byte(lua))
	return hex.EncodeToString(sum[:])
}

func named(name string) *script {
	i := slices.IndexFunc(scripts, func(s script) bool { return s.name == name })
	if i < 0 {
		return nil
	}
	return &scripts[i]
}

func byText(lua string) *script {
	i := slices.IndexFunc(scripts, func(s script) bool { return s.lua == lua })
	if i < 0 {
		return nil
	}
	return &scripts[i]
}

// Script returns the Lua text of a script that lock programs may run, and how many keys and further arguments it takes.
func Script(name string) (lua string, keys, args int, ok bool) {
	if s := named(name); s != nil && s.library == "" {
		return s.lua, s.keys, s.args, true
	}
	return "", 0, 0, false
}

// ScriptNames returns the names of the scripts that lock programs may run, in alphabetical order.
func ScriptNames() []string { return namesOf(func(s *script) bool { return s.library == "" }) }

// allScripts returns the names of all scripts, in alphabetical order within each kind: a library's stand last.
func allScripts() []string {
	return append(ScriptNames(), namesOf(func(s *script) bool { return s.library != "" })...)
}

func namesOf(wanted func(*script) bool) []string {
	var names []string
	for i := range scripts {
		if wanted(&scripts[i]) {
			names = append(names, scripts[i].name)
		}
	}
	slices.Sort(names)
	return names
}

// ScriptName returns the name of a script by its text, or "".
func ScriptName(lua string) string {
	if s := byText(lua); s != nil {
		return s.name
	}
	return ""
}

// Scripts are the Lua texts of a user's own program, which the user runs on their own machine. CheckOwn accepts them.
// The zero value has none. A Scripts never changes.
type Scripts struct {
	texts    map[string]string // by SHA-1
	onServer bool              // see OnServer
}

// MaxScript is how many bytes a script of a user's own program may have.
const MaxScript = 64 << 10

// mostArgs returns how many arguments a command may have.
func (s Scripts) mostArgs() int {
	if s.onServer || len(s.texts) > 0 {
		return mostOwn
	}
	return MaxArgs
}

// With returns the scripts and one more.
func (s Scripts) With(lua string) Scripts {
	if _, ok := s.texts[shaOf(lua)]; ok || len(lua) > MaxScript {
		return s
	}
	texts := maps.Clone(s.texts)
	if texts == nil {
		texts = map[string]string{}
	}
	texts[shaOf(lua)] = lua
	return Scripts{texts, s.onServer}
}

// Join returns the scripts and others.
func (s Scripts) Join(others Scripts) Scripts {
	for _, lua := range others.texts {
		s = s.With(lua)
	}
	s.onServer = s.onServer || others.onServer
	return s
}

// Len returns how many scripts there are.
func (s Scripts) Len() int { return len(s.texts) }

// find returns the text of an own script, by its text or its SHA-1.
func (s Scripts) find(word string, sha bool) (lua string, ok bool) {
	if sha {
		lua, ok = s.texts[strings.ToLower(word)]
		return lua, ok
	}
	if len(s.texts) == 0 {
		return "", false
	}
	lua, ok = s.texts[shaOf(word)]
	return lua, ok && lua == word
}

// evalSHA is the command of a script whose text is not here.
const evalSHA = "EVALSHA"

// isSHA reports whether a text is a SHA-1 in small letters.
func isSHA(text string) bool {
	return len(text) == 2*sha1.Size && strings.Trim(text, "0123456789abcdef") == ""
}

// Textless reports whether a checked command runs a script whose text is not here. No node executes it.
func Textless(command []string) bool { return len(SHAs(command)) > 0 }

// SHAs returns the SHA-1 of each script in a checked command whose text is not here.
func SHAs(command []string) []string {
	if command[0] == evalSHA {
		return command[1:2]
	}
	var all []string
	for _, q := range Queued(command) {
		all = append(all, SHAs(q)...)
	}
	return all
}

// RunsOwn reports whether a checked command runs a script of a user's own program, whether its text is here or not.
func RunsOwn(command []string) bool {
	switch {
	case command[0] == evalSHA:
		return true
	case strings.EqualFold(command[0], "EVAL"):
		return byText(command[1]) == nil
	}
	return slices.ContainsFunc(Queued(command), RunsOwn)
}

// Compiles reports whether a script is Lua at all.
func Compiles(lua string) bool {
	s := New(0)
	defer s.Close()
	s.out.Reset()
	s.mini.Server().Dispatch(s.peer, []string{"SCRIPT", "LOAD", lua})
	s.peer.Flush()
	return s.out.Len() > 0 && s.out.Bytes()[0] == '$'
}
