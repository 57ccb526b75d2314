package monitor_test

import (
	"container/heap"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"lockstep/engine/monitor"
	"lockstep/engine/monitor/detect"
)

// A redlock makes the MONITOR logs of the nodes of one Redlock whose truth it knows: clients ask all nodes with a token of their
// own, hold the lock for a majority that answers in time, renew it, and release it on all nodes; nodes are down for a while,
// requests and replies get lost, clients crash, and the nodes' clocks differ. A planted fault takes one node's data from a holder.
type redlock struct {
	*rand.Rand
	now      int64 // µs, true time
	queue    calls
	serial   int
	nodes    []*redisNode
	clients  []*redlockClient
	acquire  string // set, exists, setnx
	parallel bool
	again    bool // a token asks again after a failure
	renews   bool
	lossy    float64
	crashes  float64
	lease    int64 // µs
	keys     []string
	noise    int
	inside   map[string]map[*redlockClient]bool
	overlaps int
	holds    int
	expired  int
	failed   int

	plant   string // flush, restart, silent, delete; nothing: no fault
	culprit *redlockClient
	fault   redlockFault
}

// A redlockFault is the truth about what was planted.
type redlockFault struct {
	first, second string // tokens
	node          int
	at            int64 // the second majority, µs
	left          int64 // the first one leaves
	freed         int64 // the second one has released its lock
	shown         bool  // … on the node, too
}

type redisNode struct {
	number int
	offset int64 // of its clock, µs
	down   int64 // until
	values map[string]*stored
	out    []byte
	lines  int
}

type redlockClient struct {
	number int
	host   *host
	key    string
	token  string
	tries  int
	began  int64
	votes  map[int]bool
	until  int64 // its validity
	leave  int64
	wants  bool // it reaches no more than a majority
	reach  map[int]bool
	stays  bool
}

type call struct {
	at     int64
	serial int
	do     func()
}

type calls []call

func (c calls) Len() int { return len(c) }
func (c calls) Less(i, j int) bool {
	return c[i].at < c[j].at || c[i].at == c[j].at && c[i].serial < c[j].serial
}
func (c calls) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *calls) Push(x any)   { *c = append(*c, x.(call)) }
func (c *calls) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

func newRedlock(seed uint64) *redlock {
	m := &redlock{Rand: rand.New(rand.NewPCG(seed, 33)), now: 1_795_513_835_000_000, inside: map[string]map[*redlockClient]bool{}}
	m.acquire = []string{"set", "set", "exists", "setnx"}[m.IntN(4)]
	m.parallel, m.again, m.renews = m.IntN(2) == 0, m.IntN(3) == 0, m.IntN(3) == 0
	m.lossy, m.crashes = []float64{0, 0, 0.02, 0.1}[m.IntN(4)], []float64{0, 0, 0.05}[m.IntN(3)]
	m.lease = []int64{400, 2000, 10_000}[m.IntN(3)] * 1000
	m.noise = m.IntN(3)
	skew := []int64{1, 2_000, 100_000}[m.IntN(3)]
	for i := range []int{3, 5, 5, 5}[m.IntN(4)] {
		m.nodes = append(m.nodes, &redisNode{number: i, offset: m.Int64N(2*skew) - skew, values: map[string]*stored{}})
	}
	for i := range 1 + m.IntN(2) {
		m.keys = append(m.keys, "lock:"+strconv.Itoa(i))
	}
	var hosts []*host
	for i := range 1 + m.IntN(3) {
		hosts = append(hosts, &host{ip: fmt.Sprintf("10.0.0.%d", i+1), pool: 1 + m.IntN(4)})
	}
	for i := range 2 + m.IntN(5) {
		m.clients = append(m.clients, &redlockClient{number: i, host: hosts[i%len(hosts)], votes: map[int]bool{}})
	}
	return m
}

func (m *redlock) after(delay int64, do func()) {
	m.serial++
	heap.Push(&m.queue, call{m.now + delay, m.serial, do})
}

// run writes the logs, until that much time has passed (µs).
func (m *redlock) run(long int64) []monitor.NodeLog {
	end := m.now + long
	for _, n := range m.nodes {
		if m.IntN(2) == 0 || m.plant != "" { // otherwise MONITOR began in the middle
			n.write(m, "10.0.0.250:1", "FLUSHALL")
		}
		if m.plant == "" && m.IntN(3) == 0 { // it is down for a while, and keeps its data
			m.after(m.Int64N(long), func() { n.down = m.now + m.Int64N(long/4) })
		}
	}
	for _, c := range m.clients {
		m.after(m.Int64N(50_000), func() { m.begin(c) })
	}
	for len(m.queue) > 0 && m.now < end && m.fault.freed == 0 && (m.fault.left == 0 || m.fault.second != "") && (m.plant == "" || m.culprit != nil || m.holds < 30) {
		e := heap.Pop(&m.queue).(call)
		m.now = max(m.now, e.at)
		e.do()
	}
	return m.logs()
}

func (m *redlock) logs() (logs []monitor.NodeLog) {
	for i, n := range m.nodes {
		text := string(n.out)
		logs = append(logs, monitor.NodeLog{Name: string(rune('A' + i)), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }})
	}
	return logs
}

func (n *redisNode) write(m *redlock, from string, words ...string) {
	n.lines++
	at := m.now + n.offset
	n.out = strconv.AppendInt(n.out, at/1e6, 10)
	n.out = append(n.out, '.')
	for unit := int64(100_000); unit > 0; unit /= 10 {
		n.out = append(n.out, byte('0'+at/unit%10))
	}
	n.out = append(append(append(n.out, " [0 "...), from...), ']')
	for _, w := range words {
		n.out = append(append(append(n.out, ` "`...), w...), '"')
	}
	n.out = append(n.out, '\n')
}

func (n *redisNode) get(m *redlock, key string) string {
	v := n.values[key]
	if v == nil || v.until > 0 && (m.now+n.offset)/1000 > v.until {
		delete(n.values, key)
		return ""
	}
	return v.value
}

func (m *redlock) from(c *redlockClient, n *redisNode) string {
	return c.host.ip + ":" + strconv.Itoa(40_000+n.number*100+m.IntN(c.host.pool))
}

// each sends something to all nodes, and calls done after the last reply.
func (m *redlock) each(c *redlockClient, send func(n *redisNode) bool, done func()) {
	delay, last := int64(0), int64(0)
	order := m.Perm(len(m.nodes))
	if !m.parallel {
		order = nil
		for i := range m.nodes {
			order = append(order, i)
		}
	}
	for _, i := range order {
		n := m.nodes[i]
		trip := 100 + m.Int64N(1500)
		if c.wants && !c.reach[i] {
			trip = 30_000
		} else if m.now < n.down || m.Float64() < m.lossy {
			trip = 30_000 // its request times out
		} else {
			lost := m.Float64() < m.lossy/2 && m.plant == "" // a client that misses a reply counts less than the nodes granted
			m.after(delay+trip/2, func() {
				if m.now < n.down {
					return
				}
				for range m.IntN(m.noise + 1) {
					n.write(m, "10.0.0.9:7", "GET", "user:"+strconv.Itoa(m.IntN(100)))
				}
				if ok := send(n); ok && !lost {
					c.votes[n.number] = true
				}
			})
			if lost {
				trip = 30_000
			}
		}
		last = max(last, delay+trip)
		if !m.parallel {
			delay += trip
		}
	}
	m.after(last+50, done)
}

func (m *redlock) begin(c *redlockClient) {
	c.key = m.keys[m.IntN(len(m.keys))]
	c.tries, c.token = 0, ""
	m.try(c)
}

// try asks all nodes.
func (m *redlock) try(c *redlockClient) {
	if c.token == "" || !m.again {
		c.token = fmt.Sprintf("%016x", m.Uint64())
	}
	clear(c.votes)
	c.began, c.reach = m.now, map[int]bool{}
	for _, i := range m.Perm(len(m.nodes))[:len(m.nodes)/2+1] {
		c.reach[i] = true
	}
	ms := strconv.FormatInt(m.lease/1000, 10)
	m.each(c, func(n *redisNode) bool {
		free, from := n.get(m, c.key) == "", m.from(c, n)
		switch m.acquire {
		case "set":
			n.write(m, from, "SET", c.key, c.token, "NX", "PX", ms)
		case "setnx":
			n.write(m, from, "SETNX", c.key, c.token)
			if free {
				n.write(m, from, "PEXPIRE", c.key, ms)
			}
		case "exists":
			n.write(m, from, "EVALSHA", "bbbb", "1", c.key, c.token, ms)
			n.write(m, "lua", "exists", c.key)
			if free {
				n.write(m, "lua", "set", c.key, c.token, "PX", ms)
			}
		}
		if free {
			n.values[c.key] = &stored{c.token, (m.now+n.offset)/1000 + m.lease/1000}
		}
		return free
	}, func() { m.decide(c) })
}

// decide counts the votes.
func (m *redlock) decide(c *redlockClient) {
	c.until = c.began + m.lease - m.lease/100 - 2_000
	if len(c.votes) <= len(m.nodes)/2 || m.now >= c.until {
		m.failed++
		m.free(c, func() {
			if c.tries++; c.tries < 8 {
				m.after(5_000+m.Int64N(60_000), func() { m.try(c) })
			} else {
				m.after(m.Int64N(200_000), func() { m.begin(c) })
			}
		})
		return
	}
	m.holds++
	if m.inside[c.key] == nil {
		m.inside[c.key] = map[*redlockClient]bool{}
	}
	if f := m.culprit; f != nil && f != c && f.stays && f.key == c.key && m.fault.second == "" {
		m.fault.second, m.fault.at = c.token, m.now
	}
	m.overlaps += len(m.inside[c.key])
	if m.Float64() < m.crashes && m.plant == "" { // it crashes, and starts again later
		m.expired++
		m.after(m.lease, func() { m.begin(c) })
		return
	}
	m.inside[c.key][c] = true
	c.leave = m.now + 500 + m.Int64N(min(c.until-m.now, 150_000))
	if m.renews && m.IntN(3) == 0 {
		c.leave = m.now + m.lease + m.Int64N(m.lease)
	}
	if m.plant != "" && m.culprit == nil && m.holds > 8 && m.lease > 1_000_000 && len(m.votes(c)) == len(m.nodes)/2+1 {
		m.culprit, c.stays, m.fault.first, c.leave = c, true, c.token, c.until
		m.after(1_000+m.Int64N(50_000), func() { m.lose(c) })
	}
	m.hold(c)
}

// votes returns the nodes that have a client's token.
func (m *redlock) votes(c *redlockClient) (all []*redisNode) {
	for _, n := range m.nodes {
		if n.get(m, c.key) == c.token {
			all = append(all, n)
		}
	}
	return all
}

// lose takes the data of one node that has granted the culprit its lock.
func (m *redlock) lose(c *redlockClient) {
	has := m.votes(c)
	if len(has) == 0 {
		return
	}
	n := has[m.IntN(len(has))]
	m.fault.node = n.number
	switch m.plant {
	case "flush":
		n.write(m, "10.0.0.250:2", "FLUSHALL")
	case "delete":
		n.write(m, "10.0.0.250:2", "DEL", c.key)
	case "restart":
		n.out = append(n.out, "Error: Server closed the connection\nOK\n"...)
		n.lines += 2
	}
	clear(n.values)
}

// hold waits until a holder renews its lease or leaves.
func (m *redlock) hold(c *redlockClient) {
	if c.leave > c.until-m.lease/4 && m.renews && !c.stays {
		m.after(max(0, c.until-m.lease/2-m.now), func() { m.renew(c) })
		return
	}
	m.after(max(0, min(c.leave, c.until-1_000)-m.now), func() { m.release(c) })
	if c.stays {
		var look func()
		look = func() {
			switch {
			case !c.stays:
			case m.fault.second != "": // it works on for a while beside the other
				m.after(min(20_000+m.Int64N(600_000), max(0, c.until-m.now-2_000)), func() { m.release(c) })
			default:
				m.after(2_000, look)
			}
		}
		look()
	}
}

func (m *redlock) renew(c *redlockClient) {
	clear(c.votes)
	began, ms := m.now, strconv.FormatInt(m.lease/1000, 10)
	m.each(c, func(n *redisNode) bool {
		own := n.get(m, c.key) == c.token
		n.write(m, m.from(c, n), "EVALSHA", "cccc", "1", c.key, c.token, ms)
		n.write(m, "lua", "get", c.key)
		if own {
			n.write(m, "lua", "pexpire", c.key, ms)
			n.values[c.key].until = (m.now+n.offset)/1000 + m.lease/1000
		}
		return own
	}, func() {
		if len(c.votes) <= len(m.nodes)/2 || m.now >= c.until {
			m.release(c)
			return
		}
		c.until = began + m.lease - m.lease/100 - 2_000
		m.hold(c)
	})
}

func (m *redlock) release(c *redlockClient) {
	if !m.inside[c.key][c] {
		return
	}
	delete(m.inside[c.key], c)
	if c.stays {
		m.fault.left, c.stays = m.now, false
	}
	m.free(c, func() {
		if c.token == m.fault.second {
			m.fault.freed = m.now
		}
		m.after(m.Int64N(100_000), func() { m.begin(c) })
	})
}

// free sends a compare-and-delete to all nodes.
func (m *redlock) free(c *redlockClient, done func()) {
	wants := c.wants
	c.wants = false
	m.each(c, func(n *redisNode) bool {
		own := n.get(m, c.key) == c.token
		n.write(m, m.from(c, n), "EVALSHA", "dddd", "1", c.key, c.token)
		n.write(m, "lua", "get", c.key)
		if own {
			n.write(m, "lua", "del", c.key)
			delete(n.values, c.key)
			m.fault.shown = m.fault.shown || n.number == m.fault.node && c.token == m.fault.second
		}
		return own
	}, done)
	c.wants = wants
}

// overlapOf returns the first overlap of a report.
func overlapOf(a *monitor.NodesAccount) *detect.MajorityFinding {
	for i := range a.Findings {
		if a.Findings[i].Kind == detect.Overlap {
			return &a.Findings[i]
		}
	}
	return nil
}
