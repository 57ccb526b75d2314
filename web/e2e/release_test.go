package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/testtools"
)

// .github/release makes all that a release has: a binary for each platform, the list of the modules in it, and checksums.
// A machine that decides about a change builds all six, others their own.
func TestAReleaseHasBinariesListsAndChecksums(t *testing.T) {
	testtools.Exhaustive(t, "it builds the binaries of a release")
	bash := testtools.Find(t, "bash")
	dir, platforms := t.TempDir(), []string{runtime.GOOS + "/" + runtime.GOARCH}
	arguments := append([]string{"../../.github/release", dir}, platforms...)
	if os.Getenv("CI") == "true" {
		platforms = []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}
		arguments = arguments[:2] // the script's own list
	}
	if out, err := exec.Command(bash, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	want := []string{"SHA256SUMS"}
	for _, platform := range platforms {
		name := "lockstep-" + strings.Replace(platform, "/", "-", 1)
		binary := name
		if strings.HasPrefix(platform, "windows") {
			binary += ".exe"
		}
		want = append(want, binary, name+".cdx.json")
		holdsItsModules(t, filepath.Join(dir, binary), filepath.Join(dir, name+".cdx.json"))
	}
	files := try(os.ReadDir(dir)).orFail(t)
	var got []string
	for _, f := range files {
		got = append(got, f.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the release has %q, want %q", got, want)
	}
	check := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = dir
	out, err := check.CombinedOutput()
	if err != nil || strings.Count(string(out), ": OK") != len(want)-1 {
		t.Errorf("the checksums: %v\n%s", err, out)
	}
}

// holdsItsModules checks the list of modules of a binary against what Go's linker wrote into it.
func holdsItsModules(t *testing.T, binary, list string) {
	t.Helper()
	out := try(exec.Command("go", "version", "-m", binary).Output()).orFail(t)
	var linked, listed []string
	for _, dep := range regexp.MustCompile(`(?m)^\tdep\t(\S+)\t(\S+)`).FindAllStringSubmatch(string(out), -1) {
		linked = append(linked, dep[1]+"@"+dep[2])
	}
	text := try(os.ReadFile(list)).orFail(t)
	var bill struct {
		Components []struct{ Name, Version string }
	}
	must(t, json.Unmarshal(text, &bill))
	for _, c := range bill.Components {
		if c.Name != "std" { // Go's own packages are no module
			listed = append(listed, c.Name+"@"+c.Version)
		}
	}
	slices.Sort(linked)
	slices.Sort(listed)
	if len(linked) < 15 || !slices.Equal(linked, listed) {
		t.Errorf("%s lists\n%q\nand %s has\n%q", filepath.Base(list), listed, filepath.Base(binary), linked)
	}
	if !strings.Contains(string(out), "CGO_ENABLED=0") {
		t.Errorf("%s is not static", filepath.Base(binary))
	}
}
