package search

import (
	"container/list"
	"crypto/sha256"
	"fmt"
	"sync"

	"lockstep/engine/explore"
)

// These bound the kept answers.
const (
	maxAnswers     = 1_000
	maxAnswerBytes = 16 << 20
)

// A key stands for a question with the number of causes that are wanted.
type key [sha256.Size]byte

func keyOf(q explore.Question, causes bool) key {
	text := fmt.Appendf(nil, "%t", causes)
	if q.Program != nil {
		text = fmt.Appendf(text, " %q %q", q.Program.Name, q.Program.Source)
	}
	q.Program = nil
	return sha256.Sum256(fmt.Appendf(text, " %+v", q)) // the clients of a skew are in order
}

// answers keep findings by their questions: the same question has the same answer, whoever asks. They forget the finding
// that was not asked for the longest time.
type answers struct {
	mu    sync.Mutex
	of    map[key]*list.Element // of *answer
	used  *list.List            // the latest first
	bytes int64
}

type answer struct {
	key     key
	found   Finding
	decided bool // false: it takes longer than a short search
	forever bool
	bytes   int64
}

func newAnswers() *answers {
	return &answers{of: map[key]*list.Element{}, used: list.New()}
}

// get returns the kept answer, or nil.
func (s *answers) get(k key) *answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.of[k]
	if at == nil {
		return nil
	}
	s.used.MoveToFront(at)
	return at.Value.(*answer)
}

// keep keeps an answer, unless it is large. A decided answer stays decided.
func (s *answers) keep(a answer) {
	a.bytes = a.found.bytes()
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.of[a.key]; at != nil {
		if at.Value.(*answer).decided && !a.decided {
			return
		}
		s.forget(at)
	}
	if a.bytes > maxAnswerBytes/16 {
		return
	}
	s.of[a.key] = s.used.PushFront(&a)
	s.bytes += a.bytes
	for at := s.used.Back(); at != nil && (s.bytes > maxAnswerBytes || len(s.of) > maxAnswers); {
		before := at.Prev()
		if !at.Value.(*answer).forever {
			s.forget(at)
		}
		at = before
	}
}

func (s *answers) forget(at *list.Element) {
	a := s.used.Remove(at).(*answer)
	delete(s.of, a.key)
	s.bytes -= a.bytes
}

// bytes returns about how much memory a finding takes.
func (f *Finding) bytes() int64 {
	n := 1_000
	if f.Answer == nil {
		return int64(n)
	}
	n += 8 * len(f.Depths)
	for _, c := range f.Counterexamples {
		for _, line := range c.Scenario.Lines {
			n += 1_000 + len(line.Comment)
		}
		for _, own := range c.Scenario.Own {
			n += 50 * len(own.Source) // with what it is parsed into
		}
	}
	return int64(n)
}
