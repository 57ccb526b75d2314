package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// A harm is one kind of attack. begin prepares it and returns the function that attacks until the end.
type harm struct {
	name, what string
	begin      func(s *stranger) (act func(), err error)
}

// The kinds of harm, in the order of the table.
var harms = []harm{
	{"flip", "a tick makes events without end", flip},
	{"stuck", "stuck clients with odd clocks", stick},
	{"tireless", "much work in little text", tire},
	{"explorer", "searches and luck", explore},
	{"unread", "full runs that nobody reads", ignore},
	{"forks", "forks, reruns, rooms, branches", fork},
	{"half", "messages and forms without end", halve},
	{"sockets", "2,000 that look, 2,000 that act", act},
	{"codes", "guesses at codes and keys", guess},
	{"seats", "seats, names and votes", sit},
	{"posts", "texts of 256 KB", post},
	{"queue", "the explorer's, by many names", queue},
	{"health", "/healthz and /metrics", askHealth},
	{"handshakes", "sockets that leave at once", shakeHands},
	{"hosts", "made-up hosts, headers of 30 KB", makeUp},
	{"links", "previews of links", preview},
	{"looks", "far positions of full runs", look},
	{"ahead", "lookahead in many runs", lookAhead},
	{"spectators", "1,900 watch the class", spectate},
	{"crowd", "1,900 watch 40 who act", draw},
	{"rooms", "a presenter for 50 of 20", lead},
	{"exports", "full runs that are read", export},
	{"claims", "claims and mended programs", claim},
	{"files", "small pages and files", fetch},
	{"several", "ten of these at once", several},
}

func harmNames() []string {
	var all []string
	for _, h := range harms {
		all = append(all, h.name)
	}
	return all
}

// harmCalled returns the harm with a name; the caller knows that it exists.
func harmCalled(name string) harm {
	return harms[slices.IndexFunc(harms, func(h harm) bool { return h.name == name })]
}

// several does ten kinds of harm at once.
func several(s *stranger) (func(), error) {
	var acts []func()
	for _, begin := range []func(*stranger) (func(), error){tire, explore, ignore, halve, sit, post, shakeHands, look, draw, spectate} {
		act, err := begin(s)
		if err != nil {
			return nil, err
		}
		acts = append(acts, act)
	}
	return func() { allOf(acts...) }, nil
}

// flip posts programs whose belief changes each second, and reads the runs of those that the server accepts.
func flip(s *stranger) (func(), error) {
	return func() {
		s.crowd(64, func(i, turn int) {
			s.send("POST", "/runs", s.person(turn), fields("scenario", endless))
			made := s.send("POST", "/runs", s.person(turn), fields("scenario", flips))
			if made.to == "" {
				return
			}
			s.send("GET", made.to, s.person(turn), "")
			s.send("GET", made.to+".json", s.person(turn), "")
			s.send("POST", made.to+"/actions", s.person(turn), fields("action", "tick 24h"))
		})
	}, s.known(20)
}

// stick posts runs in which clients wait for each other, and continues them.
func stick(s *stranger) (func(), error) {
	return func() {
		s.crowd(64, func(i, turn int) {
			made := s.send("POST", "/runs", s.person(i), fields("scenario", stuckText(turn%13)))
			for _, client := range []string{"C4", "C5", "C6"} {
				if made.to != "" {
					s.send("POST", made.to+"/actions", s.person(i), fields("action", "step "+client))
				}
			}
		})
	}, s.known(64)
}

// tire posts programs that use their whole step budget. Half of the senders wait for the answer. The others hang up, and
// half of these hide it from the server behind the beginning of another request.
func tire(s *stranger) (func(), error) {
	body := fields("scenario", hardest(hardRounds))
	return func() {
		allOf(
			func() { s.crowd(64, func(i, _ int) { s.send("POST", "/runs", s.person(i), body) }) },
			func() {
				s.crowd(64, func(i, turn int) {
					c, err := s.dial(s.over, "tcp", s.Address)
					if err != nil {
						s.cut()
						return
					}
					request := s.request("POST", "/runs", s.person(turn), body)
					if i%2 == 0 {
						request = append(request, 'G')
					}
					s.sent()
					_, _ = c.Write(request) // it hangs up anyway
					s.rest(50 * time.Millisecond)
					_ = c.Close()
				})
			},
		)
	}, s.known(64)
}

// explore asks the explorer for the most expensive searches and random walks that it allows. Some senders wait for the
// answer, others ask again and again.
func explore(s *stranger) (func(), error) {
	return func() {
		allOf(
			func() {
				s.crowd(8, func(i, turn int) {
					s.inquires(i, turn, []time.Duration{time.Minute, 3 * time.Second}[i%2])
				})
			},
			func() {
				s.crowd(4, func(i, turn int) {
					s.send("POST", "/explore", s.person(i), "run="+[]string{"search", "luck"}[turn%2]+"&"+question+"&"+fields("source", counting))
				})
			},
			func() { // a short search each, as each text is another question
				s.crowd(8, func(i, turn int) {
					s.send("POST", "/explore/answer", s.person(i), question+"&"+fields("source", fmt.Sprintf("%s\n# %d of %d\n", counting, turn, i)))
				})
			},
		)
	}, s.known(8)
}

const question = "program=getset&own=1&property=mutual-exclusion&clients=5&ticks=30&timeout=30&crashes=3&delays=any&replies=1"

// inquires asks one question on a socket of the explorer, and waits for the answer up to a time limit.
func (s *stranger) inquires(person, turn int, d time.Duration) {
	conn, err := s.socket("/explore/live", s.person(person))
	if err != nil {
		return
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(d)) // a connection that has ended says so when it is read
	source := []string{counting, pensive}[turn%2]
	err = conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"type":%q,"query":%q,"source":%q}`, []string{"luck", "search"}[turn/2%2], question, source))
	for err == nil {
		var message []byte
		if _, message, err = conn.ReadMessage(); err == nil {
			s.count(refusalIn(message))
		}
	}
	s.rest(10 * time.Millisecond)
}

// fullRuns makes n each of the longest, the widest and the hardest runs.
func (s *stranger) fullRuns(long, wide, hard int) ([]string, error) {
	texts := slices.Concat(slices.Repeat([]string{longest}, s.scaled(long)), slices.Repeat([]string{widest}, s.scaled(wide)))
	if hard > 0 {
		texts = append(texts, slices.Repeat([]string{hardest(s.scaled(hardRounds))}, s.scaled(hard))...)
	}
	return s.makesAll(texts)
}

// formats are the suffixes under which the server exports a run.
var formats = []string{"", ".html", ".json", ".txt"}

// ignore requests full runs as pages, as files and on sockets, and reads no answer.
func ignore(s *stranger) (func(), error) {
	runs, err := s.fullRuns(4, 4, 0)
	if err != nil {
		return nil, err
	}
	return func() {
		allOf(
			func() {
				s.streams(600, false, func(i, turn int) []byte {
					return s.request("GET", runs[(i+turn)%len(runs)]+formats[i%len(formats)], s.person(i), "")
				})
			},
			func() {
				s.holds(200, false, nil, func(i, turn int) []byte { return s.handshake(runs[i%len(runs)]+"/live", s.person(i)) })
			},
		)
	}, s.known(50)
}

// fork makes as many runs and rooms from the largest run as the server allows.
func fork(s *stranger) (func(), error) {
	runs, err := s.fullRuns(2, 2, 1)
	if err != nil {
		return nil, err
	}
	return func() {
		s.crowd(64, func(i, turn int) {
			of, who := runs[i%len(runs)], s.person(turn)
			switch turn % 4 {
			case 0:
				if made := s.send("POST", of+"/forks", who, fields("at", "")); made.to != "" {
					s.send("POST", made.to+"/actions", who, fields("past", "1", "at", "40", "action", `note "x"`))
				}
			case 1:
				s.send("POST", of+"/reruns", who, fields("program", "redlock"))
			case 2:
				s.send("POST", "/rooms", who, fields("run", strings.TrimPrefix(of, "/t/")))
			case 3:
				s.send("POST", of+"/actions", who, fields("past", "1", "at", strconv.Itoa(30+turn%10), "action", `note "`+strconv.Itoa(turn)+`"`))
			}
		})
	}, s.known(50)
}

// halve sends messages and forms that never end.
func halve(s *stranger) (func(), error) {
	run, err := s.makes("tick 1s\n")
	if err != nil {
		return nil, err
	}
	piece := frame(unfinishedMore, strings.Repeat("x", 60<<10))
	form := strings.Repeat("x", 900<<10)
	return func() {
		allOf(
			func() {
				message := frame(unfinishedText, strings.Repeat("x", 60<<10))
				for range 7 { // 480 KB of 512
					message = append(message, piece...)
				}
				s.holds(1900, false, message, func(i, turn int) []byte { return s.handshake(run+"/live?surface=phone", s.person(i)) })
			},
			func() {
				s.holds(990, false, nil, func(i, turn int) []byte {
					request := s.request("POST", "/runs", s.person(i), "", "Content-Type: "+formType, fmt.Sprintf("Content-Length: %d", 1<<20))
					return append(append(request, "scenario="...), form...)
				})
			},
		)
	}, s.known(50)
}

// act watches empty runs on 2,000 sockets, and acts in other runs on 2,000 more.
func act(s *stranger) (func(), error) {
	runs, err := s.makesAll(slices.Repeat([]string{"spawn C1 naive\n"}, s.scaled(100)))
	if err != nil {
		return nil, err
	}
	return func() {
		allOf(
			func() {
				s.talks(2000, func(i, turn int) talker {
					return talker{fmt.Sprintf("/t/%010d/live", rand.IntN(1e10)), s.person(i), func(turn, at int) string {
						return `{"type":"look","id":"x","at":0}`
					}}
				})
			},
			func() {
				s.talks(2000, func(i, turn int) talker { return acting(runs[i%len(runs)], s.person(i), i) })
			},
		)
	}, s.known(200)
}

// acting returns a talker that acts in a run in every way there is.
func acting(run, cookie string, n int) talker {
	return talker{run + "/live", cookie, func(turn, at int) string {
		id := fmt.Sprintf(`"id":"x%d-%d","at":%d`, n, turn, at)
		switch turn % 4 {
		case 1:
			return `{"type":"act",` + id + `,"action":"tick 1s"}`
		case 2:
			return `{"type":"act",` + id + fmt.Sprintf(`,"action":"spawn C%d naive"}`, 2+turn/4%15)
		case 3:
			return `{"type":"look",` + id + `}`
		}
		return `{"type":"schedule",` + id + `}`
	}}
}

// guess tries room codes, and keys of the class's room.
func guess(s *stranger) (func(), error) {
	return func() {
		s.streams(100, true, func(i, turn int) []byte {
			code := fmt.Sprintf("%06d", rand.IntN(1_000_000))
			key := fmt.Sprintf("room-%s=%020d", strings.TrimPrefix(s.Room, "/r/"), rand.Uint64())
			switch turn % 6 {
			case 0:
				return s.request("GET", "/join?code="+code, s.person(i), "")
			case 1:
				return s.request("POST", "/r/"+code+"/seats", s.person(i), "text=x")
			case 2:
				return s.request("GET", s.Room+"/present", key, "")
			case 3:
				return s.request("POST", s.Room+"/do", key, "verb=end")
			}
			return s.request("GET", "/r/"+code, s.person(i), "")
		})
	}, s.known(50)
}

// sit takes as many seats in the class's room as it can, and votes and sets a name from each.
func sit(s *stranger) (func(), error) {
	return func() {
		s.crowd(100, func(i, turn int) {
			who := s.person(i + turn)
			key := ""
			for _, c := range s.send("POST", s.Room+"/seats", who, "text=x").cookies {
				key += "; " + c.Name + "=" + c.Value
			}
			if key == "" {
				return
			}
			for vote := range 20 {
				s.send("POST", s.Room+"/do", who+key, fields("verb", "vote", "choice", strconv.Itoa(vote%2)))
				s.send("POST", s.Room+"/do", who+key, fields("verb", "name", "text", strconv.Itoa(vote)))
			}
			conn, err := s.socket(s.Run+"/live?surface=phone", who+key)
			if err != nil {
				return
			}
			defer conn.Close()
			for vote := 0; vote < 100 && err == nil; vote++ {
				s.sent()
				err = conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"type":"room","id":"x%d","with":{"verb":"vote","choice":"%d"}}`, vote, vote%2))
				for answered := false; err == nil && !answered; {
					var message []byte
					if _, message, err = conn.ReadMessage(); err == nil {
						answered = s.answers(message) || is(message, "done")
					}
				}
			}
		})
	}, s.known(100)
}

// post sends texts of 256 KB without pause: one that does nothing, and one that becomes a run.
func post(s *stranger) (func(), error) {
	bodies := []string{fields("scenario", comments), fields("scenario", notes), fields("scenario", longest)}
	return func() {
		s.streams(64, true, func(i, turn int) []byte {
			return s.request("POST", "/runs", s.person(i), bodies[turn%len(bodies)])
		})
	}, s.known(64)
}

// queue fills the explorer's queue with visitors, some with forged cookies and some with real ones.
func queue(s *stranger) (func(), error) {
	ask := "/explore?run=search&" + strings.Replace(question, "&own=1", "", 1)
	return func() {
		allOf(
			func() {
				s.streams(60, true, func(i, turn int) []byte { return s.request("GET", ask, s.madeUp(), "") })
			},
			func() { s.crowd(150, func(i, turn int) { s.inquires(i, turn, time.Minute) }) },
		)
	}, s.known(150)
}

// askHealth requests the health page, which has no limit.
func askHealth(s *stranger) (func(), error) {
	return func() {
		s.streams(200, true, func(i, turn int) []byte {
			return s.request("GET", []string{"/healthz", "/metrics"}[i%2], "", "")
		})
	}, nil
}

// shakeHands opens sockets of the class's run and of others, and closes each on its first message.
func shakeHands(s *stranger) (func(), error) {
	runs, err := s.fullRuns(1, 1, 0)
	if err != nil {
		return nil, err
	}
	paths := []string{s.Run + "/live", s.Run + "/live?surface=phone", runs[0] + "/live", runs[1] + "/live", "/explore/live"}
	return func() {
		s.crowd(100, func(i, turn int) {
			c, err := s.dial(s.over, "tcp", s.Address)
			if err != nil {
				s.cut()
				return
			}
			defer c.Close()
			s.sent()
			if _, err := c.Write(s.handshake(paths[turn%len(paths)], s.person(i))); err != nil {
				s.cut()
				return
			}
			s.enters(c)
		})
	}, s.known(50)
}

// makeUp sends requests with invented hosts, in headers of the largest size.
func makeUp(s *stranger) (func(), error) {
	large := strings.Repeat("x", 30<<10)
	return func() {
		s.streams(100, true, func(i, turn int) []byte {
			path := []string{"/", s.Room, s.Room + "/screen", "/t/" + strconv.Itoa(1_000_000_000+turn)}[turn%4]
			return s.request("GET", path, s.person(i), "", fmt.Sprintf("Host: h%d.example", turn), "X-Forwarded-Host: "+large)
		})
	}, s.known(50)
}

// preview asks for the preview of links of 256 KB.
func preview(s *stranger) (func(), error) {
	bodies := []string{fields("scenario", comments), fields("scenario", notes), fields("scenario", widest)}
	return func() {
		s.streams(64, true, func(i, turn int) []byte {
			if turn%8 == 0 {
				return s.request("GET", "/p", s.person(i), "")
			}
			return s.request("POST", "/p", s.person(i), bodies[turn%len(bodies)])
		})
	}, s.known(64)
}

// look asks on many sockets for early positions of full runs. The server replays a whole run for each answer.
func look(s *stranger) (func(), error) {
	runs, err := s.fullRuns(3, 3, 2)
	if err != nil {
		return nil, err
	}
	return func() {
		s.talks(300, func(i, turn int) talker {
			return talker{runs[i%len(runs)] + "/live?surface=" + []string{"page", "phone"}[i%2], s.person(i), func(turn, at int) string {
				return fmt.Sprintf(`{"type":"look","id":"x","at":%d}`, max(0, at-1-(turn*7+i)%(at/10+1)))
			}}
		})
	}, s.known(100)
}

// lookAhead asks for the lookahead of every property from every position in many runs.
func lookAhead(s *stranger) (func(), error) {
	runs, err := s.fullRuns(2, 1, 1)
	if err != nil {
		return nil, err
	}
	for range s.scaled(20) {
		run, err := s.makes("spawn C1 C2 C3 C4 C5 C6 C7 C8 C9 getset\nstep C1\nstep C2\nstep C3\n" + strings.Repeat("tick 1s\n", 100))
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	properties := []string{"mutual-exclusion", "stuck", ""}
	return func() {
		s.streams(100, true, func(i, turn int) []byte {
			return s.request("GET", fmt.Sprintf("%s/ahead?at=%d&property=%s", runs[(i+turn)%len(runs)], turn%100, properties[turn%3]), s.person(i), "")
		})
	}, s.known(50)
}

// spectate watches the class's own run on as many sockets as it can, in every way there is. A third of them read nothing.
func spectate(s *stranger) (func(), error) {
	path := func(i, _ int) string {
		surfaces := []string{"page", "screen", "phone", "remote", "wall"}
		return s.Run + "/live?lang=" + []string{"en", "zh"}[i%2] + "&surface=" + surfaces[i%len(surfaces)]
	}
	return func() {
		allOf(
			func() { s.listens(1300, path) },
			func() {
				s.holds(600, false, nil, func(i, turn int) []byte { return s.handshake(path(i, turn), s.person(i)) })
			},
		)
	}, s.known(100)
}

// draw lets 40 people act at full speed in a run with many viewers. Each action sends a message to each viewer.
func draw(s *stranger) (func(), error) {
	runs, err := s.makesAll(slices.Repeat([]string{"spawn C1 naive\n"}, s.scaled(2)))
	if err != nil {
		return nil, err
	}
	return func() {
		allOf(
			func() {
				s.listens(1860, func(i, _ int) string {
					return runs[i%len(runs)] + "/live?lang=" + []string{"en", "zh"}[i%2] + "&surface=" + []string{"page", "phone"}[i/2%2]
				})
			},
			func() {
				s.talks(40, func(i, turn int) talker { return acting(runs[i%len(runs)], s.person(i), i) })
			},
		)
	}, s.known(100)
}

// lead opens rooms and presents in them at full speed. Each press sends a message to everybody in the room.
func lead(s *stranger) (func(), error) {
	type led struct{ run, key string }
	var rooms []led
	for range s.scaled(50) {
		a, err := s.insist("POST", "/rooms", "run=")
		if err != nil {
			return nil, err
		}
		var key string
		for _, c := range a.cookies {
			key += c.Name + "=" + c.Value + "; "
		}
		room := strings.TrimSuffix(a.to, "/present")
		to := s.send("GET", room+"/present", key, "")
		if to.to == "" {
			return nil, fmt.Errorf("the room %s shows no run: %d", room, to.status)
		}
		rooms = append(rooms, led{to.to, key})
	}
	return func() {
		allOf(
			func() {
				s.listens(1000, func(i, _ int) string {
					return rooms[i%len(rooms)].run + "/live?lang=" + []string{"en", "zh"}[i%2] + "&surface=" + []string{"phone", "screen"}[i/2%2]
				})
			},
			func() {
				s.talks(100, func(i, turn int) talker {
					room := rooms[i%len(rooms)]
					return talker{room.run + "/live", room.key, func(turn, at int) string {
						with := []string{`"verb":"black","on":"on"`, `"verb":"black"`, `"verb":"gather"`, `"verb":"cursor","at":"0"`, `"verb":"cursor","at":"-1"`}[turn%5]
						return fmt.Sprintf(`{"type":"room","id":"x%d-%d","with":{%s}}`, i, turn, with)
					}}
				})
			},
		)
	}, s.known(50)
}

// export requests full runs in every format, and reads them.
func export(s *stranger) (func(), error) {
	runs, err := s.fullRuns(3, 2, 1)
	if err != nil {
		return nil, err
	}
	return func() {
		s.streams(100, true, func(i, turn int) []byte {
			run := runs[(i+turn)%len(runs)]
			switch turn % 3 {
			case 0:
				return s.request("GET", run+"?step="+strconv.Itoa(turn%100), s.person(i), "")
			case 1:
				return s.request("GET", run+"?beside="+strings.TrimPrefix(runs[turn%len(runs)], "/t/"), s.person(i), "")
			}
			return s.request("GET", run+formats[turn/3%len(formats)], s.person(i), "")
		})
	}, s.known(50)
}

var challenges = regexp.MustCompile(`/courses/[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+`)

// claim starts the challenges of the course, claims that they cannot be broken, and submits programs that fix others.
// Each makes the server search every interleaving.
func claim(s *stranger) (func(), error) {
	contents, err := s.insist("GET", "/courses/redis-lock", "")
	if err != nil {
		return nil, err
	}
	tasks := slices.Compact(slices.Sorted(slices.Values(challenges.FindAllString(string(contents.body), -1))))
	tasks = slices.DeleteFunc(tasks, func(path string) bool { return strings.HasSuffix(path, "/handout") })
	if len(tasks) == 0 {
		return nil, errors.New("the course has no challenges")
	}
	return func() {
		s.crowd(64, func(i, turn int) {
			who := s.person(i + turn)
			made := s.send("POST", tasks[(i+turn)%len(tasks)], who, fields("source", []string{counting, pensive}[turn%2]))
			if made.to != "" {
				s.send("POST", made.to+"/claims", who, "at=")
			}
		})
	}, s.known(100)
}

// fetch requests small pages that need no run.
func fetch(s *stranger) (func(), error) {
	home, err := s.insist("GET", "/", "")
	if err != nil {
		return nil, err
	}
	paths := []string{"/", "/help", "/courses/redis-lock", "/explore", "/new", s.Room, s.Room + "/screen", s.Run}
	for _, file := range files.FindAllSubmatch(home.body, -1) {
		paths = append(paths, string(file[1]))
	}
	return func() {
		s.streams(300, true, func(i, turn int) []byte { return s.request("GET", paths[(i+turn)%len(paths)], s.person(i), "") })
	}, s.known(100)
}
