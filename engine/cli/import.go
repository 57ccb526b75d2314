package cli

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/monitor"
)

// Import writes the log of a real Redis as a scenario, or reports what it tells about locks.
type Import struct {
	File     string        `arg:"" optional:"" help:"What redis-cli MONITOR printed, a recording, an AOF with timestamps, what SLOWLOG GET printed, or OpenTelemetry spans as JSON; - reads standard input." zh:"redis-cli MONITOR 的输出，或录制文件；- 表示读取标准输入。"`
	Node     []string      `help:"The log of one node of a Redlock; give it for each node, with --node A=one.log --node B=two.log --node C=three.log, in place of a log. A lock is then what a majority of the nodes grants." zh:"Redlock 一个节点的日志；每个节点写一次，例如 --node A=one.log --node B=two.log --node C=three.log，代替单个日志。这时由多数节点让谁得到，锁才归谁。" placeholder:"NAME=LOG" sep:"none"`
	Report   bool          `help:"Read the whole log, and report who held which lock when, and what went wrong. The exit code is 1 where something was found. --key, --db and --lines choose what is reported." zh:"读取整个日志，报告谁在什么时候持有哪把锁、哪里出了错；发现问题时退出码为 1。--key、--db、--lines 选取要报告的部分。"`
	JSON     bool          `name:"json" help:"Report for a program, with --report or without." zh:"以程序可读的形式报告，不必再写 --report。" xor:"form"`
	HTML     bool          `name:"html" help:"Report as a page, with bars of who held what when, with --report or without." zh:"报告为网页，用条形图画出谁在什么时候持有什么，不必再写 --report。" xor:"form"`
	Around   string        `help:"Import what happened around this time, such as 21:50:09.9 (UTC), 05:50:09+08:00 or 2026-11-27T21:50:09Z, and not the first finding." zh:"导入这个时刻（例如 21:50:09.9（UTC）、05:50:09+08:00 或 2026-11-27T21:50:09Z）前后发生的事，而不是第一个发现。" placeholder:"TIME" xor:"window"`
	Lines    string        `help:"Import these lines of the log." zh:"导入日志的这些行。" placeholder:"FIRST:LAST" xor:"window"`
	Key      []string      `help:"Import only the commands on this key; give it several times for several keys." zh:"只导入这个键上的命令；可以多次给出。" placeholder:"KEY" sep:"none"`
	DB       *int          `name:"db" help:"Import only this database." zh:"只导入这个数据库。" placeholder:"N"`
	Redact   bool          `help:"Replace keys, values and addresses by short names, so that the result can be shared. Times and line numbers stay." zh:"用短名代替键、值和地址，便于分享；时间和行号保留。"`
	Language lang.Language `kong:"-"` // of the Host
}

// Run prints the scenario, or the report.
func (c *Import) Run(h *Host) error {
	c.Language = h.Language
	if err := c.sources(); err != nil {
		return Said(err, c.Language)
	}
	if len(c.Node) > 0 {
		return c.nodes(h)
	}
	open := func() (io.ReadCloser, error) { return h.Open(c.File) }
	if c.File == "-" {
		if c.Report || c.JSON || c.HTML {
			return c.report(h, h.In)
		}
		text, err := spooled(h.In)
		if err != nil {
			return Said(err, c.Language)
		}
		open = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	}
	if c.Report || c.JSON || c.HTML {
		file, err := open()
		if err != nil {
			return err
		}
		defer file.Close()
		return c.report(h, file)
	}
	w := monitor.Window{Options: monitor.Options{Keys: c.Key, DB: c.DB, Redact: c.Redact}, At: c.Around}
	if err := c.lines(&w); err != nil {
		return Said(err, c.Language)
	}
	log, _, err := monitor.Cut(open, w)
	if err != nil {
		return Said(err, c.Language)
	}
	if _, err := io.WriteString(h.Out, log.Scenario(c.Language).String()); err != nil {
		return fmt.Errorf("printing the scenario: %w", err)
	}
	return nil
}

// maxSpool is how much of standard input import reads: it reads a log several times.
const maxSpool = 256 << 20

func spooled(in io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxSpool+1))
	if len(text) > maxSpool {
		return nil, engine.Refuse("standard input is longer than %d MB: give the log as a file", "标准输入超过 %d MB，请以文件给出日志", maxSpool>>20)
	}
	return text, err
}

// lines reads --lines.
func (c *Import) lines(w *monitor.Window) error {
	if c.Lines == "" {
		return nil
	}
	first, last, _ := strings.Cut(c.Lines, ":")
	var wrong, alsoWrong error
	w.First, wrong = strconv.Atoi(first)
	w.Last, alsoWrong = strconv.Atoi(last)
	if wrong != nil || alsoWrong != nil || w.First < 1 {
		return engine.Refuse("--lines takes two numbers, such as 1200:1300", "--lines 需要两个行号，例如 1200:1300")
	}
	if w.Last < w.First {
		return engine.Refuse("--lines takes the first line before the last one: %d:%d", "--lines 先写起始行，再写结束行：%d:%d", w.Last, w.First)
	}
	return nil
}

// report prints what the whole log tells about locks.
func (c *Import) report(h *Host, in io.Reader) error {
	w := monitor.Window{}
	if err := c.lines(&w); err != nil {
		return Said(err, c.Language)
	}
	if c.Around != "" {
		return Said(engine.Refuse("--around chooses a scenario; a report takes --lines", "--around 用于选取场景；报告请用 --lines"), c.Language)
	}
	account, err := monitor.InvestigateOnly(in, monitor.Only{Keys: c.Key, DB: c.DB, First: w.First, Last: w.Last})
	if err != nil {
		return Said(err, c.Language)
	}
	if c.File != "-" {
		account.File = c.File
	}
	return c.print(h, account, account.Found)
}

// An account is what a report is written of.
type account interface {
	Redact()
	WriteText(io.Writer, lang.Language) error
	WriteJSON(io.Writer, lang.Language) error
	WriteHTML(io.Writer, lang.Language) error
}

// print prints a report, and returns an error if it has findings.
func (c *Import) print(h *Host, a account, found int) error {
	if c.Redact {
		a.Redact()
	}
	write := a.WriteText
	switch {
	case c.JSON:
		write = a.WriteJSON
	case c.HTML:
		write = a.WriteHTML
	}
	if err := write(h.Out, c.Language); err != nil {
		return fmt.Errorf("printing the report: %w", err)
	}
	if found > 0 {
		return errUnmet
	}
	return nil
}
