package cli_test

import (
	"strings"
	"testing"

	"lockstep/engine/cli"
	"lockstep/engine/lang"
)

// Where no program can have a clock of its own, the command says why and goes on, but not with a real Redis.
func TestAMachineWithoutTheVirtualClock(t *testing.T) {
	why := lang.Both("this machine has none", "这台机器没有")
	for _, c := range []struct {
		clocks  cli.Clocks
		lacks   *lang.Text
		virtual bool
		says    string
		refuses string
	}{
		{cli.Clocks{Clock: "virtual"}, nil, true, "", ""},
		{cli.Clocks{Clock: "virtual", RedisServer: "redis-server"}, nil, true, "", ""},
		{cli.Clocks{Clock: "machine"}, nil, false, "", ""},
		{cli.Clocks{Clock: "machine", RedisServer: "redis-server"}, nil, false, "", "--redis-server: a real Redis needs the virtual clock"},
		{cli.Clocks{Clock: "virtual"}, &why, false, "The programs run on the clock of the machine, and ticks do not move that: this machine has none.\n", ""},
		{cli.Clocks{Clock: "virtual", RedisServer: "redis-server"}, &why, false, "The programs run on the clock of the machine, and ticks do not move that: this machine has none.\n", "--redis-server: a real Redis needs the virtual clock"},
	} {
		var said strings.Builder
		virtual, err := c.clocks.Virtual(func() *lang.Text { return c.lacks }, &said, lang.English)
		refused := ""
		if err != nil {
			refused = err.Error()
		}
		if virtual != c.virtual || said.String() != c.says || refused != c.refuses {
			t.Errorf("%+v: virtual %v, says %q, refuses %q", c.clocks, virtual, said.String(), refused)
		}
	}
}
