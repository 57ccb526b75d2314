package shell

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"lockstep/engine/lang"
)

// A dock is a grammar with a command of each kind of flag.
type dock struct {
	Serve site  `cmd:"" default:"withargs" help:"Serve the site." zh:"提供网站。"`
	Load  cargo `cmd:"" help:"Load a ship." zh:"装船。"`
	About
	Globals
}

type site struct {
	Address string `help:"Address." zh:"地址。" default:"localhost"`
}

func (site) Run() error { return nil }

type cargo struct {
	Ship    string            `arg:"" help:"Its name." zh:"船名。" complete:"${ships}"`
	Crates  int               `help:"How many crates, of at most ${most}." zh:"箱数，至多 ${most}。" default:"3" short:"c"`
	Weight  int64             `help:"Weight." zh:"重量。"`
	Wait    time.Duration     `help:"How long to wait." zh:"等多久。"`
	Way     string            `help:"One of ${enum}." zh:"${enum} 之一。" enum:"crane,hand" default:"crane"`
	Into    string            `help:"Where to." zh:"装到哪里。"`
	Marks   map[string]string `help:"Marks." zh:"标记。"`
	Dry     bool              `help:"Only say it." zh:"只说不做。" xor:"how"`
	Fast    bool              `hidden:"" help:"-" zh:"-" xor:"how"`
	Refused bool              `hidden:"" help:"-" zh:"-"`
}

func (cargo) Explain() lang.Text {
	return lang.Both("Slowly:\n\n  one  by one", "慢慢来：\n\n  一个 一个")
}

func (cargo) Run() error { return nil }

func (c *cargo) Validate() error {
	if c.Refused {
		return lang.Errorf("the crane is broken", "起重机坏了")
	}
	return nil
}

// shell returns a shell for a command line, and what it prints.
func shell(t *testing.T, line string) (*Shell, *bytes.Buffer) {
	t.Helper()
	s, err := New(&dock{}, lang.Both("Lockstep works in a dock.", "Lockstep 在码头工作。"), strings.Fields(line),
		kong.Vars{"version": "v7", "most": "9", "ships": "anna,bella"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s.Stdout = &out
	return s, &out
}

// Whatever is wrong with a command line, the sentence says it in the language that the line asks for, wherever it does.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ line, english, chinese string }{
		{"lod anna", "there is no command lod; did you mean load?\nThe commands are serve, load, help, version, completion, man; lockstep help tells what each does.",
			"没有命令 lod；是不是想写 load？\n命令有 serve, load, help, version, completion, man；lockstep help 说明每个命令的用途。"},
		{"dance", "there is no command dance\nThe commands are serve, load, help, version, completion, man; lockstep help tells what each does.",
			"没有命令 dance\n命令有 serve, load, help, version, completion, man；lockstep help 说明每个命令的用途。"},
		{"load anna --crate 1", `unknown flag --crate; did you mean "--crates"?`, `没有选项 --crate；是不是想写 "--crates"？`},
		{"load anna --nosuch", "unknown flag --nosuch", "没有选项 --nosuch"},
		{"load anna bella", "unexpected argument bella", "多余的参数 bella"},
		{"load", "missing: <ship>", "缺少 <ship>"},
		{"load anna --crates many", `--crates: "many" is not a whole number`, `--crates："many" 不是整数`},
		{"load anna --crates", "--crates: a value is missing", "--crates：缺少值"},
		{"load anna --weight 1e3", `--weight: "1e3" is not a whole number`, `--weight："1e3" 不是整数`},
		{"load anna --wait 5", `--wait: "5" is not a length of time such as 1s or 500ms`, `--wait："5" 不是 1s、500ms 这样的时长`},
		{"load anna --way air", `--way must be one of "crane","hand" but got "air"`, `--way 应为 "crane","hand" 之一，而不是 "air"`},
		{"load anna --into", "--into: a value is missing", "--into：缺少值"},
		{"load anna --into --dry", `--into: a value is missing: "--dry" is a flag`, `--into：缺少值："--dry" 是选项`},
		{"load anna --dry=perhaps", `--dry: "perhaps" is neither true nor false`, `--dry："perhaps" 既不是 true 也不是 false`},
		{"load anna --marks x", `--marks: "x" is not of the form KEY=VALUE`, `--marks："x" 的形式应为 KEY=VALUE`},
		{"load anna --dry --fast", "give one of --dry and --fast, not both", "--dry 和 --fast 只能给一个"},
		{"--address x load anna", "--address is a flag of serve, not of load", "--address 是 serve 的选项，不是 load 的"},
		{"load anna --refused", "the crane is broken", "起重机坏了"},
	} {
		for _, l := range []struct{ line, want string }{{c.line, c.english}, {"--language zh " + c.line, c.chinese}, {c.line + " --language=zh", c.chinese}} {
			if strings.HasPrefix(l.line, "--language") && strings.HasPrefix(c.line, "--address") {
				continue // kong names the first flag
			}
			if _, isValue := strings.CutPrefix(l.line, c.line+" --language"); isValue && strings.HasSuffix(c.english, "a value is missing") {
				continue // the flag takes what follows
			}
			s, _ := shell(t, l.line)
			if _, err := s.Command(strings.Fields(l.line)); err == nil || err.Error() != l.want {
				t.Errorf("lockstep %s says\n%v\nwant\n%s", l.line, err, l.want)
			}
		}
	}
}

// A value from the environment is as right or wrong as the same on the command line.
func TestMistakesInTheEnvironment(t *testing.T) {
	t.Setenv("LOCKSTEP_CRATES", "many")
	t.Setenv("LOCKSTEP_LANGUAGE", "zh")
	s, _ := shell(t, "load anna")
	if _, err := s.Command([]string{"load", "anna"}); err == nil || err.Error() != `--crates："many" 不是整数（来自环境变量：LOCKSTEP_CRATES="many"）` {
		t.Error(err)
	}
	s, _ = shell(t, "load anna --language en")
	if _, err := s.Command([]string{"load", "anna", "--language", "en"}); err == nil || err.Error() != `--crates: "many" is not a whole number (it stands in the environment: LOCKSTEP_CRATES="many")` {
		t.Error(err)
	}
	t.Setenv("LOCKSTEP_CRATES", "")
	s, _ = shell(t, "load anna")
	if _, err := s.Command([]string{"load", "anna"}); err != nil {
		t.Error(err)
	}
}

// A number may be negative: whether it makes sense is for the command to say.
func TestNegativeNumbers(t *testing.T) {
	var d dock
	s, err := New(&d, lang.Text{}, nil, kong.Vars{"version": "", "most": "", "ships": ""})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Command(strings.Fields("load anna --crates -1 --wait -2s -c -4 --weight=-7")); err != nil || d.Load.Crates != -4 || d.Load.Wait != -2*time.Second || d.Load.Weight != -7 {
		t.Errorf("%v, %+v", err, d.Load)
	}
}

const helpOfLoad = `Usage: lockstep load <ship> [flags]

Load a ship.

Slowly:

  one  by one

Arguments:
  <ship>    Its name.

Flags:
  -c, --crates=3               How many crates, of at most 9 ($LOCKSTEP_CRATES).
      --weight=INT-64          Weight ($LOCKSTEP_WEIGHT).
      --wait=DURATION          How long to wait ($LOCKSTEP_WAIT).
      --way="crane"            One of crane, hand ($LOCKSTEP_WAY).
      --into=STRING            Where to ($LOCKSTEP_INTO).
      --marks=KEY=VALUE;...    Marks ($LOCKSTEP_MARKS).
      --dry                    Only say it ($LOCKSTEP_DRY).
  -h, --help                   Show this help.
      --language="en"          Language of everything that is said: en, zh
                               ($LOCKSTEP_LANGUAGE).
      --version                Print the version.
`

const chineseHelpOfLoad = `用法：lockstep load <ship> [flags]

装船。

慢慢来：

  一个 一个

参数：
  <ship>    船名。

选项：
  -c, --crates=3               箱数，至多 9 ($LOCKSTEP_CRATES)。
      --weight=INT-64          重量 ($LOCKSTEP_WEIGHT)。
      --wait=DURATION          等多久 ($LOCKSTEP_WAIT)。
      --way="crane"            crane, hand 之一 ($LOCKSTEP_WAY)。
      --into=STRING            装到哪里 ($LOCKSTEP_INTO)。
      --marks=KEY=VALUE;...    标记 ($LOCKSTEP_MARKS)。
      --dry                    只说不做 ($LOCKSTEP_DRY)。
  -h, --help                   显示本帮助。
      --language="en"          输出的语言：en, zh ($LOCKSTEP_LANGUAGE)。
      --version                打印版本。
`

// A command's help is made of its flags, in either language. lockstep help COMMAND and COMMAND --help are the same.
func TestHelp(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	for line, want := range map[string]string{"help load": helpOfLoad, "help load --language zh": chineseHelpOfLoad, "--language zh help load": chineseHelpOfLoad} {
		s, out := shell(t, line)
		command, err := s.Command(strings.Fields(line))
		if err == nil {
			err = command.Run()
		}
		if err != nil || out.String() != want {
			t.Errorf("lockstep %s: %v\n%s\nwant\n%s", line, err, out, want)
		}
	}
	s, out := shell(t, "load --help")
	ended := errors.New("ended")
	s.Exit = func(int) { panic(ended) }
	func() {
		defer func() {
			if r := recover(); r != ended {
				t.Error(r)
			}
		}()
		_, _ = s.Command([]string{"load", "--help"})
	}()
	if out.String() != helpOfLoad {
		t.Errorf("load --help is\n%s", out)
	}
	s, _ = shell(t, "help lod")
	command, err := s.Command([]string{"help", "lod"})
	if err == nil {
		err = command.Run()
	}
	if err == nil || !strings.HasPrefix(err.Error(), "there is no command lod; did you mean load?\n") {
		t.Error(err)
	}
}

// Chinese has no spaces to break a line at, and its marks stay with their words.
func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"unbreakable it", 5, []string{"unbreakable", "it"}},
		{"租约过期，别人进来。", 8, []string{"租约过", "期，别人", "进来。"}},
		{"见（附录）", 4, []string{"见", "（附", "录）"}},
		{"用 SET NX 加锁", 8, []string{"用 SET", "NX 加锁"}},
	} {
		if got := wrapped(c.text, c.columns); !slices.Equal(got, c.want) {
			t.Errorf("%s in %d columns: %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}

// What may come next is what the model has in that place; nothing stands for the name of a file.
func TestCandidates(t *testing.T) {
	for words, want := range map[string]string{
		"":                         "serve load help version completion man",
		"lo":                       "load",
		"load ":                    "anna bella",
		"load b":                   "bella",
		"load anna ":               "",
		"load --cr":                "--crates",
		"load --w":                 "--wait --way --weight",
		"load --way ":              "crane hand",
		"load --way=h":             "--way=hand",
		"load --way = h":           "hand",
		"load --into ":             "",
		"load --crates 3 ":         "anna bella",
		"load -c 3 ":               "anna bella",
		"load --dry ":              "anna bella",
		"--language z":             "zh",
		"--language zh l":          "load",
		"--addr":                   "--address",
		"help l":                   "load",
		"completion ":              "bash zsh fish",
		"load -- b":                "",
		"load --refu":              "",
		"load --language zh anna ": "",
	} {
		s, _ := shell(t, "")
		var got []string
		for _, c := range s.candidates(strings.Split(words, " ")) {
			got = append(got, c.word)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("behind %q may come %q, want %s", words, got, want)
		}
	}
}

// The manual has every command and flag, and nothing in it is a request to troff but what it means as one.
func TestManual(t *testing.T) {
	s, _ := shell(t, "")
	text := s.manual()
	for _, want := range []string{".SH NAME\nlockstep \\- works in a dock.\n", ".SS \"lockstep load <ship> [flags]\"\n", ".B \"\\-c, \\-\\-crates=3\"\nHow many crates, of at most 9 ($LOCKSTEP_CRATES).\n", "one  by one\n.fi\n", ".SH \"EXIT STATUS\"\n"} {
		if !strings.Contains(strings.ReplaceAll(text, ".SH \"NAME\"", ".SH NAME"), want) {
			t.Errorf("the manual lacks %q:\n%s", want, text)
		}
	}
	var m manual
	m.text(`.so /etc/passwd`)
	m.text(`'\n`)
	if got := m.String(); got != "\\&.so /etc/passwd\n\\&'\\en\n" {
		t.Errorf("%q", got)
	}
}

// A local build says its commit and date; a release has its tag.
func TestVersion(t *testing.T) {
	build := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "unknown"},
		{build("v1.4.0"), "v1.4.0"},
		{build("(devel)"), "(devel)"},
		{build("(devel)", "vcs.revision", "c524d135ba0e3f8e", "vcs.time", "2026-11-27T21:50:09Z", "vcs.modified", "false"), "(devel), commit c524d135ba0e of 2026-11-27"},
		{build("v1.4.0", "vcs.revision", "c524", "vcs.time", "2026-11-27T21:50:09Z", "vcs.modified", "true"), "v1.4.0, commit c524 of 2026-11-27, with changes that are not committed"},
	} {
		if got := Version(c.info); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A test's own output is open, whatever it is. TestCommandLine closes that of the whole program.
func TestAnOpenOutputIsUsed(t *testing.T) {
	for _, flag := range []int{os.O_WRONLY, os.O_RDWR} {
		null, err := os.OpenFile(os.DevNull, flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer null.Close()
		if Output(null) != io.Writer(null) {
			t.Errorf("/dev/null, opened with %d, counts as closed", flag)
		}
	}
	if _, err := (nowhere{}).Write(nil); !errors.As(err, new(*lang.Error)) {
		t.Error(err)
	}
}
