package redis

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
)

// odd has numbers at the limits of 31, 53 and 64 bits, at the limits of their products with 1,000 and a million, and
// numbers whose product overflows to something small: 216749242866097232 ms are 10.000512 s modulo 2^64 ns.
var odd = []int64{
	0, 1, -1, 2, 999, 1000, -1000, 1001, 999_999, 1_000_000, 1_000_001, 1 << 31, -1 << 31, 1 << 53, -1 << 53,
	MaxExpires / 1000, MaxExpires/1000 + 1, MaxExpires - 1_000_001, MaxExpires - 1_000_000, MaxExpires - 999_999, MaxExpires, MaxExpires + 1, -MaxExpires,
	math.MaxInt64 / 1000, math.MaxInt64/1000 + 1, math.MinInt64 / 1000, math.MinInt64/1000 - 1,
	216749242866097232, -216749242866097232, 18446744073709552, 18446744073710, 9223372036855, math.MaxInt64 - 1_000_000, math.MaxInt64 - 999_999, math.MaxInt64, math.MinInt64,
}

// timed are the forms of the commands that take a time.
var timed = strings.Split(strings.TrimSpace(`
SET k w EX %d
SET k w PX %d
SET k w EXAT %d
SET k w PXAT %d
SET k w NX PX %d
SET k w XX PXAT %d
SET k w PXAT %d NX
SET k w PXAT %d GET
SET k w GET EX %d XX
SET k w KEEPTTL PXAT %d
SETEX k %d w
PSETEX k %d w
GETEX k EX %d
GETEX k PX %d
GETEX k EXAT %d
GETEX k PXAT %d
EXPIRE k %d
EXPIRE k %d GT
PEXPIRE k %d
PEXPIRE k %d LT
EXPIREAT k %d
EXPIREAT k %d NX
PEXPIREAT k %d
PEXPIREAT k %d XX
EVAL compare-and-expire 1 k v %d
EVAL set-and-fence 2 k fence w %d
`), "\n")

// before are the states of k that a command with a time may meet.
var before = []string{"", "SET k v", "SET k v PX 5000", "SET k v PX 1"}

// after are the observations and the changes that follow it, each with the milliseconds that pass before it.
var after = []struct {
	advance int64
	line    string
}{
	{0, "GET k"}, {0, "PTTL k"}, {0, "TTL k"}, {0, "EXISTS k fence"}, {0, "SETNX other v"}, {1, "PTTL k"}, {0, "SETNX k again"}, {0, "PTTL k"}, {999, "GET k"}, {0, "PTTL k"},
	{4000, "SET k x KEEPTTL XX"}, {0, "PTTL k"}, {0, "EXPIRE k 9 NX"}, {0, "PTTL k"}, {5000, "GET k"}, {86_400_000, "PTTL k"}, {0, "SETNX k at-last"}, {0, "PTTL k"}, {0, "PERSIST k"}, {100_000, "GET k"},
}

// A copy by Get and Put, made at any time, answers as the original does, for every time in a command. A key's expiry is a
// whole millisecond in the future, and at most MaxExpires.
func TestANodeIsWhatItStores(t *testing.T) {
	const start = 1_000_000
	play := func(form string, n int64, first string, again bool) (replies []string) {
		now := int64(start)
		s := New(now)
		defer func() { s.Close() }()
		remake := func() {
			for _, key := range []string{"k", "fence", "other"} {
				if c, ok := s.Get(key); ok && c.Expires != 0 && (c.Expires <= now || c.Expires > MaxExpires) {
					t.Errorf("%s after %q: %s expires at %d, %d ms from now", fmt.Sprintf(form, n), first, key, c.Expires, c.Expires-now)
				}
			}
			if !again {
				return
			}
			twin := New(now)
			for _, key := range []string{"k", "fence", "other"} {
				if c, ok := s.Get(key); ok {
					twin.Put(key, c)
				}
			}
			s.Close()
			s = twin
		}
		if first != "" {
			ask(t, s, first)
		}
		replies = append(replies, ask(t, s, fmt.Sprintf(form, n)))
		remake()
		for _, step := range after {
			s.Advance(step.advance)
			now += step.advance
			replies = append(replies, ask(t, s, step.line))
			remake()
		}
		return replies
	}
	compared := 0
	for _, form := range timed {
		for _, n := range odd {
			for _, first := range before {
				through := play(form, n, first, false)
				again := play(form, n, first, true)
				for i := range through {
					if through[i] != again[i] {
						what := fmt.Sprintf(form, n)
						if i > 0 {
							what += ", then " + after[i-1].line
						}
						t.Errorf("%q, %s: %s, and from a node that was made again %s", first, what, through[i], again[i])
						break
					}
				}
				compared += len(through)
			}
		}
	}
	if want := len(timed) * len(odd) * len(before) * (1 + len(after)); compared != want || len(timed) < 16 || len(odd) < 16 {
		t.Errorf("%d replies were compared, not %d", compared, want)
	}
}

// A real server gives the same replies, also to the commands right after, for times up to MaxExpires. Its clock differs:
// the test compares the later replies only when the key expires at once, or lives for at least a minute on both clocks.
func TestTimesAsRedisReadsThem(t *testing.T) {
	server := startServer(t)
	const start, minute = 1_000_000, 60_000
	later := time.Now().UnixMilli() + minute
	compared, beyond := 0, 0
	for _, form := range timed {
		for _, n := range odd {
			for _, first := range before[:2] {
				s := New(start)
				server.say(t, "FLUSHALL")
				if first != "" {
					ask(t, s, first)
					server.say(t, strings.Fields(first)...)
				}
				words := strings.Fields(fmt.Sprintf(form, n))
				l, ok := lifetimeOf(words[0], words[1:])
				if words[0] == "EVAL" {
					l, ok = lifetimeOf("PEXPIRE", []string{"k", strconv.FormatInt(n, 10)})
				}
				if !ok {
					t.Fatalf("%s: no time is found in it", words)
				}
				expires, _ := l.ends(start)
				soon := expires > start && expires < start+minute || l.absolute && expires > start && expires < later
				command, refusal := Check(words)
				if refusal != nil {
					t.Fatal(refusal)
				}
				for i, line := range [][]string{command, {"EXISTS", "k"}, {"GET", "k"}, {"EXISTS", "fence"}} {
					got, want := s.Do(line...), server.say(t, line...)
					switch {
					case i == 0 && s.Unable() != nil && l.n > (MaxExpires-start)/l.unit: // Redis may count so far: the clock of the server is ahead
						beyond++
					default:
						compared++
						if got != want {
							t.Errorf("%q, %s: %s: redis-server answers %s, a node %s", first, strings.Join(words, " "), strings.Join(line, " "), want, got)
						}
						if !soon {
							continue
						}
					}
					break
				}
				s.Close()
			}
		}
	}
	if compared < 4000 {
		t.Errorf("only %d replies were compared", compared)
	}
	t.Logf("%d replies are the same, %d times are after %d", compared, beyond, MaxExpires)
}

// say sends a command to the server and returns its raw reply, which must not be an array.
func (s *realServer) say(t *testing.T, command ...string) Reply {
	if _, err := s.conn.Write([]byte(Encode(command))); err != nil {
		t.Fatal(err)
	}
	line, err := s.in.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if n, err := strconv.Atoi(strings.TrimSpace(line[1:])); line[0] == '$' && err == nil && n >= 0 {
		body := make([]byte, n+2)
		if _, err := io.ReadFull(s.in, body); err != nil {
			t.Fatal(err)
		}
		line += string(body)
	}
	return Reply(line)
}
