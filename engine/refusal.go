package engine

import (
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// A Refusal says why something cannot be done.
type Refusal struct{ lang.Text }

func refuse(english, chinese string, arguments ...any) *Refusal {
	return &Refusal{lang.Format(english, chinese, arguments...)}
}

// Refuse returns a refusal whose patterns are filled in, for the packages that answer on the engine's behalf.
func Refuse(english, chinese string, arguments ...any) *Refusal {
	return refuse(english, chinese, arguments...)
}

// refused returns the refusal of a command that does not go to Redis.
func refused(r *redis.Refusal) *Refusal { return &Refusal{r.Text} }

func (r *Refusal) Error() string { return r.English }

// Sentence returns the refusal in one language.
func (r *Refusal) Sentence(in lang.Language) string { return r.In(in) }

// A FullError is the refusal of a run that takes no more, or not this action: it would have more of something
// than a run may. All but one of the numbers are 0.
type FullError struct {
	*Refusal
	Actions, Events int
	Bytes           int64 // of its events
	Work            int64 // units
	Text            int   // bytes of the run as scenario text
}

func (e *FullError) Unwrap() error { return e.Refusal }
