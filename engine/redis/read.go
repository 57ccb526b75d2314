package redis

import (
	"strconv"
	"strings"
)

// ReadReply returns the reply that String shows as text. It reports whether there is one.
func ReadReply(text string) (Reply, bool) {
	raw, rest, ok := readReply(text, false)
	return Reply(raw), ok && rest == ""
}

// readReply reads the first reply of a text, and returns what follows it. Within an array a status ends where the item does.
func readReply(text string, inArray bool) (raw, rest string, ok bool) {
	switch {
	case strings.HasPrefix(text, `"`):
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", "", false
		}
		value, err := strconv.Unquote(quoted)
		return Bulk(value), text[len(quoted):], err == nil
	case strings.HasPrefix(text, "(nil)"):
		return "$-1\r\n", text[len("(nil)"):], true
	case strings.HasPrefix(text, "(integer) "):
		number, rest := cutWord(text[len("(integer) "):], inArray)
		_, err := strconv.ParseInt(number, 10, 64)
		return ":" + number + "\r\n", rest, err == nil
	case strings.HasPrefix(text, "(error) "):
		line, rest := cutWord(text[len("(error) "):], inArray)
		return "-" + line + "\r\n", rest, line != ""
	case strings.HasPrefix(text, "["):
		return readArray(text[1:])
	}
	line, rest := cutWord(text, inArray)
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

func readArray(text string) (raw, rest string, ok bool) {
	var items strings.Builder
	n := 0
	for rest = text; !strings.HasPrefix(rest, "]"); n++ {
		if n > 0 {
			if rest, ok = strings.CutPrefix(rest, ", "); !ok {
				return "", "", false
			}
		}
		if raw, rest, ok = readReply(rest, true); !ok {
			return "", "", false
		}
		items.WriteString(raw)
	}
	return "*" + strconv.Itoa(n) + "\r\n" + items.String(), rest[1:], true
}

// Bulk returns a bulk string as RESP.
func Bulk(value string) string {
	return "$" + strconv.Itoa(len(value)) + "\r\n" + value + "\r\n"
}
