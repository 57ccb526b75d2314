package monitor

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/engine/monitor/detect"
	"lockstep/engine/redis"
)

// MaxLine is how many bytes a line of a log may have.
const MaxLine = 64 << 10

// maxNames is how many names of commands a Log keeps, of those that it leaves out.
const maxNames = 50

// A Mark says what an entry tells about its client beside a command.
type Mark string

const (
	Enter  Mark = "enter"  // it enters the critical section
	Leave  Mark = "leave"  // it leaves the critical section
	Closed Mark = "closed" // its connection has ended
)

// An Entry is a command of a log, or a mark.
type Entry struct {
	Line    int         // in the log, counted from 1
	Time    int64       // Unix time, ns; in a recording: of the reply
	Sent    int64       // in a recording: the Unix time at which the command was sent; 0: unknown
	Client  string      // the lane: C1, C2 …
	from    string      // the connection
	Command []string    // one that redis.Check accepts; nothing: the entry is a mark
	Script  int         // the line of the script that sent the command; 0: the client itself did
	Reply   redis.Reply // in a recording; empty: unknown
	Mark    Mark
	Call    *Call // in a recording: the script in whose place Command stands; without Command, nothing stands there
}

// A Log is what Read has kept of a log, and what it has left out.
type Log struct {
	Entries  []Entry
	Recorded bool // it is a recording, with replies
	Lines    int  // read

	Cut            int            // the line at which the log became too long for a scenario; 0: it did not
	Refused        map[string]int // commands that no scenario may have, by name
	Further        int            // commands of connections beyond the lanes
	OtherDatabases int            // commands of another database than the first one
	OtherKeys      int            // commands on other keys than those asked for
	Long           int            // lines of more than MaxLine bytes
	Calls          int            // of a recording: scripts that are not here
	Stand          int            // those in whose place a command stands
	Unknown        int            // commands of a recording without a reply: nobody knows whether Redis executed them
	Partial        bool           // the last line is not complete
	Odd            Odd            // lines that are no command
	Glued          Odd            // lines with more than one command
	Elsewhere      int            // with a plan: commands of which nobody knows whose they are, or that its lanes do not have
	plan           *plan
	from           source
	full           int      // the line at which the run of its scenario was full; 0: it was not, or is not made yet
	unguessed      bool     // nobody is inside: a guess accused somebody whom the report does not convict
	doubt          int      // the line at which the run accused somebody whom the report does not convict; 0: none
	people         []person // who stands in the lanes
	lockName       string   // what the plan's lock is called
	redacted       bool
	Alike          int  // scripts of a MONITOR log that are written as named ones, which they are but for their spelling
	Renamed        bool // arguments that are binary or too long have names
}

// Options say what to read.
type Options struct {
	Keys   []string // only commands on one of these keys; nothing: all commands
	DB     *int     // only this database; nil: the first one that a command is in
	Redact bool     // keys, values and addresses get short names
	of     *Account // the whole log's, whose names are the same; nil: none
}

// A reader reads a log line by line.
type reader struct {
	*Log
	Options
	lanes    []string // connections, in the order of their lanes
	database string   // of the first command; empty: there was none
	size     int      // of the entries as text, about
	redactor *Redactor
	renamer  *Redactor     // names what no command may have: binary and long arguments
	script   script        // the last one that a connection ran
	texts    redis.Scripts // of the log
	session  recording
}

// Read reads a log until its end, or until a scenario can hold no more.
func Read(in io.Reader, o Options) (*Log, error) { return read(in, o, nil) }

// read reads what a plan wants of a log; nil: all of it.
func read(in io.Reader, o Options, p *plan) (*Log, error) {
	text, from, err := open(in)
	if err != nil {
		return nil, err
	}
	r := &reader{Log: &Log{Refused: map[string]int{}, plan: p, redacted: o.Redact, from: from}, Options: o, redactor: NewRedactor(), renamer: NewRedactor()}
	if o.DB != nil {
		r.database = strconv.Itoa(*o.DB)
	}
	if p != nil {
		r.database = strconv.Itoa(int(p.db))
	}
	hosts := NewRedactor()
	if o.Redact && o.of != nil {
		r.redactor, hosts = o.of.names()
	}
	if head, _ := text.Peek(1); len(head) > 0 && head[0] == '{' {
		r.Recorded = true
		err = r.readRecording(text)
	} else {
		err = r.readMonitor(text)
	}
	if err != nil {
		return nil, err
	}
	r.endRecording()
	r.endScript()
	if p != nil {
		if r.lockName = r.named([]string{"GET", p.key})[1]; r.Redact {
			r.lockName = r.redactor.name("key", r.lockName)
		}
		for _, who := range p.lanes {
			if r.Redact {
				who = who.redacted(r.redactor, hosts, p)
			}
			r.people = append(r.people, who)
		}
	}
	for i, address := range r.lanes { // without a plan
		who := person{lane: "C" + strconv.Itoa(i+1), address: address}
		if r.Redact {
			who.address, _ = hosts.person(address, "")
		}
		r.people = append(r.people, who)
	}
	if !slices.ContainsFunc(r.Entries, func(e Entry) bool { return e.Command != nil || e.Mark == Enter || e.Mark == Leave }) {
		return nil, r.nothing()
	}
	return r.Log, nil
}

// readMonitor reads what MONITOR printed.
func (r *reader) readMonitor(text *bufio.Reader) error {
	s := newScanner(text)
	var c detect.Command
	s.Wants = func(c *detect.Command, key []byte) bool {
		return key != nil || r.inside(s.Line()) || r.script.client != "" || r.teaches(c.Words[0])
	}
	for r.Cut == 0 && (r.plan == nil || s.Line() <= r.plan.to || r.script.client != "") {
		got, err := s.Next(&c)
		r.Lines, r.Odd, r.Glued, r.Long, r.Partial = s.Line(), s.Odd, s.Glued, s.Long, s.Partial
		switch {
		case err != nil:
			return err
		case got == atEnd:
			if s.records == 0 && (s.line == 0 || s.Odd.Count > 0 || s.Partial) {
				return s.nothing()
			}
			return nil
		case got == aRecord && r.inside(c.Line):
			r.monitored(&c)
		case got == aRecord && c.Script && c.Line > r.plan.to: // of a script that begins inside
			r.monitored(&c)
		case got == aRecord:
			r.endScript()
			r.learnFrom(&c)
		}
	}
	return nil
}

// inside reports whether a line is one that the plan wants.
func (r *reader) inside(line int) bool {
	return r.plan == nil || line >= r.plan.from && line <= r.plan.to || line == r.plan.before
}

// monitored reads a command of a MONITOR log.
func (r *reader) monitored(c *detect.Command) {
	e := Entry{Line: c.Line, Time: c.Time, Command: make([]string, len(c.Words))}
	for i, word := range c.Words {
		e.Command[i] = string(word)
	}
	if c.Script {
		r.inScript(e)
		return
	}
	r.endScript()
	r.learn(e.Command)
	r.command(e, string(c.From), strconv.Itoa(int(c.DB)))
}

// readRecording reads the lines of a recording.
func (r *reader) readRecording(text *bufio.Reader) error {
	for r.Cut == 0 {
		line, err := readLine(text)
		switch {
		case errors.Is(err, errLong):
			r.Lines++
			r.Long++
			continue
		case err != nil && err != io.EOF:
			return err
		case len(line) > 0:
			r.Lines++
		}
		if line = strings.TrimSpace(line); line != "" {
			if wrong := r.record(line); wrong != nil && r.Lines == 1 {
				return wrong
			} else if wrong != nil && err == io.EOF {
				r.Partial = true // whoever wrote it was stopped
			} else if wrong != nil {
				r.Odd.add(r.Lines)
			}
		}
		if err == io.EOF {
			return nil
		}
	}
	return nil
}

// setUp lists the commands with which connections are set up, and those that only look. A scenario needs none of them.
var setUp = []string{"HELLO", "AUTH", "CLIENT", "PING", "SELECT", "QUIT", "RESET", "READONLY", "READWRITE", "ASKING", "COMMAND", "INFO", "CLUSTER", "ROLE", "SCRIPT", "MONITOR", "ECHO", "TIME", "UNWATCH"}

// IsSetUp reports whether a command sets up a connection, or only looks: a scenario leaves it out.
func IsSetUp(name string) bool { return slices.Contains(setUp, strings.ToUpper(name)) }

// command reads a command that a connection sent.
func (r *reader) command(e Entry, from, database string) {
	name := strings.ToUpper(e.Command[0])
	if IsSetUp(name) {
		return
	}
	if r.database == "" {
		r.database = database
	}
	if database != r.database {
		r.OtherDatabases++
		return
	}
	e.Mark = markOf(e.Command)
	if e.Mark == "" && !isScript(name) {
		if checked, ok := r.check(e.Command); !ok {
			r.refuse(name)
			return
		} else if !r.wanted(checked) {
			r.OtherKeys++
			return
		}
	}
	if isScript(name) && !r.wantedScript(e.Command) {
		r.OtherKeys++
		return
	}
	from = detect.Clip([]byte(from))
	if e.Client, e.from = r.lane(&e, from), from; e.Client == "" {
		return
	}
	switch {
	case e.Mark != "":
		e.Command = nil
		r.add(e)
	case isScript(name):
		if _, ok := r.check(e.Command); ok {
			r.keep(e)
		} else if alike, ok := r.alike(e.Command); ok && !r.Recorded {
			r.written(e, alike, name)
		} else if r.Recorded && !strings.HasSuffix(name, "_RO") {
			r.called(e, name)
		} else {
			r.script = script{client: e.Client, from: from, line: e.Line, name: name}
		}
	default:
		r.keep(e)
	}
}

// lane returns the lane of a command that a connection sent; empty: it has none, and is counted.
func (r *reader) lane(e *Entry, from string) string {
	if r.plan != nil {
		lane := r.plan.conns[from]
		if s, ok := r.plan.steps[place{e.Line, from}]; ok {
			lane = s.lane
		} else if r.plan.pooled > 0 || r.plan.alone && e.Mark == "" && !slices.Contains(e.Command[1:], r.plan.key) {
			lane = ""
		}
		if lane == "" {
			r.Elsewhere++
		}
		return lane
	}
	lane := slices.Index(r.lanes, from)
	if lane < 0 {
		if len(r.lanes) == engine.MaxClients {
			r.Further++
			return ""
		}
		lane = len(r.lanes)
		r.lanes = append(r.lanes, from)
	}
	return "C" + strconv.Itoa(lane+1)
}

// keep adds a command, if a scenario may have it.
func (r *reader) keep(e Entry) {
	name := strings.ToUpper(e.Command[0])
	command, ok := r.check(e.Command)
	if !ok {
		r.refuse(name)
		return
	}
	e.Command = slices.Clone(command)
	e.Command[0] = strings.ToUpper(command[0])
	if r.Redact {
		e.Command, e.Reply = r.redactor.Command(e.Command, e.Time), r.redactor.Reply(e.Reply)
	}
	r.add(e)
}

// allowed holds the names of the commands that a scenario may have.
var allowed = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range redis.Commands() {
		names[name] = true
	}
	return names
}()

// check returns a command as a scenario may have it: a script has its text instead of its SHA-1, and long and binary
// arguments have names.
func (r *reader) check(command []string) (full []string, ok bool) {
	name := strings.ToUpper(command[0])
	if len(command) > redis.MaxArgs || !allowed[name] && name != "EVALSHA" {
		return nil, false // a refusal of redis.Check has a sentence, which costs more than all the rest
	}
	full, refused := redis.Check(r.named(command))
	return full, refused == nil
}

// named returns a command whose long and binary arguments have names.
func (r *reader) named(command []string) []string {
	named := slices.Clone(command)
	for i, argument := range named {
		if i > 0 && (len(argument) > redis.MaxArgSize || !utf8.ValidString(argument)) && !(i == 1 && isScript(strings.ToUpper(command[0]))) {
			named[i], r.Renamed = r.renamer.name("binary", argument), true
		}
	}
	return named
}

// add appends an entry, or ends the reading where a scenario is full.
func (r *reader) add(e Entry) {
	r.size += len("do C16 \ntick 1000ms\n") + len(redis.Label(e.Command))
	if len(r.Entries) >= engine.MaxActions || r.size > engine.MaxText {
		r.Cut = e.Line
		return
	}
	r.Entries = append(r.Entries, e)
}

// refuse counts a command that no scenario may have. It keeps no name that may be something else, such as a password
// typed in the wrong place.
func (r *reader) refuse(name string) {
	if len(name) > 20 || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ._") != "" || r.Refused[name] == 0 && len(r.Refused) >= maxNames {
		name = "…"
	}
	r.Refused[name]++
}

// wanted reports whether a command is on one of the keys that were asked for.
func (r *reader) wanted(command []string) bool {
	return len(r.Keys) == 0 || slices.ContainsFunc(redis.Keys(command), func(key string) bool { return slices.Contains(r.Keys, key) })
}

// Channel is the channel on which clients publish their markers.
const Channel = "lockstep"

// markOf returns the marker that a command is.
func markOf(command []string) Mark {
	if len(command) != 3 || !strings.EqualFold(command[0], "PUBLISH") || command[1] != Channel {
		return ""
	}
	switch mark := Mark(strings.ToLower(command[2])); mark {
	case Enter, Leave:
		return mark
	}
	return ""
}
