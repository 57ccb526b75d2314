package serve

import (
	"net"
	"net/netip"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The first line tells what comes next, while nothing is open: not a course, and not a store.
func TestTheFirstLineComesBeforeAnythingIsOpened(t *testing.T) {
	nothing := filepath.Join(t.TempDir(), "nothing")
	for _, f := range []Flags{{Course: []string{nothing}}, {StoreFile: nothing}} {
		f.Address, f.Log, f.Keep = "localhost:8080", "text", time.Hour
		var out strings.Builder
		if err := f.serve(&out); err == nil || !strings.Contains(err.Error(), nothing) {
			t.Errorf("%+v: %v", f, err)
		}
		if want := "Lockstep is starting: it reads its courses, then listens on localhost:8080.\n"; out.String() != want {
			t.Errorf("the server says %q, want %q", out.String(), want)
		}
	}
}

// Unless somebody asks for more, only this machine reaches the server. The same address opens it here as did when the
// whole network reached it.
func TestByDefaultTheServerListensOnLoopback(t *testing.T) {
	field, _ := reflect.TypeFor[Flags]().FieldByName("Address")
	host, port, err := net.SplitHostPort(field.Tag.Get("default"))
	if err != nil || port != "8080" {
		t.Fatal(host, port, err)
	}
	l, err := Listen(host + ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	address := l.Addr().(*net.TCPAddr)
	if !address.IP.IsLoopback() {
		t.Errorf("the server listens on %s", address)
	}
	if got, want := reachableURLs(host+":0", address), []string{"http://localhost:" + strconv.Itoa(address.Port)}; !slices.Equal(got, want) {
		t.Errorf("the server is at %q, want %q", got, want)
	}
}

// The terminal says where the site is, and that a class needs a flag where no other machine comes to it.
func TestTheTerminalSaysWhereTheSiteIs(t *testing.T) {
	const alone = "Only this machine reaches it. For a class, start it with --address :8080."
	local := []string{"http://localhost:8080"}
	for _, c := range []struct {
		listens string
		urls    []string
		f       Flags
		want    []string
	}{
		{"127.0.0.1:8080", local, Flags{}, []string{"Lockstep is at http://localhost:8080/", alone}},
		{"[::1]:8080", local, Flags{BasePath: "tools/"}, []string{"Lockstep is at http://localhost:8080/tools/", alone}},
		{"[::]:8080", append(local, "http://192.168.1.5:8080"), Flags{}, []string{"Lockstep is at http://localhost:8080/", "Lockstep is at http://192.168.1.5:8080/"}},
		{"192.168.1.5:8080", []string{"http://192.168.1.5:8080"}, Flags{}, []string{"Lockstep is at http://192.168.1.5:8080/"}},
		{"127.0.0.1:8080", local, Flags{PublicURL: "https://site.example"}, []string{"Lockstep is at http://localhost:8080/", "Lockstep is at https://site.example/"}},
		{"192.168.1.5:8080", []string{"http://192.168.1.5:8080"}, Flags{PublicURL: "https://site.example"}, []string{"Lockstep is at https://site.example/"}},
		{"127.0.0.1:8080", local, Flags{TrustedProxies: []string{"127.0.0.1"}}, []string{"Lockstep is at http://localhost:8080/"}},
	} {
		c.f.Keep = time.Hour
		if err := c.f.Validate(); err != nil {
			t.Fatal(err)
		}
		if got := c.f.where(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.listens)), c.urls); !slices.Equal(got, c.want) {
			t.Errorf("at %s, with %+v, the server says %q, want %q", c.listens, c.f, got, c.want)
		}
	}
}
