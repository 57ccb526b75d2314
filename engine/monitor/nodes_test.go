package monitor_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/monitor"
	"lockstep/engine/monitor/detect"
)

var redlocks = flag.Int("redlocks", 200, "how many right Redlocks to make the logs of")

func together(t testing.TB, logs []monitor.NodeLog) *monitor.NodesAccount {
	t.Helper()
	a, err := monitor.InvestigateNodes(logs, monitor.Only{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Nobody is accused in the logs of a right Redlock, whose clocks differ within the allowance.
//
//	go test ./engine/monitor -run RightRedlock -redlocks 10000 -v
func TestARightRedlockIsNotAccused(t *testing.T) {
	accused, lines, holds, failed, expired, majorities, released := 0, 0, 0, 0, 0, 0, 0
	for seed := *seeds; seed < *seeds+uint64(*redlocks); seed++ {
		m := newRedlock(seed)
		logs := m.run(3_000_000)
		if m.overlaps > 0 {
			t.Fatalf("model %d is wrong itself: %d overlaps", seed, m.overlaps)
		}
		holds, failed, expired = holds+m.holds, failed+m.failed, expired+m.expired
		for _, n := range m.nodes {
			lines += n.lines
		}
		a := together(t, logs)
		for _, row := range a.Locks {
			majorities, released = majorities+row.Grants, released+row.Released
		}
		if a.Found > 0 {
			if accused++; accused < 4 {
				t.Errorf("model %d (%s, parallel %v, again %v): %+v", seed, m.acquire, m.parallel, m.again, a.Findings[0])
			}
		}
	}
	t.Logf("%d Redlocks, %d lines; accused: %d; held: %d, by the logs %d; released: %d; failed attempts: %d; crashed holders: %d", *redlocks, lines, accused, holds, majorities, released, failed, expired)
	if accused > 0 || majorities < holds*8/10 || majorities > holds*11/10 || failed == 0 || expired == 0 {
		t.Errorf("%d of %d are accused; %d majorities of %d holds", accused, *redlocks, majorities, holds)
	}
}

var losses = flag.Int("losses", 50, "how many logs of Redlocks of which a node loses its data to make")

// Where a node loses its data and a second client gets a majority while the first one holds it, both are found, by their tokens.
//
//	go test ./engine/monitor -run LostData -losses 2000 -v
func TestLostDataIsFound(t *testing.T) {
	made, found, wrong, ordered := 0, 0, 0, 0
	missed, all := map[string]int{}, map[string]int{}
	for seed := *seeds + 1; made < *losses; seed++ {
		m := newRedlock(seed)
		m.plant = []string{"flush", "restart", "silent", "delete"}[seed%4]
		m.keys, m.lossy = m.keys[:1], min(m.lossy, 0.02)
		m.lease, m.noise = max(m.lease, 2_000_000), 0
		m.clients = m.clients[:min(len(m.clients), 4)]
		m.clients[0].wants = true
		logs := m.run(6_000_000)
		if m.fault.second == "" || m.fault.left == 0 || m.fault.freed == 0 || !m.fault.shown || m.overlaps != 1 {
			continue // nobody else wanted the lock meanwhile, or the log does not show that the node had granted it
		}
		made++
		all[m.plant]++
		a := together(t, logs)
		f := overlapOf(a)
		switch {
		case f == nil:
			missed[m.plant]++
			if testing.Verbose() && missed[m.plant] == 1 {
				t.Logf("model %d (%s, %s, parallel %v, again %v) misses %+v: %d not told", seed, m.plant, m.acquire, m.parallel, m.again, m.fault, a.Close)
			}
		case f.First.Token != m.fault.first || f.Second.Token != m.fault.second:
			if wrong++; wrong < 4 {
				t.Errorf("model %d (%s, %s, parallel %v, again %v): %+v, and not %+v", seed, m.plant, m.acquire, m.parallel, m.again, f, m.fault)
			}
		default:
			if found++; f.Ordered {
				ordered++
			}
		}
	}
	t.Logf("%d Redlocks with a fault: found %d, of them by the order of lines alone %d; wrong: %d; missed: %v; all: %v", made, found, ordered, wrong, missed, all)
	if found < made*9/10 || wrong > 0 || len(all) < 4 || ordered == 0 {
		t.Errorf("%d of %d are found", found, made)
	}
}

// Whatever lock it is, nobody is accused where three nodes have read the same of a right one: locks that GETSET steals, DELs that
// name no token, tokens that ask again.
//
//	go test ./engine/monitor -run OnSeveralNodes -redlocks 3000
func TestARightLockOnSeveralNodesIsNotAccused(t *testing.T) {
	majorities := 0
	for seed := *seeds; seed < *seeds+uint64(*redlocks); seed++ {
		m := newModel(seed, 100+int(seed*37%500))
		text := m.run()
		a := together(t, nodeLogs(text, text, text))
		for _, row := range a.Locks {
			majorities += row.Grants
		}
		if a.Found > 0 {
			t.Errorf("model %d (%s, %s, %s, %s): %+v", seed, m.acquire, m.release, m.pick, m.token, a.Findings[0])
		}
	}
	if majorities < *redlocks*5 {
		t.Errorf("%d majorities", majorities)
	}
}

// captured returns the logs of testdata/nodes whose names begin so, of the nodes A, B and C.
func captured(t testing.TB, name string) (logs []monitor.NodeLog) {
	t.Helper()
	for _, node := range []string{"a", "b", "c"} {
		file := filepath.Join("testdata/nodes", name+"-"+node+".log")
		logs = append(logs, monitor.NodeLog{Name: strings.ToUpper(node), Open: func() (io.ReadCloser, error) { return os.Open(file) }})
	}
	return logs
}

// nodeLogs returns logs from their texts.
func nodeLogs(texts ...string) (logs []monitor.NodeLog) {
	for i, text := range texts {
		logs = append(logs, monitor.NodeLog{Name: string(rune('A' + i)), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }})
	}
	return logs
}

// The logs in testdata/nodes are what redis-cli MONITOR printed before three real redis-servers 7.0.15. In restart, ben gets a
// majority while anna holds one, since node B was killed and started again without its data.
//
//	go test ./engine/monitor -run NodeReports -rewrite
func TestNodeReports(t *testing.T) {
	for _, name := range []string{"restart", "right"} {
		for _, in := range []lang.Language{lang.English, lang.Chinese} {
			a := together(t, captured(t, name))
			var got, machine, page bytes.Buffer
			if err := a.WriteText(&got, in); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata/nodes", fmt.Sprintf("%s.%s.report", name, in))
			want, err := os.ReadFile(file)
			if *rewrite {
				err = os.WriteFile(file, got.Bytes(), 0o666)
			} else if err == nil && got.String() != string(want) {
				t.Errorf("run with -rewrite and read the diff; got\n%s", got.String())
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := a.WriteJSON(&machine, in); err != nil || !json.Valid(machine.Bytes()) {
				t.Errorf("%v: %s", err, machine.String())
			}
			if err := a.WriteHTML(&page, in); err != nil || strings.Count(page.String(), "<svg") != strings.Count(page.String(), "</svg>") || strings.Count(page.String(), "<rect") < 6 {
				t.Errorf("%v: %s", err, page.String())
			}
		}
	}
}

// hold writes what a client sends to a node: a request at a time (µs), and a release by a script, unless it is 0.
func hold(text *string, from, token string, at, left int64, deleted bool) {
	*text += line(at, from, `"set" "lock" "`+token+`" "nx" "px" "1000"`)
	if left > 0 {
		release(text, from, token, left, deleted)
	}
}

func release(text *string, from, token string, at int64, deleted bool) {
	*text += line(at, from, `"evalsha" "e9f69f2beb755be68b5e456ee2ce9aadfbc4ebf4" "1" "lock" "`+token+`"`) + line(at, "lua", `"get" "lock"`)
	if deleted {
		*text += line(at, "lua", `"del" "lock"`)
	}
}

// begun returns the beginning of the logs of three nodes: a hold that shows how clients release the lock.
func begun() (a, b, c string) {
	for _, text := range []*string{&a, &b, &c} {
		*text = line(0, "x:1", `"flushall"`)
		hold(text, "x:1", "zero", 1000, 9000, true)
	}
	return a, b, c
}

// An overlap that is longer than the allowance counts by the clocks. A shorter one counts where the first holder's release came
// after the second one's grant on one node, and is not told where it shows on no node: the clocks may be wrong.
func TestTheAllowance(t *testing.T) {
	const ms = 1000
	for _, test := range []struct {
		name    string
		until   int64 // when the second one releases it on node C; the first one never does
		shows   bool  // the first one's release follows on node B
		kinds   string
		ordered bool
		close   int
	}{
		{"longer", 100*ms + 251*ms, false, "overlap key-gone", false, 0},
		{"shorter", 100*ms + 249*ms, false, "key-gone", false, 1},
		{"shorter, but a node proves it", 100*ms + 249*ms, true, "overlap key-gone", true, 0},
	} {
		a, b, c := begun()
		hold(&a, "x:1", "one", 20*ms, 0, false)
		hold(&b, "x:1", "one", 20*ms, 0, false)
		b += line(50*ms, "ops:1", `"flushall"`)
		hold(&b, "y:1", "two", 100*ms, 0, false)
		hold(&c, "y:1", "two", 100*ms, test.until, true)
		if test.shows {
			release(&b, "x:1", "one", 200*ms, false)
		}
		r := together(t, nodeLogs(a, b, c))
		var kinds []string
		for i := range r.Findings {
			kinds = append(kinds, string(r.Findings[i].Kind))
		}
		for range kinds {
			if len(kinds) > 1 && kinds[0] == "key-gone" {
				kinds[0], kinds[1] = kinds[1], kinds[0]
			}
		}
		f := overlapOf(r)
		if got := strings.Join(kinds, " "); got != test.kinds || r.Close != test.close || f != nil && (f.Ordered != test.ordered || f.First.Token != "one" || f.Second.Token != "two" || f.Cause.Kind != detect.Flush || f.Cause.Line != 7) {
			t.Errorf("%s: %s, %d not told, %+v", test.name, got, r.Close, f)
		}
	}
}

// Less than a majority is no hold: its release deletes nobody's lock, and another may be granted a majority beside it.
func TestAMinorityHoldsNothing(t *testing.T) {
	const ms = 1000
	a, b, c := begun()
	hold(&a, "x:1", "few", 20*ms, 3000*ms, false) // it comes back long after its lease
	hold(&b, "y:1", "most", 30*ms, 900*ms, true)
	hold(&c, "y:1", "most", 30*ms, 900*ms, true)
	hold(&b, "z:1", "next", 950*ms, 0, false)
	hold(&c, "z:1", "next", 950*ms, 0, false)
	if r := together(t, nodeLogs(a, b, c)); r.Found != 0 || r.Locks[0].Grants != 3 || r.Locks[0].Refused != 1 {
		t.Errorf("%+v", r.Findings)
	}
}

// A holder that has renewed its lease, and so worked, and releases the lock after another got a majority, was inside beside it. One
// that has not renewed may have found out that its votes came too late: the report says what it did, and if.
func TestALeaseThatRunsOut(t *testing.T) {
	const ms = 1000
	for _, renews := range []bool{true, false} {
		a, b, c := begun()
		for _, text := range []*string{&a, &b, &c} {
			hold(text, "x:1", "one", 20*ms, 0, false)
			if renews {
				*text += line(500*ms, "x:1", `"evalsha" "aaaa" "1" "lock" "one" "1000"`) + line(500*ms, "lua", `"get" "lock"`) + line(500*ms, "lua", `"pexpire" "lock" "1000"`)
			}
			hold(text, "y:1", "two", 1800*ms, 0, false)
			release(text, "x:1", "one", 2200*ms, false)
			release(text, "y:1", "two", 2500*ms, true)
		}
		r := together(t, nodeLogs(a, b, c))
		want, says := detect.LateRelease, "if it worked until then, both were inside"
		if renews {
			want, says = detect.Overlap, "The first had renewed its lease, and so worked"
		}
		var text bytes.Buffer
		if err := r.WriteText(&text, lang.English); err != nil || r.Found != 1 || r.Findings[0].Kind != want || r.Findings[0].First.Token != "one" || r.Findings[0].Second.Token != "two" || !strings.Contains(text.String(), says) {
			t.Errorf("renews %v: %v\n%s", renews, err, text.String())
		}
	}
}

// Where the logs themselves show that clocks differ by more than the allowance, that counts: a release that stands before its own
// request, on another node.
func TestClocksThatDifferByMore(t *testing.T) {
	const ms = 1000
	var texts [3]string
	for i := range texts {
		ahead := int64(i) * 400 * ms // node C by 800 ms
		texts[i] = line(0, "x:1", `"flushall"`)
		for n := range int64(10) {
			hold(&texts[i], "x:1", fmt.Sprintf("t%d", n), ahead+n*20*ms, ahead+n*20*ms+10*ms, true)
		}
	}
	r := together(t, nodeLogs(texts[:]...))
	if r.Found != 0 || r.Allowance != 1_040_000_000 || r.Locks[0].Grants != 10 || r.Locks[0].Asks != 10 {
		t.Errorf("%d, allowance %d, %+v", r.Found, r.Allowance, r.Locks)
	}
}

// A node that was down has an empty log. Logs of slow commands convict nobody. Without any command there is nothing to read.
func TestWhatANodesLogMayBe(t *testing.T) {
	a, b, _ := begun()
	if r := together(t, nodeLogs(a, b, "")); r.Found != 0 || r.Locks[0].Grants != 1 || r.Locks[0].Released != 1 {
		t.Errorf("%+v", r.Locks)
	}
	if _, err := monitor.InvestigateNodes(nodeLogs("", "", ""), monitor.Only{}); err == nil || err.Error() != "all logs are empty" {
		t.Error(err)
	}
	_, err := monitor.InvestigateNodes(nodeLogs(a, "REDIS0011"), monitor.Only{})
	if refusal := (*engine.Refusal)(nil); !errors.As(err, &refusal) || refusal.Chinese != "节点 B：这是 Redis 的快照（RDB），不是命令日志" {
		t.Error(err)
	}
	slow, err := os.ReadFile("testdata/cases/slowlog.txt")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := together(t, nodeLogs(a, b, string(slow))).WriteText(&text, lang.English); err != nil || !strings.Contains(text.String(), "One of the logs does not have all commands, and convicts nobody.") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// Nine nodes take the memory of one: they share its keys and connections, and the attempts are bounded for all of them. Each
// request of these logs is of another key, token and connection.
func TestNineNodesAreBounded(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := detect.NewRedlock(engine.MaxNodes)
	for i := range 40_000 {
		key, token, from := fmt.Sprintf("lock:%d", i/3), fmt.Sprintf("token-%d", i), fmt.Sprintf("10.0.0.1:%d", i)
		for n := range engine.MaxNodes {
			r.Node(n).Add(&detect.Command{Line: i + 1, Time: 1e18 + int64(i)*1e6, From: []byte(from), Words: [][]byte{[]byte("SET"), []byte(key), []byte(token), []byte("NX"), []byte("PX"), []byte("10000")}})
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	used := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) >> 20
	t.Logf("%d MB", used)
	if used > 100 {
		t.Errorf("%d MB", used)
	}
	runtime.KeepAlive(r)
}

// A DEL by which one holder removes the lock of another is told for the node, if both had a majority; not that of an attempt.
func TestAForeignDeleteOnANode(t *testing.T) {
	const ms = 1000
	request := func(at int64, from, token string) string {
		return line(at, from, `"set" "lock" "`+token+`" "nx" "px" "300"`)
	}
	del := func(at int64, from string) string { return line(at, from, `"del" "lock"`) }
	begin := line(0, "10.0.0.1:1", `"flushall"`)
	one, two := request(20*ms, "10.0.0.1:1", "one"), request(400*ms, "10.0.0.2:1", "two")
	full := begin + one + two + del(500*ms, "10.0.0.1:1")
	r := together(t, nodeLogs(full, full, begin+one+two))
	var text bytes.Buffer
	if err := r.WriteText(&text, lang.English); err != nil || !strings.Contains(text.String(), "10.0.0.1:1 with one deleted the lock lock of 10.0.0.2:1 with two on node B, at line 4. That lock was granted there at line 3. Both had a majority of the 3 nodes.") {
		t.Errorf("%v\n%s", err, text.String())
	}
	r = together(t, nodeLogs(full, begin+two, begin+two)) // one was granted it by a node alone
	for i := range r.Findings {
		if r.Findings[i].Kind == detect.ForeignDelete {
			t.Errorf("%+v", r.Findings[i])
		}
	}
}
