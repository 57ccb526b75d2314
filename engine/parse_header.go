package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// program reads the header: program [NAME] [option=value …] [nodes=N] [within=TIME].
func (p *parser) program(words []word) error {
	if p.header {
		return p.problem(words[0].column, "there is a program line already",
			"已经有 program 行了")
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
				return p.problem(w.column, "nodes=%s is not a number from 1 to %d",
					"nodes=%s 不是 1 到 %d 之间的数", value, MaxNodes)
			}
			h.Nodes = n
			continue
		}
		if value, ok := strings.CutPrefix(w.text, "within="); ok {
			t, ok := ParseDuration(value)
			if !ok || t <= 0 || t > MaxTick {
				return p.problem(w.column, "within=%s is not a length of time in whole milliseconds, such as 30s, up to %s",
					"within=%s 不是以整毫秒计的时长，如 30s，且不超过 %s", value, Duration(MaxTick))
			}
			h.Within = t
			continue
		}
		options = append(options, w)
	}
	var err error
	h.Options, err = p.options(options)
	return err
}

// resolve returns the name of the program that a word names. It reads a program
// in a file.
func (p *parser) resolve(w word) (string, error) {
	name, isFile := strings.CutSuffix(filepath.Base(w.text), ".star")
	if !isFile {
		if !isProgram(w.text) {
			return "", p.problem(w.column, "%q is not a program's name: small letters, digits and dashes, or a file that ends in .star",
				"%q 不是程序名：程序名由小写字母、数字和连字符组成，也可以是以 .star 结尾的文件", w.text)
		}
		return w.text, nil
	}
	if p.load == nil {
		return "", p.problem(w.column, "a program in a file cannot be read here; write it into the scenario with define",
			"这里不能读取文件中的程序；请用 define 把它写进场景文本")
	}
	if p.files[w.text] {
		return name, nil
	}
	for _, own := range p.scenario.Own {
		if own.Name == name {
			return "", p.problem(w.column, "there is a program %s already, and it is not %s",
				"已经有名为 %s 的程序，但不是 %s", name, w.text)
		}
	}
	source, err := p.load(w.text)
	if err != nil {
		return "", p.problem(w.column, "reading the program: %v",
			"读取程序时出错：%v", err)
	}
	own, err := program.Parse(name, source)
	if err != nil {
		return "", p.problem(w.column, "the program does not parse: %v",
			"程序有语法错误：%v", mistakeIn(err))
	}
	p.files[w.text] = true
	return name, p.addOwn(own, w.column)
}

// mistakeIn returns the mistake in a program file, and its place.
func mistakeIn(err error) lang.Text {
	wrong := (*program.Error)(nil)
	if !errors.As(err, &wrong) {
		return lang.Both(err.Error(), err.Error())
	}
	return lang.Both(wrong.Error(), fmt.Sprintf("%s:%d:%d: %s", wrong.Program, wrong.Line, wrong.Column, wrong.Chinese))
}

func (p *parser) addOwn(own *program.Program, column int) error {
	if !isProgram(own.Name) {
		return p.problem(column, "%q is not a program's name: small letters, digits and dashes",
			"%q 不是程序名：程序名由小写字母、数字和连字符组成", own.Name)
	}
	if len(p.scenario.Own) >= MaxOwn {
		return p.problem(column, "a scenario has at most %d programs of its own",
			"场景文本至多自带 %d 个程序", MaxOwn)
	}
	p.scenario.Own = append(p.scenario.Own, own)
	return nil
}

// define begins a program of the scenario's own. Its text follows in lines that begin with |.
func (p *parser) define(words []word) error {
	if len(words) != 2 || !isProgram(words[1].text) {
		return p.problem(words[0].column, "define needs a program's name: small letters, digits and dashes",
			"define 后面应是程序名，由小写字母、数字和连字符组成")
	}
	for _, own := range p.scenario.Own {
		if own.Name == words[1].text {
			return p.problem(words[1].column, "there is a program %s already",
				"已经有名为 %s 的程序", own.Name)
		}
	}
	p.own, p.began = words[1].text, p.line
	p.source.Reset()
	return nil
}

// endBlock ends a program or an effect.
func (p *parser) endBlock() error {
	if err := p.endProgram(); err != nil {
		return err
	}
	return p.endEffect()
}

// endProgram parses the text of the program. It reports mistakes at their
// places in the scenario.
func (p *parser) endProgram() error {
	if p.own == "" {
		return nil
	}
	own, err := program.Parse(p.own, p.source.String())
	if wrong := (*program.Error)(nil); errors.As(err, &wrong) {
		return &Problem{p.file, p.began + max(1, wrong.Line), wrong.Column + len("| "), refuse("program %s: %s", "程序 %s：%s", p.own, wrong.Text)}
	}
	p.own = ""
	return p.addOwn(own, 1)
}

// isProgram reports whether a program may have the name.
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
			return o, p.problem(w.column, "unknown word %q; expected an option such as timeout=10s",
				"%q 无法识别；这里应是选项，如 timeout=10s", w.text)
		}
		if slices.ContainsFunc(words[:i], func(other word) bool { return strings.HasPrefix(other.text, name+"=") }) {
			return o, p.problem(w.column, "%s stands here twice",
				"%s 写了两次", name)
		}
		fields := map[string]*Time{"timeout": &o.Timeout, "retry": &o.Retry, "acquire_timeout": &o.AcquireTimeout, "skew": &o.Skew}
		switch field := fields[name]; {
		case field != nil:
			t, ok := ParseDuration(value)
			if name == "skew" && ok && t == 0 {
				return o, p.problem(w.column, "%s is the default; leave it out",
					"%s 就是默认值，不必写", w.text)
			}
			if !ok || name != "skew" && t <= 0 {
				return o, p.problem(w.column, "%s=%s is not a length of time in whole milliseconds, such as 10s or 250ms",
					"%s=%s 不是以整毫秒计的时长，如 10s 或 250ms", name, value)
			}
			*field = t
		case name == "blocking" && (value == "true" || value == "false"):
			o.Blocking = new(value == "true")
		case name == "blocking":
			return o, p.problem(w.column, "blocking=%s is neither true nor false",
				"blocking=%s 既不是 true 也不是 false", value)
		default:
			return o, p.problem(w.column, "unknown option %q; expected timeout, retry, acquire_timeout, skew or blocking",
				"没有 %q 这个选项；可用的有 timeout、retry、acquire_timeout、skew 和 blocking", name)
		}
	}
	if r := o.check(); r != nil {
		return o, p.refused(words[0].column, r)
	}
	return o, nil
}
