package redis

import (
	"strconv"
	"strings"
)

// ReadReply returns the reply that String shows as text. It reports whether there is one.
func ReadReply(text string) (Reply, bool) {
	raw, rest, ok := readReply(text, 0)
	return Reply(raw), ok && rest == ""
}

// maxDepth is how deep arrays may stand in one another in a text. Redis itself sends no deeper ones to a lock.
const maxDepth = 32

// readReply reads the first reply of a text, in that many arrays, and returns what follows it. Within an array a status ends
// where the item does.
func readReply(text string, depth int) (raw, rest string, ok bool) {
	switch {
	case strings.HasPrefix(text, `"`):
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", "", false
		}
		value, err := strconv.Unquote(quoted)
		return Bulk(value), text[len(quoted):], err == nil
	case strings.HasPrefix(text, "(nil)"):
		return string(Nil), text[len("(nil)"):], true
	case strings.HasPrefix(text, "(integer) "):
		number, rest := cutWord(text[len("(integer) "):], depth > 0)
		_, err := strconv.ParseInt(number, 10, 64)
		return ":" + number + "\r\n", rest, err == nil
	case strings.HasPrefix(text, "(error) "):
		line, rest := cutWord(text[len("(error) "):], depth > 0)
		return "-" + line + "\r\n", rest, line != ""
	case strings.HasPrefix(text, "["):
		if depth == maxDepth {
			return "", "", false
		}
		return readArray(text[1:], depth+1)
	}
	line, rest := cutWord(text, depth > 0)
	return "+" + line + "\r\n", rest, line != ""
}

func cutWord(text string, inArray bool) (word, rest string) {
	if !inArray {
		return text, ""
	}
	if i := strings.IndexAny(text, ",]"); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

func readArray(text string, depth int) (raw, rest string, ok bool) {
	var items strings.Builder
	n := 0
	for rest = text; !strings.HasPrefix(rest, "]"); n++ {
		if n > 0 {
			if rest, ok = strings.CutPrefix(rest, ", "); !ok {
				return "", "", false
			}
		}
		if raw, rest, ok = readReply(rest, depth); !ok {
			return "", "", false
		}
		items.WriteString(raw)
	}
	return "*" + strconv.Itoa(n) + "\r\n" + items.String(), rest[1:], true
}

// WellFormed reports whether a text is one reply as Redis sends it.
func WellFormed(raw string) bool {
	rest, ok := skipReply(raw, 0)
	return ok && rest == ""
}

// skipReply returns what follows the first reply, which stands in that many arrays.
func skipReply(raw string, depth int) (rest string, ok bool) {
	line, rest, ok := strings.Cut(raw, "\r\n")
	switch {
	case !ok:
		return "", false
	case line == "+" || line == "-":
		return rest, true
	case len(line) < 2:
		return "", false
	}
	n, err := strconv.ParseInt(line[1:], 10, 64)
	switch line[0] {
	case '+', '-':
		return rest, true
	case ':':
		return rest, err == nil
	case '$':
		if n == -1 {
			return rest, err == nil
		}
		if err != nil || n < 0 || n > int64(len(rest))-2 || rest[n:n+2] != "\r\n" {
			return "", false
		}
		return rest[n+2:], true
	case '*':
		if err != nil || n < -1 || depth == maxDepth {
			return "", false
		}
		for ; n > 0 && ok; n-- {
			rest, ok = skipReply(rest, depth+1)
		}
		return rest, ok
	}
	return "", false
}

// Bulk returns a bulk string as RESP.
func Bulk(value string) string {
	return "$" + strconv.Itoa(len(value)) + "\r\n" + value + "\r\n"
}
