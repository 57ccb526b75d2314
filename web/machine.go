package web

import (
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"
)

// lookEvery is for how long the names and addresses of this machine are believed to be what they were: a laptop is
// carried from one network into another.
const lookEvery = 10 * time.Second

// A machine knows under which names and addresses its networks reach it. A host that is none of them has been made up,
// or belongs to something in front of the machine that nobody has named.
type machine struct {
	look  func() (names []string, addresses []netip.Addr)
	local host // that of Options.LocalURL

	mu        sync.Mutex
	looked    time.Time
	names     map[string]bool
	addresses map[netip.Addr]bool
}

func newMachine(o Options) *machine {
	m := &machine{look: o.Machine}
	if m.look == nil {
		m.look = thisMachine
	}
	m.local, _, _ = hostOf(o.LocalURL)
	return m
}

// has reports whether a host is this machine, whatever its port.
func (m *machine) has(h host) bool {
	if h.name == m.local.name || h.loopback() {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.looked) >= lookEvery {
		m.looked = time.Now()
		names, addresses := m.look()
		m.names, m.addresses = map[string]bool{}, map[netip.Addr]bool{}
		for _, name := range names {
			m.names[name] = true
		}
		for _, a := range addresses {
			m.addresses[a] = true
		}
	}
	return m.names[h.name] || m.addresses[h.address]
}

// thisMachine asks the system what it is called, and for the addresses of its network interfaces.
func thisMachine() (names []string, addresses []netip.Addr) {
	if name, err := os.Hostname(); err == nil {
		resolver, _ := os.ReadFile("/etc/resolv.conf") // where there is none, there are no search domains
		names = namesOf(name, string(resolver))
	}
	all, _ := net.InterfaceAddrs() // without them the names still count
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok {
			if address, ok := netip.AddrFromSlice(n.IP); ok {
				addresses = append(addresses, address.Unmap())
			}
		}
	}
	return names, addresses
}

// namesOf are the names under which a machine's networks know it: its host name with and without a domain, by mDNS, and
// in the search domains of a resolv.conf.
func namesOf(hostname, resolver string) []string {
	full := strings.ToLower(strings.TrimSuffix(hostname, "."))
	short, _, _ := strings.Cut(full, ".")
	if short == "" || short == "localhost" {
		return nil // that is each machine's own
	}
	names := []string{full, short, short + ".local"}
	for line := range strings.Lines(resolver) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "search" && words[0] != "domain" {
			continue
		}
		for _, domain := range words[1:] {
			if domain = strings.ToLower(strings.Trim(domain, ".")); domain != "" {
				names = append(names, short+"."+domain)
			}
		}
	}
	return names
}
