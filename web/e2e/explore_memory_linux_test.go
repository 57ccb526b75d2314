package e2e

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A search keeps to the memory that it is given, with all that the process has
// besides: measured from outside, where much more would have been wanted.
func TestMemoryOfASearch(t *testing.T) {
	binary := built(t)
	peak := func(arguments ...string) (mebibytes int64, said string) {
		search := exec.Command(binary, append([]string{"explore"}, arguments...)...)
		out, _ := search.Output() // it exits with 3 where its budget runs out
		return search.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10, string(out)
	}
	const budget = 96
	for _, workers := range []string{"1", "2"} {
		took, said := peak("set-px", "--clients", "4", "--crashes", "1", "--max-memory", strconv.Itoa(budget), "--workers", workers)
		if !strings.HasPrefix(said, "Not decided: the budget ran out") {
			t.Errorf("the search does not want more than it has: %s", said)
		}
		if took > budget {
			t.Errorf("%s workers were given %d MiB and took %d MiB", workers, budget, took)
		} else {
			t.Logf("%s workers were given %d MiB and took %d MiB: %s", workers, budget, took, said)
		}
	}
}
