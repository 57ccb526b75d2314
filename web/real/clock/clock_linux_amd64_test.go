package clock_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"lockstep/engine/testtools"
	"lockstep/web/real/clock"
)

// A life is a program on a clock that a test moves.
type life struct {
	testing.TB
	*clock.Tree
	cmd   *exec.Cmd
	says  *os.File
	read  int64 // of what it has said
	ended chan struct{}
}

// lives starts a program on a clock. A test without such clocks says why it is none.
func lives(t testing.TB, o clock.Options, command ...string) *life {
	t.Helper()
	if err := clock.Lacks(); err != nil {
		testtools.Absent(t, err.Error())
	}
	l := &life{TB: t, cmd: exec.Command(command[0], command[1:]...), ended: make(chan struct{})}
	var err error
	if l.says, err = os.Create(filepath.Join(t.TempDir(), "says")); err != nil {
		t.Fatal(err)
	}
	l.cmd.Stdout, l.cmd.Stderr = l.says, l.says
	began := make(chan error)
	go func() {
		runtime.LockOSThread()
		tree, err := clock.Start(l.cmd, o)
		l.Tree = tree
		began <- err
		if err != nil {
			return
		}
		defer close(l.ended)
		tree.Wait()
		_ = l.cmd.Wait()
		tree.Close()
	}()
	if err := <-began; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	return l
}

func (l *life) close() {
	_ = l.cmd.Process.Kill()
	<-l.ended
	l.says.Close()
}

// said returns what the program has said since it was last asked.
func (l *life) said() []string {
	text, err := io.ReadAll(io.NewSectionReader(l.says, l.read, 1<<20))
	if err != nil {
		l.Fatal(err)
	}
	l.read += int64(len(text))
	var lines []string
	for in := bufio.NewScanner(strings.NewReader(string(text))); in.Scan(); {
		lines = append(lines, "says "+in.Text())
	}
	return lines
}

// whole moves the clock to wherever the program sleeps until, as long as it lives, and returns all that happens.
func (l *life) whole() string {
	l.Helper()
	var all []string
	for {
		select {
		case r := <-l.Ask():
			all = append(all, l.said()...)
			if !r.Asleep {
				return strings.Join(append(all, "waits for ever"), ", ")
			}
			all = append(all, fmt.Sprintf("sleeps until %v", r.Until.Round(time.Millisecond)))
			l.Move(r.Until, 0)
		case <-l.ended:
			all = append(all, l.said()...)
			if code := l.cmd.ProcessState.ExitCode(); code != 0 {
				all = append(all, fmt.Sprintf("ends with %v", l.cmd.ProcessState))
			}
			return strings.Join(all, ", ")
		case <-time.After(testtools.Patience):
			l.Fatalf("it neither rests nor ends after %s", strings.Join(all, ", "))
		}
	}
}

// A waiting program waits in one of the ways of its language and says how long, in ms.
type waiting struct{ name, program, does string }

const python = `
import time
began = time.monotonic()
def passed(): print(int(1000 * (time.monotonic() - began)), flush=True)
`

var inPython = []waiting{
	{"sleep", `time.sleep(1.5); passed()`, "sleeps until 1.5s, says 1500"},
	{"sleep, the time of day", `time.sleep(1.5); print(time.time()); print(time.gmtime().tm_year)`, "sleeps until 1.5s, says 1.5, says 1970"},
	{"two sleeps", `time.sleep(1); passed(); time.sleep(0.25); passed()`, "sleeps until 1s, says 1000, sleeps until 1.25s, says 1250"},
	{"asyncio", `
import asyncio
async def other(n): await asyncio.sleep(n); passed()
async def main(): await asyncio.gather(other(3), other(1), other(2))
asyncio.run(main())`, "sleeps until 1s, says 1000, sleeps until 2s, says 2000, sleeps until 3s, says 3000"},
	{"asyncio with a time-out", `
import asyncio
async def main():
    try: await asyncio.wait_for(asyncio.Event().wait(), 2.5)
    except asyncio.TimeoutError: passed()
asyncio.run(main())`, "sleeps until 2.5s, says 2500"},
	{"select", `import select; select.select([], [], [], 0.7); passed()`, "sleeps until 700ms, says 700"},
	{"poll", `import select; select.poll().poll(700); passed()`, "sleeps until 700ms, says 700"},
	{"epoll", `import select; select.epoll().poll(0.7); passed()`, "sleeps until 700ms, says 700"},
	{"a socket with a time-out", `
import socket
a, b = socket.socketpair()
a.settimeout(4)
try: a.recv(1)
except TimeoutError: passed()`, "sleeps until 4s, says 4000"},
	{"a socket whose kernel has the time-out", `
import socket, struct
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 1000)); passed()
time.sleep(1); passed()`, "says 0, sleeps until 1s, says 1000"},
	{"Event.wait", `
import threading
print(threading.Event().wait(2)); passed()`, "sleeps until 2s, says False, says 2000"},
	{"Event.wait that ends early", `
import threading
e = threading.Event()
threading.Timer(1, e.set).start()
print(e.wait(2)); passed()`, "sleeps until 1s, says True, says 1000"},
	{"Queue.get", `
import queue
try: queue.Queue().get(timeout=3)
except queue.Empty: passed()`, "sleeps until 3s, says 3000"},
	{"three threads", `
import threading
for n in 3, 1, 2: threading.Thread(target=lambda n=n: (time.sleep(n), passed())).start()`, "sleeps until 1s, says 1000, sleeps until 2s, says 2000, sleeps until 3s, says 3000"},
	{"a sleep that a signal interrupts", `
import signal, subprocess
signal.signal(signal.SIGUSR1, lambda *_: passed())
subprocess.Popen("sleep 1; kill -USR1 $PPID", shell=True)
time.sleep(3); passed()`, "sleeps until 1s, says 1000, sleeps until 3s, says 3000"},
	{"sigtimedwait", `
import signal
print(signal.sigtimedwait([signal.SIGUSR1], 2)); passed()`, "sleeps until 2s, says None, says 2000"},
	{"a child", `
import subprocess
subprocess.run(["sleep", "5"]); passed()`, "sleeps until 5s, says 5000"},
	{"a child that is late", `
import subprocess
try: subprocess.run(["sleep", "5"], timeout=2)
except subprocess.TimeoutExpired: passed()`, "*, says 2000"},
	{"a pool of processes", `
import multiprocessing
with multiprocessing.Pool(2) as p: p.map(time.sleep, [2, 2])
passed()`, "*, says 2000"},
	{"alarm", `
import signal
signal.signal(signal.SIGALRM, lambda *_: passed())
signal.alarm(2); time.sleep(1); passed(); print(signal.alarm(0)); signal.alarm(3); signal.pause()`,
		"sleeps until 1s, says 1000, says 1, sleeps until 4s, says 4000"},
	{"setitimer", `
import signal
signal.signal(signal.SIGALRM, lambda *_: passed())
signal.setitimer(signal.ITIMER_REAL, 0.5, 0.25)
for _ in range(3): signal.pause()
print(signal.getitimer(signal.ITIMER_REAL))`, "sleeps until 500ms, says 500, sleeps until 750ms, says 750, sleeps until 1s, says 1000, says (0.25, 0.25)"},
	{"timerfd", `
import ctypes, os
c = ctypes.CDLL(None); fd = c.timerfd_create(1, 0)
c.timerfd_settime(fd, 0, (ctypes.c_long * 4)(1, 0, 2, 0), None)
for _ in range(2): os.read(fd, 8); passed()`, "sleeps until 2s, says 2000, sleeps until 3s, says 3000"},
	{"a timerfd that is set and never read, as Erlang's", `
import ctypes, select
c = ctypes.CDLL(None); fd = c.timerfd_create(1, 0)
p = select.poll(); p.register(fd)
for n in 2, 0, 1: c.timerfd_settime(fd, 0, (ctypes.c_long * 4)(0, 0, n, 0), None); print(len(p.poll(5000))); passed()`,
		"sleeps until 2s, says 1, says 2000, sleeps until 7s, says 0, says 7000, sleeps until 8s, says 1, says 8000"},
	{"a timerfd that is closed", `
import ctypes, os
c = ctypes.CDLL(None); fd = c.timerfd_create(1, 0)
c.timerfd_settime(fd, 0, (ctypes.c_long * 4)(0, 0, 1, 0), None)
os.close(fd); time.sleep(2); passed()`, "sleeps until 2s, says 2000"},
	{"select with two million microseconds", `
import ctypes
c = ctypes.CDLL(None)
c.select(0, None, None, None, (ctypes.c_long * 2)(1, 2000000)); passed()`, "sleeps until 3s, says 3000"},
	{"select whose time is over: nothing is ready, and no time is left", `
import ctypes, os
c = ctypes.CDLL(None)
for number, second in (23, 10**6), (270, 10**9): # select, pselect6
    r, w = os.pipe(); sets, left = [(ctypes.c_long * 2)(1 << r, 7) for _ in range(3)], (ctypes.c_long * 2)(1, second // 2)
    def select(): return c.syscall(number, r + 1, *sets, left, None), [s[0] >> r for s in sets], list(left)
    print(select()); passed()
    os.write(w, b"x"); sets[0][0], left[0] = 1 << r, 8
    print(select(), sets[0][1])`,
		"sleeps until 1.5s, says (0, [0, 0, 0], [0, 0]), says 1500, says (1, [1, 0, 0], [8, 0]) 7, sleeps until 3s, says (0, [0, 0, 0], [0, 0]), says 3000, says (1, [1, 0, 0], [8, 0]) 7"},
	{"a usleep of 10 ms, as musl makes it", `
import ctypes
c, left = ctypes.CDLL(None), (ctypes.c_long * 2)(0, 10000000)
c.syscall(35, left, left); print("done")`, "sleeps until 10ms, says done"},
	{"epoll after a signal: a new call waits again", `
import select, signal
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 1)
import ctypes
c, events = ctypes.CDLL(None), (ctypes.c_long * 4)()
e = select.epoll()
for _ in range(2): c.epoll_wait(e.fileno(), events, 1, 5000); passed()`, "sleeps until 1s, says 1000, sleeps until 6s, says 6000"},
	{"a process whose first thread has ended", `
import ctypes, threading
def other(): time.sleep(2); passed(); import os; os._exit(0)
threading.Thread(target=other).start()
ctypes.CDLL(None).syscall(60, 0)`, "sleeps until 2s, says 2000"},
	{"nothing", `
import threading
threading.Lock().acquire(); passed(); l = threading.Lock(); l.acquire(); l.acquire()`, "says 0, waits for ever"},
}

// alone has Python load nothing that a program does not ask for, and print at once: it starts in a quarter of the time.
const alone = "-ISu"

func TestPythonIsOnTheClock(t *testing.T) {
	python3 := testtools.Python(t, "json")
	each(t, inPython, func(_ int, program string) []string { return []string{python3, alone, "-c", python + program} })
}

// each compares what each program does with what it is to do. What * stands for is not told.
func each(t *testing.T, programs []waiting, command func(n int, program string) []string) {
	for n, c := range programs {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := lives(t, clock.Options{Seed: "a seed"}, command(n, c.program)...).whole()
			if end, some := strings.CutPrefix(c.does, "*"); got != c.does && !(some && strings.HasSuffix(got, end)) {
				t.Errorf("%s\n     it: %s\nis to: %s", c.program, got, c.does)
			}
		})
	}
}

// What a program can ask for without end is bounded, and it goes on.
var bounded = []waiting{
	{"naps: 100 of them end without the clock, and then one asks", `
for _ in range(250): time.sleep(0.0001)
print("done")`, "sleeps until 0s, sleeps until 0s, says done"},
	{"timers: 1,000 of them are on the clock, and the next one is on the machine's", `
import ctypes, os, resource
resource.setrlimit(resource.RLIMIT_NOFILE, (2000, 2000))
c = ctypes.CDLL(None)
for n in range(1001):
    fd = c.timerfd_create(1, 0)
    c.timerfd_settime(fd, 0, (ctypes.c_long * 4)(0, 0, 0 if n == 1000 else 9 if n == 999 else 99, n), None)
os.read(fd, 8); passed(); os.read(fd - 1, 8); passed()`, "says 0, sleeps until 9s, says 9000"},
	{"randomness: 64 KiB at once", `
import os
print(len(os.getrandom(1 << 20)), len(os.urandom(1 << 20)))`, "says 65536 1048576"},
	{"reading the clock: 10,000 times bring a nanosecond", `
n = 0
while time.monotonic_ns() == 1000 * 10**9 or n == 0: n += 1
print(n // 1000); time.sleep(1); passed()`, "*says 1000"},
}

func TestWhatAProgramAsksForIsBounded(t *testing.T) {
	python3 := testtools.Python(t, "json")
	each(t, bounded, func(_ int, program string) []string { return []string{python3, alone, "-c", python + program} })
}

// The clock never goes back, and a program that sleeps for long does not end early.
func TestTheClockNeverGoesBack(t *testing.T) {
	l := lives(t, clock.Options{}, testtools.Find(t, "sleep"), "600")
	for _, move := range []struct{ to, now time.Duration }{{0, 0}, {5 * time.Second, 5 * time.Second}, {3 * time.Second, 5 * time.Second}, {7 * time.Second, 7 * time.Second}} {
		l.Move(move.to, 0)
		select {
		case r := <-l.Ask():
			if r.Now != move.now || !r.Asleep || r.Until != 600*time.Second {
				t.Errorf("moved to %v, it is %+v; want %v", move.to, r, move.now)
			}
		case <-time.After(testtools.Patience):
			t.Fatal("it does not rest")
		}
	}
}

// A child that the tracer's thread has started for somebody else is theirs to wait for, dead or alive.
func TestOtherChildrenAreLeftAlone(t *testing.T) {
	if err := clock.Lacks(); err != nil {
		testtools.Absent(t, err.Error())
	}
	sh := testtools.Find(t, "sh")
	ended := make(chan error)
	go func() {
		runtime.LockOSThread()
		dead, alive, own := exec.Command(sh, "-c", "exit 7"), exec.Command(sh, "-c", "exec sleep 600"), exec.Command(sh, "-c", "exit 8")
		if err := errors.Join(dead.Start(), alive.Start()); err != nil {
			ended <- err
			return
		}
		tree, err := clock.Start(own, clock.Options{})
		if err != nil {
			ended <- err
			return
		}
		tree.Wait()
		_ = own.Wait()
		tree.Close()
		_ = dead.Wait()
		err = alive.Process.Kill()
		_ = alive.Wait()
		if own.ProcessState.ExitCode() != 8 || dead.ProcessState.ExitCode() != 7 {
			err = fmt.Errorf("it ended with %v, and the other one with %v", own.ProcessState, dead.ProcessState)
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(testtools.Patience):
		t.Error("it waits for a child that is not its own")
	}
}

// A program with the same seed makes the same tokens, and one with another seed makes others.
func TestRandomnessComesFromTheSeed(t *testing.T) {
	python3 := testtools.Python(t, "json")
	made := func(seed string) string {
		return lives(t, clock.Options{Seed: seed}, python3, alone, "-c", "import os, uuid; print(uuid.uuid4(), os.urandom(4).hex(), len({hash(str(n)) for n in range(9)}), hash('a'))").whole()
	}
	one, again, other := made("C1"), made("C1"), made("C2")
	if one != again || one == other || len(one) < 50 {
		t.Errorf("with the seed C1: %s, and %s; with C2: %s", one, again, other)
	}
}

const node = `
const began = performance.now();
const passed = () => console.log(Math.round(performance.now() - began));
`

var inNode = []waiting{
	{"setTimeout", `setTimeout(passed, 1500)`, "sleeps until 1.5s, says 1500"},
	{"the time of day", `setTimeout(() => console.log(Date.now()), 1500)`, "sleeps until 1.5s, says 1500"},
	{"setInterval", `let n = 0; const i = setInterval(() => { passed(); if (++n === 3) clearInterval(i); }, 400)`,
		"sleeps until 400ms, says 400, sleeps until 800ms, says 800, sleeps until 1.2s, says 1200"},
	{"a timer of timers/promises", `import("node:timers/promises").then((t) => t.setTimeout(2000)).then(passed)`, "sleeps until 2s, says 2000"},
	{"fetch from itself", `
const server = require("node:http").createServer((_, answer) => setTimeout(() => answer.end("hello"), 3000));
server.listen(0, async () => {
	console.log(await (await fetch("http://127.0.0.1:" + server.address().port)).text());
	passed();
	process.exit();
})`, "*sleeps until 3s, says hello, says 3000"},
	{"a fetch with a time-out", `
const server = require("node:http").createServer(() => {});
server.listen(0, () => fetch("http://127.0.0.1:" + server.address().port, { signal: AbortSignal.timeout(2000) })
	.catch((e) => { console.log(e.name); passed(); process.exit(); }))`, "*sleeps until 2s, says TimeoutError, says 2000"},
	{"Atomics.wait", `console.log(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900)); passed()`, "sleeps until 900ms, says timed-out, says 900"},
	{"a worker", `
const { Worker } = require("node:worker_threads");
new Worker("setTimeout(() => {}, 1000)", { eval: true }).on("exit", passed)`, "sleeps until 1s, says 1000"},
	{"a child", `require("node:child_process").exec("sleep 4", passed)`, "sleeps until 4s, says 4000"},
}

func TestNodeIsOnTheClock(t *testing.T) {
	testtools.Long(t, "Python waits in each of these ways")
	path := testtools.Find(t, "node")
	each(t, inNode, func(_ int, program string) []string { return []string{path, "-e", node + program} })
}

var inGo = []waiting{
	{"Sleep", `time.Sleep(1500 * time.Millisecond); passed()`, "sleeps until 1.5s, says 1500"},
	{"a sleep of a microsecond, which Go makes one of a millisecond", `time.Sleep(time.Microsecond); fmt.Println("done")`, "sleeps until 1ms, says done"},
	{"the time of day", `time.Sleep(1500 * time.Millisecond); fmt.Println(time.Now().UTC().Format(time.RFC3339Nano))`, "sleeps until 1.5s, says 1970-01-01T00:00:01.5Z"},
	{"a timer", `<-time.After(2 * time.Second); passed()`, "sleeps until 2s, says 2000"},
	{"a ticker", `for range time.Tick(400 * time.Millisecond) { if passed() > 1000 { return } }`, "sleeps until 400ms, says 400, sleeps until 800ms, says 800, sleeps until 1.2s, says 1200"},
	{"a context", `
ctx, stop := context.WithTimeout(context.Background(), 3*time.Second)
defer stop()
<-ctx.Done()
fmt.Println(ctx.Err())
passed()`, "sleeps until 3s, says context deadline exceeded, says 3000"},
	{"goroutines", `
var all sync.WaitGroup
for _, n := range []time.Duration{3, 1, 2} {
	all.Go(func() { time.Sleep(n * time.Second); passed() })
}
all.Wait()`, "sleeps until 1s, says 1000, sleeps until 2s, says 2000, sleeps until 3s, says 3000"},
	{"a connection with a deadline", `
l, _ := net.Listen("tcp", "127.0.0.1:0")
c, _ := net.Dial("tcp", l.Addr().String())
c.SetReadDeadline(time.Now().Add(2 * time.Second))
_, err := c.Read(make([]byte, 1))
fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
passed()`, "sleeps until 2s, says true, says 2000"},
}

func TestGoIsOnTheClock(t *testing.T) {
	testtools.Long(t, "Python waits in each of these ways")
	var cases strings.Builder
	for n, c := range inGo {
		fmt.Fprintf(&cases, "case \"%d\":\n%s\n", n, c.program)
	}
	program := built(t, "switch os.Args[1] {\n"+cases.String()+"}")
	each(t, inGo, func(n int, _ string) []string { return []string{program, fmt.Sprint(n)} })
}

// built returns a program in Go.
func built(t testing.TB, does string) string {
	t.Helper()
	source := `package main
import ("context"; "errors"; "fmt"; "net"; "os"; "sync"; "time")
var (_ context.Context; _ = errors.Is; _ net.Conn; _ sync.WaitGroup; _ os.File)
var began = time.Now()
func passed() int64 { n := time.Since(began).Milliseconds(); fmt.Println(n); return n }
func main() {
` + does + "\n}\n"
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program+".go", []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", program, program+".go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

var inShell = []waiting{
	{"sleep", `sleep 1.5; echo $EPOCHREALTIME`, "sleeps until 1.5s, says 1.500000"},
	{"read -t", `read -r -t 2 < <(sleep 9); echo $EPOCHREALTIME`, "sleeps until 2s, says 2.000000"},
	{"date", `sleep 61; date -u +%T`, "sleeps until 1m1s, says 00:01:01"},
	{"timeout", `timeout 3 sleep 5; echo $? $EPOCHREALTIME`, "sleeps until 3s, says 124 3.000000"},
	{"wait", `sleep 2 & sleep 1 & wait; echo $EPOCHREALTIME`, "sleeps until 1s, sleeps until 2s, says 2.000000"},
}

func TestShellIsOnTheClock(t *testing.T) {
	bash := testtools.Find(t, "bash")
	each(t, inShell, func(_ int, program string) []string { return []string{bash, "-c", program} })
}
