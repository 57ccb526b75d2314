// Package refusal has the error type whose sentences readers see.
//
// An Error carries everything that an answer needs: the code for a script, the key of the sentence in the catalogue of
// package views, the sentence's arguments, and the HTTP status. The package that refuses declares the Error. The handlers
// ask the Error for its sentence and its status, and know no Error by name.
//
// The engine, the store, the queues and the rooms know neither HTTP nor the catalogue. Their errors carry a lang.Fault, which Of
// translates. For any other error, Of uses the error's own words.
package refusal

import (
	"fmt"
	"net/http"

	"lockstep/engine/lang"
	"lockstep/views"
)

// These are the codes of PROTOCOL.md.
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

// These are the HTTP statuses of refusals.
const (
	Unprocessable = http.StatusUnprocessableEntity
	TooMany       = http.StatusTooManyRequests
	Unavailable   = http.StatusServiceUnavailable // the same request may succeed later
	Gone          = http.StatusGone
	Internal      = http.StatusInternalServerError
)

// An Error says why a request changed nothing.
type Error struct {
	Code         string
	Key          string // of the catalogue; empty: the arguments are the sentence
	Args         []any  // a lang.Word, or an argument with its own sentences, is said in the reader's language
	Status       int
	Line, Column int // of a program or an action, counted from 1; 0: none
}

var declared []*Error

// Declare returns an Error for a package variable. Declared lists it, and a test reads its sentence.
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

// Error returns the key, because a log needs no language.
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
		case lang.Word:
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

// Forbidden returns the Error for a reader who may not see something, with the status Forbidden of HTTP. An Error of
// the server itself keeps its status.
func Forbidden(err error) *Error {
	e := *Of(err)
	if e.Status < Internal {
		e.Status = http.StatusForbidden
	}
	return &e
}

// Is reports whether an error has a code.
func Is(err error, code string) bool { return err != nil && Of(err).Code == code }
