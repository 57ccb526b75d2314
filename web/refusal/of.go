package refusal

import (
	"errors"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/engine/redis"
	"lockstep/web/limit"
	"lockstep/web/room"
	"lockstep/web/search"
	"lockstep/web/store"
)

// known maps the errors of packages that know no HTTP.
var known = []struct {
	is   error
	told *Error
}{
	{limit.ErrFull, Declare(Unavailable, Limit, "error.busy")},
	{limit.ErrClosed, Declare(Unavailable, Limit, "error.busy")},
	{limit.ErrTooMuch, Declare(Unprocessable, Limit, "error.too-much")},
	{search.ErrFull, Declare(Unavailable, Refused, "explore.queue-full")},
	{search.ErrReplaced, Declare(Unavailable, Refused, "explore.replaced")},
	{search.ErrClosing, Declare(Unavailable, Refused, "explore.closing")},
	{store.ErrUnavailable, Declare(Unavailable, Store, "error.store")},
	{store.ErrFull, Declare(Unavailable, Limit, "error.store-full")},
	{store.ErrShare, Declare(TooMany, Limit, "error.store-share")},
	{store.ErrGone, Declare(Gone, Refused, "error.gone")},
	{store.ErrLong, Declare(Unprocessable, Limit, "error.store-long")},
}

// damaged answers a request for a damaged log.
var damaged = Declare(Internal, Refused, "error.damaged")

// Of returns the Error for an error. A refused request is Unprocessable, unless its Error has another status.
func Of(err error) *Error {
	var (
		own      *Error
		full     *engine.FullError
		refused  *engine.Refusal
		command  *redis.Refusal
		problem  *engine.Problem
		mistaken *program.Error
		failed   *explore.FailureError
		unable   *explore.UnableError
		inRoom   room.Refusal
		busy     *search.BusyError
	)
	if errors.Is(err, store.ErrDamaged) { // the damage is not the reader's mistake
		return damaged
	}
	if errors.As(err, &own) { // even if it wraps a known error: the wrapping package knows more
		return own
	}
	for _, k := range known {
		if errors.Is(err, k.is) {
			return k.told
		}
	}
	e := &Error{Code: Refused, Status: Unprocessable}
	switch {
	case errors.As(err, &problem):
		e.Code, e.Column, e.Args = Syntax, problem.Column, []any{problem.Err.Error()}
		if errors.As(problem.Err, &refused) {
			e.Args = []any{refused}
		}
	case errors.As(err, &full):
		e.Code, e.Args = Limit, []any{first{full}, Word("full.hint")}
	case errors.As(err, &refused):
		e.Args = []any{refused}
	case errors.As(err, &command):
		e.Code, e.Args = Syntax, []any{command.Text}
	case errors.As(err, &mistaken):
		e.Code, e.Line, e.Column, e.Args = Program, mistaken.Line, mistaken.Column, []any{mistaken.Text}
		if mistaken.Line > 0 {
			e.Key, e.Args = "at-line", []any{e.Line, e.Column, e.Args[0]}
		}
	case errors.As(err, &unable):
		e.Args = []any{unable}
	case errors.As(err, &failed):
		e.Key, e.Args = "explore.failure", []any{failed}
	case errors.As(err, &inRoom):
		e.Key = inRoom.Error()
	case errors.As(err, &busy):
		e.Status, e.Key, e.Args = Unavailable, "explore.busy", []any{busy.Place}
	default:
		e.Args = []any{err.Error()}
	}
	return e
}
