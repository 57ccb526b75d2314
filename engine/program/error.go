package program

import (
	"fmt"

	"lockstep/engine/lang"
)

// An Error tells the author of a program, in a sentence, what is wrong and where.
// Line and column count from 1, columns in characters; both are 0 when the whole
// text is meant.
type Error struct {
	Program string
	Line    int
	Column  int
	lang.Text
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Program, e.Line, e.Column, e.English)
}

// Fault says that the program is wrong, and where.
func (e *Error) Fault() lang.Fault {
	f := lang.Fault{Code: "program", Line: e.Line, Column: e.Column, Args: []any{e.Text}}
	if e.Line > 0 {
		f.Key, f.Args = "at-line", []any{e.Line, e.Column, e.Text}
	}
	return f
}

// errorAt returns the error of a text at a place.
func errorAt(program string, p position, why lang.Text) *Error {
	return &Error{Program: program, Line: int(p.line), Column: int(p.column), Text: why}
}
