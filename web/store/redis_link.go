package store

import (
	"context"
	"crypto/sha1"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
)

const (
	patience    = 2 * time.Second      // for a connection, and for an answer; then the link tries once more
	pause       = 8 * time.Millisecond // between the two attempts
	idleFor     = 30 * time.Minute     // after that the pool closes an unused connection
	connections = 10                   // for each processor
)

// A link sends commands to one Redis over a few connections.
//
// If a connection breaks or times out, the link sends the commands once more, on a new connection: Redis may have
// carried them out twice. It does so too if a Redis refuses them for reasons that pass, such as a failover.
type link struct {
	network, address   string
	username, password string
	database           int
	tls                *tls.Config // nil: none

	pool  redis.Pool
	broke atomic.Int64 // when a connection last broke, in Unix nanoseconds: connections unused since then may be broken, too
}

// A command is its name and its arguments.
type command []any

// newLink parses an address: redis://user:password@host:port/number, the same with rediss for TLS, or
// unix://user:password@/path?db=number. It connects when there is something to send.
func newLink(address string) (*link, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if u.Opaque != "" || u.Fragment != "" {
		return nil, errors.New("a part of the address is unknown")
	}
	l := &link{username: u.User.Username()}
	l.password, _ = u.User.Password()
	number := ""
	switch u.Scheme {
	case "redis", "rediss":
		host, port := u.Hostname(), u.Port()
		if host == "" {
			host = "localhost"
		}
		if port == "" {
			port = "6379"
		}
		l.network, l.address, number = "tcp", net.JoinHostPort(host, port), strings.Trim(u.Path, "/")
		if u.Scheme == "rediss" {
			l.tls = &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
		}
	case "unix":
		if l.network, l.address = "unix", u.Path; strings.TrimSpace(u.Path) == "" {
			return nil, errors.New("the path of the socket is missing")
		}
	default:
		return nil, errors.New("the scheme is unknown")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, err
	}
	for name, values := range query {
		if name != "db" || len(values) != 1 {
			return nil, errors.New("only db may stand behind the question mark, once")
		}
		if values[0] != "" {
			number = values[0]
		}
	}
	if number != "" {
		if l.database, err = strconv.Atoi(number); err != nil || l.database < 0 {
			return nil, errors.New("the database is not a number")
		}
	}
	most := connections * runtime.GOMAXPROCS(0)
	l.pool = redis.Pool{
		DialContext: l.dial, MaxActive: most, MaxIdle: most, Wait: true, IdleTimeout: idleFor,
		TestOnBorrow: func(_ redis.Conn, used time.Time) error {
			if used.UnixNano() <= l.broke.Load() {
				return net.ErrClosed
			}
			return nil
		},
	}
	return l, nil
}

// dial returns a connection of its own, which is not one of the pool's.
func (l *link) dial(ctx context.Context) (redis.Conn, error) {
	return redis.DialContext(ctx, l.network, l.address,
		redis.DialConnectTimeout(patience), redis.DialReadTimeout(patience), redis.DialWriteTimeout(patience), redis.DialTLSHandshakeTimeout(patience),
		redis.DialUsername(l.username), redis.DialPassword(l.password), redis.DialDatabase(l.database),
		redis.DialUseTLS(l.tls != nil), redis.DialTLSConfig(l.tls))
}

// close closes the connections that nobody uses, and each of the others after its use.
func (l *link) close() error { return l.pool.Close() }

// do sends a command and returns the answer.
func (l *link) do(ctx context.Context, name string, args ...any) (any, error) {
	answers, err := l.all(ctx, append(command{name}, args...))
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}

// all sends commands together and returns their answers, or the first error among them. It leaves off at the context's
// deadline. If somebody cancels the context, it still waits for the answer: an entry's writer wants to know.
func (l *link) all(ctx context.Context, commands ...command) ([]any, error) {
	answers, err := l.once(ctx, commands)
	if err == nil || !passes(ctx, err) {
		return answers, err
	}
	select {
	case <-time.After(pause):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return l.once(ctx, commands)
}

func (l *link) once(ctx context.Context, commands []command) (answers []any, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := l.pool.GetContext(waiting)
	if err != nil {
		if ctx.Err() == nil && waiting.Err() != nil {
			err = fmt.Errorf("no connection within %s: %w", patience, os.ErrDeadlineExceeded)
		}
		return nil, err
	}
	defer func() {
		broken := conn.Err() != nil
		conn.Close()
		if broken || refusedForNow(err) {
			l.broke.Store(time.Now().UnixNano()) // after Close, which notes when the connection was last used
		}
	}()
	for _, c := range commands {
		if err := conn.Send(c[0].(string), c[1:]...); err != nil {
			return nil, err
		}
	}
	if err := conn.Flush(); err != nil {
		return nil, err
	}
	var first error
	for range commands {
		wait := patience
		if deadline, ok := ctx.Deadline(); ok {
			wait = max(min(wait, time.Until(deadline)), time.Nanosecond) // 0 would be without end
		}
		answer, err := redis.ReceiveWithTimeout(conn, wait)
		if conn.Err() != nil { // the connection is broken
			if late, ok := errors.AsType[net.Error](err); ok && late.Timeout() && wait < patience {
				err = context.DeadlineExceeded
			}
			return nil, err
		}
		if err != nil && first == nil {
			first = err
		}
		answers = append(answers, answer)
	}
	if first != nil {
		return nil, first
	}
	return answers, nil
}

// passes reports whether the same commands may succeed on another connection.
func passes(ctx context.Context, err error) bool {
	if said, ok := errors.AsType[redis.Error](err); ok {
		return refusedForNow(said)
	}
	return ctx.Err() == nil && !errors.Is(err, context.DeadlineExceeded)
}

// refusedForNow reports whether a Redis has refused a command for a reason that may not hold for the next connection: it is
// a replica since a failover, it has just started, or it has too many clients.
func refusedForNow(err error) bool {
	for _, prefix := range []string{"READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "max number of clients"} {
		if says(err, prefix) {
			return true
		}
	}
	return false
}

// says reports whether Redis has answered with an error that begins with a word.
func says(err error, prefix string) bool {
	said, ok := errors.AsType[redis.Error](err)
	return ok && strings.HasPrefix(strings.TrimPrefix(string(said), "ERR "), prefix)
}

// A script runs within Redis without interruption.
type script struct{ text, hash string }

func newScript(text string) script {
	sum := sha1.Sum([]byte(text)) // Redis knows scripts by it
	return script{text, hex.EncodeToString(sum[:])}
}

// run runs a script, and sends its text only if Redis does not know it.
func (s script) run(ctx context.Context, l *link, keys []string, args ...any) (any, error) {
	given := command{len(keys)}
	for _, key := range keys {
		given = append(given, key)
	}
	given = append(given, args...)
	answer, err := l.do(ctx, "EVALSHA", append(command{s.hash}, given...)...)
	if says(err, "NOSCRIPT") {
		answer, err = l.do(ctx, "EVAL", append(command{s.text}, given...)...)
	}
	return answer, err
}
