package program

import "fmt"

// An Error tells the author of a program, in a sentence, what is wrong and where.
// Line and column count from 1, columns in characters; both are 0 when the whole
// text is meant.
type Error struct {
	Program string
	Line    int
	Column  int
	Message string // in English
	Chinese string // the same
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Program, e.Line, e.Column, e.Message)
}

// A sentence is said in both languages.
type sentence struct{ english, chinese string }

// say formats both sentences with the same arguments, of which one that is itself
// in both languages is put into each in its own.
func say(english, chinese string, arguments ...any) sentence {
	inEnglish, inChinese := make([]any, len(arguments)), make([]any, len(arguments))
	for i, a := range arguments {
		inEnglish[i], inChinese[i] = a, a
		if both, ok := a.(sentence); ok {
			inEnglish[i], inChinese[i] = both.english, both.chinese
		}
	}
	return sentence{fmt.Sprintf(english, inEnglish...), fmt.Sprintf(chinese, inChinese...)}
}

// at is the error that a sentence makes at a place.
func (s sentence) at(program string, p position) *Error {
	return &Error{Program: program, Line: int(p.line), Column: int(p.column), Message: s.english, Chinese: s.chinese}
}
