package shell

import (
	"errors"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"lockstep/engine/lang"
)

// Globals are the flags that stand before a command or after it.
type Globals struct {
	Language lang.Language    `help:"Language of everything that is said: ${enum}." zh:"输出的语言：${enum}。" enum:"en,zh" default:"en"`
	Version  kong.VersionFlag `help:"Print the version." zh:"打印版本。" env:"-"`
}

// A Shell knows the commands.
type Shell struct {
	*kong.Kong
	in   lang.Language
	vars kong.Vars
}

// New returns a shell with the commands of a grammar, which speaks the language that the arguments ask for.
func New(grammar any, description lang.Text, arguments []string, vars kong.Vars) (*Shell, error) {
	for _, variable := range os.Environ() { // an empty one counts as none
		if name, ok := strings.CutSuffix(variable, "="); ok && strings.HasPrefix(name, "LOCKSTEP_") {
			_ = os.Unsetenv(name)
		}
	}
	s := &Shell{in: Language(arguments, os.Getenv("LOCKSTEP_LANGUAGE")), vars: vars}
	k, err := kong.New(grammar, kong.Name("lockstep"), kong.Description(description.In(s.in)), kong.DefaultEnvars("LOCKSTEP"), vars,
		kong.Help(s.help), numbers, lengths, longNumbers, kong.Bind(s))
	if err != nil {
		return nil, err
	}
	s.Kong = k
	s.translate(k.Model.Node)
	k.Model.HelpFlag.Help = lang.Both("Show this help.", "显示本帮助。").In(s.in)
	return s, nil
}

// Language returns the language that arguments ask for, before a word of them is understood, as what is said about a mistake in
// them is in that language, too. environment is the value of LOCKSTEP_LANGUAGE.
func Language(arguments []string, environment string) lang.Language {
	in := environment
	for i, a := range arguments {
		if a == "--" {
			break
		}
		if value, ok := strings.CutPrefix(a, "--language="); ok {
			in = value
		} else if a == "--language" && i+1 < len(arguments) {
			in = arguments[i+1]
		}
	}
	if l, ok := lang.Named(in); ok {
		return l
	}
	return lang.English
}

// In returns the language in which the shell speaks.
func (s *Shell) In() lang.Language { return s.in }

// Command returns the command that arguments name. Its error is a sentence in the shell's language.
func (s *Shell) Command(arguments []string) (*kong.Context, error) {
	command, err := s.Parse(arguments)
	if err == nil {
		return command, nil
	}
	return nil, s.mistake(err, arguments)
}

// translate puts the help into the shell's language.
func (s *Shell) translate(node *kong.Node) {
	_ = kong.Visit(node, func(v kong.Visitable, next kong.Next) error {
		switch v := v.(type) {
		case *kong.Node:
			if zh := v.Tag.Get("zh"); zh != "" && s.in == lang.Chinese {
				v.Help = zh
			}
			if explained, ok := v.Target.Addr().Interface().(explained); ok {
				v.Detail = explained.Explain().In(s.in)
			}
		case *kong.Value:
			s.translateValue(v)
		case *kong.Flag:
			s.translateValue(v.Value)
		}
		return next(nil)
	})
}

func (s *Shell) translateValue(v *kong.Value) {
	if zh := v.Tag.Get("zh"); zh != "" && s.in == lang.Chinese {
		v.Help = s.expand(zh, v)
	}
	if v.Enum != "" { // with spaces between the words, at which a line may end
		v.Help = strings.Replace(v.Help, v.Enum, strings.ReplaceAll(v.Enum, ",", ", "), 1)
	}
}

// expand fills the variables of a tag in.
func (s *Shell) expand(text string, v *kong.Value) string {
	return os.Expand(text, func(name string) string {
		switch name {
		case "enum":
			return v.Enum
		case "default":
			return v.Default
		}
		return s.vars[name]
	})
}

// An explained command has more to say about itself than its help does.
type explained interface{ Explain() lang.Text }

// errNoCommand is what a command line says that names none of the commands.
func (s *Shell) errNoCommand(name string) error {
	names := s.names()
	return errors.New(lang.Format("there is no command %s%s\nThe commands are %s; lockstep help tells what each does.",
		"没有命令 %s%s\n命令有 %s；lockstep help 说明每个命令的用途。", name, lang.DidYouMean(name, names), strings.Join(names, ", ")).In(s.in))
}

// names lists the commands that a person types.
func (s *Shell) names() (names []string) {
	for _, c := range s.Model.Children {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}
