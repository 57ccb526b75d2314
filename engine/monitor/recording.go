package monitor

import (
	"container/heap"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/engine/redis"
)

// A Header is the first line of a recording.
type Header struct {
	Recording int   `json:"recording"` // the version of the format: 1
	Began     int64 `json:"began"`     // Unix time, ms
	Redacted  bool  `json:"redacted,omitempty"`
}

// A Record is a line of a recording: a command with its reply, or what happened to a connection. Lines stand in the
// order in which replies, and ends of connections, came to the proxy.
type Record struct {
	Conn     int    `json:"conn"`               // connections count from 1; 0: the recording itself
	DB       int    `json:"db,omitempty"`       // the database that the connection had selected
	Sent     int64  `json:"sent,omitempty"`     // ns since the recording began; the command had come to the proxy
	Replied  int64  `json:"replied,omitempty"`  // the reply had come to the proxy; 0: there was none
	Command  string `json:"command,omitempty"`  // as redis-cli takes it
	Reply    string `json:"reply,omitempty"`    // RESP, without its last line end
	Encoded  string `json:"reply64,omitempty"`  // the same in base64, where it is not UTF-8 text
	Cut      bool   `json:"cut,omitempty"`      // the command is too long, and only its name is here
	ReplyCut bool   `json:"replyCut,omitempty"` // the reply is too long, or secret, and not here
	Event    string `json:"event,omitempty"`    // open, close, push, unparsed, full
	At       int64  `json:"at,omitempty"`       // of the event: ns since the recording began
	Sentence string `json:"why,omitempty"`
}

// SetCommand puts a command into the record.
func (r *Record) SetCommand(command []string) { r.Command = Quote(command) }

// SetReply puts a reply into the record.
func (r *Record) SetReply(reply string) {
	reply = strings.TrimSuffix(reply, "\r\n")
	if utf8.ValidString(reply) {
		r.Reply = reply
	} else {
		r.Encoded = base64.StdEncoding.EncodeToString([]byte(reply))
	}
}

// reply returns the reply of a record; empty: it has none, or a text that is not one reply in RESP.
func (r *Record) reply() (redis.Reply, error) {
	text := r.Reply
	if r.Encoded != "" {
		decoded, err := base64.StdEncoding.DecodeString(r.Encoded)
		if err != nil {
			return "", err
		}
		text = string(decoded)
	}
	if text += "\r\n"; length(text, 0) != len(text) { // none, or none that Redis sends: the lengths in it are not believed
		return "", nil
	}
	return redis.Reply(text), nil
}

// Quote writes a command as redis-cli takes it. It keeps bytes that are no UTF-8 text.
func Quote(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		if utf8.ValidString(word) {
			words[i] = redis.Quote([]string{word})
			continue
		}
		var b strings.Builder
		b.WriteByte('"')
		for _, c := range []byte(word) {
			switch {
			case c == '"' || c == '\\':
				b.Write([]byte{'\\', c})
			case c >= ' ' && c < 0x7f:
				b.WriteByte(c)
			default:
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		}
		b.WriteByte('"')
		words[i] = b.String()
	}
	return strings.Join(words, " ")
}

// A recording is what a reader knows of the recording so far.
type recording struct {
	began  int64               // Unix time, ns
	number int                 // of recordings: a file may hold several
	queued map[string][]queued // by connection: the commands of its open transaction
	held   int                 // commands in all queues
	window window
}

type queued struct {
	Entry
	database string
}

// record reads a line of a recording.
func (r *reader) record(text string) error {
	notOne := r.wrong("this is not a line of a recording by lockstep record", "这不是 lockstep record 录制的内容")
	s := &r.session
	var line struct {
		Header
		Record
	}
	if json.Unmarshal([]byte(text), &line) != nil {
		return notOne
	}
	if line.Recording != 0 {
		if line.Recording != 1 || line.Began < 0 || line.Began > 1<<43 {
			return r.wrong("this recording has a format that this version does not know", "当前版本不认识这份录制的格式")
		}
		r.endRecording()
		s.began, s.number, s.queued, s.held = line.Began*1e6, s.number+1, map[string][]queued{}, 0
		return nil
	}
	if s.number == 0 {
		return notOne
	}
	command, refusal := redis.Split(line.Command)
	reply, err := line.reply()
	line.ReplyCut = line.ReplyCut || reply == ""
	if line.Cut {
		command, refusal = command[:min(1, len(command))], nil
	}
	if line.Event == "" && (refusal != nil || err != nil || len(command) == 0 || command[0] == "") {
		return notOne
	}
	heap.Push(&s.window, arrived{line.Record, command, reply, r.Lines})
	if len(s.window) > maxWindow {
		r.next()
	}
	return nil
}

// maxWindow is how many lines may stand before the line that a reader takes next. Replies on two connections reach the
// proxy at nearly the same time, and their lines may stand in the other order.
const maxWindow = 256

// A window holds lines that have been read, and are taken in the order of their times.
type window []arrived

type arrived struct {
	Record
	command []string
	reply   redis.Reply
	line    int
}

func (w window) Len() int      { return len(w) }
func (w window) Swap(i, j int) { w[i], w[j] = w[j], w[i] }
func (w window) Less(i, j int) bool {
	a, b := w[i].Replied+w[i].At, w[j].Replied+w[j].At
	return a < b || a == b && w[i].line < w[j].line
}
func (w *window) Push(x any) { *w = append(*w, x.(arrived)) }
func (w *window) Pop() any {
	last := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return last
}

// next takes the first line of the window.
func (r *reader) next() {
	s := &r.session
	line := heap.Pop(&s.window).(arrived)
	if !r.inside(line.line) {
		if len(line.command) > 0 {
			r.learn(line.command)
		}
		return
	}
	from := connection(s.number, line.Conn)
	if line.Event == "close" {
		r.drop(from)
		r.close(from, s.began+line.At, line.line)
	}
	if line.Event == "" {
		e := Entry{Line: line.line, Time: s.began + line.Replied, Sent: s.began + line.Sent, Command: line.command, Reply: line.reply}
		r.answered(e, from, strconv.Itoa(line.DB), line.Replied == 0, line.Cut, line.ReplyCut)
	}
}

// endRecording takes the lines that are left.
func (r *reader) endRecording() {
	for len(r.session.window) > 0 && r.Cut == 0 {
		r.next()
	}
}

// answered reads a command with its reply. A command of a transaction waits for the reply to EXEC.
func (r *reader) answered(e Entry, from, database string, unanswered, cut, replyCut bool) {
	s, name := &r.session, strings.ToUpper(e.Command[0])
	r.learn(e.Command)
	switch failed := e.Reply.Err(); {
	case unanswered:
		r.Unknown++
	case strings.HasPrefix(failed, "NOSCRIPT"): // no script, no change: the client sends the text next
	case strings.HasPrefix(failed, "ERR unknown command"):
		r.refuse("…")
	case strings.HasPrefix(failed, "NOAUTH"), strings.HasPrefix(failed, "NOPERM"), strings.HasPrefix(failed, "MOVED"), strings.HasPrefix(failed, "EXECABORT"), strings.HasPrefix(failed, "LOADING"), strings.HasPrefix(failed, "READONLY"):
		r.refuse(name) // Redis has not executed it
		r.drop(from)
	case e.Reply == "+QUEUED\r\n":
		if s.held >= engine.MaxActions {
			r.refuse(name)
			return
		}
		s.queued[from], s.held = append(s.queued[from], queued{e, database}), s.held+1
	case name == "MULTI", name == "WATCH":
	case name == "DISCARD":
		r.drop(from)
	case name == "EXEC":
		replies, ok := elements(e.Reply)
		for i, q := range s.queued[from] {
			if !replyCut && !ok {
				break // the keys that it watched have changed
			}
			q.Time, q.Reply = e.Time, ""
			if i < len(replies) {
				q.Reply = replies[i]
			}
			r.command(q.Entry, from, q.database)
			r.endScript()
		}
		r.drop(from)
	case cut:
		r.refuse(name)
	default:
		r.command(e, from, database)
		r.endScript()
	}
}

// drop forgets the transaction of a connection.
func (r *reader) drop(from string) {
	r.session.held -= len(r.session.queued[from])
	delete(r.session.queued, from)
}

// close adds the end of a connection that has a lane.
func (r *reader) close(from string, at int64, line int) {
	lane := ""
	if i := slices.Index(r.lanes, from); i >= 0 {
		lane = "C" + strconv.Itoa(i+1)
	} else if r.plan != nil && r.plan.pooled == 0 {
		lane = r.plan.conns[from]
	}
	if lane != "" {
		r.add(Entry{Line: line, Time: at, Client: lane, Mark: Closed})
	}
}

// elements returns the replies in an array; it reports false for anything else, nil too.
func elements(reply redis.Reply) (all []redis.Reply, ok bool) {
	text := string(reply)
	head, rest, found := strings.Cut(text, "\r\n")
	if !found || !strings.HasPrefix(head, "*") {
		return nil, false
	}
	n, err := strconv.Atoi(head[1:])
	if err != nil || n < 0 {
		return nil, false
	}
	for range n {
		end := length(rest, 0)
		if end < 0 {
			return all, true
		}
		all, rest = append(all, redis.Reply(rest[:end])), rest[end:]
	}
	return all, true
}

// maxDepth is how deep a reply may nest.
const maxDepth = 16

// length returns how many bytes the first value of RESP takes; -1: it is not complete, or no RESP.
func length(text string, depth int) int {
	head, _, found := strings.Cut(text, "\r\n")
	if !found || head == "" || depth > maxDepth {
		return -1
	}
	end := len(head) + 2
	switch head[0] {
	case '+', '-', ':', '_', '#', ',', '(':
		return end
	case '$', '=', '!':
		n, err := strconv.Atoi(head[1:])
		switch {
		case err != nil || n < -1:
			return -1
		case n == -1:
			return end
		case n > len(text)-end-2:
			return -1
		}
		return end + n + 2
	case '*', '~', '>', '%', '|':
		n, err := strconv.Atoi(head[1:])
		if err != nil || n < -1 || n > len(text) {
			return -1
		}
		if head[0] == '%' || head[0] == '|' {
			n *= 2
		}
		if head[0] == '|' {
			n++ // what the attributes belong to
		}
		for range max(n, 0) {
			next := length(text[end:], depth+1)
			if next < 0 {
				return -1
			}
			end += next
		}
		return end
	}
	return -1
}
