package room

import (
	"strconv"

	"lockstep/engine/lang"
)

// A Kind tells the purpose of a poll.
type Kind string

// The kinds of polls.
const (
	Predict Kind = "predict" // every seat predicts what happens
	Network Kind = "network" // the seats without a lane choose the message that arrives next
	Own     Kind = "own"     // every seat answers a question that the presenter has written, who says at the end what is right
)

// A Question is what a poll asks.
type Question struct {
	Kind    Kind      `json:"kind"`
	At      int       `json:"at"`              // the position of the room's run at which it is asked
	About   string    `json:"about,omitempty"` // whose command the seats predict; empty: the lesson asks, or the network
	Text    lang.Text `json:"text"`
	Choices []Choice  `json:"choices"`
}

// A Choice is one of the answers.
type Choice struct {
	ID string `json:"id"` // what the engine or the lesson calls it
	lang.Text
	Why lang.Text `json:"why,omitzero"` // the reason why it is right or wrong, which nobody sees before the answer; empty: none
}

// Unsure is the id of the choice of a seat that is not sure, the last of a prediction. It is never right, and its votes
// count apart.
const Unsure = "unsure"

// Ask makes a question of the presenter's own words. One text stands for both languages. Answers without words are left out.
func Ask(at int, text string, answers []string) (*Question, error) {
	clean, ok := cleanWords(text, MaxQuestion)
	if !ok || clean == "" {
		return nil, ErrWords
	}
	q := &Question{Kind: Own, At: at, Text: lang.Both(clean, clean)}
	for _, answer := range answers {
		clean, ok := cleanWords(answer, MaxAnswer)
		switch {
		case !ok:
			return nil, ErrWords
		case clean != "":
			q.Choices = append(q.Choices, Choice{ID: strconv.Itoa(len(q.Choices)), Text: lang.Both(clean, clean)})
		}
	}
	if len(q.Choices) < 2 || len(q.Choices) > MaxAnswers {
		return nil, ErrWords
	}
	return q, nil
}

// size returns how many bytes of text a question has.
func (q *Question) size() int {
	n := len(q.About) + len(q.Text.English) + len(q.Text.Chinese)
	for _, c := range q.Choices {
		n += len(c.ID) + len(c.English) + len(c.Chinese) + len(c.Why.English) + len(c.Why.Chinese)
	}
	return n
}
