package present

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/web/refusal"
)

// A Question is a question for the explorer, as its form and its address write it.
type Question struct {
	explore.Question
	Run    string // search, luck, or empty to do nothing
	Causes bool   // the search continues after the first counterexample
	Apart  bool   // states that differ only in the names of clients count apart, even where symmetry is sound

	Own    bool   // the program is the reader's own text
	From   string // the built-in program, also as the origin of the reader's text
	Source string // of an own program
}

// A bound is a number of the question, and the range that this server allows.
type bound struct {
	name               string
	least, most, usual int
}

// The usual question leaves time for a lease to expire. Even a slow machine answers it
// at once.
var (
	bounds = []bound{
		{"clients", 1, 5, 3},
		{"ticks", 0, 30, 5},
		{"timeout", 1, 30, 2}, // s
		{"crashes", 0, 3, 0},
	}
	faultBounds = []bound{
		{"losses", 0, 3, 0},
		{"failovers", 0, 3, 0},
	}
	nodeBounds = []bound{
		{"node-crashes", 0, 3, 0},
		{"restart-delay", 0, 10, 0}, // ticks
	}
	length = bound{"tick", 1, 10, 1} // of a tick, s
	delays = bound{"delays", 0, 10, explore.Any}
	nodes  = bound{"nodes", 1, 5, 1}
)

const (
	usualLock = "del-setnx"
	nothing   = "none" // this property only counts states
	mostSkew  = 30     // s
)

// outOfBounds refuses a number that the form does not allow.
func outOfBounds(field, text string, least, most int) error {
	return refusal.New(refusal.Unprocessable, refusal.Refused, "explore.wrong-bound", lang.Word("explore.bound."+field), text, least, most)
}

var (
	errUnknownProperty = refusal.Declare(refusal.Unprocessable, refusal.Refused, "explore.wrong-property")
	errNoLuck          = refusal.Declare(refusal.Unprocessable, refusal.Refused, "explore.wrong-luck")

	// ErrProgram refuses an unknown program name.
	ErrProgram = refusal.Declare(refusal.Unprocessable, refusal.Refused, "error.program")
)

// ReadQuestion reads a question from the fields of a form. With an error it still returns the fields that it could
// read, so the form shows what the reader typed.
func ReadQuestion(fields url.Values) (Question, error) {
	q := Question{
		Run: fields.Get("run"), From: usualLock, Own: fields.Get("own") != "", Causes: fields.Get("causes") != "",
		Source: strings.ReplaceAll(fields.Get("source"), "\r\n", "\n"),
	}
	if q.Run == "causes" {
		q.Run, q.Causes = "search", true
	}
	q.Property, q.Replies = "mutual-exclusion", fields.Get("replies") != ""
	q.Apart, q.Lose = fields.Get("apart") != "", fields.Get("lose") != ""
	var first error
	wrong := func(err error) {
		if first == nil {
			first = err
		}
	}
	if name := fields.Get("program"); name != "" {
		q.From = name
	}
	if name := fields.Get("property"); name == nothing {
		q.Property = ""
	} else if name != "" {
		q.Property = name
		if !slices.Contains(check.Names(), name) {
			wrong(errUnknownProperty)
		}
	}
	number := func(b bound) int {
		text := fields.Get(b.name)
		if text == "" {
			return b.usual
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < b.least || n > b.most {
			wrong(outOfBounds(b.name, text, b.least, b.most))
			return b.usual
		}
		return n
	}
	q.Clients, q.Ticks, q.Crashes = number(bounds[0]), number(bounds[1]), number(bounds[3])
	q.Timeout = engine.Time(number(bounds[2])) * 1000
	if tick := number(length); tick != length.usual { // the engine's own is the usual one
		q.Tick = engine.Time(tick) * 1000
	}
	q.Delays = explore.Any
	if fields.Get("delays") != "any" {
		q.Delays = number(delays)
	}
	q.Losses, q.Failovers = number(faultBounds[0]), number(faultBounds[1])
	if q.Nodes = number(nodes); q.Nodes > 1 {
		q.NodeCrashes, q.RestartDelay = number(nodeBounds[0]), number(nodeBounds[1])
	} else {
		q.Lose = false
	}
	for i := range bounds[0].most {
		client := fmt.Sprintf("C%d", i+1)
		by, err := readSkew(client, fields.Get("skew-"+client))
		if err != nil {
			wrong(err)
		} else if by != 0 {
			if q.Skew == nil {
				q.Skew = map[string]engine.Time{}
			}
			q.Skew[client] = by
		}
	}
	wrong(q.choose())
	q.Symmetry = !q.Apart && q.Symmetric() // older addresses ask for it: symmetry=1
	if q.Run == "luck" && q.Property == "" {
		wrong(errNoLuck)
	}
	if first == nil {
		first = q.Check()
	}
	return q, first
}

var seconds = regexp.MustCompile(`^[+-]?[0-9]{1,2}(\.[0-9]{1,3})?$`)

// readSkew reads how many seconds a client's clock is ahead.
func readSkew(client, text string) (engine.Time, error) {
	if text == "" {
		return 0, nil
	}
	by, err := strconv.ParseFloat(text, 64)
	if err != nil || !seconds.MatchString(text) || math.Abs(by) > mostSkew {
		return 0, refusal.New(refusal.Unprocessable, refusal.Refused, "explore.wrong-skew", client, text, -mostSkew, mostSkew)
	}
	return engine.Time(math.Round(by * 1000)), nil
}

// choose finds the program: a built-in program or the reader's own text.
func (q *Question) choose() error {
	builtin, ok := program.Builtin(q.From)
	if !ok {
		q.From = usualLock
		builtin, _ = program.Builtin(usualLock)
	}
	q.Program = builtin
	if q.Own && q.Source == "" {
		q.Source = builtin.Source
	}
	if q.Own {
		mine, err := program.Parse(q.From+"-mine", q.Source)
		if err != nil {
			return err
		}
		q.Program = mine
	}
	if !ok {
		return ErrProgram
	}
	return nil
}

// asked returns the question with another Run.
func (q Question) asked(run string) Question {
	q.Run = run
	return q
}

// Query returns the question as the query of an address. An address has no room for the text of an own program.
func (q Question) Query() string {
	property := q.Property
	if property == "" {
		property = nothing
	}
	pairs := []string{
		"program", q.From, "property", property,
		"clients", strconv.Itoa(q.Clients), "ticks", strconv.Itoa(q.Ticks), "timeout", strconv.Itoa(int(q.Timeout / 1000)),
		"crashes", strconv.Itoa(q.Crashes), "delays", delayWord(q.Delays),
	}
	if q.Tick > 0 {
		pairs = append(pairs, "tick", strconv.Itoa(int(q.Tick/1000)))
	}
	if q.Losses > 0 {
		pairs = append(pairs, "losses", strconv.Itoa(q.Losses))
	}
	if q.Failovers > 0 {
		pairs = append(pairs, "failovers", strconv.Itoa(q.Failovers))
	}
	for _, client := range slices.Sorted(maps.Keys(q.Skew)) {
		pairs = append(pairs, "skew-"+client, q.Skew[client].String())
	}
	if q.Nodes > 1 {
		pairs = append(pairs, "nodes", strconv.Itoa(q.Nodes), "node-crashes", strconv.Itoa(q.NodeCrashes), "restart-delay", strconv.Itoa(q.RestartDelay))
	}
	for _, box := range []struct {
		name   string
		ticked bool
	}{{"replies", q.Replies}, {"lose", q.Lose}, {"apart", q.Apart}, {"causes", q.Causes}, {"own", q.Own}} {
		if box.ticked {
			pairs = append(pairs, box.name, "1")
		}
	}
	if q.Run != "" {
		pairs = append(pairs, "run", q.Run)
	}
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 { // in the order of the form: a reader can follow it
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(pairs[i] + "=" + url.QueryEscape(pairs[i+1]))
	}
	return b.String()
}

func delayWord(n int) string {
	if n == explore.Any {
		return "any"
	}
	return strconv.Itoa(n)
}
