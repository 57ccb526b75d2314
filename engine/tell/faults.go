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
		t.forgets(e, "%s crashed and forgot %s's lock", "%s 宕机，忘了 %s 的锁", "%s crashed", "%s 宕机了")
		return
	}
	a := t.actor(e.Lane)
	held := a.in || a.granted != nil
	a.in, a.gone = false, true
	switch {
	case held:
		t.say(e, "%s crashed with the lock", "%s 拿着锁崩溃了", mark(e, lang.Both(a.name, a.name)))
	case e.Call != nil:
		t.open(e, "%s crashed while its %s was on its way", "%s 崩溃，它的 %s 还在路上", mark(e, lang.Both(a.name, a.name)), lang.Both(firstWord(e), firstWord(e)))
	case t.v.Cause == e.Seq && t.wrote(a.name):
		t.say(e, "%s crashed before it heard that the lock is its own", "%s 还不知道自己拿到了锁，就崩溃了", mark(e, lang.Both(a.name, a.name)))
	default:
		t.say(e, "%s crashed", "%s 崩溃了", mark(e, lang.Both(a.name, a.name)))
	}
}

func firstWord(e *engine.Event) string { return command(e).English }

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
	t.forgets(e, "%s failed over to a replica that had not heard of %s's lock", "%s 切换到副本，而副本还不知道 %s 的锁", "%s failed over to a replica", "%s 切换到副本")
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
	what := mark(e, command(e))
	if e.Lost == "reply" {
		t.open(e, "The reply to %s's %s was lost", "%s 的 %s 的回复丢了", e.Call.Client, what)
		return
	}
	t.open(e, "%s's %s was lost", "%s 的 %s 丢了", e.Call.Client, what)
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
	if t.v.Property != "stale-write" && t.v.Property != "lost-update" {
		return
	}
	client := mark(e, lang.Both(e.Call.Client, e.Call.Client))
	last := e.Action == t.events[t.end-1].Action && (e.Overtaken != nil || e.Loses != "")
	switch {
	case last && t.v.Property == "stale-write":
		t.say(e, "%s's older write came after that, and the storage accepted it", "%s 的旧写入来得更晚，存储还是接受了", client)
	case last && e.Number != nil && e.Loses != e.Call.Client:
		t.say(e, "%s wrote over it without having read it", "%s 没读到它，就用自己的写入覆盖了", client)
	case last:
		t.say(e, "%s", "%s", t.sentence(e))
	case e.Kind == engine.Read && e.Number != nil:
		t.and(e, true, "%s read %d", "%s 读到 %d", client, *e.Number)
	case e.Kind == engine.Read:
	case e.Kind == engine.Stage:
		t.say(e, "%s wrote in its transaction", "%s 在事务里写入", client)
	case e.Kind == engine.Commit:
		t.say(e, "%s committed", "%s 提交了", client)
	case e.Number != nil:
		t.say(e, "%s wrote %d", "%s 写入 %d", client, *e.Number)
	default:
		t.say(e, "%s wrote to the storage", "%s 写入了存储", client)
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
