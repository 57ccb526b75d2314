// Package lang holds a sentence in two languages.
//
//	pattern Text + arguments → Text → one string, in the reader's Language
//
// A Text has the same sentence in English and in Chinese. The two stand side by
// side where a package writes them, and the reader's language selects one at
// the end. Format fills the same arguments into both patterns. It puts an
// argument with two languages, a Text or a Speaker, into each pattern in its
// own. The Chinese pattern may take arguments out of turn (%[2]s).
//
// Rejected: a map by language. A reader would find a missing sentence there, where
// the compiler finds it here.
package lang

import (
	"fmt"
	"slices"
)

// A Language is the BCP 47 tag of a language that every sentence exists in.
type Language string

const (
	English Language = "en"
	Chinese Language = "zh"
)

// All lists the languages.
var All = []Language{English, Chinese}

// Named returns the language with a tag. It reports whether there is one.
func Named(tag string) (l Language, ok bool) {
	l = Language(tag)
	return l, l == English || l == Chinese
}

// A Text is a sentence, or a part of one, in both languages.
type Text struct {
	English string `json:"en"`
	Chinese string `json:"zh"`
}

// Both returns a text from two complete sentences.
func Both(english, chinese string) Text { return Text{english, chinese} }

// A Speaker has a sentence in each language.
type Speaker interface {
	Sentence(in Language) string
}

// In returns the text in a language, or in the other one where it is missing.
func (t Text) In(l Language) string {
	if !t.Has(l) {
		return t.English + t.Chinese // one of them is empty
	}
	return *t.in(l)
}

// Has reports whether there is text in a language.
func (t Text) Has(l Language) bool { return *t.in(l) != "" }

// Foreign returns the language in which the text stands for a reader of another one, which it lacks; empty: it has the reader's.
func (t Text) Foreign(l Language) Language {
	switch {
	case t.Has(l) || t == (Text{}):
		return ""
	case l == Chinese:
		return English
	}
	return Chinese
}

// Set sets the text in a language.
func (t *Text) Set(l Language, text string) { *t.in(l) = text }

func (t *Text) in(l Language) *string {
	if l == Chinese {
		return &t.Chinese
	}
	return &t.English
}

// Fill fills arguments into the text, which is a pattern, in one language.
func (t Text) Fill(l Language, arguments ...any) string {
	own, copied := arguments, false
	for i, a := range arguments {
		var said string
		switch a := a.(type) {
		case Text:
			said = a.In(l)
		case Speaker:
			said = a.Sentence(l)
		default:
			continue
		}
		if !copied {
			own, copied = slices.Clone(arguments), true
		}
		own[i] = said
	}
	return fmt.Sprintf(t.In(l), own...)
}

// Format fills the same arguments into two patterns.
func Format(english, chinese string, arguments ...any) Text {
	pattern := Both(english, chinese)
	return Both(pattern.Fill(English, arguments...), pattern.Fill(Chinese, arguments...))
}

// An Error is a mistake of the user, or a refusal, as a sentence in each language.
type Error struct{ Text }

// Errorf returns an error with its patterns filled in.
func Errorf(english, chinese string, arguments ...any) *Error {
	return &Error{Format(english, chinese, arguments...)}
}

func (e *Error) Error() string { return e.English }

// Sentence returns the error in one language.
func (e *Error) Sentence(in Language) string { return e.In(in) }
