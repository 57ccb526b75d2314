package program

import (
	"errors"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"lockstep/engine/lang"
)

// Parse checks a program: a text in the language of this package, or a recording. The error is always an *Error. The source may end its lines in any way; the Program's lines
// end in a line feed each, so a text survives being written and read again.
func Parse(name, source string) (*Program, error) {
	source = strings.ReplaceAll(source, "\r\n", "\n")
	if source != "" && !strings.HasSuffix(source, "\n") {
		source += "\n"
	}
	if strings.HasPrefix(source, recordedWord+" ") {
		return parseRecording(name, source)
	}
	if err := checkSource(name, source); err != nil {
		return nil, err
	}
	file, err := new(syntax.FileOptions).Parse(name, source, 0)
	if err != nil {
		return nil, syntaxError(name, source, err)
	}
	p, checkErr := check(name, file)
	if checkErr != nil {
		return nil, checkErr
	}
	p.Name, p.Source = name, source
	return p, nil
}

// syntaxError puts the parser's complaint into the words of this package.
func syntaxError(name, source string, err error) *Error {
	var e syntax.Error
	if !errors.As(err, &e) {
		return errorAt(name, position{}, lang.Format("%s", "%s", err.Error()))
	}
	message := lang.Format("this cannot be read: %s", "这里读不懂：%s", e.Msg) // the parser speaks English only
	word, found := strings.CutSuffix(strings.TrimPrefix(e.Msg, "got "), ", want primary expression")
	if hint, known := reserved[word]; found && known {
		message = lang.Format("%s is not part of the language%s", "%s 不是这种语言的一部分%s", word, hint)
	} else if e.Msg == "not an identifier" {
		message = lang.Format("a name was expected here (a reserved word is none: the command DEL is c.delete)",
			"这里应是一个名字（保留字不行：DEL 命令写作 c.delete）")
	}
	line, column := int(e.Pos.Line), int(e.Pos.Col)
	if strings.HasPrefix(e.Msg, "got newline") && column == 1 && line > 1 {
		// The parser has read past the end of the line where something is missing.
		line--
		text := strings.Split(source, "\n")[line-1]
		column = utf8.RuneCountInString(strings.TrimSuffix(text, "\r")) + 1
	}
	return &Error{Program: name, Line: line, Column: column, Text: message}
}

// reserved are the words of Python that a learner may try, and what to do instead.
var reserved = map[string]lang.Text{
	"as": {}, "async": {}, "await": {}, "class": {}, "finally": {}, "from": {}, "global": {},
	"import": {}, "nonlocal": {}, "with": {}, "yield": {}, "raise": {},
	"del":    lang.Both(": the command is c.delete(key)", "：命令写作 c.delete(key)"),
	"except": failures,
	"try":    failures,
	"is":     lang.Both(": use ==", "：请用 =="),
}

var failures = lang.Both(": c.try_get(…) and its like return False when the command failed", "：命令失败时，c.try_get(…) 这类调用返回 False")
