package limit

import "testing"

func TestParsePrefixes(t *testing.T) {
	all, err := ParsePrefixes([]string{"10.1.2.3/8", " 127.0.0.1", "::1", "fd00::/8"})
	if err != nil || len(all) != 4 || all[0].String() != "10.0.0.0/8" || all[1].String() != "127.0.0.1/32" || all[2].String() != "::1/128" {
		t.Errorf("the networks are %v (%v)", all, err)
	}
	for _, text := range []string{"", "all", "10.0.0", "10.0.0.0/33", "fe80::1%eth0"} {
		if all, err := ParsePrefixes([]string{text}); err == nil {
			t.Errorf("%q is taken as %v", text, all)
		}
	}
}
