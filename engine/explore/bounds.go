package explore

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
)

// The bounds of bounds: beyond them no search would end, or no state would fit.
const (
	MaxClients = 9
	MaxTicks   = 1000
	MaxFaults  = 9
	MaxLengths = 5 // of ticks
	MaxDepths  = 1000

	maxReviews = 100_000 // how often a counterexample may ask programs whether they still hold the lock
)

// Check returns the mistake in a question, in both languages, or nil.
func (q Question) Check() error {
	if r := q.check(); r != nil {
		return r
	}
	return nil
}

func (q Question) check() *engine.Refusal {
	switch {
	case q.Program == nil && q.From == nil:
		return engine.Refuse("no program is given", "没有指定程序")
	case q.Symmetry && q.From != nil:
		return engine.Refuse("clients of a run are not alike: there is no symmetry between them", "一次运行中的客户端各不相同，不存在对称性")
	case q.Symmetry && !q.Symmetric():
		return engine.Refuse("%s has a text with a capital C in it, which could name a client: clients may not be alike, and there is no symmetry between them",
			"%s 里有包含大写字母 C 的文本，可能是某个客户端的名字：客户端可能并不相同，不能使用对称性", q.Program.Name)
	}
	if _, ok := check.Named(q.Property); q.Property != "" && !ok {
		return engine.Refuse("there is no property %q; choose one of %s", "没有性质 %q：应为 %s 之一", q.Property, strings.Join(check.Names(), " "))
	}
	for _, b := range []struct {
		n, least, most int
		noun           lang.Text
	}{
		{q.Clients, 1, MaxClients, lang.Both("clients", "客户端数")},
		{q.Ticks, 0, MaxTicks, lang.Both("ticks", "时钟推进次数")},
		{q.Crashes, 0, MaxFaults, lang.Both("crashes", "崩溃数")},
		{q.Delays, Any, MaxTicks, lang.Both("delays", "延迟数")},
		{q.Losses, 0, MaxFaults, lang.Both("lost messages", "丢失的消息数")},
		{q.Nodes, 0, engine.MaxNodes, lang.Both("Redis nodes", "Redis 节点数")},
		{q.NodeCrashes, 0, MaxFaults, lang.Both("crashes of Redis nodes", "Redis 节点崩溃数")},
		{q.Failovers, 0, MaxFaults, lang.Both("failovers", "故障转移次数")},
		{q.RestartDelay, 0, MaxTicks, lang.Both("ticks before a restart", "重启前的时钟推进次数")},
	} {
		switch {
		case b.n < b.least:
			return engine.Refuse("%d %s are too few: at least %d", "%[2]s %[1]d 太小：至少为 %[3]d", b.n, b.noun, b.least)
		case b.n > b.most:
			return engine.Refuse("%d %s are too many: at most %d", "%[2]s %[1]d 太大：至多为 %[3]d", b.n, b.noun, b.most)
		}
	}
	for _, t := range []engine.Time{q.Tick, q.Timeout, q.Retry, q.Within} {
		if t < 0 || t > engine.MaxTick {
			return engine.Refuse("a length of time is longer than 0 and at most %s: not %s", "时长必须大于 0，且不超过 %s：不能是 %s", seconds(engine.MaxTick), seconds(t))
		}
	}
	for name, skew := range q.Skew {
		if !slices.Contains(clientNames(q.Clients), name) {
			return engine.Refuse("there is no client %s to give a clock skew: the clients are C1 to C%d", "没有客户端 %s 可以设置时钟偏差：只有 C1 到 C%d", name, q.Clients)
		}
		if skew > engine.MaxSkew || skew < -engine.MaxSkew {
			return engine.Refuse("a clock skew is at most %s either way", "时钟偏差不能超过 ±%s", seconds(engine.MaxSkew))
		}
	}
	if r := q.checkLengths(); r != nil {
		return r
	}
	switch {
	case q.Crashes > q.Clients && q.From == nil:
		return engine.Refuse("%d clients cannot crash %d times: none comes back", "%d 个客户端不可能崩溃 %d 次：崩溃后不会恢复", q.Clients, q.Crashes)
	case q.From == nil && q.Program.DefinesHolds() && q.reviews() > maxReviews:
		// A counterexample has to be a run.
		return engine.Refuse("%d ticks of %s are too long for %d clients: every second a run asks each program whether its client still holds the lock, and it asks at most %d times",
			"时钟推进 %d 次（每次 %s）对 %d 个客户端来说太长：一次运行每秒询问每个程序是否仍持有锁，而至多询问 %d 次", q.Ticks, seconds(q.withDefaults().Tick), q.Clients, maxReviews)
	case q.RestartDelay > q.Ticks && q.NodeCrashes > 0:
		return engine.Refuse("a Redis node that is back after %d ticks is never back within %d", "Redis 节点要等时钟推进 %d 次才重启，而时钟只推进 %d 次，永远不会恢复", q.RestartDelay, q.Ticks)
	}
	return nil
}

// checkLengths returns the mistake in the lengths of ticks, or nil.
func (q Question) checkLengths() *engine.Refusal {
	q = q.withDefaults()
	for i, l := range q.Lengths {
		if l <= 0 || l > engine.MaxTick || l%q.Tick != 0 || i > 0 && l <= q.Lengths[i-1] {
			return engine.Refuse("the lengths of ticks are multiples of %s in growing order, at most %s", "时钟推进的长度必须是 %s 的倍数，由小到大，且不超过 %s", seconds(q.Tick), seconds(engine.MaxTick))
		}
	}
	if n := len(q.Lengths); n > MaxLengths || n > 0 && engine.Time(q.Ticks)*(q.Lengths[n-1]/q.Tick) > mostInstants/2 {
		return engine.Refuse("the ticks have too many lengths: at most %d, with at most %d times the shortest step in all", "时钟推进的长度太多：至多 %d 种，总共至多为最小步长的 %d 倍", MaxLengths, mostInstants/2)
	}
	return nil
}

// reviews returns how often a run may have to ask programs whether they still
// hold the lock: each of them at every second of its clock.
func (q Question) reviews() int {
	fractions := map[engine.Time]bool{0: true}
	for _, skew := range q.Skew {
		fractions[(skew%1000+1000)%1000] = true
	}
	longest := q.withDefaults().Tick
	if n := len(q.Lengths); n > 0 {
		longest = q.Lengths[n-1]
	}
	return q.Clients * len(fractions) * q.Ticks * int(longest/1000)
}
