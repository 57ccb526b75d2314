package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/engine/testtools"
)

// highWater finds the peak memory of a process in its status, in KiB.
var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// A search that wants far more memory keeps its whole process within the budget,
// measured from outside.
func TestSearchKeepsToItsMemory(t *testing.T) {
	testtools.Exhaustive(t, "it fills 96 MiB twice")
	t.Parallel()
	binary := built(t)
	peak := func(arguments ...string) (kibibytes int64, said string) {
		var out strings.Builder
		search := exec.Command(binary, append([]string{"explore"}, arguments...)...)
		search.Stdout = &out
		must(t, search.Start())
		// The test reads the peak while the process runs, because after its end the
		// kernel also counts the memory that its parent had at the fork.
		status := fmt.Sprintf("/proc/%d/status", search.Process.Pid)
		ended := make(chan error, 1)
		go func() { ended <- search.Wait() }()
		for {
			select {
			case <-ended: // with 3 where its budget runs out
				return kibibytes, out.String()
			case <-time.After(5 * time.Millisecond):
			}
			text, _ := os.ReadFile(status) // nothing once it has ended
			if found := highWater.FindSubmatch(text); found != nil {
				n, _ := strconv.ParseInt(string(found[1]), 10, 64)
				kibibytes = max(kibibytes, n)
			}
		}
	}
	const budget = 96
	for _, workers := range []string{"1", "2"} {
		took, said := peak("set-px", "--clients", "4", "--crashes", "1", "--max-memory", strconv.Itoa(budget), "--workers", workers)
		if !strings.HasPrefix(said, "Not decided: the budget ran out") {
			t.Errorf("the search does not want more than it has: %s", said)
		}
		if took >>= 10; took > budget {
			t.Errorf("%s workers were given %d MiB and took %d MiB", workers, budget, took)
		} else {
			t.Logf("%s workers were given %d MiB and took %d MiB: %s", workers, budget, took, said)
		}
	}
}
