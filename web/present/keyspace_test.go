package present

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	runview "lockstep/views/run"
)

// The keys' pane shows the last change of each key, even of a key that is gone.
func TestKeyspace(t *testing.T) {
	race := []string{
		"spawn C3 del-setnx timeout=10s", "step C3", "crash C3", "tick 12s", "spawn C1 C2 del-setnx timeout=10s",
		"step C1 2", "step C2 2",
	}
	for _, c := range []struct {
		lines []string
		want  string // one key per line; * marks the last change
	}{
		{[]string{"spawn C1 naive"}, ""},
		{race, "*lock.foo: - > 1011 C3; created by C3 #1"},
		{append(race, "step C1"), "*lock.foo: 1011 C3 > -; deleted by C1 #6"},
		{append(race, "step C1 2"), "*lock.foo: - > 1023 C1; created by C1 #7"},
		{[]string{"do A1 SET k 1", "do B1 GETSET k 2", "do A1 GET k"}, "*k: 1 A1 > 2 B1; changed by B1 #2"},
		{[]string{"do A1 SET k 1", "do B1 PEXPIRE k 5000"}, "*k: 1 A1 > 1 A1 until 1005; TTL changed by B1 #2"},
		{[]string{"do A1 SET k 1 PX 5000", "tick 7s"}, "*k: 1 A1 until 1005 > -; expired at 1005"},
		{[]string{"do A1 SET k 1", "do A1 SET a 2", "redis crash lose"}, "*a: 2 A1 > -; lost when Redis crashed\n*k: 1 A1 > -; lost when Redis crashed"},
		{[]string{"do A1 SET k 1", "do B1 SET a 2"}, "*a: - > 2 B1; created by B1 #2\nk: - > 1 A1; created by A1 #1"},
	} {
		var lines []string
		for _, key := range played(t, c.lines...).Nodes[0].Keys {
			line := fmt.Sprintf("%s: %s > %s; %s", key.Name, said(key.Before), said(key.Now), key.Change)
			if key.Last {
				line = "*" + line
			}
			if key.Order > 0 {
				line += fmt.Sprintf(" #%d", key.Order)
			}
			lines = append(lines, line)
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("after %q:\n%s\nwant\n%s", c.lines, got, c.want)
		}
	}
}

func said(s *runview.Stored) string {
	switch {
	case s == nil:
		return "-"
	case s.Expires == "":
		return s.Value + " " + s.Writer
	}
	return s.Value + " " + s.Writer + " until " + s.Expires
}

// The page shows the protected resource if a client's program writes to it.
func TestStorageIsShown(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  *runview.Storage
	}{
		{[]string{"spawn C1 set-px"}, nil},
		{[]string{"spawn C1 set-px-fencing"}, &runview.Storage{}},
		{[]string{"spawn C1 set-px-fencing", "step C1 2"}, &runview.Storage{Fence: "1"}},
		{[]string{"spawn C1 set-px-fencing-read"}, &runview.Storage{Number: "0"}},
		{[]string{"spawn C1 set-px-fencing-read", "step C1 3"}, &runview.Storage{Fence: "1", Number: "1"}},
	} {
		if got := played(t, c.lines...).Storage; !reflect.DeepEqual(got, c.want) {
			t.Errorf("after %q: %+v, want %+v", c.lines, got, c.want)
		}
	}
}
