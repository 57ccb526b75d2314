package web

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/engine/redis"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/room"
)

// The messages of PROTOCOL.md.
const protocolVersion = 3

// A request is what a viewer sends.
type request struct {
	Type     string            `json:"type"`
	ID       string            `json:"id"`
	At       *int              `json:"at"`       // a position: all but restore
	Action   string            `json:"action"`   // act, branch
	With     map[string]string `json:"with"`     // act, branch: the other fields of the form
	Random   bool              `json:"random"`   // schedule
	Seed     uint64            `json:"seed"`     // schedule
	From     string            `json:"from"`     // rerun
	Program  string            `json:"program"`  // rerun
	Source   string            `json:"source"`   // rerun
	Scenario string            `json:"scenario"` // restore
	Task     string            `json:"task"`     // restore: what the run is for
	Away     bool              `json:"away"`     // away
}

func (q request) field(name string) string { return q.With[name] }

// hello is the whole state, but for what the viewer has of the log and what has no
// room in one message.
type hello struct {
	Type     string            `json:"type"`
	Version  int               `json:"version"`
	Run      string            `json:"run"`
	Epoch    string            `json:"epoch"`
	Actions  int               `json:"actions"`
	*stretch                   // nil for those who draw no picture
	Panels   map[string]string `json:"panels"`
}

// An update says what one request has added.
type update struct {
	Type     string            `json:"type"`
	ID       string            `json:"id,omitempty"` // of the request, for whoever made it
	Actions  int               `json:"actions"`
	*stretch                   // nil for those who draw no picture
	Panels   map[string]string `json:"panels"`
}

// A view is what the page shows at a position.
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
	At      int    `json:"at"`      // the position there; -1: its end
	Omitted int    `json:"omitted"` // actions of the schedule that were not possible
}

func opened(id string, r *run, position, omitted int) any {
	if r == nil {
		return nil
	}
	return opening{Type: "opened", ID: id, Run: r.id, At: position, Omitted: omitted}
}

// done answers a request that was carried out when it came the first time.
type done struct {
	Type string `json:"type"`
	ID   string `json:"id,omitempty"`
}

// A refusal answers a request that changed nothing.
type refusal struct {
	Type   string `json:"type"`
	ID     string `json:"id,omitempty"`
	Code   string `json:"code"`
	Text   string `json:"text"`
	Line   int    `json:"line,omitempty"`   // of a program, counted from 1
	Column int    `json:"column,omitempty"` // of a program or an action, counted from 1
}

const maxID = 64 // bytes

var errMalformed = errors.New("error.malformed")

// An unknownTypeError is a request of a type that does not exist.
type unknownTypeError struct{ name string }

func (e *unknownTypeError) Error() string { return views.English.Say("error.type", e.name) }

// parseRequest reads one message. The id is returned also with an error, as far
// as it could be read, so that the answer finds its request.
func parseRequest(data []byte) (request, error) {
	var q request
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	if err := decoder.Decode(&q); err != nil {
		return request{}, errMalformed
	}
	if _, err := decoder.Token(); err != io.EOF || len(q.ID) > maxID {
		return request{}, errMalformed
	}
	switch q.Type {
	case "act", "schedule", "look", "branch", "rerun":
		if q.At == nil || *q.At < 0 {
			return request{ID: q.ID}, errMalformed
		}
	case "restore", "room", "away":
	case "":
		return request{ID: q.ID}, errMalformed
	default:
		return request{ID: q.ID}, &unknownTypeError{q.Type[:min(len(q.Type), maxID)]}
	}
	return q, nil
}

// explain says in the viewer's language why a request changed nothing.
func explain(err error, l views.Language) refusal {
	f := refusal{Type: "error", Code: "refused"}
	var (
		stale    *staleError
		unknown  *unknownTypeError
		full     *engine.FullError
		refused  *engine.Refusal
		unread   *redis.Refusal
		problem  *engine.Problem
		mistaken *program.Error
		failed   *explore.FailureError
		fast     *tooFastError
		inRoom   room.Refusal
		said     interface{ say(views.Language) string }
	)
	switch {
	case errors.Is(err, errDamaged): // whatever is wrong there, nobody here has asked for it
		f.Text = l.Say(errDamaged.Error())
	case errors.As(err, &stale):
		f.Code, f.Text = "stale", stale.say(l)
	case errors.As(err, &unknown):
		f.Code, f.Text = "unknown-type", l.Say("error.type", unknown.name)
	case errors.As(err, &problem):
		f.Code, f.Text, f.Column = "syntax", problem.Err.Error(), problem.Column
		if errors.As(problem.Err, &refused) {
			f.Text = refused.Sentence(engineLanguage(l))
		}
	case errors.As(err, &full):
		f.Code, f.Text = "limit", sentence(full.Sentence(engineLanguage(l)), l)+l.Say("full.hint")
	case errors.As(err, &refused):
		f.Text = refused.Sentence(engineLanguage(l))
	case errors.As(err, &unread):
		f.Code, f.Text = "syntax", unread.English
		if l == views.Chinese {
			f.Text = unread.Chinese
		}
	case errors.As(err, &mistaken):
		f.Code, f.Text, f.Line, f.Column = "program", mistaken.Message, mistaken.Line, mistaken.Column
		if l == views.Chinese {
			f.Text = mistaken.Chinese
		}
		if mistaken.Line > 0 {
			f.Text = l.Say("at-line", mistaken.Line, mistaken.Column, f.Text)
		}
	case errors.Is(err, errBinary):
		f.Code, f.Text = "binary", l.Say(err.Error())
	case errors.Is(err, errLarge):
		f.Code, f.Text = "too-large", l.Say(err.Error(), maxMessage>>10)
	case errors.As(err, &fast):
		f.Code, f.Text = "too-fast", fast.say(l)
	case errors.Is(err, errMalformed):
		f.Code, f.Text = "malformed", l.Say(err.Error())
	case errors.Is(err, errEmpty), errors.Is(err, errExpectation):
		f.Code, f.Text = "syntax", l.Say(err.Error())
	case errors.As(err, &failed):
		f.Text = l.Say("explore.failure", failed.Sentence(engineLanguage(l)))
	case errors.As(err, &said):
		f.Text = said.say(l)
	case errors.Is(err, errEnd), errors.Is(err, errPosition), errors.Is(err, errProgram), errors.Is(err, errTouched), errors.Is(err, errNoViolation), errors.Is(err, errFull),
		errors.Is(err, errQueueFull), errors.Is(err, errReplaced), errors.Is(err, errClosing), errors.Is(err, errUnknownProperty), errors.Is(err, errNoLuck), errors.Is(err, errOver),
		errors.Is(err, errNoRoom), errors.Is(err, errFullSite), errors.Is(err, errNoTask), errors.Is(err, errNoClients), errors.Is(err, errNothingAsked), errors.Is(err, errPairing):
		f.Text = l.Say(err.Error())
	case errors.As(err, &inRoom):
		f.Text = l.Say(inRoom.Error())
	case errors.Is(err, errStore):
		f.Code, f.Text = "store", l.Say("error.store")
	case errors.Is(err, errStoreFull):
		f.Code, f.Text = "limit", l.Say(errStoreFull.Error())
	case errors.Is(err, errStoreShare):
		f.Code, f.Text = "limit", l.Say(errStoreShare.Error())
	case errors.Is(err, errStoreLong):
		f.Code, f.Text = "limit", l.Say(errStoreLong.Error())
	case errors.Is(err, errTooMany), errors.Is(err, errTooFast), errors.Is(err, errMemory), errors.Is(err, errAnswers), errors.Is(err, errReading):
		f.Code, f.Text = "limit", l.Say(err.Error())
	case errors.Is(err, limit.ErrFull), errors.Is(err, limit.ErrClosed):
		f.Code, f.Text = "limit", l.Say("error.busy")
	case errors.Is(err, limit.ErrTooMuch):
		f.Code, f.Text = "limit", l.Say("error.too-much")
	case errors.Is(err, errBranches):
		f.Code, f.Text = "limit", l.Say(err.Error(), maxBranches)
	default:
		f.Text = err.Error()
	}
	return f
}
