package engine

import (
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// Sentence tells what happened: who, which command, the result and its
// consequence. Caption, log line, screen reader and tests all use this one
// sentence.
func (e *Event) Sentence(in lang.Language) string {
	pattern, arguments := e.say()
	return pattern.Fill(in, arguments...)
}

// quote keeps a stranger's keys and values within their sentence.
func quote(s string) string { return redis.Quote([]string{s}) }

// Length returns a length of time in prose: 12 s.
func Length(t Time) lang.Text {
	if t < 1000 {
		return lang.Format("%d ms", "%d 毫秒", int64(t))
	}
	return lang.Format("%s s", "%s 秒", t)
}

// Title returns a lane's name for a reader: a Redis node is Redis, or Redis 2.
func Title(lane string) string {
	if lane == Storage {
		return "Storage"
	}
	number, isNode := strings.CutPrefix(lane, "redis")
	if !isNode {
		return lane
	}
	return strings.TrimSpace("Redis " + number)
}

// say returns the sentence's two patterns and their common arguments; a pattern
// may leave one out (%[2]s).
func (e *Event) say() (pattern lang.Text, arguments []any) {
	s := func(english, chinese string, arguments ...any) (lang.Text, []any) {
		return lang.Both(english, chinese), arguments
	}
	switch e.Kind {
	case Spawn, Restart:
		return e.sayStart()
	case Send:
		if e.Call.Node == Storage {
			return s("%s sends %s to the storage.", "%s 向存储发出 %s。", e.Lane, e.Call.Label())
		}
		if e.Call.Node != "redis" { // one node among several
			return s("%s sends %s to %s.", "%[1]s 向 %[3]s 发出 %[2]s。", e.Lane, e.Call.Label(), Title(e.Call.Node))
		}
		return s("%s sends %s.", "%s 发出 %s。", e.Lane, e.Call.Label())
	case Deliver:
		if e.Execution.Recorded {
			return s("%s repeats #%d, %s from %s, recorded, not executed: %s.", "%[1]s 重现了 %[4]s 的 %[3]s（#%[2]d，来自录制，未执行），%[5]s。",
				Title(e.Lane), e.Execution.Order, e.Call.Label(), e.Call.Client, e.consequence())
		}
		return s("%s executes #%d, %s from %s: %s.", "%[1]s 执行了 %[4]s 的 %[3]s（#%[2]d），%[5]s。",
			Title(e.Lane), e.Execution.Order, e.Call.Label(), e.Call.Client, e.consequence())
	case Read, Write, Stage, Commit, Reject:
		return e.sayStorage()
	case Reply:
		if e.Lane == Storage {
			return s("The storage answers %s: %s.", "存储回复 %s：%s。", e.Call.Client, e.Execution.Reply)
		}
		return s("%s answers %s: %s.", "%s 回复 %s：%s。", Title(e.Lane), e.Call.Client, e.Execution.Reply)
	case Receive:
		return s("%s receives %s for %s.", "%s 收到 %s（%s 的回复）。", e.Lane, e.Execution.Reply, e.Call.Label())
	case Enter:
		if !*e.Believes {
			return s("%s is in the critical section, though by its own clock its lease has run out.",
				"%s 进入临界区，但按它自己的时钟，租约已到期。", e.Lane)
		}
		if e.Lease.Until == 0 {
			return s("%s is in the critical section and believes that it holds the lock until it gives it back.",
				"%s 进入临界区，自认为持有锁，直到自己释放。", e.Lane)
		}
		return s("%s is in the critical section and believes that it holds the lock until %s.",
			"%s 进入临界区，自认为持有锁到 %s。", e.Lane, e.When(e.Lease.Until))
	case Renew:
		return e.sayRenewal()
	case Leave:
		if e.Text == endsInside {
			return s("%s ends while it is inside, and gives nothing back.", "%s 在临界区内就结束了，什么也没有归还。", e.Lane)
		}
		return s("%s leaves the critical section.", "%s 离开临界区。", e.Lane)
	case AcquireFailed:
		if e.GaveUp {
			return s("%s did not get the lock and gives up.", "%s 没有获取到锁，就此放弃。", e.Lane)
		}
		return s("%s did not get the lock.", "%s 没有获取到锁。", e.Lane)
	case Sleep:
		if e.Tried > 0 {
			return s("%s sleeps until %s. Its attempt began at %s.", "%s 休眠到 %s。这次尝试是从 %s 开始的。", e.Lane, e.When(e.Until), e.When(e.Tried))
		}
		return s("%s sleeps until %s.", "%s 休眠到 %s。", e.Lane, e.When(e.Until))
	case Wake:
		return s("%s wakes and tries again.", "%s 醒来，再试一次。", e.Lane)
	case Done:
		if e.Text != "" {
			return s("%s ends with %s.", "%s 结束，%s。", e.Lane, lang.Both(e.Text, e.chinese))
		}
		if e.GaveUp {
			return s("%s is done, without the lock.", "%s 结束，没有得到锁。", e.Lane)
		}
		return s("%s is done.", "%s 结束。", e.Lane)
	case Crash:
		return e.sayCrash()
	case Failover:
		if len(e.Changes) == 0 {
			return s("%s fails over to its replica; nothing is lost.", "%s 切换到副本，没有数据丢失。", Title(e.Lane))
		}
		return s("%s fails over to its replica, which lags: %s.", "%s 切换到副本，而副本落后了：%s。", Title(e.Lane), e.reverted())
	case Pause:
		return s("%s stands still while time passes.", "%s 停顿，而时间照常流逝。", e.Lane)
	case Resume:
		return s("%s goes on.", "%s 继续运行。", e.Lane)
	case Skew:
		return e.saySkew()
	case Tick:
		return s("%s pass: it is %s.", "过了 %s，现在是 %s。", Length(e.Time-e.From), e.When(e.Time))
	case Expire:
		return e.sayExpire()
	case Drop:
		return e.sayDrop()
	case Error:
		if e.Line > 0 {
			return s("%s's program stops at line %d: %s.", "%s 的程序停在第 %d 行：%s。", e.Lane, e.Line, lang.Both(e.Text, e.chinese))
		}
		return s("%s's program stops: %s.", "%s 的程序停止：%s。", e.Lane, lang.Both(e.Text, e.chinese))
	case Note:
		return s("%s", "%s", e.Text)
	case Violated, Cleared:
		return e.Violation.say(e.Kind == Cleared)
	}
	return s("%s: %s.", "%s：%s。", e.Lane, e.Kind)
}

func (e *Event) sayStart() (pattern lang.Text, arguments []any) {
	switch {
	case e.Spawned == nil && e.Text == "lose":
		return lang.Both("%s is back, without the data that it lost.", "%s 恢复运行，之前的数据已丢失。"), []any{Title(e.Lane)}
	case e.Spawned == nil:
		return lang.Both("%s is back, with its data.", "%s 恢复运行，数据还在。"), []any{Title(e.Lane)}
	case e.Kind == Restart:
		return lang.Both("%s starts afresh, running %s.", "%s 重新开始，运行 %s。"), []any{e.Lane, e.Spawned.Program}
	case e.Spawned.Label != "" && e.Spawned.Program == "":
		return lang.Both("%s (%s) connects; it runs no program.", "%s（%s）连接；它不运行程序。"), []any{Title(e.Lane), e.Spawned.Label}
	case e.Spawned.Label != "":
		return lang.Both("%s (%s) starts %s and wants the lock.", "%s（%s）启动 %s，想要获取锁。"), []any{e.Lane, e.Spawned.Label, e.Spawned.Program}
	case e.Spawned.Program == "":
		return lang.Both("%s connects; it runs no program.", "%s 连接；它不运行程序。"), []any{Title(e.Lane)}
	}
	return lang.Both("%s starts %s and wants the lock.", "%s 启动 %s，想要获取锁。"), []any{e.Lane, e.Spawned.Program}
}

// consequence says how a command changed the keys it named.
func (e *Event) consequence() lang.Text {
	if e.Execution.Reply.Err() != "" && len(e.Changes) == 0 { // a script may fail after it has changed something
		return lang.Format("an error, nothing changes", "但出错了，什么也没有改变")
	}
	if len(e.Changes) == 0 {
		return lang.Format("nothing changes", "什么也没有改变")
	}
	var english, chinese []string
	for _, change := range e.Changes {
		t := change.say(len(e.Changes) == 1, e.wall)
		english, chinese = append(english, t.English), append(chinese, t.Chinese)
	}
	return lang.Both(strings.Join(english, "; "), strings.Join(chinese, "；"))
}

// reverted says what a replica that lags has, where it differs from what its primary had.
func (e *Event) reverted() lang.Text {
	var english, chinese []string
	for _, c := range e.Changes {
		var t lang.Text
		switch key := quote(c.Key); {
		case c.New == nil:
			t = lang.Format("%s is gone; it held %s, written by %s", "%s 丢失，它的值是 %s，由 %s 写入", key, quote(c.Old.Value), c.Old.Writer)
		case c.Old == nil:
			t = lang.Format("%s is back; it holds %s, written by %s", "%s 又回来了，值是 %s，由 %s 写入", key, quote(c.New.Value), c.New.Writer)
		case c.Old.Value != c.New.Value || c.Old.Writer != c.New.Writer:
			t = lang.Format("%s is again %s, written by %s", "%s 又变回 %s（由 %s 写入）", key, quote(c.New.Value), c.New.Writer)
		case c.New.Expires == 0:
			t = lang.Format("%s never expires there", "%s 在那里不会过期", key)
		default:
			t = lang.Format("%s expires at %s there", "%s 在那里于 %s 过期", key, e.When(c.New.Expires))
		}
		english, chinese = append(english, t.English), append(chinese, t.Chinese)
	}
	return lang.Both(strings.Join(english, "; "), strings.Join(chinese, "；"))
}

// say says how one key changed. In Chinese a command that changed nothing else need not name the key again.
func (c *Change) say(alone bool, wall Wall) lang.Text {
	key := quote(c.Key)
	switch {
	case c.New == nil && alone:
		return lang.Format("%[1]s is gone; it held %[2]s, written by %[3]s", "删掉了 %[3]s 写入的 %[2]s", key, quote(c.Old.Value), c.Old.Writer)
	case c.New == nil:
		return lang.Format("%s is gone; it held %s, written by %s", "删掉了 %[1]s 中由 %[3]s 写入的 %[2]s", key, quote(c.Old.Value), c.Old.Writer)
	case c.Old == nil:
		return lang.Format("%s was free and is now %s", "%s 原本不存在，现在是 %s", key, quote(c.New.Value))
	case c.Old.Value != c.New.Value || c.Old.Order != c.New.Order:
		return lang.Format("%s was %s, written by %s, and is now %s", "%s 原来是 %s（由 %s 写入），现在是 %s", key, quote(c.Old.Value), c.Old.Writer, quote(c.New.Value))
	case c.New.Expires == 0:
		return lang.Format("%s no longer expires", "%s 不再过期", key)
	}
	return lang.Format("%s now expires at %s", "%s 将在 %s 过期", key, wall.At(c.New.Expires))
}

func (e *Event) sayCrash() (pattern lang.Text, arguments []any) {
	switch {
	case e.Text == "lose":
		return lang.Both("%s crashes; its data is lost.", "%s 宕机，数据丢失。"), []any{Title(e.Lane)}
	case e.Text == "keep":
		return lang.Both("%s crashes; its data is kept.", "%s 宕机，数据会保留。"), []any{Title(e.Lane)}
	case e.Call != nil:
		return lang.Both("%s crashes; its %s is still on its way.", "%s 崩溃；它的 %s 还在途中。"), []any{e.Lane, e.Call.Label()}
	}
	return lang.Both("%s crashes.", "%s 崩溃。"), []any{Title(e.Lane)}
}

// sayStorage says what the storage did with a request, and why.
func (e *Event) sayStorage() (pattern lang.Text, arguments []any) {
	client := e.Call.Client
	switch arguments = []any{e.Call.Label(), client}; {
	case e.Kind == Reject:
		return lang.Both("The storage rejects %s from %s: it has accepted token %d already.", "存储拒绝来自 %[2]s 的 %[1]s：它已经接受过令牌 %[3]d。"), append(arguments, *e.Fence)
	case e.Kind == Read:
		return lang.Both("%s reads %d from the storage.", "%s 从存储读到 %d。"), []any{client, *e.Number}
	case e.Kind == Stage:
		return lang.Both("%s writes %d in its transaction: nobody else reads it before the commit.", "%s 在自己的事务里写入 %d：提交之前，别人读不到。"), []any{client, *e.Number}
	case e.Kind == Commit && e.Number == nil:
		return lang.Both("%s has no transaction: nothing changes.", "%s 没有未提交的事务：什么也没有改变。"), []any{client}
	case e.Kind == Commit:
		return lang.Both("%s commits: the storage now holds %d.", "%s 提交事务：存储里现在是 %d。"), []any{client, *e.Number}
	case e.Number != nil:
		return lang.Both("%s writes: the storage now holds %d.", "%s 写入：存储里现在是 %d。"), []any{client, *e.Number}
	case len(e.Call.Command) == 1:
		return lang.Both("The storage accepts %s from %s: it shows no fencing token.", "存储接受来自 %[2]s 的 %[1]s：它不带防护令牌。"), arguments
	}
	return lang.Both("The storage accepts %s from %s: it has accepted no higher token.", "存储接受来自 %[2]s 的 %[1]s：此前没有接受过更大的令牌。"), arguments
}

func (e *Event) sayRenewal() (pattern lang.Text, arguments []any) {
	if e.Believes != nil && *e.Believes {
		return lang.Both("%s renews its lease and believes again that it holds the lock, until %s.", "%s 续约，又自认为持有锁，直到 %s。"), []any{e.Lane, e.When(e.Lease.Until)}
	}
	return lang.Both("%s renews its lease: by its own clock it runs until %s.", "%s 续约：按它自己的时钟，租约到 %s 为止。"), []any{e.Lane, e.When(e.Lease.Until)}
}

func (e *Event) saySkew() (pattern lang.Text, arguments []any) {
	belief := lang.Text{}
	if e.Believes != nil && *e.Believes {
		belief = lang.Both(" It believes in its lease again.", "它又自认为持有锁。")
	} else if e.Believes != nil {
		belief = lang.Both(" By it, its lease has run out.", "按这个时钟，它的租约已到期。")
	}
	switch {
	case e.Skew == 0:
		return lang.Both("%[1]s's clock shows true time.%[2]s", "%[1]s 的时钟与真实时间一致。%[2]s"), []any{e.Lane, belief}
	case e.Skew < 0:
		return lang.Both("%[1]s's clock is %[3]s behind true time.%[2]s", "%[1]s 的时钟比真实时间慢 %[3]s。%[2]s"),
			[]any{e.Lane, belief, Length(-e.Skew)}
	}
	return lang.Both("%[1]s's clock is %[3]s ahead of true time.%[2]s", "%[1]s 的时钟比真实时间快 %[3]s。%[2]s"),
		[]any{e.Lane, belief, Length(e.Skew)}
}

func (e *Event) sayExpire() (pattern lang.Text, arguments []any) {
	switch {
	case len(e.Changes) > 0:
		old := e.Changes[0].Old
		if e.Lane != "redis" { // one node among several
			return lang.Both("On %[4]s, %[1]s has reached its expiry and is gone; it held %[2]s, written by %[3]s.", "%[4]s 上的 %[1]s 到期被删除；它的值是 %[2]s，由 %[3]s 写入。"),
				[]any{quote(e.Changes[0].Key), quote(old.Value), old.Writer, Title(e.Lane)}
		}
		return lang.Both("%s has reached its expiry and is gone; it held %s, written by %s.", "%s 到期被删除；它的值是 %s，由 %s 写入。"),
			[]any{quote(e.Changes[0].Key), quote(old.Value), old.Writer}
	case *e.Believes:
		return lang.Both("%s believes in its lease again.", "%s 又自认为持有锁。"), []any{e.Lane}
	}
	return lang.Both("%s is still in the critical section, but by its own clock its lease has run out.", "%s 还在临界区，但按它自己的时钟，租约已到期。"), []any{e.Lane}
}

func (e *Event) sayDrop() (pattern lang.Text, arguments []any) {
	arguments = []any{e.Call.Client, e.Call.Label(), Title(e.Call.Node)}
	switch {
	case e.Lost == unrecorded:
		return lang.Both("%[1]s's %[2]s goes no further: its script is not here, and its effect here is not recorded.", "%[1]s 的 %[2]s 到此为止：这里没有它的脚本，也没有录制它在此处的效果。"), arguments
	case e.Lost == unexecuted:
		return lang.Both("%[1]s's %[2]s goes no further: %[4]s.", "%[1]s 的 %[2]s 到此为止：%[4]s。"), append(arguments, lang.Both(e.Text, e.chinese))
	case e.Lost == "refused":
		return lang.Both("%s's %s is lost: %s is down.", "%[1]s 的 %[2]s 丢失：%[3]s 已宕机。"), arguments
	case e.Lost == "reply" && e.Call.Node == Storage:
		return lang.Both("The reply to %[1]s's %[2]s is lost: the storage has answered, %[1]s does not know.", "%[1]s 的 %[2]s 的回复丢失：存储已经回复，%[1]s 却不知道。"), arguments
	case e.Call.Node == Storage:
		return lang.Both("%[1]s's %[2]s is lost: the storage never sees it.", "%[1]s 的 %[2]s 丢失：存储没有收到。"), arguments
	case e.Lost == "reply":
		return lang.Both("The reply to %[1]s's %[2]s is lost: %[3]s has executed it, %[1]s does not know.", "%[1]s 的 %[2]s 的回复丢失：%[3]s 已经执行，%[1]s 却不知道。"), arguments
	}
	return lang.Both("%[1]s's %[2]s is lost: %[3]s never sees it.", "%[1]s 的 %[2]s 丢失：%[3]s 没有收到。"), arguments
}

// say returns the sentence of a violation that begins, or of one that is over.
func (v *Violation) say(over bool) (pattern lang.Text, arguments []any) {
	switch {
	case over:
		return lang.Both("No longer: %s.", "已解除：%s。"), []any{lang.Both(v.English, v.Cleared)}
	case v.because == nil:
		return lang.Both("%s.", "%s。"), []any{v.Text}
	}
	return lang.Both("%s. Cause: %s", "%s。原因：%s"), []any{v.Text, v.because}
}
