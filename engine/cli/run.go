package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/export"
	"lockstep/engine/lang"
)

// Run plays a scenario.
type Run struct {
	File   string `arg:"" help:"Scenario file; - reads standard input." zh:"场景文件；- 表示读取标准输入。"`
	JSON   bool   `help:"Print NDJSON: a header line, then one event per line." zh:"打印 NDJSON：一行头部，之后每行一个事件。" xor:"form"`
	Quiet  bool   `help:"Print only the last line: what the run has found." zh:"只打印最后一行：运行的结论。" short:"q" xor:"form"`
	Expect string `help:"One more expectation, beside those in the file: none, no property is violated at any moment; violation, one is." zh:"在文件的期望之外再加一条：none 表示任何时刻都没有违反性质；violation 表示有。" placeholder:"none|violation" complete:"none,violation"`
}

// Explain tells what is expected, and the exit codes.
func (r *Run) Explain() lang.Text {
	return lang.Both(`The last line says which properties were violated, each with its action and its time, or that none was.

A violation alone is no failure: a run may show one on purpose. --expect none makes it one, for a run that must stay clean. Each expectation counts, those of the file and that of --expect.

Exit codes: 0 all expectations are met; 1 one is not; 2 the scenario cannot be read or makes no sense, and nothing was run.`,
		`最后一行说明违反了哪些性质，以及各自的动作和时刻；没有违反也会说明。

违反性质本身不算失败：有些运行就是要展示它。--expect none 让它算失败，用于必须无违反的运行。文件里的期望和 --expect 的期望都要满足。

退出码：0 期望均满足；1 有期望未满足；2 场景无法读取或没有意义，什么都没有运行。`)
}

// Run prints the events and what was found, and on standard error the expectations that were not met.
func (r *Run) Run(h *Host) error {
	expect, err := r.expectation()
	if err != nil {
		return Said(err, h.Language)
	}
	trace, err := h.play(r.File)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		return Said(problem, h.Language)
	}
	if err != nil {
		return err
	}
	if err := r.print(h, trace); err != nil {
		return fmt.Errorf("printing the run: %w", err)
	}
	for _, unmet := range trace.Unmet {
		fmt.Fprintln(h.Err, unmet.Sentence(h.Language))
	}
	if expect != nil {
		if err := expect.Judge(trace.Run.World()); err != nil {
			fmt.Fprintf(h.Err, "--expect %s: %v\n", r.Expect, Said(err, h.Language))
			return errUnmet
		}
	}
	if len(trace.Unmet) > 0 {
		return errUnmet
	}
	return nil
}

// expectation returns what --expect adds to the end of the scenario; nil: nothing.
func (r *Run) expectation() (*engine.Expectation, error) {
	switch r.Expect {
	case "":
		return nil, nil
	case "none", "violation":
		return &engine.Expectation{Subject: engine.ExpectViolation, Not: r.Expect == "none"}, nil
	}
	return nil, engine.Refuse("--expect: %q is neither none nor violation", "--expect：%q 既不是 none 也不是 violation", r.Expect)
}

func (r *Run) print(h *Host, trace *engine.Trace) error {
	if r.JSON {
		return export.NDJSON.Write(h.Out, trace, h.Language)
	}
	if !r.Quiet {
		if err := trace.WriteText(h.Out, h.Language); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(h.Out, found(trace.Run.World()).In(h.Language))
	return err
}

// play runs the scenario of a file, with the programs from files that it names.
func (h *Host) play(file string) (*engine.Trace, error) {
	text, err := h.read(file)
	if err != nil {
		return nil, err
	}
	scenario, err := engine.Parse(file, text, func(path string) (string, error) {
		if !filepath.IsAbs(path) && file != "-" {
			path = filepath.Join(filepath.Dir(file), path)
		}
		return h.read(path)
	})
	if err != nil {
		return nil, err
	}
	return scenario.Play(file, check.All()...)
}
