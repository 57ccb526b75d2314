package engine

import (
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// A Refusal says why an action or a command cannot run.
type Refusal struct{ lang.Text }

func refuse(english, chinese string, arguments ...any) *Refusal {
	return &Refusal{lang.Format(english, chinese, arguments...)}
}

// Refuse returns a refusal with its patterns filled in, for packages that speak for the engine.
func Refuse(english, chinese string, arguments ...any) *Refusal {
	return refuse(english, chinese, arguments...)
}

// refused returns the refusal of a command that does not go to Redis.
func refused(r *redis.Refusal) *Refusal { return &Refusal{r.Text} }

func (r *Refusal) Error() string { return r.English }

// Fault says that the action is not possible.
func (r *Refusal) Fault() lang.Fault { return lang.Fault{Args: []any{r}} }

// Sentence returns the refusal in one language.
func (r *Refusal) Sentence(in lang.Language) string { return r.In(in) }

// A FullError refuses every action of a full run, or one action that would exceed a bound. All but one of its numbers
// are 0.
type FullError struct {
	*Refusal
	Actions, Events int
	Bytes           int64 // size of its events
	Work            int64 // units
	Text            int   // bytes of the run as scenario text
}

func (e *FullError) Unwrap() error { return e.Refusal }

// Fault says that the run has no room for more.
func (e *FullError) Fault() lang.Fault {
	return lang.Fault{Code: "limit", Args: []any{lang.First{Speaker: e}, lang.Word("full.hint")}}
}
