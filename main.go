// Command lockstep teaches the Redis lock by letting people break it.
//
//	lockstep                           serves the site on :8080
//	lockstep run FILE                  runs a scenario and prints one line per event
//	lockstep export FILE --to FORMAT   translates a run for another tool
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/export"
	"lockstep/views"
	"lockstep/web"
)

// The exit codes of lockstep run.
const (
	exitUnmet     = 1 // an expectation was not met
	exitMalformed = 2 // the scenario cannot be read or does not parse; nothing was run
)

type commands struct {
	Serve  serve       `cmd:"" default:"withargs" help:"Serve the site (the default)."`
	Run    run         `cmd:"" help:"Run a scenario and print one line per event."`
	Export translation `cmd:"" help:"Translate a run for another tool."`
}

func main() {
	var c commands
	ctx := kong.Parse(&c, kong.Name("lockstep"), kong.DefaultEnvars("LOCKSTEP"), kong.UsageOnError(),
		kong.Description("Lockstep teaches the Redis lock by letting people break it."),
		kong.Vars{"formats": strings.Join(append(export.Names(), html), ",")},
		kong.Exit(func(code int) { os.Exit(min(code, exitMalformed)) }))
	switch err := ctx.Run(); {
	case errors.Is(err, errUnmet):
		os.Exit(exitUnmet)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitMalformed)
	}
}

type serve struct {
	Address  string `help:"Address to listen on." default:":8080"`
	BasePath string `help:"Path under which the site is served, such as /tools/lockstep." placeholder:"PATH"`
}

// Validate refuses a base path that would have to be written in another way in an address.
func (s *serve) Validate() error {
	if i := strings.IndexFunc(s.BasePath, func(r rune) bool { return !strings.ContainsRune(pathLetters, r) }); i >= 0 {
		return fmt.Errorf("the base path %q may have letters and digits of ASCII and - . _ ~ /", s.BasePath)
	}
	return nil
}

const pathLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/"

func (s *serve) Run() error {
	listener, err := net.Listen("tcp", s.Address)
	if err != nil {
		return err
	}
	for _, url := range urls(listener.Addr().(*net.TCPAddr), web.BasePath(s.BasePath)) {
		fmt.Println("Lockstep is at", url)
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	site := web.New(web.Options{Logger: log, BasePath: s.BasePath})
	server := &http.Server{Handler: site.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	site.Close()
	ending, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return server.Shutdown(ending)
}

// urls are those under which the address can be reached: a server that listens
// everywhere can be opened from the phones in the room.
func urls(address *net.TCPAddr, base string) []string {
	hosts := []string{address.IP.String()}
	if address.IP.IsUnspecified() {
		hosts = []string{"localhost"}
		all, _ := net.InterfaceAddrs() // without them the first one still serves
		for _, a := range all {
			if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && n.IP.To4() != nil {
				hosts = append(hosts, n.IP.String())
			}
		}
	}
	for i, host := range hosts {
		hosts[i] = "http://" + net.JoinHostPort(host, strconv.Itoa(address.Port)) + base + "/"
	}
	return hosts
}

type run struct {
	File     string `arg:"" help:"The scenario; - reads standard input."`
	JSON     bool   `help:"Print NDJSON: a header line, then an event a line."`
	Language string `help:"Language of the sentences: ${enum}." enum:"en,zh" default:"en"`
}

var errUnmet = errors.New("an expectation was not met")

func (r *run) Run() error {
	language := map[string]engine.Language{"en": engine.English, "zh": engine.Chinese}[r.Language]
	trace, err := play(r.File)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		return errors.New(problem.Sentence(language))
	}
	if err != nil {
		return err
	}
	if r.JSON {
		err = export.Write(os.Stdout, "ndjson", trace)
	} else {
		err = trace.WriteText(os.Stdout, language)
	}
	if err != nil {
		return fmt.Errorf("printing the run: %w", err)
	}
	for _, unmet := range trace.Unmet {
		fmt.Fprintln(os.Stderr, unmet.Sentence(language))
	}
	if len(trace.Unmet) > 0 {
		return errUnmet
	}
	return nil
}

type translation struct {
	File     string `arg:"" help:"The scenario; - reads standard input."`
	To       string `help:"The format: ${enum}." enum:"${formats}" required:""`
	Language string `help:"Language in which html begins: ${enum}." enum:"en,zh" default:"en"`
}

// html is the format that is a page of its own; the others are text.
const html = "html"

// Help lists the formats.
func (t *translation) Help() string {
	var b strings.Builder
	b.WriteString("The formats:\n\n")
	for _, f := range export.Formats {
		fmt.Fprintf(&b, "  %-10s %s\n", f.Name, f.English)
	}
	fmt.Fprintf(&b, "  %-10s %s\n", html, "The run as one page that plays by itself, offline, in both languages.")
	return b.String()
}

func (t *translation) Run() error {
	trace, err := play(t.File)
	if err != nil {
		return err
	}
	if t.To == html {
		err = web.WriteHTML(os.Stdout, trace, views.Language(t.Language))
	} else {
		err = export.Write(os.Stdout, t.To, trace)
	}
	if err != nil {
		return fmt.Errorf("printing the run as %s: %w", t.To, err)
	}
	return nil
}

// play runs the scenario of a file, with the programs from files that it names.
func play(file string) (*engine.Trace, error) {
	text, err := read(file)
	if err != nil {
		return nil, err
	}
	scenario, err := engine.Parse(file, text, func(path string) (string, error) {
		if !filepath.IsAbs(path) && file != "-" {
			path = filepath.Join(filepath.Dir(file), path)
		}
		return read(path)
	})
	if err != nil {
		return nil, err
	}
	return scenario.Play(file, check.All()...)
}

// read returns a file's text, or standard input's for -. It reads one byte more
// than a scenario may have, which is enough to refuse it.
func read(path string) (string, error) {
	in := os.Stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer file.Close()
		in = file
	}
	var b strings.Builder
	_, err := io.Copy(&b, io.LimitReader(in, engine.MaxText+1))
	return b.String(), err
}
