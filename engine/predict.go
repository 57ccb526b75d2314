package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// MaxChoices is the most choices that a Prediction has. It has two at least.
const MaxChoices = 6

// A Prediction is a question about a request in flight: which reply will come?
// The order of its choices follows from their texts alone, whichever of them is
// right.
type Prediction struct {
	Client  string
	Node    string // the lane that answers: a Redis node, or Storage
	Command string // its label
	Call    int    // its number
	Choices []Choice
}

// A Choice is a reply that may come.
type Choice struct {
	Text string // as redis-cli shows it, with … for any other value; empty: no reply comes

	says  lang.Text
	kind  kind
	reply redis.Reply // exactly this one; empty: any other of the kind
}

// kind groups replies that are alike; choices come in the order of the kinds.
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

// Replies returns the possible replies to a client's request in flight, if it
// has one that Redis has not executed. Among them are the reply that would come
// now, and those that would come if others went first.
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

// Awaits returns the prediction of Replies without the choices, which cost work. It tells whether there is a question.
func (w *World) Awaits(client string) (p Prediction, ok bool) {
	c := w.Client(client)
	if c == nil || !c.Live() || c.flight == nil || c.flight.answered() {
		return Prediction{}, false
	}
	call := c.flight.call
	if redis.RunsOwn(call.Command) { // nobody can tell what a script may reply
		return Prediction{}, false
	}
	return Prediction{Client: c.Name, Node: call.Node, Command: call.Label(), Call: call.ID}, true
}

// Question returns the question.
func (p Prediction) Question(in lang.Language) string {
	who := lang.Both(Title(p.Node), Title(p.Node)+" ")
	if p.Node == Storage {
		who = lang.Both("the storage", "存储")
	}
	return lang.Format("What will %s answer to %s's %s?", "%s会怎样回复 %s 的 %s？", who, p.Client, p.Command).In(in)
}

// Answer returns the index of the choice that has come true in events of the
// prediction's run; -1: none has, or not yet.
func (p Prediction) Answer(events []Event) int {
	for i := range events {
		e := &events[i]
		if e.Call == nil || e.Call.ID != p.Call {
			continue
		}
		switch {
		case e.Kind.Arrives():
			return p.choice(e.Execution.Reply)
		case e.Kind == Drop:
			return slices.IndexFunc(p.Choices, func(c Choice) bool { return c.kind == isLost })
		}
	}
	return -1
}

// choice returns the index of the choice for exactly this reply, or else of the
// one for any other reply of its kind.
func (p Prediction) choice(r redis.Reply) int {
	if i := slices.IndexFunc(p.Choices, func(c Choice) bool { return c.reply == r }); i >= 0 {
		return i
	}
	return slices.IndexFunc(p.Choices, func(c Choice) bool { return c.reply == "" && c.kind == kindOf(r) })
}

// Reasons says why each choice of a prediction comes true or does not, as far as the world knows before the request
// arrives: what the key holds that decides, and whose request would have brought another reply if it had arrived first.
// A choice about which the world knows nothing has an empty text.
func (w *World) Reasons(p Prediction) []lang.Text {
	reasons := make([]lang.Text, len(p.Choices))
	c := w.Client(p.Client)
	if _, ok := w.Awaits(p.Client); !ok || c.flight.call.ID != p.Call {
		return reasons
	}
	now := p.choice(w.wouldAnswer(c).Reply)
	if now >= 0 && c.flight.node != toStorage {
		key := redis.Keys(c.flight.call.Command)[0]
		if s := w.Stored(c.flight.node, key); s == nil {
			reasons[now] = lang.Format("There is no %s now.", "现在没有 %s。", quote(key))
		} else {
			reasons[now] = lang.Format("%s holds %s, and %s wrote it.", "%s 的值是 %s，由 %s 写入。", quote(key), quote(s.Value), s.Writer)
		}
	}
	for i, other := range w.clients {
		request, at := other.Request(false)
		if other == c || request == nil || at != c.flight.node {
			continue
		}
		twin := w.Fork()
		twin.Serve(i, false)
		choice := p.choice(twin.wouldAnswer(twin.Client(p.Client)).Reply)
		twin.Close()
		if choice >= 0 && choice != now && reasons[choice] == (lang.Text{}) {
			reasons[choice] = lang.Format("This comes if %s's %s arrives first.", "如果 %s 的 %s 先到，才会这样。", other.Name, redis.Label(request))
		}
	}
	return reasons
}

// wouldAnswer returns the answer that the client's request would get now.
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

// compareChoices orders choices by their texts: numbers as numbers, also as
// values, and an open choice after the exact ones.
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
