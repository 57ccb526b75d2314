package search

import (
	"context"
	"time"

	"lockstep/engine/course"
	"lockstep/engine/explore"
)

// A Proof is the answer of a search to all questions of a challenge.
type Proof struct {
	Seen     int64            // states of all questions
	Question explore.Question // the last question
	Finding
}

// mostProofs bounds the proofs that the Explorer keeps: many times as many as a course has challenges.
const mostProofs = 1000

// claimTime is the time that a page waits for the searches of a challenge.
const claimTime = 20 * time.Second

// Proof returns the proof of a challenge that the Explorer keeps; nil: none.
func (e *Explorer) Proof(c *course.Challenge) *Proof {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.proofs[c]
}

// Prove waits for a turn and searches everything that can happen in a challenge. It keeps a definite answer.
func (e *Explorer) Prove(ctx context.Context, c *course.Challenge) (*Proof, error) {
	if known := e.Proof(c); known != nil {
		return known, nil
	}
	p, err := e.Ask(ctx, c.Questions())
	if err != nil {
		return nil, err
	}
	if p.Verdict == explore.Holds || p.Verdict == explore.Violated {
		e.mu.Lock()
		defer e.mu.Unlock()
		if len(e.proofs) >= mostProofs { // of challenges that courses had before they changed
			clear(e.proofs)
		}
		e.proofs[c] = p
	}
	return p, nil
}

// Ask asks one question after another, and stops at the first whose property is not proved to hold. All questions share
// the time and the work of one request.
func (e *Explorer) Ask(ctx context.Context, questions []explore.Question) (*Proof, error) {
	t, err := e.Soon(ctx)
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
