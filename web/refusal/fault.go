package refusal

import (
	"cmp"
	"errors"

	"lockstep/engine/lang"
)

// statuses are the HTTP statuses of what may be done about a fault.
var statuses = map[lang.Next]int{
	lang.AskOther: Unprocessable, lang.AskLater: Unavailable, lang.AskLess: TooMany, lang.AskNever: Gone, lang.Mend: Internal,
}

// Of returns the Error for an error, by the Fault that it carries. An Error that wraps a Faulty error counts, because the
// wrapping package knows more. What the operator has to mend comes before both: it is not the reader's mistake.
func Of(err error) *Error {
	var own *Error
	f, faulty := toMend(err)
	switch {
	case faulty:
	case errors.As(err, &own):
		return own
	default:
		var any lang.Faulty
		if faulty = errors.As(err, &any); faulty {
			f = any.Fault()
		}
	}
	if !faulty {
		return New(Unprocessable, Refused, "", err.Error())
	}
	return &Error{Code: cmp.Or(f.Code, Refused), Key: f.Key, Args: f.Args, Status: statuses[f.Next], Line: f.Line, Column: f.Column}
}

// toMend returns the fault within an error that the operator has to mend, if there is one.
func toMend(err error) (lang.Fault, bool) {
	if f, ok := err.(lang.Faulty); ok && f.Fault().Next == lang.Mend {
		return f.Fault(), true
	}
	switch w := err.(type) {
	case interface{ Unwrap() error }:
		if inner := w.Unwrap(); inner != nil {
			return toMend(inner)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range w.Unwrap() {
			if f, ok := toMend(inner); ok {
				return f, true
			}
		}
	}
	return lang.Fault{}, false
}
