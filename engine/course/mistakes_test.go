package course_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
)

var rewrite = flag.Bool("rewrite", false, "write what is wanted of the courses in testdata/mistakes again")

// The course in testdata/right has no mistake. Each archive in
// testdata/mistakes lays a few files over it and so makes one. The end of the
// archive tells the expected mistake in both languages: the file, the line, and
// the fault. A file whose content is "gone" is deleted.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/mistakes/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	told, played := map[lang.Language][]string{}, 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			played++
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			last := &archive.Files[len(archive.Files)-1]
			if last.Name != "want" {
				t.Fatalf("the last file of the archive is %s", last.Name)
			}
			dir := overlaid(t, archive)
			c := course.Load(dir, "right")
			mistakes := c.Check(explore.Runtime{})
			said := sentences(told, mistakes)
			if len(mistakes) != 1 {
				t.Errorf("Load finds %d mistakes, want one:\n%s", len(mistakes), said)
			}
			if *rewrite {
				last.Data = []byte(said)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if said != string(last.Data) {
				t.Errorf("found\n%swant\n%s", said, last.Data)
			}
			if strings.Contains(string(archive.Comment), "Nothing is left of the course.") {
				if len(c.All()) > 0 {
					t.Error("Load keeps lessons")
				}
				return
			}
			taken(t, c)
		})
	}
	t.Run("warnings", func(t *testing.T) { warnings(t, told) })
	t.Run("files", func(t *testing.T) { mistakesOfFiles(t, told) })
	if played == len(files) && !*rewrite && !t.Failed() {
		everySentence(t, told)
	}
}

// Each archive in testdata/warnings lays a few files over the course in testdata/right, of which nothing warns. The end of
// the archive tells the expected warning in both languages.
func warnings(t *testing.T, told map[lang.Language][]string) {
	files, err := filepath.Glob("testdata/warnings/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		last := &archive.Files[len(archive.Files)-1]
		if last.Name != "want" {
			t.Fatalf("the last file of %s is %s", file, last.Name)
		}
		dir := overlaid(t, archive)
		c := course.Load(dir, "right")
		for _, m := range c.Mistakes {
			t.Errorf("%s: %v", file, m)
		}
		said := sentences(told, c.Warnings)
		if len(c.Warnings) != 1 {
			t.Errorf("%s: Load finds %d warnings, want one:\n%s", file, len(c.Warnings), said)
		}
		if *rewrite {
			last.Data = []byte(said)
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if said != string(last.Data) {
			t.Errorf("%s: found\n%swant\n%s", file, said, last.Data)
		}
	}
}

// overlaid returns the course without a mistake under the files of an archive.
func overlaid(t *testing.T, archive *txtar.Archive) fstest.MapFS {
	t.Helper()
	dir := right(t)
	for _, over := range archive.Files[:len(archive.Files)-1] {
		dir[over.Name] = &fstest.MapFile{Data: over.Data}
		if string(over.Data) == "gone\n" {
			delete(dir, over.Name)
		}
	}
	return dir
}

// right returns the course without a mistake.
func right(t testing.TB) fstest.MapFS {
	t.Helper()
	dir := fstest.MapFS{}
	names, err := fs.Glob(os.DirFS("testdata/right"), "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join("testdata/right", name))
		if err != nil {
			t.Fatal(err)
		}
		dir[name] = &fstest.MapFile{Data: text}
	}
	return dir
}

// sentences returns the sentences about mistakes, one language after the other.
func sentences(told map[lang.Language][]string, mistakes []course.Mistake) string {
	var b strings.Builder
	for _, in := range []lang.Language{lang.English, lang.Chinese} {
		for _, m := range mistakes {
			told[in] = append(told[in], m.Sentence(in))
			fmt.Fprintln(&b, m.Sentence(in))
		}
	}
	return b.String()
}

// taken checks that the first lesson of the course is playable.
func taken(t *testing.T, c *course.Course) {
	t.Helper()
	l := c.Lesson("first")
	if l == nil {
		t.Fatal("Load loses the first lesson, which is right")
	}
	if len(l.Moments) != 2 || len(l.Moments[0].Answers) != 2 || len(l.Challenges) != 1 {
		t.Errorf("Load loses a part of the first lesson, which is right: %+v", l)
	}
}

func TestRight(t *testing.T) {
	c := course.Load(right(t), "right")
	if said := sentences(map[lang.Language][]string{}, append(c.Check(explore.Runtime{}), c.Warnings...)); said != "" {
		t.Fatal(said)
	}
	taken(t, c)
	if own := c.Own(lang.English); own != "own programs: mended (wild), second (second, wild)" {
		t.Errorf("%q", own)
	}
	for in, want := range map[lang.Language]string{
		lang.English: "2 lessons, 1 bug report: 5 moments, 2 predictions and 3 challenges hold",
		lang.Chinese: "2 课、1 份缺陷报告：5 个时刻、2 个预测、3 个挑战全部成立",
	} {
		if said := c.Proved(in); said != want {
			t.Errorf("%q, want %q", said, want)
		}
	}
}

// mistakesOfFiles has the mistakes that no archive can hold: files that are no
// text, and the directory's name.
func mistakesOfFiles(t *testing.T, told map[lang.Language][]string) {
	for _, test := range []struct {
		name   string
		course string
		change func(fstest.MapFS) fs.FS
		want   []string
	}{
		{"listings too large together", "right", func(dir fstest.MapFS) fs.FS {
			dir["course.yaml"].Data = append(dir["course.yaml"].Data, "readings: [use]\n"...)
			dir["lock.go"] = &fstest.MapFile{Data: bytes.Repeat([]byte("No end. "), 20_000)}
			for _, language := range []string{"en", "zh"} {
				dir["use."+language+".md"] = &fstest.MapFile{Data: []byte("---\ntitle: Use\ngoal: Choose.\n---\nWords.\n\n## Which {#which}\n```text lock.go\n```\n\n```text lock.go\n```\n")}
			}
			return dir
		}, []string{
			"use.en.md:11: the listings of a page have at most 262144 bytes",
			"use.zh.md:11: the listings of a page have at most 262144 bytes",
			"use.en.md:11: 一页里的代码清单至多 262144 字节",
			"use.zh.md:11: 一页里的代码清单至多 262144 字节",
		}},
		{"too large", "right", func(dir fstest.MapFS) fs.FS {
			dir["second.en.md"].Data = append(dir["second.en.md"].Data, bytes.Repeat([]byte("No end. "), 40_000)...)
			return dir
		}, []string{
			"course.yaml:11: second.en.md has 320876 bytes, more than 262144",
			"course.yaml:11: second.en.md 有 320876 字节，超过 262144",
		}},
		{"a paragraph too large", "right", func(dir fstest.MapFS) fs.FS {
			dir["second.en.md"].Data = append(dir["second.en.md"].Data, "\n"+strings.Repeat("[a](", 60_000)...)
			return dir
		}, []string{
			"second.en.md:55: a paragraph has at most 8192 bytes: leave a line blank in between",
			"second.en.md:55: 一个段落至多 8192 字节：请在中间空一行",
		}},
		{"a paragraph of too many lines", "right", func(dir fstest.MapFS) fs.FS {
			dir["second.en.md"].Data = append(dir["second.en.md"].Data, "\n"+strings.Repeat("1234567\n", 1025)...)
			return dir
		}, []string{
			"second.en.md:1079: a paragraph has at most 8192 bytes: leave a line blank in between",
			"second.en.md:1079: 一个段落至多 8192 字节：请在中间空一行",
		}},
		{"nested too deep", "right", func(dir fstest.MapFS) fs.FS {
			dir["second.en.md"].Data = append(dir["second.en.md"].Data, "\n"+strings.Repeat("> ", 14)+"- 1.\n\n\t>* 2) "+strings.Repeat(">", 14)+"deep\n"...)
			return dir
		}, []string{
			"second.en.md:57: lists and quotations are nested at most 16 deep",
			"second.en.md:57: 列表和引用至多嵌套 16 层",
		}},
		{"a table of too many columns", "right", func(dir fstest.MapFS) fs.FS {
			dir["second.en.md"].Data = append(dir["second.en.md"].Data, "\n"+table(33, 0)...)
			return dir
		}, []string{
			"second.en.md:55: the tables of a page have at most 32 columns and 2000 cells together",
			"second.en.md:55: 一页里的表格至多 32 列，合计至多 2000 个单元格",
		}},
		{"tables of too many cells", "right", func(dir fstest.MapFS) fs.FS {
			dir["second.en.md"].Data = append(dir["second.en.md"].Data, "\n"+table(32, 30)+"\n"+table(32, 30)+"\n> * "+strings.ReplaceAll(table(8, 0), "\n|", "\n>   |")...)
			return dir
		}, []string{
			"second.en.md:121: the tables of a page have at most 32 columns and 2000 cells together",
			"second.en.md:121: 一页里的表格至多 32 列，合计至多 2000 个单元格",
		}},
		{"one address again and again", "right", func(dir fstest.MapFS) fs.FS {
			dir["second.en.md"].Data = append(dir["second.en.md"].Data, "\n[a]: https://"+strings.Repeat("a", 8000)+"\n\n"+strings.Repeat("[a]\n", 100)...)
			return dir
		}, []string{
			"second.en.md:89: links and headings of columns repeat more than 262144 bytes in this page",
			"second.en.md:89: 这一页里的链接和表头重复展开后超过 262144 字节",
		}},
		{"a file of the author's own", "right", func(dir fstest.MapFS) fs.FS {
			dir[".env"] = &fstest.MapFile{Data: []byte("SECRET=1")}
			dir["course.yaml"].Data = append(dir["course.yaml"].Data, "readings: [use]\n"...)
			for _, language := range []string{"en", "zh"} {
				dir["use."+language+".md"] = &fstest.MapFile{Data: []byte("---\ntitle: Use\ngoal: Choose.\n---\nWords.\n\n## Which {#which}\n```text .env\n```\n\n```text more/.git/config\n```\n")}
			}
			return dir
		}, []string{
			"use.en.md:8: .env is hidden: a course has no such file",
			"use.en.md:11: more/.git/config is hidden: a course has no such file",
			"use.zh.md:8: .env is hidden: a course has no such file",
			"use.zh.md:11: more/.git/config is hidden: a course has no such file",
			"use.en.md:8: .env 是隐藏文件：课程里没有这样的文件",
			"use.en.md:11: more/.git/config 是隐藏文件：课程里没有这样的文件",
			"use.zh.md:8: .env 是隐藏文件：课程里没有这样的文件",
			"use.zh.md:11: more/.git/config 是隐藏文件：课程里没有这样的文件",
		}},
		{"lists too long", "right", func(dir fstest.MapFS) fs.FS {
			dir["second.en.md"].Data = append(dir["second.en.md"].Data, "\n- a\n\n  - b\n\n"+strings.Repeat("\n", 20_000)+"c\n"...)
			return dir
		}, []string{
			"second.en.md:20055: lists and quotations have at most 20000 lines in a page, nested ones counted as often as they are nested",
			"second.en.md:20055: 一页里的列表和引用合计至多 20000 行，嵌套几层就算几次",
		}},
		{"no text", "right", func(dir fstest.MapFS) fs.FS {
			dir["second.zh.md"].Data = append(dir["second.zh.md"].Data, 0xff)
			return dir
		}, []string{
			"course.yaml:11: second.zh.md is not UTF-8 text",
			"course.yaml:11: second.zh.md 不是 UTF-8 文本",
		}},
		{"a directory", "right", func(dir fstest.MapFS) fs.FS {
			dir["second.en.md/more.md"] = &fstest.MapFile{}
			delete(dir, "second.en.md")
			return dir
		}, []string{
			"course.yaml:11: second.en.md is no file",
			"course.yaml:11: second.en.md 不是文件",
		}},
		{"a device", "right", func(dir fstest.MapFS) fs.FS {
			dir["sources.yaml"].Mode = fs.ModeDevice
			return dir
		}, []string{
			"sources.yaml: sources.yaml is no file",
			"sources.yaml: sources.yaml 不是文件",
		}},
		{"not to be read", "right", func(dir fstest.MapFS) fs.FS {
			return unreadable{dir, "second.zh.md"}
		}, []string{
			"course.yaml:11: second.zh.md cannot be read: open second.zh.md: permission denied",
			"course.yaml:11: 无法读取 second.zh.md：open second.zh.md: permission denied",
		}},
		{"the directory's name", "My course", func(dir fstest.MapFS) fs.FS { return dir }, []string{
			`.: a course's directory is named with at most 64 small letters, digits and dashes, not "My course"`,
			`.: 课程目录的名字由至多 64 个小写字母、数字和连字符组成，不能是 "My course"`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := course.Load(test.change(right(t)), test.course)
			if said := strings.Split(strings.TrimSpace(sentences(told, c.Mistakes)), "\n"); !slices.Equal(said, test.want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(test.want, "\n"))
			}
			taken(t, c)
		})
	}
}

// table returns a table with that many columns and rows below its heading. Of each row it writes one cell.
func table(columns, rows int) string {
	return strings.Repeat("|a", columns) + "|\n" + strings.Repeat("|-", columns) + "|\n" + strings.Repeat("|b\n", rows)
}

// unreadable is a directory with one file that nobody may read.
type unreadable struct {
	fstest.MapFS
	name string
}

func (u unreadable) ReadFile(name string) ([]byte, error) {
	if name == u.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("permission denied")}
	}
	return u.MapFS.ReadFile(name)
}

// A proof may be too large. The test spends no budget on it.
func TestTooLarge(t *testing.T) {
	defer func(was explore.Budget) { course.Budget = was }(course.Budget)
	course.Budget = explore.Budget{States: 10}
	said := sentences(map[lang.Language][]string{}, course.Load(right(t), "right").Check(explore.Runtime{}))
	for _, want := range []string{
		"first.en.md:22: overlap is too large a question to be proved: ",
		"first.en.md:22: 关于 overlap 的问题太大，无法证明：",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing says %q:\n%s", want, said)
		}
	}
}

// elsewhere lists sentences that no course can provoke here, and why.
var elsewhere = map[string]string{
	"%s is too large a question to be proved: %d states were not all":                                      "TestTooLarge",
	"the scenarios of the course take too long: no further one is played":                                  "TestLoadingACourseHasABound",
	"%s is a link that leads nowhere in the course":                                                        "TestLinksAndPipes",
	"%s is not read: the files of a course have at most %d bytes, those that it names twice counted twice": "TestACourseHasBounds",
	"the pages of the course take too long to read: no further one is read":                                "TestPagesCountAsWork",
	"a text here has at most %d letters":                                                                   "TestACourseHasBounds",
	"there are more mistakes: they are not listed":                                                         "the same",
	"there are %d entries here, more than %d: the others are not read":                                     "the same",
	"the shortest way does not count: %s":                                                                  "the explorer and the judge would have to disagree: TestChallenges",
	"the shortest way counts %d actions, not %d":                                                           "the same",
}

// everySentence looks for each sentence of the source among the reported ones,
// in both languages.
func everySentence(t *testing.T, told map[lang.Language][]string) {
	for _, file := range []string{"load.go", "load_lesson.go", "load_challenge.go", "load_question.go", "reading.go", "warn.go", "card.go", "facts.go", "page.go", "sources.go", "playlist.go", "check.go", "challenge.go"} {
		for _, pair := range sentencesOf(t, file) {
			if elsewhere[pair[0]] != "" || pair[0] == "%s" {
				continue
			}
			english, chinese := pattern(pair[0]), pattern(pair[1])
			found := false
			for i := range told[lang.English] {
				found = found || english.MatchString(told[lang.English][i]) && chinese.MatchString(told[lang.Chinese][i])
			}
			if !found {
				t.Errorf("%s: no test provokes %q and %q", file, pair[0], pair[1])
			}
		}
	}
}

// sentencesOf returns the pairs of texts in the calls that refuse something.
func sentencesOf(t *testing.T, file string) (pairs [][2]string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for i := range call.Args {
			if i == 0 {
				continue
			}
			english, ok := literal(call.Args[i-1])
			chinese, also := literal(call.Args[i])
			if name := called(call); ok && also && slices.Contains([]string{"refuse", "wrong", "Refuse", "warn", "note", "lacks"}, name) {
				pairs = append(pairs, [2]string{english, chinese})
			}
		}
		return true
	})
	if len(pairs) == 0 {
		t.Errorf("%s refuses nothing", file)
	}
	return pairs
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil && text != "."
}

// pattern returns an expression that matches a format with any arguments.
func pattern(format string) *regexp.Regexp {
	verb := regexp.MustCompile(`%(\[\d\])?[sdq]`)
	parts := verb.Split(format, -1)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`^[^ ]*: (?:warning: |警告：)?` + strings.Join(parts, `.*`) + `$`)
}

// Files that other editors write: a byte order mark at the beginning, and lines that end with CR LF.
func TestFilesOfOtherEditors(t *testing.T) {
	dir := right(t)
	for _, name := range slices.Sorted(maps.Keys(dir)) {
		dir[name].Data = append([]byte("\ufeff"), bytes.ReplaceAll(dir[name].Data, []byte("\n"), []byte("\r\n"))...)
	}
	c := course.Load(dir, "right")
	if said := sentences(map[lang.Language][]string{}, c.Mistakes); said != "" {
		t.Fatal(said)
	}
	plain := course.Load(right(t), "right")
	for i, l := range c.All() {
		if a, b := fmt.Sprint(l.Lead, l.Goal, l.On), fmt.Sprint(plain.All()[i].Lead, plain.All()[i].Goal, plain.All()[i].On); a != b {
			t.Errorf("Load reads %s as\n%q, not as\n%q", l.Name, a, b)
		}
	}
}
