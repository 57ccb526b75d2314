package explore

import (
	"strings"
	"unicode"

	"lockstep/views"
)

// A Word is a part of the question's sentence.
type Word struct {
	Text    string
	Field   string   // the value that stands here; empty: it is text
	Clauses []Choice // one for each property; only that of the question is seen
	Ends    string   // the punctuation after a field, which begins no line

	One, Many, Of string // a noun with the number of a field before it; Many is empty: it is no such noun
}

// Words returns the question's sentence, part by part.
func (p Page) Words() []Word {
	var words []Word
	for rest := views.Say(p.Lang, "explore.ask"); rest != ""; {
		text, after, found := strings.Cut(rest, "{")
		if last := len(words) - 1; last >= 0 && words[last].Field != "" {
			words[last].Ends, text = ends(text)
		}
		if text != "" {
			words = append(words, Word{Text: text})
		}
		if !found {
			break
		}
		name, next, _ := strings.Cut(after, "}")
		words, rest = append(words, p.word(name)), next
	}
	return words
}

// ends cuts a text after the punctuation with which it begins.
func ends(text string) (punctuation, rest string) {
	rest = strings.TrimLeftFunc(text, unicode.IsPunct)
	return text[:len(text)-len(rest)], rest
}

// word returns what stands at a name in the sentence's pattern.
func (p Page) word(name string) Word {
	switch name {
	case "who", "what":
		return Word{Clauses: p.clauses(name)}
	case "client", "tick-word":
		of := map[string]string{"client": "clients", "tick-word": "ticks"}[name]
		w := Word{One: views.Say(p.Lang, "explore.ask."+name+".one"), Many: views.Say(p.Lang, "explore.ask."+name+".many"), Of: of}
		if w.Text = w.Many; p.Values[of].Chosen == "1" {
			w.Text = w.One
		}
		return w
	}
	return Word{Field: name}
}

// clauses returns the sentence's beginning or its verb for each property.
func (p Page) clauses(part string) []Choice {
	var all []Choice
	for _, c := range p.Properties {
		who, what, _ := strings.Cut(views.Say(p.Lang, "explore.ask."+c.Value), "|")
		if part == "what" {
			who = what
		}
		all = append(all, Choice{Value: c.Value, Label: who})
	}
	return all
}
