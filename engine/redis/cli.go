package redis

import (
	"fmt"
	"strconv"
	"strings"
)

// Split and Lines read and write as redis-cli does. static/js/console/cli.js does the same for the page, and tests hold both
// to testdata/cli.json.

// Split reads a line as redis-cli does: words at spaces, "…" with escapes, '…'
// without.
func Split(line string) ([]string, *Refusal) {
	var words []string
	for rest := strings.TrimLeft(line, spaces); rest != ""; rest = strings.TrimLeft(rest, spaces) {
		var word strings.Builder
		for rest != "" && !strings.ContainsRune(spaces, rune(rest[0])) {
			if rest[0] != '"' && rest[0] != '\'' {
				word.WriteByte(rest[0])
				rest = rest[1:]
				continue
			}
			after, ok := quoted(rest, &word)
			if !ok || after != "" && !strings.ContainsRune(spaces, rune(after[0])) {
				return nil, refuse("a quotation mark is missing, or a space after one", "缺少一个引号，或引号后缺少空格")
			}
			rest = after
		}
		words = append(words, word.String())
	}
	return words, nil
}

const spaces = " \t\r\n"

// escapes are the escapes of redis-cli; any other character stands for itself.
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'a': '\a'}

// quoted appends the content of the quotes at the beginning of rest, and returns the text after them.
func quoted(rest string, word *strings.Builder) (after string, ok bool) {
	quote := rest[0]
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == quote:
			return rest[i+1:], true
		case c != '\\' || i+1 == len(rest) || quote == '\'' && rest[i+1] != '\'':
			word.WriteByte(c)
		case quote == '"' && rest[i+1] == 'x' && i+3 < len(rest):
			if b, err := strconv.ParseUint(rest[i+2:i+4], 16, 8); err == nil {
				word.WriteByte(byte(b))
				i += 3
				continue
			}
			fallthrough
		default:
			i++
			c = rest[i]
			if special, known := escapes[c]; known && quote == '"' {
				c = special
			}
			word.WriteByte(c)
		}
	}
	return "", false
}

// Lines shows a reply as redis-cli does on a terminal: an array has a numbered
// line for each of its values.
func (r Reply) Lines() []string {
	if !strings.HasPrefix(string(r), "*") || r.IsNil() {
		return []string{r.String()}
	}
	n, _ := strconv.Atoi(r.line())
	items := r.Items()
	lines := make([]string, 0, len(items))
	for _, item := range items {
		lines = append(lines, item.String())
	}
	if len(items) < n {
		lines = append(lines, "…")
	}
	for i, item := range lines {
		lines[i] = fmt.Sprintf("%*d) %s", len(strconv.Itoa(len(lines))), i+1, item)
	}
	return lines
}
