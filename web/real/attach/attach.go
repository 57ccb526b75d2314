// Package attach serves the playground on this machine alone, with real programs as its clients.
//
//	command line ──▶ process ──▶ learn.Learner ──▶ sources ──▶ live.Learner ──▶ the page
//
// A click on the page never starts anything by itself: it moves a client of a run. Where that client's recording ends, the
// session asks the sources, and they run the program of the command line, which nothing else names. A scenario that the
// reader opens here goes on with that program, too, if its recording is the program's own: it then decides, as any run does,
// what the program is told. Package web does not
// import package process: under lockstep serve there is nothing that a request could start.
package attach

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/cli"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/learn"
	"lockstep/web"
	"lockstep/web/real/process"
	"lockstep/web/refusal"
	"lockstep/web/serve"
)

// Flags are the options of lockstep attach on the command line.
type Flags struct {
	Clients    int           `help:"Clients that run the command, or addresses for programs that you start by hand." zh:"运行这条命令的客户端数，或供你手动启动的程序使用的地址数。" default:"2"`
	Language   lang.Language `kong:"-"` // of the page
	Patience   time.Duration `help:"How long a program may take to its next command." zh:"程序发出下一条命令前最多等多久。" default:"10s"`
	Address    string        `help:"Address of the page, on this machine; the port is random unless you name one." zh:"页面在本机的地址；不指定端口则随机。" default:"127.0.0.1:0"`
	cli.Clocks `embed:""`
	Command    []string `arg:"" optional:"" help:"Command that starts a client; write -- before it. It finds its Redis in REDIS_URL, REDIS_HOST and REDIS_PORT, or in {url} and {port}." zh:"启动一个客户端的命令，前面写 --。程序从 REDIS_URL、REDIS_HOST 和 REDIS_PORT，或 {url} 和 {port} 得知 Redis 的地址。"`
}

// Validate refuses flags that make no sense, before anything is opened.
func (f *Flags) Validate() error {
	host, _, err := net.SplitHostPort(f.Address)
	if err != nil {
		return fmt.Errorf("--address: %w", err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return engine.Refuse("--address: %s is no address of this machine alone, such as 127.0.0.1:8081: the page runs your program", "--address：%s 不是 127.0.0.1:8081 这样只供本机访问的地址：页面会运行你的程序", f.Address)
	}
	most := engine.MaxClients
	if len(f.Command) == 0 {
		most = engine.MaxOwn // each has a recording of its own
	}
	if f.Clients < 1 || f.Clients > most {
		return engine.Refuse("--clients must be 1 to %d here", "这里 --clients 应为 1 到 %d", most)
	}
	if f.Patience <= 0 {
		return engine.Refuse("--patience must be positive, such as 10s", "--patience 应为正的时长，例如 10s")
	}
	return nil
}

// Run serves the page until a signal ends the process.
func (f *Flags) Run(in lang.Language) error {
	f.Language = in
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	return f.Serve(ctx, os.Stdout)
}

// Serve serves the page until ctx ends, and prints its address.
func (f *Flags) Serve(ctx context.Context, out io.Writer) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	virtual, err := f.Virtual(process.LacksClock, out, f.Language)
	if err != nil {
		return err
	}
	var real cli.Redis
	if f.RedisServer != "" {
		if real, err = process.StartServer(f.RedisServer); err != nil {
			return err
		}
		defer real.Close()
	}
	a, err := f.open(f.launcher(ctx, virtual), real)
	if err != nil {
		return err
	}
	defer a.close()
	defer end() // it ends what close waits for
	listener, err := serve.Listen(f.Address)
	if err != nil {
		a.site.Close()
		return err
	}
	for i, p := range a.hand {
		fmt.Fprintf(out, "C%d: %s\n", i+1, p.URL())
	}
	fmt.Fprintln(out, "Lockstep is at", a.url(listener.Addr().String(), f.Language))
	for i := range a.hand {
		a.waiting.Go(func() { a.await(ctx, i) })
	}
	context.AfterFunc(ctx, func() {
		for _, p := range a.hand {
			p.Kill()
		}
	})
	return a.site.Serve(ctx, listener, 0)
}

func (f *Flags) launcher(ctx context.Context, virtual bool) learn.Launcher {
	launch := process.Launch(f.Command, process.Options{Patience: f.Patience, Clock: virtual, Until: ctx}) // every process ends with ctx
	return func(name string, own, apart int64) (learn.Process, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return launch(name, own, apart)
	}
}

// An attachment is a site whose clients are real programs.
type attachment struct {
	site    *web.Server
	token   string
	run     string // its id
	sources sources
	hand    []*process.Process // that wait for programs which somebody starts by hand
	waiting sync.WaitGroup
}

// open makes the site and its run.
func (f *Flags) open(launch learn.Launcher, real cli.Redis) (*attachment, error) {
	a := &attachment{token: rand.Text(), sources: sources{}}
	header := engine.Header{}
	if len(f.Command) > 0 {
		s := newSource(learn.NameOf(f.Command), strings.Join(f.Command, " "), launch, false, real)
		a.sources[s.name] = s
		header.Program = s.name
		if err := s.learn(explore.Gap{Clock: engine.Start}); err != nil {
			a.sources.close()
			return nil, errors.New(refusal.Of(told(err)).In(f.Language))
		}
	} else if err := a.listen(f.Clients, real); err != nil {
		return nil, err
	}
	header.Own = a.sources.all()
	run := engine.NewRun(header, check.All()...)
	a.sources.Grant(run)
	if header.Program != "" {
		for i := range f.Clients {
			if _, err := run.Do(engine.Action{Verb: engine.VerbSpawn, Client: lane(i)}); err != nil {
				a.close()
				return nil, err
			}
		}
	}
	a.site = web.New(web.Options{Token: a.token, Learner: a.sources})
	var err error
	if a.run, err = a.site.Open(run); err != nil {
		a.site.Close()
		a.close()
		return nil, err
	}
	return a, nil
}

// listen opens an address for each program that somebody starts by hand.
func (a *attachment) listen(clients int, real cli.Redis) error {
	for i := range clients {
		p, err := process.Listen(process.Options{})
		if err != nil {
			a.close()
			return err
		}
		a.hand = append(a.hand, p)
		s := newSource(handName(i), p.URL(), once(p), true, real)
		a.sources[s.name] = s
	}
	return nil
}

// once returns the launcher of a process that runs already: nobody can start it again.
func once(p learn.Process) learn.Launcher {
	var mu sync.Mutex
	taken := false
	return func(string, int64, int64) (learn.Process, error) {
		mu.Lock()
		defer mu.Unlock()
		if taken {
			return nil, errOnce
		}
		taken = true
		return p, nil
	}
}

var errOnce = &learn.Fault{Text: lang.Both("its program was started by hand, and cannot run again from its beginning", "它的程序是手动启动的，无法从头再运行一次")}

// errElsewhere says that a program that was started by hand answers another run.
var errElsewhere = &learn.Fault{Text: lang.Both("its program, started by hand, answers another run now", "它的程序是手动启动的，正在响应另一次运行")}

// await lets a lane appear with the first command of its program.
func (a *attachment) await(ctx context.Context, i int) {
	a.hand[i].Next()
	for n := i; ctx.Err() == nil && n < engine.MaxClients; n++ { // a reader may have used the name
		if err := a.site.Do(a.run, "spawn "+lane(n)+" "+handName(i)); err == nil {
			return
		}
	}
}

// close ends all processes.
func (a *attachment) close() {
	for _, p := range a.hand {
		p.Kill()
	}
	a.waiting.Wait()
	a.sources.close()
}

// url returns the address that lets a browser in.
func (a *attachment) url(address string, l lang.Language) string {
	query := url.Values{"lang": {string(l)}, "token": {a.token}}
	return "http://" + address + "/t/" + a.run + "?" + query.Encode()
}

func lane(i int) string     { return "C" + strconv.Itoa(i+1) }
func handName(i int) string { return "by-hand-" + strconv.Itoa(i+1) }
