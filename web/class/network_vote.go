package class

import (
	"context"
	"time"

	"lockstep/web/live"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// A vote of the network is a way to act, and nobody should have to lead it: it ends when the network is of one mind, or when
// its time is over. The room knows no clock. The server watches, and appends what the presenter would press.

// chair is the person for whom the server does that.
var chair = room.Who{Presenter: true}

// preside appends an entry about a vote, unless the room is at another one meanwhile.
func (h *Room) preside(ctx context.Context, poll *room.Poll, e room.Entry) error {
	return h.append(ctx, func() room.Who {
		if h.room.Poll() != poll {
			return room.Who{}
		}
		return chair
	}, e)
}

// times has the room looked at again when the time of a vote is over.
func (h *Room) times(q *room.Question) {
	if q.Kind != room.Network {
		return
	}
	h.asked = time.Now()
	time.AfterFunc(h.home.VoteTime, h.home.Survives(h.soon, func() {}))
}

// decides ends a vote of the network that waits for nobody, or whose time is over, and delivers the message that leads.
func (h *Room) decides(ctx context.Context) {
	poll := h.decided()
	if poll == nil {
		return
	}
	r, done, err := h.home.Runs.Use(ctx, Ask(h, (*room.Room).Run))
	if err == nil {
		defer done()
		choice, failed := h.elected(ctx, r, Ask(h, func(*room.Room) room.Question { return poll.Question() }), poll)
		if err = failed; err == nil || refusal.Is(err, refusal.Stale) {
			err = h.As(ctx, chair, room.Entry{Verb: room.VerbReveal, Choice: choice})
		}
	}
	if err != nil {
		h.home.Debug("delivering what the network has chosen", err) // the presenter can do it by hand
	}
}

// decided returns the vote of the network that is to end now; nil: there is none.
func (h *Room) decided() *room.Poll {
	h.mu.Lock()
	defer h.mu.Unlock()
	poll := h.room.Poll()
	if poll == nil || h.room.Over() || poll.Question().Kind != room.Network || poll.Phase() != room.First {
		return nil
	}
	here, _ := h.elsewhere.with(h.mine())
	if h.room.Decided(here) || time.Since(h.asked) >= h.home.VoteTime {
		return poll
	}
	return nil
}

// elected closes a vote of the network, unless it is closed, and delivers the message that leads. It returns the choice;
// None: nobody has voted, and nothing is delivered.
func (h *Room) elected(ctx context.Context, r *live.Run, q room.Question, poll *room.Poll) (choice int, err error) {
	if Ask(h, func(*room.Room) room.Phase { return poll.Phase() }) != room.Closed {
		if err := h.preside(ctx, poll, room.Entry{Verb: room.VerbRound}); err != nil {
			return room.None, err
		}
	}
	choice = Ask(h, func(*room.Room) int { return poll.Leading() })
	if choice != room.None {
		client := q.Choices[choice].ID
		p := live.StepPress("", q.At, client)
		p.Lane = client // other clients go on while the network votes
		err = r.Press(ctx, p)
	}
	return choice, err
}
