package serve

import (
	"net"
	"os"
	"regexp"
	"syscall"
	"testing"

	"lockstep/engine/testtools"
)

// A port that is taken has an error that names it, and an address that works. So has a port of which another program has
// one address only, but one that localhost may lead to.
func TestATakenPortNamesAnAddressThatWorks(t *testing.T) {
	for _, c := range []struct{ taken, host string }{{"127.0.0.1:0", "127.0.0.1"}, {"127.0.0.1:0", "localhost"}, {"[::1]:0", "localhost"}, {":0", ""}, {":0", "localhost"}} {
		other, err := net.Listen("tcp", c.taken)
		if err != nil {
			t.Logf("this machine has no %s: %v", c.taken, err)
			continue
		}
		_, port, _ := net.SplitHostPort(other.Addr().String())
		if !testtools.Eventually(func() bool { // another program may take the address that is named
			_, err := Listen(net.JoinHostPort(c.host, port))
			if err == nil {
				t.Fatalf("%s is taken, and the server listens on %s:%s", other.Addr(), c.host, port)
			}
			says := regexp.MustCompile(`^another program uses port ` + port + `: stop it, or start Lockstep with --address (.*:\d+)$`).FindStringSubmatch(err.Error())
			if says == nil {
				t.Fatalf("the error is %q", err)
			}
			if host, _, _ := net.SplitHostPort(says[1]); host != c.host {
				t.Fatalf("in place of %s:%s the error names %s", c.host, port, says[1])
			}
			l, err := Listen(says[1])
			if err == nil {
				_ = l.Close()
			}
			return err == nil
		}) {
			t.Errorf("no address that is named in place of %s:%s works", c.host, port)
		}
		_ = other.Close()
	}
}

// Each system has numbers of its own for a port that is taken, and for one that only root may have.
func TestThePortOfEachSystemIsExplained(t *testing.T) {
	for number, want := range map[syscall.Errno]string{
		syscall.EADDRINUSE: "^another program uses port 80: .* --address localhost:[0-9]+$",
		10048:              "^another program uses port 80: .* --address localhost:[0-9]+$",
		syscall.EACCES:     "^you have no right to listen on port 80: start Lockstep with --address localhost:8[0-9]{3}$",
		10013:              "^you have no right to listen on port 80: start Lockstep with --address localhost:8[0-9]{3}$",
	} {
		err := explained("localhost:80", &net.OpError{Op: "listen", Net: "tcp", Err: os.NewSyscallError("bind", number)})
		if !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("%d: %v, want %s", number, err, want)
		}
	}
}

// An address that cannot be is named with its flag.
func TestABadAddressNamesItsFlag(t *testing.T) {
	for address, want := range map[string]string{
		"8080":           "--address 8080: listen tcp: address 8080: missing port in address",
		"192.0.2.1:8080": "--address 192.0.2.1:8080: listen tcp 192.0.2.1:8080: ",
	} {
		if _, err := Listen(address); err == nil || !regexp.MustCompile("^"+regexp.QuoteMeta(want)).MatchString(err.Error()) {
			t.Errorf("%s: %v, want %s…", address, err, want)
		}
	}
}
