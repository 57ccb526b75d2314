package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
)

// A log is the stream lockstep:LOG. Its first entry has the id 1-0, the next 2-0.
// Redis refuses an id that is not greater than the last. The script checks the length
// first, so it never writes after a gap. Redis runs a script without interruption.
//
// The link sends a command again if the connection breaks before the answer arrives.
// Each entry carries a random id, by which the script recognises an entry that Redis kept
// the first time.
//
// lockstep:owner:LOG names the owner of a log. lockstep:taken:OWNER counts the bytes
// that an owner has added within a day, across all servers. The day begins with its first
// entry and ends when the key expires. If the key holds anything but a number, the script
// counts from zero. Otherwise the owner could begin no log until the key expires.
//
// A log with keep 0 is lasting.
//
// lockstep:gone:LOG stands for a log that was forgotten for good, until no server can have a copy that it would
// bring back.
//
// The script returns the number of entries before the append, forgotten if the log was, outOfShare if the owner has
// used up its share, or outOfRoom if a new log does not fit.
var appendScript = newScript(`
if redis.call('EXISTS', KEYS[3]) == 1 then
	return -3
end
local log, owned, n, id, entry, nonce, keep, channel, news, owner, share, cost, day, full = KEYS[1], KEYS[2], tonumber(ARGV[1]), unpack(ARGV, 2)
local entries = redis.call('XLEN', log)
if entries > n then
	local there = redis.call('XRANGE', log, id, id)[1]
	if there and there[2][4] == nonce then
		return n
	end
elseif entries == n then
	if n > 0 then
		owner, share = redis.pcall('GET', owned), share * 5 / 4
		if type(owner) ~= 'string' then
			owner = ''
		end
	end
	local taken, has = 'lockstep:taken:' .. owner, 0
	if owner ~= '' then
		has = redis.pcall('GET', taken) or '0'
		if type(has) ~= 'string' or #has > 15 or not has:match('^%d+$') then
			redis.call('DEL', taken)
			has = '0'
		end
		if tonumber(share) > 0 and has + cost > tonumber(share) then
			return -1
		end
	end
	if n == 0 and full == '1' then
		return -2
	end
	redis.call('XADD', log, id, 'e', entry, 'id', nonce)
	if keep == '0' then
		redis.call('PERSIST', log)
	else
		redis.call('PEXPIRE', log, keep)
	end
	if owner ~= '' then
		redis.call('SET', owned, owner)
		if keep ~= '0' then
			redis.call('PEXPIRE', owned, keep)
		end
		if redis.call('INCRBY', taken, cost) == tonumber(cost) then
			redis.call('PEXPIRE', taken, day)
		end
	end
	redis.call('PUBLISH', channel, news)
end
return entries
`)

// A Redis that is full refuses to set a key, unless the script has deleted something before. Nobody appends in between.
var forgetScript = newScript(`
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('SET', KEYS[3], '', 'PX', ARGV[1])
return redis.call('PUBLISH', ARGV[2], ARGV[3])
`)

const (
	outOfShare = -1
	outOfRoom  = -2
	forgotten  = -3
)

const (
	betweenTries = time.Second // between attempts to follow an unreachable Redis
	readAtOnce   = 1000        // entries: a long log does not hold up others

	betweenMeasures = time.Second
	pingAge         = time.Minute // the key of a ping expires after it
)

type streams struct {
	link    *link
	options Options
	channel string        // for news between servers
	self    string        // the id of this server
	quiet   time.Duration // after such a silence a follower checks its connection

	damages damages
	panics  panics

	measuring   sync.Mutex
	measured    time.Time // of the last memory figures; measuring guards it
	alarm       alarm
	taken, most atomic.Int64 // memory that Redis uses, and that new logs may fill, in bytes; most 0: no bound

	open   context.Context // until Close
	close  context.CancelFunc
	follow sync.WaitGroup
}

// Redis returns a store that keeps its logs in the Redis at an address: redis://, rediss://
// for TLS, or unix://. Many servers may share that Redis. It may start later; until then
// Read and Append fail.
func Redis(address string, o Options) (Store, error) {
	l, err := newLink(address)
	if err != nil || strings.Contains(address, "#") {
		// The cause quotes the address, which may have the password in it.
		return nil, errors.New("store: the address of Redis is not of the form redis://user:password@host:port/number; in a password the signs / ? # @ : % are written %2F %3F %23 %40 %3A %25")
	}
	o = o.withDefaults(0, 0)
	s := &streams{
		link:    l,
		options: o,
		damages: damages{logger: o.Logger}, panics: panics{logger: o.Logger},
		channel: "lockstep:news:" + strconv.Itoa(l.database), // a channel is not part of a database
		self:    rand.Text(),
		quiet:   5 * time.Second,
	}
	s.open, s.close = context.WithCancel(context.Background())
	return s, nil
}

func key(log string) string { return "lockstep:" + log }

func keyOfOwner(log string) string { return "lockstep:owner:" + log }

func keyOfGrave(log string) string { return "lockstep:gone:" + log }

// id returns the stream id of an entry with n entries before it.
func id(n int) string { return strconv.Itoa(n+1) + "-0" }

func (s *streams) Append(ctx context.Context, log string, n int, entry []byte) error {
	if n >= maxEntries {
		return ErrLong
	}
	cost := int64(len(entry)) + entryBytes
	if n == 0 {
		cost += logBytes
		s.measure(ctx)
	}
	most := s.most.Load()
	full := 0
	if most > 0 && s.taken.Load()+cost > most && !lasting(log) {
		full = 1
	}
	keep := s.options.Keep
	if lasting(log) {
		keep = 0
	}
	entries, err := redis.Int(appendScript.run(ctx, s.link, []string{key(log), keyOfOwner(log), keyOfGrave(log)},
		n, id(n), seal(log, n, entry), rand.Text(), keep.Milliseconds(), s.channel, s.self+" "+log,
		ownerOf(ctx), most/sharePart, cost, sharePeriod.Milliseconds(), full))
	switch {
	case says(err, "OOM"):
		return fmt.Errorf("%w: append to %s: %w", ErrFull, key(log), err)
	case err != nil:
		return s.mistyped(log, n, fmt.Errorf("store: append to %s: %w", key(log), err))
	case entries == outOfShare:
		return ErrShare
	case entries == outOfRoom:
		return ErrFull
	case entries == forgotten:
		return ErrGone
	}
	return compare(entries, n)
}

// measure asks Redis, at most once a second, how much memory it uses and may use. New
// logs may fill four fifths; the rest is the reserve for existing logs. If Redis does not
// answer, the last figures stay valid.
func (s *streams) measure(ctx context.Context) {
	if !s.measuring.TryLock() {
		return // another goroutine is asking
	}
	defer s.measuring.Unlock()
	if time.Since(s.measured) < betweenMeasures {
		return
	}
	s.measured = time.Now()
	text, err := redis.String(s.link.do(ctx, "INFO", "memory"))
	if err != nil {
		return
	}
	var all int64
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		bytes, err := strconv.ParseInt(value, 10, 64)
		switch {
		case err != nil:
		case name == "used_memory":
			s.taken.Store(bytes)
		case name == "maxmemory":
			all = bytes
		}
	}
	s.most.Store(all * reservePart / (reservePart + 1))
	s.alarm.tell(s.taken.Load(), s.most.Load(), s.options.Logger)
}

func (s *streams) Read(ctx context.Context, log string, n int) ([][]byte, error) {
	if lasting(log) {
		// Older servers set an expiry. If Persist fails, the next start tries again.
		_, _ = s.link.do(ctx, "PERSIST", key(log))
	}
	var entries [][]byte
	for {
		next := n + len(entries)
		some, err := redis.Values(s.link.do(ctx, "XRANGE", key(log), id(next), "+", "COUNT", readAtOnce))
		if err != nil {
			return nil, s.mistyped(log, n, fmt.Errorf("store: read %s: %w", key(log), err))
		}
		var records [][]byte
		for i, message := range some {
			at, record := sealed(message)
			if record == nil || at != id(next+i) {
				return nil, fmt.Errorf("store: read %s: %s stands where %s should: %w", key(log), at, id(next+i), ErrLost)
			}
			records = append(records, record)
		}
		opened, err := s.damages.unseal(log, next, records)
		if err != nil {
			return nil, err
		}
		entries = append(entries, opened...)
		if next == n && len(some) == 0 { // a log that is there answers at least with the entry that its reader knows
			switch gone, err := redis.Int(s.link.do(ctx, "EXISTS", keyOfGrave(log))); {
			case err != nil:
				return nil, fmt.Errorf("store: read %s: %w", key(log), err)
			case gone > 0:
				return nil, ErrGone
			}
		}
		if len(some) < readAtOnce {
			return entries, nil
		}
	}
}

// sealed returns the id of a message in a stream, and the record in it; nil: it has none.
func sealed(message any) (id string, record []byte) {
	parts, err := redis.Values(message, nil)
	if err != nil || len(parts) != 2 {
		return "", nil
	}
	id, _ = redis.String(parts[0], nil)
	fields, _ := redis.ByteSlices(parts[1], nil)
	for i := 0; i+1 < len(fields); i += 2 {
		if string(fields[i]) == "e" {
			record = fields[i+1]
		}
	}
	return id, record
}

// mistyped returns ErrDamaged if the key of a log holds anything but a stream.
func (s *streams) mistyped(log string, n int, err error) error {
	if says(err, "WRONGTYPE") {
		err = damaged(log, n, err)
		s.damages.found(place{log, n}, err)
	}
	return err
}

func (s *streams) Delete(ctx context.Context, log string) error {
	if _, err := s.link.do(ctx, "DEL", key(log), keyOfOwner(log)); err != nil {
		return fmt.Errorf("store: delete %s: %w", key(log), err)
	}
	return nil
}

// Forget tells the other servers of each log, so that they let go of their copies. A Redis that writes an append-only file keeps what was
// written there until it rewrites the file.
func (s *streams) Forget(ctx context.Context, logs []string) error {
	for some := range slices.Chunk(logs, readAtOnce) {
		var commands []command
		for _, log := range some {
			commands = append(commands, command{"EVAL", forgetScript.text, 3, key(log), keyOfOwner(log), keyOfGrave(log), s.options.Keep.Milliseconds(), s.channel, s.self + " " + log})
		}
		if _, err := s.link.all(ctx, commands...); err != nil {
			return fmt.Errorf("store: forget %s and others: %w", key(some[0]), err)
		}
	}
	return nil
}

func (s *streams) Names(ctx context.Context) (names []string, err error) {
	for cursor := "0"; ; {
		answer, err := redis.Values(s.link.do(ctx, "SCAN", cursor, "MATCH", key("*/*"), "COUNT", readAtOnce))
		var keys []string
		if err == nil {
			_, err = redis.Scan(answer, &cursor, &keys)
		}
		if err != nil {
			return nil, fmt.Errorf("store: the names of logs: %w", err)
		}
		for _, key := range keys {
			if name := strings.TrimPrefix(key, "lockstep:"); !lasting(name) && !strings.Contains(name, ":") { // lockstep:owner:… has no log
				names = append(names, name)
			}
		}
		if cursor == "0" {
			break
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil // SCAN may give a key twice
}

func (s *streams) Tell(ctx context.Context, log string, message []byte) error {
	if _, err := s.link.do(ctx, "PUBLISH", s.channel, s.self+" "+log+" "+string(message)); err != nil {
		return fmt.Errorf("store: tell about %s: %w", key(log), err)
	}
	return nil
}

// Ping writes a key that only this server uses and reads it back. The key soon expires.
func (s *streams) Ping(ctx context.Context) error {
	s.measure(ctx)
	name, wrote := "lockstep:ping:"+s.self, rand.Text()
	answers, err := s.link.all(ctx, command{"SET", name, wrote, "EX", int(pingAge.Seconds())}, command{"GET", name})
	if err != nil {
		return &Failure{redisReason(err), err}
	}
	if read, _ := redis.String(answers[1], nil); read != wrote {
		return &Failure{"Redis does not give back what it was given", fmt.Errorf("%q instead of %q", read, wrote)}
	}
	return nil
}

// redisReason returns a few words that say why Redis refused a command.
func redisReason(err error) string {
	switch {
	case says(err, "OOM"):
		return "Redis is full"
	case says(err, "MISCONF"):
		return "Redis cannot write to its disk"
	case says(err, "READONLY"):
		return "Redis is read-only"
	case says(err, "LOADING"):
		return "Redis is still loading"
	case says(err, "NOAUTH"), says(err, "WRONGPASS"), says(err, "NOPERM"):
		return "Redis refuses the user"
	}
	return "Redis does not answer"
}

func (s *streams) Stats() Stats {
	return Stats{Bytes: s.taken.Load(), MaxBytes: s.most.Load(), Damaged: s.damages.count(), Panics: s.panics.n.Load()}
}

func (s *streams) Close() error {
	s.close()
	s.follow.Wait()
	return s.link.close()
}

func (s *streams) Follow(call func(News)) {
	s.follow.Go(s.panics.survives(func() {
		for s.open.Err() == nil {
			s.panics.survives(func() { s.listen(s.calls(call)) })()
			select {
			case <-time.After(betweenTries):
			case <-s.open.Done():
			}
		}
	}))
}

// calls returns a function that calls back and survives a panic there.
func (s *streams) calls(call func(News)) func(News) {
	return func(n News) { s.panics.survives(func() { call(n) })() }
}

// listen calls back with the news of one connection until the connection breaks. Redis
// closes a connection whose client reads too slowly. Pings draw an answer out of a
// connection without news.
func (s *streams) listen(call func(News)) {
	conn, err := s.link.dial(s.open)
	if err != nil {
		return
	}
	listening, stop := context.WithCancel(s.open)
	defer stop()
	defer context.AfterFunc(listening, s.panics.survives(func() { conn.Close() }))()
	defer conn.Close()
	news := redis.PubSubConn{Conn: conn}
	if news.Subscribe(s.channel) != nil {
		return
	}
	s.follow.Go(s.panics.survives(func() {
		for {
			select {
			case <-time.After(s.quiet):
			case <-listening.Done():
				return
			}
			if news.Ping("") != nil {
				return // listen notices
			}
		}
	}))
	for {
		switch received := news.ReceiveWithTimeout(2 * s.quiet).(type) {
		case error:
			return
		case redis.Subscription:
			call(News{})
		case redis.Message:
			if news, ok := s.news(string(received.Data)); ok {
				call(news)
			}
		}
	}
}

// news parses another server's payload: its id, the log and the message, separated by
// blanks. The message may be missing.
func (s *streams) news(payload string) (n News, ok bool) {
	from, about, _ := strings.Cut(payload, " ")
	log, message, told := strings.Cut(about, " ")
	if from == s.self || log == "" {
		return News{}, false
	}
	n.Log = log
	if told {
		n.Message = []byte(message)
	}
	return n, true
}
