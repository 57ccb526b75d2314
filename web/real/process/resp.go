package process

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"strconv"
	"strings"

	"lockstep/engine/redis"
)

// Replies of the front, in RESP2. answer turns them into RESP3 where they differ.
const (
	ok         = "+OK\r\n"
	queued     = "+QUEUED\r\n"
	emptyArray = "*0\r\n"
)

func failure(text string) string {
	return "-" + strings.NewReplacer("\r", " ", "\n", " ").Replace(text) + "\r\n"
}

func number(n int64) string { return ":" + strconv.FormatInt(n, 10) + "\r\n" }

func bulk(text string) string { return "$" + strconv.Itoa(len(text)) + "\r\n" + text + "\r\n" }

func array(items ...string) string {
	return "*" + strconv.Itoa(len(items)) + "\r\n" + strings.Join(items, "")
}

// pairs returns a map of RESP3, or the array that stands for it in RESP2.
func pairs(resp3 bool, items ...string) string {
	if resp3 {
		return "%" + strconv.Itoa(len(items)/2) + "\r\n" + strings.Join(items, "")
	}
	return array(items...)
}

// readReply reads a reply, byte for byte.
func readReply(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	if err != nil || line == "\r\n" {
		return "", cmp.Or(err, errReply)
	}
	n, err := strconv.Atoi(strings.TrimSpace(line[1:]))
	if !strings.ContainsRune("$*", rune(line[0])) || err == nil && n < 0 {
		return line, nil
	}
	if err != nil || n > maxRequest {
		return "", errReply
	}
	if line[0] == '$' {
		body := make([]byte, n+len("\r\n"))
		_, err := io.ReadFull(in, body)
		return line + string(body), err
	}
	var all strings.Builder
	all.WriteString(line)
	for range n {
		item, err := readReply(in)
		if err != nil {
			return "", err
		}
		all.WriteString(item)
	}
	return all.String(), nil
}

var errReply = errors.New("process: the server does not speak the protocol of Redis")

// answer returns the reply to a held command as its connection reads it.
func (h *held) answer(reply redis.Reply, resp3 bool) string {
	if !resp3 {
		return string(reply)
	}
	if h.queued == nil {
		text, _ := third(string(reply), isMap(h.command))
		return text
	}
	raw := string(reply)
	n, rest, isArray := header(raw, '*')
	if !isArray || n != len(h.queued) {
		text, _ := third(raw, false)
		return text
	}
	var b strings.Builder
	b.WriteString(raw[:len(raw)-len(rest)])
	for _, command := range h.queued {
		var text string
		text, rest = third(rest, isMap(command))
		b.WriteString(text)
	}
	return b.String()
}

func isMap(command []string) bool { return strings.EqualFold(command[0], "HGETALL") }

// third turns the first value of raw into RESP3, and returns the rest of raw.
func third(raw string, asMap bool) (text, rest string) {
	if n, items, isArray := header(raw, '*'); isArray {
		if n < 0 {
			return "_\r\n", items
		}
		var b strings.Builder
		if asMap && n%2 == 0 {
			b.WriteString("%" + strconv.Itoa(n/2) + "\r\n")
		} else {
			b.WriteString(raw[:len(raw)-len(items)])
		}
		for range n {
			if items == "" {
				break
			}
			text, items = third(items, false)
			b.WriteString(text)
		}
		return b.String(), items
	}
	if n, body, isBulk := header(raw, '$'); isBulk {
		if n < 0 {
			return "_\r\n", body
		}
		end := min(len(raw)-len(body)+n+2, len(raw))
		return raw[:end], raw[end:]
	}
	if i := strings.Index(raw, "\r\n"); i >= 0 {
		return raw[:i+2], raw[i+2:]
	}
	return raw, ""
}

// header reads the length in a line such as *3.
func header(raw string, kind byte) (n int, rest string, found bool) {
	if raw == "" || raw[0] != kind {
		return 0, raw, false
	}
	line, rest, found := strings.Cut(raw[1:], "\r\n")
	n, err := strconv.Atoi(line)
	return n, rest, found && err == nil
}
