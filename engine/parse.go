package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// Bounds on a scenario's text.
const (
	MaxText  = 256 << 10 // bytes
	MaxLines = 5_000
	MaxOwn   = 8 // programs of its own
)

// A Problem is what is wrong with a scenario, and where.
type Problem struct {
	File         string
	Line, Column int // counted from 1
	Err          error
}

func (p *Problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", p.File, p.Line, p.Column, p.Err)
}

func (p *Problem) Unwrap() error { return p.Err }

// A Loader returns the text of a program that a scenario names by its file
// (program mine.star). Without one such a scenario is refused.
type Loader func(path string) (string, error)

// Parse reads a scenario. It is strict: the first word that it does not know
// ends it with a *Problem.
func Parse(file, text string, load Loader) (*Scenario, error) {
	p := &parser{file: file, load: load, scenario: &Scenario{}}
	if len(text) > MaxText {
		return nil, &Problem{file, 1, 1, fmt.Errorf("the scenario has %d bytes, more than %d", len(text), MaxText)}
	}
	if !utf8.ValidString(text) {
		return nil, &Problem{file, 1, 1, errors.New("the scenario is not UTF-8 text")}
	}
	for line := range strings.Lines(text) {
		if p.line++; p.line > MaxLines {
			return nil, p.problem(1, "the scenario has more than %d lines", MaxLines)
		}
		if err := p.read(strings.TrimRight(line, "\r\n")); err != nil {
			return nil, err
		}
	}
	if err := p.endProgram(); err != nil {
		return nil, err
	}
	return p.scenario, nil
}

// ParseAction reads one action from one line of scenario text.
func ParseAction(line string) (Action, error) {
	s, err := Parse("action", line, nil)
	if err != nil {
		return Action{}, err
	}
	actions := s.Actions()
	if len(actions) != 1 || len(s.Lines) != 1 || s.Header.Program != "" {
		return Action{}, &Problem{"action", 1, 1, errors.New("expected one action")}
	}
	return actions[0], nil
}

type parser struct {
	file     string
	load     Loader
	scenario *Scenario
	line     int

	header bool   // its header line has been read
	own    string // name of the program whose text is being read
	source strings.Builder
	began  int // the line on which own is defined
}

// A word is one token of a line; column counts runes from 1.
type word struct {
	text   string
	column int
}

func (p *parser) problem(column int, format string, arguments ...any) *Problem {
	return &Problem{p.file, p.line, column, fmt.Errorf(format, arguments...)}
}

func (p *parser) read(line string) error {
	if p.own != "" {
		if rest, ok := strings.CutPrefix(line, "|"); ok {
			p.source.WriteString(strings.TrimPrefix(rest, " ") + "\n")
			return nil
		}
		if err := p.endProgram(); err != nil {
			return err
		}
	}
	words, comment, err := p.words(line)
	if err != nil {
		return err
	}
	if len(words) > 0 && (words[0].text == "program" || words[0].text == "define") {
		if len(p.scenario.Actions()) > 0 {
			return p.problem(words[0].column, "%s stands before the first action", words[0].text)
		}
		if comment != "" {
			p.scenario.Lines = append(p.scenario.Lines, Line{Number: p.line, Comment: comment})
		}
		if words[0].text == "define" {
			return p.define(words)
		}
		return p.program(words)
	}
	parsed := Line{Number: p.line, Comment: comment}
	switch {
	case len(words) == 0 && comment == "":
		return nil
	case len(words) == 0:
	case words[0].text == "expect":
		parsed.Expect, err = p.expect(words)
	default:
		parsed.Actions, parsed.Columns, err = p.actions(words)
	}
	if err != nil {
		return err
	}
	p.scenario.Lines = append(p.scenario.Lines, parsed)
	return nil
}

// words splits a line at spaces. A word in double quotes is read as Go reads
// it; # at the start of a word begins a comment.
func (p *parser) words(line string) (words []word, comment string, err error) {
	for rest := line; ; {
		rest = strings.TrimLeft(rest, " \t")
		column := utf8.RuneCountInString(line) - utf8.RuneCountInString(rest) + 1
		switch {
		case rest == "":
			return words, "", nil
		case rest[0] == '#':
			return words, strings.TrimSpace(rest[1:]), nil
		case rest[0] == '"':
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, "", p.problem(column, "a word in double quotes does not end, or has an unknown escape")
			}
			text, _ := strconv.Unquote(quoted)
			words = append(words, word{text, column})
			rest = rest[len(quoted):]
			if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
				return nil, "", p.problem(column, "a space is missing after %s", quoted)
			}
		default:
			end := strings.IndexAny(rest, " \t")
			if end < 0 {
				end = len(rest)
			}
			words = append(words, word{rest[:end], column})
			rest = rest[end:]
		}
	}
}

// program reads the header: program [NAME] [option=value …].
func (p *parser) program(words []word) error {
	if p.header {
		return p.problem(words[0].column, "there is a program line already")
	}
	p.header = true
	h := &p.scenario.Header
	rest := words[1:]
	if len(rest) > 0 && !strings.Contains(rest[0].text, "=") {
		name, err := p.resolve(rest[0])
		if err != nil {
			return err
		}
		h.Program = name
		rest = rest[1:]
	}
	options := rest[:0:0]
	for _, w := range rest {
		if value, ok := strings.CutPrefix(w.text, "nodes="); ok {
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > MaxNodes {
				return p.problem(w.column, "nodes=%s is not a number from 1 to %d", value, MaxNodes)
			}
			h.Nodes = n
			continue
		}
		options = append(options, w)
	}
	var err error
	h.Options, err = p.options(options)
	return err
}

// resolve is the name of the program that a word names; one in a file is read.
func (p *parser) resolve(w word) (string, error) {
	name, isFile := strings.CutSuffix(filepath.Base(w.text), ".star")
	if !isFile {
		if !isProgram(w.text) {
			return "", p.problem(w.column, "%q is not a program's name: small letters, digits and dashes, or a file that ends in .star", w.text)
		}
		return w.text, nil
	}
	if p.load == nil {
		return "", p.problem(w.column, "programs in files cannot be read here; write it into the scenario with define")
	}
	for _, own := range p.scenario.Own {
		if own.Name == name {
			return name, nil
		}
	}
	source, err := p.load(w.text)
	if err != nil {
		return "", p.problem(w.column, "reading the program: %v", err)
	}
	own, err := program.Parse(name, source)
	if err != nil {
		return "", p.problem(w.column, "the program does not parse: %v", err)
	}
	return name, p.addOwn(own, w.column)
}

func (p *parser) addOwn(own *program.Program, column int) error {
	if !isProgram(own.Name) {
		return p.problem(column, "%q is not a program's name: small letters, digits and dashes", own.Name)
	}
	if len(p.scenario.Own) >= MaxOwn {
		return p.problem(column, "a scenario brings along at most %d programs", MaxOwn)
	}
	p.scenario.Own = append(p.scenario.Own, own)
	return nil
}

// define begins a program of the scenario's own; its text follows in lines that begin with |.
func (p *parser) define(words []word) error {
	if len(words) != 2 || !isProgram(words[1].text) {
		return p.problem(words[0].column, "define is followed by a program's name: small letters, digits and dashes")
	}
	for _, own := range p.scenario.Own {
		if own.Name == words[1].text {
			return p.problem(words[1].column, "there is a program %s already", own.Name)
		}
	}
	p.own, p.began = words[1].text, p.line
	p.source.Reset()
	return nil
}

// endProgram parses the program whose text has been read. Its mistakes are
// placed where they stand in the scenario.
func (p *parser) endProgram() error {
	if p.own == "" {
		return nil
	}
	own, err := program.Parse(p.own, p.source.String())
	if wrong := (*program.Error)(nil); errors.As(err, &wrong) {
		return &Problem{p.file, p.began + max(1, wrong.Line), wrong.Column + len("| "), fmt.Errorf("program %s: %s", p.own, wrong.Message)}
	}
	p.own = ""
	return p.addOwn(own, 1)
}

// isProgram reports a name that a program may have.
func isProgram(name string) bool {
	return len(name) > 0 && len(name) <= 40 && name[0] >= 'a' && name[0] <= 'z' && strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	}) < 0
}

func (p *parser) options(words []word) (Options, error) {
	var o Options
	for i, w := range words {
		name, value, ok := strings.Cut(w.text, "=")
		if !ok {
			return o, p.problem(w.column, "unknown word %q; expected an option such as timeout=10s", w.text)
		}
		if slices.ContainsFunc(words[:i], func(other word) bool { return strings.HasPrefix(other.text, name+"=") }) {
			return o, p.problem(w.column, "%s stands here twice", name)
		}
		fields := map[string]*Time{"timeout": &o.Timeout, "retry": &o.Retry, "acquire_timeout": &o.AcquireTimeout, "skew": &o.Skew}
		switch field := fields[name]; {
		case field != nil:
			t, ok := ParseDuration(value)
			if !ok || name != "skew" && t <= 0 {
				return o, p.problem(w.column, "%s=%s is not a length of time in whole milliseconds, such as 10s or 250ms", name, value)
			}
			*field = t
		case name == "blocking" && (value == "true" || value == "false"):
			o.Blocking = new(value == "true")
		case name == "blocking":
			return o, p.problem(w.column, "blocking=%s is neither true nor false", value)
		default:
			return o, p.problem(w.column, "unknown option %q; expected timeout, retry, acquire_timeout, skew or blocking", name)
		}
	}
	if r := o.check(); r != nil {
		return o, p.problem(words[0].column, "%w", r)
	}
	return o, nil
}

// actions reads a line of actions: those of several clients are one each.
func (p *parser) actions(words []word) ([]Action, []int, error) {
	verb, args := words[0], words[1:]
	a := Action{Verb: Verb(verb.text)}
	if verb.text == "redis" {
		a, err := p.redisFault(verb, args)
		return []Action{a}, []int{verb.column}, err
	}
	switch a.Verb {
	case VerbTick:
		err := p.duration(verb, args, &a.Time)
		return []Action{a}, []int{verb.column}, err
	case VerbNote:
		if len(args) != 1 {
			return nil, nil, p.problem(verb.column, `note is followed by one sentence in double quotes: note "…"`)
		}
		a.Text = args[0].text
		return []Action{a}, []int{verb.column}, nil
	case VerbSpawn, VerbStep, VerbDeliver, VerbReceive, VerbDrop, VerbCrash, VerbRestart, VerbPause, VerbResume, VerbSkew, VerbDo:
	default:
		return nil, nil, p.problem(verb.column, "unknown action %q; expected %s", verb.text,
			"spawn, step, deliver, receive, drop, crash, restart, pause, resume, skew, tick, redis crash, redis restart, do, note or expect")
	}
	clients := 0
	for clients < len(args) && isClient(args[clients].text) && (a.Verb != VerbDo || clients == 0) {
		clients++
	}
	if clients == 0 {
		column := verb.column
		if len(args) > 0 {
			column = args[0].column
		}
		return nil, nil, p.problem(column, "%s is followed by a client: a capital letter, then up to 7 letters or digits, such as C1", a.Verb)
	}
	if err := p.arguments(&a, verb, args[clients:]); err != nil {
		return nil, nil, err
	}
	var actions []Action
	var columns []int
	for _, w := range args[:clients] {
		a.Client = w.text
		actions, columns = append(actions, a), append(columns, w.column)
	}
	return actions, columns, nil
}

// arguments reads what follows the clients.
func (p *parser) arguments(a *Action, verb word, args []word) error {
	var err error
	switch a.Verb {
	case VerbSpawn:
		if len(args) > 0 && !strings.Contains(args[0].text, "=") {
			if a.Program, err = p.resolve(args[0]); err != nil {
				return err
			}
			args = args[1:]
		}
		a.Options, err = p.options(args)
		return err
	case VerbSkew:
		return p.duration(verb, args, &a.Time)
	case VerbStep:
		a.Count = 1
		if len(args) == 0 {
			return nil
		}
		if a.Count, err = strconv.Atoi(args[0].text); err != nil || a.Count < 1 || a.Count > MaxSteps {
			return p.problem(args[0].column, "%q is not a number of steps from 1 to %d", args[0].text, MaxSteps)
		}
		args = args[1:]
	case VerbDo:
		for _, w := range args {
			a.Command = append(a.Command, w.text)
		}
		if _, err := redis.Check(a.Command); err != nil {
			return p.problem(verb.column, "%w", err)
		}
		return nil
	}
	if len(args) > 0 {
		return p.problem(args[0].column, "unknown word %q after %s", args[0].text, a.Verb)
	}
	return nil
}

func (p *parser) duration(verb word, args []word, t *Time) error {
	if len(args) != 1 {
		return p.problem(verb.column, "%s is followed by one length of time, such as 10s", verb.text)
	}
	var ok bool
	if *t, ok = ParseDuration(args[0].text); !ok {
		return p.problem(args[0].column, "%q is not a length of time in whole milliseconds, such as 10s or 250ms", args[0].text)
	}
	return nil
}

// redisFault reads redis crash [node] [keep|lose] and redis restart [node].
func (p *parser) redisFault(verb word, args []word) (Action, error) {
	if len(args) == 0 || args[0].text != "crash" && args[0].text != "restart" {
		return Action{}, p.problem(verb.column, "redis is followed by crash or restart")
	}
	a := Action{Verb: Verb("redis " + args[0].text)}
	for _, w := range args[1:] {
		n, err := strconv.Atoi(w.text)
		switch {
		case err == nil && n > 0 && a.Node == 0:
			a.Node = n
		case a.Verb == VerbRedisCrash && (w.text == "keep" || w.text == "lose"):
			a.Lose = w.text == "lose"
		default:
			return a, p.problem(w.column, "unknown word %q; expected the number of a node, keep or lose", w.text)
		}
	}
	return a, nil
}

func (p *parser) expect(words []word) (*Expectation, error) {
	args := words[1:]
	text := func(i int) string {
		if i < len(args) {
			return args[i].text
		}
		return ""
	}
	e := &Expectation{Column: words[0].column}
	switch {
	case text(0) == "violation", text(0) == "no" && text(1) == "violation":
		e.Subject, e.Not = ExpectViolation, text(0) == "no"
		args = args[1:]
		if e.Not {
			args = args[1:]
		}
		if len(args) > 0 && !isClient(args[0].text) {
			e.Property, e.Column = args[0].text, args[0].column
			args = args[1:]
		}
		if !e.Not && e.Property == "" {
			return nil, p.problem(e.Column, "expect violation is followed by a property")
		}
		for _, w := range args {
			if !isClient(w.text) {
				return nil, p.problem(w.column, "%q is not a client", w.text)
			}
			e.Clients = append(e.Clients, w.text)
		}
		return e, nil
	case text(0) == "reply" && len(args) == 3 && isClient(text(1)):
		e.Subject, e.Clients, e.Word = ExpectReply, []string{text(1)}, text(2)
		return e, nil
	case text(0) == "key" && len(args) == 3:
		e.Subject, e.Key, e.Word = ExpectKey, text(1), text(2)
		return e, nil
	case len(args) == 2 && isClient(text(0)):
		if !slices.Contains(statuses, text(1)) {
			return nil, p.problem(args[1].column, "unknown word %q; expected %s", text(1), strings.Join(statuses, ", "))
		}
		e.Subject, e.Clients, e.Word = ExpectClient, []string{text(0)}, text(1)
		return e, nil
	}
	return nil, p.problem(words[0].column, "expected one of: expect violation PROPERTY C1 C2, expect no violation, expect C1 holds, expect reply C1 0, expect key lock.foo 1023")
}
