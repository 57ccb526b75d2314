package monitor

import (
	"errors"
	"io"
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
)

// A NodeLog is the log of one of the Redis nodes whose majority is a lock.
type NodeLog struct {
	Name string // of the node
	File string // how a command line names the log
	Open func() (io.ReadCloser, error)
}

// A NodesAccount is what the logs of several nodes tell about their locks.
type NodesAccount struct {
	*detect.RedlockReport
	Logs   []NodeLog
	Read   []*Account // of each node: how much was read, and what was left out
	Only   Only
	hidden bool
}

// InvestigateNodes reads the logs of several nodes until their ends, merged by their times, in bounded memory.
func InvestigateNodes(logs []NodeLog, only Only) (*NodesAccount, error) {
	a := &NodesAccount{Logs: logs, Only: only}
	r := detect.NewRedlock(len(logs))
	r.Only = func(db int32, key string) bool { return only.wants(db, key, 0) }
	if err := a.read(r, func() bool { return false }); err != nil {
		return nil, err
	}
	a.RedlockReport = r.End()
	if a.partial() {
		a.Findings, a.Found, a.Close = nil, 0, 0
	}
	return a, nil
}

// partial reports whether a log is of a kind that convicts nobody.
func (a *NodesAccount) partial() bool {
	return slices.ContainsFunc(a.Read, func(read *Account) bool { return read.from.partial })
}

// read reads all logs: always that one next whose clock is the furthest behind.
func (a *NodesAccount) read(r *detect.Redlock, enough func() bool) error {
	type reading struct {
		node int
		step func() (bool, error)
	}
	var running []reading
	var ends []func() error
	for n, log := range a.Logs {
		in, err := log.Open()
		if err != nil {
			return err
		}
		defer in.Close()
		text, from, err := open(in)
		if err != nil {
			return log.of(err)
		}
		read := &Account{from: from}
		if from.name == fromAOF.name {
			r.Coarse(n)
		}
		step, end := read.reading(text, r.Node(n))
		a.Read, running, ends = append(a.Read, read), append(running, reading{n, step}), append(ends, end)
	}
	for len(running) > 0 && !enough() {
		next := 0
		for i := range running {
			if r.Node(running[i].node).Ended() < r.Node(running[next].node).Ended() {
				next = i
			}
		}
		more, err := running[next].step()
		if err != nil {
			return a.Logs[running[next].node].of(err)
		}
		if !more {
			running = slices.Delete(running, next, next+1)
		}
	}
	lines := 0
	for n, end := range ends {
		err := end()
		lines += a.Read[n].Lines
		if err != nil && (a.Read[n].Recorded || a.Read[n].Odd.Count > 0) { // a node that was down has an empty log
			return a.Logs[n].of(err)
		}
	}
	if lines == 0 {
		return engine.Refuse("all logs are empty", "所有日志都是空的")
	}
	return nil
}

// of says of which node's log a refusal is.
func (l *NodeLog) of(err error) error {
	refusal := (*engine.Refusal)(nil)
	if !errors.As(err, &refusal) {
		return err
	}
	return &engine.Refusal{Text: lang.Format("node %s: %s", "节点 %s：%s", l.Name, refusal.Text)}
}
