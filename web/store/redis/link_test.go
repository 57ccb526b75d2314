package redis

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lockstep/web/store"
	. "lockstep/web/store/storetest"
)

func TestAddressesOfRedis(t *testing.T) {
	for address, want := range map[string]*link{
		"redis://":        {network: "tcp", address: "localhost:6379"},
		"redis://host:1/": {network: "tcp", address: "host:1"},
		"redis://[::1]/3": {network: "tcp", address: "[::1]:6379", database: 3},
		"redis://teacher:a%2Fb%40@host:1/0?db=12": {network: "tcp", address: "host:1", username: "teacher", password: "a/b@", database: 12},
		"rediss://:secret@host/1":                 {network: "tcp", address: "host:6379", password: "secret", database: 1},
		"unix://teacher:secret@/run/r.sock?db=2":  {network: "unix", address: "/run/r.sock", username: "teacher", password: "secret", database: 2},
	} {
		l, err := newLink(address)
		Must(t, err)
		if l.network != want.network || l.address != want.address || l.username != want.username || l.password != want.password || l.database != want.database {
			t.Errorf("%s: %s %s, %s, %s, %d", address, l.network, l.address, l.username, l.password, l.database)
		}
		if (l.tls != nil) != strings.HasPrefix(address, "rediss:") {
			t.Errorf("%s: TLS is %v", address, l.tls)
		}
	}
}

// No error about an address with a mistake, or about a Redis that refuses or is away, has the password in it.
func TestAPasswordIsNotInAnError(t *testing.T) {
	const secret = "hunter2"
	for _, address := range []string{
		"redis://:hunter2@ host", "redis://:hunter2@host:port", "redis://:hunter2/x@host", "redis://:x/hunter2@host", "redis://u:hunter2?x@host", "redis://u:1#hunter2@host",
		"redis://u:1?hunter2@host", "http://u:hunter2@host", "u:hunter2@host", "redis://u:%hunter2@host", "redis://u:hunter2@host/x", "redis://u:hunter2@host?read_timeout=hunter2",
		"redis://host/1/2", "redis://host/-1", "redis://host?db=x", "redis://host?db=1&db=2", "redis:host", "redis://host/1;2", "unix://", "hunter2", "",
	} {
		_, err := Open(address, store.Options{})
		if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "redis://user:password@host:port/number") {
			t.Errorf("%s: %v", address, err)
		}
	}
	r := startRedis(t, "--requirepass", "sesame")
	do := client(t, r)
	do("AUTH", "sesame")
	do("ACL", "SETUSER", "teacher", "on", ">of a class", "~*", "&*", "+@all")
	for u, reason := range map[*url.URL]string{
		{Scheme: "unix", Path: r.Socket}:                                                       "Redis refuses the user",
		{Scheme: "unix", Path: r.Socket, User: url.UserPassword("", secret)}:                   "Redis refuses the user",
		{Scheme: "unix", Path: r.Socket, User: url.UserPassword("teacher", secret)}:            "Redis refuses the user",
		{Scheme: "unix", Path: r.Socket, User: url.UserPassword("", "sesame")}:                 "",
		{Scheme: "unix", Path: r.Socket, User: url.UserPassword("teacher", "of a class")}:      "",
		{Scheme: "rediss", Host: "127.0.0.1:1", User: url.UserPassword("teacher", secret)}:     "Redis does not answer",
		{Scheme: "redis", Host: "no.invalid:6379", User: url.UserPassword("", secret+"/x?#@")}: "Redis does not answer",
	} {
		s := opened(t, u.String(), store.Options{})
		Healthy(t, s, reason)
		if reason == "" {
			heard(t, s)
			continue
		}
		for what, err := range map[string]error{"ping": s.Ping(Ctx), "append": s.Append(Ctx, "t/a", 0, nil), "tell": s.Tell(Ctx, "t/a", nil)} {
			if err == nil || strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %s: %v", u.Redacted(), what, err)
			}
		}
	}
}

// A bad network can lose an answer with its connection, and can fall silent without closing a connection.
type badNetwork struct {
	lose   atomic.Bool // the next answer
	silent atomic.Bool // for connections that exist
}

type badConn struct {
	net.Conn
	*badNetwork
	late bool // the connection is younger than the silence
}

func (c badConn) Read(b []byte) (n int, err error) {
	n, err = c.Conn.Read(b)
	for c.silent.Load() && !c.late && err == nil {
		n, err = c.Conn.Read(b)
	}
	if c.lose.CompareAndSwap(true, false) {
		return 0, errors.Join(io.EOF, c.Close())
	}
	return n, err
}

// The connection breaks before the answer arrives. The link sends the entry again, and Redis keeps it once. Then Redis
// falls silent without closing a connection. An append ends with its deadline, and a follower connects again and hears
// on.
func TestABadNetwork(t *testing.T) {
	url, bad := startRedis(t).URL(), &badNetwork{}
	s, other := opened(t, url, store.Options{}), opened(t, url, store.Options{})
	connect := s.(*streams).link.connect
	s.(*streams).link.connect = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := connect(ctx, network, address)
		return badConn{conn, bad, bad.silent.Load()}, err
	}
	s.(*streams).quiet = 20 * time.Millisecond
	Add(t, s, "t/a", 0, "x")
	bad.lose.Store(true)
	Add(t, s, "t/a", 1, "once")
	if bad.lose.Load() {
		t.Error("no answer was lost")
	}
	Add(t, s, "t/a", 2, "y")
	Read(t, s, "t/a", 0, "x", "once", "y")

	news := heard(t, s)
	bad.silent.Store(true)
	short, cancel := context.WithTimeout(Ctx, 20*time.Millisecond)
	defer cancel()
	if err := s.Append(short, "t/a", 3, []byte("z")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if n := <-news; n.Log != "" {
		t.Errorf("heard %+v", n)
	}
	for n := 0; ; n++ {
		Add(t, other, "t/b", n, "x")
		if heard := <-news; heard.Log == "t/b" { // a busy machine may fall silent again
			return
		}
	}
}
