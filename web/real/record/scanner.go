package record

import (
	"bytes"
	"errors"
	"strconv"
)

// A scanner finds the ends of RESP values in a stream, without keeping more than the beginning of each.
type scanner struct {
	most   int  // bytes of a value that it keeps
	inline bool // a line that begins with no type is a value of its own: a command that somebody typed

	kept  []byte // the value's beginning
	over  bool   // the value is longer
	line  []byte // the header that is not complete
	skip  int64  // bytes of a bulk string still to come, with its line end
	stack []int64
}

// Bounds on what a scanner takes for RESP.
const (
	maxHeader = 64 << 10 // bytes of a line
	maxDepth  = 32       // of nested arrays
	maxLength = 1 << 40  // bytes of a string and values of an array; Redis takes at most 2^63-1, and usually 2^29
)

var errProtocol = errors.New("record: not RESP")

// feed scans the next bytes of the stream, and calls done with each value that is complete. The value is valid until done
// returns.
func (s *scanner) feed(p []byte, done func(value []byte, over bool) error) error {
	for len(p) > 0 {
		if s.skip > 0 {
			n := min(s.skip, int64(len(p)))
			s.keep(p[:n])
			p, s.skip = p[n:], s.skip-n
			if s.skip == 0 {
				if err := s.element(done); err != nil {
					return err
				}
			}
			continue
		}
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			if len(s.line)+len(p) > maxHeader {
				return errProtocol
			}
			s.line = append(s.line, p...)
			return nil
		}
		line := p[:end+1]
		if len(s.line) > 0 {
			s.line = append(s.line, line...)
			line = s.line
		}
		p = p[end+1:]
		err := s.header(line, done)
		s.line = s.line[:0]
		if err != nil {
			return err
		}
	}
	return nil
}

// header reads a line that begins a value, or is one.
func (s *scanner) header(line []byte, done func([]byte, bool) error) error {
	s.keep(line)
	text := bytes.TrimRight(line, "\r\n")
	if len(line) > maxHeader {
		return errProtocol
	}
	if s.inline && len(s.stack) == 0 && (len(text) == 0 || text[0] != '*') {
		if bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f || r == 0xfffd }) {
			return errProtocol // encrypted, perhaps
		}
		return s.element(done)
	}
	if len(text) == 0 {
		return errProtocol
	}
	switch text[0] {
	case '+', '-', ':', '_', '#', ',', '(':
		if s.inline {
			return errProtocol // no command has such arguments
		}
		return s.element(done)
	case '$', '=', '!':
		n, err := strconv.ParseInt(string(text[1:]), 10, 64)
		if err != nil || n < -1 || n > maxLength {
			return errProtocol // Redis itself closes the connection
		}
		if n == -1 {
			return s.element(done)
		}
		s.skip = n + 2
		return nil
	case '*', '~', '>', '%', '|':
		n, err := strconv.ParseInt(string(text[1:]), 10, 64)
		if err != nil || n < -1 || n > maxLength || len(s.stack) >= maxDepth {
			return errProtocol
		}
		if text[0] == '%' || text[0] == '|' {
			n *= 2
		}
		if text[0] == '|' {
			n++ // attributes belong to the value after them
		}
		if n <= 0 {
			return s.element(done)
		}
		s.stack = append(s.stack, n)
		return nil
	}
	return errProtocol
}

// element counts a value that is complete, and the arrays that end with it.
func (s *scanner) element(done func([]byte, bool) error) error {
	for len(s.stack) > 0 {
		top := len(s.stack) - 1
		if s.stack[top]--; s.stack[top] > 0 {
			return nil
		}
		s.stack = s.stack[:top]
	}
	err := done(s.kept, s.over)
	s.kept, s.over = s.kept[:0], false
	return err
}

func (s *scanner) keep(p []byte) {
	if n := s.most - len(s.kept); len(p) > n {
		p, s.over = p[:n], true
	}
	s.kept = append(s.kept, p...)
}

// words returns the strings of an array in RESP, as far as they are complete.
func words(value []byte) []string {
	head, rest, found := bytes.Cut(value, []byte("\r\n"))
	if !found || len(head) == 0 || head[0] != '*' && head[0] != '>' {
		return nil
	}
	var all []string
	for len(rest) > 0 && rest[0] == '$' {
		head, after, found := bytes.Cut(rest, []byte("\r\n"))
		n, err := strconv.Atoi(string(head[1:]))
		if !found || err != nil || n < 0 || n > len(after)-2 {
			break
		}
		all, rest = append(all, string(after[:n])), after[n+2:]
	}
	return all
}
