package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/gorilla/websocket"

	"lockstep/engine/testtools"
	"lockstep/web"
)

// badWeather is the Wi-Fi of a full classroom: each packet takes 300 ms, one of twenty is lost, and all share 2 Mbit/s.
var badWeather = testtools.Weather{Delay: 300 * time.Millisecond, Loss: 5, Rate: 2_000_000}

const (
	onPhones  = 29 // beside the phone that is a Chromium
	onLaptops = 10
	onLanes   = 10 // of the phones
	steps     = 14
	stepTime  = 3 * time.Second // in which everybody has seen a step
	presses   = 4               // of each phone that is a client
	choices   = 3               // votes of everybody
	outage    = 5 * time.Second // in which nothing arrives, while all of them press
)

// A radioClass is a room whose participants share a bad radio. The presenter's laptop is the server.
type radioClass struct {
	*testing.T
	radio     *testtools.Radio
	address   string // of the server, over the radio
	desk      string // of the server, on the presenter's laptop
	teacher   *http.Client
	room, run string
	members   []*member
}

// A class of 40 on a radio that delays, loses and has little room: nobody loses a seat, everybody sees each step within
// three seconds, and no press is lost or done twice.
func TestAClassOnBadWiFi(t *testing.T) {
	testtools.Exhaustive(t, "its packets are late")
	testtools.Find(t, browsers...)
	shared := try(chromium()).orFail(t)
	c := &radioClass{T: t, radio: testtools.NewRadio(t, badWeather), teacher: newClient(t)}
	t.Run("shaped by "+c.radio.Shaped, func(t *testing.T) {
		c.T = t
		c.opens()
		c.enters()
		phone := c.browses(shared)
		c.watchesSteps()
		c.votes()
		c.presses(phone)
		c.isAsItWas(phone)
	})
}

// opens opens a room with ten clients.
func (c *radioClass) opens() {
	site := web.New(web.Options{Metrics: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	desk := httptest.NewServer(site.Handler())
	c.desk = desk.URL + "/"
	l := try(c.radio.Listen()).orFail(c)
	c.address = l.Addr().String()
	ctx, end := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- site.Serve(ctx, l, 0) }()
	c.Cleanup(func() {
		for _, m := range c.members {
			m.leaves()
		}
		end()
		if err := <-served; err != nil {
			c.Error(err)
		}
		desk.Close()
	})
	where := c.posts("rooms", url.Values{})
	c.room = regexp.MustCompile(`r/[0-9]{6}`).FindString(where)
	c.run = strings.TrimPrefix(leadsTo(c, try(c.teacher.Get(c.desk+c.room+"/present")).orFail(c)), "/")
	c.posts(c.run+"/actions", url.Values{"action": {"spawn C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 naive"}})
}

// posts sends a form of the presenter's, and returns where it leads.
func (c *radioClass) posts(path string, form url.Values) string {
	c.Helper()
	return leadsTo(c, try(c.teacher.PostForm(c.desk+path, form)).orFail(c))
}

// enters lets everybody but the Chromium scan the code at once, with empty caches.
func (c *radioClass) enters() {
	began := time.Now()
	for range onPhones + onLaptops {
		c.members = append(c.members, &member{radioClass: c, surface: "phone", seen: map[int]time.Time{}, answers: map[string]chan message{}})
	}
	var all sync.WaitGroup
	for i, m := range c.members {
		if i >= onPhones {
			m.surface = "page"
		}
		all.Go(m.joins)
	}
	all.Wait()
	took := time.Since(began)
	for _, m := range c.members {
		if m.seat.Seat == 0 {
			c.Fatalf("somebody on a %s has no seat after %s", m.surface, took)
		}
	}
	c.Logf("%d people have their pages and seats after %s", len(c.members), took.Round(100*time.Millisecond))
	c.posts(c.room+"/do", url.Values{"verb": {"lanes"}, "size": {"1"}})
}

// browses lets a Chromium join as the last phone, through the same radio.
func (c *radioClass) browses(shared context.Context) *browser {
	b := window(c.T, shared, c.address, web.Options{})
	b.network.through(c.radio.Dial)
	b.sized(390, 844, chromedp.EmulateMobile)
	began := time.Now()
	b.goTo("/" + c.room)
	b.until(`document.querySelector("#me")?.textContent && document.querySelector("#lane")`)
	c.Logf("Chromium has its seat after %s", time.Since(began).Round(100*time.Millisecond))
	return b
}

// length returns how many actions the run has.
func (c *radioClass) length() int {
	return strings.Count(get(c.T, c.desk+c.run+".txt", http.StatusOK), "\n")
}

// watchesSteps lets the presenter act every two seconds, and everybody see it. Of 8,000 packets one is lost three times in a
// row, and then comes too late: that may happen once in 200 times, and no more.
func (c *radioClass) watchesSteps() {
	first := c.length()
	began := make([]time.Time, steps)
	for i := range steps {
		began[i] = time.Now()
		c.posts(c.run+"/actions", url.Values{"action": {[2]string{"pause C1", "resume C1"}[i%2]}})
		time.Sleep(time.Until(began[i].Add(2 * time.Second)))
	}
	time.Sleep(2 * stepTime)
	var took []time.Duration
	for _, m := range c.members {
		for i := range steps {
			at := m.saw(first + 1 + i)
			if at.IsZero() {
				c.Errorf("somebody on a %s has not seen step %d", m.surface, i+1)
				continue
			}
			took = append(took, at.Sub(began[i]))
		}
	}
	slices.Sort(took)
	late := len(took) - sort.Search(len(took), func(i int) bool { return took[i] > stepTime })
	c.Logf("a step is seen after %s (half), %s (99 of 100), %s (all)", brief(took[len(took)/2]), brief(took[len(took)*99/100]), brief(took[len(took)-1]))
	if late > len(took)/200 {
		c.Errorf("of %d times %d take longer than %s until a step is seen", len(took), late, stepTime)
	}
}

// brief returns a time in tenths of seconds.
func brief(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }

// everyone does something as each member at once, and waits for all.
func (c *radioClass) everyone(does func(m *member)) {
	var all sync.WaitGroup
	for _, m := range c.members {
		all.Go(func() { does(m) })
	}
	all.Wait()
}

// votes lets everybody vote, and change their minds.
func (c *radioClass) votes() {
	c.posts(c.room+"/do", url.Values{"verb": {"ask"}, "kind": {"predict"}, "client": {"C1"}})
	began := time.Now()
	c.everyone(func(m *member) {
		for range choices {
			time.Sleep(rand.N(2 * time.Second))
			vote := rand.IntN(2)
			if answer := m.asks(map[string]any{"type": "room", "with": map[string]string{"verb": "vote", "choice": fmt.Sprint(vote)}}); answer.Type != "done" {
				m.Errorf("seat %d votes, and is told %+v", m.number(), answer)
			}
			m.voted = vote
		}
	})
	c.Logf("%d votes are acknowledged after %s", choices*len(c.members), brief(time.Since(began)))
	c.everyone(func(m *member) {
		m.eventually("its last vote", func(m *member) bool { return m.seat.Vote == m.voted })
	})
	c.posts(c.room+"/do", url.Values{"verb": {"drop"}})
}

// presses lets each phone that is a client press, while the radio goes silent and comes back.
func (c *radioClass) presses(phone *browser) {
	lane := "C10"
	c.posts(c.room+"/do", url.Values{"verb": {"place"}, "seat": {fmt.Sprint(phone.seat())}, "lane": {lane}})
	phone.until(`document.querySelector("#lane[data-lane=` + lane + `] button[value='step ` + lane + `']")`)
	before := c.length()
	go func() {
		time.Sleep(2 * time.Second)
		c.radio.Becomes(c, testtools.Weather{Delay: badWeather.Delay, Loss: 100, Rate: badWeather.Rate})
		time.Sleep(outage)
		c.radio.Becomes(c, badWeather)
	}()
	// The word stands no longer than the press is on its way.
	value[bool](phone, `(new MutationObserver(() => {
		window.sent ||= [...document.querySelectorAll(".press-says:not([hidden])")].some((says) => says.textContent === "sending…");
	}).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true }), true)`)
	began := time.Now()
	phone.press(`#lane button[value='step ` + lane + `']`)
	phone.until(`window.sent`)
	var acknowledged atomic.Int64
	c.everyone(func(m *member) {
		own := m.lane()
		for n := 0; own != "" && own != lane && n < presses; n++ {
			time.Sleep(rand.N(time.Second))
			m.acts([2]string{"pause ", "resume "}[n%2] + own)
			acknowledged.Add(1)
		}
	})
	took := time.Since(began)
	phone.until(`!document.querySelector(".press-says") && document.querySelector("#connection").hidden`)
	actions := strings.Split(strings.TrimSpace(get(c.T, c.desk+c.run+".txt", http.StatusOK)), "\n")[before:]
	if steps := slices.DeleteFunc(slices.Clone(actions), func(line string) bool { return line != "step "+lane }); len(steps) != 1 {
		c.Errorf("Chromium has pressed Step once, and the run has %d", len(steps))
	}
	same(c, len(actions)-1, int(acknowledged.Load()), "the run has presses")
	for _, m := range c.members {
		for _, a := range m.acted {
			if a.place > 0 && (a.place > before+len(actions) || actions[a.place-1-before] != a.line) {
				c.Errorf("seat %d was told that %s is action %d, and it is not", m.number(), a.line, a.place)
			}
		}
		if own := m.lane(); own != "" && own != lane {
			mine := slices.DeleteFunc(slices.Clone(actions), func(line string) bool { return !strings.HasSuffix(line, " "+own) })
			if len(mine) != presses {
				c.Errorf("%s has pressed %d times, and the run has %q", own, presses, mine)
			}
		}
	}
	c.Logf("%d presses are acknowledged after %s, %s of it without a radio", acknowledged.Load(), brief(took), outage)
}

// seat returns the number of a phone's seat.
func (b *browser) seat() int {
	return value[int](b, `Number(document.querySelector("#phone").dataset.seat)`)
}

// isAsItWas looks at everybody's seat in the end.
func (c *radioClass) isAsItWas(phone *browser) {
	end := c.length()
	lost := 0
	for _, m := range c.members {
		m.eventually("the whole run", func(m *member) bool { return m.at == end })
		m.mu.Lock()
		lost += m.lost
		m.mu.Unlock()
	}
	c.Logf("%d of %d connections were lost", lost, len(c.members))
	if phone.seat() != onPhones+onLaptops+1 {
		c.Errorf("Chromium has seat %d in the end", phone.seat())
	}
	if metrics := get(c.T, c.desk+"metrics", http.StatusOK); !strings.Contains(metrics, "\nlockstep_slow_viewers_total 0\n") {
		c.Error("the server takes somebody for too slow")
	}
}

// A member behaves like static/js/run/socket.js: it reconnects with growing pauses, tells what it has, drops a server that
// owes an answer and is silent, and repeats requests without an answer.
type member struct {
	*radioClass
	surface string
	client  *http.Client
	voted   int     // its last vote
	acted   []acted // what it was told is done

	mu       sync.Mutex
	seat     message         // what it was last told of itself
	conn     *websocket.Conn // nil: none
	over     bool
	epoch    string
	at, has  int // actions and events that it knows
	seen     map[int]time.Time
	owed     []map[string]any // requests without an answer
	answers  map[string]chan message
	asked    int       // requests
	until    time.Time // when the server counts as gone
	lost     int       // connections
	settled  chan struct{}
	finished sync.WaitGroup
}

// Silence after which a page takes the server for gone, as static/js/run/socket.js does.
const (
	owedSilence = 3 * time.Second // while it owes an answer
	anySilence  = 9 * time.Second
)

func openingSilence(attempt int) time.Duration {
	return min(20*time.Second, 5*time.Second*time.Duration(attempt+1))
}

// joins loads the page with its files, takes a seat, and connects.
func (m *member) joins() {
	jar, _ := cookiejar.New(nil)
	m.client = &http.Client{Jar: jar, Timeout: time.Minute, Transport: &http.Transport{DialContext: m.radio.Dial, MaxConnsPerHost: 6},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	page := m.loads("/" + m.room)
	for _, file := range regexp.MustCompile(`(?:href|src)="(/static/[^"]+)"`).FindAllStringSubmatch(page, -1) {
		m.loads(file[1])
	}
	r, err := m.client.PostForm("http://"+m.address+"/"+m.room+"/seats", url.Values{})
	if err != nil {
		m.Error(err)
		return
	}
	r.Body.Close()
	m.loads(r.Header.Get("Location"))
	if m.surface == "page" {
		m.loads("/" + m.run)
	}
	m.settled = make(chan struct{})
	m.finished.Go(m.lives)
	m.finished.Go(m.watches)
	select {
	case <-m.settled:
	case <-time.After(time.Minute):
	}
}

// loads fetches a page or a file, as browsers do.
func (m *member) loads(path string) string {
	r, err := m.client.Get("http://" + m.address + path)
	if err != nil {
		m.Error(err)
		return ""
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		m.Errorf("%s is answered with %s: %v", path, r.Status, err)
	}
	return string(body)
}

// lives keeps the socket open until the member leaves.
func (m *member) lives() {
	for attempt := 0; ; {
		m.mu.Lock()
		over, has := m.over, fmt.Sprintf("&epoch=%s&after=%d&since=%d", m.epoch, m.at, m.has)
		m.mu.Unlock()
		if over {
			return
		}
		until := time.Now().Add(openingSilence(attempt))
		dialer := websocket.Dialer{Jar: m.client.Jar, NetDialContext: m.radio.Dial, HandshakeTimeout: time.Until(until), EnableCompression: true}
		conn, r, err := dialer.Dial("ws://"+m.address+"/"+m.run+"/live?lang=en&beats&surface="+m.surface+has, nil)
		if err == nil {
			r.Body.Close()
			m.connected(conn, until)
			for m.reads(conn, &attempt) {
			}
			_ = conn.Close()
		}
		m.mu.Lock()
		m.conn, over = nil, m.over
		m.lost++
		m.mu.Unlock()
		if over {
			return
		}
		longest := min(10*time.Second, 250*time.Millisecond<<min(attempt, 10))
		time.Sleep(longest/2 + rand.N(longest/2))
		attempt++
	}
}

func (m *member) connected(conn *websocket.Conn, until time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.conn, m.until = conn, until
	if m.over {
		_ = conn.Close()
	}
}

// reads reads one message, and reports whether the socket is still good.
func (m *member) reads(conn *websocket.Conn, attempt *int) bool {
	_, data, err := conn.ReadMessage()
	if err != nil {
		return false
	}
	var told struct {
		message
		Epoch string
		Total int
	}
	if err := json.Unmarshal(data, &told); err != nil {
		m.Error(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	switch told.Type {
	case "hello":
		*attempt = 0
		m.epoch = told.Epoch
		for _, request := range m.owed {
			_ = conn.WriteJSON(request)
		}
		fallthrough
	case "events":
		for n := m.at + 1; n <= told.Actions; n++ {
			m.seen[n] = now
		}
		m.at, m.has = told.Actions, max(m.has, told.Total)
	case "seat":
		was := m.seat
		if m.seat = told.message; was.Seat == 0 {
			close(m.settled)
		} else if told.Seat != was.Seat || told.Name != was.Name || was.Lane != "" && told.Lane != was.Lane {
			m.Errorf("a phone was %+v, and comes back as %+v", was, told.message)
		}
	}
	if answer := m.answers[told.ID]; answer != nil {
		delete(m.answers, told.ID)
		m.owed = slices.DeleteFunc(m.owed, func(q map[string]any) bool { return q["id"] == told.ID })
		answer <- told.message
	}
	m.until = now.Add(anySilence)
	if len(m.owed) > 0 {
		m.until = now.Add(owedSilence)
	}
	return true
}

// watches drops a silent server.
func (m *member) watches() {
	for ; ; time.Sleep(50 * time.Millisecond) {
		m.mu.Lock()
		over := m.over
		if m.conn != nil && time.Now().After(m.until) {
			_ = m.conn.Close()
			m.conn = nil
		}
		m.mu.Unlock()
		if over {
			return
		}
	}
}

// leaves closes the socket for good.
func (m *member) leaves() {
	m.mu.Lock()
	m.over = true
	if m.conn != nil {
		_ = m.conn.Close()
	}
	m.mu.Unlock()
	m.finished.Wait()
	m.client.CloseIdleConnections()
}

// asks sends a request until it has an answer.
func (m *member) asks(request map[string]any) message {
	answer := make(chan message, 1)
	m.mu.Lock()
	m.asked++
	id := fmt.Sprintf("%d-%d", m.seat.Seat, m.asked)
	request["id"] = id
	m.owed, m.answers[id] = append(m.owed, request), answer
	if m.conn != nil {
		_ = m.conn.WriteJSON(request)
		if until := time.Now().Add(owedSilence); until.Before(m.until) {
			m.until = until
		}
	}
	m.mu.Unlock()
	select {
	case told := <-answer:
		return told
	case <-time.After(time.Minute):
		m.Errorf("seat %d has no answer to %v", m.number(), request)
		return message{}
	}
}

// acts does an action of its client, again if somebody else was faster.
func (m *member) acts(line string) {
	for {
		m.mu.Lock()
		at := m.at
		m.mu.Unlock()
		told := m.asks(map[string]any{"type": "act", "at": at, "action": line})
		switch {
		case told.Code == "stale":
			continue
		case told.Type == "events":
			m.acted = append(m.acted, acted{told.Actions, line})
		case told.Type != "done":
			m.Errorf("seat %d does %s, and is told %+v", m.number(), line, told)
		}
		return
	}
}

// eventually waits until something is so.
func (m *member) eventually(what string, so func(m *member) bool) {
	holds := func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		return so(m)
	}
	if !testtools.Eventually(holds) {
		m.Errorf("seat %d is not told %s: %+v at %d", m.number(), what, m.seat, m.at)
	}
}

func (m *member) number() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seat.Seat
}

func (m *member) lane() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seat.Lane
}

func (m *member) saw(n int) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[n]
}
