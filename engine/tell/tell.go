package tell

import (
	"fmt"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A Sentence is one of a story.
type Sentence struct {
	Seq   int // of the latest event that it tells
	Parts []Part
}

// A Part is some words of a sentence. Some mean an event, which a picture can point at.
type Part struct {
	Words string
	Event int  // its sequence number; 0: none
	Lease bool // they mean the lease that has run out by then
}

// String returns the words of a sentence.
func (s Sentence) String() string {
	var b strings.Builder
	for _, p := range s.Parts {
		b.WriteString(p.Words)
	}
	return b.String()
}

// Plain returns a story as text.
func Plain(story []Sentence, in lang.Language) string {
	all := make([]string, len(story))
	for i, s := range story {
		all[i] = s.String()
	}
	if in == lang.Chinese {
		return strings.Join(all, "")
	}
	return strings.Join(all, " ")
}

// Story tells how a run came to the violation that is its event of a number.
func Story(events []engine.Event, violated int, in lang.Language) []Sentence {
	t := &teller{events: events[:violated], v: events[violated-1].Violation, end: violated, who: map[string]*actor{}, told: map[int]bool{}}
	t.walk()
	t.close()
	var story []Sentence
	for _, s := range t.said {
		text, stop := s.text.In(in), "."
		if in == lang.Chinese {
			stop = "。"
		}
		story = append(story, Sentence{s.seq, split(strings.TrimSuffix(text, stop) + stop)})
	}
	return story
}

// Words that mean an event stand between these runes, after its number. redis.Quote lets neither into a key, a value or a command.
const (
	begins = "\x02"
	means  = "\x1f"
	ends   = "\x03"

	ofLease = "lease " // before the number
)

// mark returns words that mean an event.
func mark(e *engine.Event, words lang.Text) lang.Text {
	around := func(s string) string { return fmt.Sprint(begins, e.Seq, means, s, ends) }
	return lang.Both(around(words.English), around(words.Chinese))
}

// lease returns words that mean a lease that has run out by an event.
func lease(e *engine.Event, words lang.Text) lang.Text {
	around := func(s string) string { return fmt.Sprint(begins, ofLease, e.Seq, means, s, ends) }
	return lang.Both(around(words.English), around(words.Chinese))
}

// split takes the marks out of a sentence.
func split(text string) (parts []Part) {
	for text != "" {
		plain, rest, found := strings.Cut(text, begins)
		if plain != "" {
			parts = append(parts, Part{Words: plain})
		}
		if !found {
			break
		}
		marked, after, _ := strings.Cut(rest, ends)
		number, words, _ := strings.Cut(marked, means)
		p := Part{Words: words}
		number, p.Lease = strings.CutPrefix(number, ofLease)
		p.Event, _ = strconv.Atoi(number)
		parts, text = append(parts, p), after
	}
	return parts
}

// A sentence under way. An open one may go on with what comes of it.
type sentence struct {
	seq  int
	text lang.Text
	open bool
}

// say begins a sentence.
func (t *teller) say(e *engine.Event, english, chinese string, arguments ...any) {
	t.said = append(t.said, sentence{e.Seq, lang.Format(english, chinese, arguments...), false})
	t.told[e.Seq] = true
}

// open begins a sentence that may go on.
func (t *teller) open(e *engine.Event, english, chinese string, arguments ...any) {
	t.say(e, english, chinese, arguments...)
	t.said[len(t.said)-1].open = true
}

// and goes on with the open sentence, or begins one. The next thing may go on with it if it is to stay open.
func (t *teller) and(e *engine.Event, stays bool, english, chinese string, arguments ...any) {
	if n := len(t.said); n > 0 && t.said[n-1].open {
		before := t.said[n-1].text
		t.said = t.said[:n-1]
		before.English = strings.Replace(before.English, ", and ", ", ", 1)
		next := lang.Format(english, chinese, arguments...)
		t.say(e, "%s, and %s", "%s，%s", before, next)
	} else {
		t.say(e, english, chinese, arguments...)
	}
	t.said[len(t.said)-1].open = stays
}

// then goes on with the open sentence, which is about the same client, or begins one with other words.
func (t *teller) then(e *engine.Event, next, whole lang.Text) {
	n := len(t.said)
	if n == 0 || !t.said[n-1].open {
		t.say(e, "%s", "%s", whole)
		return
	}
	before := t.said[n-1].text
	t.said = t.said[:n-1]
	t.say(e, "%s%s", "%s%s", before, next)
}

// seconds returns a length of time in prose: four seconds.
func seconds(d engine.Time) lang.Text {
	words := []string{"", "one second", "two seconds", "three seconds", "four seconds", "five seconds", "six seconds", "seven seconds", "eight seconds", "nine seconds", "ten seconds"}
	if n := int(d / 1000); d%1000 == 0 && 0 < n && n < len(words) {
		return lang.Both(words[n], fmt.Sprintf("%d 秒", n))
	}
	return engine.Length(d)
}
