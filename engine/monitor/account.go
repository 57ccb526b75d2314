package monitor

import (
	"bufio"
	"io"
	"slices"

	"lockstep/engine/monitor/detect"
)

// An Account is what the whole of a log tells about locks.
type Account struct {
	*detect.Report
	Recorded bool
	from     source
	Lines    int
	Odd      Odd // lines that are left out
	Breaks   Odd // those of them by which redis-cli says that it lost the server
	Only     Only
	File     string // how a command line names the log; empty: not at all
	hidden   bool   // keys and tokens have short names
	Glued    Odd    // lines with more than one record
	Long     int
	Partial  bool
	Marked   bool // clients say themselves when they enter and leave
}

// Only says what an account is to tell of: all of it is found in the whole log.
type Only struct {
	Keys        []string // nothing: all keys
	DB          *int     // nil: all databases
	First, Last int      // the lines at which something shows; 0: all lines
}

func (o *Only) wants(db int32, key string, line int) bool {
	return (o.DB == nil || *o.DB == int(db)) && (line == 0 || o.First == 0 || line >= o.First && line <= o.Last) &&
		(len(o.Keys) == 0 || slices.ContainsFunc(o.Keys, func(k string) bool { return detect.Clip([]byte(k)) == key }))
}

// Investigate reads a log until its end, in bounded memory, and tells what it proves.
func Investigate(in io.Reader) (*Account, error) { return InvestigateOnly(in, Only{}) }

// InvestigateOnly is Investigate, of a part.
func InvestigateOnly(in io.Reader, only Only) (*Account, error) {
	text, from, err := open(in)
	if err != nil {
		return nil, err
	}
	d := detect.New()
	d.Only = only.wants
	a := &Account{Only: only}
	if err := a.read(text, d); err != nil {
		return nil, err
	}
	a.Report, a.from = d.End(), from
	if from.partial {
		a.Findings, a.Found = nil, 0
	}
	return a, nil
}

// read reads a log of any kind with a detector.
func (a *Account) read(text *bufio.Reader, d *detect.Detector) error {
	return a.readUntil(text, d, func() bool { return false })
}

// readUntil reads a log until enough says so.
func (a *Account) readUntil(text *bufio.Reader, d *detect.Detector, enough func() bool) error {
	step, end := a.reading(text, d)
	for !enough() {
		more, err := step()
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	return end()
}

// reading returns what reads the next line of a log of any kind with a detector, which reports false at the end, and what ends it.
func (a *Account) reading(text *bufio.Reader, d *detect.Detector) (step func() (more bool, err error), end func() error) {
	if head, _ := text.Peek(1); len(head) > 0 && head[0] == '{' {
		a.Recorded = true
		t := &tape{d: d}
		return func() (bool, error) { return t.step(a, text) }, func() error {
			if t.flush(); t.number == 0 {
				return noRecording()
			}
			return nil
		}
	}
	s := newScanner(text)
	return s.steps(d), func() error {
		a.Lines, a.Odd, a.Breaks, a.Glued, a.Long, a.Partial, a.Marked = s.line, s.Odd, s.Breaks, s.Glued, s.Long, s.Partial, s.Marked
		if s.records == 0 {
			return s.nothing()
		}
		return nil
	}
}
