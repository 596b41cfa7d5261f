package icons

import (
	"net/netip"
	"strings"
)

// closed are the blocks of addresses that are not part of the public internet,
// beyond what netip knows by itself (IANA special-purpose registries).
var closed = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"), // shared by carriers
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), // Teredo and others: an address within an address
	netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"), // 6to4: the same
	netip.MustParsePrefix("3fff::/20"),
}

var (
	globalV6 = netip.MustParsePrefix("2000::/3")
	nat64    = netip.MustParsePrefix("64:ff9b::/96")
)

// public tells whether an address belongs to the public internet.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if a.Is6() && nat64.Contains(a) {
		bytes := a.As16()
		return public(netip.AddrFrom4([4]byte(bytes[12:])))
	}
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" {
		return false
	}
	if a.Is6() && !globalV6.Contains(a) {
		return false
	}
	for _, block := range closed {
		if block.Contains(a) {
			return false
		}
	}
	return true
}

// mayDial decides whether the icon of a server whose host is written as host
// may be asked for at an address. A host that is an address itself was chosen
// by the person and stands for just that address; "localhost" stands for this
// machine; any other name must lead to the public internet, whatever its DNS
// answers at that moment.
func mayDial(host string, to netip.Addr) bool {
	if literal, err := netip.ParseAddr(host); err == nil {
		return literal.Unmap() == to.Unmap()
	}
	host = strings.ToLower(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return to.Unmap().IsLoopback()
	}
	return public(to)
}
