package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// A log is the stream lockstep:LOG. Its first entry has the id 1-0, the next 2-0:
// Redis refuses an id that is not greater than the last, and the script looks first,
// so that nothing is written behind a gap either. Both happen at once, as a script
// is not interrupted.
//
// The client sends a command again when the connection breaks before the answer
// comes. So that an entry which was kept the first time is not taken for somebody
// else's, each carries a random id.
//
// The answer is how many entries there were.
var appendScript = redis.NewScript(`
local log, n, id, entry, nonce, keep, channel, news = KEYS[1], tonumber(ARGV[1]), unpack(ARGV, 2)
local entries = redis.call('XLEN', log)
if entries > n then
	local there = redis.call('XRANGE', log, id, id)[1]
	if there and there[2][4] == nonce then
		return n
	end
elseif entries == n then
	redis.call('XADD', log, id, 'e', entry, 'id', nonce)
	redis.call('PEXPIRE', log, keep)
	redis.call('PUBLISH', channel, news)
end
return entries
`)

const (
	patience     = 2 * time.Second // with a Redis that does not answer; after it, a command is tried once more
	betweenTries = time.Second     // to follow a Redis that is away
	readAtOnce   = 1000            // entries, so that others do not wait long for a long log
)

type streams struct {
	client  *redis.Client
	options Options
	channel string        // where servers tell each other
	self    string        // which of them this one is
	quiet   time.Duration // after it, a follower asks whether the connection is still there

	open   context.Context // until Close
	close  context.CancelFunc
	follow sync.WaitGroup
}

// Redis returns a store that keeps its logs in the Redis at an address, which many
// servers may share: redis://, rediss:// for TLS, or unix://. It need not be there
// yet; until it is, nothing can be read or added.
func Redis(address string, o Options) (Store, error) {
	options, err := redis.ParseURL(address)
	if err != nil || strings.Contains(address, "#") {
		// The cause would quote the address, and with it the password or, where one
		// of its signs ends the address early, a part of it.
		return nil, errors.New("store: the address of Redis is not of the form redis://user:password@host:port/number; in a password the signs / ? # @ : % are written %2F %3F %23 %40 %3A %25")
	}
	logging.Disable() // what goes wrong is in the errors
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	options.ContextTimeoutEnabled = true
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout, options.PoolTimeout = patience, patience, patience, patience
	options.DialerRetries = 1
	options.MaxRetries = 1
	s := &streams{
		client:  redis.NewClient(options),
		options: o.withDefaults(0),
		channel: "lockstep:news:" + strconv.Itoa(options.DB), // a channel is not part of a database
		self:    rand.Text(),
		quiet:   5 * time.Second,
	}
	s.open, s.close = context.WithCancel(context.Background())
	return s, nil
}

func key(log string) string { return "lockstep:" + log }

// id is that of the entry before which there are n.
func id(n int) string { return strconv.Itoa(n+1) + "-0" }

func (s *streams) Append(ctx context.Context, log string, n int, entry []byte) error {
	entries, err := appendScript.Run(ctx, s.client, []string{key(log)},
		n, id(n), entry, rand.Text(), s.options.Keep.Milliseconds(), s.channel, s.self+" "+log).Int()
	if err != nil {
		return fmt.Errorf("store: append to %s: %w", key(log), err)
	}
	return compare(entries, n)
}

func (s *streams) Read(ctx context.Context, log string, n int) ([][]byte, error) {
	var entries [][]byte
	for {
		next := n + len(entries)
		some, err := s.client.XRangeN(ctx, key(log), id(next), "+", readAtOnce).Result()
		if err != nil {
			return nil, fmt.Errorf("store: read %s: %w", key(log), err)
		}
		for i, message := range some {
			entry, ok := message.Values["e"].(string)
			if !ok || message.ID != id(next+i) {
				return nil, fmt.Errorf("store: read %s: %s stands where %s should: %w", key(log), message.ID, id(next+i), ErrLost)
			}
			entries = append(entries, []byte(entry))
		}
		if len(some) < readAtOnce {
			return entries, nil
		}
	}
}

func (s *streams) Delete(ctx context.Context, log string) error {
	if err := s.client.Del(ctx, key(log)).Err(); err != nil {
		return fmt.Errorf("store: delete %s: %w", key(log), err)
	}
	return nil
}

func (s *streams) Tell(ctx context.Context, log string, message []byte) error {
	if err := s.client.Publish(ctx, s.channel, s.self+" "+log+" "+string(message)).Err(); err != nil {
		return fmt.Errorf("store: tell about %s: %w", key(log), err)
	}
	return nil
}

func (s *streams) Ping(ctx context.Context) error {
	if err := s.client.Ping(ctx).Err(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

func (s *streams) Close() error {
	s.close()
	s.follow.Wait()
	return s.client.Close()
}

func (s *streams) Follow(call func(News)) {
	s.follow.Go(func() {
		for s.open.Err() == nil {
			s.listen(call)
			select {
			case <-time.After(betweenTries):
			case <-s.open.Done():
			}
		}
	})
}

// listen calls back with what one connection brings, until it is lost. Redis
// closes the connection of whoever takes too long to read.
func (s *streams) listen(call func(News)) {
	subscription := s.client.Subscribe(s.open, s.channel)
	defer subscription.Close()
	defer context.AfterFunc(s.open, func() { subscription.Close() })()
	asked := false
	for {
		received, err := subscription.ReceiveTimeout(s.open, s.quiet)
		if late, ok := errors.AsType[net.Error](err); ok && late.Timeout() && !asked {
			asked, err = true, subscription.Ping(s.open)
		} else if err == nil {
			asked = false
		}
		if err != nil {
			return
		}
		switch received := received.(type) {
		case *redis.Subscription:
			call(News{})
		case *redis.Message:
			if news, ok := s.news(received.Payload); ok {
				call(news)
			}
		}
	}
}

// news is what another server has sent: who it is, the log, and after another
// blank what it tells.
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
