package web

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lockstep/web/room"
	"lockstep/web/session"
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
	entries := func() int { return session.Ask(s.server.sessions.Rooms.Of(code(path)), (*room.Room).Len) }
	own, before := says("new"), entries()
	ann.send("POST", own+"/actions", url.Values{"at": {"0"}, "past": {"1"}, "action": {"spawn C5 naive"}}).wants(t, http.StatusSeeOther)
	until(t, "the room has her new run and its mark", func() bool { return entries() == before+2 })
	ann.send("POST", says("new")+"/actions", url.Values{"action": {"step C5"}}).wants(t, http.StatusSeeOther)
	says("safe")
	until(t, "the room is forgotten", func() bool {
		_, _, err := s.server.sessions.Rooms.Use(nil, "999999") // its place goes to this room
		return errors.Is(err, session.ErrNoRoom)
	})
	says("safe")
}
