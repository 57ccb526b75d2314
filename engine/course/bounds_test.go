package course_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
)

// lesson is a course of one lesson, whose text is given.
func lesson(text string) fstest.MapFS {
	head := "---\ntitle: One\ngoal: See it.\nscenario: |\n  do C1 SETNX k 1\n  # @m\n  do C2 SETNX k 2\n  expect reply C2 0\n---\nLead.\n\n## M {#m}\n"
	return fstest.MapFS{"course.yaml": {Data: []byte("title: {en: One}\nlessons: [one]\n")}, "one.en.md": {Data: []byte(head + text)}}
}

// A course may come from a stranger. What one page takes from memory, and what it gives a browser to read, stay in
// proportion to its 256 KB, whatever its Markdown repeats: cells that no byte stands for, one address in a thousand links,
// one heading in each cell of its column.
func TestAPageHasBounds(t *testing.T) {
	const large = course.MaxFile / 4
	long := "https://" + strings.Repeat("a", 8000)
	fill := func(part string, most int) string { return strings.Repeat(part, most/len(part)) }
	for name, text := range map[string]string{
		"the review's table: 1,000 columns, 2,073 rows": table(1000, 2073),
		"thirty of them":                                 strings.Repeat(table(1000, 2073)+"\n", 30),
		"as many cells as there may be":                  table(32, 61),
		"tables of 32 columns":                           fill(table(32, 3900)+"\n", large),
		"tables of one column":                           fill("a\n-|\n"+strings.Repeat("b\n", 4000)+"\n", large),
		"tables in a list":                               fill("- |a|a\n  |-|-\n"+strings.Repeat("  |\n", 2000)+"\n", large),
		"tables in a quotation":                          fill("> a|a\n> -|-\n"+strings.Repeat(">|\n", 2000)+"\n", large),
		"headings that are none":                         fill(strings.Repeat("|", 4000)+"\n|-|\n\n", large),
		"bars in code, in headings that are none":        fill("|"+strings.Repeat("`\\|`|", 1500)+"\n-|-\n\n", large),
		"bars in code, in a table":                       fill("a|b\n-|-\n"+strings.Repeat("|`\\|`|`\\|`|\n", 600)+"\n", large),
		"one address in all links":                       "[a]: " + long + "\n\n" + fill(strings.Repeat("[a] ", 2000)+"\n\n", large-9000),
		"one title in all links":                         "[a]: https://a '" + strings.Repeat("a", 8000) + "'\n\n" + fill(strings.Repeat("[a] ", 2000)+"\n\n", large-9000),
		"one long name of a link":                        "[" + strings.Repeat("a", 900) + "]: " + "https://a\n\n" + fill("["+strings.Repeat("a", 900)+"] ", 8000) + "\n",
		"paragraphs of brackets":                         fill(strings.Repeat("[", 8000)+"\n\n", large),
		"paragraphs of links that do not end":            fill(strings.Repeat("[a](", 2000)+"\n\n", large),
		"paragraphs of emphasis":                         fill(strings.Repeat("*a **b ", 1100)+"\n\n", large),
		"paragraphs of code marks":                       fill(backticks(8000)+"\n\n", large),
		"lists that lie one in another, line after line": stairs(1000, large),
		"lists thirty deep, and blank lines":             stairs(60, large),
		"references to nothing":                          fill("[a]: b\n", 8000) + "\n" + fill(strings.Repeat("[a][b] ", 1100)+"\n\n", large-8100),
		"headings":                                       fill("##\n\n", large),
		"attributes":                                     fill("## a {"+strings.Repeat(".a ", 2600)+"}\n\n", large),
		"entities":                                       fill(strings.Repeat("&#38;", 1600)+"\n\n", large),
		"HTML":                                           fill(strings.Repeat("<b>", 2700)+"\n\n", large),
		"rules":                                          fill("***\n\n", large),
	} {
		dir := lesson(text)
		var c *course.Course
		size := len(dir["one.en.md"].Data)
		took := testtools.Allocated(func() { c = course.Load(dir, "one") })
		html := 0
		for _, l := range c.All() {
			html += len(l.Lead.English) + len(l.LeadMore.English) + len(l.Moments[0].Text.English) + len(l.Moments[0].More.English)
		}
		said := "no mistake"
		if len(c.Mistakes) > 0 {
			said = c.Mistakes[0].Error()
		}
		t.Logf("%s: %d bytes take %d KB and give %d bytes of HTML: %d mistakes, %.150s", name, size, took>>10, html, len(c.Mistakes), said)
		if most := uint64(16<<20 + 1000*size); took > most || html > 8*course.MaxFile {
			t.Errorf("%s: %d bytes take %d from memory, and give %d of HTML", name, size, took, html)
		}
		if len(c.Mistakes) > 501 || len(c.Warnings) > 501 {
			t.Errorf("%s: %d mistakes and %d warnings are told", name, len(c.Mistakes), len(c.Warnings))
		}
	}
}

// stairs returns items that each lie in the one before, as far as the indent goes, and blank lines within the last.
func stairs(indent, size int) string {
	var b strings.Builder
	for depth := 0; depth <= indent && b.Len() < size/2; depth += 2 {
		fmt.Fprintf(&b, "%*s- a\n\n", depth, "")
	}
	return b.String() + strings.Repeat("\n", size/2)
}

// backticks returns runs of them, each as long as no other.
func backticks(size int) string {
	var b strings.Builder
	for n := 1; b.Len() < size-n; n++ {
		b.WriteString(strings.Repeat("`", n) + " ")
	}
	return b.String()
}

// The bounds of a course together: it tells some hundred mistakes, reads some hundred entries of a list, and reads no more
// bytes from a directory than a course file may have.
func TestACourseHasBounds(t *testing.T) {
	yaml := func(text string) fstest.MapFS {
		return fstest.MapFS{"course.yaml": {Data: []byte("title: {en: One}\n" + text)}}
	}
	pages := fstest.MapFS{"course.yaml": {Data: []byte("title: {en: One}\nreadings: [")}}
	for i := range 65 {
		pages["course.yaml"].Data = fmt.Appendf(pages["course.yaml"].Data, "r%d, ", i)
		pages[fmt.Sprintf("r%d.en.md", i)] = &fstest.MapFile{Data: append([]byte("---\ntitle: T\ngoal: G\n---\n"), bytes.Repeat([]byte("\n"), course.MaxFile-30)...)}
	}
	pages["course.yaml"].Data = append(pages["course.yaml"].Data, ']')
	names := func(n int, pattern string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, pattern, i)
		}
		return b.String()
	}
	deep := yaml("readings: " + strings.Repeat("[", 3000) + strings.Repeat("]", 3000) + "\n")
	for _, test := range []struct {
		name             string
		dir              fstest.MapFS
		english, chinese string // the last mistake
		mistakes         int
	}{
		{"entries", yaml("express: [" + strings.Repeat("a,", 500) + "]\n"), "a stands here twice", "a 重复出现", 500},
		{"too many entries", yaml("express: [" + names(30_000, "a%d,") + "]\n"), "there are 30000 entries here, more than 500: the others are not read", "这里有 30000 项，超过 500 项：其余的没有读取", 501},
		{"too many names", yaml(names(20_000, "a%d: b\n")), "there are 20001 entries here, more than 500: the others are not read", "这里有 20001 项，超过 500 项：其余的没有读取", 501},
		{"too many mistakes", yaml("readings: [" + strings.Repeat("A,", 500) + "]\nexpress: [" + strings.Repeat("a,", 500) + "]\n"), "there are more mistakes: they are not listed", "还有更多错误，没有列出", 501},
		{"a title", yaml("about: {en: " + strings.Repeat("锁", 1000) + "}\n"), "", "", 0},
		{"a title too long", yaml("about: {en: " + strings.Repeat("锁", 1001) + "}\n"), "a text here has at most 1000 letters", "这里的文字至多 1000 个字", 2},
		{"a deep list", deep, "expected a text", "应为文本", 1},
		{"pages too large together", pages, "r64.en.md is not read: the files of a course have at most 16777216 bytes, those that it names twice counted twice", "没有读取 r64.en.md：一门课程的文件合计至多 16777216 字节，引用两次的文件算两次", 2},
	} {
		c := course.Load(test.dir, "one")
		if len(c.Mistakes) != test.mistakes {
			t.Errorf("%s: %d mistakes are told, not %d: %.1000v", test.name, len(c.Mistakes), test.mistakes, c.Mistakes)
		}
		found := test.mistakes == 0
		for _, m := range c.Mistakes {
			found = found || m.Why.Sentence(lang.English) == test.english && m.Why.Sentence(lang.Chinese) == test.chinese
		}
		if !found {
			t.Errorf("%s: nothing says %q and %q; the first mistake: %v", test.name, test.english, test.chinese, c.Mistakes[0])
		}
	}
}

// Each paragraph takes the square of its length. A course that has many long ones is read up to the bound of its work.
func TestPagesCountAsWork(t *testing.T) {
	defer course.SetMostWork(12_000_000)()
	slow := fstest.MapFS{"course.yaml": {Data: []byte("title: {en: One}\nreadings: [a, b]\n")}}
	for _, name := range []string{"a", "b"} {
		slow[name+".en.md"] = &fstest.MapFile{Data: []byte("---\ntitle: T\ngoal: G\n---\nL\n\n## A {#a}\nx\n\n" + strings.Repeat(strings.Repeat("[a]((", 1600)+"\n\n", 3))}
	}
	c := course.Load(slow, "one")
	if len(c.Readings) != 1 || len(c.Mistakes) != 1 || c.Mistakes[0].Error() != "b.en.md:1: the pages of the course take too long to read: no further one is read" ||
		c.Mistakes[0].Sentence(lang.Chinese) != "b.en.md:1: 课程的页面读得太久：后面的不再读取" {
		t.Errorf("%d pages are kept, and the mistakes are %v", len(c.Readings), c.Mistakes)
	}
}
