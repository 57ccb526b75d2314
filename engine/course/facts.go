package course

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
)

// wrong notes a mistake at a line of a file; both sentences take the same arguments.
type wrong func(file string, line int, english, chinese string, arguments ...any)

// facts is a piece of YAML that knows its place.
type facts struct {
	*yaml.Node
	file   string
	before int // lines of the file before the YAML begins
	wrong  wrong
}

// readFacts reads a mapping. It returns nil where there is none, and notes the
// mistake.
func readFacts(file, text string, before int, wrong wrong) *facts {
	var document, more yaml.Node
	reader := yaml.NewDecoder(strings.NewReader(text))
	err := reader.Decode(&document)
	switch {
	case err == io.EOF, err == nil && (len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode):
		wrong(file, before+1, "expected names and values, such as title: One winner", "应为名字和值，例如 title: 唯一的赢家")
		return nil
	case err == nil:
		err = reader.Decode(&more)
	}
	switch {
	case err == nil:
		wrong(file, before+more.Line, "what follows this line is not read: a file has one YAML document", "这一行之后的内容不会被读取：一个文件只有一个 YAML 文档")
		return nil
	case err != io.EOF:
		line, why := yamlMistake(err, text)
		wrong(file, before+line, "this is not YAML: %s", "不是合法的 YAML：%s", why)
		return nil
	}
	return &facts{document.Content[0], file, before, wrong}
}

var (
	yamlLine   = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	yamlTab    = regexp.MustCompile(`(?m)^ *\t`)
	yamlAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
	yamlSign   = regexp.MustCompile("(?:^|[:-] +)([@`%])")
)

// yamlMistake returns the message of package yaml about a text, and its line. Where the message does not tell an author what
// to do, another one does.
func yamlMistake(err error, text string) (line int, says lang.Text) {
	at := yamlLine.FindStringSubmatch(err.Error())
	why := strings.TrimPrefix(err.Error(), at[0])
	line, _ = strconv.Atoi(at[1]) // 0: the message names no line
	anchor := yamlAnchor.FindStringSubmatch(why)
	switch {
	case strings.HasPrefix(why, "did not find expected"): // the message names the line before
		line++
	case strings.HasPrefix(why, "found a tab"): // the message names the line where the tab's value ends
		if tab := yamlTab.FindStringIndex(text); tab != nil {
			line = 1 + strings.Count(text[:tab[0]], "\n")
		}
	case anchor != nil: // the message names no line
		before, _, _ := strings.Cut(text, "*"+anchor[1])
		line = 1 + strings.Count(before, "\n")
	}
	line = max(1, line)
	all := strings.Split(text, "\n")
	here := all[min(line, len(all))-1]
	sign := yamlSign.FindStringSubmatch(here)
	switch {
	case !strings.Contains(why, "tab character") && !strings.Contains(why, "cannot start any token"):
	case strings.HasPrefix(strings.TrimLeft(here, " "), "\t"):
		return line, lang.Both("a tab indents this line, and YAML takes only blanks", "这一行用制表符缩进，而 YAML 只接受空格")
	case sign != nil:
		return line, lang.Format("a value that begins with %s stands in quotes", "以 %s 开头的值要写在引号里", sign[1])
	}
	return line, lang.Both(why, why)
}

func (f facts) line() int { return f.before + f.Node.Line }

func (f facts) refuse(english, chinese string, arguments ...any) {
	f.wrong(f.file, f.line(), english, chinese, arguments...)
}

func (f facts) at(n *yaml.Node) facts { return facts{n, f.file, f.before, f.wrong} }

// entries goes through a mapping in its order. Where it is missing there are none.
func (f facts) entries(each func(name string, key, value facts)) {
	if !f.given() {
		return
	}
	if f.Kind != yaml.MappingNode {
		f.refuse("expected names and values below each other", "应为逐行书写的名字和值")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < 2*f.few(len(f.Content)/2); i += 2 {
		key := f.at(f.Content[i])
		if seen[key.Value] {
			key.refuse("%s stands here twice", "%s 重复出现", key.Value)
			continue
		}
		seen[key.Value] = true
		each(key.Value, key, f.at(f.Content[i+1]))
	}
}

// decode fills the fields of a struct from a mapping: the field NotBecause from not-because. What is missing leaves its field as
// it is. Facts wait for somebody who reads them; a list of them takes a single one, too; any other value is read here.
//
// The YAML package decodes into structs as well, and refuses unknown names. It loses the lines of what it has decoded and the
// order of a mapping, does not look into mappings by name, and knows no name that the author may have meant.
func (f facts) decode(into any) { f.front(into, &struct{}{}, true) }

// front decodes the front matter of a file. The words stand in every language's file, the rest in the first one's only.
func (f facts) front(words, rest any, first bool) {
	known, others := fieldsOf(words), fieldsOf(rest)
	if first {
		maps.Copy(known, others)
	}
	f.entries(func(name string, key, value facts) {
		if field, ok := known[name]; ok {
			value.put(field)
		} else if _, ok := others[name]; ok {
			key.refuse("%s stands in the first language's file only", "%s 只写在第一种语言的文件里", name)
		} else {
			key.refuse("there is no %q here; there are %s%s", "这里没有 %q；可以有 %s%s", name, strings.Join(sortedKeys(known), ", "), lang.DidYouMean(name, sortedKeys(known)))
		}
	})
}

// fieldsOf returns pointers to the fields of a struct, by the names that they have in YAML.
func fieldsOf(all any) map[string]any {
	fields := map[string]any{}
	s := reflect.ValueOf(all).Elem()
	for i := range s.NumField() {
		name := capital.ReplaceAllString(s.Type().Field(i).Name, "-$0")
		fields[strings.ToLower(strings.TrimPrefix(name, "-"))] = s.Field(i).Addr().Interface()
	}
	return fields
}

var capital = regexp.MustCompile(`[A-Z]`)

// put reads the value into a field.
func (f facts) put(field any) {
	switch field := field.(type) {
	case *facts:
		*field = f
	case *[]facts:
		f.texts(func(f facts) { *field = append(*field, f) })
	case *string:
		*field = f.text()
	case *int:
		*field = f.number(0)
	case *bool:
		*field = f.yes()
	case *engine.Time:
		*field = f.duration()
	default:
		panic(fmt.Sprintf("course: a fact cannot be a %T", field))
	}
}

// given reports whether the file has these facts at all.
func (f facts) given() bool { return f.Node != nil }

// mayName reports whether a part of a course, which both languages call so, may have a name. It notes the mistake where it may not.
func (f facts) mayName(english, chinese, name string) bool {
	if !isName(name) {
		f.refuse("%s's name has at most 64 small letters, digits and dashes, not %q", "%s的名字由至多 64 个小写字母、数字和连字符组成，不能是 %q", lang.Both(english, chinese), clipped(name))
	}
	return isName(name)
}

// text returns a scalar value; empty: it is missing.
func (f facts) text() string {
	if !f.given() {
		return ""
	}
	if f.Kind != yaml.ScalarNode {
		f.refuse("expected a text", "应为文本")
		return ""
	}
	text := strings.TrimSpace(f.Value)
	if utf8.RuneCountInString(text) > maxLetters {
		f.refuse("a text here has at most %d letters", "这里的文字至多 %d 个字", maxLetters)
		return ""
	}
	return text
}

// maxLetters bounds a title, a goal and the like, which stand on pages of many lessons and courses.
const maxLetters = 1000

// number returns a whole number, least or more.
func (f facts) number(least int) int {
	n, err := strconv.Atoi(f.Value)
	if err != nil || n < least {
		f.refuse("expected a whole number, at least %d, not %q", "应为不小于 %d 的整数，而不是 %q", least, f.Value)
		return least
	}
	return n
}

func (f facts) yes() bool {
	if f.Value != "true" {
		f.refuse("expected true, not %q", "应为 true，而不是 %q", f.Value)
	}
	return f.Value == "true"
}

func (f facts) duration() engine.Time {
	d, ok := engine.ParseDuration(f.Value)
	if !ok || d <= 0 {
		f.refuse("expected a length of time such as 1s, not %q", "应为 1s 这样的时长，而不是 %q", f.Value)
	}
	return d
}

// delays reads none or any: a learner who acts by hand could follow no other
// rule.
func (f facts) delays() int {
	if !f.given() {
		return explore.Any
	}
	switch f.Value {
	case "0":
		return 0
	case "any":
		return explore.Any
	}
	f.refuse("delays are 0 or any, not %q", "delays 应为 0 或 any，而不是 %q", f.Value)
	return 0
}

// link returns the address of a page elsewhere.
func (f facts) link() string {
	to := f.text()
	if to != "" && !isLink(to) {
		f.refuse("a link leads to https://…, not to %q", "链接应指向 https://…，而不是 %q", to)
		return ""
	}
	return to
}

func isLink(to string) bool {
	return strings.HasPrefix(to, "https://") || strings.HasPrefix(to, "http://")
}

// texts goes through a list, or a single value.
func (f facts) texts(each func(facts)) {
	if f.Kind != yaml.SequenceNode {
		each(f)
		return
	}
	for _, n := range f.Content[:f.few(len(f.Content))] {
		each(f.at(n))
	}
}

// maxEntries bounds a list and a mapping: what reads them compares each entry with each other.
const maxEntries = 500

// few returns how many of some entries are read, and notes the mistake where there are more.
func (f facts) few(all int) int {
	if all > maxEntries {
		f.refuse("there are %d entries here, more than %d: the others are not read", "这里有 %d 项，超过 %d 项：其余的没有读取", all, maxEntries)
	}
	return min(all, maxEntries)
}

// words returns texts by language.
func (f facts) words() (all lang.Text) {
	f.entries(func(name string, key, value facts) {
		l, ok := lang.Named(name)
		if !ok {
			key.refuse("%q is not a language: en and zh are", "%q 不是支持的语言：只有 en 和 zh", name)
			return
		}
		if text := value.text(); text != "" {
			all.Set(l, text)
		}
	})
	return all
}

// scenario reads a text as a scenario; its lines count in the file.
func (f facts) scenario(load engine.Loader) *engine.Scenario {
	if f.Kind != yaml.ScalarNode {
		f.text() // reports the mistake
		return nil
	}
	// A text in quotes or on one line begins at its place, and its other lines
	// are no lines of the file.
	place := func(int) int { return f.line() }
	if f.Style == yaml.LiteralStyle {
		place = func(line int) int { return f.line() + line }
	}
	s, err := engine.Parse(f.file, f.Value, load)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		f.wrong(f.file, place(problem.Line), "%s", "%s", problem.Err)
		return nil
	}
	for i := range s.Lines {
		s.Lines[i].Number = place(s.Lines[i].Number)
	}
	return s
}

// comesTrue reads an expectation, or a list of them, and reports whether all
// hold.
func (f facts) comesTrue(w *engine.World) bool {
	if f.Kind == yaml.SequenceNode && len(f.Content) > 0 {
		all := true
		f.texts(func(f facts) { all = f.comesTrue(w) && all })
		return all
	}
	s, err := engine.Parse(f.file, f.Value, nil)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		f.refuse("%s", "%s", problem.Err)
		return false
	}
	if len(s.Lines) != 1 || s.Lines[0].Expect == nil {
		f.refuse("an answer is an expectation, such as expect reply C2 0, or a list of them", "答案是一条期望，例如 expect reply C2 0，也可以是几条期望的列表")
		return false
	}
	e := s.Lines[0].Expect
	if e.Property != "" && !f.isProperty(e.Property) {
		return false
	}
	for _, name := range e.Clients {
		if w.Client(name) == nil {
			f.refuse("there is no client %s", "没有客户端 %s", name)
			return false
		}
	}
	return e.Judge(w) == nil
}

// isProperty reports whether there is a property with a name, and notes the mistake where there is none.
func (f facts) isProperty(name string) bool {
	known := slices.Contains(check.Names(), name)
	if !known {
		f.refuse("there is no property %q; choose one of %s%s", "没有性质 %q：应为 %s 之一%s", name, strings.Join(check.Names(), ", "), lang.DidYouMean(name, check.Names()))
	}
	return known
}
