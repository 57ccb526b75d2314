package monitor

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lockstep/engine"
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
	redacted       bool
	Renamed        bool // arguments that are binary or too long have names
}

// Options say what to read.
type Options struct {
	Keys   []string // only commands on one of these keys; nothing: all commands
	Redact bool     // keys and values get short names
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
	texts    redis.Scripts // of the recording
	session  recording
}

// A script is one whose commands follow in a MONITOR log.
type script struct {
	client string // the lane whose script it is; empty: its commands are left out
	line   int
	name   string // EVAL, EVALSHA, FCALL
	shown  bool   // a command of it has followed
}

// Read reads a log until its end, or until a scenario can hold no more.
func Read(in io.Reader, o Options) (*Log, error) {
	r := &reader{Log: &Log{Refused: map[string]int{}}, Options: o, redactor: NewRedactor(), renamer: NewRedactor()}
	lines := bufio.NewReaderSize(in, MaxLine+len("\r\n"))
	for r.Cut == 0 {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 {
			r.Lines++
		}
		whole := err == nil
		if err == bufio.ErrBufferFull {
			r.Long++
			if err = skip(lines); err == nil {
				continue
			}
			line = nil
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		if text := strings.TrimSpace(string(line)); text != "" {
			if wrong := r.line(text); wrong != nil && (whole || r.Lines == 1) {
				return nil, wrong
			} else if wrong != nil {
				r.Partial = true // whoever wrote the log was stopped
			}
		}
		if err == io.EOF {
			break
		}
	}
	r.endRecording()
	r.endScript()
	if !slices.ContainsFunc(r.Entries, func(e Entry) bool { return e.Command != nil || e.Mark == Enter || e.Mark == Leave }) {
		return nil, r.nothing()
	}
	return r.Log, nil
}

// skip reads on until the end of a line.
func skip(lines *bufio.Reader) error {
	for {
		if _, err := lines.ReadSlice('\n'); err != bufio.ErrBufferFull {
			return err
		}
	}
}

// nothing returns the sentence for a log without a command that a scenario can hold.
func (r *reader) nothing() error {
	if r.Lines == 0 {
		return engine.Refuse("the log is empty", "日志是空的")
	}
	left := r.left()
	if len(r.Keys) > 0 && r.OtherKeys > 0 {
		keys := clip(redis.Quote(r.Keys), 100)
		if len(left) == 1 {
			return engine.Refuse("no command of the log names the key %s", "日志里没有哪条命令用到键 %s", keys)
		}
		return engine.Refuse("no command of the log that a scenario can hold names the key %s. %s", "场景可以容纳的命令中没有哪条用到键 %s。%s", keys, left[0])
	}
	if len(left) > 0 {
		return engine.Refuse("the log has no command that a scenario can hold. %s", "日志里没有场景可以容纳的命令。%s", left[0])
	}
	return engine.Refuse("the log has no command that a scenario can hold", "日志里没有场景可以容纳的命令")
}

// wrong refuses the present line. It does not quote the line, which may hold a secret.
func (r *reader) wrong(english, chinese string) error {
	return engine.Refuse("line %d: "+english, "第 %d 行："+chinese, r.Lines)
}

// line reads a line. The first one decides what kind of log it is.
func (r *reader) line(text string) error {
	isRecord := strings.HasPrefix(text, "{")
	if isRecord && (r.Recorded || r.session.began == 0 && r.database == "" && len(r.Entries) == 0) {
		r.Recorded = true
		return r.record(text)
	}
	switch text = strings.TrimPrefix(text, "+"); {
	case r.Recorded:
		return r.wrong("this is not a line of a recording: each is a JSON object", "这不是录制文件的内容：每行应是一个 JSON 对象")
	case text == "OK": // what MONITOR itself answers
		return nil
	}
	l, ok := parseLine(text)
	if !ok {
		return r.wrong(`this is not what MONITOR prints, such as 1339518083.107412 [0 127.0.0.1:60866] "get" "key"`,
			`这不是 MONITOR 的输出，输出应形如 1339518083.107412 [0 127.0.0.1:60866] "get" "key"`)
	}
	e := Entry{Line: r.Lines, Time: l.time, Command: l.command}
	if l.from == "lua" {
		r.inScript(e)
		return nil
	}
	r.endScript()
	r.command(e, l.from, l.database)
	return nil
}

// inScript reads a command of the script that ran last. If that script runs in a scenario itself, its commands are
// left out.
func (r *reader) inScript(e Entry) {
	if r.script.client == "" {
		return
	}
	e.Client, e.Script, r.script.shown = r.script.client, r.script.line, true
	r.keep(e)
}

// endScript counts a script of a MONITOR log that no scenario may have, and that has shown no commands of its own.
func (r *reader) endScript() {
	if r.script.client != "" && !r.script.shown {
		r.refuse(r.script.name)
	}
	r.script = script{}
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
	lane := slices.Index(r.lanes, from)
	if lane < 0 {
		if len(r.lanes) == engine.MaxClients {
			r.Further++
			return
		}
		lane = len(r.lanes)
		r.lanes = append(r.lanes, from)
	}
	e.Client = "C" + strconv.Itoa(lane+1)
	switch {
	case e.Mark != "":
		e.Command = nil
		r.add(e)
	case isScript(name):
		if _, ok := r.check(e.Command); ok {
			r.keep(e)
		} else if r.Recorded && !strings.HasSuffix(name, "_RO") {
			r.called(e, name)
		} else {
			r.script = script{client: e.Client, line: e.Line, name: name}
		}
	default:
		r.keep(e)
	}
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

// wantedScript reports whether a script may be about one of those keys: it names one among its arguments.
func (r *reader) wantedScript(command []string) bool {
	return len(r.Keys) == 0 || slices.ContainsFunc(command[1:], func(word string) bool { return slices.Contains(r.Keys, word) })
}

func isScript(name string) bool {
	switch name {
	case "EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "FCALL", "FCALL_RO":
		return true
	}
	return false
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
