package program

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// A recording as text:
//
//	recorded "python3 worker.py"
//	SET lock.foo $1 NX PX 10000
//	= (nil)
//	  again 1
//	= OK
//	  enter
//	  hold
//	  sleep 5000
//	  leave
//	  EVAL compare-and-delete 1 lock.foo $1
//	  = (integer) 1
//	  end
//
// Operations stand one below the other in the order in which the program does them. Below a command stand its known
// replies, each with what follows: two spaces further in, or at the same place where only one reply is known. Where nothing
// follows, nobody knows. Below clock stands in the same way what the client has read there, ms since the beginning of 1970;
// sleep says for how many ms. The first line ends in the word markers where the program itself says when it enters and leaves.
const (
	recordedWord = "recorded"
	markersWord  = "markers"
)

// wordOf maps the operations that are words of their own to these words.
var wordOf = map[OpKind]string{Clock: "clock", Sleep: "sleep", Enter: "enter", Hold: "hold", Leave: "leave", Want: "want", Again: "again", End: "end"}

var kindOf = func() map[string]OpKind {
	kinds := map[string]OpKind{}
	for kind, word := range wordOf {
		kinds[word] = kind
	}
	return kinds
}()

// Program returns the recording as a program. It returns an error where its text is too long.
func (r *Recording) Program(name string) (*Program, error) {
	p := &Program{Name: name}
	w := recordingWriter{line: 1}
	w.WriteString(recordedWord + " " + redis.Quote([]string{shortened(r.Title)}))
	if r.Markers {
		w.WriteString(" " + markersWord)
	}
	w.WriteString("\n")
	behaviour := &recorded{title: shortened(r.Title), markers: r.Markers, root: w.write(r.root, "")}
	behaviour.note()
	p.Source, p.behaviour = w.String(), behaviour
	if len(p.Source) > maxRecording {
		return p, errorAt(name, position{}, tooLongRecording())
	}
	return p, nil
}

// ReadRecording reads the text of a recording that Program wrote.
func ReadRecording(source string) (*Recording, error) {
	p, err := parseRecording("recording", source)
	if err != nil {
		return nil, err
	}
	read := p.behaviour.(*recorded)
	r := &Recording{Title: read.title, Markers: read.markers, root: read.root}
	for range r.All() {
		r.size++
	}
	return r, nil
}

func tooLongRecording() lang.Text {
	return lang.Format("the recording is longer than %d KB", "录制内容超过 %d KB", maxRecording>>10)
}

// shortened cuts a text to one line of a bounded length.
func shortened(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	for len(text) > maxRecordedTitle {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// A recordingWriter writes a recording, and copies its steps with the lines where they stand.
type recordingWriter struct {
	strings.Builder
	line int
}

func (w *recordingWriter) write(s *step, indent string) *step {
	var first, last *step
	var by string // the observation between the last step and this one
	for s != nil {
		copied := &step{op: s.op, after: make(map[string]*step, len(s.after))}
		if last != nil {
			last.after[by] = copied
		} else {
			first = copied
		}
		last = copied
		w.print(copied, indent)
		branches := s.branches()
		if len(branches) == 0 {
			break
		}
		by = branches[0]
		if !s.op.observes() {
			s = s.after[by]
			continue
		}
		if len(branches) == 1 {
			w.put(indent, "= "+by)
			s = s.after[by]
			continue
		}
		for _, seen := range branches {
			w.put(indent, "= "+seen)
			copied.after[seen] = w.write(s.after[seen], indent+"  ")
		}
		break
	}
	return first
}

func (w *recordingWriter) put(indent, text string) {
	w.line++
	w.WriteString(indent + text + "\n")
}

func (w *recordingWriter) print(s *step, indent string) {
	text := wordOf[s.op.Kind]
	switch s.op.Kind {
	case Command:
		text = redis.Quote(s.op.Command)
	case Sleep:
		if s.op.For > 0 {
			text += " " + strconv.FormatInt(s.op.For, 10)
		}
	case Again:
		text += " " + strconv.Itoa(s.op.Back)
	case End:
		if s.op.Code != 0 || s.op.Text != "" {
			text += " " + strconv.Itoa(s.op.Code)
		}
		if s.op.Text != "" {
			text += " " + redis.Quote([]string{shortened(s.op.Text)})
		}
	}
	w.put(indent, text)
	s.line = w.line
}

// parseRecording reads the text of a recording.
func parseRecording(name, source string) (*Program, error) {
	if len(source) > maxRecording {
		return nil, errorAt(name, position{}, tooLongRecording())
	}
	if !utf8.ValidString(source) {
		return nil, errorAt(name, position{}, lang.Both("the recording is not UTF-8 text", "录制内容不是 UTF-8 文本"))
	}
	p := recordingParser{name: name, lines: strings.Split(strings.TrimSuffix(source, "\n"), "\n")}
	behaviour := &recorded{}
	words, refusal := redis.Split(p.lines[0])
	if refusal != nil || len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2] != markersWord || shortened(words[1]) != words[1] {
		return nil, errorAt(name, position{1, 1}, lang.Format("a recording begins with %s and a title in quotes of at most %d bytes, and perhaps %s", "录制内容的第一行应是 %s 和带引号的标题（至多 %d 字节），后面可以加 %s", recordedWord, maxRecordedTitle, markersWord))
	}
	behaviour.title, behaviour.markers = words[1], len(words) == 3
	p.next = 1
	root, err := p.block(0)
	if err == nil && p.next < len(p.lines) {
		err = p.fail("nothing can stand here: the operation above has no such reply", "这里不该有内容：上面的操作没有这样的回复")
	}
	if err != nil {
		return nil, err
	}
	behaviour.root = root
	behaviour.note()
	return &Program{Name: name, Source: source, behaviour: behaviour}, nil
}

type recordingParser struct {
	name  string
	lines []string
	next  int // the line to read, counted from 0
}

func (p *recordingParser) fail(english, chinese string, arguments ...any) *Error {
	return errorAt(p.name, position{int32(min(p.next, len(p.lines)-1) + 1), 1}, lang.Format(english, chinese, arguments...))
}

// peek returns the next line without its indentation, and that.
func (p *recordingParser) peek() (text string, indent int, ok bool) {
	if p.next >= len(p.lines) {
		return "", 0, false
	}
	text = strings.TrimLeft(p.lines[p.next], " ")
	return text, len(p.lines[p.next]) - len(text), true
}

// block reads operations at one place until one ends it.
func (p *recordingParser) block(indent int) (*step, *Error) {
	if indent > maxRecordedIndent {
		return nil, p.fail("more than %d replies in one life", "一个客户端的回复超过 %d 个", maxObservations)
	}
	var first, last *step
	by := Done
	for {
		text, at, ok := p.peek()
		if !ok || at != indent || strings.HasPrefix(text, "=") {
			return first, nil
		}
		s, err := p.operation(text)
		if err != nil {
			return nil, err
		}
		if last == nil {
			first = s
		} else {
			last.after[by] = s
		}
		if last, by = s, Done; s.op.Kind == Again || s.op.Kind == End {
			return first, nil
		}
		if !s.op.observes() {
			continue
		}
		goesOn := false
		if by, goesOn, err = p.replies(s, indent); err != nil || !goesOn {
			return first, err
		}
	}
}

// replies reads the replies to a command, each with what follows. It reports whether what follows the last one, seen, stands
// at the same place.
func (p *recordingParser) replies(s *step, indent int) (seen string, goesOn bool, err *Error) {
	for {
		text, at, ok := p.peek()
		if !ok || at != indent || !strings.HasPrefix(text, "=") {
			return seen, len(s.after) == 1 && s.after[seen] == nil && ok && at == indent, nil
		}
		seen = strings.TrimSpace(text[1:])
		if _, twice := s.after[seen]; twice || seen == "" || seen == Done || len(seen) > 8*redis.MaxArgSize {
			return "", false, p.fail("a reply stands once below its command, as redis-cli shows it, or %s", "每个回复在命令下只写一次，写法与 redis-cli 相同，或写 %s", Lost)
		}
		p.next++
		if s.after[seen], err = p.block(indent + 2); err != nil {
			return "", false, err
		}
	}
}

// operation reads one line.
func (p *recordingParser) operation(text string) (*step, *Error) {
	words, refusal := redis.Split(text)
	if refusal != nil {
		return nil, p.fail("%s", "%s", refusal.Text)
	}
	if len(words) == 0 {
		return nil, p.fail("a recording has no empty lines", "录制内容里不能有空行")
	}
	s := &step{line: p.next + 1, after: map[string]*step{}}
	kind, known := kindOf[words[0]]
	if !known {
		kind = Command
	}
	s.op.Kind = kind
	ok := len(words) == 1
	switch kind {
	case Command:
		s.op.Command, ok = words, true
	case Sleep:
		if ok = len(words) <= 2; ok && len(words) > 1 {
			n, err := strconv.ParseInt(words[1], 10, 64)
			s.op.For, ok = n, err == nil && n > 0 && n <= MaxSleep
		}
	case Again:
		if ok = len(words) == 2; ok {
			n, err := strconv.Atoi(words[1])
			s.op.Back, ok = n, err == nil && n > 0 && n <= maxObservations
		}
	case End:
		if ok = len(words) <= 3; ok && len(words) > 1 {
			n, err := strconv.Atoi(words[1])
			s.op.Code, ok = n, err == nil && n >= -1 && n < 1<<31
		}
		if ok && len(words) > 2 {
			s.op.Text, ok = words[2], shortened(words[2]) == words[2]
		}
	}
	if !ok {
		return nil, p.fail("%s has other words after it: enter, hold, leave, want, again 1, end, end 1 \"text\"", "%s 后面不能这样写：enter、hold、leave、want、again 1、end、end 1 \"文字\"", words[0])
	}
	p.next++
	return s, nil
}
