package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"lockstep/engine/lang"
)

// Bounds on a scenario's text.
const (
	MaxText  = 256 << 10 // bytes
	MaxLines = 5_000     // lines outside its programs; and actions, because a line may have several
	MaxWords = 1_000     // in a line
	MaxOwn   = 8         // a scenario's own programs
)

// A Problem tells the mistake in a scenario, and its place.
type Problem struct {
	File         string
	Line, Column int // counted from 1
	Err          error
}

func (p *Problem) Error() string { return p.Sentence(lang.English) }

// Fault says that the text is wrong, and in which column.
func (p *Problem) Fault() lang.Fault {
	f := lang.Fault{Code: "syntax", Column: p.Column, Args: []any{p.Err.Error()}}
	if refused := (*Refusal)(nil); errors.As(p.Err, &refused) {
		f.Args = []any{refused}
	}
	return f
}

// Sentence returns the problem with its place, in one language.
func (p *Problem) Sentence(in lang.Language) string {
	text := p.Err.Error()
	if refused := (*Refusal)(nil); errors.As(p.Err, &refused) {
		text = strings.Replace(text, refused.English, refused.Sentence(in), 1) // keeps what wraps it
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, text)
}

func (p *Problem) Unwrap() error { return p.Err }

// A Loader returns the text of a program that a scenario names by its file
// (program mine.star). Without a Loader, Parse refuses such a scenario.
type Loader func(path string) (string, error)

// Parse reads a scenario. It is strict: it stops at the first unknown word and
// returns a *Problem.
func Parse(file, text string, load Loader) (*Scenario, error) {
	p := &parser{file: file, load: load, scenario: &Scenario{}, files: map[string]bool{}}
	if len(text) > MaxText {
		return nil, &Problem{file, 1, 1, refuse("the scenario has %d bytes, more than %d", "场景文本有 %d 字节，超过 %d", len(text), MaxText)}
	}
	if !utf8.ValidString(text) {
		return nil, &Problem{file, 1, 1, refuse("the scenario is not UTF-8 text", "场景文本不是 UTF-8 编码")}
	}
	for line := range strings.Lines(text) {
		p.line++
		if p.own == "" && p.reading == nil || !strings.HasPrefix(line, "|") { // programs and effects have bounds of their own
			p.lines++
		}
		if p.lines > MaxLines {
			return nil, p.problem(1, "the scenario has more than %d lines, not counting its programs", "场景文本除程序之外超过 %d 行", MaxLines)
		}
		if err := p.read(strings.TrimRight(line, "\r\n")); err != nil {
			return nil, err
		}
	}
	if err := p.endBlock(); err != nil {
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
	if len(actions) != 1 || len(s.Lines) != 1 || s.Header.String() != "" {
		return Action{}, &Problem{"action", 1, 1, errors.New("expected one action")}
	}
	return actions[0], nil
}

type parser struct {
	file     string
	load     Loader
	scenario *Scenario
	line     int
	lines    int // those outside programs
	acts     int // actions so far

	header bool   // its header line has been read
	own    string // name of the program whose text is being read
	source strings.Builder
	began  int             // the line on which own is defined
	files  map[string]bool // those whose program the parser has read

	reading *reading // the effect that is being read
}

// problem returns a Problem on the current line, in the words of refuse. It quotes a word of the text up to maxQuoted,
// since a word can be as long as the text.
func (p *parser) problem(column int, english, chinese string, arguments ...any) *Problem {
	for i, a := range arguments {
		if word, ok := a.(string); ok && len(word) > maxQuoted {
			arguments[i] = strings.ToValidUTF8(word[:maxQuoted], "") + "…"
		}
	}
	return p.refused(column, refuse(english, chinese, arguments...))
}

// maxQuoted is how many bytes of a word a sentence repeats.
const maxQuoted = 200

func (p *parser) refused(column int, why *Refusal) *Problem {
	return &Problem{p.file, p.line, column, why}
}

// heads are the words with which a line of the header begins.
var heads = []string{"program", "define", "effect", "began", "label"}

func (p *parser) read(line string) error {
	if rest, ok := strings.CutPrefix(line, "|"); ok && (p.own != "" || p.reading != nil) {
		if rest = strings.TrimPrefix(rest, " "); p.reading != nil {
			return p.fact(rest)
		}
		p.source.WriteString(rest + "\n")
		return nil
	}
	if err := p.endBlock(); err != nil {
		return err
	}
	words, comment, err := p.words(line)
	if err != nil {
		return err
	}
	if len(words) > 0 && slices.Contains(heads, words[0].text) {
		if len(p.scenario.Actions()) > 0 {
			return p.problem(words[0].column, "%s must stand before the first action",
				"%s 要写在第一个动作之前", words[0].text)
		}
		if comment != "" {
			p.scenario.Lines = append(p.scenario.Lines, Line{Number: p.line, Comment: comment})
		}
		switch words[0].text {
		case "define":
			return p.define(words)
		case "effect":
			return p.effect(words)
		case "began":
			return p.wall(words)
		case "label":
			return p.label(words)
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
		if p.acts += len(parsed.Actions); p.acts > MaxLines {
			err = p.tooMany(words[0].column)
		}
	}
	if err != nil {
		return err
	}
	p.scenario.Lines = append(p.scenario.Lines, parsed)
	return nil
}
