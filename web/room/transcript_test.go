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

var rewrite = flag.Bool("rewrite", false, "write what the transcripts in testdata tell anew")

// told marks the lines of a transcript that tell the effect of the line above: what has changed and for whom, or why the
// room refused it.
const told = "#> "

// TestTranscripts plays the classes of testdata. A line is somebody (presenter, a seat, or
// spectator), what they do, and its details. After a change of the package,
//
//	go test ./web/room -run Transcripts -rewrite
//
// writes what follows on the lines anew, and the diff is the review.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.room")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts found: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, log := transcript(t, string(want))
			again := room.New()
			for _, e := range log {
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

// transcript plays a text and puts the effect of each line under it.
func transcript(t *testing.T, text string) (string, []room.Entry) {
	var b bytes.Buffer
	var log []room.Entry
	r := room.New()
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.HasPrefix(line, told) {
			continue
		}
		b.WriteString(line)
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		l, err := parseLine(r, strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("line %d: %v", number, err)
		}
		if l.question {
			answer := "yes"
			if err := l.answer(r); err != nil {
				answer = "no: " + err.Error()
			}
			b.WriteString(told + answer + "\n")
			continue
		}
		if err := r.Can(l.who, l.entry); err != nil {
			b.WriteString(told + "refused: " + err.Error() + "\n")
			continue
		}
		before := sights(r)
		r.Apply(l.entry)
		log = append(log, l.entry)
		for _, s := range sights(r) {
			if !slices.Contains(before, s) {
				b.WriteString(told + s + "\n")
			}
		}
	}
	return b.String(), log
}

// sights returns a room as its people see it, one thing a line.
func sights(r *room.Room) []string {
	if r.Code() == "" {
		return nil
	}
	var all []string
	see := func(who, format string, arguments ...any) {
		all = append(all, fmt.Sprintf("%-10s ", who+":")+fmt.Sprintf(format, arguments...))
	}
	v := r.View(room.Who{Presenter: true})
	const everybody, presenter = "everybody", "presenter"
	see(everybody, "room %s, %s / %s", room.FormatCode(v.Code), v.Name.English, v.Name.Chinese)
	see(everybody, "the room shows %s, %s", v.Run, position(v.Cursor))
	if v.Driver == 0 {
		see(everybody, "the presenter drives")
	} else {
		see(everybody, "seat %d drives", v.Driver)
	}
	see(everybody, "brought together %d times", v.Gathered)
	see(everybody, "the screen is %s", map[bool]string{true: "black", false: "on"}[v.Black])
	if v.Free {
		see(everybody, "names can be chosen")
	} else {
		see(everybody, "names are given")
	}
	see(everybody, "the roster is %s", map[bool]string{true: "open", false: "closed"}[v.Rosters])
	see(everybody, "%s can join", map[bool]string{true: "nobody", false: "anybody"}[v.Locked])
	for _, s := range v.Seats {
		see(everybody, "seat %d is %s / %s", s.Seat, s.Name.English, s.Name.Chinese)
	}
	if len(v.Lanes) == 0 {
		see(everybody, "no lanes")
	} else {
		var lanes []string
		for _, l := range v.Lanes {
			lanes = append(lanes, fmt.Sprintf("%s: %v", l.Client, l.Team))
		}
		network := []int{}
		for _, s := range v.Seats {
			if s.Lane == "" {
				network = append(network, s.Seat)
			}
		}
		see(everybody, "lanes %s, network: %v", strings.Join(lanes, ", "), network)
	}
	if p := v.Poll; p == nil {
		see(everybody, "nothing is asked")
	} else {
		var choices []string
		for _, c := range p.Choices {
			choices = append(choices, c.English+" / "+c.Chinese)
		}
		see(everybody, "%s at %d: %s / %s (%s)", p.Kind, p.At, p.Text.English, p.Text.Chinese, strings.Join(choices, "; "))
		see(everybody, "phase %s, round %d: %d of %d have voted", p.Phase, p.Round, p.Cast, p.Voters)
		if a := p.Answer; a != nil && a.Choice == room.None {
			see(everybody, "none of them; votes by round: %v", a.Counts)
		} else if a != nil {
			see(everybody, "the answer is %s; votes by round: %v", p.Choices[a.Choice].English, a.Counts)
		}
		if leading := r.Poll().Leading(); leading != room.None {
			see("server", "%s leads", p.Choices[leading].English)
		}
	}
	if v.Test != nil {
		see(everybody, "the test of %s, %s the course: %d of %d have handed in", v.Test.Course, v.Test.Form, v.Test.Handed, v.Test.Asked)
	}
	if r.Tested() != "" {
		see("server", "answers to %s: before %v, after %v", r.Tested(), r.Handed("before"), r.Handed("after"))
	}
	if v.Verdict != nil {
		see(everybody, "the explorer: %s: %s", v.Verdict.Stamp.English, v.Verdict.Says.English)
	}
	for i, item := range v.Plan {
		is := ""
		if i+1 == v.Now {
			is = ", which is on"
		}
		see(everybody, "item %d: %s%s", i+1, strings.Join(strings.Fields(fmt.Sprint(item.Kind, " ", item.Target, " ", item.Title.English)), " "), is)
	}
	record := r.Record()
	for i, p := range record.Polls {
		answer := "never revealed"
		if p.Revealed && p.Answer == room.None {
			answer = "none of them"
		} else if p.Revealed {
			answer = p.Question.Choices[p.Answer].English
		}
		see("record", "question %d: %s: %s; votes by round: %v", i+1, p.Question.Text.English, answer, p.Counts)
	}
	for _, e := range record.Exercises {
		see("record", "exercise %d: %d begun, %d solved %v, %d wrong claims of %d seats", e.Number, e.Begun, e.Solved, e.Solutions, e.Claims, e.Claimants)
	}
	for _, s := range record.Shown {
		see("record", "shown: %s %s", s.Run, cmpText(s.Task, "free"))
	}
	if e := v.Exercise; e == nil {
		see(everybody, "no exercise")
	} else {
		if e.Kind == room.Fork {
			see(everybody, "exercise %d: alone, from %s, %s", e.Number, e.Run, position(e.At))
		} else {
			see(everybody, "exercise %d: alone, %s", e.Number, e.Task)
		}
		for _, p := range v.Ranking {
			see(everybody, "rank %d: %s with %d actions", p.Rank, p.Name.English, p.Actions)
		}
	}
	if v.Until == 0 {
		see(everybody, "no timer")
	} else {
		see(everybody, "the timer ends at %d:%02d", v.Until/60_000, v.Until/1000%60)
	}
	if v.Over {
		see(everybody, "the room is over; its replay is %s", v.Replay)
	}
	see(presenter, "%d remotes", v.Desk.Remotes)
	if v.Desk.First != nil {
		see(presenter, "votes of the first round: %v", v.Desk.First)
	}
	for number := 1; r.Lost(key(fmt.Sprint(number))) != "" || r.You(number) != nil; number++ {
		if lost := r.Lost(key(fmt.Sprint(number))); lost != "" {
			see(fmt.Sprintf("seat %d", number), "gone: %s", lost)
		}
	}
	for _, d := range v.Desk.Seats {
		if d.Named {
			see(presenter, "seat %d has a name that can be taken away", d.Seat)
		}
		if d.Roster != "" {
			see(presenter, "seat %d is %s in the roster", d.Seat, d.Roster)
		}
		if d.Mark != nil {
			see(presenter, "seat %d is at %s: %s", d.Seat, d.Sandbox, mark(d.Mark))
		}
		you, who := r.You(d.Seat), fmt.Sprintf("seat %d", d.Seat)
		for i, choice := range you.Cast {
			if choice != room.None {
				see(who, "my vote in round %d: %s", i+1, v.Poll.Choices[choice].English)
			}
		}
		if you.Votes {
			see(who, "I may vote in round %d", v.Poll.Round)
		}
		if you.Mark != nil {
			see(who, "my sandbox is %s: %s", you.Sandbox, mark(you.Mark))
		}
		for _, c := range r.Copies(d.Seat) {
			see(who, "to take home: exercise %d, %s", c.Exercise, c.Run)
		}
	}
	return all
}

func position(at int) string {
	if at == room.End {
		return "at its end"
	}
	return "at " + strconv.Itoa(at)
}

func mark(m *room.Mark) string {
	text := "not begun"
	if m.State != "" {
		text = fmt.Sprintf("%s after %d actions", m.State, m.Actions)
	}
	if m.Solved {
		text += fmt.Sprintf(", solved with %d", m.Best)
	}
	if m.Claims > 0 {
		text += fmt.Sprintf(", %d wrong claims", m.Claims)
	}
	return text
}

// A scriptLine is one line of a transcript: an entry, or a question whether
// something would be allowed.
type scriptLine struct {
	who      room.Who
	entry    room.Entry
	question bool
	answer   func(*room.Room) error
}

// parseLine reads a line such as: seat 3: vote 1.
func parseLine(r *room.Room, text string) (l scriptLine, err error) {
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
	number := func(s string) int {
		n, err2 := strconv.Atoi(s)
		switch s {
		case "end":
			return room.End
		case "none":
			return room.None
		case "presenter", "":
			return 0
		}
		err = cmpErr(err, err2)
		return n
	}
	argument := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	e := &l.entry
	e.Verb, e.ID = room.Verb(words[0]), options["id"]
	e.Run, e.From, e.Roster, e.Text = options["run"], options["from"], options["roster"], options["text"]
	e.At, e.Size, e.Name = number(options["at"]), number(options["size"]), number(options["name"])
	switch e.Verb {
	case room.VerbOpen:
		e.Code, e.Task, e.Key = argument(1), options["task"], key("presenter")
	case room.VerbPair:
		e.Key, e.Revoked = key(argument(1)), number(options["revoked"])
	case room.VerbRevoke:
		e.Key = key(cmpText(argument(1), "presenter"))
	case room.VerbJoin:
		next := 1
		for r.You(next) != nil || r.Lost(key(fmt.Sprint(next))) != "" {
			next++
		}
		e.Key = key(fmt.Sprint(next))
	case room.VerbRemove:
		for _, text := range words[1:] {
			e.Seats = append(e.Seats, number(text))
		}
	case room.VerbLock:
		e.On = argument(1) == "on"
	case room.VerbName:
		e.Seat, e.Text = l.who.Seat, argument(1)
		if options["seat"] != "" {
			e.Seat = number(options["seat"])
		}
	case room.VerbSwitch:
		e.Free, e.Rosters = slices.Contains(words, "free"), slices.Contains(words, "rosters")
	case room.VerbShow, room.VerbEnd, room.VerbFork:
		e.Run, e.Task = argument(1), options["task"]
	case room.VerbDrive:
		e.Seat = number(argument(1))
	case room.VerbCursor:
		e.At = number(argument(1))
	case room.VerbBlack:
		e.On = argument(1) == "on"
	case room.VerbLanes:
		e.Lanes = words[1:]
	case room.VerbPlace:
		e.Seat, e.Lane = number(argument(1)), strings.TrimPrefix(argument(2), "network")
	case room.VerbAsk:
		q := &room.Question{Kind: room.Kind(argument(1)), At: e.At, Text: bothWords(argument(2))}
		for _, text := range words[3:] {
			w := bothWords(text)
			q.Choices = append(q.Choices, room.Choice{ID: strings.ReplaceAll(w.English, " ", "-"), Text: w})
		}
		e.Poll, e.At = q, 0
	case room.VerbVote:
		e.Seat, e.Choice = l.who.Seat, number(argument(1))
		if options["seat"] != "" {
			e.Seat = number(options["seat"])
		}
	case room.VerbReveal:
		e.Choice = number(argument(1))
	case room.VerbChallenge:
		e.Task = argument(1)
	case room.VerbOwn:
		e.Seat, e.Run = l.who.Seat, argument(1)
	case room.VerbMark:
		e.Seat, e.State, e.Actions, e.Solved = l.who.Seat, room.State(argument(1)), number(argument(2)), slices.Contains(words, "solved")
	case room.VerbClaim:
		e.Seat = l.who.Seat
	case room.VerbTest:
		e.Task, e.Form = argument(1), argument(2)
	case room.VerbHand:
		e.Seat, e.Form, e.Given = l.who.Seat, argument(1), words[min(2, len(words)):]
	case "may": // may step C1, in a run and of an owner: would the action be allowed?
		run, owner := cmpText(options["run"], r.Run()), number(options["owner"])
		l.question, l.answer = true, func(r *room.Room) error {
			if argument(1) == "look" {
				return r.MayLook(l.who, run, owner)
			}
			return r.MayAct(l.who, run, owner, argument(1), argument(2))
		}
	case room.VerbPlan: // plan lesson:redis-lock/race poll:reply run:k3v9m2xq7a|Ours|我们的
		for _, word := range words[1:] {
			kind, rest, _ := strings.Cut(word, ":")
			target, title, _ := strings.Cut(rest, "|")
			item := room.PlanItem{Kind: room.PlanKind(kind), Target: target}
			if title != "" {
				item.Title = bothWords(title)
			}
			e.Plan = append(e.Plan, item)
		}
	case room.VerbNext:
		e.Item = number(argument(1))
	case room.VerbTimer: // timer 12:30 is pressed at half past twelve minutes; timer off
		if e.On = argument(1) != "off"; e.On {
			minutes, seconds, _ := strings.Cut(argument(1), ":")
			e.Now = int64(60*number(minutes)+number(seconds)) * 1000
		}
	case room.VerbGather, room.VerbRound, room.VerbDrop, room.VerbHome: // have no fields
	default:
		err = cmpErr(err, fmt.Errorf("parseLine does not read the verb %q", e.Verb))
	}
	return l, err
}

func cmpErr(a, b error) error {
	if a != nil {
		return a
	}
	return b
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
