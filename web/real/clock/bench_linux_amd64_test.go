package clock_test

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"lockstep/engine/testtools"
	"lockstep/web/real/clock"
)

// What the clock costs: to start a program, to read the clock once, and to wait once, each on the clock and without it.
//
//	go test -run NONE -bench Cost ./web/real/clock
func BenchmarkCost(b *testing.B) {
	if err := clock.Lacks(); err != nil {
		testtools.Absent(b, err.Error())
	}
	idle := built(b, "")
	python3, node, bash := testtools.Python(b, "json"), testtools.Find(b, "node"), testtools.Find(b, "bash")
	for _, row := range []struct {
		name    string
		times   int // what one run does
		command []string
	}{
		{"start/bash", 1, []string{bash, "-c", ":"}},
		{"start/Go", 1, []string{idle}},
		{"start/Python", 1, []string{python3, "-c", ""}},
		{"start/Node", 1, []string{node, "-e", ""}},
		{"read/Python", 20_000, []string{python3, "-c", "import time\nfor _ in range(20000): time.monotonic()"}},
		{"wait/Python", 200, []string{python3, "-c", "import time\nfor _ in range(200): time.sleep(0.002)"}},
		{"wait/Node", 200, []string{node, "-e", "let n = 0; const i = setInterval(() => { if (++n === 200) clearInterval(i); }, 2)"}},
	} {
		b.Run(row.name+"/clock", func(b *testing.B) {
			for b.Loop() {
				passes(b, exec.Command(row.command[0], row.command[1:]...))
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(row.times), "µs/each")
		})
		b.Run(row.name+"/machine", func(b *testing.B) {
			for b.Loop() {
				if err := exec.Command(row.command[0], row.command[1:]...).Run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(row.times), "µs/each")
		})
	}
}

// passes runs a program to its end, and moves the clock to wherever it sleeps until.
func passes(b *testing.B, cmd *exec.Cmd) {
	began, ended := make(chan *clock.Tree), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		tree, err := clock.Start(cmd, clock.Options{})
		if err != nil {
			b.Error(err)
		}
		began <- tree
		if err != nil {
			return
		}
		defer close(ended)
		tree.Wait()
		_ = cmd.Wait()
		tree.Close()
	}()
	tree := <-began
	if tree == nil {
		b.FailNow()
	}
	for {
		select {
		case r := <-tree.Ask():
			tree.Move(r.Until, 0)
		case <-ended:
			return
		}
	}
}

// A tree that says it rests, and goes on, was not at rest. Each program here works for a moment between two sleeps, in ways
// that have looked like rest once, and writes a line when it has done so. At a rest the line is there, unless a timer of the
// language's own ends first, and some milliseconds later there is no other one. Beside them as many programs as there are
// processors take the time of these.
//
//	go test -run NONE -bench Soak -benchtime 100x -timeout 1h ./web/real/clock     # about half an hour
func BenchmarkSoak(b *testing.B) {
	if err := clock.Lacks(); err != nil {
		testtools.Absent(b, err.Error())
	}
	for range runtime.NumCPU() {
		busy := exec.Command(testtools.Find(b, "sh"), "-c", "while :; do :; done")
		if err := busy.Start(); err != nil {
			b.Fatal(err)
		}
		defer func() { _ = busy.Process.Kill(); _ = busy.Wait() }()
	}
	programs := soakedPrograms(b)
	for b.Loop() {
		for i := range programs {
			programs[i].soak(b)
		}
	}
	var table strings.Builder
	for _, p := range programs {
		fmt.Fprintf(&table, "\n%-28s %7d rests %3d wrong %8v each", p.name, p.rests, p.wrong, (p.took / time.Duration(p.rests)).Round(10*time.Microsecond))
	}
	b.Log(table.String())
}

// soak counts how often a program rests, and how often that was wrong.
func (p *soaked) soak(b *testing.B) {
	const rests, moment = 50, 5 * time.Millisecond
	l := lives(b, clock.Options{}, p.command...)
	defer l.close()
	for n := 1; n <= rests; n++ {
		began := time.Now()
		select {
		case r := <-l.Ask():
			p.took += time.Since(began)
			p.rests++
			lines := len(l.said())
			time.Sleep(moment)
			if more := len(l.said()); more > 0 || lines != 1 && !(lines == 0 && p.timers) {
				p.wrong++
				b.Errorf("%s: at rest %d it has said %d lines since the one before, and a moment later %d", p.name, n, lines, more)
			}
			l.Move(r.Until, 0)
		case <-l.ended:
			b.Fatalf("%s ends after %d rests", p.name, n)
		case <-time.After(testtools.Patience):
			b.Fatalf("%s does not rest", p.name)
		}
	}
}

// A soaked program says a line and sleeps, for ever.
type soaked struct {
	name    string
	command []string
	timers  bool // its language has some of its own

	rests, wrong int
	took         time.Duration
}

func soakedPrograms(b *testing.B) []soaked {
	python3, node := testtools.Python(b, "json"), testtools.Find(b, "node")
	return []soaked{
		{name: "a thread wakes another one", command: []string{python3, "-c", `
import threading, time
full, empty = threading.Semaphore(0), threading.Semaphore(0)
def other():
    while True: full.acquire(); empty.release()
threading.Thread(target=other, daemon=True).start()
while True:
    for _ in range(20): full.release(); empty.acquire()
    print(1, flush=True); time.sleep(1)`}},
		{name: "bytes through the kernel", command: []string{python3, "-c", `
import socket, threading, time
l = socket.create_server(("127.0.0.1", 0)); a = socket.create_connection(l.getsockname()); c, _ = l.accept()
def echo():
    while True: c.sendall(c.recv(9))
threading.Thread(target=echo, daemon=True).start()
while True:
    for _ in range(20): a.sendall(b"x"); a.recv(1)
    print(1, flush=True); time.sleep(1)`}},
		{name: "a child is started", command: []string{python3, "-c", `
import subprocess, time
while True: subprocess.run(["true"]); print(1, flush=True); time.sleep(1)`}},
		{name: "connections come and go", command: []string{python3, "-c", `
import socket, threading, time
l = socket.create_server(("127.0.0.1", 0))
def serve():
    while True: c, _ = l.accept(); c.sendall(c.recv(9)); c.close()
threading.Thread(target=serve, daemon=True).start()
while True:
    for _ in range(5):
        with socket.create_connection(l.getsockname()) as a: a.sendall(b"x"); a.recv(9); a.recv(9)
    print(1, flush=True); time.sleep(1)`}},
		{name: "fetch in Node", command: []string{node, "-e", `
const server = require("node:http").createServer((_, answer) => answer.end("x"));
server.keepAliveTimeout = 0;
server.listen(0, async () => {
	for (;;) {
		await new Promise((done) => require("node:http").get({ port: server.address().port, agent: false }, (r) => r.resume().on("end", done)));
		console.log(1);
		await new Promise((done) => setTimeout(done, 1000));
	}
})`}, timers: true},
		{name: "goroutines", command: []string{built(b, `
work, done := make(chan int), make(chan int)
for range 4 { go func() { for n := range work { time.Sleep(time.Microsecond); done <- n } }() }
for {
	go func() { for n := range 20 { work <- n } }()
	for range 20 { <-done }
	fmt.Println(1)
	time.Sleep(time.Second)
}`)}, timers: true},
	}
}
