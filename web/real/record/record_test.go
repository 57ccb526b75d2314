package record

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/monitor"
	"lockstep/engine/redis"
	"lockstep/engine/testtools"
)

// A recorder is lockstep record in this process.
type recorder struct {
	*Command
	address string
	end     func() // ends it, and waits
	told    *bytes.Buffer
}

func start(t testing.TB, c *Command) *recorder {
	t.Helper()
	c.File, c.Listen = filepath.Join(t.TempDir(), "recording"), "127.0.0.1:0"
	if c.Limit == 0 {
		c.Limit = 1024
	}
	ctx, stop := context.WithCancel(context.Background())
	address, done := make(chan string, 1), make(chan error, 1)
	r := &recorder{Command: c, told: &bytes.Buffer{}}
	go func() { done <- c.record(ctx, r.told, func(a net.Addr) { address <- a.String() }) }()
	select {
	case r.address = <-address:
	case err := <-done:
		t.Fatal(err)
	}
	r.end = sync.OnceFunc(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(r.end)
	return r
}

func (r *recorder) text(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(r.File)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// records returns the lines after the header.
func (r *recorder) records(t testing.TB) (all []monitor.Record) {
	t.Helper()
	for line := range strings.Lines(r.text(t)) {
		var record monitor.Record
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if len(line) > monitor.MaxLine {
			t.Errorf("a line has %d bytes", len(line))
		}
		all = append(all, record)
	}
	return all[1:]
}

// ended waits until that many connections have closed: each has written all that it had by then.
func (r *recorder) ended(t testing.TB, connections int) {
	t.Helper()
	if !testtools.Eventually(func() bool { return strings.Count(r.text(t), `"close"`) >= connections }) {
		t.Fatalf("%d connections have not closed in\n%s", connections, r.text(t))
	}
}

// commands returns commands and replies, one each line.
func commands(all []monitor.Record) string {
	var b strings.Builder
	for _, r := range all {
		if r.Event == "" {
			fmt.Fprintf(&b, "%s => %s\n", r.Command, strings.ReplaceAll(r.Reply+r.Encoded, "\r\n", " "))
		}
	}
	return b.String()
}

// talk sends a text at once and returns n bytes or, for 0, everything until the other side closes.
func talk(t testing.TB, address, text string, until string) string {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(testtools.Patience))
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	in := bufio.NewReader(conn)
	for until == "" || !strings.HasSuffix(got.String(), until) {
		b, err := in.ReadByte()
		if err == io.EOF && until == "" {
			break
		}
		if err != nil {
			t.Fatalf("%v after %q", err, got.String())
		}
		got.WriteByte(b)
	}
	return got.String()
}

// asking connects, and returns a function that sends a command and returns the reply, and one that closes the connection.
func asking(t testing.TB, address string) (ask func(command ...string) string, hangUp func()) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetDeadline(time.Now().Add(testtools.Patience))
	replies := scanner{most: 1000}
	return func(command ...string) (reply string) {
		t.Helper()
		if _, err := io.WriteString(conn, redis.Encode(command)); err != nil {
			t.Fatal(err)
		}
		for piece := make([]byte, 1000); reply == ""; {
			n, err := conn.Read(piece)
			if err != nil {
				t.Fatalf("%q: %v", command, err)
			}
			if err := replies.feed(piece[:n], func(value []byte, _ bool) error { reply = string(value); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		return reply
	}, func() { conn.Close() }
}

func server(t testing.TB) string {
	t.Helper()
	host, port := testtools.RedisAt(t)
	return net.JoinHostPort(host, port)
}

// Commands are matched with their replies: one at a time, in pipelines, inline, in RESP2 and RESP3, in transactions, with
// binary arguments. The bytes that come back are those of Redis.
func TestCommandsAndReplies(t *testing.T) {
	r := start(t, &Command{To: server(t)})
	const text = "*5\r\n$3\r\nSET\r\n$8\r\nlock.foo\r\n$5\r\ntoken\r\n$2\r\nPX\r\n$5\r\n10000\r\n" + // RESP
		"GET lock.foo\r\n\r\nset  'a b' \"\\x00\\xff\"\n" + // inline, and an empty line
		"*2\r\n$3\r\nGET\r\n$3\r\na b\r\n*0\r\n" +
		"HELLO 3\r\nGET missing\r\nMULTI\r\nINCR n\r\nEXEC\r\nNOSUCH hunter2\r\nSELECT 1\r\nGET n\r\nQUIT\r\n"
	got := talk(t, r.address, text, "")
	if want := "+OK\r\n$5\r\ntoken\r\n+OK\r\n$2\r\n\x00\xff\r\n%7\r\n"; !strings.HasPrefix(got, want) {
		t.Errorf("Redis seems to answer %q", got)
	}
	r.ended(t, 1)
	all := r.records(t)
	lines := strings.Split(commands(all), "\n")
	for i, want := range []string{
		"SET lock.foo token PX 10000 => +OK", "GET lock.foo => $5 token", `set "a b" "\x00\xff" => +OK`, `GET "a b" => ` + "JDINCgD/", // in base64
		"HELLO 3 => %7", "GET missing => _", "MULTI => +OK", "INCR n => +QUEUED", "EXEC => *1 :1", "(unknown) => -ERR unknown command", "SELECT 1 => +OK", "GET n => _", "QUIT => +OK",
	} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("%d: %s, not %s", i, lines[i], want)
		}
	}
	for _, record := range all {
		if record.Event == "" && (record.Sent <= 0 || record.Replied < record.Sent) {
			t.Errorf("sent at %d, answered at %d", record.Sent, record.Replied)
		}
		if record.Command == "GET n" && record.DB != 1 || record.Command == "EXEC" && record.DB != 0 {
			t.Errorf("%s is in database %d", record.Command, record.DB)
		}
	}
	if strings.Contains(r.text(t), "hunter2") {
		t.Error("a word in the wrong place is written")
	}
}

// Passwords are never written, by whichever command they come, and however the client writes it.
func TestNoPasswordIsWritten(t *testing.T) {
	r := start(t, &Command{To: server(t)})
	got := talk(t, r.address, "AUTH hunter2\r\nauth default 'hunter2'\r\n*2\r\n$4\r\nAuth\r\n$7\r\nhunter2\r\nHELLO 3 AUTH default hunter2\r\n"+
		"CONFIG SET requirepass hunter2\r\nCONFIG GET requirepass\r\nACL SETUSER ann on >hunter2 ~* +@all\r\nACL LIST\r\nMIGRATE h 1 k 0 10 AUTH hunter2\r\nAUTH hunter2\r\nAUHT hunter2\r\nQUIT\r\n", "")
	if !strings.Contains(got, "hunter2") {
		t.Errorf("Redis did not repeat the password: %q", got) // CONFIG GET does
	}
	r.ended(t, 1)
	if text := r.text(t); strings.Contains(text, "hunter2") || strings.Count(text, hidden) < 10 {
		t.Error(text)
	}
}

// A subscriber gets all messages. In RESP2 nothing can be matched afterwards; in RESP3 messages are pushes, and
// other commands go on being matched.
func TestSubscribers(t *testing.T) {
	r := start(t, &Command{To: server(t)})
	plain, err := net.Dial("tcp", r.address)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	pushed, err := net.Dial("tcp", r.address)
	if err != nil {
		t.Fatal(err)
	}
	defer pushed.Close()
	read := func(conn net.Conn, want string) {
		t.Helper()
		conn.SetDeadline(time.Now().Add(testtools.Patience))
		got := make([]byte, len(want))
		if n, err := io.ReadFull(conn, got); string(got) != want {
			t.Fatalf("%q, %v, not %q", got[:n], err, want)
		}
	}
	io.WriteString(plain, "SET k 1\r\nSUBSCRIBE news\r\n")
	read(plain, "+OK\r\n*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n")
	io.WriteString(pushed, "HELLO 3 SETNAME x\r\n")
	in := bufio.NewReader(pushed)
	for line := ""; line != "*0\r\n"; {
		if line, err = in.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	io.WriteString(pushed, "SUBSCRIBE news\r\n")
	read(pushed, ">3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n")
	talk(t, r.address, "PUBLISH news hello\r\n", ":2\r\n")
	read(plain, "*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$5\r\nhello\r\n")
	read(pushed, ">3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$5\r\nhello\r\n")
	io.WriteString(pushed, "GET k\r\n")
	read(pushed, "$1\r\n1\r\n")
	io.WriteString(plain, "UNSUBSCRIBE\r\n")
	read(plain, "*3\r\n$11\r\nunsubscribe\r\n$4\r\nnews\r\n:0\r\n")
	plain.Close()
	pushed.Close()
	r.ended(t, 3) // that of PUBLISH, too
	text := commands(r.records(t))
	for _, want := range []string{"SET k 1 => +OK", "SUBSCRIBE news => *3", "SUBSCRIBE news => \n", "GET k => $1 1", "UNSUBSCRIBE => \n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not occur in\n%s", want, text)
		}
	}
	if strings.Count(r.text(t), "hello") != 1 || !strings.Contains(r.text(t), "it subscribes (SUBSCRIBE); replies are no longer recorded") {
		t.Errorf("the messages are matched\n%s", r.text(t))
	}
}

// An echo is a server that sends back what it gets.
func echo(t testing.TB) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				io.Copy(conn, conn)
				conn.Close()
			}()
		}
	}()
	return listener.Addr().String()
}

// Bytes pass unchanged, whatever they are, and so does the end of one direction.
func TestAnyBytesPass(t *testing.T) {
	r := start(t, &Command{To: echo(t)})
	random := rand.New(rand.NewPCG(1, 2))
	long := make([]byte, 3<<20)
	for i := range long {
		long[i] = byte(random.Uint32())
	}
	for _, text := range []string{
		"", "\x16\x03\x01\x02\x00\x01", string(long), "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", "*1\r\n$-5\r\n", "*99999999999999\r\n", "*1\r\n:1\r\n", "$5\r\nhello\r\n",
		"*2\r\n$3\r\nSET\r\n$3000000\r\n" + string(long), strings.Repeat("*1\r\n", 5000), strings.Repeat("x", 200_000) + "\r\nGET k\r\n", "GET \"k\r\n", "SYNC\r\n\x00\x01\r\n", strings.Repeat("PING\r\n", 40_000),
		"*2\r\n$3\r\nGET\r\n$9223372036854775807\r\nk", "*2\r\n$3\r\nGET\r\n$9223372036854775807\r\n$1\r\nk\r\n", "*2\r\n$3\r\nGET\r\n$9223372036854775806\r\nk\r\n", "*2\r\n$3\r\nGET\r\n$-9223372036854775808\r\n", "*9223372036854775807\r\n$3\r\nGET\r\n",
		strings.Repeat("*1000000000000\r\n", 40), "*2\r\n$3\r\nGET\r\n$1000000000000\r\nk", "$9223372036854775807\r\nk", "%9223372036854775807\r\n", "|9223372036854775807\r\n",
	} {
		conn, err := net.Dial("tcp", r.address)
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(testtools.Patience))
		go func() {
			for rest := text; rest != ""; {
				n := min(len(rest), 1+random.IntN(40_000))
				io.WriteString(conn, rest[:n])
				rest = rest[n:]
			}
			conn.(*net.TCPConn).CloseWrite()
		}()
		if got, err := io.ReadAll(conn); string(got) != text || err != nil {
			t.Errorf("%.30q: %d bytes of %d come back, %v", text, len(got), len(text), err)
		}
		conn.Close()
	}
	r.end()
	if text := r.text(t); !strings.Contains(text, "the client does not send commands in RESP; the proxy goes on copying bytes") || !strings.Contains(text, "it replicates (SYNC)") || strings.Contains(text, "a bug") {
		t.Errorf("%.3000s", text)
	}
	r.records(t) // whose lines are short
}

// A scanner finds the same values in whichever pieces the stream comes.
func TestPiecesMakeNoDifference(t *testing.T) {
	const stream = "+OK\r\n-ERR x\r\n:12\r\n$5\r\nhe\r\no\r\n$-1\r\n*-1\r\n*0\r\n*2\r\n$1\r\na\r\n*1\r\n:1\r\n%2\r\n+a\r\n:1\r\n+b\r\n*2\r\n:1\r\n:2\r\n~1\r\n#t\r\n" +
		"_\r\n,1.5\r\n(123\r\n=6\r\ntxt:hi\r\n!3\r\nERR\r\n|1\r\n+ttl\r\n:3\r\n$1\r\nx\r\n>2\r\n+message\r\n+hi\r\n$0\r\n\r\n"
	const want = 18
	scan := func(pieces [][]byte) (all []string) {
		s := scanner{most: 1000}
		for _, p := range pieces {
			if err := s.feed(p, func(v []byte, over bool) error {
				all = append(all, string(v))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	whole := scan([][]byte{[]byte(stream)})
	if len(whole) != want || strings.Join(whole, "") != stream {
		t.Fatalf("%d values: %q", len(whole), whole)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		var pieces [][]byte
		for rest := []byte(stream); len(rest) > 0; {
			n := 1 + random.IntN(min(len(rest), 1+random.IntN(20)))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		if got := scan(pieces); fmt.Sprint(got) != fmt.Sprint(whole) {
			t.Fatalf("%q give %q", pieces, got)
		}
	}
}

// A lock taken through the proxy is imported: its markers, its replies, what a script did.
func TestRecordAndImport(t *testing.T) {
	for name, to := range map[string]string{"redis-server": "", "miniredis": miniredis.RunT(t).Addr()} {
		for _, redact := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s redacted %v", name, redact), func(t *testing.T) {
				to := to
				if to == "" {
					to = server(t)
				}
				r := start(t, &Command{To: to, Redact: redact})
				lock := "orders:" + fmt.Sprint(redact)
				const script = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`
				sum := fmt.Sprintf("%x", sha1.Sum([]byte(script)))
				a, leaveA := asking(t, r.address)
				b, leaveB := asking(t, r.address)
				a("HELLO", "2")
				b("HELLO", "3")
				a("SET", lock, "token-a", "NX", "PX", "60000")
				a("PUBLISH", "lockstep", "enter")
				b("SET", lock, "token-b", "NX", "PX", "60000")
				for range 2 {
					if said := b("EVALSHA", sum, "1", lock, "token-b"); strings.HasPrefix(said, "-NOSCRIPT") {
						b("EVAL", script, "1", lock, "token-b")
					}
				}
				b("DEL", lock)
				b("SET", lock, "token-b", "NX", "PX", "60000")
				b("PUBLISH", "lockstep", "enter")
				a("MULTI")
				a("SET", "orders:n", "1")
				a("INCR", "orders:n")
				a("EXEC")
				a("PUBLISH", "lockstep", "leave")
				leaveA()
				leaveB()
				r.end()
				log, err := monitor.Read(strings.NewReader(r.text(t)), monitor.Options{})
				if err != nil {
					t.Fatalf("%v\n%s", err, r.text(t))
				}
				text := log.Scenario(lang.English).String()
				want := `do C1 SET orders token-a NX PX 60000
enter C1
do C2 SET orders token-b NX PX 60000
do C2 EVAL compare-and-delete 1 orders token-b
do C2 EVAL compare-and-delete 1 orders token-b
do C2 DEL orders
do C2 SET orders token-b NX PX 60000
enter C2
do C1 SET n 1
do C1 INCR n
leave C1
`
				replacements := []string{"orders:n", "n", lock, "orders"}
				if redact {
					replacements = []string{"key2", "n", "key1", "orders", "value1", "token-a", "value2", "token-b"}
				}
				var got strings.Builder
				for line := range strings.Lines(strings.NewReplacer(replacements...).Replace(text)) {
					word, _, _ := strings.Cut(line, " ")
					if !slices.Contains([]string{"began", "label", "tick", "#"}, word) && !strings.HasPrefix(line, "leave C2") {
						line, _, _ = strings.Cut(line, " # line ")
						got.WriteString(strings.TrimRight(line, " \n") + "\n")
					}
				}
				if got.String() != want {
					t.Errorf("got\n%s\nwant\n%s\nfrom\n%s", text, want, r.text(t))
				}
				if !strings.Contains(text, "They are the recorded ones.") {
					t.Error(text)
				}
				if redact && (strings.Contains(r.text(t), "orders") || strings.Contains(r.text(t), "token")) {
					t.Error(r.text(t))
				}
				scenario, err := engine.Parse("s", text, nil)
				if err != nil {
					t.Fatal(err)
				}
				trace, err := scenario.Play("s", check.All()...)
				if err != nil {
					t.Fatal(err)
				}
				var events bytes.Buffer
				trace.WriteText(&events, lang.English)
				for _, want := range []string{"C2 has deleted C1's lock", "C1 and C2 are both in the critical section, and both believe"} {
					if !strings.Contains(events.String(), want) {
						t.Errorf("%q does not occur in\n%s", want, events.String())
					}
				}
			})
		}
	}
}

// A recording that began in the middle has replies that the run cannot compute, and says so.
func TestOtherReplies(t *testing.T) {
	to := server(t)
	talk(t, to, "SET k before\r\n", "+OK\r\n")
	r := start(t, &Command{To: to})
	talk(t, r.address, "GET k\r\n", "before\r\n")
	r.ended(t, 1)
	log, err := monitor.Read(strings.NewReader(r.text(t)), monitor.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := log.Scenario(lang.English).String()
	if !strings.Contains(text, "do C1 GET k              # line 3; recorded: \"before\"\n") || !strings.Contains(text, "Those that differ from the recorded ones: 1, the first at line 3 of the log.") {
		t.Error(text)
	}
}

// At its limit the file ends with a line that says so, and the traffic goes on.
func TestTheFileHasALimit(t *testing.T) {
	r := start(t, &Command{To: echo(t), Limit: 1})
	const text = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$30\r\n123456789012345678901234567890\r\n"
	conn, err := net.Dial("tcp", r.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const times = 20_000
	go io.WriteString(conn, strings.Repeat(text, times))
	if _, err := io.ReadFull(conn, make([]byte, len(text)*times)); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	r.end()
	written := r.text(t)
	if len(written) > 1<<20 || len(written) < 1<<20-1000 {
		t.Errorf("the file has %d bytes", len(written))
	}
	lines := strings.Split(strings.TrimSpace(written), "\n")
	if !strings.Contains(lines[len(lines)-1], `"event":"full"`) || strings.Count(r.told.String(), "The file has reached its limit") != 1 {
		t.Errorf("%s\n%s", lines[len(lines)-1], r.told)
	}
	r.records(t)
}

// A proxy has as many connections as it may, and closes the next one at once.
func TestConnectionsAreBounded(t *testing.T) {
	r := start(t, &Command{To: echo(t)})
	for range MaxConns {
		conn, err := net.Dial("tcp", r.address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		io.WriteString(conn, "PING\r\n")
		if _, err := io.ReadFull(conn, make([]byte, 6)); err != nil {
			t.Fatal(err)
		}
	}
	conn, err := net.Dial("tcp", r.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(testtools.Patience))
	if n, err := conn.Read(make([]byte, 1)); n > 0 || err == nil || os.IsTimeout(err) {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// A command that cannot work is refused before anything listens, in both languages.
func TestRefusals(t *testing.T) {
	there := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(there, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		c                Command
		english, chinese string
	}{
		{Command{File: there, To: "a:1", Listen: "127.0.0.1:0", Limit: 1}, "is there already", "已经存在"},
		{Command{File: "x", To: "nowhere", Listen: "127.0.0.1:0", Limit: 1}, `--to: "nowhere" is not an address`, "--to：\"nowhere\" 不是"},
		{Command{File: "x", To: "a:1", Listen: "127.0.0.1:0"}, "--limit: a number of MiB", "--limit：应为"},
		{Command{File: "x", To: "a:1", Listen: "256.0.0.1:0", Limit: 1}, "--listen: ", "--listen："},
	} {
		for language, want := range map[lang.Language]string{lang.English: test.english, lang.Chinese: test.chinese} {
			test.c.Language = language
			if err := test.c.record(context.Background(), io.Discard, nil); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, not %s", err, want)
			}
		}
	}
}

// A Redis that does not answer is told before any client connects, and the proxy waits for it.
func TestARedisThatDoesNotAnswerIsToldAtOnce(t *testing.T) {
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody.Close()
	for language, want := range map[lang.Language]string{lang.English: "Redis at " + nobody.Addr().String() + " does not answer now: ", lang.Chinese: nobody.Addr().String() + " 上的 Redis 现在没有应答："} {
		r := start(t, &Command{To: nobody.Addr().String(), Language: language})
		if r.end(); !strings.Contains(r.told.String(), want) {
			t.Errorf("record says %s", r.told)
		}
	}
	r := start(t, &Command{To: server(t)})
	if r.end(); strings.Contains(r.told.String(), "does not answer") {
		t.Errorf("record says %s", r.told)
	}
}

// BenchmarkLatency measures a command with its reply, to Redis itself, through a proxy that only copies, and through the
// recorder.
func BenchmarkLatency(b *testing.B) {
	to := server(b)
	b.Run("direct", func(b *testing.B) { ping(b, to) })
	b.Run("record", func(b *testing.B) { ping(b, start(b, &Command{To: to}).address) })
	b.Run("redact", func(b *testing.B) { ping(b, start(b, &Command{To: to, Redact: true}).address) })
}

func ping(b *testing.B, address string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	reply := make([]byte, len("+OK\r\n"))
	times := make([]time.Duration, 0, b.N)
	for b.Loop() {
		began := time.Now()
		io.WriteString(conn, "*5\r\n$3\r\nSET\r\n$8\r\nlock.foo\r\n$36\r\n8f14e45f-ceea-467a-9575-7f2b1c9a9d11\r\n$2\r\nPX\r\n$5\r\n10000\r\n")
		if _, err := io.ReadFull(conn, reply); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(began))
	}
	percentiles(b, times)
}

func percentiles(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	for _, p := range []int{50, 99} {
		b.ReportMetric(float64(times[(len(times)-1)*p/100].Nanoseconds())/1e3, fmt.Sprintf("p%d-µs", p))
	}
}
