package room

import (
	"slices"
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

// A Phase tells how far a poll is.
type Phase string

// The phases, in their order. A vote of the network has one round and no
// discussion.
const (
	First    Phase = "first"    // everybody votes alone
	Discuss  Phase = "discuss"  // nobody votes; the votes are kept
	Second   Phase = "second"   // everybody votes once more
	Closed   Phase = "closed"   // nobody votes any more
	Revealed Phase = "revealed" // the answer is known, and so are the counts
)

// A Poll is a question with its votes. It keeps the votes secret until it is revealed.
type Poll struct {
	question Question
	phase    Phase
	round    int               // 0 or 1
	votes    [2]map[int]ballot // by round and seat
	answer   int               // from Revealed on
}

// A ballot is the vote of a seat in a round.
type ballot struct {
	choice int
	cast   int // how often the seat has cast it, as minds change
}

func newPoll(q *Question) *Poll {
	asked := *q
	asked.Choices = slices.Clone(q.Choices)
	return &Poll{question: asked, phase: First, votes: [2]map[int]ballot{{}, {}}}
}

// Poll returns the poll of the room; nil: there is none.
func (r *Room) Poll() *Poll { return r.poll }

// Question returns the poll's question.
func (p *Poll) Question() Question {
	q := p.question
	q.Choices = slices.Clone(q.Choices)
	return q
}

// Phase returns how far the poll is.
func (p *Poll) Phase() Phase { return p.phase }

// Counts returns the votes for each choice, round by round; nil: nobody has revealed them.
func (p *Poll) Counts() [][]int {
	if p.phase != Revealed {
		return nil
	}
	counts := make([][]int, p.round+1)
	for round := range counts {
		counts[round] = p.tally(round)
	}
	return counts
}

// early returns the votes of the first round until the answer is revealed; nil: there is no such question. The
// presenter decides by them whether to discuss or to explain. Nobody else knows them before the answer.
func (p *Poll) early() []int {
	if p == nil || p.question.Kind == Network || p.phase == Revealed {
		return nil
	}
	return p.tally(0)
}

// Leading returns the choice with the most votes of the network once its round is closed: the first of several, None
// without votes. The server delivers that message and reveals it.
func (p *Poll) Leading() int {
	if p.question.Kind != Network || p.phase != Closed && p.phase != Revealed {
		return None
	}
	counts := p.tally(0)
	most := slices.Max(counts)
	if most == 0 {
		return None
	}
	return slices.Index(counts, most)
}

func (p *Poll) tally(round int) []int {
	counts := make([]int, len(p.question.Choices))
	for _, b := range p.votes[round] {
		counts[b.choice]++
	}
	return counts
}

// Decided reports whether the vote of the network waits for nobody: most of its seats that are here have chosen the same
// message, or all of them have chosen. The server, which knows who is here, then closes the vote and delivers.
func (r *Room) Decided(here map[int]bool) bool {
	if r.poll == nil || r.poll.question.Kind != Network || !r.poll.open() {
		return false
	}
	voters, cast := 0, 0
	counts := make([]int, len(r.poll.question.Choices))
	for number, s := range r.people() {
		if !here[number] || !r.voter(s) {
			continue
		}
		voters++
		if b, ok := r.poll.votes[r.poll.round][number]; ok {
			cast++
			counts[b.choice]++
		}
	}
	return cast > 0 && (cast == voters || 2*slices.Max(counts) > voters)
}

// vote lets a seat choose, or choose again.
func (p *Poll) vote(number, choice int) {
	votes := p.votes[p.round]
	votes[number] = ballot{choice, votes[number].cast + 1}
}

func (p *Poll) open() bool { return p.phase == First || p.phase == Second }

// next ends the round, or opens the second one.
func (p *Poll) next() {
	switch {
	case p.phase == First && p.question.Kind != Network:
		p.phase = Discuss
	case p.phase == Discuss:
		p.phase, p.round = Second, 1
	default:
		p.phase = Closed
	}
}

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

// voter reports whether the poll asks a seat.
func (r *Room) voter(s *seat) bool {
	return r.poll.question.Kind != Network || r.lanes == nil || s.lane == ""
}

// unvote takes back the votes of seats that have left the network.
func (r *Room) unvote() {
	if r.poll == nil || r.poll.phase == Revealed {
		return
	}
	for number := range r.poll.votes[r.poll.round] {
		if !r.voter(r.seat(number)) {
			delete(r.poll.votes[r.poll.round], number)
		}
	}
}

// canAsk refuses a malformed question, and a second poll before the first is revealed.
func (r *Room) canAsk(q *Question) error {
	if q == nil || q.At < 0 || q.At > maxAt || !isText(q.Text) {
		return ErrMalformed
	}
	if len(q.About) > maxID {
		return ErrMalformed
	}
	least, most := 2, MaxChoices
	switch q.Kind {
	case Predict, Own:
	case Network:
		least, most = 1, MaxMessages
	default:
		return ErrMalformed
	}
	if len(q.Choices) < least || len(q.Choices) > most {
		return ErrMalformed
	}
	for _, c := range q.Choices {
		if !isShort(c.ID, maxID) || !isText(c.Text) || c.Why != (lang.Text{}) && !isText(c.Why) {
			return ErrMalformed
		}
	}
	if r.poll != nil && r.poll.phase != Revealed {
		return ErrPollOpen
	}
	return nil
}

// ask opens a poll.
func (r *Room) ask(q *Question) {
	r.poll = newPoll(q)
	r.ballots++
}

// round ends a round, or opens the second one.
func (r *Room) round() {
	if r.poll.next(); r.poll.open() {
		r.ballots++
	}
}

// canVote refuses a vote that no open round asks this seat for. A vote that has waited for a connection may come when another question
// is open: its choice is no answer to that.
func (r *Room) canVote(e Entry) error {
	number, choice := e.Seat, e.Choice
	s := r.seat(number)
	switch {
	case r.poll == nil:
		return ErrNoPoll
	case s == nil:
		return ErrNoSeat
	case !r.poll.open(), e.Ballot != 0 && e.Ballot != r.ballots:
		return ErrPollClosed
	case !r.voter(s):
		return ErrNetworkOnly
	case choice < 0 || choice >= len(r.poll.question.Choices):
		return ErrChoice
	}
	if before, ok := r.poll.votes[r.poll.round][number]; ok && before.choice == choice {
		return ErrSame
	}
	return nil
}

// canRound refuses a further phase of a poll that has none.
func (r *Room) canRound(Entry) error {
	switch {
	case r.poll == nil:
		return ErrNoPoll
	case r.poll.phase == Closed || r.poll.phase == Revealed:
		return ErrPollOver
	}
	return nil
}

// canDrop refuses to drop a poll that is not there.
func (r *Room) canDrop(Entry) error {
	if r.poll == nil {
		return ErrNoPoll
	}
	return nil
}

// canReveal refuses a second answer.
func (r *Room) canReveal(choice int) error {
	switch {
	case r.poll == nil:
		return ErrNoPoll
	case r.poll.phase == Revealed:
		return ErrRevealed
	case choice < None || choice >= len(r.poll.question.Choices), choice != None && r.poll.question.Choices[choice].ID == Unsure:
		return ErrChoice
	}
	return nil
}
