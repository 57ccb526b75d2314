package engine

import (
	"slices"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// An Expectation states a fact that must be true at its place.
type Expectation struct {
	Subject  Subject
	Not      bool     // expect no violation
	Property string   // of a violation; nothing: any
	Clients  []string // the violation's clients, or the one client
	Word     string   // status or reply or key's value
	Key      string
	Column   int // of the property in the text, counted from 1
}

// Subject says what an Expectation is about.
type Subject string

const (
	ExpectViolation Subject = "violation" // at any moment so far
	ExpectClient    Subject = "client"
	ExpectReply     Subject = "reply" // the last one the client received
	ExpectKey       Subject = "key"
)

// statuses are the words that an expectation may use for a client. holds: it is
// inside and believes in its lease. waits: it has no lease yet, asleep or not.
var statuses = []string{"holds", "waits", "asleep", "inside", "releasing", "paused", "done", "crashed", "failed"}

// String writes the expectation as scenario text.
func (e *Expectation) String() string {
	switch e.Subject {
	case ExpectClient:
		return "expect " + e.Clients[0] + " " + e.Word
	case ExpectReply:
		return "expect reply " + e.Clients[0] + " " + redis.Quote([]string{e.Word})
	case ExpectKey:
		return "expect key " + redis.Quote([]string{e.Key, e.Word})
	}
	words := []string{"expect"}
	if e.Not {
		words = append(words, "no")
	}
	words = append(words, "violation")
	if e.Property != "" {
		words = append(words, e.Property)
	}
	return strings.Join(append(words, e.Clients...), " ")
}

// Judge returns nil where the expectation is true in a world now, and otherwise an error
// that tells the actual value.
func (e *Expectation) Judge(w *World) error {
	if r := e.differs(w); r != nil {
		return r
	}
	return nil
}

func (e *Expectation) differs(w *World) *Refusal {
	if e.Subject == ExpectViolation {
		return e.finds(w)
	}
	if e.Subject == ExpectKey {
		found := "nil"
		if s := w.nodes[0].stored[e.Key]; s != nil {
			found = s.Value
		}
		if found != e.Word {
			return refuse("%s holds %s, not %s", "%s 的值是 %s，不是 %s", redis.Readable(e.Key), redis.Readable(found), redis.Readable(e.Word))
		}
		return nil
	}
	c := w.Client(e.Clients[0])
	if c == nil {
		return refuse("there is no client %s", "没有客户端 %s", e.Clients[0])
	}
	if e.Subject == ExpectReply {
		if found := c.Replied.Plain(); c.Replied == "" || found != e.Word {
			return refuse("%s received %q last, not %q", "%s 最后收到的是 %q，不是 %q", c.Name, found, e.Word)
		}
		return nil
	}
	ok := string(c.Status) == e.Word
	switch e.Word {
	case "holds":
		ok = c.Believes
	case "waits":
		ok = c.Status == Waits || c.Status == Asleep
	case "paused":
		ok = c.Paused
	}
	if !ok {
		return refuse("%s is %s, not %s", "%s 的状态是 %s，不是 %s", c.Name, lang.Both(string(c.Status), string(c.Status)+"（"+c.Status.Sentence(lang.Chinese)+"）"), e.Word)
	}
	return nil
}

// finds looks for the violation among all so far.
func (e *Expectation) finds(w *World) *Refusal {
	for _, name := range e.Clients {
		if w.Client(name) == nil {
			return refuse("there is no client %s", "没有客户端 %s", name)
		}
	}
	var found, others []string
	for i := range w.events {
		v := w.events[i].Violation
		if v == nil || w.events[i].Kind != Violated {
			continue
		}
		if e.Property != "" && v.Property != e.Property {
			others = append(others, v.Property+" "+strings.Join(v.Clients, " "))
			continue
		}
		if !slices.ContainsFunc(e.Clients, func(name string) bool { return !slices.Contains(v.Clients, name) }) {
			if e.Not {
				return refuse("there is a violation of %s by %s, at action %d", "性质 %s 被违反：%s，在第 %d 个动作", v.Property, strings.Join(v.Clients, " "), w.events[i].Action)
			}
			return nil
		}
		found = append(found, v.Property+" "+strings.Join(v.Clients, " "))
	}
	switch {
	case e.Not:
		return nil
	case len(found) == 0 && len(others) > 0:
		return refuse("there is no violation of %s, only: %s", "性质 %s 没有被违反，被违反的只有：%s", e.Property, some(others))
	case len(found) == 0 && e.Property == "":
		return refuse("there is no violation", "没有违反任何性质")
	case len(found) == 0:
		return refuse("there is no violation of %s", "性质 %s 没有被违反", e.Property)
	}
	return refuse("there is no such violation, only: %s", "没有这样的违反性质，只有：%s", some(found))
}

// some lists the first of many violations, each once.
func some(violations []string) string {
	const most = 4
	var named []string
	for _, v := range violations {
		if len(named) == most {
			return strings.Join(named, ", ") + ", …"
		}
		if !slices.Contains(named, v) {
			named = append(named, v)
		}
	}
	return strings.Join(named, ", ")
}
