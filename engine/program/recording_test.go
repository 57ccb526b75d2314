package program

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const worker = `recorded "python3 worker.py"
SET lock.foo $1 NX PX 10000
= (nil)
  again 1
= OK
  enter
  hold
  leave
  EVAL compare-and-delete 1 lock.foo $1
  = (integer) 0
    end 1 "LockNotOwnedError: it is gone"
  = (integer) 1
    end
  = lost
    GET lock.foo
    = $a1
    DEL lock.foo "" $$1 $client
`

// A recording goes on by the replies of its client, and its symbols mean what the client has made, seen and is called.
func TestARecordingIsAFunctionOfItsHistory(t *testing.T) {
	p, err := Parse("worker", worker)
	if err != nil {
		t.Fatal(err)
	}
	none, ok, lost := None, String("OK"), Failure()
	for _, step := range []struct {
		seen []Value
		want string
		line int
	}{
		{nil, "SET lock.foo C2-3 NX PX 10000", 2},
		{[]Value{String("(nil)")}, "again 1", 4},
		{[]Value{ok}, "enter", 6},
		{[]Value{ok, none}, "hold", 7},
		{[]Value{ok, none, none}, "leave", 8},
		{[]Value{ok, none, none, none}, "EVAL compare-and-delete 1 lock.foo C2-3", 9},
		{[]Value{ok, none, none, none, String("(integer) 0")}, "end 1 LockNotOwnedError: it is gone", 11},
		{[]Value{ok, none, none, none, String("(integer) 1")}, "end 0 ", 13},
		{[]Value{ok, none, none, none, lost}, "GET lock.foo", 15},
		{[]Value{ok, none, none, none, lost, String(`"C1-1"`)}, "DEL lock.foo  $1 C2", 17},
		{[]Value{ok, none, none, none, lost, String(`"C2-3"`)}, "missing", 15}, // its own value: nobody has seen that
		{[]Value{String("(error) READONLY")}, "missing", 2},
	} {
		out := p.Next(Acquire, &Env{Client: "C2", Attempt: 3}, step.seen)
		var got string
		switch out.Op.Kind {
		case Command:
			got = strings.Join(out.Op.Command, " ")
		case Again:
			got = fmt.Sprintf("again %d", out.Op.Back)
		case End:
			got = fmt.Sprintf("end %d %s", out.Op.Code, out.Op.Text)
		case Missing:
			got = "missing"
		default:
			got = wordOf[out.Op.Kind]
		}
		if got != step.want || out.Line != step.line || out.Err != nil {
			t.Errorf("after %v: %s at line %d (%v), not %s at %d", step.seen, got, out.Line, out.Err, step.want, step.line)
		}
	}
	if title, ok := p.RecordedFrom(); title != "python3 worker.py" || !ok || !p.Guessed() || !p.UsesToken() || !p.UsesName() || p.Works() || p.DefinesHolds() {
		t.Error("the program does not say what it is")
	}
	if slices.Contains(p.Literals(), "$1") || !slices.Contains(p.Literals(), "$$1") || !slices.Contains(p.Literals(), "lock.foo") {
		t.Errorf("literals %q", p.Literals())
	}
}

// What a Recording writes is read back the same, and grows by what is added.
func TestARecordingIsWrittenAndRead(t *testing.T) {
	r := &Recording{Title: "go run . \"x\"\n", Markers: true}
	add := func(op Op, history ...string) { r.Add(history, op) }
	add(Op{Kind: Command, Command: []string{"MULTI", `SET lock.foo $1`, "PEXPIRE lock.foo 1000", "EXEC"}})
	add(Op{Kind: Enter}, "[OK, (integer) 1]")
	add(Op{Kind: Hold}, "[OK, (integer) 1]", Done)
	add(Op{Kind: Want}, "(error) EXECABORT it, all")
	add(Op{Kind: End, Code: -1, Text: "killed\r"}, Lost)
	p, err := r.Program("mine")
	if err != nil {
		t.Fatal(err)
	}
	want := `recorded "go run . \"x\" " markers
MULTI "SET lock.foo $1" "PEXPIRE lock.foo 1000" EXEC
= (error) EXECABORT it, all
  want
= [OK, (integer) 1]
  enter
  hold
= lost
  end -1 "killed "
`
	if p.Source != want {
		t.Errorf("got\n%s", p.Source)
	}
	read, err := Parse("mine", p.Source)
	if err != nil {
		t.Fatal(err)
	}
	if read.Guessed() {
		t.Error("the markers are lost")
	}
	again, err := ReadRecording(p.Source)
	if err != nil {
		t.Fatal(err)
	}
	if q, err := again.Program("mine"); err != nil || q.Source != p.Source || again.Size() != r.Size() || again.Title != shortened(r.Title) {
		t.Errorf("read as %d operations of %q (%v)\n%s", again.Size(), again.Title, err, q.Source)
	}
	for _, seen := range [][]Value{nil, {String("[OK, (integer) 1]")}, {Failure()}, {String("x")}} {
		a, b := p.Next(Acquire, &Env{Client: "C1", Attempt: 1}, seen), read.Next(Acquire, &Env{Client: "C1", Attempt: 1}, seen)
		if fmt.Sprint(a.Op, a.Line) != fmt.Sprint(b.Op, b.Line) && a.Op.Text == b.Op.Text {
			t.Errorf("after %v: %v as written, %v as read", seen, a.Op, b.Op)
		}
	}
	if out := read.Next(Acquire, &Env{Client: "C7", Attempt: 1}, nil); out.Op.Command[1] != "SET lock.foo C7-1" {
		t.Errorf("a symbol within a transaction: %q", out.Op.Command)
	}
	along := r.Along([][]string{{"[OK, (integer) 1]", Done}})
	if along.Size() != 3 || !along.Has(Hold) || along.Has(Want) {
		t.Errorf("%d operations along one history", along.Size())
	}
}

// "Bad input gets a clear sentence."
func TestMistakesInARecording(t *testing.T) {
	for _, test := range []struct {
		name, source, want string
		line               int
	}{
		{"no title", "recorded \n", "a recording begins with recorded and a title", 1},
		{"a word after the title", "recorded x y\n", "a recording begins with", 1},
		{"a long title", "recorded " + strings.Repeat("x", maxRecordedTitle+1) + "\n", "at most 200 bytes", 1},
		{"a reply before a command", "recorded x\n= OK\n", "the operation above has no such reply", 2},
		{"a reply twice", "recorded x\nGET k\n= OK\n  end\n= OK\n", "a reply stands once below its command", 5},
		{"something after the end", "recorded x\nend\nGET k\n", "nothing can stand here", 3},
		{"an empty line", "recorded x\n\n", "a recording has no empty lines", 2},
		{"again without a number", "recorded x\nagain\n", "again has other words after it", 2},
		{"again and nothing", "recorded x\nagain 0\n", "again has other words after it", 2},
		{"enter twice a line", "recorded x\nenter enter\n", "enter has other words after it", 2},
		{"an end that is no number", "recorded x\nend one\n", "end has other words after it", 2},
		{"an open quotation mark", "recorded x\nGET \"k\n", "a quotation mark is missing", 2},
		{"indentation", "recorded x\n  GET k\n", "nothing can stand here", 2},
		{"too long", "recorded x\n" + strings.Repeat("GET k\n= OK\n", 12_000), "the recording is longer than 128 KB", 0},
		{"bytes", "recorded x\nGET \xff\n", "the recording is not UTF-8 text", 0},
	} {
		_, err := Parse("mine", test.source)
		wrong := (*Error)(nil)
		if !errors.As(err, &wrong) || !strings.Contains(wrong.English, test.want) || wrong.Chinese == "" || wrong.Line != test.line {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// A recording goes no deeper than a client may observe, whatever it says.
func TestALongRecordingEnds(t *testing.T) {
	deep := "recorded x\n" + strings.Repeat("GET k\n= OK\n", 1000)
	p, err := Parse("mine", deep)
	if err != nil {
		t.Fatal(err)
	}
	seen := slices.Repeat([]Value{String("OK")}, maxObservations)
	if out := p.Next(Acquire, &Env{Client: "C1", Attempt: 1}, seen); out.Op.Kind != Command {
		t.Errorf("after %d observations: %v", len(seen), out)
	}
	if out := p.Next(Acquire, &Env{Client: "C1", Attempt: 1}, append(seen, String("OK"))); out.Err == nil {
		t.Errorf("after one more: %v", out)
	}
	branches := "recorded x\n"
	for i := range 150 {
		branches += strings.Repeat("  ", i) + "GET k\n" + strings.Repeat("  ", i) + "= (nil)\n" + strings.Repeat("  ", i) + "= OK\n"
	}
	if _, err := Parse("mine", branches); err != nil {
		t.Error(err)
	}
}

func FuzzRecording(f *testing.F) {
	f.Add(worker)
	f.Add("recorded x markers\nMULTI \"SET a $1\" EXEC\n= [OK]\n  enter\n= lost\n")
	f.Fuzz(func(t *testing.T, source string) {
		p, err := Parse("mine", "recorded "+source)
		if err != nil {
			return
		}
		again, err := Parse("mine", p.Source)
		if err != nil || again.Source != p.Source {
			t.Fatalf("not read back: %v", err)
		}
		for _, seen := range [][]Value{nil, {String("OK")}, {Failure()}, {String(`"C1-1"`), None, String("(nil)")}} {
			p.Next(Acquire, &Env{Client: "C1", Attempt: 1}, seen)
		}
	})
}

// A recording extends another one that it repeats. A sleep may have turned out to be drawn by lot meanwhile, and not the
// other way round.
func TestASleepTurnsOutToBeDrawn(t *testing.T) {
	parse := func(sleep string) *Program {
		p, err := Parse("worker", "recorded \"worker\"\nSETNX lock.foo 1\n= (integer) 0\n  "+sleep+"\n  DEL lock.foo\n")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	steady, other, drawn := parse("sleep 50"), parse("sleep 60"), parse("sleep")
	for _, c := range []struct {
		p, q *Program
		want bool
	}{{steady, steady, true}, {drawn, steady, true}, {drawn, drawn, true}, {steady, drawn, false}, {other, steady, false}} {
		if got := c.p.Extends(c.q); got != c.want {
			t.Errorf("%s\nextends %v\n%s", c.p.Source, got, c.q.Source)
		}
	}
}
