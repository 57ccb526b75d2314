package class

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"lockstep/engine"
	"lockstep/web/live"
	"lockstep/web/present"
)

// do does a request. All viewers of the run hear of its changes. The answer, where there is one, goes to the viewer who
// asked.
func (g *Rooms) do(ctx context.Context, q request, v *live.Viewer, h *Room) (answer any, err error) {
	if q.Type == "room" || q.Type == "away" {
		return g.doInRoom(ctx, q, v, h)
	}
	r, id := v.Run, live.OwnID(v.Key, q.ID)
	p, err := q.press(id)
	if err == nil && (q.Type == "act" || q.Type == "schedule") {
		return acted(q.ID, g.Press(ctx, v.Key, r, p))
	}
	if r.HasDone(id) {
		return done{Type: "done", ID: q.ID}, nil
	}
	if made := r.MadeBy(id); made != "" && err == nil && (q.Type == "branch" || q.Type == "rerun") {
		return g.openAgain(ctx, q, v, p, made)
	}
	if err == nil {
		err = g.allows(ctx, q, v)
	}
	if err == nil && q.makes(r) {
		err = g.MayMake(v.Network, v.Person)
	}
	if err != nil {
		return nil, err
	}
	switch q.Type {
	case "look":
		panels, err := r.Look(ctx, *q.At, v.Audience())
		return view{Type: "view", ID: q.ID, At: *q.At, Panels: panels}, err
	case "branch":
		var other *live.Run
		var position int
		if other, position, err = g.Runs.Branch(ctx, r, p); err == nil {
			return opened(q.ID, other, position, 0), g.ShowBranch(ctx, v.Key, q.ID, v.Run, other)
		}
	case "rerun":
		var other *live.Run
		var omitted int
		if other, omitted, err = g.Runs.Rerun(ctx, r, *q.At, id, q.From, q.Program, q.Source); err == nil {
			return opened(q.ID, other, live.Anywhere, omitted), g.ShowBranch(ctx, v.Key, q.ID, v.Run, other)
		}
	case "restore":
		if err = live.Restore(ctx, r, id, q.Scenario, g.Task(q.Task)); err == nil {
			err = live.ErrDone
		}
	}
	return acted(q.ID, err)
}

// doInRoom does a request that the room of the run hears, and not the run.
func (g *Rooms) doInRoom(ctx context.Context, q request, v *live.Viewer, h *Room) (answer any, err error) {
	switch {
	case h == nil:
		return nil, ErrNoRoom
	case q.Type == "away":
		h.goAway(ctx, v, q.Away)
		return nil, nil
	}
	return done{Type: "done", ID: q.ID}, g.Command(ctx, h, v.Key, q.ID, q.field)
}

// press reads the press or branch that the request asks for, under the id of the run's log.
func (q request) press(id string) (live.Press, error) {
	switch q.Type {
	case "schedule":
		return live.ScheduledPress(id, *q.At, engine.Scheduler{Random: q.Random, Seed: q.Seed}), nil
	case "act", "branch":
		line, err := present.FormLine(q.Action, q.field)
		return live.ReadPress(id, *q.At, line), err
	}
	return live.Press{}, nil
}

// acted returns the answer to a press. The viewers hear of its actions, so only a press that comes again has an answer.
func acted(id string, err error) (answer any, _ error) {
	if errors.Is(err, live.ErrDone) {
		return done{Type: "done", ID: id}, nil
	}
	return nil, err
}

// openAgain answers a request that has opened a branch before, here or at another server.
func (g *Rooms) openAgain(ctx context.Context, q request, v *live.Viewer, p live.Press, made string) (answer any, err error) {
	other, err := g.Runs.Read(ctx, made)
	if err == nil {
		err = g.ShowBranch(ctx, v.Key, q.ID, v.Run, other)
	}
	if err != nil {
		return nil, err
	}
	if q.Type == "rerun" {
		return opened(q.ID, other, live.Anywhere, live.See(other, live.Omissions)), nil
	}
	return opened(q.ID, other, *q.At+len(p.Actions), 0), nil // the branch begins with them
}

// allows returns the room's refusal of a request, or nil.
func (g *Rooms) allows(ctx context.Context, q request, v *live.Viewer) error {
	switch q.Type {
	case "branch", "rerun", "restore":
		return g.MayAct(ctx, v.Key, v.Run)
	case "look":
		return g.MayLook(ctx, v.Key, v.Run)
	}
	return nil
}

// Watch lets a viewer watch its run, and be in a room if there is one, until the socket ends, and then calls done. It
// draws the greeting before it returns: drawing takes a deep stack, which the goroutine that stays would keep.
func (g *Rooms) Watch(ctx context.Context, v *live.Viewer, h *Room, has present.Extent, done func()) {
	g.Survives(func() { h.begin(ctx, v, has) }, v.Drop)()
	go g.Survives(func() { g.attend(v, h, done) }, v.Drop)()
}

// begin tells a viewer the whole state and, from then on, every change. The viewer has the beginning of the log already.
// A nil Room is none.
func (h *Room) begin(ctx context.Context, v *live.Viewer, has present.Extent) {
	if h != nil {
		h.dress(v)
	}
	if !v.Run.Join(ctx, v, has) {
		v.Drop()
		return
	}
	if h != nil {
		h.Join(ctx, v)
	}
}

// attend stays with a viewer until the socket ends, and then calls done.
func (g *Rooms) attend(v *live.Viewer, h *Room, done func()) {
	defer g.Runs.Sockets.Remove(v)
	defer g.Runs.CountSlow(v)
	defer done() // before Close goes on
	defer v.End()
	defer v.Run.Leave(v)
	if h != nil {
		defer h.Leave(v)
	}
	v.Serve(func(message []byte) (id string, do func(context.Context) (any, error), err error) {
		q, err := parseRequest(message)
		return q.ID, func(ctx context.Context) (any, error) { return g.do(ctx, q, v, h) }, err
	})
}

// makes reports whether a request other than a press would make a run. An untouched run exists nowhere.
func (q request) makes(r *live.Run) bool {
	switch q.Type {
	case "branch", "rerun":
		return true
	case "restore":
		return r.Untouched()
	}
	return false
}

// A request is a message from a viewer.
type request struct {
	Type     string            `json:"type"`
	ID       string            `json:"id"`
	At       *int              `json:"at"`       // the position that the viewer has seen: all but Restore
	Action   string            `json:"action"`   // act, branch
	With     map[string]string `json:"with"`     // act, branch: the other fields of the form
	Random   bool              `json:"random"`   // schedule
	Seed     uint64            `json:"seed"`     // schedule
	From     string            `json:"from"`     // rerun
	Program  string            `json:"program"`  // rerun
	Source   string            `json:"source"`   // rerun
	Scenario string            `json:"scenario"` // Restore
	Task     string            `json:"task"`     // restore: the run's task
	Away     bool              `json:"away"`     // away
}

func (q request) field(name string) string { return q.With[name] }

// A view tells what the page shows at a position.
type view struct {
	Type   string            `json:"type"`
	ID     string            `json:"id,omitempty"`
	At     int               `json:"at"`
	Panels map[string]string `json:"panels"`
}

// An opening leads to a branch.
type opening struct {
	Type    string `json:"type"`
	ID      string `json:"id,omitempty"`
	Run     string `json:"run"`
	At      int    `json:"at"`      // the position in the branch; -1: its end
	Omitted int    `json:"omitted"` // actions of the schedule that were not possible
}

func opened(id string, r *live.Run, position, omitted int) any {
	if r == nil {
		return nil
	}
	return opening{Type: "opened", ID: id, Run: r.ID(), At: position, Omitted: omitted}
}

// done answers a request that the run has done before.
type done struct {
	Type string `json:"type"`
	ID   string `json:"id,omitempty"`
}

// parseRequest reads one message. It returns the id also with an error, as far as it could read it, so that the answer
// finds its request.
func parseRequest(data []byte) (request, error) {
	var q request
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	if err := decoder.Decode(&q); err != nil {
		return request{}, live.ErrMalformed
	}
	if _, err := decoder.Token(); err != io.EOF || len(q.ID) > live.MaxID {
		return request{}, live.ErrMalformed
	}
	switch q.Type {
	case "act", "schedule", "look", "branch", "rerun":
		if q.At == nil || *q.At < 0 {
			return request{ID: q.ID}, live.ErrMalformed
		}
	case "restore", "room", "away":
	case "":
		return request{ID: q.ID}, live.ErrMalformed
	default:
		return request{ID: q.ID}, live.UnknownType(q.Type)
	}
	return q, nil
}
