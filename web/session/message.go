package session

import (
	"encoding/json"
	"io"
	"strings"

	"lockstep/engine/lang"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// A request is a message from a viewer.
type request struct {
	Type     string            `json:"type"`
	ID       string            `json:"id"`
	At       *int              `json:"at"`       // the position that the viewer has seen: all but restore
	Action   string            `json:"action"`   // act, branch
	With     map[string]string `json:"with"`     // act, branch: the other fields of the form
	Random   bool              `json:"random"`   // schedule
	Seed     uint64            `json:"seed"`     // schedule
	From     string            `json:"from"`     // rerun
	Program  string            `json:"program"`  // rerun
	Source   string            `json:"source"`   // rerun
	Scenario string            `json:"scenario"` // restore
	Task     string            `json:"task"`     // restore: the run's task
	Away     bool              `json:"away"`     // away
}

func (q request) field(name string) string { return q.With[name] }

// hello tells the whole state, except the part of the log that the viewer has and the part that does not fit.
type hello struct {
	Type             string         `json:"type"`
	Version          int            `json:"version"`
	Run              string         `json:"run"`
	Epoch            string         `json:"epoch"`
	Actions          int            `json:"actions"`
	*present.Stretch                // nil for viewers without a picture
	Panels           map[string]any `json:"panels"`
}

// An update tells what one request has added.
type update struct {
	Type             string         `json:"type"`
	ID               string         `json:"id,omitempty"` // of the request, for the person who sent it
	Actions          int            `json:"actions"`
	*present.Stretch                // nil for viewers without a picture
	Panels           map[string]any `json:"panels"` // HTML, or a change of the HTML that the viewers have
}

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

func opened(id string, r *Run, position, omitted int) any {
	if r == nil {
		return nil
	}
	return opening{Type: "opened", ID: id, Run: r.id, At: position, Omitted: omitted}
}

// done answers a request that the run has done before.
type done struct {
	Type string `json:"type"`
	ID   string `json:"id,omitempty"`
}

// An ErrorMessage answers a request that changed nothing.
type ErrorMessage struct {
	Type   string `json:"type"`
	ID     string `json:"id,omitempty"`
	Code   string `json:"code"`
	Text   string `json:"text"`
	Line   int    `json:"line,omitempty"`   // of a program, counted from 1
	Column int    `json:"column,omitempty"` // of a program or an action, counted from 1
}

const maxID = 64 // bytes

// ErrMalformed says that no page sends such a message.
var ErrMalformed = refusal.Declare(refusal.Unprocessable, refusal.Malformed, "error.malformed")

// UnknownType refuses a request of a type that does not exist.
func UnknownType(name string) error {
	return refusal.New(refusal.Unprocessable, refusal.UnknownType, "error.type", name[:min(len(name), maxID)])
}

// parseRequest reads one message. It returns the id also with an error, as far as it could read it, so that the answer
// finds its request.
func parseRequest(data []byte) (request, error) {
	var q request
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	if err := decoder.Decode(&q); err != nil {
		return request{}, ErrMalformed
	}
	if _, err := decoder.Token(); err != io.EOF || len(q.ID) > maxID {
		return request{}, ErrMalformed
	}
	switch q.Type {
	case "act", "schedule", "look", "branch", "rerun":
		if q.At == nil || *q.At < 0 {
			return request{ID: q.ID}, ErrMalformed
		}
	case "restore", "room", "away":
	case "":
		return request{ID: q.ID}, ErrMalformed
	default:
		return request{ID: q.ID}, UnknownType(q.Type)
	}
	return q, nil
}

// NewErrorMessage returns the message that tells a viewer about an error.
func NewErrorMessage(err error, l lang.Language) ErrorMessage {
	e := refusal.Of(err)
	return ErrorMessage{Type: "error", Code: e.Code, Text: e.In(l), Line: e.Line, Column: e.Column}
}
