package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// MaxChoices is how many choices a Prediction has at most. It has two at least.
const MaxChoices = 6

// A Prediction is a question about a request in flight: what will be answered? Its
// choices are in the order of what they say, whichever of them is right.
type Prediction struct {
	Client  string
	Node    string // whose answer it is: a lane of Redis, or Storage
	Command string // its label
	Call    int    // its number
	Choices []Choice
}

// A Choice is an answer that may come.
type Choice struct {
	Text string // as redis-cli shows it, with … for any other value; nothing: no reply comes

	says  lang.Text
	kind  kind
	reply redis.Reply // exactly this one; nothing: any other of the kind
}

// kind is what is alike in replies; the order of the kinds is that of the choices.
type kind int

const (
	isOK kind = iota
	isNil
	isNumber
	isString
	isError
	isLost // no reply comes
)

// Sentence says what the choice means, as a person would.
func (c Choice) Sentence(in lang.Language) string { return c.says.In(in) }

// Replies are what the request that a client has in flight may be answered, where it
// has one that has not been delivered. Among them are what would be answered now, and
// what would be if others went first.
func (w *World) Replies(client string) (p Prediction, ok bool) {
	if p, ok = w.Awaits(client); !ok {
		return p, false
	}
	c := w.Client(client)
	g := guess{world: w, client: c, message: c.flight, now: w.wouldAnswer(c)}
	g.choose()
	slices.SortFunc(g.choices, compareChoices)
	p.Choices = g.choices
	return p, true
}

// Awaits is Replies without the choices, which have to be worked out: what can be asked.
func (w *World) Awaits(client string) (p Prediction, ok bool) {
	c := w.Client(client)
	if c == nil || !c.Live() || c.flight == nil || c.flight.answered() {
		return Prediction{}, false
	}
	call := c.flight.call
	return Prediction{Client: c.Name, Node: call.Node, Command: call.Label(), Call: call.ID}, true
}

// Question asks for the answer.
func (p Prediction) Question(in lang.Language) string {
	who := lang.Both(Title(p.Node), Title(p.Node)+" ")
	if p.Node == Storage {
		who = lang.Both("the storage", "存储")
	}
	return lang.Format("What will %s answer to %s's %s?", "%s会怎样回复 %s 的 %s？", who, p.Client, p.Command).In(in)
}

// Answer is the choice that has come true, by its index, in events of the run that
// the prediction is about; -1: none has, or not yet.
func (p Prediction) Answer(events []Event) int {
	for i := range events {
		e := &events[i]
		if e.Call == nil || e.Call.ID != p.Call {
			continue
		}
		switch e.Kind {
		case Deliver, Write, Reject:
			return p.choice(e.Execution.Reply)
		case Drop:
			return slices.IndexFunc(p.Choices, func(c Choice) bool { return c.kind == isLost })
		}
	}
	return -1
}

// choice is the one that says exactly this, or else the one that leaves it open.
func (p Prediction) choice(r redis.Reply) int {
	if i := slices.IndexFunc(p.Choices, func(c Choice) bool { return c.reply == r }); i >= 0 {
		return i
	}
	return slices.IndexFunc(p.Choices, func(c Choice) bool { return c.reply == "" && c.kind == kindOf(r) })
}

// wouldAnswer is what the client's request would be answered now.
func (w *World) wouldAnswer(c *Client) Answer {
	twin := w.Fork()
	defer twin.Close()
	return twin.Serve(slices.Index(w.clients, c), false)
}

func kindOf(r redis.Reply) kind {
	if _, is := r.Int(); is {
		return isNumber
	}
	switch {
	case r.Err() != "":
		return isError
	case r.IsNil():
		return isNil
	case r == isSet:
		return isOK
	}
	return isString
}

// compareChoices orders choices by what they say: numbers as numbers, also where they
// are values, and what leaves it open behind what does not.
func compareChoices(a, b Choice) int {
	if order := cmp.Compare(a.kind, b.kind); order != 0 {
		return order
	}
	if a.reply == "" || b.reply == "" {
		return -cmp.Compare(len(a.reply), len(b.reply))
	}
	n, errN := strconv.ParseInt(a.reply.Plain(), 10, 64)
	m, errM := strconv.ParseInt(b.reply.Plain(), 10, 64)
	if errN == nil && errM == nil {
		return cmp.Compare(n, m)
	}
	return strings.Compare(a.Text, b.Text)
}
