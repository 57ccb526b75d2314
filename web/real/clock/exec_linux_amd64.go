package clock

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An instruction that enters the kernel, a loop that waits for ever, and a look at a clock.
var (
	syscallCode = []byte{0x0f, 0x05}
	pauseLoop   = []byte{0xb8, 34, 0, 0, 0, 0x0f, 0x05, 0xeb, 0xf7} // mov $SYS_pause, %eax; syscall; jmp back
	clockCode   = []byte{0xb8, 228, 0, 0, 0, 0x0f, 0x05}            // mov $SYS_clock_gettime, %eax; syscall
)

// inject lets a stopped process do a system call of ours, as if it were the next thing in its program.
func inject(pid int, call uintptr, args ...uintptr) error {
	var before unix.PtraceRegs
	if err := unix.PtraceGetRegs(pid, &before); err != nil {
		return err
	}
	at, code := uintptr(before.Rip), make([]byte, len(syscallCode))
	if _, err := unix.PtracePeekText(pid, at, code); err != nil {
		return err
	}
	if _, err := unix.PtracePokeText(pid, at, syscallCode); err != nil {
		return err
	}
	regs := before
	regs.Rax, regs.Orig_rax = uint64(call), ^uint64(0)
	for i, to := range []*uint64{&regs.Rdi, &regs.Rsi, &regs.Rdx, &regs.R10, &regs.R8, &regs.R9} {
		*to = 0
		if i < len(args) {
			*to = uint64(args[i])
		}
	}
	if err := unix.PtraceSetRegs(pid, &regs); err != nil {
		return err
	}
	if err := unix.PtraceSingleStep(pid); err != nil {
		return err
	}
	if err := stopped(pid); err != nil {
		return err
	}
	if err := unix.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	if _, err := unix.PtracePokeText(pid, at, code); err != nil {
		return err
	}
	if err := unix.PtraceSetRegs(pid, &before); err != nil {
		return err
	}
	if n := int64(regs.Rax); n < 0 {
		return syscall.Errno(-n)
	}
	return nil
}

// stopped waits until a process has stopped.
func stopped(pid int) error {
	for {
		var status unix.WaitStatus
		_, err := unix.Wait4(pid, &status, unix.WALL, nil)
		switch {
		case err == unix.EINTR:
			continue
		case err == nil && !status.Stopped():
			return unix.ESRCH
		}
		return err
	}
}

// install puts the filter into a stopped process that has executed nothing yet.
func install(pid int) error {
	if err := inject(pid, unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1); err != nil {
		return err
	}
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	program := filter()
	const head, unused = 16, 512 // of struct sock_fprog; bytes below its stack that a program may use
	at := (uintptr(regs.Rsp) - unused - head - 8*uintptr(len(program))) &^ 15
	text := binary.LittleEndian.AppendUint64(nil, uint64(len(program)))
	text = binary.LittleEndian.AppendUint64(text, uint64(at)+head)
	for _, i := range program {
		text = binary.LittleEndian.AppendUint16(text, i.Op)
		text = append(text, i.Jt, i.Jf)
		text = binary.LittleEndian.AppendUint32(text, i.K)
	}
	if err := write(pid, at, text); err != nil {
		return err
	}
	return inject(pid, unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, at)
}

// Entries of the auxiliary vector, which the kernel gives to a new program.
const (
	atNull        = 0
	atIgnore      = 1
	atRandom      = 25
	atSysinfoEhdr = 33
)

// hide takes from a program that has executed nothing yet the clock that the kernel maps into it, so that it has to ask, and
// gives it our random bytes.
func (t *Tree) hide(pid int) error {
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	at := uintptr(regs.Rsp) + 8 // past the number of arguments
	word := func() (uint64, error) {
		var b [8]byte
		err := read(pid, at, b[:])
		at += 8
		return binary.LittleEndian.Uint64(b[:]), err
	}
	for ends := 0; ends < 2; { // those of the arguments and of the environment
		w, err := word()
		if err != nil {
			return err
		}
		if w == 0 {
			ends++
		}
	}
	for {
		kind, err := word()
		if err != nil {
			return err
		}
		value, err := word()
		if err != nil {
			return err
		}
		switch kind {
		case atNull:
			return nil
		case atSysinfoEhdr:
			err = write(pid, at-16, binary.LittleEndian.AppendUint64(nil, atIgnore))
		case atRandom:
			err = write(pid, uintptr(value), t.random.next(16))
		}
		if err != nil {
			return err
		}
	}
}

// read reads from the memory of a process.
func read(pid int, at uintptr, into []byte) error {
	n, err := unix.ProcessVMReadv(pid, []unix.Iovec{{Base: &into[0], Len: uint64(len(into))}}, []unix.RemoteIovec{{Base: at, Len: len(into)}}, 0)
	if err == nil && n < len(into) {
		err = unix.EFAULT
	}
	return err
}

// write writes to the memory of a process, where it may write itself.
func write(pid int, at uintptr, from []byte) error {
	n, err := unix.ProcessVMWritev(pid, []unix.Iovec{{Base: &from[0], Len: uint64(len(from))}}, []unix.RemoteIovec{{Base: at, Len: len(from)}}, 0)
	if err == nil && n < len(from) {
		err = unix.EFAULT
	}
	return err
}

// hang starts the bell: a process that does nothing but wait. A signal to it wakes the tracer, which waits for its children
// and for nothing else. It executes this program, which never comes to its first instruction.
func hang() (bell int, err error) {
	bell, err = still()
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrTracing, err)
	}
	if err = execute(bell, pauseLoop); err != nil {
		kill(bell)
		return 0, fmt.Errorf("%w: %w", ErrTracing, err)
	}
	return bell, nil
}

// still starts this program, traced, and leaves it stopped before its first instruction.
func still() (pid int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(self)
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	pid = cmd.Process.Pid
	_ = cmd.Process.Release()
	if err = stopped(pid); err == nil {
		err = unix.PtraceSetOptions(pid, unix.PTRACE_O_EXITKILL|unix.PTRACE_O_TRACESECCOMP)
	}
	if err != nil {
		kill(pid)
	}
	return pid, err
}

// execute lets a stopped process execute code.
func execute(pid int, code []byte) error {
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	if _, err := unix.PtracePokeText(pid, uintptr(regs.Rip), code); err != nil {
		return err
	}
	return unix.PtraceCont(pid, 0)
}

// kill ends a child of the tracer.
func kill(pid int) {
	_ = unix.Kill(pid, unix.SIGKILL)
	for {
		var status unix.WaitStatus
		if _, err := unix.Wait4(pid, &status, unix.WALL, nil); err != unix.EINTR && (err != nil || !status.Stopped()) {
			return
		}
	}
}

// childOf returns the process that waitid tells about.
func childOf(info *unix.Siginfo) int {
	const at = 16 // of si_pid
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(info), at)))
}
