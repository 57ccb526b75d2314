package program

import "fmt"

// An Error says where a program goes wrong, and how, in a sentence for the
// person who wrote it. Line and column count from 1, columns in characters;
// both are 0 where the whole text is meant.
type Error struct {
	Program string
	Line    int
	Column  int
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Program, e.Line, e.Column, e.Message)
}
