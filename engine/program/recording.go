package program

import (
	"iter"
	"slices"
	"strings"

	"lockstep/engine/redis"
)

// A Recording is what a real program was seen to do: for each history of observations, the next operation. It is a tree,
// and grows by Add. Program makes it a lock program, which the engine runs without the real one.
//
// A history is a list of observations as text: a reply as redis-cli shows it, Lost, or Done for an operation that has no
// result. An operation that belongs to the lock as a whole stands in it like a command: Enter, Hold, Leave, Want.
//
// One recording serves every client. Where the real program made a value of its own, such as an owner token, it has a
// symbol: $1 is the first value that the client made in its life, $client its name, $a1 what another client has made, and
// $A another client's name. A word that begins with a dollar sign of its own has two.
type Recording struct {
	Title   string // the command line, or what else was recorded
	Markers bool   // the program itself says when it enters and leaves; otherwise Enter and Leave are a guess

	root *step
	size int // steps
}

// Observations that are no replies.
const (
	Lost = "lost" // the command has no reply: its connection was cut
	Done = "-"    // an operation without a result
)

// A step is an operation and what may be observed then.
type step struct {
	op    Op // its words have symbols
	line  int
	after map[string]*step
}

// At returns the operation after a history, and whether it is known.
func (r *Recording) At(history []string) (Op, bool) {
	s := r.find(history)
	if s == nil {
		return Op{}, false
	}
	return s.op, true
}

func (r *Recording) find(history []string) *step {
	s := r.root
	for _, seen := range history {
		if s == nil {
			return nil
		}
		s = s.after[seen]
	}
	return s
}

// Add records the operation after a history. The recording must have the operation before it, and not this one.
func (r *Recording) Add(history []string, op Op) {
	new := &step{op: op, after: map[string]*step{}}
	r.size++
	if len(history) == 0 {
		r.root = new
		return
	}
	r.find(history[:len(history)-1]).after[history[len(history)-1]] = new
}

// Size returns how many operations the recording has.
func (r *Recording) Size() int { return r.size }

// All iterates over the operations, in the order of the text.
func (r *Recording) All() iter.Seq[Op] {
	return func(yield func(Op) bool) { r.root.each(yield) }
}

func (s *step) each(yield func(Op) bool) bool {
	if s == nil {
		return true
	}
	if !yield(s.op) {
		return false
	}
	for _, seen := range s.branches() {
		if !s.after[seen].each(yield) {
			return false
		}
	}
	return true
}

// Histories iterates over the histories whose next operation is known, with that operation. Callers keep no history.
func (r *Recording) Histories() iter.Seq2[[]string, Op] {
	return func(yield func([]string, Op) bool) { r.root.along(nil, yield) }
}

func (s *step) along(history []string, yield func([]string, Op) bool) bool {
	if s == nil {
		return true
	}
	if !yield(history, s.op) {
		return false
	}
	for _, seen := range s.branches() {
		if !s.after[seen].along(append(slices.Clip(history), seen), yield) {
			return false
		}
	}
	return true
}

// After iterates over what may be observed of the operation after a history, as far as it is known.
func (r *Recording) After(history []string) iter.Seq[string] {
	s := r.find(history)
	if s == nil {
		return func(func(string) bool) {}
	}
	return slices.Values(s.branches())
}

// Has reports whether the recording has an operation of a kind.
func (r *Recording) Has(kind OpKind) bool {
	for op := range r.All() {
		if op.Kind == kind {
			return true
		}
	}
	return false
}

// EndsInside reports whether the client may end where it has entered and has not left.
func (r *Recording) EndsInside() bool { return r.root.endsInside(false) }

func (s *step) endsInside(inside bool) bool {
	if s == nil || s.op.Kind == End {
		return s != nil && inside
	}
	inside = s.op.Kind == Enter || inside && s.op.Kind != Leave
	for _, after := range s.after {
		if after.endsInside(inside) {
			return true
		}
	}
	return false
}

// Failed returns a command that Redis has answered with an error, and the reply; nil: there is none.
func (r *Recording) Failed() (command []string, seen string) { return r.root.failed() }

func (s *step) failed() (command []string, seen string) {
	if s == nil {
		return nil, ""
	}
	for _, seen := range s.branches() {
		if strings.HasPrefix(seen, "(error) ") {
			return s.op.Command, seen
		}
		if command, error := s.after[seen].failed(); command != nil {
			return command, error
		}
	}
	return nil, ""
}

// Along returns the part of the recording that some histories use.
func (r *Recording) Along(histories [][]string) *Recording {
	part := &Recording{Title: r.Title, Markers: r.Markers}
	for _, history := range histories {
		for n := range len(history) + 1 {
			op, known := r.At(history[:n])
			if _, there := part.At(history[:n]); known && !there {
				part.Add(history[:n], op)
			}
		}
	}
	return part
}

// observes reports whether different things may be observed of an operation: the others observe Done.
func (o Op) observes() bool { return o.Kind == Command || o.Kind == Clock }

// recorded is the behaviour of a recording. Nothing changes it.
type recorded struct {
	title   string
	markers bool
	root    *step
	uses    uses
	literal map[string]bool // its literals
	locks   map[string]bool // keys by which its clients enter; none: nobody knows
}

// words returns the words of a recording that are no symbols.
func (p *Program) words() map[string]bool {
	if r, ok := p.behaviour.(*recorded); ok {
		return r.literal
	}
	return nil
}

// note keeps what the steps use.
func (r *recorded) note() {
	r.literal = map[string]bool{}
	r.root.usesOf(&r.uses, r.literal)
	if r.locks = map[string]bool{}; !r.root.locksOf(path{latest: !r.markers}, r.locks) {
		r.locks = nil
	}
}

// RecordedFrom returns the title of a recording, such as its command line, and whether the program is one.
func (p *Program) RecordedFrom() (title string, ok bool) {
	r, ok := p.behaviour.(*recorded)
	if !ok {
		return "", false
	}
	return r.title, true
}

// Recorded reports whether the program is a recording: its clients observe whole replies.
func (p *Program) Recorded() bool {
	_, ok := p.behaviour.(*recorded)
	return ok
}

// Guessed reports whether the program is a recording that guesses when its clients are in the critical section.
func (p *Program) Guessed() bool {
	r, ok := p.behaviour.(*recorded)
	return ok && !r.markers
}

// Timed reports whether the program is a recording that tells what its clients read on their clocks: at each other time somebody
// has to learn what they do.
func (p *Program) Timed() bool {
	r, ok := p.behaviour.(*recorded)
	return ok && r.uses.clock
}

// History returns a client's observations as the history of a recording.
func (p *Program) History(env *Env, seen []Value) []string {
	n := meaningOf(env, p.words())
	history := make([]string, len(seen))
	for i, v := range seen {
		history[i] = n.observed(v)
	}
	return history
}

func (r *recorded) next(name string, _ Phase, env *Env, seen []Value) Outcome {
	n := meaningOf(env, r.literal)
	at, out := r.root, Outcome{Work: callWork}
	for i, v := range seen {
		if at == nil {
			break
		}
		out.Line = at.line
		out.Work += 4 + len(v.s) // every reply is read again
		if i == maxObservations {
			m := machine{program: name}
			m.fail(position{int32(at.line), 1}, "more than %d operations in one life", "一个客户端的操作超过 %d 个", maxObservations)
			out.Err = m.err
			return out
		}
		at = at.after[n.observed(v)]
	}
	if at == nil {
		out.Op.Kind = Missing
		return out
	}
	out.Line, out.Op = at.line, at.op
	if at.op.Kind == Command {
		out.Op.Command = n.command(at.op.Command)
		for _, word := range out.Op.Command {
			out.Work += len(word) / unitMade
		}
	}
	return out
}

func (r *recorded) believes(string, *Env, int64) (bool, int, *Error) { return true, 1, nil }
func (r *recorded) definesHolds() bool                               { return false }
func (r *recorded) works() bool                                      { return false }
func (r *recorded) features() uses                                   { return r.uses }

// usesOf returns what the steps of a recording use.
func (s *step) usesOf(u *uses, known map[string]bool) {
	if s == nil {
		return
	}
	u.clock = u.clock || s.op.Kind == Clock
	for _, part := range redis.Parts(s.op.Command) {
		u.order = u.order || len(part) > 0 && (strings.EqualFold(part[0], "HGETALL") || strings.EqualFold(part[0], "EVALSHA"))
		for i, word := range part {
			switch {
			case word == "$client":
				u.name = true
			case Symbolic(word):
				u.token = true
			case i > 0 && !known[strings.Replace(word, "$$", "$", 1)]:
				known[strings.Replace(word, "$$", "$", 1)] = true
				u.literals = append(u.literals, word)
			}
		}
	}
	for _, branch := range s.branches() {
		s.after[branch].usesOf(u, known)
	}
}

// branches returns the observations of a step in order: Lost comes last.
func (s *step) branches() []string {
	var all []string
	for seen := range s.after {
		all = append(all, seen)
	}
	slices.SortFunc(all, func(a, b string) int {
		if (a == Lost) != (b == Lost) {
			if a == Lost {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	return all
}
