package program

import (
	"strings"
	"unicode/utf8"

	"lockstep/engine/lang"
)

// checkSource checks a text before the parser sees it: the parser never nests
// deep and never reads bytes that are no text, and no invisible character makes a
// program read differently from how it runs.
func checkSource(name, source string) *Error {
	if len(strings.TrimSuffix(source, "\n")) > maxSource {
		return errorAt(name, position{}, lang.Format("the program is longer than 8 KB", "程序超过 8 KB"))
	}
	s := sourceScan{name: name, rest: source, line: 1, column: 1, indents: make([]int, 1, maxNesting+1)}
	for len(s.rest) > 0 && s.err == nil {
		s.next()
	}
	return s.err
}

// sourceScan knows as much of the grammar as nesting needs: strings,
// comments, brackets, indentation, and operators that stand before a value.
type sourceScan struct {
	name, rest   string
	line, column int
	err          *Error

	started  bool  // this line has something other than space
	width    int   // of this line's indentation
	indents  []int // widths of the open blocks
	brackets int
	prefixes int // operators in a row
}

func (s *sourceScan) next() {
	c := s.peek()
	switch {
	case s.err != nil:
	case c == '\n':
		s.advance()
		s.started, s.width = false, 0
	case c == ' ':
		s.advance()
		s.width++
	case c == '\t':
		s.advance()
		s.width += 8 - s.width%8
	case c == '#':
		for len(s.rest) > 0 && s.err == nil && s.peek() != '\n' {
			s.advance()
		}
	case c == '\\':
		s.advance()
		if len(s.rest) > 0 && s.peek() == '\n' {
			s.advance()
		}
	default:
		s.block()
		s.token(c)
	}
}

// block accounts for the indentation of a line at its first token.
func (s *sourceScan) block() {
	if s.started {
		return
	}
	s.started = true
	if s.brackets > 0 {
		return
	}
	for len(s.indents) > 1 && s.width < s.indents[len(s.indents)-1] {
		s.indents = s.indents[:len(s.indents)-1]
	}
	if s.width > s.indents[len(s.indents)-1] {
		s.indents = append(s.indents, s.width)
		if len(s.indents) > maxNesting {
			s.fail("blocks are nested deeper than 32", "代码块嵌套超过 32 层")
		}
	}
}

func (s *sourceScan) token(c rune) {
	switch c {
	case '"', '\'':
		s.prefixes = 0
		s.quoted(byte(c))
		return
	case '(', '[', '{':
		s.prefixes = 0
		s.brackets++
		if s.brackets > maxNesting {
			s.fail("brackets are nested deeper than 32", "括号嵌套超过 32 层")
		}
	case ')', ']', '}':
		s.prefixes = 0
		s.brackets = max(0, s.brackets-1) // the parser tells what is wrong
	case '-', '+', '~':
		s.prefix()
	default:
		if word := s.word(); word != "" {
			if word == "not" || word == "lambda" {
				s.prefix()
			} else {
				s.prefixes = 0
			}
			for range word {
				s.advance()
			}
			return
		}
		s.prefixes = 0
	}
	s.advance()
}

func (s *sourceScan) prefix() {
	s.prefixes++
	if s.prefixes > maxNesting {
		s.fail("more than 32 operators in a row", "连续的运算符超过 32 个")
	}
}

// word is the run of letters that the text goes on with.
func (s *sourceScan) word() string {
	n := 0
	for n < len(s.rest) && (s.rest[n] == '_' || s.rest[n]|0x20 >= 'a' && s.rest[n]|0x20 <= 'z') {
		n++
	}
	return s.rest[:n]
}

// quoted skips a string. One that is not closed ends here at its line, and
// the parser says so.
func (s *sourceScan) quoted(quote byte) {
	closing := 1
	if len(s.rest) >= 3 && s.rest[1] == quote && s.rest[2] == quote {
		closing = 3
		s.advance()
		s.advance()
	}
	s.advance()
	run := 0
	for len(s.rest) > 0 && s.err == nil {
		c := s.peek()
		switch {
		case c == '\n' && closing == 1:
			return
		case c == '\\':
			run = 0
			s.advance()
			if len(s.rest) > 0 {
				s.peek()
			}
		case c == rune(quote):
			run++
		default:
			run = 0
		}
		if s.err != nil || len(s.rest) == 0 {
			return
		}
		s.advance()
		if run == closing {
			return
		}
	}
}

// peek looks at the next character, and refuses those that no program needs.
func (s *sourceScan) peek() rune {
	r, size := utf8.DecodeRuneInString(s.rest)
	switch {
	case r == utf8.RuneError && size == 1:
		s.fail("the program is not valid UTF-8", "程序不是有效的 UTF-8 文本")
	case r == '\r':
		if len(s.rest) < 2 || s.rest[1] != '\n' {
			s.fail("a carriage return is not followed by a line feed", "回车符后面没有换行符")
		}
		return '\n'
	case r < ' ' && r != '\n' && r != '\t', r == 0x7f:
		s.fail("a control character is not allowed", "不允许控制字符")
	case r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		s.fail("an invisible character changes how the line reads", "有一个不可见字符会改变这一行的读法")
	}
	return r
}

func (s *sourceScan) advance() {
	r, size := utf8.DecodeRuneInString(s.rest)
	if r == '\r' && len(s.rest) > 1 && s.rest[1] == '\n' {
		r, size = '\n', 2
	}
	s.rest = s.rest[size:]
	s.column++
	if r == '\n' {
		s.line, s.column = s.line+1, 1
	}
}

func (s *sourceScan) fail(english, chinese string) {
	if s.err == nil {
		s.err = &Error{Program: s.name, Line: s.line, Column: s.column, Text: lang.Both(english, chinese)}
	}
}
