package engine

import (
	"strings"
	"unicode"

	"lockstep/engine/redis"
)

// Can returns nil for an action that is possible now, and otherwise a *Refusal
// that says why it is not.
func (w *World) Can(a Action) error {
	if err := w.Full(); err != nil {
		return err
	}
	if err := w.can(a); err != nil {
		return err
	}
	return nil
}

// Full returns a *FullError once the run has done as much as a run may, and nil
// before.
func (w *World) Full() error {
	if n := len(w.events); n >= MaxEvents {
		return &FullError{Refusal: refuse("the run has %d events and takes no more", "这次运行已有 %d 个事件，已达上限", n), Events: n}
	}
	if w.meter.work >= w.meter.most {
		return &FullError{Refusal: refuse("the run has done %d units of work and takes no more", "这次运行的计算量已达 %d 个单位，已达上限", w.meter.work), Work: w.meter.work}
	}
	if n := w.actions; n >= MaxActions {
		return &FullError{Refusal: refuse("the run has %d actions and takes no more", "这次运行已有 %d 个动作，已达上限", n), Actions: n}
	}
	return nil
}

// can returns a plain pointer: a nil *Refusal from its callees stays a nil.
func (w *World) can(a Action) *Refusal {
	switch a.Verb {
	case VerbSpawn:
		return w.canSpawn(a)
	case VerbTick:
		if a.Time <= 0 || a.Time > MaxTick {
			return refuse("a tick is longer than 0 and at most %s", "时钟每次推进必须大于 0，且不超过 %s", Duration(MaxTick))
		}
		return nil
	case VerbRedisCrash, VerbRedisRestart, VerbFailover:
		return w.canFault(a)
	case VerbDo:
		return w.canType(a)
	case VerbEnter:
		return w.canEnter(a)
	case VerbLeave:
		return w.canLeave(a)
	case VerbNote:
		if a.Text == "" || len(a.Text) > redis.MaxArgSize || strings.ContainsFunc(a.Text, unicode.IsControl) {
			return refuse("a note has 1 to %d bytes and stands on one line", "备注的长度为 1 到 %d 字节，且只占一行", redis.MaxArgSize)
		}
		return nil
	}
	c := w.Client(a.Client)
	switch {
	case c == nil:
		return refuse("there is no client %s", "没有客户端 %s", a.Client)
	case c.Program == nil:
		return refuse("%s has no program: its commands are typed by hand", "%s 没有程序：它的命令由人手动输入", c.Name)
	}
	switch a.Verb {
	case VerbStep:
		return w.canStep(c, a.Count)
	case VerbDeliver:
		if len(c.orphans) == 0 && (c.flight == nil || c.flight.answered()) {
			return refuse("no request of %s is in flight", "%s 没有在途的请求", c.Name)
		}
	case VerbReceive:
		if c.flight == nil || !c.flight.answered() {
			return refuse("no reply to %s is in flight", "没有发往 %s 的在途回复", c.Name)
		}
		return canRun(c)
	case VerbDrop:
		if len(c.orphans) == 0 && (c.flight == nil || c.flight.failure != "") {
			return refuse("no message of %s is in flight", "%s 没有在途的消息", c.Name)
		}
	case VerbCrash:
		if !c.Live() {
			return refuse("%s is not running: it is %s", "%s 没有在运行：%s", c.Name, c.Status)
		}
	case VerbRestart:
		if c.Live() {
			return refuse("%s is running; only a client that is done or has crashed can restart", "%s 正在运行；只有已结束或已崩溃的客户端才能重新开始", c.Name)
		}
	case VerbPause:
		return canRun(c)
	case VerbResume:
		if !c.Paused {
			return refuse("%s is not paused", "%s 没有停顿", c.Name)
		}
	case VerbSkew:
		if a.Time > MaxSkew || a.Time < -MaxSkew {
			return refuse("a clock skew is at most %s either way", "时钟偏差不能超过 ±%s", Duration(MaxSkew))
		}
	default:
		return refuse("there is no action %q", "没有动作 %q", string(a.Verb))
	}
	return nil
}

func (w *World) canStep(c *Client, count int) *Refusal {
	if count < 0 || count > MaxSteps {
		return refuse("a step delivers 1 to %d commands", "一步可送达 1 到 %d 条命令", MaxSteps)
	}
	if err := canRun(c); err != nil {
		return err
	}
	if c.Missing {
		return refuse("nobody knows what %s does next: the recording of its program ends here", "没有人知道 %s 接下来做什么：它的程序只录制到这里", c.Name)
	}
	if c.flight == nil && !c.holding {
		return refuse("%s is asleep until %s and has nothing in flight", "%s 休眠到 %s，没有在途的消息", c.Name, w.When(c.Until))
	}
	return nil
}

// canRun refuses an action that needs the client's process to run.
func canRun(c *Client) *Refusal {
	switch {
	case c.Status == Crashed && len(c.orphans) > 0:
		return refuse("%s has crashed; its request in flight can only be delivered", "%s 已崩溃；它在途的请求只能送达", c.Name)
	case !c.Live():
		return refuse("%s is not running: it is %s", "%s 没有在运行：%s", c.Name, c.Status)
	case c.Paused:
		return refuse("%s is paused", "%s 处于停顿中", c.Name)
	}
	return nil
}

func (w *World) canSpawn(a Action) *Refusal {
	switch {
	case !isClient(a.Client):
		return refuse("%q is not a client's name: a capital letter, then up to 7 letters or digits", "%q 不是客户端的名字：应为一个大写字母，后接至多 7 个字母或数字", a.Client)
	case w.Client(a.Client) != nil:
		return refuse("there is a client %s already", "已有客户端 %s", a.Client)
	case len(w.clients) >= MaxClients:
		return refuse("a run has at most %d clients", "一次运行至多有 %d 个客户端", MaxClients)
	}
	_, options, refusal := w.choose(a)
	if refusal != nil {
		return refusal
	}
	return options.check()
}

// check refuses options out of bounds.
func (o Options) check() *Refusal {
	for _, t := range []Time{o.Timeout, o.Retry, o.AcquireTimeout} {
		if t < 0 || t > MaxTick {
			return refuse("a length of time is longer than 0 and at most %s", "时长必须大于 0，且不超过 %s", Duration(MaxTick))
		}
	}
	if o.Skew > MaxSkew || o.Skew < -MaxSkew {
		return refuse("a clock skew is at most %s either way", "时钟偏差不能超过 ±%s", Duration(MaxSkew))
	}
	return nil
}

func (w *World) canFault(a Action) *Refusal {
	if a.Node < 0 || a.Node > len(w.nodes) {
		return refuse("there is no Redis node %d; the run has %d", "没有 Redis 节点 %d；共有 %d 个", a.Node, len(w.nodes))
	}
	down := w.nodes[max(0, a.Node-1)].down
	if a.Verb == VerbRedisCrash && down {
		return refuse("the Redis node is down already", "该 Redis 节点已经宕机")
	}
	if a.Verb == VerbRedisRestart && !down {
		return refuse("the Redis node is running", "该 Redis 节点正在运行")
	}
	return nil
}

func (w *World) canType(a Action) *Refusal {
	if !isClient(a.Client) {
		return w.canSpawn(a)
	}
	if a.Node > len(w.nodes) {
		return refuse("there is no Redis node %d; the run has %d", "没有 Redis 节点 %d；共有 %d 个", a.Node, len(w.nodes))
	}
	if c := w.Client(a.Client); c != nil && c.Program != nil {
		return refuse("%s runs a program; typed commands need a lane of their own", "%s 在运行程序；手动输入的命令需要单独的泳道", c.Name)
	} else if c == nil && len(w.clients) >= MaxClients {
		return refuse("a run has at most %d clients", "一次运行至多有 %d 个客户端", MaxClients)
	}
	n := w.nodes[max(0, a.Node-1)]
	if n.down {
		return refuse("Redis is down", "Redis 已宕机")
	}
	command, refusal := w.check(a.Command, false)
	if refusal != nil {
		return refused(refusal)
	}
	stored := n.stored
	if redis.Textless(command) && w.header.Effects.find(command, w.now, stored) == nil {
		return notRecorded()
	}
	for _, key := range redis.Keys(command) {
		s, known := stored[key]
		if !known && len(stored) >= MaxKeys {
			return refuse("Redis holds %d keys here and takes no more", "这里的 Redis 已有 %d 个键，已达上限", len(stored))
		}
		if known && s.Type == redis.Hash && redis.SetsFields(command, key) && redis.Fields(s.Value) >= MaxFields {
			return refuse("the hash %s has %d fields here and takes no more", "这里的哈希 %s 已有 %d 个字段，已达上限", quote(key), redis.Fields(s.Value))
		}
	}
	return nil
}

// isClient reports whether scenario text may use the name for a client.
func isClient(name string) bool {
	if len(name) == 0 || len(name) > 8 || name[0] < 'A' || name[0] > 'Z' {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}) < 0
}
