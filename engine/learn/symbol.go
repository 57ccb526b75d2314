package learn

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// sample returns a value for another client's symbol: one that a process has made.
func (l *Learner) sample(s *session, symbol string) string {
	if symbol[1] >= 'A' && symbol[1] <= 'Z' {
		for i := 1; ; i++ {
			if name := "C" + strconv.Itoa(i); name != s.name && !s.hears(name) {
				return name
			}
		}
	}
	n, _ := strconv.Atoi(symbol[2:])
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, value := range l.samples[n] {
		if !slices.Contains(s.own, value) && !s.hears(value) {
			return value
		}
	}
	// Too few processes have run for another value: it is made from one.
	value := symbol
	if len(l.samples[n]) > 0 {
		value = l.samples[n][0]
	}
	for slices.Contains(s.own, value) || s.hears(value) {
		value = turned(value)
	}
	return value
}

func (s *session) hears(value string) bool {
	for _, other := range s.others {
		if other == value {
			return true
		}
	}
	return false
}

// turned returns another value of the same shape: each digit is the next one, and each letter. What has neither grows.
func turned(value string) string {
	next := strings.Map(func(r rune) rune {
		for _, from := range []string{"0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"} {
			if i := strings.IndexRune(from, r); i >= 0 {
				return rune(from[(i+1)%len(from)])
			}
		}
		return r
	}, value)
	if next == value {
		return value + "-1"
	}
	return next
}

// symbols returns the words of a command with symbols for the values that clients make. Words that nobody has seen before
// are compared with those of another process that has observed the same.
func (l *Learner) symbols(s *session, command []string) ([]string, error) {
	parts := redis.Parts(command)
	symbols := make([][]string, len(parts))
	fresh := false
	l.mu.Lock()
	for i, part := range parts {
		symbols[i] = slices.Clone(part)
		for j := 1; j < len(part); j++ {
			if symbol, ok := s.symbol(part[j]); ok {
				symbols[i][j] = symbol
				continue
			}
			symbols[i][j] = program.Literal(part[j])
			fresh = fresh || !l.known[part[j]] && !(j == 1 && strings.HasPrefix(part[0], "EVAL"))
		}
	}
	l.mu.Unlock()
	if !fresh || l.Literal {
		return redis.Whole(symbols), nil
	}
	twin, a, err := l.twin(s, 0, 0)
	if err != nil {
		return nil, err
	}
	keep := false
	defer func() { l.put(twin, keep) }()
	differs := twin.deviates(program.Op{Kind: program.Command, Command: redis.Whole(symbols)}, a)
	if a.Command == nil {
		return nil, differs
	}
	others := redis.Parts(asRecorded(a.Command))
	if !slices.EqualFunc(parts, others, func(a, b []string) bool { return len(a) == len(b) && a[0] == b[0] }) {
		return nil, differs
	}
	timely := l.timelyOnes(s, parts, others)
	l.mu.Lock()
	defer l.mu.Unlock()
	made := map[string]string{}
	keep = true
	for i, part := range parts {
		for j := 1; j < len(part); j++ {
			mine, other := part[j], others[i][j]
			switch {
			case program.Symbolic(symbols[i][j]):
				if twin.meaning(symbols[i][j]) != other {
					return nil, differs
				}
			case mine != other && isNumber(mine) && l.counts(part, j), isTime(mine) && isTime(other) && !l.known[mine]:
				differs.Want, differs.Clock = redis.Quote(command), isTime(mine)
				if mine == other {
					differs.Got = differs.Want
				}
				return nil, differs
			case mine == other && timely[mine] == "":
				l.known[mine] = true
			case made[mine] != "":
				symbols[i][j] = made[mine]
			default:
				s.own, twin.own = append(s.own, mine), append(twin.own, other)
				n := len(s.own)
				l.samples[n] = append(l.samples[n], mine, cmp.Or(timely[mine], other))
				symbols[i][j] = "$" + strconv.Itoa(n)
				made[mine] = symbols[i][j]
			}
		}
	}
	return redis.Whole(symbols), nil
}

// shortestToken is how many bytes a value has at least that a client makes to be known by.
const shortestToken = 6

// fraction is how far the clock of another process is beyond whole milliseconds, ns, as on another machine.
const fraction = 311_101

// timelyOnes returns the values that two processes have alike in a command that takes a lock, because they read the same time: each
// with another one, which a process makes whose clock is a fraction of a millisecond ahead. Two clients would not start in the same
// nanosecond. A value that a process makes from the milliseconds alone is only noted: those who read the same one have it alike.
func (l *Learner) timelyOnes(s *session, parts, others [][]string) map[string]string {
	if _, is := s.process.(Clocked); !is || !l.wants(redis.Whole(parts)) {
		return nil
	}
	var equal [][2]int
	l.mu.Lock()
	for i, part := range parts {
		for j := 2; j < len(part); j++ {
			word := part[j]
			if _, own := s.symbol(word); !own && word == others[i][j] && len(word) >= shortestToken && !isNumber(word) && !l.known[word] && !script(part, j) {
				equal = append(equal, [2]int{i, j})
			}
		}
	}
	l.mu.Unlock()
	found := map[string]string{}
	l.eachOther(s, equal, 0, fraction, parts, func(mine, other string) {
		if !alikeButTime(mine, other) {
			found[mine] = other
		}
	})
	if len(found) == 0 {
		l.eachOther(s, equal, 1, 0, parts, func(mine, _ string) {
			l.mu.Lock()
			l.timely = cmp.Or(l.timely, mine)
			l.mu.Unlock()
		})
	}
	return found
}

// eachOther lets a process with another clock observe what that of a session has observed, and yields those of some words of a
// command that it sends otherwise. If its clock has led it elsewhere, there are none.
func (l *Learner) eachOther(s *session, some [][2]int, later, apart int64, parts [][]string, yield func(mine, other string)) {
	if len(some) == 0 {
		return
	}
	p, a, err := l.twin(s, later, apart)
	if err != nil {
		return
	}
	defer l.put(p, false)
	if a.Command == nil {
		return
	}
	others := redis.Parts(asRecorded(a.Command))
	for _, at := range some {
		if i, j := at[0], at[1]; i < len(others) && j < len(others[i]) && others[i][j] != parts[i][j] {
			yield(parts[i][j], others[i][j])
		}
	}
}

// alikeButTime reports whether two texts differ at most in numbers that tell the same time, on clocks that lie a fraction apart.
func alikeButTime(mine, other string) bool {
	a, b := inText.FindAllString(mine, -1), inText.FindAllString(other, -1)
	if len(a) != len(b) || inText.ReplaceAllString(mine, "") != inText.ReplaceAllString(other, "") {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !apartBy(a[i], b[i]) {
			return false
		}
	}
	return true
}

var inText = regexp.MustCompile(`\d+(?:\.\d+)?`)

// apartBy reports whether two numbers are the same time in some unit, on the clocks of a session and of its twin.
func apartBy(mine, other string) bool {
	a, _ := strconv.ParseFloat(mine, 64)
	b, err := strconv.ParseFloat(other, 64)
	if err != nil {
		return false
	}
	for _, unit := range []float64{1e9, 1e6, 1e3, 1} { // ns in a second, a millisecond, …
		if by := (b - a) * unit; by > fraction/2 && by < 2*fraction {
			return a > 0
		}
	}
	return false
}

// script reports whether a word of a command is the script that it runs, or one of the script's keys.
func script(part []string, j int) bool {
	if !strings.HasPrefix(part[0], "EVAL") {
		return false
	}
	keys := 0
	if len(part) > 2 {
		keys, _ = strconv.Atoi(part[2])
	}
	return j == 1 || j > 2 && j <= 2+keys
}

// counts reports whether a word of a command is there for Redis to count with: a length of time, an increment. Another number
// in each run is no value of the client's own there.
func (l *Learner) counts(command []string, i int) bool {
	switch name := command[0]; {
	case strings.HasPrefix(name, "EVAL"):
		full := l.full(command)
		keys, _ := strconv.Atoi(command[2])
		return i > 2 && i-2 > keys && scriptCounts(full[1], i-2-keys)
	case slices.Contains([]string{"EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT", "SETEX", "PSETEX", "INCRBY", "DECRBY"}, name):
		return i == 2
	case name == "HINCRBY":
		return i == 3
	}
	before := strings.ToUpper(command[i-1])
	return i > 1 && (before == "EX" || before == "PX" || before == "EXAT" || before == "PXAT")
}

// scriptCounts reports whether a script may count with its argument ARGV[n]: it makes a number of it, calculates or compares with
// it, gives it to a command that counts, or gets at it by another way than its number.
func scriptCounts(lua string, n int) bool {
	argument := `ARGV\s*\[\s*` + strconv.Itoa(n) + `\s*\]`
	named := []string{argument}
	for _, m := range regexp.MustCompile(`local\s+(\w+)\s*=\s*`+argument).FindAllStringSubmatch(lua, -1) {
		named = append(named, `\b`+m[1]+`\b`)
	}
	for _, x := range named {
		if regexp.MustCompile(`tonumber\s*\(\s*` + x + `|` + x + `\s*(?:[-+*/%^<>])|[-+*/%^<>]=?\s*` + x + `|(?i:['"](?:ex|px|exat|pxat|p?expire|p?expireat|p?setex|incrby|decrby|hincrby)['"])[^)]*` + x).MatchString(lua) {
			return true
		}
	}
	return anyArgument.MatchString(lua) || !regexp.MustCompile(argument).MatchString(lua)
}

// anyArgument matches a look at the arguments of a script by another way than their numbers.
var anyArgument = regexp.MustCompile(`unpack\s*\(\s*ARGV|ARGV\s*\[\s*[^\d\s]|pairs\s*\(\s*ARGV|=\s*ARGV\s*(?:[^\s\[]|$)`)

func isNumber(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

// isTime reports whether a word may be a time of these decades: seconds since the epoch, or thousandths, millionths or
// billionths of them.
func isTime(word string) bool {
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return false
	}
	for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
		if n >= 1.6e9*unit && n < 2.3e9*unit {
			return true
		}
	}
	return false
}
