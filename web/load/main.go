// Command load measures what one server holds, and prints a table: the target, the
// figure, and whether it holds. It exits with 1 when a target is missed.
//
//	go run ./web/load                          takes about ten minutes
//	go run ./web/load -only deliver -viewers 200 -seconds 5
//	go run ./web/load -only hostile -harm posts,looks
//
// The server is the real one. It runs as its own process on a free port of this
// machine and keeps its rooms in SQLite. All visitors are in this process, and one
// clock times requests and answers. The figures are what a visitor notices, and
// include the work of this process. The hostile visitor (hostile.go) is a third process,
// and has another address than the class.
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

// A class holds how many people there are, and what they do.
type class struct {
	phones  int // that join, come back, and sit beside a hostile visitor
	viewers int // that watch
	rate    int // steps a second
	seconds int
	idle    int // rooms that nobody is in
	people  int // of a class with votes, and of one whose bytes are counted
	lessons int // whose steps are counted

	harms       []string // that a hostile visitor does; none: each of them
	sameNetwork bool     // the hostile visitor comes from the address of the class
	strength    float64  // of the hostile visitor: the share of its connections that it opens

	server string // the program that is measured
	dir    string // for what is kept
	begin  func(program string, args ...string) *exec.Cmd
}

// The measurements, in the order of the table.
var measurements = []struct {
	name    string
	measure func(c class) ([]row, error)
}{
	{"join", joins},
	{"deliver", delivers},
	{"storm", storms},
	{"memory", memories},
	{"wifi", wifis},
	{"morning", mornings},
	{"hostile", hostiles},
}

func main() {
	if len(os.Args) > 1 && helps(os.Args[1:]) {
		return
	}
	c := class{strength: 1}
	var only, harmful string
	flag.StringVar(&only, "only", "", "measure these, by `names`: "+strings.Join(names(), ","))
	flag.IntVar(&c.phones, "phones", 300, "people who join a room")
	flag.IntVar(&c.viewers, "viewers", 1000, "people who watch a room")
	flag.IntVar(&c.rate, "rate", 20, "steps a second, half of them beside a hostile visitor")
	flag.IntVar(&c.seconds, "seconds", 15, "how long the steps go on")
	flag.IntVar(&c.idle, "idle", 1000, "rooms that nobody is in")
	flag.IntVar(&c.people, "people", 40, "people of a class with votes")
	flag.IntVar(&c.lessons, "lessons", 100, "lessons whose bytes are counted, at most")
	flag.StringVar(&c.server, "server", "", "measure this `program` and build none")
	flag.StringVar(&harmful, "harm", "", "of a hostile visitor: only these kinds of harm, by `names`: "+strings.Join(harmNames(), ","))
	flag.BoolVar(&c.sameNetwork, "same-network", false, "the hostile visitor comes from the class's own address; its rows have no target")
	flag.Parse()
	c.harms = listed(harmful)
	// This process must not slow the figures down: it collects garbage less often.
	debug.SetGCPercent(400)
	// The child processes end with this one.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c.begin = func(program string, args ...string) *exec.Cmd { return exec.CommandContext(ctx, program, args...) }
	missed, err := run(os.Stdout, c, listed(only))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if missed {
		os.Exit(1)
	}
}

// listed returns the names in a comma-separated list.
func listed(names string) []string {
	return strings.FieldsFunc(names, func(r rune) bool { return r == ',' })
}

func names() []string {
	var all []string
	for _, m := range measurements {
		all = append(all, m.name)
	}
	return all
}

// run makes the named measurements, or all of them, and prints the rows of each when it is complete.
func run(w io.Writer, c class, only []string) (missed bool, err error) {
	for _, named := range []struct{ chosen, all []string }{{only, names()}, {c.harms, harmNames()}} {
		for _, name := range named.chosen {
			if !slices.Contains(named.all, name) {
				return false, fmt.Errorf("there is no %q: choose among %s", name, strings.Join(named.all, ", "))
			}
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
		for _, r := range rows {
			r.print(w)
			missed = missed || r.misses
		}
		if err != nil {
			return missed, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return missed, nil
}

// helps runs this program as a helper process of itself.
func helps(args []string) bool {
	var err error
	switch args[0] {
	case "plain":
		err = plain(os.Stdin, os.Stdout)
	case "stranger":
		err = beStranger(os.Stdin, os.Stdout)
	default:
		return false
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return true
}
