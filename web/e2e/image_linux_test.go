package e2e

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"

	"lockstep/engine/testtools"
)

// buildah builds the image of .github/Containerfile without a daemon. The image has one program and a directory, which
// belongs to nobody. It serves as nobody, on a file system that it cannot write to, and keeps its runs in the directory.
func TestTheImageServesReadOnlyAsNobody(t *testing.T) {
	testtools.Exhaustive(t, "it builds an image")
	image := buildImage(t)

	var files []string
	err := filepath.WalkDir(image.root, func(path string, f fs.DirEntry, err error) error {
		if err == nil && path != image.root {
			files = append(files, strings.TrimPrefix(path, image.root))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"/data", "/lockstep"}; !slices.Equal(files, want) {
		t.Errorf("the image has %q, want %q", files, want)
	}
	program := try(elf.Open(filepath.Join(image.root, "lockstep"))).orFail(t)
	defer program.Close()
	if libraries, err := program.ImportedLibraries(); err != nil || len(libraries) > 0 {
		t.Errorf("the program of the image needs %v (%v)", libraries, err)
	}
	if program.Machine != elf.EM_AARCH64 && runtime.GOARCH == "arm64" || program.Machine != elf.EM_X86_64 && runtime.GOARCH == "amd64" {
		t.Errorf("on %s its program is for %s", runtime.GOARCH, program.Machine)
	}
	for field, want := range map[string]string{
		"User": "65534:65534", "Entrypoint": "[/lockstep]", "Cmd": "[]", "StopSignal": "SIGTERM", "Volumes": "map[/data:{}]", "ExposedPorts": "map[8080/tcp:{}]",
	} {
		same(t, image.buildah("inspect", "--type", "image", "--format", "{{.OCIv1.Config."+field+"}}", "lockstep"), want, "the image says", field)
	}
	if got := image.buildah("inspect", "--type", "image", "--format", "{{.OCIv1.Config.Env}}", "lockstep"); !strings.Contains(got, "LOCKSTEP_ADDRESS=:8080") {
		t.Errorf("outside of its container nobody reaches the program: its environment is %s", got)
	}
	t.Logf("the image takes %s; its program %d MB", image.buildah("images", "--format", "{{.Size}}", "lockstep"), sizeOf(t, image.root+"/lockstep")>>20)

	volume := nobodys(t)
	first := image.run(volume, "", nil)
	const run = "t/k3v9m2xq7a"
	if r, err := http.PostForm(first.address+run+"/actions", url.Values{"action": {"spawn C1 naive"}}); err != nil || r.StatusCode != http.StatusOK {
		t.Fatal(err, r)
	}
	status := try(os.ReadFile(fmt.Sprintf("/proc/%d/status", first.Process.Pid))).orFail(t)
	if who := regexp.MustCompile(`(?m)^(Uid|Gid):.*$`).FindAllString(string(status), -1); len(who) != 2 || strings.Count(strings.Join(who, "\t"), "\t65534") != 8 {
		t.Errorf("the process runs as %q", who)
	}
	mounts := try(os.ReadFile(fmt.Sprintf("/proc/%d/mountinfo", first.Process.Pid))).orFail(t)
	options := map[string]string{} // by the point of the mount
	for _, mount := range strings.Split(strings.TrimSpace(string(mounts)), "\n") {
		fields := strings.Fields(mount)
		options[fields[4]] = fields[5]
	}
	if !strings.HasPrefix(options["/"], "ro") || !strings.HasPrefix(options["/data"], "rw") {
		t.Errorf("its file systems are mounted %v", options)
	}
	first.ends(syscall.SIGTERM)

	second := image.run(volume, "", nil)
	same(t, get(t, second.address+run+".txt", http.StatusOK), "spawn C1 naive\n", "after a restart of the container the run is")
	second.ends(syscall.SIGTERM)
}

// Two containers of the image share a Redis behind a balancer, as .github/compose.two.yaml and .github/Caddyfile say. A
// class goes on while one of them is killed.
func TestTheTwoServersOfTheComposeFileOutliveOneAnother(t *testing.T) {
	testtools.Exhaustive(t, "it builds an image, and twenty phones wait for the disk with each press")
	caddy, redis := testtools.Find(t, "caddy"), testtools.Find(t, "redis-server")
	image, pod := buildImage(t), newPod(t)
	var file struct {
		Services map[string]struct {
			Environment map[string]string
			Command     []string
			Volumes     []string
			ReadOnly    bool `yaml:"read_only"`
		}
	}
	must(t, yaml.Unmarshal([]byte(pod.text("compose.two.yaml")), &file))

	dir := t.TempDir()
	kept := exec.Command(redis, append(file.Services["redis"].Command[1:], "--bind", pod.hosts["redis"], "--port", pod.ports["6379"], "--dir", dir)...)
	pod.starts(kept)
	servers := map[string]*process{}
	for _, name := range []string{"lockstep-1", "lockstep-2"} {
		service := file.Services[name]
		if !service.ReadOnly || len(service.Volumes) > 0 {
			t.Errorf("%s writes to its file system, or to a volume", name)
		}
		var environment []string
		for key, value := range service.Environment {
			environment = append(environment, key+"="+value)
		}
		slices.Sort(environment)
		servers[name] = image.run("", pod.file("hosts", pod.hostsFile()), append(environment, "LOCKSTEP_ADDRESS="+pod.hosts[name]+":"+pod.ports["8080"]))
	}
	if volumes := file.Services["balancer"].Volumes; !slices.Equal(volumes, []string{"./Caddyfile:/etc/caddy/Caddyfile:ro"}) {
		t.Errorf("the balancer reads %q", volumes)
	}
	balancer := exec.Command("unshare", "--mount", "--propagation", "private", "sh", "-c", `mount --bind "$1" /etc/hosts && exec "$2" run --adapter caddyfile --config "$3"`, "sh",
		pod.file("hosts", pod.hostsFile()), caddy, pod.file("Caddyfile", "{\nadmin off\nauto_https off\n}\n"+pod.text("Caddyfile")))
	balancer.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	pod.starts(balancer)
	site := "http://" + pod.public + "/"
	if !testtools.Eventually(func() bool {
		r, err := http.Get(site + "healthz")
		if err == nil {
			r.Body.Close()
		}
		return err == nil && r.StatusCode == http.StatusOK
	}) {
		t.Fatal("nobody answers behind the balancer")
	}
	same(t, status(t, site+"metrics"), http.StatusNotFound, "the balancer shows the metrics")
	c := opens(t, site)
	c.survives(servers["lockstep-1"].isKilled)
	servers["lockstep-2"].ends(syscall.SIGTERM)
}

// The image is built for both platforms of the release on a machine of one: what runs in the build is the builder's own Go. buildah 1.28 takes the
// builder's platform for the image's, so only the program tells here.
func TestTheImageForTheOtherPlatformNeedsNoEmulator(t *testing.T) {
	testtools.Exhaustive(t, "it builds an image for another processor")
	other := map[string]string{"amd64": "arm64", "arm64": "amd64"}[runtime.GOARCH]
	image := buildImage(t, "--build-arg", "TARGETARCH="+other)
	program := try(elf.Open(filepath.Join(image.root, "lockstep"))).orFail(t)
	defer program.Close()
	if want := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[other]; program.Machine != want {
		t.Errorf("the program for %s is for %s", other, program.Machine)
	}
	text, err := os.ReadFile("../../.github/Containerfile")
	if err != nil || !strings.Contains(string(text), "\nFROM --platform=$BUILDPLATFORM ${GO} AS build\n") {
		t.Errorf("Go is not the builder's (%v)", err)
	}
}

// The balancer has an address of its own, which the servers trust. The engine of containers gives the others addresses from a range without it:
// they start first, and would else get it.
func TestNobodyTakesTheAddressOfTheBalancer(t *testing.T) {
	text := try(os.ReadFile("../../.github/compose.two.yaml")).orFail(t)
	var servers struct {
		Services map[string]struct{ Environment map[string]string }
	}
	var balancer struct {
		Services struct {
			Balancer struct {
				Networks map[string]struct {
					Address netip.Addr `yaml:"ipv4_address"`
				}
			}
		}
		Networks map[string]struct {
			IPAM struct {
				Config []struct {
					Subnet netip.Prefix
					Range  netip.Prefix `yaml:"ip_range"`
				}
			}
		}
	}
	must(t, errors.Join(yaml.Unmarshal(text, &servers), yaml.Unmarshal(text, &balancer)))
	address := balancer.Services.Balancer.Networks["inside"].Address
	for _, name := range []string{"lockstep-1", "lockstep-2"} {
		same(t, servers.Services[name].Environment["LOCKSTEP_TRUSTED_PROXIES"], address.String(), name, "trusts")
	}
	network := balancer.Networks["inside"].IPAM.Config[0]
	if !network.Subnet.Contains(address) || !network.Subnet.Contains(network.Range.Addr()) || network.Range.Bits() < network.Subnet.Bits() || network.Range.Contains(address) {
		t.Errorf("the balancer is %s; of %s the others have %s", address, network.Subnet, network.Range)
	}
}

// A containerImage is what buildah has built, mounted.
type containerImage struct {
	*testing.T
	store []string // the options that say where buildah keeps everything
	root  string
}

// buildImage builds the image of .github/Containerfile. The machine's own Go stands for the image with Go, which comes
// from the internet.
func buildImage(t *testing.T, options ...string) *containerImage {
	t.Helper()
	testtools.Find(t, "buildah")
	if os.Geteuid() != 0 {
		testtools.Absent(t, "only root mounts an image and runs what is in it")
	}
	kept := t.TempDir()
	i := &containerImage{T: t, store: []string{"--root", filepath.Join(kept, "root"), "--runroot", filepath.Join(kept, "run")}}
	goes := func(name string) string {
		out := try(exec.Command("go", "env", name).Output()).orFail(t)
		return strings.TrimSpace(string(out))
	}
	base := i.buildah("from", "scratch")
	i.buildah("copy", "--quiet", base, goes("GOROOT"), "/usr/local/go")
	i.buildah("copy", "--quiet", base, t.TempDir(), "/tmp")
	if _, err := os.Stat("/etc/ssl/certs/ca-certificates.crt"); err == nil {
		i.buildah("copy", "--quiet", base, "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/certs/ca-certificates.crt")
	}
	i.buildah("config", "--env", "PATH=/usr/local/go/bin", "--env", "GOPATH=/go", "--env", "HOME=/root", "--env", "GOTOOLCHAIN=local", "--env", "GOPROXY="+goes("GOPROXY"), base)
	i.buildah("commit", "--quiet", base, "localhost/golang")
	i.buildah("rm", base)
	i.buildah("build", append(options, "--quiet", "--build-arg", "GO=localhost/golang", "--volume", goes("GOMODCACHE")+":/go/pkg/mod", "--volume", goes("GOCACHE")+":/root/.cache/go-build",
		"--file", "../../.github/Containerfile", "--tag", "lockstep", "../..")...)
	container := i.buildah("from", "lockstep")
	i.root = i.buildah("mount", container)
	t.Cleanup(func() { i.buildah("umount", container) })
	return i
}

// buildah runs a command of buildah, and returns what it prints.
func (i *containerImage) buildah(command string, arguments ...string) string {
	i.Helper()
	b := exec.Command("buildah", append(append(i.store, command), arguments...)...)
	b.Env = append(os.Environ(), "STORAGE_DRIVER=vfs", "BUILDAH_ISOLATION=chroot")
	var said strings.Builder
	b.Stderr = &said
	out, err := b.Output()
	if err != nil {
		i.Fatalf("buildah %s %q: %v\n%s", command, arguments, err, said.String())
	}
	return strings.TrimSpace(string(out))
}

// run runs the image as its configuration says, with nothing that it can write to but the volume. The hosts are a file
// with the names of others; empty: it needs none.
func (i *containerImage) run(volume, hosts string, environment []string) *process {
	i.Helper()
	mount := `mount --bind "$root" "$root" && mount -o remount,bind,ro "$root"`
	if hosts != "" { // an engine of containers makes this file, too
		must(i, os.MkdirAll(filepath.Join(i.root, "etc"), 0o755))
		must(i, os.WriteFile(filepath.Join(i.root, "etc", "hosts"), nil, 0o644))
		mount += ` && mount --bind "` + hosts + `" "$root/etc/hosts"`
	}
	if volume != "" {
		mount += ` && mount --bind "` + volume + `" "$root/data"`
	}
	// The process that is started becomes the one that serves, so that signals reach it.
	script := filepath.Join(i.TempDir(), "container")
	text := "#!/bin/sh\nroot='" + i.root + "'\nexport root\n" +
		`exec unshare --mount --propagation private sh -c '` + mount + ` && exec chroot --userspec=65534:65534 "$root" /lockstep "$@"' lockstep "$@"` + "\n"
	must(i, os.WriteFile(script, []byte(text), 0o755))
	own := []string{"PATH=" + os.Getenv("PATH")}
	var flags []string
	for _, setting := range append([]string{"LOCKSTEP_DATA=/data"}, environment...) {
		if address, ok := strings.CutPrefix(setting, "LOCKSTEP_ADDRESS="); ok {
			flags = append(flags, "--address="+address)
			continue
		}
		own = append(own, setting)
	}
	return started(i.T, script, own, flags...)
}

// nobodys returns a directory that belongs to nobody, as an engine of containers makes a volume.
func nobodys(t *testing.T) string {
	t.Helper()
	volume := try(os.MkdirTemp("", "volume")).orFail(t) // a path through which nobody may go
	t.Cleanup(func() { os.RemoveAll(volume) })
	must(t, os.Chown(volume, 65534, 65534))
	return volume
}

// A pod stands for the network of a compose file: an address of this machine for each service, and free ports.
type pod struct {
	*testing.T
	dir    string
	hosts  map[string]string // by the name of a service
	ports  map[string]string // by the port in the file
	public string            // where the balancer listens
}

func newPod(t *testing.T) *pod {
	t.Helper()
	p := &pod{T: t, hosts: map[string]string{}, ports: map[string]string{}, public: free(t)}
	var err error
	if p.dir, err = os.MkdirTemp("", "pod"); err != nil { // nobody reads files of it
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(p.dir) })
	must(t, os.Chmod(p.dir, 0o755))
	net := rand.IntN(200) + 10
	for i, name := range []string{"lockstep-1", "lockstep-2", "redis"} {
		p.hosts[name] = fmt.Sprintf("127.%d.%d.%d", net, rand.IntN(250), i+2)
	}
	for _, port := range []string{"8080", "6379"} {
		_, p.ports[port], _ = strings.Cut(free(t), ":")
	}
	return p
}

// text returns a file of .github with the addresses of the pod in place of those that only containers have.
func (p *pod) text(name string) string {
	p.Helper()
	text := try(os.ReadFile("../../.github/" + name)).orFail(p)
	s := strings.ReplaceAll(string(text), "\n:8080 {", "\nhttp://"+p.public+" {")
	s = regexp.MustCompile(`\$\{LOCKSTEP_PUBLIC_URL:\?[^}]*\}`).ReplaceAllString(s, "http://"+p.public)
	for port, free := range p.ports {
		s = strings.ReplaceAll(s, ":"+port, ":"+free)
	}
	return regexp.MustCompile(`(LOCKSTEP_TRUSTED_PROXIES: )\S+`).ReplaceAllString(s, "${1}127.0.0.1")
}

func (p *pod) hostsFile() string {
	text := "127.0.0.1 localhost\n"
	for name, address := range p.hosts {
		text += address + " " + name + "\n"
	}
	return text
}

// file writes a file that everybody may read, and returns its path.
func (p *pod) file(name, text string) string {
	p.Helper()
	path := filepath.Join(p.dir, name)
	must(p, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// starts starts a process, which ends with the test.
func (p *pod) starts(c *exec.Cmd) {
	p.Helper()
	said := try(os.Create(filepath.Join(p.TempDir(), "said"))).orFail(p)
	c.Stdout, c.Stderr = said, said
	must(p, c.Start())
	p.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait() // how it ends is its own business
		if p.Failed() {
			text, _ := os.ReadFile(said.Name())
			p.Logf("%s says\n%s", c.Path, text)
		}
	})
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info := try(os.Stat(path)).orFail(t)
	return info.Size()
}
