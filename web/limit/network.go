package limit

import (
	"net/netip"
	"strings"

	"lockstep/engine/lang"
)

// Network names the network of an address: for IPv4 the address itself, for IPv6 its first 56 bits. A provider gives
// these 56 bits to one customer, who then has 2^72 addresses.
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

// Peer returns the address of the other end of a connection. remote is the text from package net.
func Peer(remote string) netip.Addr {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap()
}

// Contains reports whether one of the networks contains an address.
func Contains(all []netip.Prefix, a netip.Addr) bool {
	for _, p := range all {
		if p.Contains(a.WithZone("")) {
			return true
		}
	}
	return false
}

// ParsePrefixes reads networks (10.0.0.0/8, fd00::/8) and single addresses.
func ParsePrefixes(texts []string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if a, err := netip.ParseAddr(text); err == nil && a.Zone() == "" {
			all = append(all, netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, lang.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", "%q 既不是地址也不是 10.0.0.0/8 这样的网段", text)
		}
		all = append(all, p.Masked())
	}
	return all, nil
}
