package engine

import (
	"fmt"
	"slices"

	"lockstep/engine/redis"
)

// Language is one of the two that every sentence is written in.
type Language int

const (
	English Language = iota
	Chinese
)

// A Refusal says why something cannot be done, in both languages.
type Refusal struct{ english, chinese string }

// refuse formats both sentences with the same arguments; the Chinese one may
// number its verbs (%[2]s) where the order differs.
// An argument that is a text or has sentences itself is put into each in its own language.
func refuse(english, chinese string, arguments ...any) *Refusal {
	inEnglish, inChinese := slices.Clone(arguments), slices.Clone(arguments)
	for i, a := range arguments {
		switch both := a.(type) {
		case text:
			inEnglish[i], inChinese[i] = both.english, both.chinese
		case interface{ Sentence(Language) string }:
			inEnglish[i], inChinese[i] = both.Sentence(English), both.Sentence(Chinese)
		}
	}
	return &Refusal{fmt.Sprintf(english, inEnglish...), fmt.Sprintf(chinese, inChinese...)}
}

// Refuse makes a refusal of two sentences, for the packages that are asked
// through the engine's door.
func Refuse(english, chinese string, arguments ...any) *Refusal {
	return refuse(english, chinese, arguments...)
}

// refused is the refusal of a command that does not go to Redis.
func refused(r *redis.Refusal) *Refusal { return &Refusal{r.English, r.Chinese} }

func (r *Refusal) Error() string { return r.english }

// Sentence is the refusal in one language.
func (r *Refusal) Sentence(in Language) string {
	if in == Chinese {
		return r.chinese
	}
	return r.english
}

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
