package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/web/class"
	"lockstep/web/present"
	"lockstep/web/room"
)

// stretches requests the log of a run piece by piece, like a page that has none of it.
func (s *site) stretches(path string, l lang.Language) (log begun, answers int) {
	s.Helper()
	for {
		after := len(log.Lines)
		if log.Header == nil {
			after = 0
		}
		a := s.get(fmt.Sprintf("%s/events?lang=%s&epoch=%s&after=%d&since=%d", path, l, log.Epoch, after, len(log.Events)))
		a.wants(s.T, http.StatusOK)
		if n := len(a.body); n > 512<<10 {
			s.Errorf("an answer has %d bytes", n)
		}
		var next struct {
			begun
			After, Since int
		}
		if err := json.Unmarshal([]byte(a.body), &next); err != nil {
			s.Fatal(err)
		}
		if next.After != after || next.Since != len(log.Events) {
			s.Fatalf("the stretch after %d actions and %d events begins after %d and %d", after, len(log.Events), next.After, next.Since)
		}
		before := len(log.Lines) + len(log.Events)
		if next.Header != nil {
			log.Header = next.Header
		}
		log.Epoch, log.Actions, log.Total = next.Epoch, next.Actions, next.Total
		log.Lines, log.Events = append(log.Lines, next.Lines...), append(log.Events, next.Events...)
		if answers++; log.Header != nil && len(log.Lines) == log.Actions && len(log.Events) == log.Total {
			return log, answers
		}
		if len(log.Lines)+len(log.Events) == before {
			s.Fatalf("an answer of %d bytes brings nothing, after %d of %d actions and %d of %d events", len(a.body), len(log.Lines), log.Actions, len(log.Events), log.Total)
		}
	}
}

// The log of any run comes as a whole, in answers of at most 512 KB, in the requested language.
func TestALogComesInStretches(t *testing.T) {
	testtools.Long(t, "it asks for 5,000 events in every way")
	for name, text := range everyRun() {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, Options{})
			path, world := s.begins(text)
			var whole struct {
				Scenario string
				Events   []map[string]any
			}
			if err := json.Unmarshal([]byte(s.get(path+".json").body), &whole); err != nil {
				t.Fatal(err)
			}
			for _, l := range everyLanguage {
				log, answers := s.stretches(path, l)
				if got := *log.Header + strings.Join(log.Lines, "\n") + "\n"; got != whole.Scenario {
					t.Errorf("as text it is %.200q, not %.200q", got, whole.Scenario)
				}
				if len(log.Events) != len(whole.Events) {
					t.Fatalf("%d of %d events have come", len(log.Events), len(whole.Events))
				}
				for i, e := range whole.Events {
					delete(e, "clock") // exports have it
					e["sentence"] = map[string]any{string(l): world.Events()[i].Sentence(l)}
					if !reflect.DeepEqual(log.Events[i], any(e)) {
						t.Fatalf("event %d is %.300v, not %.300v", i+1, log.Events[i], e)
					}
				}
				t.Logf("%d actions and %d events have come in %d answers", log.Actions, log.Total, answers)
			}
		})
	}
}

// The largest events that a command makes still fit into an answer.
func TestTheLargestEventFits(t *testing.T) {
	testtools.Long(t, "it tells the largest events to every kind of page")
	largest := 0
	for _, c := range worst {
		s := newSite(t, Options{})
		set, names := "", ""
		for i := range 15 {
			key := argument(c, fmt.Sprint(i, "-"))
			set, names = set+"do A1 SET "+key+" "+argument(c, "")+"\n", names+" "+key
		}
		path, world := s.begins(set + "do A1 MGET" + names + "\ndo A1 DEL" + names + "\n")
		for _, e := range world.Events() {
			for _, l := range everyLanguage {
				told, err := e.JSON(l)
				if err != nil {
					t.Fatal(err)
				}
				largest = max(largest, len(told))
			}
		}
		s.stretches(path, lang.English)
	}
	t.Logf("the largest event has %d bytes", largest)
	if space := present.AnswerSize - 1<<10; largest > space || largest < 300<<10 {
		t.Errorf("the largest event has %d bytes, and an answer space for %d", largest, space)
	}
}

// A message of the socket has at most 256 KB of the log, even if one action makes thousands of events.
func TestMessagesAreBounded(t *testing.T) {
	s := newSite(t, Options{})
	path, _ := s.begins(testtools.Flip + "spawn C1 flip\n")
	v := s.watch(path + "/live")
	v.want("hello")
	s.act(path, "tick 40m")
	_, data, err := v.conn.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	var news struct {
		Type                        string
		Actions, Total              int
		After, Since                int
		Lines                       []string
		Events                      []any
		Panels                      map[string]json.RawMessage
		Header, Version, Run, Epoch any
	}
	if err := json.Unmarshal(data, &news); err != nil {
		t.Fatal(err)
	}
	if news.Total < 2000 || news.Since+len(news.Events) >= news.Total || len(news.Lines) != 1 || news.After != 1 {
		t.Errorf("of %d events the message has %d after %d, and %q after %d", news.Total, len(news.Events), news.Since, news.Lines, news.After)
	}
	panels := 0
	for _, p := range news.Panels {
		panels += len(p)
	}
	if n := len(data) - panels; n > 260<<10 || n < 200<<10 {
		t.Errorf("beside its panels the message has %d bytes", n)
	}
	if log, _ := s.stretches(path, lang.English); len(log.Events) != news.Total {
		t.Errorf("%d of %d events can be had", len(log.Events), news.Total)
	}
}

// The answer begins after the part of the log that the address names, as far as the log has it.
func TestEventsBeginWhereTheAddressSays(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 naive")
	epoch := s.get(aRun).begins(t).Log.Epoch
	for query, want := range map[string]string{
		"":                                   "0 of 1, 0 of 2",
		"after=1&since=1":                    "0 of 1, 0 of 2", // without its epoch
		"epoch=" + epoch:                     "0 of 1, 0 of 2",
		"after=1&since=1&epoch=" + epoch:     "1 of 1, 1 of 2",
		"after=1&since=2&epoch=" + epoch:     "1 of 1, 2 of 2",
		"after=77&since=5001&epoch=" + epoch: "1 of 1, 2 of 2",
		"after=1&since=1&epoch=another":      "0 of 1, 0 of 2",
		"after=-1&since=-9&epoch=" + epoch:   "0 of 1, 0 of 2",
		"after=x&since=" + strings.Repeat("9", 99) + "&epoch=" + epoch:                    "0 of 1, 0 of 2",
		"since=1e3&after=%00&epoch=" + epoch + "&lang=%22&since=2":                        "0 of 1, 0 of 2",
		"epoch=" + epoch + "&after=1&since=2&lang=zh&from=7&to=&" + url.QueryEscape("<>"): "1 of 1, 2 of 2",
	} {
		var got struct {
			Actions, Total, After, Since int
			Header                       *string
			Lines                        []string
			Events                       []engine.Event
		}
		a := s.get(aRun + "/events?" + query)
		a.wants(t, http.StatusOK)
		if err := json.Unmarshal([]byte(a.body), &got); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if said := fmt.Sprintf("%d of %d, %d of %d", got.After, got.Actions, got.Since, got.Total); said != want {
			t.Errorf("%s begins after %s, not %s", query, said, want)
		}
		if len(got.Lines) != got.Actions-got.After || len(got.Events) != got.Total-got.Since || (got.Header == nil) != (got.After > 0) {
			t.Errorf("%s brings %q and %d events", query, got.Lines, len(got.Events))
		}
		if kind := a.Header.Get("Content-Type"); kind != "application/json" {
			t.Errorf("%s is answered with %s", query, kind)
		}
	}
	s.get("/t/bbbbbbbbbb/events").wants(t, http.StatusOK, `"actions":0,"total":0,"header":"","after":0,"lines":[],"since":0,"events":[]`)
	s.get("/t/BBB/events").wants(t, http.StatusNotFound)
	s.send("POST", aRun+"/events", url.Values{}).wants(t, http.StatusMethodNotAllowed)
}

// The events of a sandbox are its owner's: nobody else can read them.
func TestNobodyElseReadsTheEventsOfASandbox(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "fork").wants(t, http.StatusSeeOther)
	c.ann.does(c.room, "own").wants(t, http.StatusSeeOther)
	sandbox := "/t/" + class.Ask(c.hub, func(r *room.Room) string { return r.Sandbox(1) })
	c.ann.send("POST", sandbox+"/actions", fields("action", `note "xyzzy"`)).wants(t, http.StatusSeeOther)
	c.ann.send("GET", sandbox+"/events", nil).wants(t, http.StatusOK, "xyzzy")
	c.teacher.send("GET", sandbox+"/events", nil).wants(t, http.StatusOK, "xyzzy") // the wall leads there
	for _, p := range append(c.outsiders(), somebody{"Bob", c.bob}, somebody{"Cat", c.cat}) {
		a := p.send("GET", sandbox+"/events?after=0&since=0", nil)
		a.wants(t, http.StatusForbidden)
		a.lacks(t, "xyzzy")
	}
}
