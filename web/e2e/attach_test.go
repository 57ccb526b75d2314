package e2e

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"lockstep/engine/cli"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/web"
	"lockstep/web/real/attach"
	"lockstep/web/real/clock"
)

// worker is a real program: it takes a lock with a lease, and deletes it without a look.
const worker = `
exec 3<>/dev/tcp/127.0.0.1/$REDIS_PORT
ask() { echo "$@" >&3; read -r reply <&3; }
until ask SET lock.foo "$$-$RANDOM" NX PX 10000; [[ $reply == +OK* ]]; do :; done
ask DEL lock.foo
`

// A reader gives a program of their own to lockstep attach, and steps it until two clients hold the lock. It runs each time
// that its recording ends, and the page shows what it sends next.
func TestARealProgramIsSteppedIntoAViolation(t *testing.T) {
	testtools.Exhaustive(t, "real programs learn beside a browser, and on a busy machine a step has stayed without an answer")
	testtools.Find(t, browsers...)
	testtools.Find(t, "bash")
	t.Parallel()
	for _, c := range []struct {
		language                 lang.Language
		scheme                   string
		guess, broken, elsewhere string
	}{
		{lang.English, "light", "“Inside” is a guess", "C1 and C2 are both in the critical section", "needs the address that lockstep attach has printed"},
		{lang.Chinese, "dark", "是推测出来的", "C1 和 C2 同时在临界区，并且都自认为持有锁", "令牌"},
	} {
		t.Run(string(c.language), func(t *testing.T) {
			b := attaches(t, c.language, c.scheme, "machine", worker)
			b.is(`document.querySelector("#client-C1 .command-line code").textContent.slice(0, 7)`, "bash -c")
			b.is(`String(location.search.includes("token"))`, "false")
			b.click("step-C1")
			b.mustContain("#real", c.guess)
			b.until(`document.querySelector("#client-C1[data-status=inside]")`)
			b.click("tick-10")
			b.click("step-C2")
			b.mustContain("#alerts", c.broken)
			b.rests()
			b.press("#step-C1")
			b.until(`document.querySelector("#client-C1 .flight code")?.textContent === "DEL lock.foo"`)
			b.is(`[...document.querySelectorAll("#source-worker li.here")].map((line) => line.textContent.replace(/\s+/g, " ").trim()).join("; ")`, "holdC2; DEL lock.fooC1")
		})
	}
}

// attaches opens the page of lockstep attach with two processes of a program in bash, on one of the clocks.
func attaches(t *testing.T, language lang.Language, scheme, clock, program string) *browser {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	out, in := io.Pipe()
	flags := attach.Flags{
		Clients: 2, Language: language, Patience: testtools.Patience, Address: "127.0.0.1:0", Clocks: cli.Clocks{Clock: clock},
		Command: []string{"bash", "-c", program, "worker.sh"},
	}
	ended := make(chan error, 1)
	go func() {
		err := flags.Serve(ctx, in)
		in.CloseWithError(io.EOF)
		ended <- err
	}()
	t.Cleanup(func() {
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	said := try(bufio.NewReader(out).ReadString('\n')).orFail(t)
	server, path, _ := strings.Cut(strings.TrimSpace(said[strings.Index(said, "http://")+len("http://"):]), "/")
	shared := try(chromium()).orFail(t)
	b := window(t, shared, server, web.Options{})
	b.prefers("prefers-color-scheme: " + scheme)
	b.visit("/" + path)
	b.until(`document.querySelector("#client-C2 .live")`)
	return b
}

// polling is a real program that tries once a second until it has the lock.
const polling = `
exec 3<>/dev/tcp/127.0.0.1/$REDIS_PORT
ask() { echo "$@" >&3; read -r reply <&3; }
until ask SET lock.foo $((EPOCHSECONDS + 11)) NX PX 10000; [[ $reply == +OK* ]]; do sleep 1; done
ask DEL lock.foo
`

// On the virtual clock a real program that sleeps is asleep for as long as its reader thinks, and a tick wakes it. The time
// that it reads is the picture's.
func TestARealProgramSleepsUntilATick(t *testing.T) {
	if err := clock.Lacks(); err != nil {
		testtools.Absent(t, err.Error())
	}
	inItsCircle(t)
	testtools.Find(t, browsers...)
	testtools.Find(t, "bash")
	t.Parallel()
	for _, c := range []struct {
		language     lang.Language
		scheme       string
		asleep, wait string
	}{
		{lang.English, "light", "asleep", "C2 sleeps until 1001."},
		{lang.Chinese, "dark", "休眠中", "C2 休眠到 1001。"},
	} {
		t.Run(string(c.language), func(t *testing.T) {
			b := attaches(t, c.language, c.scheme, "virtual", polling)
			b.click("step-C1")
			b.until(`document.querySelector("#client-C1[data-status=inside]")`)
			b.click("step-C2")
			b.mustContain("#client-C2", c.asleep)
			b.mustContain("#caption", c.wait)
			b.rests()
			b.click("tick-1")
			b.until(`document.querySelector("#client-C2 .flight code")?.textContent.startsWith("SET lock.foo 1012")`)
			b.rests()
			b.click("tick-10")
			b.click("step-C2")
			b.until(`document.querySelector("#client-C2[data-status=inside]")`)
		})
	}
}
