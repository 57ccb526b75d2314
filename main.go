// Command lockstep teaches the Redis lock by letting people break it.
//
//	lockstep                           serves the site on :8080
//	lockstep run FILE                  runs a scenario and prints one line per event
//	lockstep export FILE --to FORMAT   translates a run for another tool
//	lockstep explore PROGRAM           looks at everything that can happen to a lock
//	lockstep check DIR                 proves what a course says
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/export"
	"lockstep/engine/program"
	"lockstep/views"
	"lockstep/web"
	"lockstep/web/store"
)

// The exit codes of lockstep run, lockstep explore and lockstep check.
const (
	exitUnmet     = 1 // an expectation was not met; a property is violated; a course has mistakes
	exitMalformed = 2 // what was given cannot be read, does not parse or makes no sense; nothing was run
	exitUndecided = 3 // the budget ran out, or the search was interrupted
	exitBroken    = 4 // the program has a mistake
)

type commands struct {
	Serve  serve       `cmd:"" default:"withargs" help:"Serve the site (the default)."`
	Run    run         `cmd:"" help:"Run a scenario and print one line per event."`
	Export translation `cmd:"" help:"Translate a run for another tool."`

	Explore exploration `cmd:"" help:"Look at everything that can happen to a lock, within bounds."`
	Check   examination `cmd:"" help:"Prove what the lessons and challenges of a course say."`
}

func main() {
	defer sorry()
	var c commands
	ctx := kong.Parse(&c, kong.Name("lockstep"), kong.DefaultEnvars("LOCKSTEP"),
		kong.Description("Lockstep teaches the Redis lock by letting people break it."),
		kong.Vars{"formats": strings.Join(append(export.Names(), html), ","), "properties": strings.Join(append(check.Names(), countOnly), ",")},
		kong.Exit(func(code int) { os.Exit(min(code, exitMalformed)) }))
	switch err := ctx.Run(); {
	case errors.Is(err, errUnmet):
		os.Exit(exitUnmet)
	case errors.Is(err, errUndecided):
		os.Exit(exitUndecided)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitMalformed)
	}
}

// sorry says what has gone wrong where that is a mistake of the program, to whom no trace of it says anything.
func sorry() {
	if mistake := recover(); mistake != nil {
		fmt.Fprintf(os.Stderr, "Lockstep has made a mistake of its own, and nothing was changed: %v. Please report it, with what you gave it.\n", mistake)
		os.Exit(exitBroken)
	}
}

type serve struct {
	Address        string        `help:"Address to listen on." default:":8080"`
	BasePath       string        `help:"Path under which the site is served, such as /tools/lockstep." placeholder:"PATH"`
	PublicURL      string        `help:"Where visitors reach the site, for links and QR codes; requests for other hosts are then refused." placeholder:"URL"`
	TrustedProxies []string      `help:"Proxies that are believed what they say about visitors: addresses or networks." placeholder:"CIDR"`
	Metrics        []string      `help:"Who may read /metrics: addresses or networks, or none." default:"127.0.0.0/8,::1" placeholder:"CIDR"`
	Drain          time.Duration `help:"How long the server goes on after it is told to end and says so at /healthz." default:"0s"`
	Data           string        `help:"A directory in which runs and rooms are kept; in memory unless given." placeholder:"DIR"`
	Store          string        `help:"A Redis that keeps runs and rooms, for several servers: redis://, rediss:// or unix://." placeholder:"URL"`
	StoreFile      string        `help:"A file that has the URL of --store: it may hold a password." placeholder:"FILE"`
	Keep           time.Duration `help:"How long a run or room is kept that nobody adds to." default:"720h"`
	MaxData        size          `help:"Space for runs and rooms, such as 500MiB. A full server refuses new ones; existing ones may take a quarter more. 2GiB with --data, 64MiB in memory unless given." placeholder:"SIZE"`
	Course         []string      `help:"A course of your own, beside the built-in one; may be given several times." placeholder:"DIR" type:"existingdir"`
	Log            string        `help:"How the log is written: ${enum}." enum:"text,json" default:"text"`
	LogLevel       slog.Level    `help:"From which level on: debug, info, warn or error." default:"info"`

	options web.Options // as far as the flags say
}

// Validate refuses what does not make sense, before anything is opened.
func (s *serve) Validate() (err error) {
	if i := strings.IndexFunc(s.BasePath, func(r rune) bool { return !strings.ContainsRune(pathLetters, r) }); i >= 0 {
		return fmt.Errorf("the base path %q may have letters and digits of ASCII and - . _ ~ /", s.BasePath)
	}
	s.options.BasePath = s.BasePath
	if s.options.PublicURL, err = web.PublicURL(s.PublicURL, s.BasePath); err != nil {
		return err
	}
	if s.options.Proxies, err = web.ParsePrefixes(s.TrustedProxies); err != nil {
		return fmt.Errorf("--trusted-proxies: %w", err)
	}
	switch given := slices.DeleteFunc([]string{s.Data, s.Store, s.StoreFile}, func(text string) bool { return text == "" }); {
	case len(given) > 1:
		return errors.New("give one of --data, --store and --store-file (LOCKSTEP_DATA, LOCKSTEP_STORE, LOCKSTEP_STORE_FILE), not several")
	case s.Keep <= 0:
		return errors.New("--keep has to be some time, such as 720h")
	case s.MaxData > 0 && s.Store+s.StoreFile != "":
		return errors.New("--max-data is for --data and for memory; how much a Redis keeps is its own maxmemory")
	}
	if slices.Equal(s.Metrics, []string{"none"}) {
		return nil
	}
	if s.options.Metrics, err = web.ParsePrefixes(s.Metrics); err != nil {
		return fmt.Errorf("--metrics: %w", err)
	}
	return nil
}

// What the runtime does, unless its environment says otherwise.
const (
	garbage = 300 // percent of what is used, that lies about before it is collected: each collection takes a processor from a class
	threads = 2   // for each processor: one takes in what comes from the network while the others compute
)

// softMemory is what the server holds at most but for moments, in bytes: the sum of its bounds on what it holds for others.
// A store in memory comes on top.
const softMemory = 368 << 20

// A size is a flag with a number of bytes, such as 500MiB.
type size int64

// leastSize is enough for a class.
const leastSize = 16 << 20

// units are the endings of a size.
var units = map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "": 1}

// UnmarshalText reads a size.
func (s *size) UnmarshalText(text []byte) error {
	digits := strings.TrimRight(string(text), "KMGTiB")
	unit, ok := units[string(text[len(digits):])]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !ok || n <= 0 || n > math.MaxInt64/2/unit {
		return fmt.Errorf("%q is not a size such as 500MiB or 2GiB", text)
	}
	if n*unit < leastSize {
		return fmt.Errorf("%s is too little: at least %dMiB", text, leastSize>>20)
	}
	*s = size(n * unit)
	return nil
}

const pathLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/"

func (s *serve) Run() error {
	courses, err := s.courses()
	if err != nil {
		return err
	}
	s.options.Logger = web.NewLogger(os.Stderr, s.Log, s.LogLevel)
	if s.options.Store, err = s.store(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.Address)
	if err != nil {
		return errors.Join(err, s.options.Store.Close())
	}
	address := listener.Addr().(*net.TCPAddr)
	all := urls(address)
	if len(all) > 1 {
		s.options.LocalURL = all[1]
	}
	s.options.Courses = courses
	s.tune()
	site := web.New(s.options)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	s.options.Logger.Info("serving", "address", listener.Addr().String())
	for i, url := range all {
		all[i] = url + web.BasePath(s.BasePath)
	}
	if s.options.PublicURL != "" { // and under no other host, but for this very machine
		if all = all[:1]; !address.IP.IsUnspecified() && !address.IP.IsLoopback() {
			all = nil
		}
		all = append(all, s.options.PublicURL)
	}
	for _, url := range all {
		fmt.Println("Lockstep is at", url+"/")
	}
	return site.Serve(ctx, listener, s.Drain)
}

// tune lets the runtime serve a class.
func (s *serve) tune() {
	s.options.Processors = runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(threads * s.options.Processors)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	if os.Getenv("GOMEMLIMIT") == "" { // near it garbage is collected more often
		most := int64(softMemory)
		if s.Data+s.Store+s.StoreFile == "" {
			most += s.options.Store.Stats().MaxBytes * 5 / 4
		}
		debug.SetMemoryLimit(most)
	}
}

// store is where runs and rooms are kept.
func (s *serve) store() (store.Store, error) {
	o := store.Options{Keep: s.Keep, MaxBytes: int64(s.MaxData), Logger: s.options.Logger}
	address := s.Store
	if s.StoreFile != "" {
		text, err := os.ReadFile(s.StoreFile)
		if err != nil {
			return nil, fmt.Errorf("reading the URL of the store: %w", err)
		}
		if address = strings.TrimSpace(string(text)); address == "" {
			return nil, fmt.Errorf("reading the URL of the store: %s is empty", s.StoreFile)
		}
	}
	switch {
	case s.Data != "":
		return store.SQLite(s.Data, o)
	case address != "":
		return store.Redis(address, o)
	}
	return store.Memory(o), nil
}

// courses are those that are served beside the built-in one. What is wrong with
// them is said once, and the rest of them is served.
func (s *serve) courses() ([]*course.Course, error) {
	taken := map[string]bool{course.Builtin().Name: true}
	var all []*course.Course
	for _, dir := range s.Course {
		c, err := openCourse(dir)
		if err != nil {
			return nil, err
		}
		if taken[c.Name] {
			return nil, fmt.Errorf("there are two courses named %s: a course is named as its directory is; give one another name", c.Name)
		}
		taken[c.Name] = true
		for _, m := range c.Mistakes {
			fmt.Fprintln(os.Stderr, filepath.Join(dir, m.Error()))
		}
		all = append(all, c)
	}
	return all, nil
}

// urls are those under which the address can be reached: a server that listens
// everywhere can be opened from the phones in the room, best by the second one.
func urls(address *net.TCPAddr) []string {
	hosts := []string{address.IP.String()}
	if address.IP.IsUnspecified() {
		hosts = []string{"localhost"}
		all, _ := net.InterfaceAddrs() // without them the first one still serves
		for _, a := range all {
			if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && n.IP.To4() != nil {
				hosts = append(hosts, n.IP.String())
			}
		}
		// A machine with containers has several; the one on the way out is that of
		// the network it is in. Nothing is sent.
		if out, err := net.Dial("udp4", "192.0.2.1:9"); err == nil {
			used := out.LocalAddr().(*net.UDPAddr).IP.String()
			_ = out.Close()
			if i := slices.Index(hosts, used); i > 1 {
				hosts[1], hosts[i] = hosts[i], hosts[1]
			}
		}
	}
	for i, host := range hosts {
		hosts[i] = "http://" + net.JoinHostPort(host, strconv.Itoa(address.Port))
	}
	return hosts
}

// languages are what --language takes.
var languages = map[string]engine.Language{"en": engine.English, "zh": engine.Chinese}

type run struct {
	File     string `arg:"" help:"The scenario; - reads standard input."`
	JSON     bool   `help:"Print NDJSON: a header line, then an event a line."`
	Language string `help:"Language of the sentences: ${enum}." enum:"en,zh" default:"en"`
}

var errUnmet = errors.New("an expectation was not met")

func (r *run) Run() error {
	language := languages[r.Language]
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

type exploration struct {
	Program      string            `arg:"" optional:"" help:"A built-in program."`
	ProgramFile  string            `help:"A program of your own; - reads standard input." placeholder:"FILE"`
	Property     string            `help:"The property: ${enum}." enum:"${properties}" default:"mutual-exclusion"`
	Clients      int               `help:"How many clients there are." default:"3"`
	Ticks        int               `help:"How often the clock may move." default:"6"`
	Tick         time.Duration     `help:"By how much it moves, in whole milliseconds." default:"1s"`
	Timeout      time.Duration     `help:"How long a lease lasts; 0: as the program says." default:"2s"`
	Retry        time.Duration     `help:"Wait after a failed attempt; 0: one tick."`
	Crashes      int               `help:"How many clients may crash."`
	Delays       string            `help:"How many ticks may pass while a message is in flight: a number, or any." default:"any"`
	Replies      bool              `help:"Let replies take time too."`
	Skew         map[string]string `help:"Clocks that are wrong, such as C2=2s." placeholder:"CLIENT=TIME"`
	Nodes        int               `help:"How many Redis nodes there are." default:"1"`
	NodeCrashes  int               `help:"How often a Redis node may crash."`
	Lose         bool              `help:"A Redis node that crashes loses its data."`
	RestartDelay int               `help:"How many ticks pass at least before a crashed Redis node is back."`
	Symmetry     bool              `help:"Count clients that differ only in their names once."`
	MaxStates    int64             `help:"Give up beyond so many states; 0: as many as there are."`
	MaxMemory    int64             `help:"Give up beyond so many MiB, from 1 to 1048576." default:"1024"`
	Workers      int               `help:"How many states are looked at at once, at most 256; 0: one for each processor."`
	JSON         bool              `help:"Print one JSON object."`
	Language     string            `help:"Language of the sentences: ${enum}." enum:"en,zh" default:"en"`
}

var errUndecided = errors.New("the search was not finished")

func (e *exploration) Run() error {
	language := languages[e.Language]
	question, err := e.question()
	if err == nil {
		err = e.answer(question, language)
	}
	if said := (interface{ Sentence(engine.Language) string })(nil); errors.As(err, &said) {
		return errors.New(said.Sentence(language))
	}
	return err
}

// The bounds of what a search may use on the command line.
const (
	mostMiB     = 1 << 20
	mostWorkers = 256
)

// check refuses flags that would silently mean something else.
func (e *exploration) check() error {
	for _, f := range []struct {
		flag string
		time time.Duration
		zero bool // it leaves the choice to the program or to the tick
	}{{"--tick", e.Tick, false}, {"--timeout", e.Timeout, true}, {"--retry", e.Retry, true}} {
		if f.time < 0 || f.time == 0 && !f.zero || f.time%time.Millisecond != 0 {
			return engine.Refuse("%s: %s is not a length of time such as 1s or 500ms, in whole milliseconds", "%s：%s 不是 1s、500ms 这样以整毫秒计的时长", f.flag, f.time)
		}
	}
	for _, f := range []struct {
		flag           string
		n, least, most int64
	}{{"--max-states", e.MaxStates, 0, math.MaxInt64}, {"--max-memory", e.MaxMemory, 1, mostMiB}, {"--workers", int64(e.Workers), 0, mostWorkers}} {
		switch {
		case f.n < f.least:
			return engine.Refuse("%s: %d is too few: at least %d", "%s：%d 太小：至少为 %d", f.flag, f.n, f.least)
		case f.n > f.most:
			return engine.Refuse("%s: %d is too many: at most %d", "%s：%d 太大：至多为 %d", f.flag, f.n, f.most)
		}
	}
	return nil
}

// question is what the flags ask.
func (e *exploration) question() (q explore.Question, err error) {
	if err := e.check(); err != nil {
		return q, err
	}
	q = explore.Question{
		Property: e.Property, Clients: e.Clients, Ticks: e.Ticks, Tick: engine.Time(e.Tick.Milliseconds()), Timeout: engine.Time(e.Timeout.Milliseconds()),
		Retry: engine.Time(e.Retry.Milliseconds()), Crashes: e.Crashes, Delays: explore.Any, Replies: e.Replies, Skew: map[string]engine.Time{},
		Nodes: e.Nodes, NodeCrashes: e.NodeCrashes, Lose: e.Lose, RestartDelay: e.RestartDelay, Symmetry: e.Symmetry,
	}
	if q.Property == countOnly {
		q.Property = ""
	}
	if q.Program, err = e.program(); err != nil {
		return q, err
	}
	if e.Delays != "any" {
		if q.Delays, err = strconv.Atoi(e.Delays); err != nil || q.Delays < 0 {
			return q, engine.Refuse("--delays: %q is neither a number nor any", "--delays：%q 既不是数字也不是 any", e.Delays)
		}
	}
	for client, text := range e.Skew {
		skew, ok := engine.ParseDuration(text)
		if !ok {
			return q, engine.Refuse("--skew: %q is not a length of time such as 2s or -500ms", "--skew：%q 不是时长，例如 2s 或 -500ms", text)
		}
		q.Skew[client] = skew
	}
	return q, nil
}

// countOnly stands for no property at all.
const countOnly = "none"

func (e *exploration) program() (*program.Program, error) {
	switch {
	case e.ProgramFile != "" && e.Program != "":
		return nil, engine.Refuse("give the name of a program or a file, not both", "程序名和文件只能给一个")
	case e.ProgramFile != "":
		text, err := read(e.ProgramFile)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(e.ProgramFile), filepath.Ext(e.ProgramFile))
		if name == "-" {
			name = "own"
		}
		return program.Parse(name, text)
	case e.Program == "":
		return nil, engine.Refuse("give a program: one of %s, or --program-file FILE", "请指定程序：%s 之一，或 --program-file FILE", strings.Join(program.Names(), ", "))
	}
	p, ok := program.Builtin(e.Program)
	if !ok {
		return nil, engine.Refuse("there is no program %q: it is one of %s, or --program-file FILE", "没有程序 %q：应为 %s 之一，或 --program-file FILE", e.Program, strings.Join(program.Names(), ", "))
	}
	return p, nil
}

// answer searches on every processor until it is done or interrupted, and prints what was found.
func (e *exploration) answer(q explore.Question, language engine.Language) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	hands := web.Hands(func(explore.Figures) bool { return ctx.Err() == nil })
	if e.Workers > 0 {
		hands.Workers = e.Workers
	}
	// What a search sets aside it keeps. By default the collector would let as much
	// garbage lie beside it before it begins.
	debug.SetGCPercent(20)
	started := time.Now()
	a, err := q.Search(explore.Budget{States: e.MaxStates, Memory: e.room()}, hands, 1)
	if err != nil {
		return err
	}
	seconds := time.Since(started).Seconds()
	if e.JSON {
		err = json.NewEncoder(os.Stdout).Encode(q.Report(a, seconds))
	} else {
		_, err = fmt.Println(q.Sentence(a, "", language))
		if len(a.Counterexamples) > 0 {
			_, err = fmt.Printf("\n%s", a.Counterexamples[0].Scenario)
		}
	}
	switch {
	case err != nil:
		return fmt.Errorf("printing the answer: %w", err)
	case a.Verdict == explore.Violated:
		return errUnmet
	case a.Verdict != explore.Holds:
		return errUndecided
	}
	return nil
}

type examination struct {
	Dir      string `arg:"" help:"The directory of the course." type:"existingdir"`
	Language string `help:"Language of the sentences: ${enum}." enum:"en,zh" default:"en"`
}

func (e *examination) Run() error {
	c, err := openCourse(e.Dir)
	if err != nil {
		return err
	}
	mistakes := c.Check(web.Hands(nil))
	language := languages[e.Language]
	for _, m := range mistakes {
		fmt.Println(m.Sentence(language))
	}
	if len(mistakes) > 0 {
		return errUnmet
	}
	fmt.Println(c.Proved(language))
	return nil
}

// openCourse reads the course in a directory, which is named as the directory is.
func openCourse(dir string) (*course.Course, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the course %s: %w", dir, err)
	}
	return course.Load(os.DirFS(path), filepath.Base(path)), nil
}

// room is how much of the memory given the search may set aside: the program
// itself is in memory too, and the collector lets garbage lie for a while.
func (e *exploration) room() int64 {
	const itself = 36 << 20
	return max(1<<20, (e.MaxMemory<<20-itself)*4/5)
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
