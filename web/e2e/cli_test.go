package e2e

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestCommandLine plays the transcripts of testdata/*.txtar with the real binary.
func TestCommandLine(t *testing.T) {
	binary := built(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		},
	})
}

// built is the real binary.
func built(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "lockstep")
	if out, err := exec.Command("go", "build", "-o", binary, "lockstep").CombinedOutput(); err != nil {
		t.Fatalf("building the binary: %v\n%s", err, out)
	}
	return binary
}

// The flag --base-path, however it is written: the server says where it is, is
// there, and nowhere else.
func TestServeBelowBasePath(t *testing.T) {
	binary := built(t)
	for flag, base := range map[string]string{
		"":                            "/",
		"--base-path=/tools/lockstep": "/tools/lockstep/",
		"--base-path=tools/lockstep/": "/tools/lockstep/",
		"--base-path=/":               "/",
		"LOCKSTEP_BASE_PATH=/tools":   "/tools/",
	} {
		t.Run(flag, func(t *testing.T) {
			server := exec.Command(binary, "serve", "--address=127.0.0.1:0")
			if strings.HasPrefix(flag, "--") {
				server.Args = append(server.Args, flag)
			} else if flag != "" {
				server.Env = append(os.Environ(), flag)
			}
			out, err := server.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := server.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := server.Process.Signal(os.Interrupt); err != nil {
					t.Error(err)
				}
				if err := server.Wait(); err != nil {
					t.Errorf("when it is told to end the server says %v", err)
				}
			}()
			said, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			address := strings.TrimSpace(strings.TrimPrefix(said, "Lockstep is at "))
			if !regexp.MustCompile(`^http://127\.0\.0\.1:\d+` + base + `$`).MatchString(address) {
				t.Fatalf("the server says %q, want an address that ends in %s", said, base)
			}
			page := get(t, address, http.StatusOK)
			for _, link := range regexp.MustCompile(`(?:src|href|action)="(/[^"]*)"`).FindAllStringSubmatch(page, -1) {
				if !strings.HasPrefix(link[1], base) {
					t.Errorf("the page leads to %s", link[1])
				}
			}
			site := strings.TrimSuffix(address, base)
			get(t, address+"new", http.StatusOK) // by way of a redirect
			get(t, address+"t/aaaaaaaaaa.txt", http.StatusOK)
			if base != "/" {
				get(t, site+strings.TrimSuffix(base, "/"), http.StatusOK)
				get(t, site+"/", http.StatusNotFound)
				get(t, site+"/new", http.StatusNotFound)
			}
		})
	}
}

// get is what is served under an address.
func get(t *testing.T, address string, status int) string {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != status {
		t.Errorf("%s is answered with %s, want %d", address, r.Status, status)
	}
	return string(body)
}
