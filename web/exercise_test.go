package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lockstep/web/class"
	"lockstep/web/room"
)

// A copy counts its owner's actions alone, not those before they got it. A branch of it takes its place.
func TestASandboxCountsFromItsBeginning(t *testing.T) {
	s := newSite(t, Options{})
	teacher := s.person()
	// C2 has deleted C1's lock already.
	room, run := teacher.opens("spawn C3 del-setnx timeout=10s", "step C3", "crash C3", "tick 12s", "spawn C1 C2 del-setnx timeout=10s",
		"step C1", "step C1", "step C2", "step C2", "step C1", "step C1", "step C2")
	ann := s.joins(room)
	teacher.does(room, "fork").wants(t, http.StatusSeeOther)
	ann.does(room, "own").wants(t, http.StatusSeeOther)
	teacher.watches(run, "wall")
	wall := func() (state, actions, path string) {
		t.Helper()
		page := teacher.send("GET", room+"/wall", nil).body
		tile := regexp.MustCompile(`data-state="(\w*)" data-seat="1" data-actions="(\d+)" data-path="([^"]+)"`).FindStringSubmatch(page)
		if tile == nil {
			t.Fatalf("the wall has no tile:\n%s", page)
		}
		return tile[1], tile[2], tile[3]
	}
	becomes := func(state, actions string) (path string) {
		t.Helper()
		until(t, "the wall says "+state+", "+actions, func() bool {
			isState, isActions, isPath := wall()
			path = isPath
			return isState == state && isActions == actions
		})
		return path
	}
	own := becomes("new", "0")
	ann.send("POST", own+"/actions", url.Values{"action": {"tick 1s"}}).wants(t, http.StatusSeeOther)
	becomes("safe", "1")
	ann.send("POST", own+"/actions", url.Values{"action": {"step C2"}}).wants(t, http.StatusSeeOther)
	becomes("broken", "2")

	// Ann goes back to before that, and lets C1 leave.
	branch := ann.send("POST", own+"/actions", url.Values{"at": {"14"}, "past": {"14"}, "action": {"step C1"}}).Header.Get("Location")
	if branch == "" || strings.HasPrefix(branch, own) {
		t.Fatalf("to act in the past leads to %q", branch)
	}
	if path := becomes("safe", "2"); !strings.HasPrefix(branch, path) {
		t.Errorf("the wall has %s, and Ann is at %s", path, branch)
	}
}

// The server forgets an empty room. Its log records that Ann has begun again, after she went back to the start.
func TestAForgottenRoomKnowsWhoHasBegun(t *testing.T) {
	s := newSite(t, Options{MaxRooms: 1})
	teacher := s.person()
	path, _ := teacher.opens("spawn C1 naive")
	ann := s.joins(path)
	teacher.does(path, "fork").wants(t, http.StatusSeeOther)
	ann.does(path, "own").wants(t, http.StatusSeeOther)
	says := func(state string) (own string) {
		t.Helper()
		until(t, "the wall says "+state, func() bool {
			tile := regexp.MustCompile(`data-state="` + state + `" data-seat="1" data-actions="\d+" data-path="([^"]+)"`).FindStringSubmatch(teacher.send("GET", path+"/wall", nil).body)
			own = strings.Join(tile[min(1, len(tile)):], "")
			return own != ""
		})
		return own
	}
	entries := func() int { return askRoom(s, path, (*room.Room).Len) }
	own, before := says("new"), entries()
	ann.send("POST", own+"/actions", url.Values{"at": {"0"}, "past": {"1"}, "action": {"spawn C5 naive"}}).wants(t, http.StatusSeeOther)
	until(t, "the room has her new run and its mark", func() bool { return entries() == before+2 })
	ann.send("POST", says("new")+"/actions", url.Values{"action": {"step C5"}}).wants(t, http.StatusSeeOther)
	says("safe")
	until(t, "the room is forgotten", func() bool {
		_, _, err := s.server.Rooms.Use(context.Background(), "999999") // its place goes to this room
		return errors.Is(err, class.ErrNoRoom)
	})
	says("safe")
}

// A wrong claim that nobody can break the lock counts on the wall, where nothing is done otherwise. The page of somebody's own run keeps
// the way that the search has found: everybody looks for one. A claim that the presenter tries in a sandbox is not its owner's.
func TestAWrongClaimCountsInTheRoom(t *testing.T) {
	s := newSite(t, Options{})
	teacher := s.person()
	path, _ := teacher.opens("spawn C1 naive")
	ann, ben := s.joins(path), s.joins(path)
	teacher.does(path, "challenge", "task", "redis-lock/race/break").wants(t, http.StatusSeeOther)
	own := map[*person]string{}
	for i, p := range []*person{ann, ben} {
		p.does(path, "own").wants(t, http.StatusSeeOther)
		tile := regexp.MustCompile(`data-seat="` + strconv.Itoa(i+1) + `" data-actions="\d+" data-path="([^"]+)"`).FindStringSubmatch(teacher.send("GET", path+"/wall", nil).body)
		own[p] = tile[1]
	}
	claim := func(p *person, run, reason string) answer {
		return p.send("POST", run+"/claims", url.Values{"reason": {reason}})
	}
	claims := func() int { return askRoom(s, path, (*room.Room).Claims) }
	claim(ben, own[ben], "not-sure").wants(t, http.StatusSeeOther)
	if n := claims(); n != 0 {
		t.Errorf("somebody who lets the search decide has claimed nothing, and %d claims count", n)
	}
	claim(ann, own[ann], "").wants(t, http.StatusSeeOther)
	claim(ann, own[ann], "").wants(t, http.StatusSeeOther) // the same once more
	if n := claims(); n != 1 {
		t.Errorf("%d claims count, not one", n)
	}
	teacher.send("GET", path+"/wall?lang=en", nil).wants(t, http.StatusOK, `data-state="claimed" data-seat="1"`, "Wrong claim", `data-state="new" data-seat="2"`)
	teacher.send("GET", path+"/wall?lang=zh", nil).wants(t, http.StatusOK, "误判为攻不破")
	page := ann.send("GET", own[ann]+"?lang=en", nil)
	page.wants(t, http.StatusOK, "the search has found a way. Find one yourself.")
	page.lacks(t, "Look at a shortest way")
	teacher.does(path, "show", "seat", "2").wants(t, http.StatusSeeOther)
	claim(teacher, own[ben], "").wants(t, http.StatusSeeOther)
	if n := claims(); n != 1 {
		t.Errorf("the presenter has tried the claim in a sandbox, and it counts for its owner: %d", n)
	}

	// Alone, a reader may look at a way.
	alone := s.begin("race/break", nil)
	s.send("POST", alone+"/claims", url.Values{}).wants(t, http.StatusSeeOther)
	s.get(alone+"?lang=en").wants(t, http.StatusOK, "Look at a shortest way")
}

// exercises opens a room with a challenge that Ann has begun. own is the path of her copy.
func (s *site) exercises() (teacher, ann *person, room, own string) {
	s.Helper()
	teacher = s.person()
	room, _ = teacher.opens("spawn C1 naive")
	ann = s.joins(room)
	teacher.does(room, "challenge", "task", "redis-lock/race/break").wants(s.T, http.StatusSeeOther)
	ann.does(room, "own").wants(s.T, http.StatusSeeOther)
	tile := regexp.MustCompile(`data-seat="1" data-actions="\d+" data-path="([^"]+)"`).FindStringSubmatch(teacher.send("GET", room+"/wall", nil).body)
	if tile == nil {
		s.Fatal("the wall has no tile")
	}
	return teacher, ann, room, tile[1]
}

// The room notes how copies stand a moment later, for a class acts often. What was solved in the moment before the presenter ends
// the exercise still counts.
func TestASolutionInTheLastMomentCounts(t *testing.T) {
	s := newSite(t, Options{})
	teacher, ann, path, own := s.exercises()
	for _, action := range []string{"step C1 2", "step C2 2", "step C1 2", "step C2 2"} {
		ann.send("POST", own+"/actions", url.Values{"action": {action}}).wants(t, http.StatusSeeOther)
	}
	teacher.does(path, "home").wants(t, http.StatusSeeOther)
	teacher.send("GET", path+"/results.json", nil).wants(t, http.StatusOK, `"solved": 1`)
}

// The wall has the log with which everybody begins: that of the challenge, or of the run as it was when it was copied.
func TestStartOfAnExercise(t *testing.T) {
	s := newSite(t, Options{})
	teacher := s.person()
	path, run := teacher.opens("spawn C1 naive", "step C1")
	begins := func() (actions int, lines []string) {
		t.Helper()
		var log struct {
			Actions int
			Lines   []string
		}
		answer := s.get(path + "/start?lang=en")
		answer.wants(t, http.StatusOK)
		if err := json.Unmarshal([]byte(answer.body), &log); err != nil {
			t.Fatal(err)
		}
		return log.Actions, log.Lines
	}
	s.get(path+"/start?lang=en").wants(t, http.StatusUnprocessableEntity)
	teacher.does(path, "fork").wants(t, http.StatusSeeOther)
	teacher.send("POST", run+"/actions", url.Values{"action": {"crash C1"}}).wants(t, http.StatusSeeOther)
	if n, lines := begins(); n != 2 || strings.Join(lines, "; ") != "spawn C1 naive; step C1" {
		t.Errorf("everybody begins with %d actions: %q", n, lines)
	}
	s.get(path+"/screen?lang=en").wants(t, http.StatusOK, `data-start="`+path+`/start?exercise=1"`, "Everybody goes on from here")
	teacher.does(path, "challenge", "task", "redis-lock/race/break").wants(t, http.StatusSeeOther)
	if n, lines := begins(); n != len(lines) || !strings.Contains(strings.Join(lines, "; "), "tick 4s") {
		t.Errorf("everybody begins with %d actions: %q", n, lines)
	}
	s.get(path+"/screen?lang=en").wants(t, http.StatusOK, `data-start="`+path+`/start?exercise=2"`, "Get two clients inside", "You have 3 clients")
	ann := s.joins(path)
	ann.does(path, "own").wants(t, http.StatusSeeOther)
	teacher.does(path, "show", "seat", "1").wants(t, http.StatusSeeOther)
	s.get(path+"/screen?lang=en").lacks(t, "data-start") // it shows Ann's run
	teacher.does(path, "home").wants(t, http.StatusSeeOther)
	s.get(path+"/start?lang=en").wants(t, http.StatusUnprocessableEntity)
}

// While an exercise goes on, nothing leads to its solution: its page has no hints, and the server tells none.
func TestAnExerciseHasNoHints(t *testing.T) {
	s := newSite(t, Options{})
	teacher, ann, path, own := s.exercises()
	ann.send("POST", own+"/actions", url.Values{"action": {"step C1"}}).wants(t, http.StatusSeeOther)
	ann.send("GET", own+"?lang=en", nil).lacks(t, `id="hint"`)
	ann.send("GET", own+"/ahead?lang=en", nil).wants(t, http.StatusUnprocessableEntity, "There are no hints while the exercise goes on.")
	teacher.does(path, "home").wants(t, http.StatusSeeOther)
	ann.send("GET", own+"/ahead?lang=en", nil).wants(t, http.StatusOK)

	// Alone, a reader has them.
	alone := s.begin("race/break", nil)
	s.get(alone+"?lang=en").wants(t, http.StatusOK, `id="hint"`)
	s.get(alone+"/ahead?lang=en").wants(t, http.StatusOK)
}
