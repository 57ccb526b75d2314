package web

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine/course"
	"lockstep/web/live"
	"lockstep/web/room"
)

// A script is the deeds of up to three strangers to one server, decoded from bytes. Each byte of choices decides
// something, and the strangers send the pieces of text as they are. Any bytes are a script. A changed byte changes one
// thing in it, so a fuzzer makes progress.
type script struct {
	choices []byte
	pieces  []string
	people  []*stranger
	sockets []*openSocket
	held    []*connection // that nobody reads or completes
	runs    []string      // ids that the strangers have learned
	rooms   []string      // codes
	pairs   []string      // secrets of links that make a device a remote
	doors   []route

	searches bool // the explorer is asked
}

// Bounds on a script, so that it takes a moment.
const (
	mostDeeds   = 12
	mostChoices = 600     // bytes
	mostRaw     = 300_000 // bytes of text
	mostPieces  = 12
)

// between stands on a line of its own between two pieces of text.
const between = "\n%%\n"

func readScript(choices []byte, text string, doors []route) *script {
	text = text[:min(len(text), mostRaw)]
	return &script{choices: choices[:min(len(choices), mostChoices)], pieces: strings.SplitN(text, between, mostPieces), doors: doors}
}

// byte returns the next choice, or 0 after the last.
func (s *script) byte() byte {
	if len(s.choices) == 0 {
		return 0
	}
	b := s.choices[0]
	s.choices = s.choices[1:]
	return b
}

func (s *script) below(n int) int { return int(s.byte()) % n }

func (s *script) one(of ...string) string { return of[s.below(len(of))] }

// seldom is true for one choice in so many, and never after the last.
func (s *script) seldom(in int) bool { return s.below(in) == in-1 }

func (s *script) piece() string { return s.pieces[s.below(len(s.pieces))] }

// The deeds of a stranger. The first byte of a deed is one of these, the second names the stranger and the third the way.
const (
	doRequest = iota // a request as a piece of text has it
	doText           // POST /runs with a piece
	doForm           // a form, mostly with fields of its own
	doOpen           // a socket
	doSay            // a piece on a socket
	doMessage        // an invented message, on a socket
	doGet            // a page, at any position
	doPost           // any fields to any route
	doExplore        // a question to the explorer, as a page or on its socket
	doBytes          // a piece instead of HTTP
	doLeave          // the end of a socket
	deeds
)

// The ways to send a request.
const (
	whole      = iota // and its answer is read
	twice             // and once more at the same time
	cutOff            // the stranger hangs up in the middle of it
	unawaited         // the stranger hangs up when it is sent
	halfRead          // the stranger hangs up in the middle of the answer
	unfinished        // the rest never comes
	deaf              // nobody ever reads the answer
	ways
)

// run does every deed. The returned error names the wrong answer.
func (s *script) run() error {
	for n := 0; n < mostDeeds && len(s.choices) > 0; n++ {
		deed, who, how := s.below(deeds), s.people[s.below(len(s.people))], way(s.byte())
		used, counted := processorTime(), who.exposed.work.all()
		err := s.do(deed, who, how)
		if err == nil {
			err = who.exposed.bounds()
		}
		used, counted = processorTime()-used, who.exposed.work.all()-counted
		most := mostUncounted
		if s.searches {
			most, s.searches = mostSearch, false
		}
		if err == nil && used > most+time.Duration(counted)*unitTime {
			err = fmt.Errorf("it took %s of the processor, and %d units of work are counted", used, counted)
		}
		if err != nil {
			return fmt.Errorf("deed %d: %w", n+1, err)
		}
	}
	return nil
}

// way is mostly whole.
func way(b byte) int {
	if b < 256-4*ways {
		return whole
	}
	return int(b) % ways
}

func (s *script) do(deed int, who *stranger, how int) error {
	switch deed {
	case doRequest:
		return s.send(who, how, s.written(s.piece()))
	case doText:
		return s.send(who, how, post("/runs", "scenario", s.times(s.piece())))
	case doForm:
		f := forms[s.below(len(forms))]
		return s.send(who, how, post(s.named(s.filled(f.pattern))+s.query(), s.fieldsOf(f.fields, f.most)...))
	case doOpen:
		return s.open(who, how)
	case doSay, doMessage:
		return s.say(deed)
	case doGet:
		return s.send(who, how, httpRequest{Method: s.one("GET", "GET", "GET", "HEAD"), Target: s.path("GET") + s.query()})
	case doPost:
		return s.send(who, how, post(s.path("POST")+s.query(), s.fieldsOf(fieldNames, 8)...))
	case doExplore:
		return s.explore(who, how)
	case doBytes:
		return who.sendBytes([]byte(s.named(s.piece())), how, s)
	case doLeave:
		if len(s.sockets) > 0 {
			i := s.below(len(s.sockets))
			s.sockets[i].end()
			s.sockets = slices.Delete(s.sockets, i, i+1)
		}
	}
	return nil
}

// post returns a form with these fields. It leaves out those without a value.
func post(target string, pairs ...string) httpRequest {
	fields := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fields.Add(pairs[i], pairs[i+1])
		}
	}
	return httpRequest{Method: "POST", Target: target, Headers: [][2]string{{"Content-Type", "application/x-www-form-urlencoded"}}, Body: fields.Encode()}
}

// written returns the request that a piece contains: a line with method and target, lines with headers, an empty line,
// and the fields of the form, each on a line that begins with &, its name and =. Otherwise the rest is sent as it is.
func (s *script) written(piece string) httpRequest {
	head, body, _ := strings.Cut(s.named(piece), "\n\n")
	first, headers, _ := strings.Cut(head, "\n")
	q := httpRequest{Headers: [][2]string{}, Body: body}
	q.Method, q.Target, _ = strings.Cut(first, " ")
	for line := range strings.Lines(headers) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		q.Headers = append(q.Headers, [2]string{name, strings.TrimSpace(value)})
	}
	if strings.HasPrefix(body, "&") {
		var pairs []string
		for field := range strings.SplitSeq(body[1:], "\n&") {
			name, value, _ := strings.Cut(field, "=")
			pairs = append(pairs, name, value)
		}
		form := post(q.Target, pairs...)
		q.Headers, q.Body = append(form.Headers, q.Headers...), form.Body
	}
	return q
}

// named fills in the names that the strangers have learned: {run} and {room} are the latest, {run0} and {room0} the
// first. {fresh} is an unused run.
func (s *script) named(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	pairs := []string{"{fresh}", live.NewID(), "{task}", "redis-lock/race/break"}
	for name, all := range map[string][]string{"run": s.runs, "room": s.rooms, "pair": s.pairs} {
		for i, value := range all {
			pairs = append(pairs, "{"+name+strconv.Itoa(i)+"}", value)
		}
		if len(all) > 0 {
			pairs = append(pairs, "{"+name+"}", all[len(all)-1])
		} else {
			pairs = append(pairs, "{"+name+"}", map[string]string{"run": live.NewID(), "room": "000000", "pair": "x"}[name])
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// runID mostly names an existing run.
func (s *script) runID() string {
	n := s.below(8)
	if len(s.runs) == 0 || n == 7 {
		id := live.NewID()
		s.runs = append(s.runs, id)
		return id
	}
	return s.runs[max(0, len(s.runs)-1-n)]
}

func (s *script) roomCode() string {
	n := s.below(8)
	if len(s.rooms) == 0 || n == 7 {
		return s.one("000000", "12345", "999999", "1234567", "482 913")
	}
	return s.rooms[max(0, len(s.rooms)-1-n)]
}

// learn takes the names from an answer or a message.
func (s *script) learn(text string) {
	add := func(to *[]string, found string) {
		if found != "" && !slices.Contains(*to, found) {
			*to = append(*to, found)
		}
	}
	for _, path := range namedRun.FindAllStringSubmatch(text, 3) {
		add(&s.runs, path[1])
	}
	for _, path := range namedRoom.FindAllStringSubmatch(text, 3) {
		add(&s.rooms, path[1])
	}
	for _, path := range namedPair.FindAllStringSubmatch(text, 1) {
		add(&s.pairs, path[1])
	}
}

// path returns the path of any route for a method, with its names filled in.
func (s *script) path(method string) string {
	var some []route
	for _, d := range s.doors {
		if d.method == method {
			some = append(some, d)
		}
	}
	return s.filled(some[s.below(len(some))].pattern)
}

// filled fills the names into a route's pattern.
func (s *script) filled(pattern string) string {
	taught := course.Builtin()
	lesson := taught.Lessons[s.below(len(taught.Lessons))]
	challenge := s.one("break", "nothing", "..", "%2e%2e", "a/b", "锁")
	if len(lesson.Challenges) > 0 && !s.seldom(4) {
		challenge = lesson.Challenges[0].Name
	}
	return doorName.ReplaceAllStringFunc(pattern, func(name string) string {
		switch {
		case strings.HasPrefix(name, "{id"):
			return s.runID()
		case strings.HasPrefix(name, "{code"):
			return s.roomCode()
		case name == "{course}":
			return s.one("redis-lock", "redis-lock", "redis-lock", "nothing")
		case name == "{lesson}":
			return lesson.Name
		case name == "{challenge}":
			return challenge
		}
		return s.one("js/run/page.js", "css/site.css", "", "js/trace/log.test.js", "../../go.mod", "%00", "x/js/run/page.js")
	})
}

// query is mostly empty.
func (s *script) query() string {
	q := url.Values{}
	for range s.below(4) {
		name := s.one("lang", "step", "beside", "omitted", "guess", "show", "run", "program", "at", "property", "code", "pair", "surface", "since", "epoch", "theme", "mode", "scale", "source", "own")
		q.Add(name, s.value(name))
	}
	switch {
	case s.seldom(20):
		return "?" + s.one("%zz", "a;b", "lang=zh&lang=en", "=", "&&&", "lang")
	case len(q) == 0:
		return ""
	}
	return "?" + q.Encode()
}

// value returns a value that a field of that name may have, or any other.
func (s *script) value(name string) string {
	if s.seldom(12) {
		return s.odd()
	}
	switch name {
	case "lang":
		return s.one("en", "zh", "fr", "")
	case "step", "at", "since", "omitted", "size", "seat", "choice":
		return s.position()
	case "beside", "run", "epoch":
		return s.runID()
	case "property":
		return s.one("mutual-exclusion", "stuck", "stale-write", "none", "nothing")
	case "code":
		return s.roomCode()
	case "pair":
		return s.named("{pair}")
	case "surface":
		return s.one("page", "screen", "phone", "remote", "wall", "made-up")
	case "program", "from":
		return s.programName()
	case "source":
		return s.program()
	case "scenario":
		return s.scenario()
	case "task":
		return s.one("redis-lock/race", "redis-lock/race/break", "redis-lock", "a/b/c/d", "")
	case "action":
		return s.action()
	case "lane", "client":
		return s.client()
	case "verb":
		return s.verb()
	case "moment":
		if moments := course.Builtin().Lessons[s.below(len(course.Builtin().Lessons))].Moments; len(moments) > 0 {
			return moments[s.below(len(moments))].Name
		}
		return ""
	case "kind":
		return s.one("predict", "network", "guess")
	case "on", "free", "past", "own":
		return s.one("on", "")
	case "back":
		return s.one("/", "/help", "//evil.example", `/\evil.example`, "javascript:alert(1)", "/r/"+s.roomCode())
	}
	return s.odd()
}

var fieldNames = []string{
	"scenario", "step", "program", "action", "at", "past", "command", "timeout", "retry", "acquire_timeout", "skew", "blocking", "from", "source",
	"guess", "back", "moment", "run", "verb", "choice", "text", "roster", "seat", "on", "size", "lane", "kind", "client", "task", "free", "pair",
	"theme", "mode", "scale", "speed", "sound", "speak", "letters", "property", "clients", "ticks", "crashes", "delays", "nodes", "node-crashes", "restart-delay", "skew-C1", "own", "causes",
}

// forms are those of the site's pages, with the most fields that one has. A form that strangers often send is there twice.
var forms = []struct {
	pattern string
	most    int
	fields  []string
}{
	{"/runs", 3, []string{"scenario", "scenario", "step", "program"}},
	{"/t/{id}/actions", 2, []string{"action"}}, {"/t/{id}/actions", 4, []string{"action", "action", "at", "past", "command", "program", "timeout", "skew", "blocking", "back"}},
	{"/t/{id}/reruns", 4, []string{"at", "from", "program", "source"}}, {"/t/{id}/lesson", 3, []string{"at", "past", "guess"}}, {"/t/{id}/claims", 1, []string{"at"}},
	{"/rooms", 2, []string{"run", "at"}}, {"/r/{code}/seats", 2, []string{"text", "roster"}}, {"/r/{code}/remotes", 1, []string{"text"}}, {"/r/{code}/remote", 2, []string{"pair"}},
	{"/r/{code}/do", 3, roomFields}, {"/r/{code}/do", 5, roomFields},
	{"/courses/{course}/{lesson}", 2, []string{"moment"}}, {"/courses/{course}/{lesson}/{challenge}", 2, []string{"source"}},
}

// roomFields has the verb more often, as nothing happens without.
var roomFields = []string{"verb", "verb", "verb", "choice", "text", "roster", "seat", "on", "at", "size", "lane", "kind", "client", "task", "free"}

// fieldsOf returns fewer than so many fields, and one at least if a byte is left.
func (s *script) fieldsOf(names []string, most int) (pairs []string) {
	for range 1 + s.below(most) {
		name := names[s.below(len(names))]
		pairs = append(pairs, name, s.value(name))
	}
	return pairs
}

func (s *script) verb() string {
	verbs := append(room.Verbs(), "shout", "")
	return string(verbs[s.below(len(verbs))])
}
