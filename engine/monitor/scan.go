package monitor

import (
	"bufio"
	"bytes"
	"io"

	"lockstep/engine/monitor/detect"
)

// A Scanner reads what MONITOR printed, record by record, and allocates nothing for each. It leaves out what is no record.
type Scanner struct {
	in   *bufio.Reader
	rest []byte // of the line, after a record: another one may stand glued to it
	line int

	records int
	Odd     Odd // lines that are left out
	Breaks  Odd // those by which redis-cli says that it lost the server
	Glued   Odd // lines with more than one record
	Long    int // lines of more than MaxLine bytes
	Partial bool
	Marked  bool // clients publish when they enter and leave
	Bytes   int64
	// Wants reports whether the caller needs the arguments of a command. A record that it does not want has its name alone.
	Wants func(c *detect.Command, key []byte) bool

	words [][]byte
	text  []byte // of words with escapes
}

// Odd counts lines that are left out, and keeps the first numbers.
type Odd struct {
	Count int
	First []int
}

const maxOdd = 20

func (o *Odd) add(line int) {
	if o.Count++; len(o.First) < maxOdd {
		o.First = append(o.First, line)
	}
}

// An outcome is what a Scanner has found.
type outcome uint8

const (
	atEnd   outcome = iota
	aRecord         // a command
	aSkip           // a command that the caller does not want
	aGap            // commands may be missing here
)

// NewScanner returns a scanner of a log.
func NewScanner(in io.Reader) *Scanner { return newScanner(bufio.NewReaderSize(in, 256<<10)) }

func newScanner(in *bufio.Reader) *Scanner { return &Scanner{in: in} }

// Next reads the next record into a command, whose words are valid until the next call.
func (s *Scanner) Next(c *detect.Command) (outcome, error) {
	for {
		if len(s.rest) > 0 {
			rest := s.rest
			s.rest = nil
			if at := recordIn(rest); at >= 0 {
				if got, ok := s.record(c, rest[at:]); ok {
					s.Glued.add(s.line)
					return got, nil
				}
			}
		}
		line, err := s.in.ReadSlice('\n')
		s.Bytes += int64(len(line))
		if len(line) == 0 && err != nil {
			if err == io.EOF {
				err = nil
			}
			return atEnd, err
		}
		s.line++
		if err == bufio.ErrBufferFull {
			for err == bufio.ErrBufferFull {
				var more []byte
				more, err = s.in.ReadSlice('\n')
				s.Bytes += int64(len(more))
			}
			s.Long++
			return aGap, nil
		}
		if err != nil && err != io.EOF {
			return atEnd, err
		}
		whole := err == nil
		if len(line) > MaxLine+2 {
			s.Long++
			return aGap, nil
		}
		for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
			line = line[:len(line)-1]
		}
		if got, ok := s.record(c, line); ok {
			return got, nil
		} else if at := recordIn(line); at > 0 { // after a prefix of whoever wrote the log
			if got, ok := s.record(c, line[at:]); ok {
				return got, nil
			}
		}
		if odd := bytes.Trim(line, "+ \t"); len(odd) == 0 {
			continue
		} else if string(odd) == "OK" {
			if s.records == 0 {
				continue // what MONITOR itself answers
			}
			return aGap, nil // it was started again
		}
		if !whole {
			s.Partial = true // whoever wrote the log was stopped
			continue
		}
		s.Odd.add(s.line)
		if s.records > 0 && isBreak(line) {
			s.Breaks.add(s.line)
			return aGap, nil
		}
		if bytes.IndexByte(line, '"') >= 0 && s.records > 0 {
			return aGap, nil // what is left of a record
		}
	}
}

// isBreak reports whether a line is an error of redis-cli: MONITOR was interrupted.
func isBreak(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Error: ")) || bytes.HasPrefix(line, []byte("Could not connect"))
}

// Line returns the number of the line that was read last.
func (s *Scanner) Line() int { return s.line }

// digits reports whether a text has digits alone.
func digits(b []byte) bool {
	for _, c := range b {
		if c-'0' > 9 {
			return false
		}
	}
	return true
}

// recordIn returns where in a text a record begins, after a prefix of whoever wrote the log or glued to another; -1: nowhere.
func recordIn(b []byte) int {
	for from := 0; ; {
		i := bytes.Index(b[from:], []byte(" ["))
		if i < 0 {
			return -1
		}
		i += from
		start := i
		for start > 0 && (b[start-1]-'0' <= 9 || b[start-1] == '.') && i-start < 20 {
			start--
		}
		if dot := bytes.IndexByte(b[start:i], '.'); dot >= 1 && i-start-dot == 7 && digits(b[start:start+dot]) && digits(b[start+dot+1:i]) {
			return start
		}
		from = i + 2
	}
}

// record reads a record. It reports false for anything else.
func (s *Scanner) record(c *detect.Command, b []byte) (outcome, bool) {
	space := 17
	if len(b) < 24 || b[17] != ' ' {
		space = bytes.IndexByte(b[:min(len(b), 19)], ' ')
	}
	if space < 8 || len(b) < space+6 || b[space-7] != '.' || b[space+1] != '[' {
		return 0, false
	}
	time := int64(0)
	for i, digit := range b[:space] {
		if i != space-7 {
			if digit -= '0'; digit > 9 {
				return 0, false
			}
			time = time*10 + int64(digit)
		}
	}
	b = b[space+2:]
	db, i := int32(0), 0
	for i < len(b) && b[i]-'0' <= 9 && i < 6 {
		db = db*10 + int32(b[i]-'0')
		i++
	}
	if i == 0 || i >= len(b) || b[i] != ' ' {
		return 0, false
	}
	b = b[i+1:]
	close := bytes.Index(b, []byte(`] "`)) // the address may hold brackets, too
	if close < 0 {
		return 0, false
	}
	*c = detect.Command{Line: s.line, Time: time * 1e3, DB: db, From: b[:close], Words: s.words[:0]}
	if string(c.From) == "lua" {
		c.Script, c.From = true, nil
	}
	b, s.text = b[close+2:], s.text[:0]
	for n := 0; ; n++ {
		word, after, ok := s.word(b)
		if !ok {
			return 0, false
		}
		c.Words = append(c.Words, word)
		if b = after; len(b) == 0 || b[0] != ' ' {
			break
		}
		if b = b[1:]; len(b) == 0 || b[0] != '"' {
			break
		}
		if n <= 1 && !c.Script && s.Wants != nil {
			var key []byte
			if n == 1 {
				key = word
			}
			if !s.Wants(c, key) && !bytes.Contains(b, []byte(" [")) {
				s.words = c.Words[:0]
				s.records++
				return aSkip, true
			}
		}
	}
	s.words, s.rest = c.Words[:0], b
	if len(c.Words[0]) == 0 {
		return 0, false
	}
	s.records++
	return aRecord, true
}

// word reads a word in quotes, and returns what follows it.
func (s *Scanner) word(b []byte) (word, after []byte, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		return nil, nil, false
	}
	b = b[1:]
	end := bytes.IndexByte(b, '"')
	if end < 0 {
		return nil, nil, false
	}
	if bytes.IndexByte(b[:end], '\\') < 0 {
		return b[:end], b[end+1:], true
	}
	from := len(s.text)
	for i := 0; i < len(b); i++ {
		switch ch := b[i]; {
		case ch == '"':
			return s.text[from:len(s.text):len(s.text)], b[i+1:], true
		case ch != '\\' || i+1 == len(b):
			s.text = append(s.text, ch)
		case b[i+1] == 'x' && i+3 < len(b) && hex(b[i+2]) < 16 && hex(b[i+3]) < 16:
			s.text = append(s.text, hex(b[i+2])<<4|hex(b[i+3]))
			i += 3
		default:
			i++
			switch ch = b[i]; ch {
			case 'n':
				ch = '\n'
			case 'r':
				ch = '\r'
			case 't':
				ch = '\t'
			case 'b':
				ch = '\b'
			case 'a':
				ch = '\a'
			}
			s.text = append(s.text, ch)
		}
	}
	return nil, nil, false
}

func hex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0xff
}

// Detect reads a MONITOR log with a detector until its end.
func (s *Scanner) Detect(d *detect.Detector) error { return s.detect(d, func() bool { return false }) }

func (s *Scanner) detect(d *detect.Detector, enough func() bool) error {
	step := s.steps(d)
	for !enough() {
		if more, err := step(); !more || err != nil {
			return err
		}
	}
	return nil
}

// steps returns what reads the next record with a detector. It reports false at the end.
func (s *Scanner) steps(d *detect.Detector) func() (more bool, err error) {
	var c detect.Command
	var needs detect.Need
	s.Wants = func(c *detect.Command, key []byte) bool {
		if key == nil {
			if needs = d.Needs(c.Words[0]); needs == detect.Nothing {
				return len(c.Words[0]) == len("PUBLISH") && !s.Marked && bytes.EqualFold(c.Words[0], []byte("PUBLISH"))
			}
			return true
		}
		if needs == detect.Nothing {
			s.Marked = string(key) == Channel
			return false
		}
		return needs == detect.Everything || d.Follows(c.DB, key)
	}
	return func() (bool, error) {
		switch got, err := s.Next(&c); {
		case err != nil:
			return false, err
		case got == atEnd:
			return false, nil
		case got == aSkip:
			d.Count(c.Time)
		case got == aGap:
			d.Lost()
		default:
			d.Add(&c)
		}
		return true, nil
	}
}
