package cli

import (
	"fmt"
	"io"
	"strings"

	"lockstep/engine"
	"lockstep/engine/monitor"
)

// sources refuses what is neither one log nor the logs of several nodes.
func (c *Import) sources() error {
	switch {
	case c.File == "" && len(c.Node) == 0:
		return engine.Refuse("import needs a log, or the logs of several nodes: --node A=one.log --node B=two.log --node C=three.log", "import 需要一份日志，或多个节点的日志：--node A=one.log --node B=two.log --node C=three.log")
	case c.File != "" && len(c.Node) > 0:
		return engine.Refuse("give either one log or --node for each node, not both: %s", "要么给出一份日志，要么用 --node 逐个给出节点，不能两者都有：%s", c.File)
	case len(c.Node) == 1:
		return engine.Refuse("a majority needs several nodes: give --node for each of them, or the log alone", "多数需要多个节点：请用 --node 给出每个节点，或者只给出日志")
	case len(c.Node) > engine.MaxNodes:
		return engine.Refuse("there are %d nodes; a Redlock has at most %d here", "节点有 %d 个；这里的 Redlock 至多 %d 个", len(c.Node), engine.MaxNodes)
	case len(c.Node) > 0 && c.Lines != "":
		return engine.Refuse("--lines chooses lines of one log; with --node, --around chooses a time", "--lines 选取一份日志的行；有 --node 时，请用 --around 选取时刻")
	}
	named := map[string]bool{}
	for _, node := range c.Node {
		name, file, _ := strings.Cut(node, "=")
		switch {
		case file == "" || !isNodeName(name):
			return engine.Refuse("--node takes a name and a log, such as A=one.log: %s", "--node 的写法是名字加日志，例如 A=one.log：%s", node)
		case file == "-":
			return engine.Refuse("the log of a node is a file, not standard input: %s", "节点的日志应是文件，不能是标准输入：%s", node)
		case named[name]:
			return engine.Refuse("two nodes are called %s", "有两个节点都叫 %s", name)
		}
		named[name] = true
	}
	return nil
}

// isNodeName reports whether a node may be called so: letters, digits and a few other characters.
func isNodeName(name string) bool {
	return name != "" && len(name) <= 40 && strings.IndexFunc(name, func(r rune) bool {
		return r <= ' ' || r == 0x7f || strings.ContainsRune(`"'<>&,`, r)
	}) < 0
}

// nodes imports the logs of several nodes.
func (c *Import) nodes(h *Host) error {
	var logs []monitor.NodeLog
	for _, node := range c.Node {
		name, file, _ := strings.Cut(node, "=")
		logs = append(logs, monitor.NodeLog{Name: name, File: file, Open: func() (io.ReadCloser, error) { return h.Open(file) }})
	}
	if c.Report || c.JSON || c.HTML {
		if c.Around != "" {
			return Said(noTimeInReport(), c.Language)
		}
		account, err := monitor.InvestigateNodes(logs, monitor.Only{Keys: c.Key, DB: c.DB})
		if err != nil {
			return Said(err, c.Language)
		}
		return c.print(h, account, account.Found)
	}
	w := monitor.Window{Options: monitor.Options{Keys: c.Key, DB: c.DB, Redact: c.Redact}, At: c.Around}
	scenario, _, err := monitor.CutNodes(logs, w, c.Language)
	if err != nil {
		return Said(err, c.Language)
	}
	if _, err := io.WriteString(h.Out, scenario.String()); err != nil {
		return fmt.Errorf("printing the scenario: %w", err)
	}
	return nil
}

func noTimeInReport() error {
	return engine.Refuse("--around chooses a scenario; a report takes --key and --db", "--around 用于选取场景；报告请用 --key 和 --db")
}
