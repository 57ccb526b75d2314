package course

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"lockstep/engine"
)

// wrong notes a mistake at a line of a file; both sentences take the same arguments.
type wrong func(file string, line int, english, chinese string, arguments ...any)

// facts is a piece of YAML that knows where it stands.
type facts struct {
	*yaml.Node
	file   string
	before int // lines of the file before the YAML begins
	wrong  wrong
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// readFacts reads a mapping; nil: it is none, and the mistake is noted.
func readFacts(file, text string, before int, wrong wrong) *facts {
	var document yaml.Node
	f := facts{nil, file, before, wrong}
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		line := 1
		if at := yamlLine.FindStringSubmatch(err.Error()); at != nil && at[1] != "" {
			line, _ = strconv.Atoi(at[1])
		}
		why := yamlLine.ReplaceAllString(err.Error(), "")
		wrong(file, before+line, "this is not YAML: %s", "不是合法的 YAML：%s", why)
		return nil
	}
	if len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		wrong(file, before+1, "expected names and values, such as title: One winner", "应为名字和值，例如 title: 唯一的赢家")
		return nil
	}
	f.Node = document.Content[0]
	return &f
}

func (f facts) line() int { return f.before + f.Node.Line }

func (f facts) refuse(english, chinese string, arguments ...any) {
	f.wrong(f.file, f.line(), english, chinese, arguments...)
}

func (f facts) at(n *yaml.Node) facts { return facts{n, f.file, f.before, f.wrong} }

// entries goes through a mapping in its order.
func (f facts) entries(each func(name string, key, value facts)) {
	if f.Kind != yaml.MappingNode {
		f.refuse("expected names and values below each other", "应为逐行书写的名字和值")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(f.Content); i += 2 {
		key := f.at(f.Content[i])
		if seen[key.Value] {
			key.refuse("%s stands here twice", "%s 重复出现", key.Value)
			continue
		}
		seen[key.Value] = true
		each(key.Value, key, f.at(f.Content[i+1]))
	}
}

// fields goes through a mapping of known names.
func (f facts) fields(known map[string]func(facts)) {
	f.entries(func(name string, key, value facts) {
		if read, ok := known[name]; ok {
			read(value)
			return
		}
		key.refuse("there is no %q here; there are %s", "这里没有 %q；可以有 %s", name, strings.Join(sortedKeys(known), ", "))
	})
}

// text is a value of one piece.
func (f facts) text() string {
	if f.Kind != yaml.ScalarNode {
		f.refuse("expected a text", "应为文本")
		return ""
	}
	return strings.TrimSpace(f.Value)
}

// number is a whole one that is not negative.
func (f facts) number() int {
	n, err := strconv.Atoi(f.text())
	if err != nil || n < 0 {
		f.refuse("expected a whole number, not %q", "应为整数，而不是 %q", f.Value)
		return 0
	}
	return n
}

func (f facts) yes() bool {
	if f.text() != "true" {
		f.refuse("expected true, not %q", "应为 true，而不是 %q", f.Value)
		return false
	}
	return true
}

func (f facts) duration() engine.Time {
	d, ok := engine.ParseDuration(f.text())
	if !ok || d <= 0 {
		f.refuse("expected a length of time such as 1s, not %q", "应为 1s 这样的时长，而不是 %q", f.Value)
	}
	return d
}

// texts are those of a list, or the one there is.
func (f facts) texts(each func(facts)) {
	if f.Kind != yaml.SequenceNode {
		each(f)
		return
	}
	for _, n := range f.Content {
		each(f.at(n))
	}
}

// words are texts by language.
func (f facts) words() Words {
	all := Words{}
	f.entries(func(name string, key, value facts) {
		l, ok := languageNamed(name)
		if !ok {
			key.refuse("%q is not a language: en and zh are", "%q 不是支持的语言：只有 en 和 zh", name)
			return
		}
		all[l] = value.text()
	})
	return all
}

// scenario reads a text as one; its lines are counted in the file.
func (f facts) scenario(load engine.Loader) *engine.Scenario {
	first := f.line() // of the text
	if f.Style == yaml.LiteralStyle || f.Style == yaml.FoldedStyle {
		first++
	}
	s, err := engine.Parse(f.file, f.Value, load)
	if err != nil {
		line := first
		if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
			line, err = first+problem.Line-1, problem.Err
		}
		f.wrong(f.file, line, "%s", "%s", err)
		return nil
	}
	for i := range s.Lines {
		s.Lines[i].Number += first - 1
	}
	return s
}
