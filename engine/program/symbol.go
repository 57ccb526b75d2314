package program

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/redis"
)

// A meaning says what the symbols of a recording mean to one client. Other clients get their letters in the order in which
// the client hears of them.
type meaning struct {
	literal map[string]bool // words of the recording itself, which are nobody's
	client  string          // C1
	own     string          // C1-1: its name and its life
	others  []string        // C2-1, …, of $a, $b, …
	names   []string        // C2, …, of $A, $B, …
}

func meaningOf(env *Env, literal map[string]bool) meaning {
	return meaning{literal: literal, client: env.Client, own: env.Client + "-" + strconv.Itoa(env.Attempt)}
}

// observed returns an observation as a history has it.
func (m *meaning) observed(v Value) string {
	switch v.kind {
	case KindFailure:
		return Lost
	case KindString:
		return m.symbolic(v.s)
	case KindInt:
		return strconv.FormatInt(v.n, 10)
	}
	return Done
}

// symbolic returns a reply with symbols in place of the values that clients have made.
func (m *meaning) symbolic(reply string) string {
	var b strings.Builder
	rest := reply
	for {
		from := strings.IndexByte(rest, '"')
		if from < 0 {
			break
		}
		text, err := strconv.QuotedPrefix(rest[from:])
		if err != nil {
			break
		}
		b.WriteString(rest[:from])
		rest = rest[from+len(text):]
		if symbol, ok := m.symbol(text[1 : len(text)-1]); ok {
			b.WriteString(symbol)
		} else {
			b.WriteString(text)
		}
	}
	if b.Len() == 0 {
		return reply
	}
	return b.String() + rest
}

// symbol returns the symbol of a value, if a client has made it.
func (m *meaning) symbol(value string) (symbol string, ok bool) {
	owner, n, isToken := cutToken(value)
	switch {
	case m.literal[value]:
		return "", false
	case value == m.client:
		return "$client", true
	case strings.HasPrefix(value, "C") && isCount(value[1:]):
		return letter(&m.names, value, 'A')
	case !isToken:
		return "", false
	case owner == m.own:
		return "$" + n, true
	}
	symbol, ok = letter(&m.others, owner, 'a')
	return symbol + n, ok
}

// letter returns the letter of somebody else: a new one, where it is heard of for the first time.
func letter(known *[]string, who string, first byte) (symbol string, ok bool) {
	i := slices.Index(*known, who)
	if i < 0 {
		i = len(*known)
		*known = append(*known, who)
	}
	if i >= 26 {
		return "", false
	}
	return "$" + string(first+byte(i)), true
}

// command returns a command with what its symbols mean.
func (m *meaning) command(words []string) []string {
	parts := redis.Parts(words)
	for i, part := range parts {
		parts[i] = make([]string, len(part))
		for j, word := range part {
			parts[i][j] = m.concrete(word)
		}
	}
	return redis.Whole(parts)
}

// concrete returns a word with what its symbol means.
func (m *meaning) concrete(word string) string {
	rest, ok := strings.CutPrefix(word, "$")
	switch {
	case !ok || rest == "":
		return word
	case rest[0] == '$':
		return rest
	case rest == "client":
		return m.client
	}
	owner := m.own
	switch c := rest[0]; {
	case c >= 'a' && c <= 'z' && int(c-'a') < len(m.others):
		owner, rest = m.others[c-'a'], rest[1:]
	case c >= 'A' && c <= 'Z' && int(c-'A') < len(m.names):
		return m.names[c-'A']
	}
	if n, err := strconv.Atoi(rest); err == nil && n > 1 {
		return owner + "." + rest
	}
	return owner
}

// Other returns whom the symbol of another client means in a history: its life, as C2-1, with the number of the value that it
// made, or its name and 0.
func (p *Program) Other(env *Env, seen []Value, symbol string) (owner string, n int) {
	m := meaningOf(env, p.words())
	for _, v := range seen {
		m.observed(v)
	}
	value := m.concrete(symbol)
	if owner, n, ok := cutToken(value); ok {
		number, _ := strconv.Atoi(n)
		return owner, number
	}
	return value, 0
}

// Literal returns a word of a command as a recording has it, where the word is no symbol.
func Literal(word string) string {
	if strings.HasPrefix(word, "$") {
		return "$" + word
	}
	return word
}

// Symbolic reports whether a word of a recording is a symbol.
func Symbolic(word string) bool {
	return strings.HasPrefix(word, "$") && !strings.HasPrefix(word, "$$")
}

// Owner returns whose life has made a value, as C2-1, and the number of the value there.
func Owner(value string) (life string, n int, ok bool) {
	life, text, ok := cutToken(value)
	n, _ = strconv.Atoi(text)
	return life, n, ok
}

// cutToken takes a token apart: C1-2.3 is the third value that C1 has made in its second life.
func cutToken(value string) (owner, n string, ok bool) {
	client, life, found := strings.Cut(value, "-")
	if !found || !isName(client) {
		return "", "", false
	}
	life, n, several := strings.Cut(life, ".")
	if !isCount(life) || several && !isCount(n) {
		return "", "", false
	}
	if !several {
		n = "1"
	}
	return client + "-" + life, n, true
}

// isName reports whether a client may have the name.
func isName(s string) bool {
	return len(s) > 0 && len(s) <= 8 && s[0] >= 'A' && s[0] <= 'Z' && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}) < 0
}

func isCount(s string) bool {
	return len(s) > 0 && len(s) <= 6 && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}
