package monitor

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
)

// mostSteps is how many commands a scenario of several nodes may have, and beside how much time it shows before and after what it is
// about (ns).
const (
	mostSteps = 600
	beside    = 20_000_000
)

// CutNodes reads the logs of several nodes, and returns the part around a finding as a scenario, and what the whole tells. Each
// command goes to its node, in the lane of its token.
func CutNodes(logs []NodeLog, w Window, in lang.Language) (*engine.Scenario, *NodesAccount, error) {
	a, err := InvestigateNodes(logs, Only{Keys: w.Keys, DB: w.DB})
	if err != nil {
		return nil, nil, err
	}
	p := &nodesWriter{NodesAccount: a, language: in, first: math.MaxInt64}
	if err := p.choose(&w); err != nil {
		return nil, nil, err
	}
	r := detect.NewRedlock(len(logs))
	r.Watch(p.db, p.key, p.step)
	again := &NodesAccount{Logs: logs}
	if err := again.read(r, func() bool { return len(p.steps) >= mostSteps }); err != nil {
		return nil, nil, err
	}
	r.End()
	p.detector = r
	if w.Redact {
		p.values, p.hosts = a.names()
	}
	return p.scenario(), a, nil
}

// A nodesWriter writes a part of the logs of several nodes as a scenario.
type nodesWriter struct {
	*NodesAccount
	language lang.Language
	detector *detect.Redlock
	about    *detect.MajorityFinding // nil: nothing was found
	db       int32
	key      string
	first    int64 // the times between which steps are kept, by whatever clock
	last     int64
	steps    []detect.Step

	values, hosts *Redactor // nil: nothing has a short name

	run    *engine.Run
	lines  []engine.Line
	base   int64
	passed engine.Time
	lanes  map[uint64]string
	labels []engine.Label
	tokens map[uint64]string
	said   map[string]string // the token of each lane, in the words of the report
	ends   map[string]int64  // of the leases of those who are inside
	size   int
	unlike int // requests that the run would grant, and the node did not, or nobody knows
	left   int // steps of further lanes, or that the run refuses
	full   bool
	ttl    string    // of the last request that tells one, ms
	noted  lang.Text // last
	owner  string    // the lane of the finding's first party
}

// choose says what the scenario is about: the finding that is nearest to a time, or the first one, or a lock's first attempts.
func (p *nodesWriter) choose(w *Window) error {
	at := int64(0)
	if w.At != "" {
		began, ended := int64(math.MaxInt64), int64(0)
		for _, r := range p.Nodes {
			if r.Commands > 0 {
				began, ended = min(began, r.Began), max(ended, r.Ended)
			}
		}
		var err error
		if at, err = timeOf(w.At, began, ended); err != nil {
			return err
		}
		if at < began-1e9 || at > ended+1e9 {
			return engine.Refuse("%s is not in the logs, which run from %s to %s. A time without an offset, such as +08:00, is UTC", "%s 不在日志里：日志从 %s 到 %s。不带时区（例如 +08:00）的时刻按 UTC 计", clock(at), clock(began), clock(ended))
		}
	}
	far := func(f *detect.MajorityFinding) int64 {
		if at == 0 {
			return 0
		}
		return max(f.From-at, at-max(f.To, f.From), 0)
	}
	for i := range p.Findings {
		if f := &p.Findings[i]; p.about == nil || far(f) < far(p.about) {
			p.about = f
		}
	}
	switch f := p.about; {
	case f != nil:
		p.db, p.key, p.last = f.DB, f.Key, max(f.To, f.From)
		for _, m := range []*detect.Majority{&f.First, &f.Second} {
			for _, v := range m.Votes {
				p.first, p.last = min(p.first, v.Time), max(p.last, v.Time, v.Until)
			}
		}
		p.first, p.last = p.first-beside, p.last+beside
	case len(p.Locks) == 0:
		return engine.Refuse("nobody asked a majority of the nodes for a lock: there is nothing to show. --report tells what was read", "没有谁向多数节点请求过锁，没有可以展示的内容。--report 会说明读了什么")
	default:
		p.db, p.key, p.first, p.last = p.Locks[0].DB, p.Locks[0].Key, 0, math.MaxInt64
		if at > 0 {
			p.first, p.last = at-10*beside, at+10*beside
		}
	}
	return nil
}

// step keeps what happened in the window.
func (p *nodesWriter) step(s detect.Step) {
	if s.Time < p.first || s.Time > p.last || len(p.steps) >= mostSteps || s.Kind == detect.Touched && !s.All && s.DB != p.db {
		return
	}
	p.steps = append(p.steps, s)
}

// time returns when a step was, by the clock of the first node, about.
func (p *nodesWriter) time(s *detect.Step) int64 { return s.Time - p.detector.Ahead(s.Node) }

// scenario writes what was kept.
func (p *nodesWriter) scenario() *engine.Scenario {
	slices.SortStableFunc(p.steps, func(a, b detect.Step) int { return cmp.Compare(p.time(&a), p.time(&b)) })
	p.trim()
	header := engine.Header{Nodes: len(p.Logs)}
	p.run = engine.NewRun(header, check.All()...)
	defer p.run.World().Close()
	p.lanes, p.tokens, p.ends, p.said = map[uint64]string{}, map[uint64]string{}, map[string]int64{}, map[string]string{}
	if len(p.steps) > 0 {
		p.base = p.time(&p.steps[0])
	}
	for i := range p.steps {
		if p.write(&p.steps[i]); p.full {
			break
		}
	}
	if began := engine.Wall(p.base / 1e6); began > 0 {
		header.Began = began
	}
	header.Labels = p.labels
	s := &engine.Scenario{Header: header}
	for _, t := range p.head() {
		s.Lines = append(s.Lines, engine.Line{Comment: oneLine(t.In(p.language))})
	}
	s.Lines = append(s.Lines, p.lines...)
	return s
}

// trim drops what came before the first request, and interruptions and losses after which nothing of this lock follows.
func (p *nodesWriter) trim() {
	start := slices.IndexFunc(p.steps, func(s detect.Step) bool { return s.Kind == detect.Asked })
	p.steps = p.steps[max(start, 0):]
	asked := map[uint64]bool{}
	p.steps = slices.DeleteFunc(p.steps, func(s detect.Step) bool { // the owner's request was before the window
		asked[s.Number] = asked[s.Number] || s.Kind == detect.Asked
		return s.Kind != detect.Touched && !asked[s.Number]
	})
}

// lane returns the lane of a token, or of an address that has none; empty: the run has no more.
func (p *nodesWriter) lane(number uint64, token string, h *detect.Holder) string {
	if lane, known := p.lanes[number]; known {
		return lane
	}
	if len(p.lanes) >= engine.MaxClients {
		return ""
	}
	lane, said := fmt.Sprintf("C%d", len(p.lanes)+1), token
	if token == "" {
		token = "token-" + lane // no log tells it
	}
	p.lanes[number], p.said[lane] = lane, said
	address, name := h.Address, h.Name
	if p.values != nil {
		address, name = p.hosts.person(address, name)
		token = p.values.argument("value", token, h.Time)
	}
	for slices.Contains(slices.Collect(maps.Values(p.tokens)), token) {
		token += "'" // two long tokens that begin alike
	}
	p.tokens[number] = token
	if p.about != nil && said != "" && p.about.First.Token == said {
		p.owner = lane
	}
	p.labels = append(p.labels, engine.Label{Client: lane, Text: engine.LabelOf(address + " " + name + " " + token)})
	return lane
}

func (p *nodesWriter) named() string {
	if p.values != nil {
		return p.values.name("key", p.key)
	}
	return p.key
}

// write writes what a step did.
func (p *nodesWriter) write(s *detect.Step) {
	node := p.Logs[s.Node].Name
	comment := lang.Format("node %s, line %d", "节点 %s，第 %d 行", node, s.Line)
	if s.Kind == detect.Touched {
		p.upset(s, comment)
		return
	}
	number, token := s.Number, s.Token()
	if s.Kind == detect.Deleted {
		number = uint64(s.Conn) | 1<<63 // of whom nothing but the address is known
		token = ""
	}
	lane := p.lane(number, token, &s.Holder)
	if lane == "" {
		p.left++
		return
	}
	key := p.named()
	token = p.tokens[number]
	if s.Kind == detect.Asked && !s.Granted() && p.run.World().Stored(s.Node, key) == nil {
		p.unlike++ // what it met is from before the scenario
		return
	}
	p.over(s)
	p.tick(s)
	a := engine.Action{Verb: engine.VerbDo, Client: lane, Node: s.Node + 1}
	ms := strconv.FormatInt(max(1, (s.Lease-s.Time)/1e6), 10)
	switch s.Kind {
	case detect.Asked:
		a.Command = []string{"SET", key, token, "NX", "PX", ms}
		if s.Lease > 0 {
			p.ttl = ms
		} else if p.ttl != "" { // a script that was refused shows no lease
			a.Command[5] = p.ttl
		} else {
			a.Command = []string{"SETNX", key, token}
		}
	case detect.Renewed:
		a.Command = []string{"PEXPIRE", key, ms}
	case detect.Deleted:
		a.Command = []string{"DEL", key}
	default:
		a.Command = []string{"EVAL", "compare-and-delete", "1", key, token}
		if s.Bare {
			a.Command = []string{"DEL", key}
		}
		if p.inside(lane) {
			p.do(engine.Action{Verb: engine.VerbLeave, Client: lane}, lang.Text{})
		}
	}
	p.lostBefore(s)
	p.do(a, comment)
	end, holds := p.detector.Holds(s)
	if p.inside(lane) {
		p.ends[lane] = end
	} else if s.Kind == detect.Asked && holds && p.votes(key, token) >= p.Majority && p.convicted(lane) {
		p.ends[lane] = end
		p.do(engine.Action{Verb: engine.VerbEnter, Client: lane}, lang.Format("a guess: a majority of the nodes has granted it %s", "推测：多数节点让它得到了 %s", quoted(key)))
	}
}

// convicted reports whether the report tells of an overlap with each of those who are inside when somebody enters.
func (p *nodesWriter) convicted(lane string) bool {
	for other := range p.ends {
		if p.inside(other) && !slices.ContainsFunc(p.Findings, func(f detect.MajorityFinding) bool {
			return f.Kind == detect.Overlap && f.First.Token == p.said[other] && f.Second.Token == p.said[lane]
		}) {
			return false
		}
	}
	return true
}

// over lets those leave whose leases are over, unless the report says that they stayed.
func (p *nodesWriter) over(s *detect.Step) {
	for i := range p.labels {
		lane := p.labels[i].Client
		stays := p.about != nil && p.about.Kind == detect.Overlap && p.owner == lane
		if end, ok := p.ends[lane]; ok && end <= p.time(s) && p.inside(lane) && !stays {
			p.do(engine.Action{Verb: engine.VerbLeave, Client: lane}, lang.Both("a guess: its leases are over", "推测：它的租约已到期"))
		}
	}
}

// lostBefore lets a node lose its data before the request that it granted though it had granted the lock already: the finding says
// that, and nothing in the log does.
func (p *nodesWriter) lostBefore(s *detect.Step) {
	f := p.about
	if f == nil || f.Kind != detect.Overlap && f.Kind != detect.Gone || f.Expired || f.Node != s.Node || f.Line != s.Line || f.Cause.Kind == detect.Delete || p.run.World().Stored(s.Node, p.named()) == nil {
		return
	}
	why := lang.Format("a guess: node %s had lost its data before line %d", "推测：节点 %s 在第 %d 行之前已失去数据", p.Logs[s.Node].Name, s.Line)
	p.do(engine.Action{Verb: engine.VerbRedisCrash, Node: s.Node + 1, Lose: true}, why)
	p.do(engine.Action{Verb: engine.VerbRedisRestart, Node: s.Node + 1}, lang.Text{})
}

// upset writes that a node has lost its keys. An interruption loses nothing by itself.
func (p *nodesWriter) upset(s *detect.Step, comment lang.Text) {
	p.tick(s)
	if s.Upset != detect.Flush {
		if note := lang.Format("%s: the log is interrupted after it", "%s：日志在此之后中断", comment); note != p.noted {
			p.note(note)
			p.noted = note
		}
		return
	}
	p.do(engine.Action{Verb: engine.VerbRedisCrash, Node: s.Node + 1, Lose: true}, lang.Format("%s; in place of FLUSHALL or FLUSHDB", "%s；代替 FLUSHALL 或 FLUSHDB", comment))
	p.do(engine.Action{Verb: engine.VerbRedisRestart, Node: s.Node + 1}, lang.Text{})
}

// votes returns how many nodes have a token now.
func (p *nodesWriter) votes(key, token string) (n int) {
	for i := range p.Logs {
		if v := p.run.World().Stored(i, key); v != nil && v.Value == token {
			n++
		}
	}
	return n
}

func (p *nodesWriter) inside(client string) bool {
	c := p.run.World().Client(client)
	return c != nil && c.Status == engine.Inside
}

// tick lets the time pass until a step.
func (p *nodesWriter) tick(s *detect.Step) {
	due := engine.Time((p.time(s)-p.base)/1e6) - p.passed
	if due <= 0 {
		return
	}
	p.passed += due
	p.do(engine.Action{Verb: engine.VerbTick, Time: min(due, engine.MaxTick)}, lang.Text{})
}

// do does an action and writes its line, if the run takes it.
func (p *nodesWriter) do(a engine.Action, comment lang.Text) {
	if p.full {
		return
	}
	line := engine.Line{Actions: []engine.Action{a}, Comment: oneLine(comment.In(p.language))}
	if !p.fits(line) {
		return
	}
	if _, err := p.run.Do(a); errors.As(err, new(*engine.FullError)) {
		p.full = true
	} else if err != nil {
		p.left++
	} else {
		p.add(line)
	}
}

func (p *nodesWriter) note(t lang.Text) {
	if line := (engine.Line{Comment: oneLine(t.In(p.language))}); p.fits(line) {
		p.add(line)
	}
}

func (p *nodesWriter) fits(line engine.Line) bool {
	p.full = p.full || len(p.lines) >= engine.MaxLines-headLines || p.size+len(line.String())+len("\n") > engine.MaxText-headSpace
	return !p.full
}

func (p *nodesWriter) add(line engine.Line) {
	p.lines, p.size = append(p.lines, line), p.size+len(line.String())+len("\n")
}
