package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/engine/testtools"
	"lockstep/web"
)

// The people of a morning, and how many of them sit at a window of Chromium. The others do what its pages do, so that two
// processors hold a class. LOCKSTEP_WINDOWS=15 gives fifteen people a window; twenty-five solve and claim without one.
const (
	attending = 40
	atWindows = 4
)

// A class of forty meets for a morning under one code: a test, three lessons with two polls, an exercise, and the test again. In
// the middle of a vote the server is killed. The presenter goes on by the one button of the strip, and in the end reads what
// came of it, and nobody's name.
func TestAMorningUnderOneCode(t *testing.T) {
	testtools.Exhaustive(t, "forty people meet for a morning")
	testtools.Find(t, browsers...)
	t.Parallel()
	shared := try(chromium()).orFail(t)
	binary, data := built(t), filepath.Join(t.TempDir(), "data")
	server := started(t, binary, nil, "--data", data)
	address := strings.TrimSuffix(strings.TrimPrefix(server.address, "http://"), "/")
	sees := func(width, height int64) *browser {
		b := window(t, shared, address, web.Options{})
		b.sized(width, height)
		b.expects("WebSocket") // the server dies
		b.expects("ERR_")
		return b
	}

	presenter := sees(1280, 800)
	presenter.goTo("/?lang=en")
	presenter.press(`form[action="/rooms"] button`)
	presenter.until(`document.querySelector("#room-box.presenting")`)
	room := value[string](presenter, `document.querySelector("#room-box").dataset.path`)
	wall := sees(1280, 720)
	wall.goTo(room + "/screen?lang=en")

	// Forty join.
	m := &morning{T: t, address: "http://" + address, room: room}
	windows := atWindows
	if n, err := strconv.Atoi(os.Getenv("LOCKSTEP_WINDOWS")); err == nil {
		windows = n
	}
	var phones []*browser
	for range windows {
		phone := sees(360, 640)
		phone.goTo(room + "?lang=zh")
		phone.until(`document.querySelector("#me")?.textContent`)
		phones = append(phones, phone)
	}
	for range attending - windows {
		m.joins()
	}
	wall.mustContain("#screen-bar", "40 here")

	// The playlist of the course is the plan of the morning.
	presenter.press("#room-class > summary")
	presenter.press("#room-playlist > summary")
	presenter.press(`#room-playlist [name="course"] ~ button`)
	presenter.until(`document.querySelectorAll(".plan-item").length === 8`)
	presenter.press("#room-class > summary")
	on := func(kind, title string) {
		t.Helper()
		presenter.until(fmt.Sprintf(`document.querySelector("#strip-on")?.dataset.on === %q && document.querySelector("#strip-on").textContent.includes(%q) && document.querySelector("#timeline.timeline")`, kind, title))
		presenter.is(`document.querySelector("#room-box").dataset.path`, room)
	}
	next := func(kind, title string) {
		t.Helper()
		presenter.press("#room-next")
		on(kind, title)
	}
	lesson := func(title string) { // its page comes in place of the one before
		t.Helper()
		next("lesson", title)
		presenter.until(fmt.Sprintf(`document.querySelector("header")?.textContent.includes(%q) && document.querySelector("#timeline.timeline")`, title))
	}
	next("test", "")
	presenter.press("#test-close")

	// Two lessons, each with its question. Everybody votes, talks and votes again. The server dies while they do.
	for i, title := range []string{"One winner", "The holder that never comes back"} {
		lesson(title)
		next("poll", "")
		wall.until(`document.querySelector("#poll-question")?.textContent`)
		m.vote(func(seat int) int { return seat % 2 })
		for n, phone := range phones {
			phone.press(fmt.Sprintf("#vote-%d", n%2))
			phone.until(`document.querySelector(".choice[aria-pressed=true]")`)
		}
		wall.mustContain(".poll-cast", "40 of 40")
		if i == 1 {
			server.isKilled()
			server = started(t, binary, nil, "--data", data, "--address", address)
			wall.mustContain(".poll-cast", "40 of 40")
			wall.mustContain("#screen-bar", "40 here")
			presenter.until(`document.querySelector("#connection").hidden`)
			for _, phone := range phones {
				phone.until(`document.querySelector(".choice[aria-pressed=true]") && document.querySelector("#connection").hidden`)
			}
		}
		presenter.press("#poll-round")
		presenter.until(`document.querySelector("#strip-on").textContent.includes("Discuss")`)
		presenter.press("#poll-round")
		m.vote(func(seat int) int { return seat % 4 / 3 })
		presenter.press("#poll-reveal")
		wall.until(`document.querySelector(".screen-poll")?.dataset.phase === "revealed"`)
		wall.until(`[...document.querySelectorAll(".screen-poll .poll-why")].some((why) => why.textContent.trim())`)
		presenter.press("#poll-drop")
		on("lesson", title)
	}

	// The third lesson, and an exercise on it. Some solve it, and some claim that it cannot be done.
	lesson("DEL and SETNX")
	next("exercise", "")
	wall.until(`document.querySelector("#exercise-title")`)
	phones[0].until(`document.querySelector("#own-begin:not([hidden])")`)
	phones[0].press("#own-begin")
	phones[0].until(`document.querySelector("#timeline.timeline")`)
	solvers := m.people[:20]
	m.exercise(solvers, []string{"step C1 2", "step C2 2", "step C1 2", "step C2 2"})
	m.claim(m.people[20:25])
	wall.mustContain(".exercise-counts", "26 of 40 have begun", "20 have solved it")
	wall.mustContain(".exercise-claims", "5")
	presenter.press("#room-home")
	next("test", "")

	// The end. The results count, and name nobody.
	names := value[string](presenter, `[...document.querySelectorAll("#room-people .person-name")].map((e) => e.textContent.trim()).join("|")`)
	presenter.press("#room-class > summary")
	presenter.press("#room-end > summary")
	presenter.press(`#room-end input[value="end"] ~ button, #room-end button.danger`)
	presenter.until(`document.querySelector(".room-over")`)
	presenter.goTo(room + "/results?lang=en")
	presenter.until(`document.querySelector("main")?.textContent`)
	text := value[string](presenter, `document.querySelector("main").textContent`)
	for _, name := range strings.Split(names, "|") {
		if _, bare, _ := strings.Cut(name, "· "); bare != "" && strings.Contains(text, bare) {
			t.Errorf("the results name %s", bare)
		}
	}
	var results struct {
		People    int
		Questions []struct {
			Rounds   [][]int
			Revealed bool
		}
		Exercises []struct{ Begun, Solved, WrongClaims int }
	}
	r := value[string](presenter, fmt.Sprintf(`fetch(%q).then((r) => r.text())`, room+"/results.json"))
	must(t, json.Unmarshal([]byte(r), &results))
	if results.People != attending || len(results.Questions) != 2 || len(results.Exercises) != 1 {
		t.Fatalf("the results are %+v", results)
	}
	for i, q := range results.Questions {
		for round, votes := range q.Rounds {
			cast := 0
			for _, n := range votes {
				cast += n
			}
			if want := [2]int{attending, attending - windows}[round]; cast != want || !q.Revealed {
				t.Errorf("question %d has %d votes in round %d, want %d", i+1, cast, round+1, want)
			}
		}
	}
	if e := results.Exercises[0]; e.Begun != 26 || e.Solved != 20 || e.WrongClaims != 5 {
		t.Errorf("of the exercise the results say %+v, want 26 who began, 20 who solved it and 5 wrong claims", e)
	}
}

// A morning is what the people without a window share.
type morning struct {
	*testing.T
	address, room string
	people        []*attendee
}

// An attendee is a person whose page keeps a socket at the run that the room shows, as static/js/room/connection.js does.
type attendee struct {
	client *http.Client
	seat   int
	mu     sync.Mutex
	socket *websocket.Conn
	over   bool
}

func (m *morning) joins() {
	m.Helper()
	a := &attendee{client: newClient(m.T), seat: len(m.people) + atWindows + 1}
	m.post(a, m.room+"/seats", url.Values{})
	r := try(a.client.Get(m.address + m.room)).orFail(m)
	defer r.Body.Close()
	m.people = append(m.people, a)
	go m.follows(a, found(m.T, r, runPath))
	m.Cleanup(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.over = true; a.socket != nil {
			a.socket.Close()
		}
	})
}

// follows keeps a socket at the run of the room, and connects again when it is lost.
func (m *morning) follows(a *attendee, run string) {
	for {
		dialer := websocket.Dialer{Jar: a.client.Jar}
		socket, _, err := dialer.Dial("ws"+strings.TrimPrefix(m.address, "http")+run+"/live?surface=phone", nil)
		a.mu.Lock()
		if a.over {
			a.mu.Unlock()
			return
		}
		a.socket = socket
		a.mu.Unlock()
		for err == nil {
			var told struct{ Type, Run string }
			if err = socket.ReadJSON(&told); err == nil && told.Type == "room" && told.Run != "" && told.Run != run {
				run = told.Run
				break
			}
		}
		if socket != nil {
			socket.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// post sends a form, and sends it again while the server is away or busy.
func (m *morning) post(a *attendee, path string, form url.Values) *http.Response {
	m.Helper()
	var said string
	for range 100 {
		r, err := a.client.PostForm(m.address+path, form)
		if err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusSeeOther {
				return r
			}
			said = r.Status
		} else {
			said = err.Error()
		}
		time.Sleep(50 * time.Millisecond)
	}
	m.Fatalf("%s %v is answered with %s", path, form, said)
	return nil
}

// vote lets everybody without a window vote.
func (m *morning) vote(choice func(seat int) int) {
	m.Helper()
	for i, a := range m.people {
		m.post(a, m.room+"/do", url.Values{"verb": {"vote"}, "choice": {strconv.Itoa(choice(i))}})
	}
}

// own lets somebody begin the exercise, and returns the path of their run.
func (m *morning) own(a *attendee) string {
	m.Helper()
	m.post(a, m.room+"/do", url.Values{"verb": {"own"}})
	r := try(a.client.Get(m.address + m.room)).orFail(m)
	defer r.Body.Close()
	return found(m.T, r, ownPath)
}

func (m *morning) exercise(people []*attendee, actions []string) {
	m.Helper()
	for _, a := range people {
		run := m.own(a)
		for _, action := range actions {
			m.post(a, run+"/actions", url.Values{"action": {action}})
		}
	}
}

// claim lets people say wrongly that the challenge cannot be broken.
func (m *morning) claim(people []*attendee) {
	m.Helper()
	for _, a := range people {
		m.post(a, m.own(a)+"/claims", url.Values{"reason": {"setnx"}})
	}
}

var (
	runPath = regexp.MustCompile(`"run":"(/t/[a-z0-9]{10})"`)
	ownPath = regexp.MustCompile(`id="own"[^>]*href="(/t/[a-z0-9]{10})[^"]*"`)
)

// found returns what a page has at a pattern.
func found(t *testing.T, r *http.Response, at *regexp.Regexp) string {
	t.Helper()
	body := new(strings.Builder)
	must(t, r.Write(body))
	match := at.FindStringSubmatch(body.String())
	if match == nil {
		t.Fatalf("the page has no %s", at)
	}
	return match[1]
}
