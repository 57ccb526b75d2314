package cli

import (
	"fmt"
	"io"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// Clocks are the flags that say on which clocks real programs run, and which Redis they find.
type Clocks struct {
	Clock       string `help:"Clock of the programs: ${enum}. A virtual one stands still until a tick, and needs Linux on amd64." zh:"程序的时钟：${enum}。虚拟时钟（virtual）静止不动，直到推进；需要 amd64 上的 Linux。" enum:"virtual,machine" default:"virtual"`
	RedisServer string `help:"Program of a real Redis, which executes every command in place of Lockstep's own: redis-server. It needs the virtual clock." zh:"真实 Redis 的程序（如 redis-server），代替 Lockstep 自带的执行每条命令；需要虚拟时钟。" placeholder:"PATH"`
}

// Virtual reports whether the programs run on clocks of their own. lacks says why no program can on this machine; nil: programs
// can. Virtual says it, and refuses what needs such a clock.
func (c *Clocks) Virtual(lacks func() *lang.Text, out io.Writer, in lang.Language) (bool, error) {
	if c.Clock == "virtual" {
		why := lacks()
		if why == nil {
			return true, nil
		}
		fmt.Fprintln(out, lang.Format("The programs run on the clock of the machine, and ticks do not move that: %s.", "程序使用机器的时钟，时钟推进不影响它：%s。", *why).In(in))
	}
	if c.RedisServer != "" {
		return false, engine.Refuse("--redis-server: a real Redis needs the virtual clock", "--redis-server：真实的 Redis 需要虚拟时钟")
	}
	return false, nil
}
