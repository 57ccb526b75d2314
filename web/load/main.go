// Command load measures what one server holds, and prints a table: the target, the
// figure, and whether it holds. It exits with 1 when a target is missed.
//
//	go run ./web/load                          takes about three minutes
//	go run ./web/load -only deliver -viewers 200 -seconds 5
//
// The server is the real one, a process of its own on a free port of this machine
// that keeps its rooms in SQLite. Everybody who visits it is in this process, so
// that one clock says when something was asked for and when it was there: the
// figures are what the visitors notice, and hold this process's own work, too.
// Whoever does harm is a third process.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
)

// A class is how many people there are, and what they do.
type class struct {
	phones  int // that join, and come back
	viewers int // that watch
	rate    int // events a second
	seconds int
	rooms   int // at once
	idle    int // rooms that nobody is in
	halfway int // connections that ask half a question

	surface string // of those who watch
	server  string // the program that is measured
	dir     string // for what is kept
	begin   func(program string, args ...string) *exec.Cmd
}

// The measurements, in the order of the table.
var measurements = []struct {
	name    string
	measure func(class) ([]row, error)
}{
	{"join", joins},
	{"deliver", delivers},
	{"storm", storms},
	{"memory", memories},
	{"rooms", manyRooms},
	{"attack", attacks},
}

func main() {
	if len(os.Args) > 1 && helper(os.Args[1:]) {
		return
	}
	var c class
	var only string
	flag.StringVar(&only, "only", "", "measure these, by `names`: "+strings.Join(names(), ","))
	flag.IntVar(&c.phones, "phones", 300, "people who join a room")
	flag.IntVar(&c.viewers, "viewers", 1000, "people who watch a room")
	flag.IntVar(&c.rate, "rate", 20, "events a second")
	flag.IntVar(&c.seconds, "seconds", 15, "how long events go on")
	flag.IntVar(&c.rooms, "rooms", 10, "rooms at once")
	flag.IntVar(&c.idle, "idle", 1000, "rooms that nobody is in")
	flag.IntVar(&c.halfway, "half-open", 5000, "connections that ask half a question")
	flag.StringVar(&c.surface, "surface", "page", "what the viewers look at: page or screen")
	flag.StringVar(&c.server, "server", "", "measure this `program` and build none")
	flag.Parse()
	// This process must not be what is slow: it collects its garbage more rarely.
	debug.SetGCPercent(400)
	// The processes that are begun end with this one.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c.begin = func(program string, args ...string) *exec.Cmd { return exec.CommandContext(ctx, program, args...) }
	missed, err := run(os.Stdout, c, strings.FieldsFunc(only, func(r rune) bool { return r == ',' }))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if missed {
		os.Exit(1)
	}
}

func names() []string {
	var all []string
	for _, m := range measurements {
		all = append(all, m.name)
	}
	return all
}

// run measures what is named, or everything, and prints the table as it grows.
func run(w io.Writer, c class, only []string) (missed bool, err error) {
	for _, name := range only {
		if !slices.Contains(names(), name) {
			return false, fmt.Errorf("there is no measurement %q: it is one of %s", name, strings.Join(names(), ", "))
		}
	}
	if c.dir, err = os.MkdirTemp("", "lockstep-load-"); err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(c.dir)) }()
	if c.server == "" {
		if c.server, err = build(c.dir); err != nil {
			return false, err
		}
	}
	printHead(w)
	for _, m := range measurements {
		if len(only) > 0 && !slices.Contains(only, m.name) {
			continue
		}
		rows, err := m.measure(c)
		if err != nil {
			return missed, fmt.Errorf("%s: %w", m.name, err)
		}
		for _, r := range rows {
			r.print(w)
			missed = missed || r.misses
		}
	}
	return missed, nil
}

// helper is what this program does as a process beside itself.
func helper(args []string) bool {
	var err error
	switch args[0] {
	case "plain":
		err = plain(os.Stdin, os.Stdout)
	case "harm":
		err = harm(args[1], args[2], os.Stdin)
	default:
		return false
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return true
}
