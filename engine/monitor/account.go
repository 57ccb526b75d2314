package monitor

import (
	"bufio"
	"io"

	"lockstep/engine/monitor/detect"
)

// An Account is what the whole of a log tells about locks.
type Account struct {
	*detect.Report
	Recorded bool
	from     source
	Lines    int
	Odd      Odd // lines that are left out
	Glued    Odd // lines with more than one record
	Long     int
	Partial  bool
	Marked   bool // clients say themselves when they enter and leave
}

// Investigate reads a log until its end, in bounded memory, and tells what it proves.
func Investigate(in io.Reader) (*Account, error) {
	text, from, err := open(in)
	if err != nil {
		return nil, err
	}
	d := detect.New()
	a := &Account{}
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
	if head, _ := text.Peek(1); len(head) > 0 && head[0] == '{' {
		a.Recorded = true
		return a.readTape(text, d, enough)
	}
	s := newScanner(text)
	err := s.detect(d, enough)
	a.Lines, a.Odd, a.Glued, a.Long, a.Partial, a.Marked = s.line, s.Odd, s.Glued, s.Long, s.Partial, s.Marked
	if err == nil && s.records == 0 {
		return s.nothing()
	}
	return err
}
