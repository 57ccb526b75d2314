package door

import (
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"
)

// LookEvery is how long a machine trusts the names and addresses that it has looked up. They change when somebody carries
// a laptop into another network.
const LookEvery = 10 * time.Second

// A machine knows the names and addresses by which its networks reach it. Any other host is made up, or belongs to a
// proxy in front of the machine that no flag names.
type machine struct {
	look  func() (names []string, addresses []netip.Addr)
	local host // of Where.LocalURL

	mu        sync.Mutex
	looked    time.Time
	names     map[string]bool
	addresses map[netip.Addr]bool
}

func NewMachine(o Where) *machine {
	m := &machine{look: o.Machine}
	if m.look == nil {
		m.look = ThisMachine
	}
	m.local, _, _ = HostOf(o.LocalURL)
	return m
}

// Has reports whether a host is this machine, with any port.
func (m *machine) Has(h host) bool {
	if h.name == m.local.name || h.loopback() {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.looked) >= LookEvery {
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

// ThisMachine asks the system for the machine's names and for the addresses of its network interfaces.
func ThisMachine() (names []string, addresses []netip.Addr) {
	if name, err := os.Hostname(); err == nil {
		resolver, _ := os.ReadFile("/etc/resolv.conf") // without it there are no search domains
		names = NamesOf(name, string(resolver))
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

// NamesOf returns the names by which a machine's networks know it: its host name with and without a domain, its mDNS name,
// and its names in the search domains of a resolv.conf.
func NamesOf(hostname, resolver string) []string {
	full := strings.ToLower(strings.TrimSuffix(hostname, "."))
	short, _, _ := strings.Cut(full, ".")
	if short == "" || short == "localhost" {
		return nil // every machine calls itself that
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
