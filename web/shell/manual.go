package shell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"lockstep/engine/lang"
)

// The headings of the manual, and what only it says.
var (
	manName        = lang.Both("NAME", "名称")
	manSynopsis    = lang.Both("SYNOPSIS", "概要")
	manDescription = lang.Both("DESCRIPTION", "描述")
	manGlobal      = lang.Both("FLAGS OF EVERY COMMAND", "所有命令的选项")
	manCommands    = lang.Both("COMMANDS", "命令")
	manExit        = lang.Both("EXIT STATUS", "退出码")
	manEnvironment = lang.Both("ENVIRONMENT", "环境变量")
	manCodes       = []lang.Text{
		0: lang.Both("All is well: expectations are met, a property holds.", "一切正常：期望均满足，性质成立。"),
		1: lang.Both("An expectation is not met, a property is violated, or a course has mistakes.", "有期望未满足，有性质被违反，或者课程有错误。"),
		2: lang.Both("The input or the command line cannot be read or makes no sense, wherever it came from, or the output cannot be written. Nothing was decided.",
			"输入或命令行（无论来自哪里）无法读取、没有意义，或者输出无法写入。没有结论。"),
		3: lang.Both("No verdict: the budget ran out, the user interrupted the search, or a program cannot be tested.", "没有结论：预算用完，用户中断了搜索，或者程序无法测试。"),
		4: lang.Both("Lockstep itself has a mistake.", "Lockstep 本身有缺陷。"),
	}
	manVariables = lang.Both("Each flag may stand in the variable that is named beside it, such as LOCKSTEP_LANGUAGE=zh. A flag on the command line comes first.",
		"每个选项都可以写在旁边列出的环境变量里，例如 LOCKSTEP_LANGUAGE=zh；命令行上的选项优先。")
)

// manual returns the manual page, for man(7).
func (s *Shell) manual() string {
	var m manual
	fmt.Fprintf(&m, ".TH LOCKSTEP 1 \"\" \"Lockstep %s\"\n.ad l\n", s.vars["version"])
	head := func(t lang.Text) { m.macro("SH", t.In(s.in)) }
	head(manName)
	short, _, _ := strings.Cut(s.Model.Help, "\n")
	m.text(s.Model.Name + " - " + strings.TrimPrefix(short, "Lockstep "))
	head(manSynopsis)
	m.text(s.Model.Name + " [command] [flags]")
	head(manDescription)
	m.paragraphs(s.Model.Help)
	head(manGlobal)
	m.flags(s.Model.Flags)
	head(manCommands)
	for _, c := range s.Model.Children {
		if c.Hidden {
			continue
		}
		m.macro("SS", s.Model.Name+" "+c.Summary())
		m.paragraphs(c.Help)
		m.paragraphs(c.Detail)
		for _, a := range c.Positional {
			m.item(a.Summary(), a.Help)
		}
		m.flags(c.Flags)
	}
	head(manExit)
	for code, says := range manCodes {
		m.item(fmt.Sprint(code), says.In(s.in))
	}
	head(manEnvironment)
	m.text(manVariables.In(s.in))
	return m.String()
}

type manual struct{ strings.Builder }

// text adds a line of text, in which nothing is a request to troff.
func (m *manual) text(line string) {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	m.WriteString(line + "\n")
}

func (m *manual) macro(name, argument string) {
	fmt.Fprintf(m, ".%s \"%s\"\n", name, strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`).Replace(argument))
}

// paragraphs adds text. A paragraph that is indented stays as it is.
func (m *manual) paragraphs(text string) {
	if text = strings.Trim(text, "\n"); text == "" {
		return
	}
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		m.WriteString(".PP\n")
		asIs := strings.HasPrefix(paragraph, " ")
		if asIs {
			m.WriteString(".nf\n")
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			m.text(line)
		}
		if asIs {
			m.WriteString(".fi\n")
		}
	}
}

func (m *manual) item(name, says string) {
	m.WriteString(".TP\n")
	m.macro("B", name)
	m.text(says)
}

func (m *manual) flags(flags []*kong.Flag) {
	for _, f := range slices.DeleteFunc(slices.Clone(flags), func(f *kong.Flag) bool { return f.Hidden }) {
		m.item(f.String(), withVariable(f))
	}
}
