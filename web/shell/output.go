package shell

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"

	"lockstep/engine/lang"
)

// IsTerminal reports whether somebody watches a stream as it is written.
func IsTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) }

// Output returns standard output. Where it is closed, writing fails with a sentence.
//
// Go opens /dev/null in the place of a stream that is closed when a program starts, so writes would succeed.
func Output(stdout *os.File) io.Writer {
	if closed(stdout) {
		return nowhere{}
	}
	return stdout
}

type nowhere struct{}

func (nowhere) Write([]byte) (int, error) {
	return 0, lang.Errorf("standard output is closed: nothing can be printed there", "标准输出已关闭，无法打印结果")
}
