package e2e

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/web"
	"lockstep/web/attach"
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
			ctx, end := context.WithCancel(t.Context())
			out, in := io.Pipe()
			flags := attach.Flags{Clients: 2, Language: c.language, Patience: testtools.Patience, Address: "127.0.0.1:0", Command: []string{"bash", "-c", worker, "worker.sh"}}
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
			said, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			server, path, _ := strings.Cut(strings.TrimSpace(said[strings.Index(said, "http://")+len("http://"):]), "/")
			shared, err := chromium()
			if err != nil {
				t.Fatal(err)
			}
			b := window(t, shared, server, web.Options{})
			b.scheme(c.scheme)
			b.visit("/" + path)
			b.until(`document.querySelector("#client-C2 .live")`)
			b.is(`document.querySelector("#client-C1 .command-line code").textContent.slice(0, 7)`, "bash -c")
			b.is(`String(location.search.includes("token"))`, "false")
			b.click("step-C1")
			b.mustContain("#real", c.guess)
			b.until(`document.querySelector("#client-C1[data-status=inside]")`)
			b.click("tick-10")
			b.click("step-C2")
			b.mustContain("#alerts", c.broken)
			b.shot("attach-" + string(c.language) + "-" + c.scheme)
			b.rests()
			b.press("#step-C1")
			b.until(`document.querySelector("#client-C1 .flight code")?.textContent === "DEL lock.foo"`)
			b.is(`[...document.querySelectorAll("#source-worker li.here")].map((line) => line.textContent.replace(/\s+/g, " ").trim()).join("; ")`, "holdC2; DEL lock.fooC1")
			b.quiet()
		})
	}
}
