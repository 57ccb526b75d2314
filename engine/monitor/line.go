package monitor

import (
	"strconv"
	"strings"

	"lockstep/engine/redis"
)

// A line is one that MONITOR prints: 1339518083.107412 [0 127.0.0.1:60866] "get" "key".
type line struct {
	time     int64  // Unix time, ns
	database string // its number
	from     string // the address of a client, or lua
	command  []string
}

func parseLine(text string) (l line, ok bool) {
	seconds, rest, ok := strings.Cut(text, " [")
	if !ok {
		return l, false
	}
	where, words, ok := strings.Cut(rest, `] "`) // the address may hold brackets, too
	if !ok {
		return l, false
	}
	whole, fraction, _ := strings.Cut(seconds, ".")
	s, wrong := strconv.ParseInt(whole, 10, 64)
	micros, alsoWrong := strconv.ParseInt(fraction, 10, 64)
	if wrong != nil || alsoWrong != nil || len(fraction) != 6 || s < 0 || s > 1<<33 {
		return l, false
	}
	l.time = s*1e9 + micros*1e3
	if l.database, l.from, ok = strings.Cut(where, " "); !ok {
		return l, false
	}
	command, refusal := redis.Split(`"` + words)
	if l.command = command; refusal != nil || command[0] == "" {
		return l, false
	}
	return l, true
}
