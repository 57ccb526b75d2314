package room

import (
	"slices"

	"lockstep/engine/lang"
)

// The verbs of polls.
const (
	VerbAsk    Verb = "ask"    // Poll: opens a poll
	VerbVote   Verb = "vote"   // Seat, Choice, Ballot: the number of the choice, from 0
	VerbRound  Verb = "round"  // the poll's next phase
	VerbReveal Verb = "reveal" // Choice: what was right, or arrived; None: none of them
	VerbDrop   Verb = "drop"   // takes the poll away
)

var pollVerbs = []verb{
	{
		name: VerbAsk, who: mayAsk,
		possible: func(r *Room, e Entry) error { return r.canAsk(e.Poll) },
		apply:    func(r *Room, e Entry) { r.ask(e.Poll) },
		from:     fromDriver,
		bytes:    func(e Entry) int { return e.Poll.size() },
		control:  anyQuestion,
		begins:   true,
	},
	{
		name: VerbVote, who: onlyOwnSeat,
		possible: canVote,
		apply:    func(r *Room, e Entry) { r.poll.vote(e.Seat, e.Choice) },
		read: func(who Who, f Form) Entry {
			return Entry{Seat: who.Seat, Choice: f.Number("choice"), Ballot: max(0, f.Number("ballot"))}
		},
		from:    fromSeat,
		often:   func(r *Room, e Entry) bool { return r.poll.votes[r.poll.round][e.Seat].cast >= MaxVotes },
		control: func(_ *Room, who Who) Entry { return Entry{Seat: who.Seat} },
		crowd:   true,
	},
	{
		name: VerbRound, who: onlyPollster,
		possible: func(r *Room, _ Entry) error { return r.canRound() },
		apply:    func(r *Room, _ Entry) { r.nextRound() },
		read:     readNothing,
		from:     fromDriver,
		last:     calms,
		control:  bare,
	},
	{
		name: VerbReveal, who: onlyPollster,
		possible: func(r *Room, e Entry) error { return r.canReveal(e.Choice) },
		apply:    reveal,
		from:     fromDriver,
		last:     calms,
		control:  func(*Room, Who) Entry { return Entry{Choice: None} },
		wide:     true,
	},
	{
		name: VerbDrop, who: onlyPollster,
		possible: func(r *Room, _ Entry) error { return r.canDrop() },
		apply:    func(r *Room, _ Entry) { r.drop() },
		read:     readNothing,
		from:     fromDriver,
		last:     calms,
		control:  bare,
		wide:     true,
	},
}

// The polls of a room: one at a time.
type polls struct {
	poll    *Poll
	ballots int // rounds of polls so far
}

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
func (p *polls) Poll() *Poll { return p.poll }

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
	for number, s := range r.seated() {
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

// voter reports whether the poll asks a seat.
func (r *Room) voter(s *seat) bool {
	return r.poll.question.Kind != Network || !r.HasLanes() || s.lane == ""
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
func (p *polls) canAsk(q *Question) error {
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
	if p.poll != nil && p.poll.phase != Revealed {
		return ErrPollOpen
	}
	return nil
}

// ask opens a poll.
func (p *polls) ask(q *Question) {
	p.poll = newPoll(q)
	p.ballots++
}

// nextRound ends a round, or opens the second one.
func (p *polls) nextRound() {
	if p.poll.next(); p.poll.open() {
		p.ballots++
	}
}

// forgetVotes takes back the votes of a seat that has gone, unless they are revealed.
func (p *polls) forgetVotes(number int) {
	if p.poll == nil || p.poll.phase == Revealed {
		return
	}
	for _, votes := range p.poll.votes {
		delete(votes, number)
	}
}

// frozen reports whether a prediction holds the room's run where the room was asked about it. A step would be the answer,
// so only Reveal takes one. A vote of the network is a way to act, and holds nothing.
func (p *polls) frozen() bool {
	return p.poll != nil && p.poll.question.Kind == Predict && p.poll.phase != Revealed
}

// canVote refuses a vote that no open round asks this seat for. A vote that has waited for a connection may come when another question
// is open: its choice is no answer to that.
func canVote(r *Room, e Entry) error {
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
func (p *polls) canRound() error {
	switch {
	case p.poll == nil:
		return ErrNoPoll
	case p.poll.phase == Closed || p.poll.phase == Revealed:
		return ErrPollOver
	}
	return nil
}

// canDrop refuses to drop a poll that is not there.
func (p *polls) canDrop() error {
	if p.poll == nil {
		return ErrNoPoll
	}
	return nil
}

// canReveal refuses a second answer.
func (p *polls) canReveal(choice int) error {
	switch {
	case p.poll == nil:
		return ErrNoPoll
	case p.poll.phase == Revealed:
		return ErrRevealed
	case choice < None || choice >= len(p.poll.question.Choices), choice != None && p.poll.question.Choices[choice].ID == Unsure:
		return ErrChoice
	}
	return nil
}

// reveal gives the answer of the poll.
func reveal(r *Room, e Entry) {
	r.poll.phase, r.poll.answer = Revealed, e.Choice
	r.keepPoll(r.poll)
}

// mayAsk lets the person who would lead the poll open it.
func mayAsk(r *Room, who Who, e Entry) error {
	return mayLead(r, who, e.Poll != nil && e.Poll.Kind == Network)
}

// onlyPollster lets the person who leads the open poll pass.
func onlyPollster(r *Room, who Who, _ Entry) error {
	return mayLead(r, who, r.poll != nil && r.poll.question.Kind == Network)
}

// mayLead lets the presenter lead every poll. The driver leads a poll of the network, which is a way to act on the run.
func mayLead(r *Room, who Who, network bool) error {
	switch {
	case who.Presenter:
		return nil
	case !network:
		return ErrPresenterOnly
	case !r.drives(who):
		return ErrDriverOnly
	}
	return nil
}

// The questions of anyQuestion. A room asks them for each viewer, so they are made once.
var (
	anyPrediction = &Question{Kind: Predict, Text: lang.Both("?", "?"), Choices: []Choice{{ID: "a", Text: lang.Both("a", "a")}, {ID: "b", Text: lang.Both("b", "b")}}}
	anyMessage    = &Question{Kind: Network, Text: lang.Both("?", "?"), Choices: []Choice{{ID: "a", Text: lang.Both("a", "a")}}}
)

// anyQuestion asks a question that every room without an open poll takes: a prediction if the presenter asks, and
// otherwise a question for the network.
func anyQuestion(_ *Room, who Who) Entry {
	if who.Presenter {
		return Entry{Poll: anyPrediction}
	}
	return Entry{Poll: anyMessage}
}
