package process

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// A tree is a program and everything that it has started. While the program's first process is not reaped, no other
// process has its number.
type tree struct {
	root int
	mark []byte // between the zeros of an environment
	born uint64 // the start of the root, in ticks since the machine's
}

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

func plant(cmd *exec.Cmd, mark string) *tree {
	t := &tree{root: cmd.Process.Pid, mark: []byte("\x00" + mark + "\x00")}
	if s, ok := status(t.root); ok {
		t.born = s.born
	}
	return t
}

// wait returns when the root has ended. The root is not reaped yet.
func (t *tree) wait() {
	const pid, exited, leave = 1, 0x4, 0x01000000 // P_PID, WEXITED, WNOWAIT
	var info [128]byte
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, pid, uintptr(t.root), uintptr(unsafe.Pointer(&info)), exited|leave, 0, 0)
		if errno != syscall.EINTR {
			return
		}
	}
}

// drain returns when nothing is left of what the root has started, or the time is over: a helper that ends when its program does
// ends a moment later.
func (t *tree) drain(until time.Time) {
	for len(t.members(false)) > 0 && time.Now().Before(until) {
		time.Sleep(time.Millisecond)
	}
}

// fell ends the root and everything that it has started.
func (t *tree) fell() { t.fellAll(true) }

// end ends what the root has left behind, and returns its names.
func (t *tree) end() []string { return t.fellAll(false) }

// fellAll looks for living members of the tree until it finds none.
func (t *tree) fellAll(root bool) (names []string) {
	var until time.Time
	for {
		members := t.members(root)
		switch {
		case until.IsZero(): // however long a busy machine took to find them, each is struck once
			until = time.Now().Add(farewell)
		case time.Now().After(until):
			return names
		}
		if len(members) == 0 {
			return names
		}
		var dying []int
		for _, m := range members {
			if fd, ok := strike(m); ok {
				names = append(names, m.name)
				dying = append(dying, fd)
			}
		}
		for _, fd := range dying {
			awaitEnd(fd, until)
		}
	}
}

// strike kills a process, and returns a descriptor that becomes readable at its end. The process is looked at again, as
// another one may have its number by now.
func strike(m member) (fd int, ok bool) {
	n, _, errno := syscall.Syscall(sysPidfdOpen, uintptr(m.pid), 0, 0)
	switch {
	case errno == syscall.ENOSYS: // a Linux before 5.3
		_ = syscall.Kill(m.pid, syscall.SIGKILL)
		time.Sleep(time.Millisecond)
		return 0, false
	case errno != 0:
		return 0, false
	}
	fd = int(n)
	if again, ok := status(m.pid); !ok || again.born != m.born {
		syscall.Close(fd)
		return 0, false
	}
	_, _, _ = syscall.Syscall6(sysPidfdSendSignal, n, uintptr(syscall.SIGKILL), 0, 0, 0, 0)
	return fd, true
}

const (
	sysPidfdSendSignal = 424 // the same on every architecture
	sysPidfdOpen       = 434
)

// awaitEnd waits until a descriptor is readable, and closes it.
func awaitEnd(fd int, until time.Time) {
	defer syscall.Close(fd)
	const readable = 1 // POLLIN
	for errno := syscall.EINTR; errno == syscall.EINTR; {
		poll := struct {
			fd              int32
			events, revents int16
		}{int32(fd), readable, 0}
		left := syscall.NsecToTimespec(max(0, time.Until(until).Nanoseconds()))
		_, _, errno = syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&poll)), 1, uintptr(unsafe.Pointer(&left)), 0, 0, 0)
	}
}

// A member is a process of the tree.
type member struct {
	pid, parent, group, session int
	born                        uint64
	flags                       uint64
	environmentEnd              uint64 // its address; 0: the process executes another program just now
	name                        string
	dead                        bool
}

// members returns the living processes of the tree: those of the root's session and group, those with the mark, and what
// descends from any of them.
func (t *tree) members(root bool) []member {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var candidates []member
	in := map[int]bool{t.root: true}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		m, ok := status(pid)
		if !ok || m.born < t.born {
			continue
		}
		candidates = append(candidates, m)
		if m.session == t.root || m.group == t.root || !m.dead && t.marked(m) {
			in[pid] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, m := range candidates {
			if !in[m.pid] && in[m.parent] {
				in[m.pid], grown = true, true
			}
		}
	}
	var members []member
	for _, m := range candidates {
		if in[m.pid] && !m.dead && (root || m.pid != t.root) {
			members = append(members, m)
		}
	}
	return members
}

// rest returns when every thread of the tree waits for something, or the time is over.
func (t *tree) rest(until time.Time) {
	for time.Now().Before(until) {
		if !slices.ContainsFunc(t.members(true), func(m member) bool { return runs(m.pid) }) {
			return
		}
		time.Sleep(200 * time.Microsecond)
	}
}

// runs reports whether a thread of a process runs, or could.
func runs(pid int) bool {
	threads, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*")
	return slices.ContainsFunc(threads, func(thread string) bool { return isIn(thread, "R") })
}

// isIn reports whether a thread is in one of some states.
func isIn(thread, states string) bool {
	text, err := os.ReadFile(thread + "/stat")
	shut := bytes.LastIndexByte(text, ')')
	return err == nil && shut >= 0 && len(text) > shut+2 && bytes.IndexByte([]byte(states), text[shut+2]) >= 0
}

// queues returns what each thread of the tree has waited for the machine.
func (t *tree) queues() queues {
	q := queues{}
	for _, m := range t.members(true) {
		q.add(strconv.Itoa(m.pid))
	}
	return q
}

// ownQueues returns the same of this process.
func ownQueues() queues {
	q := queues{}
	q.add("self")
	return q
}

func (q queues) add(pid string) {
	threads, _ := filepath.Glob("/proc/" + pid + "/task/*")
	for _, thread := range threads {
		text, _ := os.ReadFile(thread + "/schedstat")
		fields := bytes.Fields(text) // time on a processor, time in its queue
		if len(fields) < 2 {
			continue
		}
		ran, _ := strconv.ParseInt(string(fields[0]), 10, 64)
		waited, _ := strconv.ParseInt(string(fields[1]), 10, 64)
		q[thread] = queue{ran: time.Duration(ran), waited: time.Duration(waited), waits: isIn(thread, "RD")}
	}
}

// marked reports whether a process has the tree's LOCKSTEP_RUN. A process has no environment for a moment while it executes
// another program.
func (t *tree) marked(m member) bool {
	const kernel = 0x00200000                            // PF_KTHREAD
	until, settled := time.Now().Add(time.Second), false // a busy machine may let it stand there for a while
	for {
		environment, err := os.ReadFile("/proc/" + strconv.Itoa(m.pid) + "/environ")
		if err != nil {
			return false
		}
		if len(environment) > 0 {
			return bytes.HasPrefix(environment, t.mark[1:]) || bytes.Contains(environment, t.mark)
		}
		again, ok := status(m.pid)
		if !ok || again.dead || again.flags&kernel != 0 || settled || time.Now().After(until) {
			return false
		}
		settled = again.environmentEnd != 0 // it has one by now, or really none: one more look tells
		time.Sleep(100 * time.Microsecond)
	}
}

// status reads /proc/PID/stat.
func status(pid int) (member, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return member{}, false
	}
	open, shut := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return member{}, false
	}
	fields := bytes.Fields(text[shut+1:]) // the first is field 3 of proc(5)
	if len(fields) < 20 {
		return member{}, false
	}
	field := func(n int) uint64 {
		if n-3 >= len(fields) {
			return 0
		}
		v, _ := strconv.ParseUint(string(fields[n-3]), 10, 64)
		return v
	}
	return member{
		pid: pid, parent: int(field(4)), group: int(field(5)), session: int(field(6)), flags: field(9), environmentEnd: field(51), born: field(22),
		name: string(text[open+1 : shut]), dead: fields[0][0] == 'Z' || fields[0][0] == 'X',
	}, true
}
