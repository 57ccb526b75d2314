package redis

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Reply is the RESP that Redis sent, byte for byte.
type Reply string

// The most frequent replies, kept once.
var common = map[string]Reply{":0\r\n": ":0\r\n", ":1\r\n": ":1\r\n", "$-1\r\n": "$-1\r\n", "+OK\r\n": "+OK\r\n"}

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

// Items returns the values of an array, each as a reply of its own.
func (r Reply) Items() []Reply {
	if !strings.HasPrefix(string(r), "*") || r.IsNil() {
		return nil
	}
	n, _ := strconv.Atoi(r.line())
	_, rest, _ := strings.Cut(string(r), "\r\n")
	items := make([]Reply, n)
	for i := range items {
		_, after := show(rest)
		items[i], rest = Reply(rest[:len(rest)-len(after)]), after
	}
	return items
}

// IsNil reports whether the reply is nil.
func (r Reply) IsNil() bool { return r == "$-1\r\n" || r == "*-1\r\n" }

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

// String shows a reply as redis-cli does: (integer) 1, "1011", (nil), OK, (error) ERR …
func (r Reply) String() string {
	text, _ := show(string(r))
	return text
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

// show renders the first value of raw and returns the rest.
func show(raw string) (text, rest string) {
	if raw == "" {
		return "", ""
	}
	line, rest, _ := strings.Cut(raw[1:], "\r\n")
	switch raw[0] {
	case '+':
		return Readable(line), rest
	case '-':
		return "(error) " + Readable(line), rest
	case ':':
		return "(integer) " + line, rest
	case '$':
		n, err := strconv.Atoi(line)
		if err != nil || n < 0 || n+2 > len(rest) {
			return "(nil)", rest
		}
		return strconv.Quote(rest[:n]), rest[n+2:]
	case '*':
		n, err := strconv.Atoi(line)
		if err != nil || n < 0 {
			return "(nil)", rest
		}
		items := make([]string, n)
		for i := range items {
			items[i], rest = show(rest)
		}
		return "[" + strings.Join(items, ", ") + "]", rest
	}
	return raw, ""
}

// MarshalJSON writes both the RESP, with \xff for a byte that is not UTF-8, and the reply as redis-cli shows it.
func (r Reply) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		RESP string `json:"resp"`
		Text string `json:"text"`
	}{Readable(string(r)), r.String()})
}
