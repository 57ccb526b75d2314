package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/engine/testtools"
	"lockstep/web"
	"lockstep/web/door"
)

// With the lines of web/DEPLOY.md, each proxy passes pages and sockets over https, and
// the server sees the visitor's address.
func TestProxiesOfTheGuidePassEverything(t *testing.T) {
	testtools.Exhaustive(t, "it runs nginx and Caddy")
	t.Parallel()
	for _, proxy := range []struct {
		name, language string
		config         func(lines, listen, cert, key, dir string) string
		arguments      func(config string) []string
		path           func(lines, base string) string
	}{
		{
			"nginx", "nginx",
			func(lines, listen, cert, key, dir string) string {
				return fmt.Sprintf("daemon off; pid %[5]s/pid; error_log %[5]s/error;\nevents {}\nhttp {\naccess_log off; client_body_temp_path %[5]s/1; proxy_temp_path %[5]s/2; fastcgi_temp_path %[5]s/3; uwsgi_temp_path %[5]s/4; scgi_temp_path %[5]s/5;\n"+
					"server { listen %[2]s ssl; ssl_certificate %[3]s; ssl_certificate_key %[4]s;\n%[1]s}\n}\n", lines, listen, cert, key, dir)
			},
			func(config string) []string { return []string{"-c", config} },
			func(lines, base string) string {
				return strings.NewReplacer("location / ", "location "+base+"/ ", "= /metrics", "= "+base+"/metrics").Replace(lines)
			},
		},
		{
			"caddy", "caddyfile",
			func(lines, listen, cert, key, dir string) string {
				return "{\nadmin off\nauto_https off\n}\n" + strings.Replace(lines, "lockstep.example {", "https://"+listen+" {\ntls "+cert+" "+key+"\n", 1)
			},
			func(config string) []string { return []string{"run", "--adapter", "caddyfile", "--config", config} },
			func(lines, base string) string {
				return strings.NewReplacer("reverse_proxy ", "reverse_proxy "+base+"/* ", "respond /metrics", "respond "+base+"/metrics").Replace(lines)
			},
		},
	} {
		for _, base := range []string{"", "/tools/lockstep"} {
			t.Run(proxy.name+base, func(t *testing.T) {
				program := testtools.Find(t, proxy.name)
				page := try(os.ReadFile("../DEPLOY.md")).orFail(t)
				lines := regexp.MustCompile("(?s)```" + proxy.language + "\n(.*?)```").FindStringSubmatch(string(page))
				if lines == nil {
					t.Fatal("web/DEPLOY.md has no lines for it")
				}
				dir, public := t.TempDir(), free(t)
				direct := listening(t, web.Options{
					BasePath: base, PublicURL: "https://" + public + base, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Metrics: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
					Limits: door.Limits{Sockets: 1},
				})
				cert, key := certificate(t, dir)
				config := filepath.Join(dir, "config")
				text := strings.Replace(lines[1], "127.0.0.1:8080", direct, 1)
				if base != "" {
					text = proxy.path(text, base)
				}
				must(t, os.WriteFile(config, []byte(proxy.config(text, public, cert, key, dir)), 0o600))
				process := exec.Command(program, proxy.arguments(config)...)
				process.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
				said := try(os.Create(filepath.Join(dir, "said"))).orFail(t)
				process.Stderr = said
				must(t, process.Start())
				t.Cleanup(func() {
					_ = process.Process.Signal(os.Interrupt)
					_ = process.Wait() // how it ends is its own business
					if t.Failed() {
						text, _ := os.ReadFile(said.Name())
						t.Logf("%s says\n%s", proxy.name, text)
					}
				})
				through(t, public, direct, base)
			})
		}
	}
}

// through visits a site through a proxy, from several addresses of this machine.
func through(t *testing.T, public, direct, base string) {
	t.Helper()
	from := func(address string) *net.Dialer {
		return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	}
	trust := &tls.Config{InsecureSkipVerify: true} // the certificate of this test
	client := &http.Client{Transport: &http.Transport{DialContext: from("127.0.0.2").DialContext, TLSClientConfig: trust}}
	defer client.CloseIdleConnections()
	ask := func(path string) (*http.Response, string) {
		t.Helper()
		var r *http.Response
		var err error
		there := testtools.Eventually(func() bool { // the proxy may still start
			r, err = client.Get("https://" + public + base + path)
			return err == nil
		})
		if !there {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body := try(io.ReadAll(r.Body)).orFail(t)
		return r, string(body)
	}
	page, _ := ask("/t/aaaaaaaaaa?lang=zh")
	prefix := "__Host-"
	if base != "" {
		prefix = "__Secure-"
	}
	var cookies []string
	for _, c := range page.Cookies() {
		cookies = append(cookies, c.Name)
		if !c.Secure {
			t.Errorf("the cookie %v is not for https only", c)
		}
	}
	if want := []string{prefix + "lang", prefix + "visitor"}; page.StatusCode != http.StatusOK || !slices.Equal(cookies, want) {
		t.Errorf("the page is answered with %s and the cookies %q, want %q", page.Status, cookies, want)
	}
	for host, want := range map[string]int{public: http.StatusOK, "evil.example": http.StatusMisdirectedRequest, direct: http.StatusMisdirectedRequest} { // as a proxy hands it on
		q := try(http.NewRequest("GET", "http://"+direct+base+"/", nil)).orFail(t)
		q.Host = host
		q.Header.Set("X-Forwarded-For", "203.0.113.5")
		r := try(http.DefaultClient.Do(q)).orFail(t)
		if r.Body.Close(); r.StatusCode != want {
			t.Errorf("a proxy that hands on the host %s is answered with %s", host, r.Status)
		}
	}
	if r, _ := ask("/metrics"); r.StatusCode != http.StatusNotFound {
		t.Errorf("the metrics are answered with %s", r.Status)
	}
	if r, body := ask("/healthz"); r.StatusCode != http.StatusOK || body != "ok\n" {
		t.Errorf("the health is %s: %s", r.Status, body)
	}
	get(t, "http://"+direct+base+"/metrics", http.StatusOK)

	socket := func(address, madeUp string) (*websocket.Conn, *http.Response) {
		dialer := websocket.Dialer{NetDialContext: from(address).DialContext, TLSClientConfig: trust}
		conn, r, err := dialer.Dial("wss://"+public+base+"/t/aaaaaaaaaa/live", http.Header{"X-Forwarded-For": {madeUp}, "Origin": {"https://" + public}})
		if err != nil {
			return nil, r
		}
		t.Cleanup(func() { conn.Close() })
		return conn, r
	}
	first, r := socket("127.0.0.2", "203.0.113.5")
	if first == nil {
		t.Fatalf("no socket gets through: %v", r)
	}
	if _, hello, err := first.ReadMessage(); err != nil || !strings.Contains(string(hello), `"type":"hello"`) {
		t.Errorf("the socket says %.80s (%v)", hello, err)
	}
	if err := first.WriteMessage(websocket.TextMessage, []byte(`{"type":"act","id":"a","at":0,"action":"spawn C1 naive"}`)); err != nil {
		t.Error(err)
	}
	if _, events, err := first.ReadMessage(); err != nil || !strings.Contains(string(events), `"type":"events"`) {
		t.Errorf("the socket says %.80s (%v)", events, err)
	}
	if again, r := socket("127.0.0.2", "203.0.113.6"); again != nil || r == nil || r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a made-up address is another visitor: %v", r)
	}
	if other, r := socket("127.0.0.3", "203.0.113.5"); other == nil {
		t.Errorf("another visitor is taken for the first: %v", r)
	}
}

// listening starts a server in this process that ends with the test, and returns its address.
func listening(t *testing.T, o web.Options) string {
	t.Helper()
	l := try(net.Listen("tcp", "127.0.0.1:0")).orFail(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- web.New(o).Serve(ctx, l, 0) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// free returns an address on which nobody listens. The port of a connection is above 32,767 on Linux, so that none
// takes it before the proxy does.
func free(t *testing.T) string {
	t.Helper()
	for {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20_000+mathrand.IntN(12_000)))
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return l.Addr().String()
	}
}

// certificate writes one for this machine, with its key.
func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	private := try(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)).orFail(t)
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.ParseIP("127.0.0.1")}}
	signed := try(x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)).orFail(t)
	secret := try(x509.MarshalECPrivateKey(private)).orFail(t)
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600))
		return path
	}
	return write("cert.pem", "CERTIFICATE", signed), write("key.pem", "EC PRIVATE KEY", secret)
}
