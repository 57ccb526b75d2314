package process_test

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"lockstep/engine/lang"
	"lockstep/engine/learn"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A tape plays processes that do what a recording says. The learner takes them for real ones.
type tape struct {
	*program.Recording
	scripts redis.Scripts
	starts  atomic.Int64

	mu    sync.Mutex
	lacks string // what was asked for in vain; "": nothing
}

// launch is a launcher. No tape tells what a process does whose clock begins a millisecond late (see learn's seekTimely): the learner
// does without.
func (t *tape) launch(name string, own, _ int64) (learn.Process, error) {
	if own%1000 == 1 {
		return nil, errors.New("no tape tells")
	}
	return &player{tape: t, name: name, life: t.starts.Add(1), clock: own, others: map[string]string{}}, nil
}

// A player is a process that does what a recording says. It makes values of its own where the recording has symbols, looks at
// its clock where that says clock, and asks on for ever where it says again.
type player struct {
	*tape
	name  string // LOCKSTEP_CLIENT
	life  int64  // another number in every process
	clock int64  // what it reads, ms

	history []string // as the recording has it
	others  map[string]string
	at      *learn.Arrival // what Next returned last; nil: it goes on
	op      program.Op     // of that
	read    bool           // it has read its clock since it was last told something
	wakes   int64
}

var _ learn.Clocked = (*player)(nil)

func (p *player) Next() learn.Arrival {
	for p.at == nil {
		p.goOn()
	}
	if p.at.Asleep {
		p.at.For = p.wakes - p.clock
	}
	p.at.Read = p.read
	return *p.at
}

// goOn does the next operation.
func (p *player) goOn() {
	op, known := p.At(p.history)
	if p.op = op; !known {
		p.at = &learn.Arrival{Fault: p.lack(p.history)}
		return
	}
	switch op.Kind {
	case program.Command:
		p.at = &learn.Arrival{Command: p.command()}
	case program.Clock:
		p.read = true
		p.see(strconv.FormatInt(p.clock, 10))
	case program.Sleep:
		p.at, p.wakes = &learn.Arrival{Asleep: true}, p.clock+op.For
		if op.For == 0 { // it draws a lot
			p.wakes += 50 + 7919*p.life%97
		}
	case program.Again:
		p.history = p.history[:len(p.history)-op.Back]
	case program.End:
		p.at = &learn.Arrival{Ended: true, Code: op.Code, Said: op.Text}
	default:
		if marker := map[program.OpKind]string{program.Enter: "enter", program.Leave: "leave"}[op.Kind]; p.Markers && marker != "" {
			p.at = &learn.Arrival{Command: []string{"PUBLISH", "lockstep", marker}}
			return
		}
		p.see(program.Done)
	}
}

func (p *player) see(seen string) { p.history, p.at = append(p.history, seen), nil }

// command returns the command at the door as a program sends it: with its own values, and with the texts of its scripts.
func (p *player) command() []string {
	parts := redis.Parts(p.op.Command)
	for i, part := range parts {
		parts[i] = slices.Clone(part)
		for j, word := range part {
			parts[i][j] = p.meaning(word)
		}
	}
	words := redis.Whole(parts)
	if full, refusal := redis.CheckOwn(words, p.scripts); refusal == nil {
		return full
	}
	return words
}

// meaning returns what a word of the recording means to the process.
func (p *player) meaning(word string) string {
	switch {
	case !program.Symbolic(word):
		return strings.Replace(word, "$$", "$", 1)
	case word == "$client":
		return p.name
	case p.others[word] != "":
		return p.others[word]
	}
	return fmt.Sprintf("value-%s-of-%d", word[1:], p.life)
}

func (p *player) Answer(reply redis.Reply) {
	p.read = false
	if p.op.Kind != program.Command { // a marker
		p.see(program.Done)
		return
	}
	shown := reply.String()
	for seen, others := range p.readings("", shown, p.others) {
		if _, known := p.At(append(slices.Clone(p.history), seen)); known {
			p.others = others
			p.see(seen)
			return
		}
	}
	p.see(shown)
}

func (p *player) Cut() { p.read = false; p.see(program.Lost) }

// readings iterates over the observations that a reply may be, with what the symbols of others mean there: a text may be the
// process's own value, another client's, or just a text.
func (p *player) readings(before, rest string, others map[string]string) iter.Seq2[string, map[string]string] {
	return func(yield func(string, map[string]string) bool) {
		from := strings.IndexByte(rest, '"')
		if from < 0 {
			yield(before+rest, others)
			return
		}
		quoted, err := strconv.QuotedPrefix(rest[from:])
		if err != nil {
			yield(before+rest, others)
			return
		}
		before, rest := before+rest[:from], rest[from+len(quoted):]
		text, _ := strconv.Unquote(quoted)
		for _, symbol := range append([]string{quoted, "$client"}, symbols...) {
			heard := others
			switch letter := symbol[1]; {
			case symbol == quoted || p.meaning(symbol) == text && (symbol == "$client" || letter <= '9' || others[symbol] != ""):
			case symbol == "$client" || letter <= '9' || others[symbol] != "":
				continue
			default: // nobody has been called that yet
				heard = maps.Clone(others)
				heard[symbol] = text
			}
			for seen, others := range p.readings(before+symbol, rest, heard) {
				if !yield(seen, others) {
					return
				}
			}
		}
	}
}

// symbols are the symbols of values in the order in which a reply may have them.
var symbols = strings.Fields("$1 $2 $3 $a1 $a2 $a3 $A $b1 $b2 $b3 $B")

func (p *player) Set(own int64) {
	p.clock, p.read = own, false
	if p.at != nil && p.at.Asleep && p.wakes <= own {
		p.see(program.Done)
	}
}

func (p *player) Stale() bool { return false }
func (p *player) Kill()       {}

// lack returns a sentence on what the recording does not tell, and keeps it for the test.
func (t *tape) lack(history []string) *lang.Text {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lacks = fmt.Sprintf("the recording of %s lacks what it does after %q: with CI=true, go test ./web/real/process -run Recordings -rewrite makes it again", t.Title, history)
	return &lang.Text{English: t.lacks, Chinese: t.lacks}
}
