package redis

import (
	"strings"
	"sync"
)

// Alike returns the text of the named script that a script is but for its spelling: spaces and comments, the kind of quotes, capital
// letters in the name of a command, semicolons, and "end return 0" for "else return 0 end". Both do the same and reply the same.
func Alike(lua string) (text string, ok bool) {
	if len(lua) > MaxScript {
		return "", false
	}
	s, ok := bySpelling()[plain(lua)]
	if !ok {
		return "", false
	}
	return s.lua, true
}

var bySpelling = sync.OnceValue(func() map[string]*script {
	found := map[string]*script{}
	for i := range scripts {
		if form := plain(scripts[i].lua); found[form] == nil {
			found[form] = &scripts[i]
		}
	}
	return found
})

// plain returns the words of a script in one spelling.
func plain(lua string) string {
	words := luaWords(lua)
	for i := range words {
		if i >= 4 && words[i][0] == '"' && words[i-1] == "(" && (words[i-2] == "call" || words[i-2] == "pcall") && words[i-4] == "redis" {
			words[i] = strings.ToLower(words[i])
		}
	}
	form := strings.Join(words, " ")
	// What follows the only if is its else, where the branch before it returns: that of each script in the table does.
	if before, ok := strings.CutSuffix(form, " end return 0"); ok && strings.HasPrefix(form, "if ") && strings.Count(form, " then ") == 1 && !strings.Contains(form, " else") {
		form = before + " else return 0 end"
	}
	return form
}

// luaWords splits Lua into words. Strings have double quotes; comments and semicolons are left out. A text that has anything else than
// what the named scripts are made of is one word.
func luaWords(lua string) (words []string) {
	for rest := lua; rest != ""; {
		switch c := rest[0]; {
		case strings.ContainsRune(" \t\r\n;", rune(c)):
			rest = rest[1:]
		case strings.HasPrefix(rest, "--[["), strings.HasPrefix(rest, "[["), c == '\\':
			return []string{lua}
		case strings.HasPrefix(rest, "--"):
			_, rest, _ = strings.Cut(rest, "\n")
		case c == '"' || c == '\'':
			end := strings.IndexByte(rest[1:], c)
			if end < 0 || strings.ContainsAny(rest[1:1+end], "\\\n\"'") {
				return []string{lua}
			}
			words, rest = append(words, `"`+rest[1:1+end]+`"`), rest[end+2:]
		case isLetter(c):
			end := 1
			for end < len(rest) && isLetter(rest[end]) {
				end++
			}
			words, rest = append(words, rest[:end]), rest[end:]
		case strings.HasPrefix(rest, "=="), strings.HasPrefix(rest, "~="):
			words, rest = append(words, rest[:2]), rest[2:]
		default:
			words, rest = append(words, rest[:1]), rest[1:]
		}
	}
	return words
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}
