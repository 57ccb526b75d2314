package cli

import (
	"fmt"
	"strings"

	"lockstep/engine/export"
	"lockstep/engine/lang"
)

// Export translates a run for another tool.
type Export struct {
	File string `arg:"" help:"Scenario file; - reads standard input." zh:"场景文件；- 表示读取标准输入。"`
	To   string `help:"Format of the translation: ${enum}." zh:"目标格式：${enum}。" enum:"${formats}" required:""`

	// Formats lists the formats to choose from. It is set before the flags are read.
	Formats export.List `kong:"-"`
}

// Explain lists the formats.
func (e *Export) Explain() lang.Text {
	var english, chinese strings.Builder
	for _, f := range e.Formats {
		fmt.Fprintf(&english, "  %-10s %s\n", f.Name, f.Purpose.English)
		fmt.Fprintf(&chinese, "  %-10s %s\n", f.Name, f.Purpose.In(lang.Chinese))
	}
	return lang.Both("The formats:\n\n"+english.String(), "格式：\n\n"+chinese.String())
}

// Run prints the run in the format.
func (e *Export) Run(h *Host) error {
	trace, err := h.play(e.File)
	if err != nil {
		return err
	}
	format, err := e.Formats.Named(e.To)
	if err != nil {
		return err
	}
	if err := format.Write(h.Out, trace, h.Language); err != nil {
		return fmt.Errorf("printing the run as %s: %w", e.To, err)
	}
	return nil
}
