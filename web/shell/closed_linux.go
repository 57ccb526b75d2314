package shell

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// shells are the programs that open /dev/null for writing alone when their user asks for it.
var shells = []string{"sh", "bash", "dash", "ash", "busybox", "zsh", "ksh", "mksh", "fish"}

// closed reports whether standard output was closed when the program started: it is /dev/null, opened for reading and writing,
// as Go's runtime opens it. Python and Node open it in the same way for a child whose output nobody wants, so it also has to be a
// shell that has started the program, and one that has not inherited such an output itself. What is not sure counts as open.
func closed(stdout *os.File) bool {
	flags, err := unix.FcntlInt(stdout.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR || !isNull(fmt.Sprintf("/proc/self/fd/%d", stdout.Fd())) {
		return false
	}
	parent := fmt.Sprintf("/proc/%d", os.Getppid())
	name, err := os.ReadFile(parent + "/comm")
	if err != nil || !slices.Contains(shells, strings.TrimSpace(string(name))) {
		return false
	}
	info, err := os.ReadFile(parent + "/fdinfo/1")
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) // the shell's own output is closed
	}
	found := regexp.MustCompile(`(?m)^flags:\s*([0-7]+)$`).FindSubmatch(info)
	if found == nil {
		return false
	}
	inherited, err := strconv.ParseInt(string(found[1]), 8, 64)
	return err == nil && (inherited&unix.O_ACCMODE != unix.O_RDWR || !isNull(parent+"/fd/1"))
}

// isNull reports whether a path leads to /dev/null.
func isNull(path string) bool {
	var it, null unix.Stat_t
	return unix.Stat(path, &it) == nil && unix.Stat(os.DevNull, &null) == nil && it.Mode&unix.S_IFMT == unix.S_IFCHR && it.Rdev == null.Rdev
}
