package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/learn"
	"lockstep/engine/program"
)

// Explore searches everything that can happen to a lock.
type Explore struct {
	Program      string            `arg:"" optional:"" help:"Name of a built-in program." zh:"内置程序的名称。" complete:"${programs}"`
	ProgramFile  string            `help:"Program of your own; - reads standard input." zh:"你自己的程序文件；- 表示读取标准输入。" placeholder:"FILE"`
	Property     string            `help:"Property to check: ${enum}." zh:"要检查的性质：${enum}。" enum:"${properties}" default:"mutual-exclusion"`
	Clients      int               `help:"Number of clients." zh:"客户端数。" default:"3"`
	Ticks        int               `help:"Number of times that the clock may tick." zh:"时钟最多推进几次。" default:"6"`
	Tick         time.Duration     `help:"Time that passes with each tick, in whole milliseconds." zh:"每次推进的时长，以整毫秒计。" default:"1s"`
	Timeout      time.Duration     `help:"Length of a lease; 0: as the program sets it." zh:"租约的时长；0：由程序决定。" default:"2s"`
	Retry        time.Duration     `help:"Wait after a failed attempt; 0: one tick." zh:"获取失败后等多久；0：一次推进的时长。"`
	Within       time.Duration     `help:"With --property bounded-wait: how long a client may wait for the lock before it is in or has given up; 0: 10s." zh:"用于 --property bounded-wait：客户端等锁至多多久，就该进入或放弃；0：10s。"`
	Crashes      int               `help:"Number of clients that may crash." zh:"最多几个客户端崩溃。"`
	Delays       string            `help:"Ticks that may pass while a message is in flight: a number, or any." zh:"消息在途期间时钟最多推进几次：一个数，或 any。" default:"any"`
	Replies      bool              `help:"Let replies take time, too." zh:"让回复也需要时间送达。"`
	Losses       int               `help:"Number of messages that may be lost; with any, replies take time." zh:"最多丢失几条消息；大于 0 时回复也需要时间送达。"`
	Skew         map[string]string `help:"Clock skew of a client, such as C2=2s." zh:"某个客户端的时钟偏差，例如 C2=2s。" placeholder:"CLIENT=TIME"`
	Nodes        int               `help:"Number of Redis nodes." zh:"Redis 节点数。" default:"1"`
	NodeCrashes  int               `help:"Number of times that a Redis node may crash." zh:"Redis 节点最多崩溃几次。"`
	Lose         bool              `help:"Let a Redis node lose its data when it crashes." zh:"让 Redis 节点崩溃时丢失数据。"`
	RestartDelay int               `help:"Fewest ticks before a crashed Redis node restarts." zh:"崩溃的 Redis 节点最少经过几次推进才重启。"`
	Failovers    int               `help:"Number of times that a Redis node's replica, which lags, may take over." zh:"Redis 节点的副本（复制有延迟）最多接管几次。"`
	Symmetry     bool              `help:"Count states that differ only in the names of their clients once." zh:"只有客户端名称不同的状态只计一次。"`
	MaxStates    int64             `help:"Stop beyond this many states; 0: no limit." zh:"超过这么多状态就停止；0：不限。" placeholder:"N"`
	MaxMemory    int64             `help:"Stop beyond this much memory, in MiB, from 1 to 1048576." zh:"内存超过这么多 MiB 就停止，1 到 1048576。" default:"1024"`
	Workers      int               `help:"Number of workers that search at once, at most 256; 0: one for each processor." zh:"同时搜索的工作线程数，至多 256；0：每个处理器一个。"`
	JSON         bool              `help:"Print one JSON object." zh:"打印一个 JSON 对象。"`
}

// Run prints the answer, with the scenario of a counterexample.
func (e *Explore) Run(h *Host) error {
	question, err := e.question(h)
	if err == nil {
		err = e.answer(h, question)
	}
	return Said(err, h.Language)
}

// Bounds on the resources of a search.
const (
	mostMiB     = 1 << 20
	mostWorkers = 256
)

// check refuses values that the search would silently replace by others.
func (e *Explore) check() error {
	for _, f := range []struct {
		flag string
		time time.Duration
		zero bool // 0 leaves the choice to the program or to the tick
	}{{"--tick", e.Tick, false}, {"--timeout", e.Timeout, true}, {"--retry", e.Retry, true}, {"--within", e.Within, true}} {
		if f.time < 0 || f.time == 0 && !f.zero || f.time%time.Millisecond != 0 {
			return engine.Refuse("%s: %s is not a length of time such as 1s or 500ms, in whole milliseconds", "%s：%s 不是 1s、500ms 这样以整毫秒计的时长", f.flag, f.time)
		}
	}
	if e.Within > 0 && e.Property != check.BoundedWait.Name {
		return withinWhat
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

// withinWhat says that --within bounds nothing.
var withinWhat = engine.Refuse("--within bounds the wait of --property bounded-wait alone", "--within 只用于 --property bounded-wait")

// question returns the question that the flags ask.
func (e *Explore) question(h *Host) (q explore.Question, err error) {
	if err := e.check(); err != nil {
		return q, err
	}
	q = explore.Question{
		Property: e.Property, Clients: e.Clients, Ticks: e.Ticks, Tick: engine.Time(e.Tick.Milliseconds()), Timeout: engine.Time(e.Timeout.Milliseconds()),
		Retry: engine.Time(e.Retry.Milliseconds()), Within: engine.Time(e.Within.Milliseconds()), Crashes: e.Crashes, Delays: explore.Any, Replies: e.Replies, Losses: e.Losses,
		Nodes: e.Nodes, NodeCrashes: e.NodeCrashes, Lose: e.Lose, RestartDelay: e.RestartDelay, Failovers: e.Failovers, Symmetry: e.Symmetry,
	}
	if q.Property == countOnly {
		q.Property = ""
	}
	if q.Program, err = e.program(h); err != nil {
		return q, err
	}
	if q.Delays, err = delays(e.Delays); err != nil {
		return q, err
	}
	q.Skew, err = skews(e.Skew)
	return q, err
}

// skews returns how far the clocks of clients are ahead.
func skews(texts map[string]string) (map[string]engine.Time, error) {
	all := map[string]engine.Time{}
	for client, text := range texts {
		skew, ok := engine.ParseDuration(text)
		if !ok {
			return nil, engine.Refuse("--skew: %q is not a length of time such as 2s or -500ms", "--skew：%q 不是 2s、-500ms 这样的时长", text)
		}
		all[client] = skew
	}
	return all, nil
}

// countOnly is the property of a search that only counts states.
const countOnly = "none"

// program returns the built-in program, or the one of the file.
func (e *Explore) program(h *Host) (*program.Program, error) {
	switch {
	case e.ProgramFile != "" && e.Program != "":
		return nil, engine.Refuse("give the name of a program or a file, not both", "程序名和文件只能给一个")
	case e.ProgramFile != "":
		text, err := h.read(e.ProgramFile)
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
		return nil, engine.Refuse("there is no program %q; choose one of %s, or --program-file FILE", "没有程序 %q：应为 %s 之一，或 --program-file FILE", e.Program, strings.Join(program.Names(), ", "))
	}
	return p, nil
}

// answer searches on every processor until the search is complete or the user interrupts it, and prints the answer.
func (e *Explore) answer(h *Host, q explore.Question) error {
	ctx, stop := h.Interruptible()
	defer stop()
	progress := h.progress()
	hands := h.Hands(func(f explore.Figures) bool {
		progress.tell(f)
		return ctx.Err() == nil
	})
	if e.Workers > 0 {
		hands.Workers = e.Workers
	}
	// A search keeps nearly all the memory that it allocates. At the default of 100 percent
	// the collector would let as much garbage again pile up before it starts.
	debug.SetGCPercent(20)
	a, err := q.Search(explore.Budget{States: e.MaxStates, Memory: e.room()}, hands, 1)
	progress.end()
	if unable := (*explore.UnableError)(nil); errors.As(err, &unable) {
		why := lang.Format("No verdict: %s.", "无法下结论：%s。", unable).In(h.Language)
		if !e.JSON {
			fmt.Fprintln(h.Out, why)
			return errUndecided
		}
		fmt.Fprintln(h.Err, why)
		if err := json.NewEncoder(h.Out).Encode(q.Report(&explore.Answer{Verdict: explore.Verdict(learn.Faulty)}, h.Now().Sub(progress.began).Seconds())); err != nil {
			return fmt.Errorf("printing the answer: %w", err)
		}
		return errUndecided
	}
	if err != nil {
		return err
	}
	seconds := h.Now().Sub(progress.began).Seconds()
	if e.JSON {
		err = json.NewEncoder(h.Out).Encode(q.Report(a, seconds))
	} else {
		_, err = fmt.Fprintln(h.Out, q.Sentence(a, "", h.Language))
		if len(a.Counterexamples) > 0 {
			_, err = fmt.Fprintf(h.Out, "\n%s", a.Counterexamples[0].Scenario)
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

// room returns how many bytes the search may allocate within the user's limit: the process itself needs some, and
// garbage takes some more, most on a busy machine.
func (e *Explore) room() int64 {
	const itself = 36 << 20
	return max(1<<20, (e.MaxMemory<<20-itself)*3/4)
}

// delays reads --delays.
func delays(word string) (int, error) {
	if word == "any" {
		return explore.Any, nil
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 {
		return 0, engine.Refuse("--delays: %q is neither a number nor any", "--delays：%q 既不是数字也不是 any", word)
	}
	return n, nil
}
