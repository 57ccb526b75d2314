package engine

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A word is one token of a line; column counts runes from 1.
type word struct {
	text   string
	column int
}

// words splits a line at spaces. It reads a word in double quotes as Go does; #
// at the start of a word begins a comment.
func (p *parser) words(line string) (words []word, comment string, err error) {
	for rest, column := line, 1; ; {
		trimmed := strings.TrimLeft(rest, " \t")
		column += len(rest) - len(trimmed)
		rest = trimmed
		switch {
		case rest == "":
			return words, "", nil
		case len(words) == MaxWords && rest[0] != '#':
			return nil, "", p.problem(column, "the line has more than %d words", "这一行超过 %d 个词", MaxWords)
		case rest[0] == '#':
			return words, strings.TrimSpace(rest[1:]), nil
		case rest[0] == '"':
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, "", p.problem(column, "a closing double quote is missing, or an escape is unknown",
					"双引号没有配对，或者含有无法识别的转义")
			}
			text, _ := strconv.Unquote(quoted)
			words = append(words, word{text, column})
			rest = rest[len(quoted):]
			if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
				return nil, "", p.problem(column, "a space is missing after %s",
					"%s 后面缺一个空格", quoted)
			}
			column += utf8.RuneCountInString(quoted)
		default:
			end := strings.IndexAny(rest, " \t")
			if end < 0 {
				end = len(rest)
			}
			words = append(words, word{rest[:end], column})
			column += utf8.RuneCountInString(rest[:end])
			rest = rest[end:]
		}
	}
}
