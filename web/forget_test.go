package web

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lockstep/web/door"
	"lockstep/web/room"
	"lockstep/web/store"
	"lockstep/web/store/sqlite"
)

// A secretClass is a class that has left everything that a class leaves: names of its own, an entry in the roster, votes, an exercise, branches,
// copies, a run that it was brought to, one on its playlist that it never came to, and a link for a remote.
type secretClass struct {
	presenter, ann, ben *person
	path, run           string
	runs                []string // paths of all runs of the room
	mine                string   // that of the run that the one on the playlist is a copy of: it belongs to no room
}

const (
	annsName   = "Zhang Wei 7"
	annsRoster = "Zhang Wei, 2026-0417"
)

func secrets(t *testing.T, s *site) secretClass {
	t.Helper()
	c := secretClass{presenter: s.person()}
	c.path, c.run = c.presenter.opens("spawn C1 C2 naive")
	c.ann, c.ben = s.joins(c.path), s.joins(c.path)
	does := func(p *person, verb string, fields ...string) {
		t.Helper()
		p.does(c.path, verb, fields...).wants(t, http.StatusSeeOther)
	}
	does(c.presenter, "switch", "free", "on", "roster", "on")
	does(c.ann, "name", "text", annsName, "roster", annsRoster)
	does(c.presenter, "ask", "kind", "predict", "client", "C1")
	does(c.ann, "vote", "choice", "1")
	does(c.presenter, "reveal")
	branch := c.presenter.send("POST", c.run+"/actions", url.Values{"at": {"0"}, "past": {"1"}, "action": {"spawn C5 naive"}}).Header.Get("Location")
	does(c.presenter, "show", "task", "redis-lock/race")
	does(c.presenter, "challenge", "task", "redis-lock/race/break")
	does(c.ann, "own")
	own := askRoom(s, c.path, func(r *room.Room) string { return "/t/" + r.Sandbox(1) })
	c.ann.send("POST", own+"/actions", url.Values{"action": {"step C2"}}).wants(t, http.StatusSeeOther)
	try := c.ann.send("POST", own+"/actions", url.Values{"at": {"0"}, "past": {"0"}, "action": {"step C1"}}).Header.Get("Location")
	shown := c.presenter.send("GET", c.path+"/present", nil).Header.Get("Location")
	c.mine, _, _ = strings.Cut(c.presenter.send("POST", "/runs", url.Values{"scenario": {"spawn C7 naive\n"}}).Header.Get("Location"), "?")
	does(c.presenter, "plan", "do", "add", "run", strings.TrimPrefix(c.mine, "/t/"))
	plan := askRoom(s, c.path, (*room.Room).Plan)
	planned := "/t/" + plan[len(plan)-1].Target
	c.presenter.send("POST", c.path+"/remotes", url.Values{}).wants(t, http.StatusOK)
	for _, run := range []string{c.run, branch, own, try, shown, planned} {
		if run != "" {
			c.runs = append(c.runs, strings.Split(run, "?")[0])
		}
	}
	return c
}

// traces returns the files of a directory in which a text stands.
func traces(t *testing.T, dir string, texts ...string) (found []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files: %v", dir, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) {
				found = append(found, file.Name()+": "+text)
			}
		}
	}
	return found
}

// The presenter has a room forgotten, during the class and after it. At once nothing of it is left in the file, its pages say that it is gone,
// and whoever looks at it hears so. Nobody acts in it again, and no page brings it back.
func TestARoomIsForgotten(t *testing.T) {
	for name, over := range map[string]bool{"during the class": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			kept, err := sqlite.Open(dir, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := newSite(t, Options{Store: kept, Limits: unhurried})
			other := secrets(t, s) // another room, which stays
			c := secrets(t, s)
			if over {
				c.presenter.does(c.path, "end").wants(t, http.StatusSeeOther)
				c.runs = append(c.runs, "/t/"+askRoom(s, c.path, func(r *room.Room) string { return r.View(room.Who{}).Replay }))
			}
			phone, desk := c.ann.watches(c.runs[len(c.runs)-1], "phone"), c.presenter.watches(c.runs[len(c.runs)-1], "page")
			for _, p := range []*person{c.ann, s.person(), other.presenter} {
				if a := p.send("POST", c.path+"/forget", url.Values{}); a.StatusCode == http.StatusSeeOther {
					t.Fatal("somebody else forgets the room")
				}
			}
			if len(traces(t, dir, annsName)) == 0 {
				t.Fatal("the file has no names: the test looks in the wrong place")
			}
			c.presenter.send("POST", c.path+"/forget", url.Values{}).wants(t, http.StatusSeeOther)

			ids := []string{"r/" + code(c.path)}
			for _, run := range c.runs {
				ids = append(ids, run[1:])
			}
			if left := traces(t, dir, ids...); len(left) > 0 {
				t.Errorf("the file has %v", left)
			}
			names, err := kept.Names(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, log := range names {
				entries, err := kept.Read(context.Background(), log, 0)
				if err != nil {
					t.Fatal(err)
				}
				for _, entry := range entries {
					if strings.Contains(string(entry), code(c.path)) {
						t.Errorf("%s is left: %s", log, entry)
					}
				}
			}
			gone(phone)
			gone(desk)
			for _, page := range []string{"", "/screen", "/present", "/results", "/home"} {
				c.presenter.send("GET", c.path+page+"?lang=en", nil).wants(t, http.StatusGone, "This room is gone, with everything in it.")
				c.ben.send("GET", c.path+page+"?lang=zh", nil).wants(t, http.StatusGone, "这个房间已不存在")
			}
			s.person().send("GET", c.path, nil).wants(t, http.StatusNotFound)
			for _, run := range c.runs {
				c.ann.send("GET", run+"?lang=en", nil).wants(t, http.StatusGone, "This run is gone")
				if a := c.ann.send("POST", run+"/actions", url.Values{"action": {"tick 1s"}}); a.StatusCode != http.StatusGone {
					t.Errorf("%s takes an action: %s", run, a.Status)
				}
			}
			c.presenter.send("GET", c.mine, nil).wants(t, http.StatusOK)
			if a := c.ann.does(c.path, "vote", "choice", "0"); a.StatusCode != http.StatusGone {
				t.Errorf("the room takes a vote: %s", a.Status)
			}
			if left := traces(t, dir, ids...); len(left) > 0 {
				t.Errorf("somebody has brought back %v", left)
			}
			other.ann.send("GET", other.path, nil).wants(t, http.StatusOK, annsName)
		})
	}
}

// A sandbox, a branch and a run for the wall that somebody makes while the room is being forgotten are gone with it.
func TestNothingIsMadeWhileARoomIsForgotten(t *testing.T) {
	for name, making := range map[string]func(c *secretClass){
		"a sandbox": func(c *secretClass) { c.ben.does(c.path, "own") },
		"a branch": func(c *secretClass) {
			shown := strings.Split(c.presenter.send("GET", c.path+"/present", nil).Header.Get("Location"), "?")[0]
			c.presenter.send("POST", shown+"/actions", url.Values{"at": {"0"}, "past": {"1"}, "action": {"tick 1s"}})
		},
		"a lesson": func(c *secretClass) { c.presenter.does(c.path, "show", "task", "redis-lock/race") },
		"an item":  func(c *secretClass) { c.presenter.does(c.path, "plan", "do", "add", "run", c.mine[3:]) },
	} {
		t.Run(name, func(t *testing.T) {
			faulty := &faultyStore{Store: store.Memory(store.Options{})}
			s := newSite(t, Options{Store: faulty, Limits: unhurried})
			c := secrets(t, s)
			var once sync.Once
			faulty.fails(func(log string, keep func() error) error {
				err := keep()
				if strings.HasPrefix(log, "t/") {
					once.Do(func() { c.presenter.send("POST", c.path+"/forget", url.Values{}).wants(t, http.StatusSeeOther) })
				}
				return err
			})
			making(&c)
			faulty.fails(nil)
			names, err := faulty.Names(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, log := range names {
				for _, entry := range entries(t, faulty, log) {
					if strings.Contains(string(entry), code(c.path)) {
						t.Errorf("%s is left: %s", log, entry)
					}
				}
			}
		})
	}
}

// gone reads on to the message that the room and its runs are gone.
func gone(v *socketViewer) {
	v.Helper()
	v.until("that the room is gone", func(m told) bool { return m.Type == "gone" })
}

// Forty phones that load the page of a forgotten room are no guesses at codes: their network may join the next room.
func TestPhonesOfAForgottenRoomGuessNothing(t *testing.T) {
	s := newSite(t, Options{Limits: door.Limits{Guesses: 5}})
	c := secrets(t, s)
	c.presenter.send("POST", c.path+"/forget", url.Values{}).wants(t, http.StatusSeeOther)
	for range 40 {
		c.ann.send("GET", c.path, nil).wants(t, http.StatusGone)
	}
	next, _ := c.presenter.opens()
	s.joins(next).send("GET", next, nil).wants(t, http.StatusOK)
}

// Every server of a store forgets the room: the sockets there hear so, its pages say so, and no copy that it had comes back.
func TestEveryServerForgetsARoom(t *testing.T) {
	one, two, redis := twoSites(t)
	c := secrets(t, one)
	there := c.ann.at(two)
	phone := there.watches(c.runs[len(c.runs)-1], "phone")
	phone.want("hello")
	c.presenter.at(two).send("GET", c.runs[0], nil).wants(t, http.StatusOK) // a copy in memory
	c.presenter.send("POST", c.path+"/forget", url.Values{}).wants(t, http.StatusSeeOther)
	gone(phone)
	there.send("GET", c.path, nil).wants(t, http.StatusGone)
	for _, run := range c.runs {
		there.send("GET", run, nil).wants(t, http.StatusGone)
		if a := c.presenter.at(two).send("POST", run+"/actions", url.Values{"action": {"tick 1s"}}); a.StatusCode == http.StatusSeeOther {
			t.Errorf("%s goes on at the other server", run)
		}
	}
	for _, key := range strings.Fields(redis.command("KEYS", "*")) {
		if strings.HasSuffix(key, ":"+c.mine[1:]) {
			continue
		}
		if strings.HasPrefix(key, "lockstep:gone:") || strings.HasPrefix(key, "lockstep:p/") || strings.HasPrefix(key, "lockstep:owner:p/") {
			continue // of a link, the hash and the end of its five minutes stay
		}
		if !strings.HasPrefix(key, "lockstep:k/") && !strings.HasPrefix(key, "lockstep:taken:") && !strings.HasPrefix(key, "lockstep:ping:") {
			t.Errorf("%s is left", key)
		}
	}
}
