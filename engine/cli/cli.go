package cli

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/learn"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// Commands lists the engine's commands. Their tags are for the library kong.
type Commands struct {
	Run     Run     `cmd:"" help:"Run a scenario and print one line per event." zh:"运行场景，每个事件打印一行。"`
	Export  Export  `cmd:"" help:"Translate a run for another tool." zh:"把运行转换成其他工具的格式。"`
	Test    Test    `cmd:"" help:"Explore everything that can happen to a program of your own, in any language." zh:"穷举你自己的程序（任何语言）可能遇到的一切。"`
	Explore Explore `cmd:"" help:"Explore everything that can happen to a lock, within bounds." zh:"在给定范围内穷举一把锁可能遇到的一切。"`
	Import  Import  `cmd:"" help:"Find what went wrong with locks in the log of a real Redis: as a scenario, or as a report." zh:"从真实 Redis 的日志里找出锁的问题：写成场景，或写成报告。"`
	Check   Check   `cmd:"" help:"Prove the claims in the lessons and challenges of a course." zh:"证明课程的课文和挑战中的论断。"`

	PackCourse   PackCourse   `cmd:"" help:"Write a course as one file, to hand around and to serve." zh:"把课程写成一个文件，便于传递和提供。"`
	ExportCourse ExportCourse `cmd:"" help:"Write a course as a package for a learning platform (SCORM 1.2)." zh:"把课程写成学习平台的课件包（SCORM 1.2）。"`
}

// Vars returns the values of the variables in the tags.
func (c *Commands) Vars() map[string]string {
	return map[string]string{
		"starts":     strconv.Itoa(learn.MaxStarts),
		"formats":    strings.Join(c.Export.Formats.Names(), ","),
		"packed":     course.PackedSuffix,
		"builtin":    course.BuiltinName,
		"programs":   strings.Join(program.Names(), ","),
		"properties": strings.Join(append(check.Names(), countOnly), ","),
	}
}

// A Program is a real program, as a Host starts it.
type Program struct {
	Command  []string
	Patience time.Duration // to its next command
	Clock    bool          // on a clock of its own
}

// A Redis is a real redis-server on a clock that stands still, which makes nodes for any number of goroutines.
type Redis interface {
	New(now int64) redis.Node
	Err() error // why it no longer answers; nil: it does
	Close()
}

// A Host is the machine that a command runs on.
type Host struct {
	In       io.Reader
	Out, Err io.Writer
	Open     func(path string) (io.ReadCloser, error)
	Now      func() time.Time
	Language lang.Language // of what commands say
	Terminal bool          // somebody watches Err as it is written

	// Write writes a file, in place of one that is there.
	Write func(path, text string) error

	// Launch returns the launcher of a real program. Its processes end when ctx does.
	Launch func(ctx context.Context, p Program) learn.Launcher

	// Redis starts the redis-server at a path.
	Redis func(path string) (Redis, error)

	// LacksClock says why no program can have a clock of its own on this machine; nil: programs can.
	LacksClock func() *lang.Text

	// Show serves a scenario on this machine alone until ctx ends.
	Show func(ctx context.Context, scenario string) error

	// Interruptible returns a context that the user's interrupt ends, until stop is called.
	Interruptible func() (ctx context.Context, stop context.CancelFunc)

	// Hands returns the workers of a search, which call progress; nil: the search runs to its end.
	Hands func(progress func(explore.Figures) bool) explore.Runtime
}

// The exit codes, beside 0.
const (
	ExitUnmet     = 1 // an expectation was not met; a property is violated; a course has mistakes
	ExitMalformed = 2 // the input cannot be read, does not parse or makes no sense; nothing was run
	ExitUndecided = 3 // the budget ran out, the user interrupted the search, or a program cannot be tested
	ExitBroken    = 4 // Lockstep itself has a mistake
)

var (
	errUnmet     = errors.New("an expectation was not met")
	errUndecided = errors.New("the search was not finished")
)

// ExitCode returns the exit code for a command's error. Only an error with ExitMalformed still needs printing.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUnmet):
		return ExitUnmet
	case errors.Is(err, errUndecided):
		return ExitUndecided
	}
	return ExitMalformed
}

// read returns the text of a file, or of standard input for -. It reads one byte more
// than a scenario may have, which is enough to refuse it.
func (h *Host) read(path string) (string, error) {
	in := h.In
	if path != "-" {
		file, err := h.Open(path)
		if err != nil {
			return "", err
		}
		defer file.Close()
		in = file
	}
	var b strings.Builder
	_, err := io.Copy(&b, io.LimitReader(in, engine.MaxText+1))
	return b.String(), err
}
