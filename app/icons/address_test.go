package icons

import (
	"net/netip"
	"testing"
)

func TestMayDial(t *testing.T) {
	t.Run("SEC-12 no fetch reaches into the local network", dialling)
}

func dialling(t *testing.T) {
	tests := []struct {
		host, to string
		want     bool
	}{
		{"tools.example", "93.184.215.14", true},
		{"tools.example", "2606:4700::6810:84e5", true},
		{"tools.example", "64:ff9b::5db8:d70e", true},
		{"tools.example", "127.0.0.1", false},
		{"tools.example", "127.8.8.8", false},
		{"tools.example", "::1", false},
		{"tools.example", "::ffff:127.0.0.1", false},
		{"tools.example", "::ffff:10.0.0.1", false},
		{"tools.example", "::127.0.0.1", false},
		{"tools.example", "64:ff9b::7f00:1", false},
		{"tools.example", "2002:7f00:1::", false},
		{"tools.example", "2001:0:7f00:1::", false},
		{"tools.example", "10.1.2.3", false},
		{"tools.example", "172.16.0.1", false},
		{"tools.example", "192.168.0.1", false},
		{"tools.example", "169.254.169.254", false},
		{"tools.example", "100.64.0.1", false},
		{"tools.example", "0.0.0.0", false},
		{"tools.example", "0.1.2.3", false},
		{"tools.example", "198.18.0.1", false},
		{"tools.example", "224.0.0.1", false},
		{"tools.example", "240.0.0.1", false},
		{"tools.example", "255.255.255.255", false},
		{"tools.example", "::", false},
		{"tools.example", "fe80::1", false},
		{"tools.example", "fe80::1%eth0", false},
		{"tools.example", "fc00::1", false},
		{"tools.example", "fec0::1", false},
		{"tools.example", "ff02::1", false},
		{"tools.example", "2001:db8::1", false},
		{"localhost", "127.0.0.1", true},
		{"LocalHost", "::1", true},
		{"a.localhost", "127.0.0.1", true},
		{"localhost", "10.0.0.1", false},
		{"localhost", "93.184.215.14", false},
		{"localhost.tools.example", "127.0.0.1", false},
		{"127.0.0.1", "127.0.0.1", true},
		{"127.0.0.1", "127.0.0.2", false},
		{"::1", "::1", true},
		{"192.168.7.7", "192.168.7.7", true},
		{"192.168.7.7", "192.168.7.8", false},
	}
	for _, tt := range tests {
		if got := mayDial(tt.host, netip.MustParseAddr(tt.to)); got != tt.want {
			t.Errorf("mayDial(%q, %s) = %v, want %v", tt.host, tt.to, got, tt.want)
		}
	}
}
