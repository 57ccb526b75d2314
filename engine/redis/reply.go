package redis

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Reply is the RESP that Redis sent, byte for byte.
type Reply string

// The replies of a command that is done, and of a key or a value that is not there.
const (
	OK  Reply = "+OK\r\n"
	Nil Reply = "$-1\r\n"
)

// Integer returns the reply of a number.
func Integer(n int64) Reply { return Reply(":" + strconv.FormatInt(n, 10) + "\r\n") }

// The most frequent replies, kept once.
var common = map[string]Reply{":0\r\n": ":0\r\n", ":1\r\n": ":1\r\n", string(Nil): Nil, string(OK): OK}

func reply(raw []byte) Reply {
	if r, ok := common[string(raw)]; ok {
		return r
	}
	return Reply(raw)
}

// Int returns the value of an integer reply.
func (r Reply) Int() (int64, bool) {
	if !strings.HasPrefix(string(r), ":") {
		return 0, false
	}
	n, err := strconv.ParseInt(r.line(), 10, 64)
	return n, err == nil
}

// Text returns the value of a bulk string or a status reply.
func (r Reply) Text() (string, bool) {
	switch {
	case r.IsNil():
		return "", false
	case strings.HasPrefix(string(r), "+"):
		return r.line(), true
	case strings.HasPrefix(string(r), "$"):
		_, body, _ := strings.Cut(string(r), "\r\n")
		return strings.TrimSuffix(body, "\r\n"), true
	}
	return "", false
}

// Items returns the values of an array, each as a reply of its own. There are as many as the text holds, whatever number
// it begins with.
func (r Reply) Items() []Reply {
	if !strings.HasPrefix(string(r), "*") || r.IsNil() {
		return nil
	}
	n, _ := strconv.Atoi(r.line())
	_, rest, _ := strings.Cut(string(r), "\r\n")
	var items []Reply
	for rest != "" && len(items) < n {
		after := skip(rest)
		items, rest = append(items, Reply(rest[:len(rest)-len(after)])), after
	}
	return items
}

// IsNil reports whether the reply is nil.
func (r Reply) IsNil() bool { return r == Nil || r == "*-1\r\n" }

// Err returns the text of an error reply, or "".
func (r Reply) Err() string {
	if strings.HasPrefix(string(r), "-") {
		return r.line()
	}
	return ""
}

// line returns the text between the type byte and the first line end.
func (r Reply) line() string {
	line, _, _ := strings.Cut(string(r[1:]), "\r\n")
	return line
}

// String shows a reply as redis-cli does: (integer) 1, "1011", (nil), OK, (error) ERR … Where a stranger's text ends before
// its lengths say, or nests deeper than Redis does, it shows an ellipsis.
func (r Reply) String() string {
	var b strings.Builder
	show(&b, string(r), 0)
	return b.String()
}

// Plain returns the reply without its type, as an expectation writes it: 1, 1011, nil, OK.
func (r Reply) Plain() string {
	if r.IsNil() {
		return "nil"
	}
	if text, ok := r.Text(); ok {
		return text
	}
	if n, ok := r.Int(); ok {
		return strconv.FormatInt(n, 10)
	}
	return r.String()
}

// show writes the first value of raw, which stands in that many arrays, and returns the rest.
func show(b *strings.Builder, raw string, depth int) (rest string) {
	if raw == "" {
		return ""
	}
	line, rest, _ := strings.Cut(raw[1:], "\r\n")
	n, err := strconv.Atoi(line)
	switch raw[0] {
	case '+':
		b.WriteString(Readable(line))
	case '-':
		b.WriteString("(error) " + Readable(line))
	case ':':
		b.WriteString("(integer) " + line)
	case '$', '*':
		switch {
		case err != nil || n < 0:
			b.WriteString("(nil)")
		case raw[0] == '*':
			return showItems(b, raw, rest, n, depth)
		case n > len(rest)-len("\r\n"):
			b.WriteString(strconv.Quote(rest + "…"))
			return ""
		default:
			b.WriteString(strconv.Quote(rest[:n]))
			return rest[n+len("\r\n"):]
		}
	default:
		b.WriteString(raw)
		return ""
	}
	return rest
}

// showItems writes the n values of the array with which raw begins, and returns what follows them.
func showItems(b *strings.Builder, raw, items string, n, depth int) (rest string) {
	if depth == maxDepth {
		b.WriteString("[…]")
		return skip(raw)
	}
	b.WriteString("[")
	rest = items
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		if rest == "" {
			b.WriteString("…")
			break
		}
		rest = show(b, rest, depth+1)
	}
	b.WriteString("]")
	return rest
}

// skip returns what follows the first value of raw. It reads each byte once, however deep the value nests.
func skip(raw string) (rest string) {
	rest = raw
	for open := 1; open > 0 && rest != ""; open-- {
		kind := rest[0]
		var line string
		line, rest, _ = strings.Cut(rest[1:], "\r\n")
		n, err := strconv.Atoi(line)
		switch {
		case !strings.ContainsRune("+-:$*", rune(kind)):
			return ""
		case err != nil || n < 0:
		case kind == '$':
			rest = rest[min(len(rest), max(n, n+len("\r\n"))):]
		case kind == '*':
			open += min(n, len(rest))
		}
	}
	return rest
}

// MarshalJSON writes both the RESP, with \xff for a byte that is not UTF-8, and the reply as redis-cli shows it.
func (r Reply) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		RESP string `json:"resp"`
		Text string `json:"text"`
	}{Readable(string(r)), r.String()})
}
