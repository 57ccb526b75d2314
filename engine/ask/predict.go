package ask

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
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
func Replies(w *engine.World, client string) (p Prediction, ok bool) {
	if p, ok = Awaits(w, client); !ok {
		return p, false
	}
	c := w.Client(client)
	call, _ := c.InFlight()
	_, node := c.Request(false)
	g := guess{world: w, client: c, call: call, node: node, now: answerNow(w, c)}
	g.choose()
	slices.SortFunc(g.choices, compareChoices)
	p.Choices = g.choices
	return p, true
}

// Awaits returns the prediction of Replies without the choices, which cost work. It shows whether there is a question.
func Awaits(w *engine.World, client string) (p Prediction, ok bool) {
	c := w.Client(client)
	if c == nil || !c.Live() {
		return Prediction{}, false
	}
	call, replied := c.InFlight()
	if call == nil || replied {
		return Prediction{}, false
	}
	if redis.RunsOwn(call.Command) { // nobody can tell what a script may reply
		return Prediction{}, false
	}
	return Prediction{Client: c.Name, Node: call.Node, Command: call.Label(), Call: call.ID}, true
}

// Question returns the question.
func (p Prediction) Question(in lang.Language) string {
	who := lang.Both(engine.Title(p.Node), engine.Title(p.Node)+" ")
	if p.Node == engine.Storage {
		who = lang.Both("the storage", "存储")
	}
	return lang.Format("What will %s answer to %s's %s?", "%s会怎样回复 %s 的 %s？", who, p.Client, p.Command).In(in)
}

// Answer returns the index of the choice that has come true in events of the
// prediction's run; -1: none has, or not yet.
func (p Prediction) Answer(events []engine.Event) int {
	for i := range events {
		e := &events[i]
		if e.Call == nil || e.Call.ID != p.Call {
			continue
		}
		switch {
		case e.Kind.Arrives():
			return p.choice(e.Execution.Reply)
		case e.Kind == engine.Drop:
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
func Reasons(w *engine.World, p Prediction) []lang.Text {
	reasons := make([]lang.Text, len(p.Choices))
	c := w.Client(p.Client)
	if asked, ok := Awaits(w, p.Client); !ok || asked.Call != p.Call {
		return reasons
	}
	now := p.choice(answerNow(w, c).Reply)
	command, node := c.Request(false)
	if now >= 0 && p.Node != engine.Storage {
		key := redis.Keys(command)[0]
		if s := w.Stored(node, key); s == nil {
			reasons[now] = lang.Format("There is no %s now.", "现在没有 %s。", quote(key))
		} else {
			reasons[now] = lang.Format("%s holds %s, and %s wrote it.", "%s 的值是 %s，由 %s 写入。", quote(key), quote(s.Value), s.Writer)
		}
	}
	for i, other := range w.Clients() {
		request, at := other.Request(false)
		if other == c || request == nil || at != node {
			continue
		}
		twin := w.Fork()
		twin.Serve(i, false)
		choice := p.choice(answerNow(twin, twin.Client(p.Client)).Reply)
		twin.Close()
		if choice >= 0 && choice != now && reasons[choice] == (lang.Text{}) {
			reasons[choice] = lang.Format("This comes if %s's %s arrives first.", "如果 %s 的 %s 先到，才会这样。", other.Name, redis.Label(request))
		}
	}
	return reasons
}

// answerNow returns the answer that the client's request would get now.
func answerNow(w *engine.World, c *engine.Client) engine.Answer {
	twin := w.Fork()
	defer twin.Close()
	return twin.Serve(slices.Index(w.Clients(), c), false)
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
	case r == redis.OK:
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
