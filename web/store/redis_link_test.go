package store

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestAddressesOfRedis(t *testing.T) {
	for address, want := range map[string]*link{
		"redis://":        {network: "tcp", address: "localhost:6379"},
		"redis://host":    {network: "tcp", address: "host:6379"},
		"redis://host:1/": {network: "tcp", address: "host:1"},
		"redis://[::1]/3": {network: "tcp", address: "[::1]:6379", database: 3},
		"redis://teacher:a%2Fb%40@host:1/0?db=12": {network: "tcp", address: "host:1", username: "teacher", password: "a/b@", database: 12},
		"rediss://:secret@host/1":                 {network: "tcp", address: "host:6379", password: "secret", database: 1},
		"unix:///run/redis.sock":                  {network: "unix", address: "/run/redis.sock"},
		"unix://teacher:secret@/run/r.sock?db=2":  {network: "unix", address: "/run/r.sock", username: "teacher", password: "secret", database: 2},
		"redis://host/1/2":                        nil,
		"redis://host/-1":                         nil,
		"redis://host?db=x":                       nil,
		"redis://host?db=1&db=2":                  nil,
		"redis://host?pool_size=3":                nil,
		"redis:host":                              nil,
		"unix://":                                 nil,
		"https://host":                            nil,
		"redis://host/1;2":                        nil,
	} {
		l, err := newLink(address)
		if want == nil {
			if err == nil {
				t.Errorf("%s is an address", address)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if l.network != want.network || l.address != want.address || l.username != want.username || l.password != want.password || l.database != want.database {
			t.Errorf("%s: %s %s, %s, %s, %d", address, l.network, l.address, l.username, l.password, l.database)
		}
		if (l.tls != nil) != strings.HasPrefix(address, "rediss:") {
			t.Errorf("%s: TLS is %v", address, l.tls)
		}
	}
}

// Redis knows users by a name and a password, or by a password alone.
func TestRedisWantsAPassword(t *testing.T) {
	server := startRedis(t)
	client := server.client()
	if _, err := client.Do("ACL", "SETUSER", "teacher", "on", ">of a class", "~*", "&*", "+@all"); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Do("CONFIG", "SET", "requirepass", "sesame"); err != nil {
		t.Fatal(err)
	}
	for user, reason := range map[string]string{"": "Redis refuses the user", ":sesame@": "", "teacher:of%20a%20class@": "", "teacher:sesame@": "Redis refuses the user"} {
		s := openRedis(t, "unix://"+user+server.Socket, Options{})
		healthy(t, s, reason)
		if reason == "" {
			if n := <-heard(s); n.Log != "" {
				t.Errorf("heard %+v", n)
			}
		}
		s.Close()
	}
}

// A link speaks TLS with rediss, and believes only a server that proves its name.
func TestRedisBehindTLS(t *testing.T) {
	server := startRedis(t)
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: private}}})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() { listener.Close(); all.Wait() })
	all.Go(func() {
		for {
			outside, err := listener.Accept()
			if err != nil {
				return
			}
			inside, err := net.Dial("unix", server.Socket)
			if err != nil {
				t.Error(err)
				return
			}
			all.Go(func() { io.Copy(inside, outside); inside.Close() })
			all.Go(func() { io.Copy(outside, inside); outside.Close() })
		}
	})
	s := openRedis(t, "rediss://"+listener.Addr().String(), Options{})
	defer s.Close()
	healthy(t, s, "Redis does not answer") // nobody vouches for the certificate
	roots := x509.NewCertPool()
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots.AddCert(certificate)
	s.(*streams).link.tls.RootCAs = roots
	healthy(t, s, "")
	news := heard(s)
	<-news
	other := openRedis(t, server.URL(), Options{})
	defer other.Close()
	add(t, other, "t/a", 0, "x")
	if n := <-news; n.Log != "t/a" {
		t.Errorf("heard %+v", n)
	}
	read(t, s, "t/a", 0, "x")
}

// Redis starts anew while a server has many connections that nobody uses. The first command works, over a new one.
func TestUnusedConnectionsBreak(t *testing.T) {
	server := startRedis(t)
	s := openRedis(t, server.URL(), Options{})
	defer s.Close()
	l := s.(*streams).link
	add(t, s, "t/a", 0, "x")
	for deadline := time.Now().Add(10 * time.Second); l.pool.Stats().IdleCount < 3 && time.Now().Before(deadline); {
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() { _ = s.Ping(ctx) })
		}
		all.Wait()
	}
	if idle := l.pool.Stats().IdleCount; idle < 3 || idle > connections*runtime.GOMAXPROCS(0) {
		t.Fatalf("%d connections are unused", idle)
	}
	server.Kill()
	server.Start()
	add(t, s, "t/a", 1, "y")
	read(t, s, "t/a", 0, "x", "y")
}

// A Redis has become a replica, and its address now leads to another. The link tries once more, there, and only once.
func TestARefusalThatPasses(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	answers := make(chan string, 10)
	var all sync.WaitGroup
	t.Cleanup(func() { listener.Close(); all.Wait() })
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			answer := <-answers // one for each connection
			all.Go(func() {
				defer conn.Close()
				for r := bufio.NewReader(conn); ; {
					line, err := r.ReadString('\n')
					if err != nil {
						return
					}
					if line == "PUBLISH\r\n" {
						io.WriteString(conn, answer+"\r\n")
					}
				}
			})
		}
	})
	s := openRedis(t, "redis://"+listener.Addr().String(), Options{})
	defer s.Close()
	for _, said := range []string{"-READONLY You can't write against a read only replica.", "-LOADING Redis is loading the dataset in memory", "-ERR max number of clients reached"} {
		answers <- said
		answers <- ":1"
		if err := s.Tell(ctx, "t/a", nil); err != nil {
			t.Errorf("%s, then yes: %v", said, err)
		}
		s.(*streams).link.broke.Store(time.Now().UnixNano())
		answers <- said
		answers <- said
		if err := s.Tell(ctx, "t/a", nil); err == nil || !strings.Contains(err.Error(), said[1:10]) {
			t.Errorf("%s, twice: %v", said, err)
		}
	}
	answers <- "-NOPERM no"
	if err := s.Tell(ctx, "t/a", nil); err == nil || len(answers) != 0 {
		t.Errorf("a refusal that stays: %v", err)
	}
}
