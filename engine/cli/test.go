package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/learn"
	"lockstep/engine/program"
)

// Test explores everything that can happen to a real program.
type Test struct {
	Command      []string `arg:"" help:"Command that starts the program, after --. It finds its Redis in REDIS_URL, REDIS_HOST and REDIS_PORT or PORT, or where the command has {url} or {port}." zh:"启动程序的命令，写在 -- 之后。程序从 REDIS_URL、REDIS_HOST 和 REDIS_PORT 或 PORT 得知 Redis 的地址，也可以在命令里写 {url} 或 {port}。"`
	Clients      int      `help:"Number of clients." zh:"客户端数。" default:"2"`
	Crashes      int      `help:"Number of clients that may crash." zh:"最多几个客户端崩溃。"`
	Cuts         int      `help:"Number of times that a connection may be cut, so that a request or a reply is lost." zh:"连接最多中断几次（请求或回复因此丢失）。"`
	Ticks        int      `help:"Number of times that the clock of Redis may tick." zh:"Redis 的时钟最多推进几次。"`
	Tick         string   `help:"Time that passes with each tick, such as 500ms; auto: just as long as the lock's key lives." zh:"每次推进的时长，例如 500ms；auto：恰好等于锁的键的存活时间。" default:"auto"`
	Delays       string   `help:"Ticks that may pass while a message is in flight: a number, or any. 0: every message is prompt." zh:"消息在途期间时钟最多推进几次：一个数，或 any。0：消息都及时到达。" default:"any"`
	Clocks       `embed:""`
	Skew         map[string]string `help:"How far the virtual clock of a client is ahead, such as C2=2s." zh:"某个客户端的虚拟时钟快多少，例如 C2=2s。" placeholder:"CLIENT=TIME"`
	Property     string            `help:"Property to check: ${enum}." zh:"要检查的性质：${enum}。" enum:"overlap,stuck,foreign-delete,unattended,bounded-wait" default:"overlap"`
	Within       time.Duration     `help:"With --property bounded-wait: how long a client may wait for the lock before it is in or has given up; 0: 10s." zh:"用于 --property bounded-wait：客户端等锁至多多久，就该进入或放弃；0：10s。"`
	NotByOverrun bool              `help:"Let no lease run out under a client that is inside: find another way to break the lock than to overrun its lease." zh:"临界区内的客户端租约不会到期：寻找不靠超时的破坏方式。"`
	Again        bool              `help:"After a counterexample, look for one with another cause." zh:"找到反例之后，再找一个原因不同的反例。"`
	Replays      int               `help:"Number of times to replay a counterexample with all processes alive before telling it, at most 1000." zh:"给出反例前，让所有进程同时运行并重放的次数，至多 1000。" default:"1"`
	Patience     time.Duration     `help:"How long a process may take to send its next command." zh:"进程发出下一条命令前最多等多久。" default:"10s"`
	MaxStarts    int               `help:"Stop beyond this many starts of the program, at most ${starts}." zh:"启动程序超过这么多次就停止，至多 ${starts}。" default:"${starts}"`
	MaxStates    int64             `help:"Stop beyond this many states; 0: no limit." zh:"超过这么多状态就停止；0：不限。" placeholder:"N"`
	MaxMemory    int64             `help:"Stop beyond this much memory, in MiB, from 1 to 1048576." zh:"内存超过这么多 MiB 就停止，1 到 1048576。" default:"1024"`
	Save         string            `help:"File for the counterexample's run; none: keep no file. Default: the program's name and the property's, such as worker-overlap.lock." zh:"存放反例运行的文件；none：不存。默认以程序名和性质命名，例如 worker-overlap.lock。" placeholder:"FILE"`
	Open         bool              `help:"Show the counterexample in the browser: serve it on this machine alone, until interrupted." zh:"在浏览器里显示反例：只供本机访问，直到中断。"`
	JSON         bool              `help:"Print one JSON object, in one line, the last on standard output." zh:"打印一个 JSON 对象，占一行，是标准输出的最后一行。"`
	Language     lang.Language     `kong:"-"` // of the Host
}

// Explain tells the properties and the exit codes.
func (t *Test) Explain() lang.Text {
	return lang.Both(`The properties:

  overlap          never two clients inside at once (try --ticks 1: a lease passes)
  stuck            nobody waits for ever (try --cuts 1: a reply is lost; --crashes 1)
  foreign-delete   nobody deletes another's lock (try --ticks 1)
  unattended       not all end without anybody having been inside
  bounded-wait     nobody waits longer than --within (try --ticks 5 --tick 3s)

A program says when it is inside by PUBLISH lockstep enter and PUBLISH lockstep leave. Otherwise Lockstep guesses.

Exit codes: 0 it holds within the bounds; 1 it is violated, and the run is saved; 2 the flags make no sense; 3 no verdict.`,
		`性质：

  overlap          两个客户端绝不同时在临界区内（试试 --ticks 1：租约过期）
  stuck            谁也不会永远等下去（试试 --cuts 1：丢失一条回复；--crashes 1）
  foreign-delete   谁也不会删除别人的锁（试试 --ticks 1）
  unattended       不会全都结束而没有谁进过临界区
  bounded-wait     谁也不会等得比 --within 久（试试 --ticks 5 --tick 3s）

程序用 PUBLISH lockstep enter 和 PUBLISH lockstep leave 说明自己是否在临界区内；否则由 Lockstep 猜测。

退出码：0 在给定范围内成立；1 被违反，反例的运行已保存；2 选项没有意义；3 没有结论。`)
}

// Run prints the verdict with what it assumes, and the scenario of a counterexample.
func (t *Test) Run(h *Host) error {
	t.Language = h.Language
	err := t.check()
	if err == nil {
		err = t.test(h)
	}
	return Said(err, t.Language)
}

const mostReplays = 1000

// check refuses values that the test would silently replace by others.
func (t *Test) check() error {
	switch {
	case t.Replays < 1 || t.Replays > mostReplays:
		return engine.Refuse("--replays: %d is not a number from 1 to %d", "--replays：%d 不是 1 到 %d 之间的数", t.Replays, mostReplays)
	case t.MaxStarts < 1 || t.MaxStarts > learn.MaxStarts:
		return engine.Refuse("--max-starts: %d is not a number from 1 to %d", "--max-starts：%d 不是 1 到 %d 之间的数", t.MaxStarts, learn.MaxStarts)
	case t.Patience < 100*time.Millisecond || t.Patience > time.Hour:
		return engine.Refuse("--patience: %s is not a length of time from 100ms to 1h", "--patience：%s 不是 100ms 到 1h 之间的时长", t.Patience)
	case t.Within < 0 || t.Within%time.Millisecond != 0:
		return engine.Refuse("--within: %s is not a length of time such as 30s, in whole milliseconds", "--within：%s 不是 30s 这样以整毫秒计的时长", t.Within)
	case t.Within > 0 && t.Property != check.BoundedWait.Name:
		return withinWhat
	case t.MaxStates < 0 || t.MaxMemory < 1 || t.MaxMemory > mostMiB:
		return engine.Refuse("--max-states is at least 0, --max-memory from 1 to %d", "--max-states 至少为 0，--max-memory 为 1 到 %d", mostMiB)
	}
	return nil
}

// question returns the question that the flags ask, and whether a tick is as long as the key's life.
func (t *Test) question() (q explore.Question, auto bool, err error) {
	q = explore.Question{
		Property: t.Property, Clients: t.Clients, Crashes: t.Crashes, Losses: t.Cuts, Ticks: t.Ticks, Delays: explore.Any, InTime: t.NotByOverrun, Within: engine.Time(t.Within.Milliseconds()),
		Program: &program.Program{Name: t.name()},
	}
	if auto = t.Tick == "auto"; !auto {
		tick, ok := engine.ParseDuration(t.Tick)
		if !ok || tick <= 0 {
			return q, false, engine.Refuse("--tick: %q is neither auto nor a length of time such as 1s or 500ms", "--tick：%q 既不是 auto，也不是 1s、500ms 这样的时长", t.Tick)
		}
		q.Tick = tick
	}
	if q.Delays, err = delays(t.Delays); err != nil {
		return q, false, err
	}
	if q.Skew, err = skews(t.Skew); err != nil {
		return q, false, err
	}
	if q.Program, err = (&program.Recording{}).Program(q.Program.Name); err == nil {
		err = q.Check()
	}
	return q, auto && t.Ticks > 0, err
}

// name returns the name of the program: that of the last word that is a file, without what its name ends in.
func (t *Test) name() string { return learn.NameOf(t.Command) }

func (t *Test) test(h *Host) error {
	q, auto, err := t.question()
	if err != nil {
		return err
	}
	virtual, err := t.Virtual(h.LacksClock, h.Err, t.Language)
	if err == nil && !virtual && len(t.Skew) > 0 {
		err = engine.Refuse("--skew: the programs run on the clock of the machine, which is the same for all", "--skew：程序使用机器的时钟，所有程序的时钟都相同")
	}
	if err != nil {
		return err
	}
	ctx, stop := h.Interruptible()
	defer stop()
	var server Redis
	if t.RedisServer != "" {
		if server, err = h.Redis(t.RedisServer); err != nil {
			return err
		}
		defer server.Close()
		q.Redis = server.New
	}
	l := learn.NewLearner(strings.Join(t.Command, " "), h.Launch(ctx, Program{t.Command, t.Patience, virtual}))
	if server != nil {
		l.OnServer()
	}
	l.Stopped = func() bool { return ctx.Err() != nil }
	defer l.Close()
	started, told := h.Now(), h.Now()
	run := &learn.Test{
		Question: q, Name: q.Program.Name, Clock: virtual, AutoTick: auto, Replays: t.Replays, Starts: t.MaxStarts, Again: t.Again,
		Budget:  explore.Budget{States: t.MaxStates, Memory: (&Explore{MaxMemory: t.MaxMemory}).room()},
		Runtime: h.Hands(func(explore.Figures) bool { return ctx.Err() == nil }),
		Progress: func(r *learn.Result) {
			if now := h.Now(); now.Sub(told) >= time.Second {
				told = now
				fmt.Fprintln(h.Err, lang.Format("%s states, %d histories learned by %d starts so far", "目前 %s 个状态，启动 %[3]d 次，学到 %[2]d 段历史", explore.Count(r.Answer.States), r.Histories, r.Starts).In(t.Language))
			}
		},
	}
	r, err := run.Run(l)
	if server != nil && server.Err() != nil {
		return server.Err()
	}
	if err != nil {
		return err
	}
	l.Close()
	report := t.report(r, h.Now().Sub(started).Seconds())
	if err := t.save(h, "", &report); err != nil {
		return err
	}
	if err := t.print(h, r, report); err != nil {
		return fmt.Errorf("printing the verdict: %w", err)
	}
	if t.Open && report.Scenario != nil {
		if err := h.Show(ctx, *report.Scenario); err != nil {
			return err
		}
	}
	switch r.Verdict {
	case learn.Holds:
		return nil
	case learn.Violated:
		return errUnmet
	}
	return errUndecided
}

// save writes the counterexample's run to its file, and that of the other cause to one beside it.
func (t *Test) save(h *Host, other string, report *testReport) error {
	if report.Another != nil {
		if err := t.save(h, "-again", report.Another); err != nil {
			return err
		}
	}
	if report.Scenario == nil || t.Save == "none" {
		return nil
	}
	path := t.Save
	if path == "" {
		path = t.name() + "-" + t.Property + ".lock"
	}
	suffix := filepath.Ext(path)
	path = strings.TrimSuffix(path, suffix) + other + suffix
	if err := h.Write(path, *report.Scenario); err != nil {
		return fmt.Errorf("saving the run: %w", err)
	}
	report.Saved = filepath.ToSlash(path)
	return nil
}

// A testReport is the result in the shape of lockstep test --json. Its verdict is always there; missing values are null or
// left out.
type testReport struct {
	Verdict     learn.Verdict  `json:"verdict"`
	Sentence    string         `json:"sentence"`
	Command     []string       `json:"command"`
	Property    string         `json:"property"`
	Bounds      explore.Limits `json:"bounds"`
	Assumptions []string       `json:"assumptions"`
	Inside      string         `json:"inside"` // markers, or guess
	Starts      int            `json:"starts"`
	Histories   int            `json:"histories"`
	States      int64          `json:"states"`
	Transitions int64          `json:"transitions"`
	Length      *int           `json:"length"`   // of the shortest counterexample, in actions
	Scenario    *string        `json:"scenario"` // the shortest counterexample, as text
	Replays     int            `json:"replays"`  // of the counterexample, with all processes alive
	Saved       string         `json:"saved,omitempty"`
	Cause       string         `json:"cause,omitempty"`   // of the counterexample, as a sentence
	Overrun     bool           `json:"overrun,omitempty"` // its cause is a lease that ran out under a client that was inside
	Another     *testReport    `json:"another,omitempty"` // with --again: what came of the search for another cause
	Deviation   *deviation     `json:"deviation,omitempty"`
	Seconds     float64        `json:"seconds"`
}

// A deviation is where the program was no function of its replies.
type deviation struct {
	After []string `json:"after"` // replies
	One   string   `json:"one"`   // what it did then
	Other string   `json:"other"` // and what it did another time
}

func (t *Test) report(r *learn.Result, seconds float64) testReport {
	searched := r.Question.Report(r.Answer, seconds)
	report := testReport{
		Verdict: r.Verdict, Sentence: r.Sentence(t.Language), Command: t.Command, Property: t.Property, Bounds: searched.Bounds,
		Assumptions: r.Assumptions(t.Language), Inside: "markers", Starts: r.Starts, Histories: r.Histories,
		States: searched.States, Transitions: searched.Transitions, Replays: r.Replays, Seconds: seconds,
	}
	if r.Question.Program.Guessed() {
		report.Inside = "guess"
	}
	if t.RedisServer != "" && (r.Verdict == learn.Holds || r.Verdict == learn.Violated) {
		report.Assumptions = append(report.Assumptions, lang.Format("%s has executed every command.", "每条命令都由 %s 执行。", t.RedisServer).In(t.Language))
	}
	if r.Verdict == learn.Violated {
		report.Length, report.Scenario = searched.Length, searched.Scenario
		c := &r.Answer.Counterexamples[0]
		report.Cause, report.Overrun = c.Why.In(t.Language), c.Overrun
	}
	if r.Another != nil {
		another := t.report(r.Another, seconds)
		another.Assumptions, report.Another = nil, &another
	}
	if d := r.Deviation; d != nil {
		report.Deviation = &deviation{append([]string{}, d.History...), d.Want, d.Got}
	}
	return report
}

func (t *Test) print(h *Host, r *learn.Result, report testReport) error {
	if t.JSON {
		return json.NewEncoder(h.Out).Encode(report)
	}
	fmt.Fprintln(h.Out, report.Sentence)
	for _, assumption := range report.Assumptions {
		fmt.Fprintln(h.Out, assumption)
	}
	for _, one := range []*testReport{&report, report.Another} {
		if one == nil {
			continue
		}
		if one != &report {
			fmt.Fprintln(h.Out, one.Sentence)
		}
		if one.Saved != "" {
			fmt.Fprintln(h.Out, lang.Format("The run is in %[1]s: lockstep run %[1]s", "运行已存到 %[1]s：lockstep run %[1]s", one.Saved).In(t.Language))
		}
	}
	for _, one := range []*testReport{&report, report.Another} {
		if one == nil || one.Scenario == nil {
			continue
		}
		if _, err := fmt.Fprintf(h.Out, "\n%s", *one.Scenario); err != nil {
			return err
		}
	}
	return nil
}
