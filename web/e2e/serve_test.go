package e2e

import (
	"debug/elf"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"

	_ "lockstep/engine/cli" // with which alone the binary is built: a change there makes the tests run again
)

// On SIGTERM the server tells its pages to reconnect and exits with 0. After a restart on
// the same data it has every run.
func TestServeEndsInOrderAndKeepsItsRuns(t *testing.T) {
	t.Parallel()
	binary, data := built(t), filepath.Join(t.TempDir(), "data")
	first := started(t, binary, nil, "--data", data)
	const run = "t/k3v9m2xq7a"
	if r, err := http.PostForm(first.address+run+"/actions", url.Values{"action": {"spawn C1 naive"}}); err != nil || r.StatusCode != http.StatusOK {
		t.Fatal(err, r)
	}
	page, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(first.address, "http")+run+"/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	told := make(chan error)
	go func() {
		for {
			if _, _, err := page.ReadMessage(); err != nil {
				told <- err
				return
			}
		}
	}()
	must(t, first.Process.Signal(syscall.SIGTERM))
	var why *websocket.CloseError
	if err := <-told; !errors.As(err, &why) || why.Code != websocket.CloseServiceRestart {
		t.Errorf("the page is told %v", err)
	}
	if err := first.Wait(); err != nil {
		t.Errorf("the server ends with %v:\n%s", err, first.said())
	}
	if said := first.said(); !strings.Contains(said, "msg=ending") || !strings.Contains(said, "msg=ended") || strings.Contains(said, "level=ERROR") {
		t.Errorf("the log says\n%s", said)
	}

	second := started(t, binary, nil, "--data", data)
	same(t, get(t, second.address+run+".txt", http.StatusOK), "spawn C1 naive\n", "after the restart the run is")
	second.ends(syscall.SIGTERM)
}

// With --drain the server first tells its balancer, and keeps serving. A second signal
// ends it at once.
func TestServeDrainsBeforeItEnds(t *testing.T) {
	t.Parallel()
	// A shell makes its background jobs ignore SIGINT, which the server would inherit unless the tests listen to it.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	server := started(t, built(t), nil, "--drain", "1h")
	get(t, server.address+"healthz", http.StatusOK)
	must(t, server.Process.Signal(os.Interrupt))
	for status(t, server.address+"healthz") != http.StatusServiceUnavailable {
	}
	get(t, server.address, http.StatusOK)
	must(t, server.Process.Signal(os.Interrupt))
	var ended *exec.ExitError
	if err := server.Wait(); !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
		t.Errorf("after the second signal: %v", err)
	}
}

// Without its Redis the server keeps running, and its health names the store.
func TestServeRunsWithoutItsRedis(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "store")
	must(t, os.WriteFile(file, []byte("redis://:sesame@127.0.0.1:1/0\n"), 0o600))
	address, said := serving(t, built(t), append(os.Environ(), "LOCKSTEP_STORE_FILE="+file), "--log=json")
	same(t, get(t, address+"healthz", http.StatusServiceUnavailable), "store: Redis does not answer\n", "the health is")
	get(t, address, http.StatusOK)
	if log := said(); !strings.Contains(log, `"msg":"health"`) || strings.Contains(log, "sesame") {
		t.Errorf("the log says\n%s", log)
	}
}

// The binary of web/DEPLOY.md needs no library and no file.
func TestDeployedBinaryNeedsNothing(t *testing.T) {
	binary := built(t)
	if runtime.GOOS == "linux" {
		file := try(elf.Open(binary)).orFail(t)
		defer file.Close()
		if libraries, err := file.ImportedLibraries(); err != nil || len(libraries) > 0 {
			t.Errorf("it needs %v (%v)", libraries, err)
		}
		for _, p := range file.Progs {
			if p.Type == elf.PT_INTERP {
				t.Error("it needs a loader")
			}
		}
	}
	t.Chdir(t.TempDir())
	address, _ := serving(t, binary, []string{"PATH=/nowhere"}, "--data", "data")
	page := get(t, address, http.StatusOK)
	for _, link := range regexp.MustCompile(`(?:src|href)="(/static/[^"]*)"`).FindAllStringSubmatch(page, -1) {
		get(t, strings.TrimSuffix(address, "/")+link[1], http.StatusOK)
	}
	get(t, address+"courses/redis-lock/race", http.StatusOK)
	get(t, address+"healthz", http.StatusOK)
}

// status returns the status of an address.
func status(t *testing.T, address string) int {
	t.Helper()
	r := try(http.Get(address)).orFail(t)
	defer r.Body.Close()
	return r.StatusCode
}

// built returns the path of the binary that web/DEPLOY.md builds.
func built(t testing.TB) string {
	t.Helper()
	return try(build()).orFail(t)
}

// build builds the binary once for all tests, because each link takes seconds.
// It reads main.go, which no test imports, so that Go's test cache knows of it.
var build = sync.OnceValues(func() (binary string, err error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return "", err
	}
	guide, err := os.ReadFile(filepath.Join(root, "web", "DEPLOY.md"))
	if err != nil {
		return "", err
	}
	if _, err := os.ReadFile(filepath.Join(root, "main.go")); err != nil {
		return "", err
	}
	line := regexp.MustCompile(`(?m)^CGO_ENABLED=0 go build .*$`).FindString(string(guide))
	if line == "" {
		return "", errors.New("web/DEPLOY.md builds no static binary")
	}
	dir, err := os.MkdirTemp("", "lockstep")
	if err != nil {
		return "", err
	}
	removeBinary = func() { os.RemoveAll(dir) }
	binary = filepath.Join(dir, "lockstep")
	build := exec.Command("sh", "-c", strings.Replace(line, "go build", "go build -o "+binary, 1))
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %v\n%s", line, err, out)
	}
	return binary, nil
})

// removeBinary removes the binary.
var removeBinary = func() {}
