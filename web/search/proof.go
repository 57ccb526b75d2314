package search

import (
	"time"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/web/limit"
)

// A Proof is what a search says to all questions of a challenge.
type Proof struct {
	Seen     int64            // states, of all questions
	Question explore.Question // the last one that was asked
	Finding
}

// claimTime is how long a page waits for the searches of a challenge.
const claimTime = 20 * time.Second

// Proof returns the proof that the Explorer keeps of a challenge; nil: none.
func (e *Explorer) Proof(c *course.Challenge) *Proof {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.proofs[c]
}

// Prove searches everything that can happen in a challenge, in its turn. It keeps a definite answer.
func (e *Explorer) Prove(a *limit.Asker, c *course.Challenge) (*Proof, error) {
	if known := e.Proof(c); known != nil {
		return known, nil
	}
	p, err := e.Ask(a, c.Questions())
	if err != nil {
		return nil, err
	}
	if p.Verdict == explore.Holds || p.Verdict == explore.Violated {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.proofs[c] = p
	}
	return p, nil
}

// Ask asks one question after the other, until an answer is not that the property holds. All of them share the time and
// the work of one request.
func (e *Explorer) Ask(a *limit.Asker, questions []explore.Question) (*Proof, error) {
	t, err := e.Soon(a)
	if err != nil {
		return nil, err
	}
	defer t.End(nil)
	p, begun := &Proof{}, time.Now()
	for _, p.Question = range questions {
		p.Finding, err = t.Find(p.Question, false, claimTime-time.Since(begun), func(explore.Figures, time.Duration) {})
		if err == nil {
			err = t.Ended()
		}
		if err != nil {
			return nil, err
		}
		if p.Seen += p.States; p.Verdict != explore.Holds {
			break
		}
	}
	return p, nil
}
