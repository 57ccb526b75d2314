package limit

import "net/netip"

// Network names the network of an address: of IPv4 the address itself, of IPv6 the 56 bits that a customer of a
// provider has, since whoever has one address there has 2^72 of them.
func Network(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	if !a.Is6() {
		return a.String()
	}
	p, err := a.Prefix(56)
	if err != nil {
		return a.String()
	}
	return p.String()
}
