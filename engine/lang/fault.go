package lang

import (
	"unicode"
	"unicode/utf8"
)

// A Fault is what an error says of itself to whoever answers a reader for it. It knows no HTTP.
type Fault struct {
	Code         string // for programs: one of PROTOCOL.md; empty: refused
	Next         Next
	Key          string // of the site's words; empty: the arguments are the sentence
	Args         []any  // a Word, a Text or a Speaker is said in the reader's language
	Line, Column int    // of a program or an action, counted from 1; 0: none
}

// Next says what may be done about a fault.
type Next int

// What may be done.
const (
	AskOther Next = iota // something else may be asked for
	AskLater             // the same may succeed later
	AskLess              // the reader has asked too often, or holds too much
	AskNever             // it was there and is gone
	Mend                 // the operator has to mend something: it is not the reader's mistake
)

// A Faulty error carries its Fault from where it arises.
type Faulty interface {
	error
	Fault() Fault
}

// NewFault returns an error for a package variable. The text is for a log.
func NewFault(text string, f Fault) error {
	made := &fault{text, f}
	faults = append(faults, made)
	return made
}

var faults []error

// Faults returns every error that NewFault has made: a test reads their sentences.
func Faults() []error { return faults }

type fault struct {
	text string
	says Fault
}

func (f *fault) Error() string { return f.text }
func (f *fault) Fault() Fault  { return f.says }

// A Word is an argument with a key of its own in the site's words.
type Word string

// First is a sentence before another sentence.
type First struct{ Speaker }

// Sentence returns the sentence with a capital letter and a full stop.
func (f First) Sentence(in Language) string {
	text := f.Speaker.Sentence(in)
	if in == Chinese {
		return text + "。"
	}
	letter, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(letter)) + text[size:] + ". "
}
