package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A Format is a way to write a run down.
type Format struct {
	Name      string // as the command line takes it
	Extension string // of a file, without its first dot
	MediaType string
	lang.Text // what it is for, one sentence

	write func(out *bufio.Writer, t *engine.Trace)
}

// Formats lists every format, in the order of the menus.
var Formats = []Format{
	{"scenario", "txt", "text/plain; charset=utf-8",
		lang.Both("The run as text that Lockstep plays again.", "运行的场景文本，Lockstep 可以原样重放。"), writeScenario},
	{"json", "json", "application/json",
		lang.Both("Everything about the run in one object, for programs of your own.", "运行的全部内容，一个 JSON 对象，供你自己的程序读取。"), writeJSON},
	{"ndjson", "ndjson", "application/x-ndjson",
		lang.Both("The same, an event a line, for jq and grep.", "内容相同，每行一个事件，方便用 jq 和 grep 处理。"), writeNDJSON},
	{"mermaid", "mmd", "text/vnd.mermaid; charset=utf-8",
		lang.Both("A sequence diagram for Markdown, wikis and slides.", "时序图，可直接放进 Markdown、wiki 和幻灯片。"), writeMermaid},
	{"shiviz", "shiviz.log", "text/plain; charset=utf-8",
		lang.Both("A log with vector clocks, for ShiViz.", "带向量时钟的日志，供 ShiViz 使用。"), writeShiViz},
	{"redis-cli", "redis-cli", "text/plain; charset=utf-8",
		lang.Both("The commands in the order in which Redis executed them, to paste into redis-cli.", "按 Redis 的执行顺序排列的命令，可直接粘贴到 redis-cli。"), writeRedisCLI},
	{"gotest", "go", "text/x-go; charset=utf-8",
		lang.Both("A Go test that sends the same commands to a real Redis and checks every reply.", "一个 Go 测试：把同样的命令发给真实的 Redis，并检查每一条回复。"), writeGoTest},
}

// Names returns the names of the formats, in their order.
func Names() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	return names
}

// Write writes a run in the format with a name. It returns an error when there is no such format, or w's error.
func Write(w io.Writer, format string, t *engine.Trace) error {
	for _, f := range Formats {
		if f.Name == format {
			out := bufio.NewWriter(w)
			f.write(out, t)
			return out.Flush()
		}
	}
	return fmt.Errorf("there is no format %q; expected one of %s", format, strings.Join(Names(), ", "))
}

func writeScenario(out *bufio.Writer, t *engine.Trace) {
	out.WriteString(t.Scenario.String())
}
