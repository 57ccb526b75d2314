package learn

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A session is a process and what it has lived through.
type session struct {
	process Process
	name    string            // value of LOCKSTEP_CLIENT
	history []string          // its observations
	clock   int64             // what its clock says, ms
	spent   bool              // it has seen more than its history
	own     []string          // values that it made: $1, $2, …
	made    []int             // how many of them it had made at each length of its history
	others  map[string]string // $a1, $A, …: values of other clients

	// value returns the value of another client's symbol, when the session first meets it.
	value func(symbol string) string
}

func newSession(p Process, name string, value func(symbol string) string) *session {
	return &session{process: p, name: name, made: []int{0}, others: map[string]string{}, value: value}
}

// observe appends an observation to the history.
func (s *session) observe(seen string) {
	s.history = append(s.history, seen)
	s.made = append(s.made, len(s.own))
}

// set sets the clock that the process reads.
func (s *session) set(own int64) {
	if c, ok := s.process.(Clocked); ok {
		c.Set(own)
		s.clock = own
	}
}

// wakes returns when a process that sleeps wakes; 0: it does not sleep.
func (s *session) wakes() int64 {
	if a := s.process.Next(); a.Asleep {
		return s.clock + a.For
	}
	return 0
}

// result returns what the process observes of an operation that nobody answers.
func (s *session) result(op program.Op) string {
	if op.Kind == program.Clock {
		return strconv.FormatInt(s.clock, 10)
	}
	return program.Done
}

// back forgets the latest observations, with the values that it made since: it tries again, perhaps with new ones.
func (s *session) back(length int) {
	s.history, s.made = s.history[:length], s.made[:length+1]
	s.own = s.own[:s.made[length]]
}

// answer sends the reply that an observation shows, or cuts the connection.
func (s *session) answer(seen string) error {
	if seen == program.Lost {
		s.process.Cut()
		return nil
	}
	reply, ok := redis.ReadReply(s.concrete(seen))
	if !ok {
		return s.faulty(lang.Both("Redis gives it a reply that no recording can hold: an empty status, or an error in an array", "Redis 给它的回复无法录制：空的状态回复，或数组里的错误"))
	}
	s.process.Answer(reply)
	return nil
}

// concrete returns an observation with the values that its symbols have for this session.
func (s *session) concrete(seen string) string { return spelledOut(seen, s.meaning) }

// asItIs reads an observation whose symbols stand for themselves.
func asItIs(seen string) (redis.Reply, bool) {
	return redis.ReadReply(spelledOut(seen, func(symbol string) string { return symbol }))
}

// spelledOut returns an observation with what its symbols mean.
func spelledOut(seen string, meaning func(symbol string) string) string {
	if seen == "" || !strings.ContainsRune(`"$[`, rune(seen[0])) { // a number, a status or an error has no symbols
		return seen
	}
	var b strings.Builder
	for rest := seen; rest != ""; {
		if rest[0] == '"' {
			if quoted, err := strconv.QuotedPrefix(rest); err == nil {
				b.WriteString(quoted)
				rest = rest[len(quoted):]
				continue
			}
		}
		begins := b.Len() == 0 || strings.HasSuffix(b.String(), "[") || strings.HasSuffix(b.String(), ", ")
		if end := strings.IndexAny(rest, ",]"); rest[0] == '$' && begins {
			if end < 0 {
				end = len(rest)
			}
			b.WriteString(strconv.Quote(meaning(rest[:end])))
			rest = rest[end:]
			continue
		}
		b.WriteByte(rest[0])
		rest = rest[1:]
	}
	return b.String()
}

// meaning returns the value of a symbol.
func (s *session) meaning(symbol string) string {
	if symbol == "$client" {
		return s.name
	}
	if n, err := strconv.Atoi(symbol[1:]); err == nil && n <= len(s.own) {
		return s.own[n-1]
	}
	value, known := s.others[symbol]
	if !known {
		value = s.value(symbol)
		s.others[symbol] = value
	}
	return value
}

// symbol returns the symbol of a word that has one.
func (s *session) symbol(word string) (symbol string, ok bool) {
	if word == s.name {
		return "$client", true
	}
	if i := slices.Index(s.own, word); i >= 0 {
		return "$" + strconv.Itoa(i+1), true
	}
	for symbol, value := range s.others {
		if value == word {
			return symbol, true
		}
	}
	return "", false
}

// raw returns the words of a recording as the process has them.
func (s *session) raw(words []string) []string {
	parts := redis.Parts(words)
	for i, part := range parts {
		parts[i] = slices.Clone(part)
		for j, word := range part {
			if parts[i][j] = strings.TrimPrefix(word, "$"); program.Symbolic(word) {
				parts[i][j] = s.meaning(word)
			}
		}
	}
	return redis.Whole(parts)
}

// spelled returns the words of a command with symbols for the values that are known already.
func (s *session) spelled(words []string) []string {
	parts := redis.Parts(words)
	for i, part := range parts {
		parts[i] = slices.Clone(part)
		for j := range part {
			if symbol, ok := s.symbol(part[j]); ok && j > 0 {
				parts[i][j] = symbol
			}
		}
	}
	return redis.Whole(parts)
}

// matches reports whether the words of a command are those of an operation. It learns the values that the process made.
func (s *session) matches(op program.Op, words []string) bool {
	if op.Kind != program.Command {
		return false
	}
	want, got := redis.Parts(op.Command), redis.Parts(words)
	return slices.EqualFunc(want, got, func(a, b []string) bool { return slices.EqualFunc(a, b, s.means) })
}

// means reports whether a word of a recording means a word of the process.
func (s *session) means(want, got string) bool {
	if !program.Symbolic(want) {
		return want == program.Literal(got)
	}
	if n, err := strconv.Atoi(want[1:]); err == nil && n == len(s.own)+1 {
		s.own = append(s.own, got)
	}
	return s.meaning(want) == got
}
