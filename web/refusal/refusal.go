// Package refusal holds the one error type that readers are told.
//
// An Error carries all that an answer needs: the code for a script, the key under which the catalogue of package views
// has the sentence, the sentence's arguments, and the HTTP status. The package that refuses declares the Error; the
// handlers ask it for its sentence and its status, and know no error by name.
//
// The engine, the store, the queues and the rooms know neither HTTP nor the catalogue. Of translates their errors, in
// one table. An error that Of does not know is told in its own words.
package refusal

import (
	"fmt"
	"net/http"
	"unicode"
	"unicode/utf8"

	"lockstep/engine/lang"
	"lockstep/views"
)

// The codes of PROTOCOL.md.
const (
	Refused     = "refused"
	Stale       = "stale"
	Limit       = "limit"
	Store       = "store"
	Syntax      = "syntax"
	Program     = "program"
	Malformed   = "malformed"
	UnknownType = "unknown-type"
	Binary      = "binary"
	TooLarge    = "too-large"
	TooFast     = "too-fast"
)

// The statuses of HTTP that a refusal has.
const (
	Unprocessable = http.StatusUnprocessableEntity
	TooMany       = http.StatusTooManyRequests
	Unavailable   = http.StatusServiceUnavailable // the same may be possible later
	Internal      = http.StatusInternalServerError
)

// An Error says why a request changed nothing.
type Error struct {
	Code         string
	Key          string // of the catalogue; empty: the arguments are the sentence
	Args         []any  // a Word and whatever has sentences of its own are said in the reader's language
	Status       int
	Line, Column int // of a program or an action, counted from 1; 0: none
}

// A Word is an argument that the catalogue has under its own key.
type Word string

var declared []*Error

// Declare returns the Error of a package variable. Declared lists it, so that a test reads its sentence.
func Declare(status int, code, key string, args ...any) *Error {
	e := New(status, code, key, args...)
	declared = append(declared, e)
	return e
}

// Declared returns every Error that Declare has made.
func Declared() []*Error { return declared }

// New returns an Error whose arguments depend on the request.
func New(status int, code, key string, args ...any) *Error {
	return &Error{Code: code, Key: key, Args: args, Status: status}
}

// Error returns the key: a log needs no language.
func (e *Error) Error() string {
	if e.Key == "" {
		return e.In(lang.English)
	}
	return e.Key
}

// In returns the sentence in a reader's language.
func (e *Error) In(l lang.Language) string {
	args := make([]any, len(e.Args))
	for i, a := range e.Args {
		switch a := a.(type) {
		case Word:
			args[i] = views.Say(l, string(a))
		case lang.Text:
			args[i] = a.In(l)
		case lang.Speaker:
			args[i] = a.Sentence(l)
		default:
			args[i] = a
		}
	}
	if e.Key == "" {
		return fmt.Sprint(args...)
	}
	return views.Say(l, e.Key, args...)
}

// Forbidden returns what somebody is told who may not see something: the refusal with the status of one, unless the
// server could not find out whether they may.
func Forbidden(err error) *Error {
	e := *Of(err)
	if e.Status < Internal {
		e.Status = http.StatusForbidden
	}
	return &e
}

// Is reports whether an error is told with a code.
func Is(err error, code string) bool { return err != nil && Of(err).Code == code }

// first is a sentence that another one follows.
type first struct{ lang.Speaker }

func (f first) Sentence(in lang.Language) string {
	text := f.Speaker.Sentence(in)
	if in == lang.Chinese {
		return text + "。"
	}
	letter, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(letter)) + text[size:] + ". "
}
