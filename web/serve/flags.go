package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"lockstep/engine"
	"lockstep/web"
	"lockstep/web/door"
	"lockstep/web/limit"
	"lockstep/web/room"
	"lockstep/web/shelf"
	"lockstep/web/store"
)

// Flags are the options of a server on the command line.
type Flags struct {
	Address        string        `help:"Address to listen on. The default is for this machine alone; :8080 lets a class in." zh:"监听的地址。默认只供本机访问；:8080 让课堂里的设备也能访问。" default:"localhost:8080"`
	BasePath       string        `help:"Path under which the server serves the site, such as /tools/lockstep." zh:"网站所在的路径，例如 /tools/lockstep。" placeholder:"PATH"`
	PublicURL      string        `help:"URL at which visitors reach the site, for links and QR codes. The server refuses requests for other hosts." zh:"访问者看到的网址，用于链接和二维码。服务器拒绝其他主机名的请求。" placeholder:"URL"`
	TrustedProxies []string      `help:"Proxies whose forwarded headers the server trusts: addresses or networks." zh:"服务器信任其转发头的代理：地址或网段。" placeholder:"CIDR"`
	EmbedFrom      []string      `help:"Sites whose pages may frame lessons, challenges, runs and the explorer: origins such as https://moodle.example; repeat the flag for more." zh:"可以嵌入课文、挑战、运行和穷举页面的网站：源，例如 https://moodle.example；可以多次给出。" placeholder:"ORIGIN"`
	Metrics        []string      `help:"Clients that may read /metrics: addresses or networks, or none." zh:"可以读取 /metrics 的客户端：地址或网段，或 none。" default:"127.0.0.0/8,::1" placeholder:"CIDR"`
	Drain          time.Duration `help:"How long to keep serving after SIGTERM, while /healthz reports the shutdown." zh:"收到 SIGTERM 后继续服务多久，其间 /healthz 报告正在关闭。" default:"0s"`
	Data           string        `help:"Directory that keeps runs and rooms; without it they live in memory." zh:"保存运行和房间的目录；不给出则只在内存里。" placeholder:"DIR"`
	Store          string        `help:"Redis that keeps runs and rooms for several servers: redis://, rediss:// or unix://." zh:"为多台服务器保存运行和房间的 Redis：redis://、rediss:// 或 unix://。" placeholder:"URL"`
	StoreFile      string        `help:"File that holds the URL of --store, which may contain a password." zh:"存放 --store 网址（可能含密码）的文件。" placeholder:"FILE"`
	Forget         string        `help:"Delete what is kept with --data or --store, and exit: all rooms, runs and results, or those of the room with a code." zh:"删除 --data 或 --store 保存的内容后退出：全部（all），或某个加入码的房间。" placeholder:"all|CODE" env:"-"`
	Keep           time.Duration `help:"How long to keep a run or room after its last change." zh:"运行或房间在最后一次改动后保留多久。" default:"720h"`
	MaxData        dataSize      `help:"Space for runs and rooms, such as 500MiB. A full server refuses new ones; existing ones may use a quarter more. Default: 2GiB with --data, 64MiB in memory." zh:"运行和房间的空间，例如 500MiB。空间用完后服务器拒绝新的，已有的还可多用四分之一。默认：用 --data 时 2GiB，在内存里时 64MiB。" placeholder:"SIZE"`
	Course         []string      `help:"Directory of a course, or a course file, to serve before the built-in one; repeat the flag for more." zh:"课程目录或课程文件，排在内置课程之前；可以多次给出。" placeholder:"PATH" type:"path"`
	Courses        string        `help:"Directory whose course files (*.zip) the server serves as they come and go." zh:"一个目录，其中的课程文件（*.zip）随放随用。" placeholder:"DIR" type:"path"`
	Only           bool          `help:"Serve only your own courses, not the built-in one." zh:"只提供你自己的课程，不提供内置课程。"`
	Watch          bool          `help:"Read the courses of --course again as their files change, reload their pages, and show mistakes on them." zh:"--course 的文件改动时重新读取，刷新页面，并在页面上显示错误。"`
	Log            string        `help:"Format of the log: ${enum}." zh:"日志的格式：${enum}。" enum:"text,json" default:"text"`
	LogLevel       slog.Level    `help:"Lowest level to log: debug, info, warn or error." zh:"记录的最低级别：debug、info、warn 或 error。" default:"info"`

	Stores Stores `kong:"-"`

	options web.Options // computed by Validate
}

// Stores open what keeps runs and rooms. The command that serves the site brings them: the site itself has no database in it.
type Stores struct {
	Directory func(dir string, o store.Options) (store.Store, error) // for --data
	Redis     func(url string, o store.Options) (store.Store, error) // for --store
	Erase     func(dir string) error                                 // deletes what a closed store has left in its directory
}

// Validate refuses flags that contradict each other or make no sense, before anything is opened.
func (f *Flags) Validate() (err error) {
	if i := strings.IndexFunc(f.BasePath, func(r rune) bool { return !strings.ContainsRune(pathLetters, r) }); i >= 0 {
		return engine.Refuse("the base path %q may contain only ASCII letters and digits, and - . _ ~ /", "路径 %q 只能含 ASCII 字母、数字和 - . _ ~ /", f.BasePath)
	}
	f.options.BasePath = f.BasePath
	if f.options.PublicURL, err = door.PublicURL(f.PublicURL, f.BasePath); err != nil {
		return err
	}
	if f.options.Proxies, err = limit.ParsePrefixes(f.TrustedProxies); err != nil {
		return fmt.Errorf("--trusted-proxies: %w", err)
	}
	if f.options.EmbedFrom, err = door.EmbedOrigins(f.EmbedFrom); err != nil {
		return fmt.Errorf("--embed-from: %w", err)
	}
	switch given := slices.DeleteFunc([]string{f.Data, f.Store, f.StoreFile}, func(text string) bool { return text == "" }); {
	case len(given) > 1:
		return engine.Refuse("give one of --data, --store and --store-file (LOCKSTEP_DATA, LOCKSTEP_STORE, LOCKSTEP_STORE_FILE), not several", "--data、--store、--store-file（LOCKSTEP_DATA、LOCKSTEP_STORE、LOCKSTEP_STORE_FILE）只能给一个")
	case f.Forget != "" && f.Data+f.Store+f.StoreFile == "":
		return engine.Refuse("--forget needs --data or --store: a server without them keeps nothing when it ends", "--forget 需要 --data 或 --store：没有它们，服务器结束后什么都不留")
	case f.Keep <= 0:
		return engine.Refuse("--keep must be positive, such as 720h", "--keep 应为正的时长，例如 720h")
	case f.MaxData > 0 && f.Store+f.StoreFile != "":
		return engine.Refuse("--max-data limits --data and memory; a Redis limits its data with maxmemory", "--max-data 限制 --data 和内存；Redis 用 maxmemory 限制自己的数据")
	}
	if _, ok := room.ParseCode(f.Forget); f.Forget != "" && f.Forget != forgetAll && !ok {
		return engine.Refuse("--forget %s: give the six digits of a room's code, or all", "--forget %s：应为房间的六位加入码，或 all", f.Forget)
	}
	if slices.Equal(f.Metrics, []string{"none"}) {
		return nil
	}
	if f.options.Metrics, err = limit.ParsePrefixes(f.Metrics); err != nil {
		return fmt.Errorf("--metrics: %w", err)
	}
	return nil
}

const pathLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/"

// Run serves the site until a signal ends the process.
func (f *Flags) Run() error { return f.serve(os.Stdout) }

// serve is Run. It prints what it does next, and then where the site is.
func (f *Flags) serve(out io.Writer) error {
	f.options.Logger = door.NewLogger(os.Stderr, f.Log, f.LogLevel)
	if f.Forget != "" {
		return f.forget(out)
	}
	fmt.Fprintf(out, "Lockstep is starting: it reads its courses, then listens on %s.\n", f.Address)
	courses, err := shelf.Open(shelf.Options{
		Courses: f.Course, Drop: f.Courses, Only: f.Only, Watch: f.Watch, Tell: func(sentence string) { fmt.Fprintln(os.Stderr, sentence) },
	})
	if err != nil {
		return err
	}
	if f.options.Store, err = f.open(); err != nil {
		return err
	}
	listener, err := Listen(f.Address)
	if err != nil {
		return errors.Join(err, f.options.Store.Close())
	}
	address := listener.Addr().(*net.TCPAddr)
	all := reachableURLs(f.Address, address)
	if len(all) > 1 {
		f.options.LocalURL = all[1]
	}
	f.options.Shelf = courses.Shelf
	f.tune()
	site := web.New(f.options)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	go site.Survives(func() { courses.Watch(ctx) }, func() {})()
	f.options.Logger.Info("serving", "address", address.String())
	for _, line := range f.where(address, all) {
		fmt.Fprintln(out, line)
	}
	return site.Serve(ctx, listener, f.Drain)
}

// where returns lines that say where the site is: at URLs of a server that listens on an address, or at its public URL.
func (f *Flags) where(address *net.TCPAddr, urls []string) (lines []string) {
	base := door.BasePath(f.BasePath)
	if f.options.PublicURL != "" { // the server refuses every other host, except from its own machine
		if urls = urls[:1]; !address.IP.IsUnspecified() && !address.IP.IsLoopback() {
			urls = nil
		}
	}
	for _, url := range urls {
		lines = append(lines, "Lockstep is at "+url+base+"/")
	}
	switch {
	case f.options.PublicURL != "":
		lines = append(lines, "Lockstep is at "+f.options.PublicURL+"/")
	case address.IP.IsLoopback() && len(f.options.Proxies) == 0:
		lines = append(lines, fmt.Sprintf("Only this machine reaches it. For a class, start it with --address :%d.", address.Port))
	}
	return lines
}

// Settings of the runtime. Its own environment variables take precedence.
const (
	garbagePercent = 300       // by which the heap may grow before a collection, which takes a processor from a class
	threadsPerCore = 2         // one reads from the network while the other computes
	softMemory     = 368 << 20 // bytes: the sum of the server's bounds, without a store in memory
)

// tune sets the runtime up to serve a class.
func (f *Flags) tune() {
	f.options.Processors = runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(threadsPerCore * f.options.Processors)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" { // near the limit the runtime collects garbage more often
		most := int64(softMemory)
		if f.Data+f.Store+f.StoreFile == "" {
			most += f.options.Store.Stats().MaxBytes * 5 / 4
		}
		debug.SetMemoryLimit(most)
	}
}

// open opens the store that keeps runs and rooms.
func (f *Flags) open() (store.Store, error) {
	o := store.Options{Keep: f.Keep, MaxBytes: int64(f.MaxData), MustExist: f.Forget != "", Logger: f.options.Logger}
	address := f.Store
	if f.StoreFile != "" {
		text, err := os.ReadFile(f.StoreFile)
		if err != nil {
			return nil, fmt.Errorf("reading the URL of the store: %w", err)
		}
		if address = strings.TrimSpace(string(text)); address == "" {
			return nil, fmt.Errorf("reading the URL of the store: %s is empty", f.StoreFile)
		}
	}
	switch {
	case f.Data != "":
		return f.Stores.Directory(f.Data, o)
	case address != "":
		return f.Stores.Redis(address, o)
	}
	return store.Memory(o), nil
}

// reachableURLs returns the URLs at which browsers reach a server that listens on an address, as --address gives it. For a
// server that listens on every interface, the second one is the best for the phones in the room.
func reachableURLs(given string, address *net.TCPAddr) []string {
	hosts := []string{address.IP.String()}
	if host, _, _ := net.SplitHostPort(given); host == "localhost" {
		hosts = []string{host}
	}
	if address.IP.IsUnspecified() {
		hosts = []string{"localhost"}
		all, _ := net.InterfaceAddrs() // without them localhost still works
		for _, a := range all {
			if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && n.IP.To4() != nil {
				hosts = append(hosts, n.IP.String())
			}
		}
		// A machine with containers has several addresses; the one that leads out belongs to
		// the network that the machine is in. Dialing UDP sends nothing.
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

// A dataSize is a flag with a number of bytes, such as 500MiB.
type dataSize int64

const leastData = 16 << 20 // bytes, which are enough for a class

var sizeUnits = map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "": 1}

// UnmarshalText reads a size.
func (s *dataSize) UnmarshalText(text []byte) error {
	digits := strings.TrimRight(string(text), "KMGTiB")
	unit, ok := sizeUnits[string(text[len(digits):])]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !ok || n <= 0 || n > math.MaxInt64/2/unit {
		return engine.Refuse("%q is not a size such as 500MiB or 2GiB", "%q 不是 500MiB、2GiB 这样的大小", text)
	}
	if n*unit < leastData {
		return engine.Refuse("%s is too small: at least %dMiB", "%s 太小：至少 %dMiB", text, leastData>>20)
	}
	*s = dataSize(n * unit)
	return nil
}
