package live

import (
	"strings"

	"lockstep/engine/lang"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// An ErrorMessage answers a request that changed nothing.
type ErrorMessage struct {
	Type   string `json:"type"`
	ID     string `json:"id,omitempty"`
	Code   string `json:"code"`
	Text   string `json:"text"`
	Line   int    `json:"line,omitempty"`   // of a program, counted from 1
	Column int    `json:"column,omitempty"` // of a program or an action, counted from 1
}

// MaxID is how many bytes the id of a request has at most.
const MaxID = 64

// ErrMalformed says that no page sends such a message.
var ErrMalformed = refusal.Declare(refusal.Unprocessable, refusal.Malformed, "error.malformed")

// UnknownType refuses a request of a type that does not exist.
func UnknownType(name string) error {
	return refusal.New(refusal.Unprocessable, refusal.UnknownType, "error.type", name[:min(len(name), MaxID)])
}

// NewErrorMessage returns the message that tells a viewer about an error.
func NewErrorMessage(err error, l lang.Language) ErrorMessage {
	e := refusal.Of(err)
	return ErrorMessage{Type: "error", Code: e.Code, Text: e.In(l), Line: e.Line, Column: e.Column}
}

// OwnID marks the id of a request with the person who has sent it: nobody in a room uses up the ids of another.
func OwnID(key, id string) string {
	if id == "" {
		return ""
	}
	return mark(key) + "/" + id
}

// mark returns what marks the ids of the person with a key. The key is a hash.
func mark(key string) string { return key[:min(len(key), 16)] }

// asked reports whether the viewer's person has sent the request of an id, from this page or another.
func (v *Viewer) asked(id string) bool {
	by, _, own := strings.Cut(id, "/")
	return own && by == mark(v.Key)
}

// sentID returns the id as the page sent it.
func sentID(id string) string {
	if _, sent, own := strings.Cut(id, "/"); own {
		return sent
	}
	return id
}

// Encode encodes a message of the protocol.
func Encode(message any) Frame { return NewFrame(present.Encode(message)) }

// ErrAnswers says that too many answers are on their way.
var ErrAnswers = refusal.Declare(refusal.Unavailable, refusal.Limit, "error.bytes")

// ErrReading says that too many incomplete messages are on their way.
var ErrReading = refusal.Declare(refusal.Unavailable, refusal.Limit, "error.reading")

// A Socket returns them for a message that it does not read.
var (
	ErrBinary = refusal.Declare(refusal.Unprocessable, refusal.Binary, "error.binary")
	ErrLarge  = refusal.Declare(refusal.Unprocessable, refusal.TooLarge, "error.large", MaxMessage>>10)
)

// Anywhere stands for the end of a run, and for the position of a person who names none.
const Anywhere = -1

// MaxMessage is how many bytes a socket receives in one message at most.
const MaxMessage = 512 << 10
