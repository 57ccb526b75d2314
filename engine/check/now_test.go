package check_test

import (
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
)

// Each property says, in both languages, what its violation would be and who counts toward it now.
func TestNowSaysWhoCounts(t *testing.T) {
	for _, test := range []struct{ property, scenario, english, chinese string }{
		{"overlap", "program naive\nspawn C1 C2", "nobody", "还没有"},
		{"overlap", "program naive\nspawn C1 C2\nstep C1", "C1", "C1"},
		{"overlap", "program set-px timeout=1s\nspawn C1 C2\nstep C1\ntick 2s\nstep C2", "C1, C2", "C1、C2"},
		{"mutual-exclusion", "program set-px timeout=1s\nspawn C1\nstep C1\ntick 2s\nspawn C2\nstep C2", "C2", "C2"}, // C1's lease is over
		{"foreign-delete", "program naive\nspawn C1 C2\nstep C1", "the key of C1 is there", "C1 的键还在"},
		{"foreign-delete", "program naive\nspawn C1 C2", "no key is a holder's", "没有哪个键属于持有者"},
		{"lease-drift", "program getset timeout=2s\nspawn C1\nstep C1", "the key of C1 is there", "C1 的键还在"},
		{"stuck", "program naive\nspawn C1 C2\nstep C1\nstep C2", "waiting: C2", "C2 在等"},
		{"stuck", "program naive\nspawn C1\nstep C1", "nobody waits", "没有客户端在等"},
		{"stale-write", "program set-px-fencing\nspawn C1\nstep C1", "no write has taken effect", "还没有生效的写入"},
		{"stale-write", "program set-px-fencing\nspawn C1\nstep C1 3", "C1 has written last", "最后写入的是 C1"},
	} {
		s, err := engine.Parse("now", test.scenario+"\n", nil)
		if err != nil {
			t.Fatal(err)
		}
		trace, err := s.Play("now", check.All()...)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := check.Named(test.property)
		if now := p.Now(trace.Run.World()); now != lang.Both(test.english, test.chinese) {
			t.Errorf("%s after %s: %q, %q", test.property, strings.ReplaceAll(test.scenario, "\n", ", "), now.English, now.Chinese)
		}
		trace.Run.World().Close()
	}
	for _, p := range check.Properties {
		if !p.Goal.Has(lang.English) || p.Now == nil {
			t.Errorf("%s has no goal", p.Name)
		}
	}
}
