package main

import (
	"fmt"
	"strings"
)

// The scenarios that strangers send. Each is the worst of its kind that just fits into the bounds of a run, or just does not.

// program returns the definition of a custom program in a scenario.
func program(name string, lines ...string) string {
	return "define " + name + "\n| " + strings.Join(lines, "\n| ") + "\n"
}

// flipping changes its belief at every second of its clock, and each change is an event.
var flipping = program("flip",
	"def acquire(c):",
	"    return True",
	"def release(c, lease):",
	"    pass",
	"def holds(c, lease):",
	"    return c.now() % 2 == 0",
)

// patient never releases its lock, which blocks all others.
var patient = program("patient",
	"def acquire(c):",
	`    return True if c.setnx("k", 1) else None`,
	"def release(c, lease):",
	"    pass",
	"def holds(c, lease):",
	"    x = 0",
	"    for i in range(16):",
	"        for j in range(16):",
	"            x = x + i",
	"    return x > 0",
)

// tireless uses its whole step budget, and reads the clock as often.
var tireless = program("tireless",
	"def acquire(c):",
	"    x = 0",
	"    for i in range(12):",
	"        for j in range(16):",
	"            x = x + c.now()",
	`    c.setnx("k", 1)`,
	"    return None",
	"def release(c, lease):",
	"    pass",
)

// counting reaches a new state of the world with each step, and never ends. It is for the explorer, which names its
// programs itself.
const counting = `def acquire(c):
    x = 0
    for i in range(16):
        x = x + c.incr("n")
        c.set("k", c.token())
    return None
def release(c, lease):
    pass
`

// pensive computes for long at each of its steps.
const pensive = `def acquire(c):
    x = 0
    for i in range(12):
        for j in range(16):
            x = x + c.now_ms()
        c.set("k", x)
    return None
def release(c, lease):
    pass
`

func clients(n int, program string) string {
	text := "spawn"
	for i := range n {
		text += fmt.Sprintf(" C%d", i+1)
	}
	return text + " " + program + "\n"
}

var (
	endless = flipping + "spawn C1 flip\ntick 24h\n"   // more events than a run takes
	flips   = flipping + "spawn C1 flip\ntick 2490s\n" // almost as many as it takes
	longest = strings.Repeat("do A1 GET lock.foo\n", 1249)
	widest  = strings.Repeat(`do A1 MSET k "`+strings.Repeat("<", 500)+"\"\n", 103)

	comments = strings.Repeat("# "+strings.Repeat("x", 253)+"\n", 1000)      // 256 KB that do nothing
	notes    = strings.Repeat(`note "`+strings.Repeat("x", 56)+"\"\n", 3990) // 256 KB that do
)

// hardRounds is how many rounds the hardest run can have. Together they use all the work that a run may do.
const hardRounds = 13

// hardest returns a run that uses all the work that it may, if it has all its rounds.
func hardest(rounds int) string {
	return tireless + clients(16, "tireless") + strings.Repeat("tick 1s\nstep C1\nstep C2\n", rounds)
}

// stuckText returns n rounds of fifteen clients whose clocks differ by odd milliseconds, and all but one of which block.
func stuckText(steps int) string {
	text := "program patient timeout=24h\n" + patient
	for i := range 15 {
		text += fmt.Sprintf("spawn C%d skew=%dms\n", i+1, 7*i+1)
	}
	return text + "step C1\ncrash C1\ntick 1s\n" + strings.Repeat("step C2\nstep C3\ntick 1s\n", steps)
}
