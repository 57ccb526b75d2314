package monitor

import (
	"bufio"
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/monitor/detect"
	"lockstep/engine/redis"
)

// A tape feeds the lines of a recording to a detector: in the order of their times, the commands of a transaction after EXEC, and
// in place of a script what it did.
type tape struct {
	d      *detect.Detector
	began  int64
	number int
	window window
	queued map[string][]detect.Command
	held   int
	texts  redis.Scripts
}

// step reads the next line of a recording. It reports false at the end.
func (t *tape) step(a *Account, text *bufio.Reader) (more bool, err error) {
	line, err := readLine(text)
	if errors.Is(err, errLong) {
		a.Lines++
		a.Long++
		t.d.Lost()
		return true, nil
	}
	if err != nil && err != io.EOF {
		return false, err
	}
	if len(line) > 0 {
		a.Lines++
		if strings.Contains(strings.ToLower(line), `"publish `+Channel+` `) {
			a.Marked = true
		}
		if !t.line(line, a.Lines) {
			if a.Lines == 1 {
				return false, noRecording()
			}
			if len(strings.TrimSpace(line)) > 0 {
				a.Odd.add(a.Lines)
			}
		}
	}
	return err == nil, nil
}

func noRecording() error {
	return engine.Refuse("line 1: this is not a line of a recording by lockstep record", "第 1 行：这不是 lockstep record 录制的内容")
}

var errLong = errors.New("the line is too long")

// readLine reads a line of at most MaxLine bytes; the reader holds more.
func readLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadSlice('\n')
	if err != bufio.ErrBufferFull && len(line) <= MaxLine+2 {
		return string(line), err
	}
	for err == bufio.ErrBufferFull {
		_, err = in.ReadSlice('\n')
	}
	if err != nil && err != io.EOF {
		return "", err
	}
	return "", errLong
}

// line reads a line. It reports false for one that is none of a recording.
func (t *tape) line(text string, number int) bool {
	var line struct {
		Header
		Record
	}
	if json.Unmarshal([]byte(text), &line) != nil {
		return false
	}
	if line.Recording != 0 {
		if line.Recording != 1 || line.Began < 0 || line.Began > 1<<43 {
			return false
		}
		t.flush()
		if t.number > 0 {
			t.d.Lost()
		}
		t.began, t.number, t.queued, t.held = line.Began*1e6, t.number+1, map[string][]detect.Command{}, 0
		return true
	}
	command, refusal := redis.Split(line.Command)
	reply, err := line.reply()
	if t.number == 0 || line.Event == "" && (refusal != nil || err != nil || len(command) == 0 || command[0] == "") {
		return false
	}
	heap.Push(&t.window, arrived{line.Record, command, reply, number})
	if len(t.window) > maxWindow {
		t.next()
	}
	return true
}

// connection names a connection in any language by the recording's own word for it, conn. A file may hold several recordings.
func connection(recording, number int) string {
	if recording > 1 {
		return fmt.Sprintf("conn %d of recording %d", number, recording)
	}
	return fmt.Sprintf("conn %d", number)
}

func (t *tape) flush() {
	for len(t.window) > 0 {
		t.next()
	}
}

// next takes the first line of the window.
func (t *tape) next() {
	line := heap.Pop(&t.window).(arrived)
	from := connection(t.number, line.Conn)
	switch {
	case line.Event == "close":
		t.forget(from)
		return
	case line.Event == "unparsed" || line.Event == "full":
		t.d.Lost()
		return
	case line.Event != "" || line.Cut:
		return
	}
	c := detect.Command{Line: line.line, Time: t.began + line.Replied, Sent: t.began + line.Sent, DB: int32(line.DB), From: []byte(from)}
	for _, word := range line.command {
		c.Words = append(c.Words, []byte(word))
	}
	if line.Replied == 0 {
		c.Time = c.Sent
	}
	t.learn(line.command)
	name, failed := strings.ToUpper(line.command[0]), line.reply.Err()
	switch {
	case line.reply == "+QUEUED\r\n":
		if t.held < engine.MaxActions {
			t.queued[from], t.held = append(t.queued[from], c), t.held+1
		}
	case name == "DISCARD":
		t.forget(from)
	case name == "EXEC":
		replies, ok := elements(line.reply)
		for i, q := range t.queued[from] {
			if !ok {
				break
			}
			q.Time, q.Sent = c.Time, c.Sent
			r := redis.Reply("")
			if i < len(replies) {
				r = replies[i]
			}
			t.add(&q, r)
		}
		t.forget(from)
	case failed != "":
	default:
		t.add(&c, line.reply)
	}
}

func (t *tape) forget(from string) {
	t.held -= len(t.queued[from])
	delete(t.queued, from)
}

func (t *tape) learn(command []string) {
	switch name := strings.ToUpper(command[0]); {
	case t.texts.Len() >= maxTexts:
	case name == "EVAL" && len(command) > 1:
		t.texts = t.texts.With(command[1])
	case name == "SCRIPT" && len(command) == 3 && strings.EqualFold(command[1], "LOAD"):
		t.texts = t.texts.With(command[2])
	}
}

// add gives a command and its reply to the detector.
func (t *tape) add(c *detect.Command, reply redis.Reply) {
	if name := strings.ToUpper(string(c.Words[0])); isScript(name) {
		t.script(c, reply)
		return
	}
	c.Reply = answer(c, reply)
	if v, ok := bulk(reply); ok {
		c.Value = []byte(v)
	}
	t.d.Add(c)
}

// answer tells what a reply means for a lock.
func answer(c *detect.Command, reply redis.Reply) detect.Answer {
	name := strings.ToUpper(string(c.Words[0]))
	switch {
	case reply == "":
		return detect.Unknown
	case reply.Err() != "":
		return detect.Failed
	case name == "GETSET", name == "SET" && slices.ContainsFunc(c.Words[min(3, len(c.Words)):], func(w []byte) bool { return strings.EqualFold(string(w), "GET") }):
		nx := slices.ContainsFunc(c.Words[min(3, len(c.Words)):], func(w []byte) bool { return strings.EqualFold(string(w), "NX") })
		if isNil(reply) == nx {
			return detect.Done
		}
		return detect.Not
	case isNil(reply), reply == ":0\r\n":
		return detect.Not
	case (name == "DEL" || name == "UNLINK") && len(c.Words) > 2:
		return detect.Unknown
	}
	return detect.Done
}

// bulk returns a reply that is a string.
func bulk(reply redis.Reply) (string, bool) {
	head, rest, _ := strings.Cut(string(reply), "\r\n")
	if !strings.HasPrefix(head, "$") || isNil(reply) {
		return "", false
	}
	return strings.TrimSuffix(rest, "\r\n"), true
}

// script gives the detector what a script did, as far as its text and its reply tell, in the words of MONITOR.
func (t *tape) script(c *detect.Command, reply redis.Reply) {
	command := make([]string, len(c.Words))
	for i, word := range c.Words {
		command[i] = string(word)
	}
	t.d.Add(c)
	run := func(answer detect.Answer, words ...string) {
		own := *c
		own.Script, own.Reply, own.Words = true, answer, nil
		for _, word := range words {
			own.Words = append(own.Words, []byte(word))
		}
		t.d.Add(&own)
	}
	full, refusal := redis.CheckOwn(command, t.texts)
	if refusal != nil || len(full) < 4 || full[0] != "EVAL" {
		return
	}
	n, _ := strconv.Atoi(full[2])
	if n < 1 || n > len(full)-3 {
		return
	}
	call := &Call{Name: "EVAL", Keys: full[3 : 3+n], Reply: reply}
	calls := redis.Calls(full[1])
	key := call.Keys[0]
	hash := slices.Contains(calls, "hincrby") || slices.Contains(calls, "hexists")
	for _, does := range call.does(full) {
		switch does.Command[0] {
		case "DEL":
			if field := owner(full, n); hash {
				run(detect.Done, "hexists", key, field)
				run(detect.Done, "hincrby", key, field, "-1")
			} else {
				run(detect.Done, "get", key)
			}
			run(detect.Done, "del", key)
		case "HSETNX":
			run(detect.Done, "exists", key)
			run(detect.Done, "hincrby", key, does.Command[2], "1")
		case "PEXPIRE", "EXPIRE":
			if !hash && slices.Contains(calls, "get") {
				run(detect.Done, "get", key)
			}
			run(detect.Done, does.Command...)
		default:
			run(detect.Done, does.Command...)
		}
	}
	switch {
	case len(call.does(full)) > 0:
	case call.releases && hash:
		run(detect.Unknown, "hexists", key, owner(full, n))
	case call.releases:
		run(detect.Unknown, "get", key)
	case slices.Contains(calls, "nx") || slices.Contains(calls, "setnx"):
		_, _, at := leaseOf(full[1], full[3+n:])
		run(detect.Not, "set", key, holder(full[1], full[3+n:], at), "NX")
	case hash && slices.Contains(calls, "exists"):
		run(detect.Unknown, "exists", key)
		run(detect.Unknown, "hexists", key, owner(full, n))
	}
}

// owner returns the argument by which a script names a field: the last one that is no number.
func owner(full []string, keys int) string {
	for i := len(full) - 1; i >= 3+keys; i-- {
		if !isNumber(full[i]) && strings.ToLower(full[i]) != "publish" {
			return full[i]
		}
	}
	return ""
}
