package redis

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	redigo "github.com/gomodule/redigo/redis"

	"lockstep/web/store"
)

// A log is the stream lockstep:LOG. Its first entry has the id 1-0, the next 2-0. Redis refuses an id that is not
// greater than the last. The script checks the length first, so it never writes after a gap. Redis runs a script
// without interruption.
//
// The link sends a command again if the connection breaks before the answer arrives. Each entry carries a random id,
// by which the script recognises an entry that Redis kept the first time.
//
// lockstep:owner:LOG names the owner of a log. lockstep:taken:OWNER counts the bytes that an owner has added within a
// day, across all servers. The day begins with its first entry and ends when the key expires.
//
// A log with keep 0 is lasting.
//
// lockstep:gone:LOG stands for a log that was forgotten for good, until no server can have a copy that it would bring
// back.
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
		owner = redis.call('GET', owned) or ''
	end
	local taken = 'lockstep:taken:' .. owner
	if owner ~= '' and tonumber(share) > 0 and (redis.call('GET', taken) or 0) + cost > tonumber(share) then
		return -1
	end
	if n == 0 and full == '1' then
		return -2
	end
	redis.call('XADD', log, id, 'e', entry, 'id', nonce)
	if keep ~= '0' then
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

// A Redis that is full refuses to set a key, unless the script has deleted something before. Nobody appends in
// between.
var forgetScript = newScript(`
local keep, channel, self = unpack(ARGV, 1, 3)
for i = 4, #ARGV do
	local log = ARGV[i]
	redis.call('DEL', 'lockstep:' .. log, 'lockstep:owner:' .. log)
	redis.call('SET', 'lockstep:gone:' .. log, '', 'PX', keep)
	redis.call('PUBLISH', channel, self .. ' ' .. log)
end
`)

const (
	outOfShare = -1
	outOfRoom  = -2
	forgotten  = -3
)

const (
	betweenTries = time.Second // between attempts to follow an unreachable Redis
	readAtOnce   = 1000        // entries, or names: a long log does not hold up others

	betweenMeasures = time.Second
	pingAge         = time.Minute // the key of a ping expires after it
)

type streams struct {
	*store.Common
	link    *link
	channel string        // for news between servers
	self    string        // the id of this server
	quiet   time.Duration // after such a silence a follower checks its connection

	measuring sync.Mutex
	measured  time.Time // of the last memory figures; measuring guards it

	open   context.Context // until Close
	close  context.CancelFunc
	follow sync.WaitGroup
}

// Open returns a store that keeps its logs in the Redis at an address: redis://, rediss:// for TLS, or unix://. Many
// servers may share that Redis. It may start later; until then Read and Append fail.
func Open(address string, o store.Options) (store.Store, error) {
	l, err := newLink(address)
	if err != nil {
		// The cause quotes the address, which may have the password in it.
		return nil, errors.New("store: the address of Redis is not of the form redis://user:password@host:port/number; in a password the signs / ? # @ : % are written %2F %3F %23 %40 %3A %25")
	}
	s := &streams{
		Common:  store.NewCommon(o, 0),
		link:    l,
		channel: "lockstep:news:" + strconv.Itoa(l.database), // a channel is not part of a database
		self:    rand.Text(),
		quiet:   5 * time.Second,
	}
	s.open, s.close = context.WithCancel(context.Background())
	return s, nil
}

func key(log string) string { return "lockstep:" + log }

func keyOfGrave(log string) string { return key("gone:" + log) }

// id returns the stream id of an entry with n entries before it.
func id(n int) string { return strconv.Itoa(n+1) + "-0" }

func (s *streams) Append(ctx context.Context, log string, n int, entry []byte) error {
	if n >= store.MaxEntries {
		return store.ErrLong
	}
	if n == 0 {
		s.measure(ctx)
	}
	cost, stats, full, keep := store.Cost(n, entry), s.Stats(), 0, s.Keep.Milliseconds()
	if stats.MaxBytes > 0 && stats.Bytes+cost > stats.MaxBytes {
		full = 1
	}
	if store.Lasts(log) {
		full, keep = 0, 0
	}
	entries, err := redigo.Int(s.link.run(ctx, appendScript, 3, key(log), key("owner:"+log), keyOfGrave(log),
		n, id(n), store.Seal(log, n, entry), rand.Text(), keep, s.channel, s.self+" "+log,
		store.OwnerIn(ctx), store.MostOfShare(stats.MaxBytes, n), cost, store.ShareTime.Milliseconds(), full))
	switch {
	case says(err, "OOM"):
		return fmt.Errorf("%w: append to %s: %w", store.ErrFull, key(log), err)
	case err != nil:
		return fmt.Errorf("store: append to %s: %w", key(log), err)
	case entries == outOfShare:
		return store.ErrShare
	case entries == outOfRoom:
		return store.ErrFull
	case entries == forgotten:
		return store.ErrGone
	}
	return store.Admit(entries, n, 0, 0)
}

// measure asks Redis, at most once a second, how much memory it uses and may use. New logs may fill four fifths; the
// rest is the reserve for existing logs. If Redis does not answer, the last figures stay valid.
func (s *streams) measure(ctx context.Context) {
	if !s.measuring.TryLock() {
		return // another goroutine is asking
	}
	defer s.measuring.Unlock()
	if time.Since(s.measured) < betweenMeasures {
		return
	}
	s.measured = time.Now()
	text, err := redigo.String(s.link.do(ctx, "INFO", "memory"))
	if err != nil {
		return
	}
	figures := map[string]int64{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		figures[name], _ = strconv.ParseInt(value, 10, 64)
	}
	s.Takes(figures["used_memory"], figures["maxmemory"]*4/5)
}

func (s *streams) Read(ctx context.Context, log string, n int) ([][]byte, error) {
	var entries [][]byte
	for {
		next := n + len(entries)
		some, err := redigo.Values(s.link.do(ctx, "XRANGE", key(log), id(next), "+", "COUNT", readAtOnce))
		if err != nil {
			return nil, fmt.Errorf("store: read %s: %w", key(log), err)
		}
		var records [][]byte
		for i, message := range some {
			at, record := recordIn(message)
			if at != id(next+i) {
				return nil, fmt.Errorf("store: read %s: %s stands where %s should: %w", key(log), at, id(next+i), store.ErrLost)
			}
			records = append(records, record)
		}
		opened, err := s.Unseal(log, next, records)
		if err != nil {
			return nil, err
		}
		entries = append(entries, opened...)
		if next == n && len(some) == 0 { // a log that is there answers at least with the entry that its reader knows
			switch gone, err := redigo.Int(s.link.do(ctx, "EXISTS", keyOfGrave(log))); {
			case err != nil:
				return nil, fmt.Errorf("store: read %s: %w", key(log), err)
			case gone > 0:
				return nil, store.ErrGone
			}
		}
		if len(some) < readAtOnce {
			return entries, nil
		}
	}
}

// recordIn returns the id of a message in a stream, and the record in it; nil: it has none.
func recordIn(message any) (id string, record []byte) {
	parts, err := redigo.Values(message, nil)
	if err != nil || len(parts) != 2 {
		return "", nil
	}
	id, _ = redigo.String(parts[0], nil)
	if fields, _ := redigo.ByteSlices(parts[1], nil); len(fields) > 1 && string(fields[0]) == "e" {
		record = fields[1]
	}
	return id, record
}

func (s *streams) Delete(ctx context.Context, log string) error {
	if _, err := s.link.do(ctx, "DEL", key(log), key("owner:"+log)); err != nil {
		return fmt.Errorf("store: delete %s: %w", key(log), err)
	}
	return nil
}

// Forget notifies the other servers of each log, so that they let go of their copies. A Redis that writes an
// append-only file keeps what was written there until it rewrites the file.
func (s *streams) Forget(ctx context.Context, logs []string) error {
	for some := range slices.Chunk(logs, readAtOnce) {
		args := []any{0, s.Keep.Milliseconds(), s.channel, s.self}
		for _, log := range some {
			args = append(args, log)
		}
		if _, err := s.link.run(ctx, forgetScript, args...); err != nil {
			return fmt.Errorf("store: forget %s and others: %w", key(some[0]), err)
		}
	}
	return nil
}

func (s *streams) Names(ctx context.Context) (names []string, err error) {
	for cursor := ""; cursor != "0"; {
		answer, err := redigo.Values(s.link.do(ctx, "SCAN", cmp.Or(cursor, "0"), "MATCH", key("*/*"), "COUNT", readAtOnce))
		var keys []string
		if err == nil {
			_, err = redigo.Scan(answer, &cursor, &keys)
		}
		if err != nil {
			return nil, fmt.Errorf("store: the names of logs: %w", err)
		}
		for _, found := range keys {
			if name := strings.TrimPrefix(found, key("")); !store.Lasts(name) && !strings.Contains(name, ":") { // lockstep:owner:… is no log
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil // SCAN may give a key twice
}

// Ping writes a key that only this server uses and reads it back. The key soon expires.
func (s *streams) Ping(ctx context.Context) error {
	s.measure(ctx)
	name, wrote := key("ping:"+s.self), rand.Text()
	_, err := s.link.do(ctx, "SET", name, wrote, "EX", int(pingAge.Seconds()))
	var read string
	if err == nil {
		read, err = redigo.String(s.link.do(ctx, "GET", name))
	}
	if err != nil {
		return &store.Failure{Because: reason(err), Err: err}
	}
	if read != wrote {
		return &store.Failure{Because: "Redis does not give back what it was given", Err: fmt.Errorf("%q instead of %q", read, wrote)}
	}
	return nil
}

// reason returns a few words that say why Redis refused a command.
func reason(err error) string {
	for _, r := range []struct{ word, because string }{
		{"OOM", "Redis is full"}, {"MISCONF", "Redis cannot write to its disk"}, {"READONLY", "Redis is read-only"}, {"LOADING", "Redis is still loading"},
		{"NOAUTH", "Redis refuses the user"}, {"WRONGPASS", "Redis refuses the user"}, {"NOPERM", "Redis refuses the user"},
	} {
		if says(err, r.word) {
			return r.because
		}
	}
	return "Redis does not answer"
}

func (s *streams) Close() error {
	s.close()
	s.follow.Wait()
	return s.link.pool.Close()
}
