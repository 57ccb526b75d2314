package export

import (
	"strings"
	"testing"
)

// A replica that takes over brings a hash back, with the life that it has left.
func TestAReplicaBringsAHashBack(t *testing.T) {
	trace := play(t, "", "do A HSET h owner 1 \"two words\" \"\\xff\"\ndo A PEXPIRE h 5000\ntick 1s\ndo A DEL h\nredis failover\n")
	want := "DEL h\nHSET h owner 1 \"two words\" \"\\xff\"\nPEXPIRE h 4000\n"
	if text := written(t, "redis-cli", trace); !strings.Contains(text, want) {
		t.Errorf("%s\nlacks %s", text, want)
	}
}
