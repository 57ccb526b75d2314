package web

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
)

// A sketch is a script written by hand.
type sketch struct {
	choices []byte
	pieces  []string
}

func (k *sketch) text() string { return strings.Join(k.pieces, between) }

func (k *sketch) piece(text string) byte {
	if i := slices.Index(k.pieces, text); i >= 0 {
		return byte(i)
	}
	k.pieces = append(k.pieces, text)
	return byte(len(k.pieces) - 1)
}

func (k *sketch) deed(deed, who int, how int, more ...byte) *sketch {
	w := byte(0)
	if how != whole {
		w = byte(231 + how) // see way
	}
	k.choices = append(append(k.choices, byte(deed), byte(who), w), more...)
	return k
}

// asks sends the request of a piece; see script.written.
func (k *sketch) asks(who, how int, request string) *sketch {
	return k.deed(doRequest, who, how, k.piece(request))
}

// gets requests pages.
func (k *sketch) gets(who int, targets ...string) *sketch {
	for _, target := range targets {
		k.asks(who, whole, "GET "+target)
	}
	return k
}

// posts posts a form: lines that begin with & and a name.
func (k *sketch) posts(who int, target, fields string) *sketch {
	return k.asks(who, whole, "POST "+target+"\n\n"+fields)
}

// watches opens a socket of the latest run, on a surface by its number.
func (k *sketch) watches(who int, surface, how byte) *sketch {
	return k.deed(doOpen, who, int(how), 0, 0, surface, 2, 0)
}

// says sends a message on a socket.
func (k *sketch) says(socket byte, message string) *sketch {
	return k.deed(doSay, 0, whole, socket, k.piece(message), 0)
}

// saysSo sends a message in one of the ways of script.frames.
func (k *sketch) saysSo(socket, frames byte, message string, more ...byte) *sketch {
	return k.deed(doSay, 0, whole, append([]byte{socket, k.piece(message), 3, frames}, more...)...)
}

func strangerSeeds(f *testing.F) []*sketch {
	f.Helper()
	all := slices.Concat(findingSeeds(), roomSeeds(), doorSeeds(), wireSeeds(f), lessonSeeds(), knownSeeds(f), chanceSeeds())
	return all[:testtools.InCircle(len(all)/3, len(all), len(all))]
}

// knownSeeds opens every transcript of the engine and looks at it from all sides.
func knownSeeds(f *testing.F) (all []*sketch) {
	files, err := filepath.Glob("../engine/testdata/*.lock")
	if err != nil || len(files) == 0 {
		f.Fatalf("no transcripts: %v", err)
	}
	sides := []string{"/t/{run}", "/t/{run}?lang=zh&step=3", "/t/{run}.html", "/t/{run}.ndjson", "/t/{run}.go", "/t/{run}/ahead?at=2"}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "#>") {
				lines = append(lines, line)
			}
		}
		k := &sketch{}
		k.deed(doText, i%3, whole, k.piece(strings.Join(lines, "")), 0).gets(i%3, sides[i%len(sides)])
		if i%4 == 0 {
			k.posts(i%3, "/t/{run}/reruns", "&program="+program.Names()[i%len(program.Names())]).gets(1, "/t/{run}?beside={run0}")
		}
		all = append(all, k)
	}
	return all
}

// lessonSeeds goes through a lesson, breaks its lock and fixes it.
func lessonSeeds() (all []*sketch) {
	for _, lesson := range course.Builtin().Lessons[:3] {
		path := "/courses/redis-lock/" + lesson.Name
		k := (&sketch{}).gets(0, path, path+"/handout?lang=zh").posts(0, path, "&moment=").
			gets(0, path+"?done=7").gets(1, "/t/draftdraft.txt?begin=redis-lock/"+lesson.Name+"&done=3").posts(1, "/t/draftdraft/lesson?begin=redis-lock/"+lesson.Name+"&done=3", "").posts(0, "/t/{run}/lesson", "&guess=x").posts(0, "/t/{run}/lesson", "&past=1&at=1")
		if len(lesson.Challenges) > 0 {
			k.posts(1, path+"/"+lesson.Challenges[0].Name, "&source=def acquire(c):\n    return True\ndef release(c, lease):\n    pass\n")
		}
		all = append(all, k)
	}
	return all
}

// wireSeeds sends the samples of PROTOCOL.md, and texts that are no message.
func wireSeeds(f *testing.F) []*sketch {
	k := (&sketch{}).posts(0, "/runs", "&scenario=spawn C1 naive").watches(0, 0, whole).watches(1, 2, whole)
	for _, name := range []string{"act", "look", "schedule", "branch", "rerun", "restore", "vote"} {
		text, err := os.ReadFile(filepath.Join("testdata", "protocol", name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		k.says(0, string(text))
	}
	odd := (&sketch{}).posts(1, "/runs", "&scenario=spawn C1 naive").watches(1, 0, whole).
		says(0, "{").says(0, `{"type":"fly"}`).says(0, `{"type":"act","at":1,"action":"\u0000"}`).
		saysSo(0, 0, `{"type":"look","id":"a","at":0}`).saysSo(0, 1, `{"type":"look","id":"b","at":1}`).saysSo(0, 2, "{}").saysSo(0, 3, "{")
	huge := (&sketch{}).watches(2, 0, whole).saysSo(0, 5, "", 2)
	return []*sketch{k, odd, huge}
}

// roomSeeds returns classes.
func roomSeeds() []*sketch {
	return []*sketch{
		(&sketch{}).posts(0, "/rooms", "").gets(0, "/r/{room}/present").posts(0, "/t/{run}/actions", "&action=spawn C1 C2 naive").posts(1, "/r/{room}/seats", "&text=Ann").
			posts(0, "/r/{room}/do", "&verb=lanes\n&size=1").watches(1, 2, whole).says(0, `{"type":"act","id":"a","at":2,"action":"step C1"}`).
			posts(0, "/r/{room}/do", "&verb=ask\n&kind=predict\n&client=C2").says(0, `{"type":"room","id":"v","with":{"verb":"vote","choice":"0"}}`).
			posts(0, "/r/{room}/do", "&verb=reveal").gets(1, "/r/{room}?lang=zh").posts(0, "/r/{room}/do", "&verb=end"),
		(&sketch{}).posts(0, "/rooms", "").posts(1, "/r/{room}/seats", "").posts(0, "/r/{room}/do", "&verb=challenge\n&task={task}").posts(1, "/r/{room}/do", "&verb=own").
			posts(0, "/r/{room}/do", "&verb=show\n&seat=1").gets(0, "/r/{room}/wall", "/r/{room}/screen").posts(0, "/r/{room}/remotes", "").gets(2, "/r/{room}/remote?pair={pair}").
			posts(2, "/r/{room}/remote", "&pair={pair}").posts(0, "/r/{room}/do", "&verb=revoke").posts(0, "/r/{room}/do", "&verb=remove\n&seat=1"),
	}
}

// Programs and scenarios of the findings.
var (
	eightKB = "def acquire(c):\n    return True\ndef release(c, lease):\n    pass\n"
	skewed  = "program patient timeout=24h\n" + strings.NewReplacer("define ponder", "define patient", "return True\n", "return True if c.setnx(\"k\", 1) else None\n").Replace(testtools.Ponder) +
		"spawn C1 skew=1ms\nspawn C2 skew=8ms\nspawn C3 skew=15ms\nspawn C4 skew=22ms\nspawn C5 skew=29ms\nspawn C6 skew=36ms\nspawn C7 skew=43ms\nspawn C8 skew=50ms\n" +
		"step C1\ncrash C1\n"
)

// findingSeeds returns the attacks that once succeeded, as far as they need requests alone.
func findingSeeds() []*sketch {
	largest := eightKB + "#" + strings.Repeat("x", 8192-len(eightKB)-1)
	full := strings.Repeat("do A1 GET lock.foo\n", 1249)
	return []*sketch{
		// A tick of a day in which a client changes its mind each second.
		(&sketch{}).posts(0, "/runs", "&scenario="+testtools.Flip+"spawn C1 flip\ntick 24h\n").posts(1, "/runs", "&scenario="+testtools.Flip+"spawn C1 flip\ntick 1h\n").gets(1, "/t/{run}"),
		// A deadlock that is slow to find, in a text and action by action.
		(&sketch{}).posts(0, "/runs", "&scenario="+skewed+"tick 1s\nstep C2\n").posts(0, "/t/{run}/actions", "&action=step C3").posts(0, "/t/{run}/actions", "&action=tick 1s").gets(1, "/t/{run}/ahead?property=stuck"),
		(&sketch{}).asks(1, unawaited, "POST /runs\n\n&scenario="+skewed+strings.Repeat("tick 1s\nstep C2\nstep C3\n", 3)),
		// Random schedules on sockets that close.
		(&sketch{}).deed(doExplore, 0, whole, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0).deed(doExplore, 1, whole, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1).
			deed(doExplore, 1, whole, 0, 0, 0, 0, 0, 0, 0, 1).deed(doExplore, 2, whole, 0, 1, 0, 0, 0, 0, 1, 1),
		// Answers that nobody reads.
		(&sketch{}).posts(0, "/runs", "&scenario="+full).asks(0, deaf, "GET /t/{run}").asks(0, deaf, "GET /t/{run}.json").asks(1, deaf, "GET /t/{run}.html").asks(2, deaf, "GET /t/{run}.ndjson").gets(0, "/help", "/t/{run}.txt"),
		// The longest texts that parse: a run, and a program of the most bytes.
		(&sketch{}).posts(0, "/runs", "&scenario="+strings.Repeat("note \""+strings.Repeat("\u00a0", 150)+"\"\n", 280)).posts(0, "/t/{run}/actions", "&action=note \"x\"").posts(0, "/t/{run}/forks", "").posts(1, "/rooms", "&run={run}"),
		(&sketch{}).posts(0, "/runs", "&scenario=spawn C1 naive\nstep C1\n").posts(0, "/t/{run}/reruns", "&from=naive\n&source="+largest).posts(0, "/t/{run}/forks", "").gets(1, "/t/{run}.txt"),
		// Forms and messages that are never complete.
		(&sketch{}).asks(0, unfinished, "POST /runs\n\n&scenario=# "+strings.Repeat("x", 100_000)).asks(0, unfinished, "POST /runs\n\n&scenario=# "+strings.Repeat("x", 90_000)).asks(0, whole, "POST /runs\n\n&scenario=# "+strings.Repeat("x", 200_000)).
			watches(1, 0, whole).saysSo(0, 3, strings.Repeat("x", 90_000)),
		// Sockets of runs that have not begun.
		(&sketch{}).watches(0, 0, deaf).deed(doOpen, 0, deaf, 7, 0, 0, 2, 0).deed(doOpen, 1, deaf, 7, 0, 1, 2, 0).deed(doOpen, 2, whole, 7, 0, 2, 2, 0),
		// Wrong codes, and then the right one.
		(&sketch{}).posts(0, "/rooms", "").gets(1, "/r/000001", "/r/000002", "/r/000003/screen").gets(1, "/r/{room}"),
		// One person who takes seats and votes.
		(&sketch{}).posts(0, "/rooms", "").posts(1, "/r/{room}/seats", "").posts(1, "/r/{room}/seats", "").asks(1, twice, "POST /r/{room}/seats\nCookie:\n").posts(1, "/r/{room}/do", "&verb=vote\n&choice=0").posts(1, "/r/{room}/do", "&verb=name\n&text=\u202e"),
		// As much text as there may be, and more.
		(&sketch{}).posts(0, "/runs", "&scenario=# "+strings.Repeat("x", 250_000)),
		// Cookies that nobody has given out.
		(&sketch{}).asks(0, whole, "GET /explore?run=search&clients=2&ticks=2\nCookie: visitor=aaaaaaaaaa.aaaaaaaaaaaaaaaa; visitor=x; lang=zh").asks(0, whole, "GET /\nCookie: visitor=aaaaaaaaaa"),
		// A host that is made up.
		(&sketch{}).posts(0, "/rooms", "").asks(1, whole, "GET /r/{room}/screen\nHost: evil.example").asks(0, whole, "GET /r/{room}/screen?lang=zh\nHost: [::1]:99999").asks(1, whole, "GET /metrics\nHost: evil.example").gets(0, "/healthz"),
	}
}

// doorSeeds requests every route, and sends bytes that are no HTTP.
func doorSeeds() (all []*sketch) {
	k := &sketch{}
	for i := range 60 {
		if i%mostDeeds == 0 {
			k = &sketch{}
			all = append(all, k)
		}
		k.deed([]int{doGet, doPost}[i%2], i%3, whole, 0, byte(i), 0, byte(i/2), 0, 0, 0, 0, 0, 0)
	}
	raw := &sketch{}
	for _, bytes := range []string{"GET / HTTP/1.1\r\n\r\n", "GET /t/{run} HTTP/1.0\r\n\r\n", "\x16\x03\x01", "POST /runs HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"POST /runs HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 3\r\n\r\n--x"} {
		raw.deed(doBytes, 0, whole, raw.piece(bytes))
	}
	return append(all, raw)
}

// chanceSeeds returns random bytes.
func chanceSeeds() (all []*sketch) {
	chance := rand.New(rand.NewPCG(13, 9))
	for range 24 {
		k := &sketch{choices: make([]byte, 300), pieces: []string{"spawn C1 naive\nstep C1\n", "step C1", eightKB, `{"type":"act","id":"x","at":0,"action":"spawn C1 naive"}`, "锁"}}
		for i := range k.choices {
			k.choices[i] = byte(chance.Uint32())
		}
		all = append(all, k)
	}
	return all
}
