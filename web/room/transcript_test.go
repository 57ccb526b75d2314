package room_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/web/room"
)

var rewrite = flag.Bool("rewrite", false, "write what the transcripts in testdata say")

// told marks the lines of a transcript that tell the effect of the line above: what has changed and for whom, or why the
// room refused it.
const told = "#> "

// TestTranscripts plays the classes of testdata. A line is somebody (presenter, a seat, or
// spectator), what they do, and its details. After a change of the package,
//
//	go test ./web/room -run Transcripts -rewrite
//
// writes what follows on the lines, and the diff is the review.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.room")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts found: %v", err)
	}
	played := map[room.Verb]bool{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, log := transcript(t, string(want))
			again := room.New()
			for _, e := range log {
				played[e.Verb] = true
				again.Apply(written(t, e))
			}
			if first := folded(log); !reflect.DeepEqual(first, again) {
				t.Error("the log, written down and read back, is another room")
			}
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != string(want) {
				t.Errorf("the class went differently; run with -rewrite and read the diff\n%s", firstDifference(got, string(want)))
			}
		})
	}
	for _, verb := range room.Verbs() {
		if !played[verb] {
			t.Errorf("no transcript has %s", verb)
		}
	}
}

// written returns an entry as a log gives it back.
func written(t testing.TB, e room.Entry) room.Entry {
	line, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var read room.Entry
	if err := json.Unmarshal(line, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// folded returns the room of a log.
func folded(log []room.Entry) *room.Room {
	r := room.New()
	for _, e := range log {
		r.Apply(e)
	}
	return r
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d\ngot:  %s\nwant: %s", i+1, g[i], strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	return "want goes on: " + w[len(g)]
}

// transcript plays a text and puts the effect of each line under it. An entry that nobody sees, or that sights does not see, is a
// fault of the verb's tests.
func transcript(t *testing.T, text string) (string, []room.Entry) {
	var b bytes.Buffer
	var log []room.Entry
	r := room.New()
	number := 0
	for text := range strings.Lines(text) {
		number++
		if strings.HasPrefix(text, told) {
			continue
		}
		b.WriteString(text)
		if strings.TrimSpace(text) == "" || text[0] == '#' {
			continue
		}
		l, err := parseLine(r, strings.TrimSpace(text))
		if err != nil {
			t.Fatalf("line %d: %v", number, err)
		}
		if l.answer != nil {
			answer := "yes"
			if err := l.answer(); err != nil {
				answer = "no: " + err.Error()
			}
			b.WriteString(told + answer + "\n")
			continue
		}
		if err := r.Can(l.who, l.entry); err != nil {
			b.WriteString(told + "refused: " + err.Error() + "\n")
			continue
		}
		before, seen, printed := sights(r), seenOf(t, r), false
		r.Apply(l.entry)
		log = append(log, l.entry)
		for _, s := range sights(r) {
			if !slices.Contains(before, s) && (len(log) > 1 || !slices.Contains(usual, s)) {
				b.WriteString(told + s + "\n")
				printed = true
			}
		}
		if changed := seenOf(t, r) != seen; !changed {
			t.Errorf("line %d: nobody sees what %s has changed", number, l.entry.Verb)
		} else if changed && !printed {
			t.Errorf("line %d: %s has changed what people see, and sights has no line for it:\n%s\n%s", number, l.entry.Verb, seen, seenOf(t, r))
		}
	}
	return b.String(), log
}

// A line of a transcript is an entry, or a question whether something would be allowed.
type line struct {
	who     room.Who
	words   []string
	options map[string]string
	next    int // the seat of the next person who joins
	entry   room.Entry
	answer  func() error // to the question; nil: it is an entry
	err     error        // what makes no sense in it
}

// parseLine reads a line such as: seat 3: vote 1.
func parseLine(r *room.Room, text string) (l line, err error) {
	who, rest, ok := strings.Cut(text, ":")
	if !ok {
		return l, fmt.Errorf("nobody says %q", text)
	}
	switch number, isSeat := strings.CutPrefix(who, "seat "); {
	case who == "presenter":
		l.who = presenter
	case who == "spectator":
	case isSeat:
		if l.who.Seat, err = strconv.Atoi(number); err != nil {
			return l, err
		}
	default:
		return l, fmt.Errorf("nobody is called %q", who)
	}
	words, options, err := split(rest)
	if err != nil || len(words) == 0 {
		return l, fmt.Errorf("nothing is done in %q: %v", text, err)
	}
	l.words, l.options = words, options
	for l.next = 1; r.You(l.next) != nil || r.Lost(key(fmt.Sprint(l.next))) != ""; l.next++ {
	}
	if words[0] == "may" { // may step C1, in a run and of an owner: would the action be allowed?
		run, owner := cmpText(options["run"], r.Run()), l.number(options["owner"])
		l.answer = func() error {
			if l.word(1) == "look" {
				return r.MayLook(l.who, run, owner)
			}
			return r.MayAct(l.who, run, owner, l.word(1), l.word(2))
		}
		return l, l.err
	}
	e := &l.entry
	e.Verb, e.ID = room.Verb(words[0]), options["id"]
	e.Run, e.From, e.Roster, e.Text = options["run"], options["from"], options["roster"], options["text"]
	e.At, e.Size, e.Name = l.number(options["at"]), l.number(options["size"]), l.number(options["name"])
	verb, ok := samples[e.Verb]
	if !ok {
		return l, fmt.Errorf("samples has nothing about the verb %q", e.Verb)
	}
	if verb.read != nil {
		verb.read(e, &l)
	}
	return l, l.err
}

// word returns a word of the line; "": there are not that many.
func (l *line) word(i int) string {
	if i < len(l.words) {
		return l.words[i]
	}
	return ""
}

// number reads a number, or a word that stands for one.
func (l *line) number(s string) int {
	switch s {
	case "end":
		return room.End
	case "none":
		return room.None
	case "presenter", "":
		return 0
	}
	n, err := strconv.Atoi(s)
	if l.err == nil {
		l.err = err
	}
	return n
}

// seat returns the seat that the line names, or whose it is.
func (l *line) seat() int {
	if l.options["seat"] != "" {
		return l.number(l.options["seat"])
	}
	return l.who.Seat
}

func cmpText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// bothWords reads English|中文, or one text for both languages.
func bothWords(text string) lang.Text {
	english, chinese, ok := strings.Cut(text, "|")
	if !ok {
		chinese = english
	}
	return lang.Both(english, chinese)
}

// split returns the words of a line and its options, such as at=4. Either may be in
// double quotes.
func split(text string) (words []string, options map[string]string, err error) {
	options = map[string]string{}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		name := ""
		if at := strings.IndexAny(text, "= \""); at > 0 && text[at] == '=' {
			name, text = text[:at], text[at+1:]
		}
		value, rest := "", ""
		if strings.HasPrefix(text, `"`) {
			quoted, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, nil, err
			}
			value, _ = strconv.Unquote(quoted)
			rest = text[len(quoted):]
		} else {
			value, rest, _ = strings.Cut(text, " ")
		}
		if name == "" {
			words = append(words, value)
		} else {
			options[name] = value
		}
		text = rest
	}
	return words, options, nil
}
