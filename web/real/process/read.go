package process

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync/atomic"

	"lockstep/engine/redis"
)

// A reader reads the commands of one connection.
type reader struct {
	ear   *ear
	in    *bufio.Reader
	begun atomic.Bool // it is in the middle of a command
	typed bool        // the last command was a line
}

// An ear counts the bytes of a connection.
type ear struct {
	from  io.Reader
	taken int64
	heard atomic.Int64 // bytes that the front has done with: it asks for more
}

func (e *ear) Read(into []byte) (int, error) {
	e.heard.Store(e.taken)
	n, err := e.from.Read(into)
	e.taken += int64(n)
	return n, err
}

func newReader(from io.Reader) reader {
	e := &ear{from: from}
	return reader{ear: e, in: bufio.NewReader(e)}
}

// A stranger is somebody who takes the port for another one: a browser, for example, which reaches loopback.
type stranger struct {
	said *fault // the sentence, should it be the program
	told string // the answer before the connection closes
}

func (s *stranger) Error() string { return s.said.Error() }

// command returns the next command: an array of bulk strings, or a line as somebody types it. Its error is a *fault, a
// *stranger, or the connection's.
func (r *reader) command() ([]string, error) {
	for {
		first, err := r.in.Peek(1)
		if err != nil {
			return nil, err
		}
		r.begun.Store(true)
		var words []string
		r.typed = first[0] != '*'
		switch {
		case first[0] == '*':
			words, err = r.array()
		case first[0] == 0x16: // a record of TLS
			return nil, &stranger{speaksTLS(), ""}
		case first[0] < ' ' && first[0] != '\r' && first[0] != '\n' && first[0] != '\t' || first[0] >= 0x7f:
			here, _ := r.in.Peek(r.in.Buffered()) // its line may have no end
			return nil, speaksGarbage(here)
		default:
			words, err = r.inline()
		}
		r.begun.Store(false)
		if err != nil || len(words) > 0 {
			return words, err
		}
	}
}

// array reads *2 $3 GET $1 k.
func (r *reader) array() ([]string, error) {
	n, err := r.length('*', maxArguments, tooManyArguments)
	if err != nil || n <= 0 {
		return nil, err
	}
	words := make([]string, 0, min(n, 16))
	left := maxRequest
	for range n {
		size, err := r.length('$', maxBulk, tooLongArgument)
		if err != nil {
			return nil, err
		}
		if size < 0 {
			return nil, speaksGarbage([]byte("$" + strconv.Itoa(size)))
		}
		if left -= size; left < 0 {
			return nil, tooLongRequest()
		}
		body := make([]byte, size+2)
		if _, err := io.ReadFull(r.in, body); err != nil {
			return nil, err
		}
		if body[size] != '\r' || body[size+1] != '\n' {
			return nil, speaksGarbage(body[size:])
		}
		words = append(words, string(body[:size]))
	}
	return words, nil
}

// length reads a line such as $3.
func (r *reader) length(kind byte, most int, tooMuch func() *fault) (int, error) {
	line, err := r.line()
	if err != nil {
		return 0, err
	}
	if len(line) < 2 || line[0] != kind {
		return 0, speaksGarbage(line)
	}
	n, err := strconv.Atoi(string(line[1:]))
	switch {
	case errors.Is(err, strconv.ErrRange) || err == nil && n > most:
		return 0, tooMuch()
	case err != nil:
		return 0, speaksGarbage(line)
	}
	return n, nil
}

// inline reads GET k, as a shell script or a person at a terminal sends it.
func (r *reader) inline() ([]string, error) {
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	if isHTTP(string(line)) {
		return nil, &stranger{speaksHTTP(), "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"}
	}
	words, refusal := redis.Split(string(line))
	if refusal != nil || bytes.ContainsFunc(line, func(c rune) bool { return c < ' ' && c != '\t' }) {
		return nil, speaksGarbage(line)
	}
	if len(words) > 0 && (words[0] == "" || strings.ContainsFunc(words[0], func(c rune) bool { return (c|0x20 < 'a' || c|0x20 > 'z') && c != '_' && c != '.' })) {
		return nil, speaksGarbage(line)
	}
	if len(words) > maxArguments {
		return nil, tooManyArguments()
	}
	return words, nil
}

func isHTTP(line string) bool {
	return strings.HasPrefix(line, "GET /") || strings.HasPrefix(line, "POST") || strings.HasPrefix(strings.ToLower(line), "host:") || strings.Contains(line, " HTTP/")
}

// line reads a line without its end.
func (r *reader) line() ([]byte, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxBulk+2 {
			return nil, tooLongArgument()
		}
		if err == nil {
			return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}
