package monitor_test

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"strconv"
)

// A model makes MONITOR logs of locks whose truth it knows: hosts with pools of connections, threads that ask for locks, hold,
// renew and release them, and a Redis that executes what they send. Its locks are right: a holder is out before its lease
// ends, or it has crashed and does nothing more. A planted fault lets one holder stay too long.
type model struct {
	*rand.Rand
	now     int64 // µs
	skew    int64 // of MONITOR's clock against the one by which keys expire, µs
	out     []byte
	lines   int
	values  map[string]*stored
	threads []*thread
	queue   events
	acquire string // set, setnx, multi, script, exists, redisson, getset
	release string // script, get, del, watch
	pick    string // random, last, round, own
	token   string // fresh, cycle, thread, constant
	lease   int64  // µs
	renews  bool
	crashes float64
	noise   int // lines of other keys for each line of a lock
	keys    []string
	hosts   []*host
	stop    int // lines

	cleans  bool // who gives up sends its release all the same, as Redlock does
	doubles bool // a release is sent twice
	looks   bool // who waits looks who holds the lock

	inside   map[string]map[*thread]bool
	overlaps int

	plant   bool // one holder will stay too long
	after   int  // … from this line on
	culprit *thread
	cycles  map[string]int // holds of each key so far
	fault   fault
}

// A fault is the truth about what was planted.
type fault struct {
	first, second string // tokens
	key           string
	at            int64 // the second grant, µs
	left          int64 // the first one's release, µs
	lease         int64 // the end of the first one's lease, µs
	hit           bool  // its release met the lock of another host
	near          bool  // somebody asked in the moment at which its lease ended
	apart         bool  // they are on different hosts
}

type stored struct {
	value string
	until int64 // ms; 0: never
}

type host struct {
	ip    string
	pool  int
	round int
}

type thread struct {
	number  int
	host    *host
	key     string
	phase   string
	token   string
	cycle   int
	tries   int
	granted int64 // µs
	until   int64 // its lease, µs
	leave   int64 // when it releases, µs
	conn    string
	stays   bool // it is the planted one
	nothing bool // it looked and found another's value
}

type event struct {
	at     int64
	thread *thread
	serial int
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].serial < e[j].serial
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// newModel chooses a lock and its clients by a seed.
func newModel(seed uint64, lines int) *model {
	m := &model{Rand: rand.New(rand.NewPCG(seed, 7)), now: 1_795_513_835_000_000, values: map[string]*stored{}, inside: map[string]map[*thread]bool{}, cycles: map[string]int{}, stop: lines}
	m.now += m.Int64N(1e9)
	m.acquire = one(m, "set", "set", "set", "setnx", "multi", "script", "exists", "redisson", "getset")
	m.release = one(m, "script", "get", "del", "watch")
	m.pick = one(m, "random", "last", "round", "own")
	m.token = one(m, "fresh", "cycle", "thread")
	switch {
	case m.acquire == "redisson":
		m.release, m.token = "redisson", "thread"
	case m.acquire == "exists":
		m.release = "script"
	case m.acquire == "getset":
		m.release, m.token = one(m, "get", "del"), "time"
	case m.release == "del" && m.IntN(3) == 0:
		m.token = "constant"
	case m.token == "thread" && m.release != "script":
		m.token = "cycle"
	}
	m.lease = one(m, int64(300), 1000, 10_000) * 1000
	m.renews = (m.release == "script" || m.release == "redisson") && m.IntN(2) == 0
	m.crashes = one(m, 0, 0, 0.02, 0.1)
	m.noise = one(m, 0, 1, 4)
	m.cleans = m.release == "script" && m.IntN(4) == 0
	m.doubles = (m.release == "script" || m.release == "del" && m.acquire != "getset") && m.IntN(6) == 0
	m.looks = m.IntN(5) == 0
	for i := range 1 + m.IntN(4) {
		m.keys = append(m.keys, one(m, "lock:", "order:{x}:", `odd "lock" `)+strconv.Itoa(i))
	}
	for i := range 1 + m.IntN(3) {
		m.hosts = append(m.hosts, &host{ip: fmt.Sprintf("10.0.0.%d", i+1), pool: 1 + m.IntN(8)})
	}
	return m
}

func one[T any](m *model, all ...T) T { return all[m.IntN(len(all))] }

// run writes the log.
func (m *model) run() string {
	if m.threads == nil {
		for i := range len(m.hosts) * (1 + m.IntN(5)) {
			m.threads = append(m.threads, &thread{number: i, host: m.hosts[i%len(m.hosts)]})
		}
	}
	for _, t := range m.threads {
		t.key = one(m, m.keys...)
		t.phase = "ask"
		m.at(m.now+m.Int64N(20_000), t)
	}
	if m.IntN(2) == 0 {
		m.write("10.0.0.250:1", "FLUSHALL")
	}
	for m.lines < m.stop && len(m.queue) > 0 {
		e := heap.Pop(&m.queue).(event)
		m.now = max(m.now+20, e.at)
		for range m.IntN(m.noise*2 + 1) {
			m.write(fmt.Sprintf("10.0.0.9:%d", m.IntN(50)), one(m, "GET", "HGETALL", "LPUSH"), "user:"+strconv.Itoa(m.IntN(1000)), "x")
		}
		m.skew = m.Int64N(300)
		m.step(e.thread)
	}
	return string(m.out)
}

func (m *model) at(at int64, t *thread) {
	heap.Push(&m.queue, event{at, t, m.lines*64 + t.number})
}

func (m *model) write(from string, words ...string) {
	m.lines++
	m.now += 7
	at := m.now + m.skew
	m.out = strconv.AppendInt(m.out, at/1e6, 10)
	m.out = append(m.out, '.')
	for unit := int64(100_000); unit > 0; unit /= 10 {
		m.out = append(m.out, byte('0'+at/unit%10))
	}
	m.out = append(m.out, " [0 "...)
	m.out = append(m.out, from...)
	m.out = append(m.out, ']')
	for _, w := range words {
		m.out = append(m.out, ' ')
		m.out = strconv.AppendQuote(m.out, w)
	}
	m.out = append(m.out, '\n')
}

// from takes a connection of the thread's pool for one command.
func (m *model) from(t *thread) string {
	h, n := t.host, 0
	switch m.pick {
	case "own":
		n = 100 + t.number
	case "round":
		h.round++
		n = h.round % h.pool
	case "last":
		if m.IntN(3) > 0 {
			n = h.pool - 1
		} else {
			n = m.IntN(h.pool)
		}
	default:
		n = m.IntN(h.pool)
	}
	return h.ip + ":" + strconv.Itoa(40_000+n)
}

func (m *model) get(key string) string {
	v := m.values[key]
	if v == nil || v.until > 0 && m.now/1000 > v.until {
		delete(m.values, key)
		return ""
	}
	return v.value
}

func (m *model) set(key, value string, lease int64) {
	m.values[key] = &stored{value, 0}
	if lease > 0 {
		m.values[key].until = m.now/1000 + lease/1000
	}
}

// step lets a thread do what it does next.
func (m *model) step(t *thread) {
	px := strconv.FormatInt(m.lease/1000, 10)
	conn := m.from(t)
	switch t.phase {
	case "ask":
		m.renewToken(t)
		if c := m.culprit; c != nil && c.stays && c.key == t.key && m.now > c.until-1_000 && m.now < c.until+2_000 {
			m.fault.near = true
		}
		free := m.get(t.key) == ""
		ok := free
		lease := m.lease
		switch m.acquire {
		case "set":
			m.write(conn, "SET", t.key, t.token, "NX", "PX", px)
		case "setnx":
			m.write(conn, "SETNX", t.key, t.token)
			if ok {
				m.write(m.from(t), "PEXPIRE", t.key, px)
			}
		case "multi":
			m.write(conn, "MULTI")
			m.write(conn, "SET", t.key, t.token, "NX", "PX", px)
			m.write(conn, "EXEC")
		case "script":
			m.write(conn, "EVALSHA", "aaaa", "1", t.key, t.token, px)
			m.write("lua", "set", t.key, t.token, "NX", "PX", px)
		case "exists":
			m.write(conn, "EVALSHA", "bbbb", "1", t.key, t.token, px)
			m.write("lua", "exists", t.key)
			if ok {
				m.write("lua", "set", t.key, t.token, "PX", px)
			}
		case "redisson":
			m.write(conn, "EVAL", "-- lock", "1", t.key, px, t.token)
			m.write("lua", "exists", t.key)
			if ok {
				m.write("lua", "hincrby", t.key, t.token, "1")
				m.write("lua", "pexpire", t.key, px)
			} else {
				m.write("lua", "hexists", t.key, t.token)
				m.write("lua", "pttl", t.key)
			}
		case "getset":
			lease = 0
			m.write(conn, "SETNX", t.key, t.token)
			if old := m.get(t.key); !ok && m.passed(t, old) {
				m.write(conn, "GET", t.key)
				m.write(conn, "GETSET", t.key, t.token)
				ok = true
			} else if !ok {
				m.write(conn, "GET", t.key)
			}
		}
		if !ok {
			if m.looks && m.IntN(10) == 0 {
				m.write(m.from(t), "GET", t.key)
			}
			if t.tries++; t.tries > 10 && m.IntN(20) == 0 {
				if t.tries, t.cycle = 0, t.cycle+1; m.cleans {
					m.write(m.from(t), "EVALSHA", "dddd", "1", t.key, t.token)
					m.write("lua", "get", t.key)
				}
			}
			m.at(m.now+5_000+m.Int64N(30_000), t)
			return
		}
		m.set(t.key, t.token, lease)
		m.granted(t)
	case "renew":
		m.write(conn, "EVALSHA", "cccc", "1", t.key, t.token, px)
		if m.acquire == "redisson" {
			m.write("lua", "hexists", t.key, t.token)
		} else {
			m.write("lua", "get", t.key)
		}
		m.write("lua", "pexpire", t.key, px)
		m.values[t.key].until = m.now/1000 + m.lease/1000
		t.until = m.now + m.lease
		m.plan(t)
	case "release":
		if t.stays && m.fault.second == "" { // until another has been granted the lock, and works
			m.at(m.now+10_000, t)
			return
		}
		delete(m.inside[t.key], t)
		if t.stays {
			m.fault.left, t.stays, m.plant = m.now, false, false
			for other := range m.inside[t.key] {
				m.fault.hit = m.fault.hit || other.host != t.host
			}
		}
		own := m.get(t.key) == t.token
		t.nothing = false
		switch m.release {
		case "script":
			m.write(conn, "EVALSHA", "dddd", "1", t.key, t.token)
			m.write("lua", "get", t.key)
			if own {
				m.write("lua", "del", t.key)
				delete(m.values, t.key)
			}
		case "redisson":
			m.write(conn, "EVAL", "-- unlock", "2", t.key, "channel", "0", px, t.token)
			m.write("lua", "hexists", t.key, t.token)
			if own {
				m.write("lua", "hincrby", t.key, t.token, "-1")
				m.write("lua", "del", t.key)
				m.write("lua", "publish", "channel", "0")
				delete(m.values, t.key)
			}
		case "get", "watch":
			if m.release == "watch" {
				m.write(conn, "WATCH", t.key)
			}
			m.write(conn, "GET", t.key)
			if own && m.Float64() < m.crashes/2 && !m.plant { // it crashes here
				m.again(t, m.lease)
				return
			}
			t.phase, t.conn, t.nothing = "delete", conn, !own
			m.at(m.now+100+m.Int64N(2_000), t)
			return
		case "del":
			m.write(conn, "DEL", t.key)
			delete(m.values, t.key)
		}
		if m.doubles && m.release == "script" {
			m.write(m.from(t), "EVALSHA", "dddd", "1", t.key, t.token)
			m.write("lua", "get", t.key)
		} else if m.doubles {
			m.write(m.from(t), "DEL", t.key)
		}
		m.again(t, 0)
	case "delete":
		if !t.nothing {
			if m.release == "watch" {
				m.write(t.conn, "MULTI")
			}
			m.write(t.conn, "DEL", t.key)
			if m.release == "watch" {
				m.write(t.conn, "EXEC")
			}
			delete(m.values, t.key)
		}
		m.again(t, 0)
	}
}

// passed reports whether the time in a value has passed by the clock of a thread's host.
func (m *model) passed(t *thread, old string) bool {
	at, _ := strconv.ParseFloat(old, 64)
	now := m.now
	if m.plant && m.culprit == t {
		now += 2 * m.lease // its clock is ahead
	}
	return at < float64(now)/1e6
}

func (m *model) renewToken(t *thread) {
	switch m.token {
	case "fresh":
		t.token = fmt.Sprintf("%016x", m.Uint64())
	case "cycle":
		if t.tries == 0 {
			t.token = fmt.Sprintf("%016x", m.Uint64())
		}
	case "thread":
		t.token = fmt.Sprintf("%s:%d", t.host.ip, t.number)
	case "constant":
		t.token = "1"
	case "time":
		t.token = fmt.Sprintf("%.4f", float64(m.now+m.lease)/1e6+float64(t.number)/1e4)
	}
}

// granted lets a thread hold the lock.
func (m *model) granted(t *thread) {
	if m.inside[t.key] == nil {
		m.inside[t.key] = map[*thread]bool{}
	}
	if c := m.culprit; c != nil && c != t && c.stays && m.fault.second == "" && c.key == t.key {
		m.fault.second, m.fault.at, m.fault.lease, m.fault.apart = t.token, m.now+m.skew, c.until, c.host != t.host
	}
	m.overlaps += len(m.inside[t.key])
	m.cycles[t.key]++
	t.tries, t.granted, t.until = 0, m.now, m.now+m.lease
	if m.Float64() < m.crashes && !m.plant {
		m.again(t, m.lease) // it crashes, and starts again later
		return
	}
	m.inside[t.key][t] = true
	most := m.lease - 40_000
	if m.renews {
		most *= 3
	}
	t.leave = m.now + 1_000 + m.Int64N(min(most, 200_000))
	if m.IntN(8) == 0 {
		t.leave = m.now + 1_000 + m.Int64N(most)
	}
	if m.plant && m.culprit == nil && m.lines > m.after && m.cycles[t.key] > 2 && m.canPlant(t) {
		m.culprit, t.stays, m.fault.first, m.fault.key = t, true, t.token, t.key
		t.leave = m.now + m.lease + 50_000
		t.phase = "release"
		m.at(t.leave, t)
		return
	}
	m.plan(t)
}

// canPlant reports whether another thread will ask for the same lock, and whether the log proves the fault then.
func (m *model) canPlant(t *thread) bool {
	for _, other := range m.threads {
		if other == t || other.key != t.key {
			continue
		}
		switch m.release {
		case "script", "redisson":
			return true
		case "del":
			if m.pick == "own" || other.host != t.host {
				return true
			}
		case "watch": // its release will be a WATCH and a GET alone
			if m.acquire != "getset" && other.host != t.host && m.cycles[t.key] > 10 {
				return true
			}
		}
	}
	return false
}

// plan says what a holder does next: it renews its lease, or releases the lock.
func (m *model) plan(t *thread) {
	t.phase = "release"
	if m.renews && t.leave > t.until-m.lease/3 {
		t.phase = "renew"
		m.at(m.now+m.lease/2, t)
		return
	}
	m.at(max(m.now+1, t.leave), t)
}

// again lets a thread ask again, perhaps for another lock.
func (m *model) again(t *thread, after int64) {
	t.phase, t.tries, t.cycle = "ask", 0, t.cycle+1
	if m.IntN(3) == 0 && !m.plant {
		t.key = one(m, m.keys...)
	}
	m.at(m.now+after+m.Int64N(80_000), t)
}

// provable reports whether the log proves the planted fault. A release without a token says nothing of who was granted the
// lock in the moment at which the first one's lease ended. A DEL from a pool says something only where it meets the lock of
// another host, and a GET alone says nothing within a pool.
func (m *model) provable() bool {
	switch m.release {
	case "script", "redisson":
		return true
	case "del":
		return !m.fault.near && (m.fault.apart && m.fault.hit || m.pick == "own")
	}
	return !m.fault.near && m.fault.apart
}
