package monitor

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// A source is what a log was made from. Each but MONITOR and recordings is read as what MONITOR would have printed: a line for each
// command.
type source struct {
	name    lang.Text // empty: it is what MONITOR printed, or a recording
	partial bool      // it does not have all commands, and so convicts nobody
}

var (
	fromAOF     = source{name: lang.Both("an AOF: it has neither addresses nor requests that were refused, and keys that are set with a TTL and deleted are taken for locks", " AOF：没有客户端地址，也没有被拒绝的请求；有 TTL 又被删除的键当作锁")}
	fromSlowlog = source{name: lang.Both("the output of SLOWLOG GET: it has slow commands alone, and convicts nobody", " SLOWLOG GET 的输出：只有慢命令，不能证明谁有错"), partial: true}
	fromSpans   = source{name: lang.Both("OpenTelemetry spans: they may be a sample, and convict nobody", " OpenTelemetry 的 span：可能只是采样，不能证明谁有错"), partial: true}
)

// maxSource bounds what has to be sorted before it can be read, in bytes.
const maxSource = 64 << 20

// converted returns a log of another kind as what MONITOR would have printed.
func converted(text *bufio.Reader, head []byte) (*bufio.Reader, source, error) {
	var make func(io.Reader) ([]byte, error)
	var from source
	switch {
	case bytes.HasPrefix(head, []byte("#TS:")), bytes.HasPrefix(head, []byte("*")) && bytes.Contains(head[:min(len(head), 20)], []byte("\r\n$")):
		return bufio.NewReaderSize(&aofReader{in: text, live: map[string]int64{}}, 256<<10), fromAOF, nil
	case slowEntry.Match(head):
		make, from = slowlog, fromSlowlog
	case bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && (bytes.Contains(head, []byte(`"resourceSpans"`)) || bytes.Contains(head, []byte(`"startTimeUnixNano"`))):
		make, from = spans, fromSpans
	default:
		return text, from, nil
	}
	lines, err := make(io.LimitReader(text, maxSource+1))
	if err != nil {
		return nil, from, err
	}
	return bufio.NewReaderSize(bytes.NewReader(lines), 256<<10), from, nil
}

// monitorLine appends a command as MONITOR prints it.
func monitorLine(to []byte, ns int64, db int, from string, words []string) []byte {
	to = fmt.Appendf(to, "%010d.%06d [%d %s]", ns/1e9, ns%1e9/1e3, db, strings.NewReplacer("]", ")", "\n", " ").Replace(from))
	for _, word := range words {
		to = append(to, ` "`...)
		for _, c := range []byte(word) {
			switch {
			case c == '"' || c == '\\':
				to = append(to, '\\', c)
			case c < ' ' || c > '~':
				to = fmt.Appendf(to, `\x%02x`, c)
			default:
				to = append(to, c)
			}
		}
		to = append(to, '"')
	}
	return append(to, '\n')
}

// An aofReader reads an append-only file with timestamps. A SET with a deadline of a key that is not there becomes a request that
// was granted: Redis writes no NX into the file.
type aofReader struct {
	in   *bufio.Reader
	now  int64 // ns
	db   int
	live map[string]int64 // deadlines of keys, ns
	out  []byte
}

const maxLive = 1 << 16

func (r *aofReader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		words, err := r.next()
		if err != nil {
			return 0, err
		}
		if len(words) > 0 {
			r.out = monitorLine(nil, r.now, r.db, "aof", r.asked(words))
		}
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// next reads a command; no words: the line was no command.
func (r *aofReader) next() ([]string, error) {
	line, err := readLine(r.in)
	if err != nil && (line == "" || err != io.EOF) {
		if errors.Is(err, errLong) {
			return nil, nil
		}
		return nil, err
	}
	line = strings.TrimRight(line, "\r\n")
	if seconds, ok := strings.CutPrefix(line, "#TS:"); ok {
		if s, err := strconv.ParseInt(seconds, 10, 64); err == nil && s > 0 && s < 1<<33 {
			r.now = max(r.now, s*1e9)
		}
		return nil, nil
	}
	n, wrong := strconv.Atoi(strings.TrimPrefix(line, "*"))
	if !strings.HasPrefix(line, "*") || wrong != nil || n < 1 || n > 1024 {
		return nil, nil
	}
	words, all := make([]string, 0, n), 0
	for range n {
		head, err := readLine(r.in)
		size, wrong := strconv.Atoi(strings.TrimRight(strings.TrimPrefix(head, "$"), "\r\n"))
		if err != nil || !strings.HasPrefix(head, "$") || wrong != nil || size < 0 {
			return nil, io.EOF
		}
		if all += size; all > MaxLine {
			if _, err := r.in.Discard(size + 2); err != nil {
				return nil, io.EOF
			}
			words = append(words, "")
			continue
		}
		word := make([]byte, size+2)
		if _, err := io.ReadFull(r.in, word); err != nil {
			return nil, io.EOF // the file ends in a command
		}
		words = append(words, string(word[:size]))
	}
	if strings.EqualFold(words[0], "SELECT") && len(words) == 2 {
		r.db, _ = strconv.Atoi(words[1])
		return nil, nil
	}
	return words, nil
}

// asked gives back the NX of a request.
func (r *aofReader) asked(words []string) []string {
	key := func(name string) string { return strconv.Itoa(r.db) + " " + name }
	switch strings.ToUpper(words[0]) {
	case "SET":
		if len(words) != 5 || !strings.EqualFold(words[3], "PXAT") {
			break
		}
		until, _ := strconv.ParseInt(words[4], 10, 64)
		before, there := r.live[key(words[1])]
		if len(r.live) < maxLive || there {
			r.live[key(words[1])] = until * 1e6
		}
		if !there || before < r.now+1e9 { // the file's time is in seconds
			if there {
				r.now = max(r.now, before+2e6)
			}
			return append(slices.Clone(words), "NX")
		}
	case "DEL", "UNLINK":
		for _, name := range words[1:] {
			delete(r.live, key(name))
		}
	case "FLUSHALL", "FLUSHDB":
		clear(r.live)
	}
	return words
}

var (
	slowEntry = regexp.MustCompile(`^\s*(?:127[^\n]*> *slowlog get[^\n]*\n)?1\) 1\) \(integer\) \d+\s+2\) \(integer\) \d{9,10}\s`)
	slowPart  = regexp.MustCompile(`^\s*(?:(\d+)\) )?(?:(\d+)\) )?(\(integer\) (\d+)|".*")\s*$`)
)

// slowlog reads what redis-cli prints for SLOWLOG GET on a terminal, the latest command first.
func slowlog(in io.Reader) ([]byte, error) {
	type entry struct {
		id, at int64
		words  []string
		from   string
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	var all []entry
	field := 0
	for line := range strings.Lines(string(text)) {
		part := slowPart.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if part == nil {
			continue
		}
		n, _ := strconv.Atoi(cmp.Or(part[2], part[1]))
		begins := strings.Contains(line, ") 1) (integer)") && !strings.HasPrefix(line, "   ")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		words, _ := redis.Split(part[3])
		number, _ := strconv.ParseInt(part[4], 10, 64)
		switch {
		case begins:
			all, field = append(all, entry{id: number}), 1
		case len(all) == 0:
		case part[2] != "" && len(words) == 1: // the first word of the command
			all[len(all)-1].words, field = words, 4
		case field == 4 && indent >= 6 && n > 1 && len(words) == 1 && part[2] == "":
			all[len(all)-1].words = append(all[len(all)-1].words, words[0])
		case n == 2 && part[4] != "":
			all[len(all)-1].at, field = number, 2
		case n == 5 && len(words) == 1:
			all[len(all)-1].from, field = words[0], 5
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.id, b.id) })
	var out []byte
	for _, e := range all {
		if len(e.words) > 0 && e.at > 0 {
			out = monitorLine(out, e.at*1e9, 0, cmp.Or(e.from, "unknown"), e.words)
		}
	}
	return out, nil
}

// A span is one of OpenTelemetry, in the JSON of OTLP.
type span struct {
	Start      json.RawMessage `json:"startTimeUnixNano"`
	End        json.RawMessage `json:"endTimeUnixNano"`
	Attributes attributes      `json:"attributes"`
}

type attributes []struct {
	Key   string `json:"key"`
	Value struct {
		String string          `json:"stringValue"`
		Int    json.RawMessage `json:"intValue"`
	} `json:"value"`
}

// get returns the first attribute that there is.
func (a attributes) get(keys ...string) string {
	for _, key := range keys {
		for _, x := range a {
			if x.Key == key {
				return cmp.Or(x.Value.String, strings.Trim(string(x.Value.Int), `"`))
			}
		}
	}
	return ""
}

// spans reads spans of calls to Redis: of an export of OTLP, or of several, one after the other.
func spans(in io.Reader) ([]byte, error) {
	type call struct {
		at    int64
		db    int
		from  string
		words []string
	}
	var all []call
	add := func(s *span, resource attributes) {
		statement := s.Attributes.get("db.query.text", "db.statement")
		if system := s.Attributes.get("db.system.name", "db.system"); system != "redis" && system != "valkey" || statement == "" {
			return
		}
		words, refusal := redis.Split(statement)
		at, err := strconv.ParseInt(strings.Trim(string(s.End), `"`), 10, 64)
		if refusal != nil || len(words) == 0 || err != nil || at <= 0 || at > 1<<62 {
			return
		}
		db, _ := strconv.Atoi(s.Attributes.get("db.namespace", "db.redis.database_index"))
		from := cmp.Or(resource.get("service.instance.id", "host.name", "service.name"), "unknown")
		if pid := resource.get("process.pid"); pid != "" {
			from += ":" + pid
		}
		all = append(all, call{at, max(0, min(db, 9999)), from, words})
	}
	decoder := json.NewDecoder(in)
	for {
		var export struct {
			ResourceSpans []struct {
				Resource struct {
					Attributes attributes `json:"attributes"`
				} `json:"resource"`
				ScopeSpans []struct {
					Spans []span `json:"spans"`
				} `json:"scopeSpans"`
			} `json:"resourceSpans"`
			span
		}
		err := decoder.Decode(&export)
		if err == io.EOF {
			break
		}
		if err != nil {
			if len(all) > 0 {
				break // the last export is not complete
			}
			return nil, engine.Refuse("this is no JSON of OpenTelemetry: %s", "这不是 OpenTelemetry 的 JSON：%s", err.Error())
		}
		add(&export.span, nil)
		for i := range export.ResourceSpans {
			for j := range export.ResourceSpans[i].ScopeSpans {
				for k := range export.ResourceSpans[i].ScopeSpans[j].Spans {
					add(&export.ResourceSpans[i].ScopeSpans[j].Spans[k], export.ResourceSpans[i].Resource.Attributes)
				}
			}
		}
	}
	if len(all) == 0 {
		return nil, engine.Refuse("these are OpenTelemetry spans without the text of a Redis command (db.query.text or db.statement)", "这些 OpenTelemetry span 里没有 Redis 命令的文本（db.query.text 或 db.statement）")
	}
	slices.SortStableFunc(all, func(a, b call) int { return cmp.Compare(a.at, b.at) })
	var out []byte
	for _, c := range all {
		out = monitorLine(out, c.at, c.db, c.from, c.words)
	}
	return out, nil
}
