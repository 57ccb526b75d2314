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
//	lockstep help COMMAND              tells more; version, completion and man are there, too
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"lockstep/engine/cli"
	"lockstep/engine/lang"
	"lockstep/engine/learn"
	"lockstep/web/real/attach"
	"lockstep/web/real/process"
	"lockstep/web/real/record"
	"lockstep/web/runpages"
	"lockstep/web/search"
	"lockstep/web/serve"
	"lockstep/web/shell"
	"lockstep/web/store/redis"
	"lockstep/web/store/sqlite"
)

func main() {
	defer apologize()
	var c struct {
		Serve  serve.Flags  `cmd:"" default:"withargs" help:"Serve the site (the default)." zh:"提供网站（默认命令）。"`
		Attach attach.Flags `cmd:"" help:"Serve the playground on this machine, with a program of your own as its clients." zh:"在本机提供实验台，以你自己的程序为客户端。"`
		cli.Commands
		Record record.Command `cmd:"" help:"Record what passes between clients and a Redis, for import." zh:"录制客户端与 Redis 之间的往来，供 import 导入。"`
		shell.About
		shell.Globals
	}
	c.Export.Formats = runpages.Formats
	c.Serve.Stores = serve.Stores{Directory: sqlite.Open, Redis: redis.Open, Erase: sqlite.Remove}
	info, _ := debug.ReadBuildInfo()
	vars := kong.Vars{"version": shell.Version(info)}
	maps.Copy(vars, c.Vars())
	sh, err := shell.New(&c, description, os.Args[1:], vars)
	if err != nil {
		panic(err)
	}
	command, err := sh.Command(os.Args[1:])
	if err == nil {
		err = command.Run(host(sh.In()), sh.In())
	}
	if code := cli.ExitCode(err); code != 0 {
		if code == cli.ExitMalformed {
			fmt.Fprintln(os.Stderr, cli.Said(err, sh.In()))
		}
		os.Exit(code)
	}
}

// host returns this machine.
func host(in lang.Language) *cli.Host {
	return &cli.Host{
		In: os.Stdin, Out: shell.Output(os.Stdout), Err: os.Stderr, Language: in, Terminal: shell.IsTerminal(os.Stderr),
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
			return serve.Show(ctx, scenario, func(url string) { fmt.Fprintln(os.Stderr, "The run is at", url) })
		},
	}
}

var description = lang.Both(`Lockstep teaches the Redis lock by letting people break it.

Without a command it serves the site at http://localhost:8080/, for this machine alone. --address serves it elsewhere: --address :8080 for a class. lockstep help serve lists all flags of the site.`,
	`Lockstep 让人亲手攻破 Redis 分布式锁，从而真正理解它。

不带命令时，在 http://localhost:8080/ 提供网站，只有本机能访问。--address 换一个地址：课堂上用 --address :8080。lockstep help serve 列出网站的所有选项。`)

// apologize reports a panic without its stack trace, which tells a user nothing.
func apologize() {
	if mistake := recover(); mistake != nil {
		fmt.Fprintf(os.Stderr, "Lockstep has a bug and has changed nothing: %v. Please report it with your input.\n", mistake)
		os.Exit(cli.ExitBroken)
	}
}
