// Command lockstep teaches the Redis lock by letting people break it.
//
//	lockstep                           serves the site on localhost:8080
//	lockstep attach -- COMMAND         serves the playground with a program of your own as its clients
//	lockstep run FILE                  runs a scenario and prints one line per event
//	lockstep export FILE --to FORMAT   translates a run for another tool
//	lockstep test -- COMMAND           explores everything that can happen to a program of your own
//	lockstep import FILE               writes the log of a real Redis as a scenario
//	lockstep record --to ADDRESS FILE  records what passes between clients and a Redis
//	lockstep explore PROGRAM           explores everything that can happen to a lock
//	lockstep check COURSE              proves the claims of a course
//	lockstep pack-course DIR           writes a course as one file
//	lockstep export-course COURSE      writes a course as a package for a learning platform
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"lockstep/engine/cli"
	"lockstep/engine/learn"
	"lockstep/web"
	"lockstep/web/attach"
	"lockstep/web/process"
	"lockstep/web/record"
	"lockstep/web/search"
)

func main() {
	defer apologize()
	var c struct {
		Serve  web.Flags    `cmd:"" default:"withargs" help:"Serve the site (the default)."`
		Attach attach.Flags `cmd:"" help:"Serve the playground on this machine, with a program of your own as its clients."`
		cli.Commands
		Record  record.Command   `cmd:"" help:"Record what passes between clients and a Redis, for import."`
		Version kong.VersionFlag `help:"Print the version."`
	}
	c.Export.Formats = web.Formats
	ctx := kong.Parse(&c, kong.Name("lockstep"), kong.DefaultEnvars("LOCKSTEP"),
		kong.Description(description), kong.Vars(c.Vars()), kong.Vars{"version": version()},
		kong.Exit(func(code int) { os.Exit(min(code, cli.ExitMalformed)) }))
	err := ctx.Run(&cli.Host{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Open: func(path string) (io.ReadCloser, error) { return os.Open(path) },
		Now:  time.Now,
		Interruptible: func() (context.Context, context.CancelFunc) {
			return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		},
		Hands: search.AllProcessors,
		Write: func(path, text string) error { return os.WriteFile(path, []byte(text), 0o644) },
		Launch: func(ctx context.Context, p cli.Program) learn.Launcher {
			return process.Launch(p.Command, process.Options{Patience: p.Patience, Clock: p.Clock, Until: ctx})
		},
		LacksClock: process.LacksClock,
		Redis: func(path string) (cli.Redis, error) {
			s, err := process.StartServer(path)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
		Show: func(ctx context.Context, scenario string) error {
			return web.Show(ctx, scenario, func(url string) { fmt.Fprintln(os.Stderr, "The run is at", url) })
		},
	})
	if code := cli.ExitCode(err); code != 0 {
		if code == cli.ExitMalformed {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(code)
	}
}

const description = `Lockstep teaches the Redis lock by letting people break it.

Without a command it serves the site at http://localhost:8080/. --address serves it elsewhere: --address :8080 for a class. "lockstep serve --help" lists all flags of the site.`

// version returns the version that Go's linker knows: the tag of a release, or the commit.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}

// apologize reports a panic without its stack trace, which tells a user nothing.
func apologize() {
	if mistake := recover(); mistake != nil {
		fmt.Fprintf(os.Stderr, "Lockstep has a bug and has changed nothing: %v. Please report it with your input.\n", mistake)
		os.Exit(cli.ExitBroken)
	}
}
