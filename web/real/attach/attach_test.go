package attach

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/learn"
	"lockstep/engine/redis"
	"lockstep/engine/testtools"
	"lockstep/web"
	"lockstep/web/store"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// A fake is a process of these tests: a Go function that sends commands. It ends when the function returns.
type fake struct {
	commands chan []string
	replies  chan redis.Reply
	killed   chan struct{}
	ended    chan struct{}
	at       *learn.Arrival
	fault    *lang.Text
	token    string // another in every process
	broken   *atomic.Bool
}

type killed struct{}

// do sends a command and waits for its reply.
func (f *fake) do(words ...string) redis.Reply {
	select {
	case f.commands <- words:
	case <-f.killed:
		panic(killed{})
	}
	select {
	case r := <-f.replies:
		return r
	case <-f.killed:
		panic(killed{})
	}
}

// fakes is a launcher that counts the processes that it has started.
type fakes struct {
	main    func(*fake)
	started atomic.Int64
	broken  atomic.Bool // the front has a bug
}

func (all *fakes) launch(string, int64, int64) (learn.Process, error) {
	f := &fake{commands: make(chan []string), replies: make(chan redis.Reply), killed: make(chan struct{}), ended: make(chan struct{}), broken: &all.broken}
	f.token = "token-" + strconv.FormatInt(7919*all.started.Add(1), 16)
	go func() {
		defer close(f.ended)
		defer func() {
			if r := recover(); r != nil && r != (killed{}) {
				panic(r)
			}
		}()
		all.main(f)
	}()
	return f, nil
}

func (f *fake) Next() learn.Arrival {
	if f.broken.Load() {
		panic("a bug of the front")
	}
	if f.at == nil {
		select {
		case words := <-f.commands:
			f.at = &learn.Arrival{Command: words}
		case <-f.ended:
			f.at = &learn.Arrival{Ended: f.fault == nil, Fault: f.fault}
		}
	}
	return *f.at
}

func (f *fake) Answer(r redis.Reply) { f.at = nil; f.replies <- r }
func (f *fake) Cut()                 { f.at = nil; f.replies <- "" }
func (f *fake) Stale() bool          { return false }
func (f *fake) Kill() {
	select {
	case <-f.killed:
	default:
		close(f.killed)
	}
	<-f.ended
}

// setPxDel takes the lock with a lease and gives it back without looking.
func setPxDel(f *fake) {
	for f.do("SET", "lock.foo", f.token, "NX", "PX", "10000") != "+OK\r\n" {
	}
	f.do("DEL", "lock.foo")
}

// A page is a reader of an attachment.
type page struct {
	*testing.T
	*attachment
	fakes  *fakes
	server *httptest.Server
	client *http.Client
	path   string
}

// attached serves an attachment to fake processes, to a reader who has its address.
func attached(t *testing.T, main func(*fake)) *page {
	t.Helper()
	p := &page{T: t, fakes: &fakes{main: main}}
	var err error
	if p.attachment, err = (&Flags{Clients: 2, Language: lang.English, Command: []string{"python3", "worker.py"}}).open(p.fakes.launch, nil); err != nil {
		t.Fatal(err)
	}
	p.serve()
	return p
}

// serve opens the page, as its reader does.
func (p *page) serve() {
	p.Helper()
	p.server = httptest.NewServer(p.site.Handler())
	p.path = "/t/" + p.run
	jar, _ := cookiejar.New(nil)
	p.client = &http.Client{Jar: jar}
	p.Cleanup(func() {
		p.server.Close()
		p.close()
		p.site.Close()
		p.client.CloseIdleConnections()
	})
	answer, err := p.client.Get(p.url(strings.TrimPrefix(p.server.URL, "http://"), lang.English))
	if err != nil {
		p.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || strings.Contains(answer.Request.URL.String(), p.token) {
		p.Fatalf("the address of the page answers %s at %s", answer.Status, answer.Request.URL)
	}
}

func (p *page) get(path string) string {
	p.Helper()
	answer, err := p.client.Get(p.server.URL + path)
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return string(text)
}

// post sends a form and returns the page that it leads to, and its path.
func (p *page) post(path string, fields ...string) (text, at string) {
	p.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	answer, err := p.client.PostForm(p.server.URL+path, form)
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return string(body), answer.Request.URL.Path
}

// act does actions at the end of the run, as the forms of its page do, and returns the page.
func (p *page) act(lines ...string) (text string) {
	p.Helper()
	for _, line := range lines {
		text, _ = p.post(p.path+"/actions", "action", line)
	}
	return text
}

// flights returns what the clients have in flight, or do, as the page tells it.
func flights(page string) string {
	var all []string
	for _, m := range regexp.MustCompile(`(?s)id="client-(C\d)".*?data-status="(\w+)".*?</form>`).FindAllStringSubmatch(page, -1) {
		what := m[2]
		if flight := regexp.MustCompile(`<code translate="no"[^>]*>([A-Z][^<]*)</code></p>`).FindStringSubmatch(m[0]); flight != nil {
			what = flight[1]
		}
		all = append(all, m[1]+": "+what)
	}
	return strings.Join(all, ", ")
}

// begun is what two clients of setPxDel have in flight at first.
const begun = "C1: SET lock.foo C1-1 NX PX 10000, C2: SET lock.foo C2-1 NX PX 10000"

// comes asks for the page until it is right, and returns it: the page waits for the program for some seconds only.
func (p *page) comes(text string, right func(text string) bool) string {
	p.Helper()
	testtools.Eventually(func() bool {
		if !right(text) {
			text = p.get(p.path)
		}
		return right(text)
	})
	return text
}

// shows returns the page once its clients have that in flight, or do it.
func (p *page) shows(text, want string) string {
	p.Helper()
	text = p.comes(text, func(text string) bool { return flights(text) == want })
	if got := flights(text); got != want {
		p.Errorf("the page shows %s, want %s", got, want)
	}
	return text
}

func wants(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q; it says %s", want, said(text))
		}
	}
}

// said returns what a page says about real programs, and its refusal.
func said(page string) string {
	return strings.Join(regexp.MustCompile(`(?s)id="(?:real|refusal|caption|alerts)".*?</(?:div|p)>`).FindAllString(page, -1), "\n")
}

// A reader steps a real program to a violation. The program runs where its recording ends, and the page finds the next
// command in flight.
func TestAStepRunsTheProgram(t *testing.T) {
	p := attached(t, setPxDel)
	text := p.shows(p.get(p.path), begun)
	wants(t, text, "python3 worker.py", `class="live"`, "“Inside” is a guess")
	for _, step := range []struct{ line, then string }{
		{"step C1", "C1: inside, C2: SET lock.foo C2-1 NX PX 10000"},
		{"step C1", "C1: DEL lock.foo, C2: SET lock.foo C2-1 NX PX 10000"},
		{"tick 11s", "C1: DEL lock.foo, C2: SET lock.foo C2-1 NX PX 10000"},
		{"step C2", "C1: DEL lock.foo, C2: inside"},
		{"step C1", "C1: done, C2: inside"},
	} {
		text = p.shows(p.act(step.line), step.then)
	}
	wants(t, text, "C1 has deleted C2")
	if n := p.fakes.started.Load(); n > 4 {
		t.Errorf("%d processes have run for 3 histories", n)
	}
	wants(t, p.get(p.path+".txt"), `| recorded "python3 worker.py"`, "| SET lock.foo $1 NX PX 10000", "| DEL lock.foo", "| = (integer) 1", "| end")
}

// The tree knows what has been lived through, and a branch goes on where it ends. The first run stays as it was.
func TestABranchRunsTheProgramWhereTheTreeEnds(t *testing.T) {
	p := attached(t, setPxDel)
	p.shows(p.act("step C1", "step C1", "step C1"), "C1: done, C2: SET lock.foo C2-1 NX PX 10000")
	before, started := p.get(p.path+".ndjson"), p.fakes.started.Load()
	wants(t, p.get(p.path+"?step=2"), "SET lock.foo C1-1 NX PX 10000")
	if p.fakes.started.Load() != started {
		t.Error("an undo has run the program")
	}
	first := p.path
	text, at := p.post(p.path+"/actions", "action", "step C2", "at", "3", "past", "1") // C1 is inside
	if at == first {
		t.Fatal("no branch was opened")
	}
	p.path = at
	p.shows(text, "C1: inside, C2: asleep")
	p.shows(p.act("tick 1s"), "C1: inside, C2: SET lock.foo C2-1 NX PX 10000")
	if p.get(first+".ndjson") != before {
		t.Error("the branch has changed the first run")
	}
	wants(t, p.get(at+".txt"), "= (nil)\n|   again 1")
	wants(t, p.get(at+"?beside="+strings.TrimPrefix(first, "/t/")), "worker") // a comparison
}

// A reader's text of the same name is no real program: it ends where its text ends.
func TestAnEditedRecordingRunsNothing(t *testing.T) {
	p := attached(t, setPxDel)
	p.shows(p.get(p.path), begun)
	started := p.fakes.started.Load()
	text, at := p.post(p.path+"/reruns", "from", "worker", "source", "recorded \"python3 worker.py\"\nSETNX lock.foo 1\n")
	if at == p.path {
		t.Fatalf("no branch was opened: %s", said(text))
	}
	p.path = at
	p.act("step C1")
	wants(t, p.act("step C1"), "nobody knows what C1 does next: the recording of its program ends here")
	if strings.Contains(text, `class="live"`) {
		t.Error("the page shows a real program behind the reader's text")
	}
	if p.fakes.started.Load() != started {
		t.Error("the reader's text has run the program")
	}
}

// A scenario from elsewhere names another program, and one with the same title tells something else. Neither runs anything.
func TestAScenarioRunsNothing(t *testing.T) {
	p := attached(t, setPxDel)
	started := p.fakes.started.Load()
	for _, scenario := range []string{
		"define evil\n| recorded \"touch /tmp/evil\"\n| PING\nspawn C1 evil\nstep C1\n",
		"define worker\n| recorded \"python3 worker.py\"\n| PING\nspawn C1 worker\nstep C1\n",
		"define worker\n| recorded \"touch /tmp/evil\"\nspawn C1 worker\n",
	} {
		text, at := p.post("/runs", "scenario", scenario, "step", "end")
		p.path = at
		wants(t, text+p.act("step C1"), "nobody knows what C1 does next")
	}
	if p.fakes.started.Load() != started {
		t.Error("a scenario has run the program")
	}
}

// A program that cannot be learned costs its client the next step, and nothing else. A press runs it again.
func TestAProgramThatFailsIsSaidOnThePage(t *testing.T) {
	var fails atomic.Bool
	fails.Store(true)
	for _, c := range []struct {
		name, says, chinese string
		main                func(*fake)
	}{
		{"fault", "Lockstep cannot learn what C1 does next: it floods its Redis.", "无法得知 C1 接下来做什么：它向 Redis 发送了过多命令。", func(f *fake) {
			f.do("SETNX", "lock.foo", "1")
			if fails.Load() {
				f.fault = &lang.Text{English: "it floods its Redis", Chinese: "它向 Redis 发送了过多命令"}
				return
			}
			f.do("DEL", "lock.foo")
		}},
		{"deviation", "its program is not a function of its replies: after the reply (integer) 1", "它的行为不只取决于收到的回复：在收到回复 (integer) 1 之后", func(f *fake) {
			f.do("SETNX", "lock.foo", "1")
			if fails.Load() {
				f.do("GET", "a", f.token) // the number of words is another one each time
			}
			f.do("DEL", "lock.foo")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fails.Store(true)
			main := c.main
			if c.name == "deviation" {
				var odd atomic.Int64
				main = func(f *fake) {
					f.do("SETNX", "lock.foo", "1")
					if fails.Load() && odd.Add(1)%2 == 0 {
						f.do("GET", "other")
					}
					f.do("DEL", "lock.foo", f.token)
				}
			}
			p := attached(t, main)
			p.act("step C1") // it is inside by a guess, and the program has to run to go on
			text := p.act("step C1")
			text = p.comes(text, func(text string) bool { return strings.Contains(text, c.says) })
			wants(t, text, c.says)
			wants(t, p.get(p.path+"?lang=zh"), c.chinese)
			p.get(p.path + "?lang=en")
			if got := flights(p.act("step C2")); !strings.HasPrefix(got, "C1: ") || !strings.HasSuffix(got, "C2: asleep") && !strings.Contains(got, "C2: ") {
				t.Errorf("the other client: %s", got)
			}
			fails.Store(false)
			p.act("step C1")
			if text = p.act("step C1"); strings.Contains(text, c.says) {
				t.Errorf("the program runs well, and the page says %s", said(text))
			}
		})
	}
}

// A bug while the program runs costs nobody anything but its answer: a press tells it at once, a later one runs the program
// again, and the end of the attachment waits for nothing.
func TestABugEndsNothing(t *testing.T) {
	p := attached(t, setPxDel)
	p.fakes.broken.Store(true)
	wants(t, p.act("step C1", "step C1"), "Lockstep made a mistake while it ran the program")
	p.fakes.broken.Store(false)
	p.act("step C1")
	if got := flights(p.act("step C1")); !strings.HasPrefix(got, "C1: ") || strings.HasPrefix(got, "C1: SET") {
		t.Errorf("after the bug: %s", got)
	}
}

// A server without real programs has the whole run in its log.
func TestTheLogHasTheRecording(t *testing.T) {
	all := &fakes{main: setPxDel}
	s := newSource("worker", "python3 worker.py", all.launch, false, nil)
	defer sources{s.name: s}.close()
	if err := s.learn(explore.Gap{Clock: engine.Start}); err != nil {
		t.Fatal(err)
	}
	run := engine.NewRun(engine.Header{Program: "worker", Own: sources{s.name: s}.all()}, check.All()...)
	for _, name := range []string{"C1", "C2"} {
		if _, err := run.Do(engine.Action{Verb: engine.VerbSpawn, Client: name}); err != nil {
			t.Fatal(err)
		}
	}
	kept := store.Memory(store.Options{})
	live := web.New(web.Options{Learner: sources{s.name: s}, Store: kept})
	defer live.Close()
	id, err := live.Open(run)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := live.Do(id, "step C1"); err != nil {
			t.Fatal(err)
		}
	}
	read := func(s *web.Server) string {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/t/"+id+".txt", nil))
		return w.Body.String()
	}
	testtools.Eventually(func() bool { return strings.Contains(read(live), "= (integer) 1") })
	dead := web.New(web.Options{Store: kept})
	defer dead.Close()
	if a, b := read(live), read(dead); a != b || !strings.Contains(a, "DEL lock.foo") {
		t.Errorf("the log has\n%s\nand the server of the program\n%s", b, a)
	}
}

// Only who has read the address on the terminal gets in: no other page in the same browser, and no name that leads here.
func TestTheTokenLetsIn(t *testing.T) {
	p := attached(t, setPxDel)
	port := p.server.URL[strings.LastIndex(p.server.URL, ":")+1:]
	for _, c := range []struct {
		name, method, path, host, origin string
		cookie                           bool
		status                           int
		says                             string
	}{
		{"with the cookie", "GET", p.path, "", "", true, 200, "worker"},
		{"without it", "GET", p.path, "", "", false, 403, "needs the address that lockstep attach has printed"},
		{"a file without it", "GET", "/static/css/site.css", "", "", false, 403, "needs the address"},
		{"the health without it", "GET", "/healthz", "", "", false, 403, "needs the address"},
		{"a wrong token", "GET", p.path + "?token=" + strings.ToLower(p.token), "", "", false, 403, "needs the address"},
		{"a form without it", "POST", p.path + "/actions?token=" + p.token, "", "", false, 403, "needs the address"},
		{"a name that leads here", "GET", p.path, "evil.example:" + port, "", true, 403, "another site"},
		{"a page elsewhere", "POST", p.path + "/actions", "", "http://evil.example", true, 403, "another site"},
		{"a page at another port", "POST", p.path + "/actions", "", "http://127.0.0.1:1", true, 403, "another site"},
		{"a socket of a page at another port", "GET", p.path + "/live", "", "http://127.0.0.1:1", true, 403, "another site"},
		{"a page of another name at this port", "GET", p.path, "", "http://evil.example:" + port, true, 403, "another site"},
		{"the token by a name that leads here", "GET", p.path + "?token=" + p.token, "evil.example", "", false, 403, "another site"},
		{"a room", "POST", "/rooms", "", "", true, 404, ""},
		{"joining one", "GET", "/join", "", "", true, 404, ""},
	} {
		request, _ := http.NewRequest(c.method, p.server.URL+c.path, nil)
		if request.Host = c.host; c.host == "" {
			request.Host = "127.0.0.1:" + port
		}
		if c.origin != "" {
			request.Header.Set("Origin", c.origin)
		}
		if c.cookie {
			at, _ := url.Parse(p.server.URL)
			for _, cookie := range p.client.Jar.Cookies(at) {
				request.AddCookie(cookie)
			}
		}
		answer, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Transport: p.server.Client().Transport}).Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != c.status || !bytes.Contains(body, []byte(c.says)) {
			t.Errorf("%s: %s, %.120q", c.name, answer.Status, body)
		}
	}
	if body := p.get(p.path); strings.Contains(body, `action="/rooms"`) {
		t.Error("the page offers a room")
	}
}

// A program that somebody starts by hand gets a lane with its first command, and its reply with a step.
func TestAProgramStartedByHand(t *testing.T) {
	p := &page{T: t, fakes: &fakes{}}
	var err error
	if p.attachment, err = (&Flags{Clients: 2, Language: lang.English}).open(nil, nil); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	for i := range p.hand {
		p.waiting.Go(func() { p.await(ctx, i) })
	}
	p.serve()
	t.Cleanup(end)
	wants(t, p.get(p.path), "Nobody has connected yet.", p.hand[0].URL(), p.hand[1].URL())
	conn, err := net.Dial("tcp", p.hand[1].Address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	send := func(line string) { fmt.Fprintf(conn, "%s\r\n", line) }
	shows := func(want string) (text string) {
		t.Helper()
		if !testtools.Eventually(func() bool { text = p.get(p.path); return flights(text) == want }) {
			t.Fatalf("the page shows %s, want %s; it says %s", flights(text), want, said(text))
		}
		return text
	}
	send("SET lock.foo mine NX PX 10000")
	shows("C2: SET lock.foo mine NX PX 10000")
	p.act("step C2")
	if reply, _ := in.ReadString('\n'); reply != "+OK\r\n" {
		t.Errorf("the program has got %q", reply)
	}
	wants(t, shows("C2: inside"), "C2 has its reply. Its program, started by hand, has not sent its next command yet.")
	send("DEL lock.foo")
	testtools.Eventually(func() bool { return flights(p.act("step C2")) != "C2: inside" })
	shows("C2: DEL lock.foo")
	_, branch := p.post(p.path+"/actions", "action", "drop C2", "at", "1", "past", "1")
	p.path = branch
	const again = "was started by hand, and cannot run again from its beginning"
	if !testtools.Eventually(func() bool { return strings.Contains(p.get(p.path), again) }) {
		t.Fatalf("the branch says %s", said(p.get(p.path)))
	}
}

// The address is one of this machine alone, and a program that cannot start is said before anything is served.
func TestFlagsAreRefused(t *testing.T) {
	usual := Flags{Clients: 2, Language: lang.English, Patience: testtools.Patience, Address: "127.0.0.1:0", Command: []string{"/nowhere/worker"}}
	for _, c := range []struct {
		says   string
		change func(*Flags)
	}{
		{"is no address of this machine alone", func(f *Flags) { f.Address = "0.0.0.0:8080" }},
		{"is no address of this machine alone", func(f *Flags) { f.Address = ":8080" }},
		{"is no address of this machine alone", func(f *Flags) { f.Address = "192.0.2.1:80" }},
		{"is no address of this machine alone", func(f *Flags) { f.Address = "evil.example:80" }},
		{"1 to 16", func(f *Flags) { f.Clients = 17 }},
		{"1 to 8", func(f *Flags) { f.Clients, f.Command = 9, nil }},
		{"--patience", func(f *Flags) { f.Patience = 0 }},
		{"cannot start /nowhere/worker", func(f *Flags) {}},
		{"before it has sent a command to the Redis that REDIS_URL names, and says: no such lock", func(f *Flags) { f.Command = []string{"sh", "-c", "echo no such lock >&2; exit 3"} }},
		{"它还没有向 REDIS_URL 所指的 Redis 发送命令就结束了（退出码 3）", func(f *Flags) { f.Language, f.Command = lang.Chinese, []string{"sh", "-c", "exit 3"} }},
	} {
		f := usual
		c.change(&f)
		err := f.Validate()
		if err == nil {
			err = f.Serve(t.Context(), io.Discard)
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", f, err, c.says)
		}
	}
}
