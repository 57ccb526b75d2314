package tell

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// crash tells of a client or a node that is gone.
func (t *teller) crash(e *engine.Event) {
	if strings.HasPrefix(e.Lane, "redis") {
		english, chinese := "%s crashed and forgot %s's lock", "%s 宕机，忘了 %s 的锁"
		if t.many {
			english, chinese = "%s crashed and forgot its vote for %s", "%s 宕机，忘了投给 %s 的票"
		}
		t.forgets(e, english, chinese, "%s crashed", "%s 宕机了")
		return
	}
	a := t.actor(e.Lane)
	held := a.in || a.granted != nil
	a.in, a.gone = false, true
	switch {
	case held:
		t.say(e, "%s %s", "%s %s", a.name, mark(e, lang.Both("crashed with the lock", "拿着锁崩溃了")))
	case e.Call != nil:
		t.open(e, "%s %s while its %s was on its way", "%s %s，它的 %s 还在路上", a.name, mark(e, lang.Both("crashed", "崩溃")), command(e))
	case t.v.Cause == e.Seq && t.wrote(a.name):
		t.say(e, "%s %s before it heard that the lock is its own", "%s 还不知道自己拿到了锁，就%s", a.name, mark(e, lang.Both("crashed", "崩溃了")))
	default:
		t.say(e, "%s %s", "%s %s", a.name, mark(e, lang.Both("crashed", "崩溃了")))
	}
}

// wrote reports whether a client has stored a value so far.
func (t *teller) wrote(client string) bool {
	for i := range t.events[:t.end-1] {
		if e := &t.events[i]; e.Kind == engine.Deliver && e.Call.Client == client && writes(e) {
			return true
		}
	}
	return false
}

// failover tells what a replica that lags does not know, or still has.
func (t *teller) failover(e *engine.Event) {
	for _, c := range e.Changes {
		if c.New != nil && !c.New.Counted {
			t.say(e, "%s failed over to a replica that lagged: %s", "%s 切换到落后的副本：%s", engine.Title(e.Lane), mark(e, lang.Format("%s's key was back", "%s 的键又回来了", c.New.Writer)))
			return
		}
	}
	english, chinese := "%s failed over to a replica that had not heard of %s's lock", "%s 切换到副本，而副本还不知道 %s 的锁"
	if t.many {
		english, chinese = "%s failed over to a replica that knew nothing of its vote for %s", "%s 切换到副本，而副本还不知道投给 %s 的票"
	}
	t.forgets(e, english, chinese, "%s failed over to a replica", "%s 切换到副本")
}

// forgets tells that a node has lost a client's lock, or, by the other patterns, just what happened to it.
func (t *teller) forgets(e *engine.Event, english, chinese, plainEnglish, plainChinese string) {
	node := mark(e, lang.Both(engine.Title(e.Lane), engine.Title(e.Lane)))
	for _, c := range e.Changes {
		if c.Old != nil && c.New == nil && !c.Old.Counted {
			t.open(e, english, chinese, node, c.Old.Writer)
			t.taker = ""
			return
		}
	}
	t.open(e, plainEnglish, plainChinese, node)
}

// drop tells of a message that never arrives.
func (t *teller) drop(e *engine.Event) {
	if e.Lost == "reply" {
		t.open(e, "The reply to %s was lost", "%s 的回复丢了", own(e))
		return
	}
	t.open(e, "%s was lost", "%s 丢了", own(e))
}

// done tells of a client that has ended and left its key, where that locks everybody out.
func (t *teller) done(e *engine.Event) {
	a := t.actor(e.Lane)
	if e.Seq != t.v.Cause {
		return
	}
	if a.left {
		t.then(e, lang.Both(" and left without removing its key", "，离开时也没有删掉自己的键"), lang.Format("%s left without removing its key", "%s 离开时没有删掉自己的键", a.name))
		return
	}
	t.say(e, "%s ended and left its key", "%s 结束了，键却留着", a.name)
}

// storage tells what came to the protected resource, where the violation is about that.
func (t *teller) storage(e *engine.Event) {
	if !t.stored() {
		return
	}
	client := e.Call.Client
	does := func(english, chinese string, arguments ...any) lang.Text {
		return mark(e, lang.Format(english, chinese, arguments...))
	}
	last := e.Action == t.events[t.end-1].Action && (e.Overtaken != nil || e.Loses != "")
	switch {
	case last && t.v.Property == "stale-write":
		t.say(e, "%s came after that, and the storage accepted it", "%s来得更晚，存储还是接受了", does("%s's older write", "%s 的旧写入", client))
	case last && e.Number != nil && e.Loses != e.Call.Client:
		t.say(e, "%s %s without having read it", "%s 没读到它，就%s", client, does("wrote over it", "用自己的写入覆盖了"))
	case last:
		t.say(e, "%s", "%s", t.sentence(e))
	case e.Kind == engine.Read && e.Number != nil:
		t.and(e, true, "%s %s", "%s %s", client, does("read %d", "读到 %d", *e.Number))
	case e.Kind == engine.Read:
	case e.Kind == engine.Stage:
		t.say(e, "%s %s in its transaction", "%s 在事务里%s", client, does("wrote", "写入"))
	case e.Kind == engine.Commit:
		t.say(e, "%s %s", "%s %s", client, does("committed", "提交了"))
	case e.Number != nil:
		t.say(e, "%s %s", "%s %s", client, does("wrote %d", "写入 %d", *e.Number))
	default:
		t.say(e, "%s %s", "%s %s", client, does("wrote to the storage", "写入了存储"))
	}
}

// holds returns the writer of the value that was stored last.
func (t *teller) holds() string {
	for _, e := range slices.Backward(t.events[:t.end-1]) {
		for _, c := range e.Changes {
			if c.New != nil && !c.New.Counted {
				return c.New.Writer
			}
		}
	}
	return ""
}

// close tells the end, if nothing that happened has told it.
func (t *teller) close() {
	end := &t.events[t.end-1]
	if n := len(t.said); n > 0 && t.events[t.said[n-1].seq-1].Action == end.Action && t.finished() {
		return
	}
	switch t.v.Property {
	case "stuck":
		t.say(end, "Nobody removes %s's key, and %s waits for ever", "没人删掉 %s 的键，%s 只能一直等下去", t.holds(), strings.Join(t.v.Clients, ", "))
	case "lease-drift":
		t.say(end, "The key holds another value, and %s still believes in its lock", "键里已是别的值，%s 还自认为持有锁", t.v.Clients[0])
	default:
		t.say(end, "%s", "%s", t.v.Text)
	}
}

// finished reports whether the last sentence tells the violation itself.
func (t *teller) finished() bool {
	switch t.v.Property {
	case "mutual-exclusion", "overlap", "foreign-delete", "stale-write", "lost-update":
		return true
	case "lease-drift":
		return t.drifted
	}
	return false
}
