package record

import (
	"encoding/json"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine/lang"
	"lockstep/engine/monitor"
	"lockstep/engine/redis"
)

// A tape is the file of a recording. All connections write to it.
type tape struct {
	began time.Time
	say   func(lang.Text) // tells the user, once

	ended atomic.Bool  // nothing is written any more
	turn  sync.Mutex   // of the connection that reads along
	held  atomic.Int64 // bytes of the commands that wait, on all connections

	lock     sync.Mutex
	out      io.Writer
	left     int64             // bytes that the file may still take
	redactor *monitor.Redactor // nil: keys and values stay
	written  int               // commands
}

// endSpace is how many bytes a tape leaves for its last line.
const endSpace = 256

// newTape begins a recording of at most that many bytes.
func newTape(out io.Writer, most int64, redact bool, say func(lang.Text)) *tape {
	t := &tape{began: time.Now(), out: out, left: most - endSpace, say: say}
	if redact {
		t.redactor = monitor.NewRedactor()
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	t.put(encode(monitor.Header{Recording: 1, Began: t.began.UnixMilli(), Redacted: redact}))
	return t
}

// now returns the time since the recording began, ns. It is never 0, which would mean that there is none.
func (t *tape) now() int64 { return max(1, time.Since(t.began).Nanoseconds()) }

// An entry is a command with its reply, or an event, before it is a line.
type entry struct {
	monitor.Record
	command []string
	reply   redis.Reply
}

// write writes entries at once, in one piece.
func (t *tape) write(entries []entry) {
	if len(entries) == 0 || t.ended.Load() {
		return
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	var text []byte
	for _, e := range entries {
		line := t.line(e)
		if t.left -= int64(len(line)); t.left < 0 {
			last := encode(monitor.Record{Event: "full", At: t.now(), Sentence: "the file has reached its limit; the proxy goes on without recording"})
			t.put(append(text, last...))
			t.end(lang.Both("The file has reached its limit (--limit). The proxy goes on without recording.", "文件已达到大小上限（--limit）。代理继续转发，但不再录制。"))
			return
		}
		if text = append(text, line...); e.Event == "" {
			t.written++
		}
	}
	t.put(text)
}

// line returns an entry as a line, without what is secret. The caller has the lock.
func (t *tape) line(e entry) []byte {
	if e.Event != "" {
		return encode(e.Record)
	}
	command, reply, replyCut := public(e.command, e.reply, e.ReplyCut)
	if t.redactor != nil {
		if monitor.IsSetUp(command[0]) && reply.Err() == "" {
			reply, replyCut = "", true // it tells of the server
		}
		command, reply = t.redactor.Command(command, t.began.UnixNano()+e.Replied), t.redactor.Reply(reply)
	}
	e.ReplyCut = replyCut
	e.SetCommand(command)
	e.SetReply(string(reply))
	return encode(e.Record)
}

// put writes text to the file. The caller has the lock.
func (t *tape) put(text []byte) {
	if t.ended.Load() {
		return
	}
	if _, err := t.out.Write(text); err != nil {
		t.end(lang.Format("The file cannot be written: %v. The proxy goes on without recording.", "无法写入文件：%v。代理继续转发，但不再录制。", err))
	}
}

// end ends the recording, and tells the user why.
func (t *tape) end(why lang.Text) {
	if !t.ended.Swap(true) {
		t.say(why)
	}
}

func encode(line any) []byte {
	text, err := json.Marshal(line)
	if err != nil {
		return nil // no value here can fail
	}
	return append(text, '\n')
}

// commands returns how many commands the tape has.
func (t *tape) commands() int {
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.written
}
