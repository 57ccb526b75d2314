package redis

import (
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"net"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"time"

	redigo "github.com/gomodule/redigo/redis"
)

const (
	patience    = 2 * time.Second // for a connection, and for an answer; then the link tries once more
	oldest      = time.Minute     // of a connection: after a failover, the address leads to another Redis
	connections = 10              // for each processor
)

// A link sends commands to one Redis over a few connections. If a connection breaks or times out, the link sends the
// command once more, on a new connection: Redis may have carried it out twice.
type link struct {
	network, address   string
	username, password string
	database           int
	tls                *tls.Config // nil: none
	connect            func(ctx context.Context, network, address string) (net.Conn, error)
	pool               redigo.Pool
}

var errAddress = errors.New("the address of Redis has another form")

// newLink parses an address: redis://user:password@host:port/number, the same with rediss for TLS, or
// unix://user:password@/path?db=number. It connects when there is something to send.
func newLink(address string) (*link, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	query := u.Query()
	if u.Opaque != "" || strings.Contains(address, "#") || len(query) > 1 || len(query) == 1 && len(query["db"]) != 1 {
		return nil, errAddress
	}
	l := &link{username: u.User.Username(), connect: (&net.Dialer{Timeout: patience}).DialContext}
	l.password, _ = u.User.Password()
	number := query.Get("db")
	switch {
	case u.Scheme == "redis", u.Scheme == "rediss":
		l.network, l.address = "tcp", net.JoinHostPort(cmp.Or(u.Hostname(), "localhost"), cmp.Or(u.Port(), "6379"))
		number = cmp.Or(number, strings.Trim(u.Path, "/"))
		if u.Scheme == "rediss" {
			l.tls = &tls.Config{MinVersion: tls.VersionTLS12}
		}
	case u.Scheme == "unix" && u.Path != "":
		l.network, l.address = "unix", u.Path
	default:
		return nil, errAddress
	}
	if l.database, err = strconv.Atoi(cmp.Or(number, "0")); err != nil || l.database < 0 {
		return nil, errAddress
	}
	most := connections * runtime.GOMAXPROCS(0)
	l.pool = redigo.Pool{DialContext: l.dial, MaxActive: most, MaxIdle: most, Wait: true, MaxConnLifetime: oldest}
	return l, nil
}

// dial returns a connection of its own, which is not one of the pool's.
func (l *link) dial(ctx context.Context) (redigo.Conn, error) {
	return redigo.DialContext(ctx, l.network, l.address,
		redigo.DialContextFunc(l.connect), redigo.DialReadTimeout(patience), redigo.DialWriteTimeout(patience), redigo.DialTLSHandshakeTimeout(patience),
		redigo.DialUsername(l.username), redigo.DialPassword(l.password), redigo.DialDatabase(l.database),
		redigo.DialUseTLS(l.tls != nil), redigo.DialTLSConfig(l.tls))
}

// do sends a command and returns the answer. It leaves off at the context's deadline. If somebody cancels the
// context, it still waits for the answer: an entry's writer wants to know.
func (l *link) do(ctx context.Context, name string, args ...any) (answer any, err error) {
	for _, open := range []func(context.Context) (redigo.Conn, error){l.pool.GetContext, l.dial} {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var conn redigo.Conn
		if conn, err = open(ctx); err != nil {
			return nil, err
		}
		wait := patience
		if deadline, ok := ctx.Deadline(); ok {
			wait = max(min(wait, time.Until(deadline)), time.Nanosecond) // 0 would be without end
		}
		answer, err = redigo.DoWithTimeout(conn, wait, name, args...)
		broken := conn.Err() != nil
		conn.Close()
		if !broken {
			break
		}
	}
	return answer, err
}

// A script runs within Redis without interruption.
type script struct{ text, hash string }

func newScript(text string) script {
	sum := sha1.Sum([]byte(text)) // Redis knows scripts by it
	return script{text, hex.EncodeToString(sum[:])}
}

// run runs a script, and sends its text only if Redis does not know it.
func (l *link) run(ctx context.Context, s script, args ...any) (any, error) {
	answer, err := l.do(ctx, "EVALSHA", append([]any{s.hash}, args...)...)
	if says(err, "NOSCRIPT") {
		answer, err = l.do(ctx, "EVAL", append([]any{s.text}, args...)...)
	}
	return answer, err
}

// says reports whether Redis has answered with an error that begins with a word.
func says(err error, word string) bool {
	said, ok := errors.AsType[redigo.Error](err)
	return ok && strings.HasPrefix(string(said), word)
}
