package shell

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"lockstep/engine/cli"
	"lockstep/engine/lang"
)

// mistakes are what kong and the mappers say, and the same in both languages. A pattern takes what the expression has found.
var mistakes = []struct {
	said             *regexp.Regexp
	english, chinese string
}{
	{regexp.MustCompile(`^unknown flag (\S+)$`), "unknown flag %s", "没有选项 %s"},
	{regexp.MustCompile(`^unknown flag (\S+), did you mean (?:one of )?(.*)\?$`), "unknown flag %s; did you mean %s?", "没有选项 %s；是不是想写 %s？"},
	{regexp.MustCompile(`^unexpected argument (.*?)(?:, did you mean .*)?$`), "unexpected argument %s", "多余的参数 %s"},
	{regexp.MustCompile(`^unexpected flag argument (".*")$`), "this flag takes no value, but has %s", "这个选项不带值，却有 %s"},
	{regexp.MustCompile(`^missing flags: (.*)$`), "missing: %s", "缺少 %s"},
	{regexp.MustCompile(`^(?:expected (?:one of )?|missing positional arguments )"?(.*?)"?$`), "missing: %s", "缺少 %s"},
	{regexp.MustCompile(`^(\S+|\[<.*>\]) must be one of (.*) but got (".*")$`), "%s must be one of %s but got %s", "%s 应为 %s 之一，而不是 %s"},
	{regexp.MustCompile(`^(\S+): bool value must be .* but got (".*")$`), "%s: %s is neither true nor false", "%s：%s 既不是 true 也不是 false"},
	{regexp.MustCompile(`^(\S+): expected \S+ value but got "EOL" \(.*`), "%s: a value is missing", "%s：缺少值"},
	{regexp.MustCompile(`^(\S+): expected \S+ value but got (".*?") \(.*\)(?:; perhaps try .*\?)?$`), "%s: a value is missing: %s is a flag", "%s：缺少值：%s 是选项"},
	{regexp.MustCompile(`^(\S+): expected "<key>=<value>" but got (".*")$`), "%s: %s is not of the form KEY=VALUE", "%s：%s 的形式应为 KEY=VALUE"},
	{regexp.MustCompile(`^(\S+): a value is missing$`), "%s: a value is missing", "%s：缺少值"},
	{regexp.MustCompile(`^(\S+): (".*") is not a whole number$`), "%s: %s is not a whole number", "%s：%s 不是整数"},
	{regexp.MustCompile(`^(\S+): (".*") is not a length of time such as 1s or 500ms$`), "%s: %s is not a length of time such as 1s or 500ms", "%s：%s 不是 1s、500ms 这样的时长"},
	{regexp.MustCompile(`^(\S+): slog: level string (".*"): .*$`), "%s: %s is none of debug, info, warn and error", "%s：%s 应为 debug、info、warn、error 之一"},
	{regexp.MustCompile(`^(--\S+) and (--\S+) can't be used together$`), "give one of %s and %s, not both", "%s 和 %s 只能给一个"},
	{regexp.MustCompile(`^flag (--\S+) applies to the default command "(.*)", not "(.*)"$`), "%s is a flag of %s, not of %s", "%s 是 %s 的选项，不是 %s 的"},
	{regexp.MustCompile(`^(\S+): (".*") exists but is not a directory$`), "%s: %s is not a directory", "%s：%s 不是目录"},
}

var fromEnvironment = regexp.MustCompile(`^(.*) \(from envar (\w+)=(".*")\)$`)

// mistake returns what is wrong with a command line, in the shell's language.
func (s *Shell) mistake(err error, arguments []string) error {
	said, from := err.Error(), ""
	if found := fromEnvironment.FindStringSubmatch(said); found != nil {
		said = found[1]
		from = lang.Format(" (it stands in the environment: %s=%s)", "（来自环境变量：%s=%s）", found[2], found[3]).In(s.in)
	}
	if name, ok := strings.CutPrefix(said, "unexpected argument "); ok && !slices.Contains(arguments, s.Model.DefaultCmd.Name) && !slices.ContainsFunc(s.names(), func(n string) bool { return slices.Contains(arguments, n) }) {
		return s.errNoCommand(name)
	}
	for _, m := range mistakes {
		found := m.said.FindStringSubmatch(said)
		if found == nil {
			continue
		}
		parts := make([]any, len(found)-1)
		for i, part := range found[1:] {
			parts[i] = part
		}
		return errors.New(fmt.Sprintf(lang.Both(m.english, m.chinese).In(s.in), parts...) + from)
	}
	// A command has refused its flags. In front of its sentence may stand the flag; kong puts the command there.
	before, _, ok := strings.Cut(said, cli.Said(err, lang.English).Error())
	if at := strings.Index(before, "--"); ok && at >= 0 {
		before = before[at:]
	} else {
		before = ""
	}
	return errors.New(before + cli.Said(err, s.in).Error() + from)
}
