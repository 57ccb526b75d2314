package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/web/live"
)

// Each action out of a challenge's bounds is refused before it happens, with one sentence, by whatever way it comes: a
// form, the console, the socket, and a branch.
func TestOutOfBoundsIsRefusedBeforeItHappens(t *testing.T) {
	s := newSite(t, Options{})
	for _, test := range []struct{ challenge, before, action, english, chinese string }{
		{"race/break", "", "spawn C4", "This challenge is about 3 clients.", "这个挑战只有 3 个客户端。"},
		{"race/break", "", "pause C1", "In this challenge nobody is paused: a client that you do not step stands still.", "在这个挑战里不需要暂停：不对某个客户端执行步骤，它就停在那里。"},
		{"race/break", "", "crash C1", "In this challenge no client crashes.", "在这个挑战里，客户端不会崩溃。"},
		{"race/break", "", "tick 1s", "In this challenge no message is under way while time passes: C1's is.", "在这个挑战里，时间流逝时不能有消息在途中：C1 的还在途中。"},
		{"race/break", "", "tick 500ms", "In this challenge time passes by 1s each.", "在这个挑战里，时间每次流逝 1s。"},
		{"race/break", "", "skew C1 1s", "skew is no part of this challenge", "skew 不属于这个挑战"},
		{"race/break", "", "do CLI DEL lock.foo", "do is no part of this challenge", "do 不属于这个挑战"},
		{"race/break", "", "restart C3", "restart is no part of this challenge", "restart 不属于这个挑战"},
		{"race/break", "", "redis crash lose", "In this challenge no Redis node crashes.", "在这个挑战里，Redis 节点不会宕机。"},
		{"clocks/four", "", "tick 1s", "In this challenge no time passes.", "在这个挑战里，时间不流逝。"},
		{"one-winner/two-winners", "tick 4s", "tick 1s", "In this challenge at most 4s pass.", "在这个挑战里，至多流逝 4s。"},
		{"one-winner/two-winners", "", "tick 5s", "In this challenge at most 4s pass.", "在这个挑战里，至多流逝 4s。"},
		{"one-winner/two-winners", "", "spawn C1 set-px", "C1 runs set-px; this challenge is about naive.", "C1 运行的是 set-px；这个挑战针对的是 naive。"},
		{"one-winner/two-winners", "", "spawn C1 timeout=1s", "In this challenge C1 has no options of its own.", "在这个挑战里，C1 不能有自己的选项。"},
		{"one-winner/two-winners", "", "spawn C1 C2 C3 C4", "This challenge is about 3 clients.", "这个挑战只有 3 个客户端。"},
	} {
		run := s.begin(test.challenge, nil)
		if test.before != "" {
			s.act(run, test.before)
		}
		was := s.get(run + ".txt").body
		form := url.Values{"action": {test.action}}
		if words, typed := strings.CutPrefix(test.action, "do CLI "); typed {
			form = url.Values{"action": {"do CLI"}, "command": {words}}
		}
		escaped := strings.ReplaceAll(test.english, "'", "&#39;")
		s.send("POST", run+"/actions", form).wants(t, http.StatusUnprocessableEntity, escaped)
		s.send("POST", run+"/actions?lang=zh", form).wants(t, http.StatusUnprocessableEntity, test.chinese)
		v := s.watch(run + "/live?lang=en")
		at := v.want("hello").Actions
		for _, kind := range []string{"act", "branch"} {
			v.say(`{"type":"` + kind + `","id":"` + kind + `","at":` + strconv.Itoa(at) + `,"action":"` + test.action + `"}`)
			if m := v.want("error"); m.Code != "refused" || !strings.HasPrefix(m.Text, test.english) {
				t.Errorf("%s: %s %s: %s %q", test.challenge, kind, test.action, m.Code, m.Text)
			}
		}
		if is := s.get(run + ".txt").body; is != was {
			t.Errorf("%s: after the refusal of %s the run is\n%s", test.challenge, test.action, is)
		}
	}
}

// A challenge is about its own program: it runs again under no other one.
func TestAChallengeKeepsItsProgram(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("race/break", nil)
	const why = "This challenge is about del-setnx as it is; other programs run in the playground."
	s.send("POST", run+"/reruns", url.Values{"program": {"getset"}}).wants(t, http.StatusUnprocessableEntity, why)
	s.send("POST", run+"/reruns", url.Values{"from": {"del-setnx"}, "source": {"def acquire(c):\n    return True\n\ndef release(c, lease):\n    pass\n"}}).wants(t, http.StatusUnprocessableEntity, why)
	page := s.get(run)
	page.wants(t, 200, `<details class="menu" id="rerun" hidden>`, `<details class="own" id="own" hidden>`, `<details class="options menu" id="spawn-options" hidden>`, `name="program" value="del-setnx" form="spawn-form" checked`)
	page.lacks(t, `name="program" value="getset"`)
}

// A challenge shows the controls that its bounds can ever allow. One that they do not allow now says why.
func TestAChallengeOffersWhatIsInBounds(t *testing.T) {
	s := newSite(t, Options{})
	const no = `aria-disabled="true" title="`
	run := s.begin("race/break", nil) // two of its three clients live, and nobody crashes
	s.get(run).wants(t, 200, `id="step-C1"`, `value="tick 1s" `+no+`In this challenge no message is under way while time passes: C1&#39;s is.`)
	s.get(run).lacks(t, `value="tick 10s"`, `id="spawn"`, `id="pause-`, `id="crash-`, `id="restart-`, `id="faults"`, `id="deliver-`, `id="receive-`, `id="drop-`, `id="slower-`)

	run = s.begin("one-winner/two-winners", nil) // three clients may come, of which one may crash
	s.get(run).lacks(t, `id="faults"`, `value="spawn C1" `+no, `value="tick 1s" `+no)
	for _, line := range []string{"spawn C1 C2 C3", "crash C1", "tick 4s"} {
		s.act(run, line)
	}
	s.get(run).wants(t, 200, `value="spawn C4" `+no+`This challenge is about 3 clients.`, `value="crash C2" `+no+`Clients that crash in this challenge: at most 1.`,
		`value="tick 1s" `+no+`In this challenge at most 4s pass.`, `id="deliver-C1"`)
	s.get(run).lacks(t, `id="deliver-C2"`)

	run = s.begin("five-servers/forget", nil) // one of its nodes crashes, and loses its data
	s.get(run).wants(t, 200, `value="redis crash 1 lose"`, `value="redis restart 1"`)
	s.get(run).lacks(t, `value="redis crash 1"`)

	run = s.begin("forgot/failover", nil) // the replica may take over once
	s.get(run).wants(t, 200, `value="redis failover"`)
	s.get(run).lacks(t, `value="redis crash`, `value="redis failover" `+no)
	s.act(run, "redis failover")
	s.get(run).wants(t, 200, `value="redis failover" `+no+`Failovers in this challenge: at most 1.`)

	run = s.begin("lost-reply/delete-twice", nil) // one message may be lost
	s.get(run).wants(t, 200, `id="drop-C1"`, `id="deliver-C2"`, `id="receive-C1"`)
	s.act(run, "drop C1")
	s.get(run).wants(t, 200, `value="drop C2" `+no+`Messages that are lost in this challenge: at most 1.`)

	run = s.begin("one-command/reply", nil) // replies travel
	s.act(run, "spawn C2")
	s.get(run).wants(t, 200, `id="deliver-C2"`, `id="receive-C1"`)
	s.get(run).lacks(t, `id="drop-C1"`)
}

// The card says the goal and the bounds. It does not say how short a way is known: that would tell whether there is one.
func TestAChallengeSaysItsBounds(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("race/break", nil)
	s.get(run).wants(t, 200, "Can two be inside?", "You have 3 clients, 2 ticks of 1 s, no crash and no request delayed across a tick.")
	s.get(run).lacks(t, "8 actions")
	s.get(run+"?lang=zh").wants(t, 200, "可以用：3 个客户端、时钟推进 2 次（每次 1 秒）、没有崩溃、时钟走动时没有请求在途。")
}

// Undo goes one action back, as far as the challenge's start. The next action is another try: it keeps the task and counts
// from the start, and no tab tells of what was left behind.
func TestUndo(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("race/break", nil)
	s.get(run).wants(t, 200, `aria-keyshortcuts="Control+Z U"`, `value="back" aria-disabled="true" title="There is nothing to take back."`)
	for _, line := range []string{"step C1", "step C1", "step C1"} {
		s.act(run, line)
	}
	s.get(run).wants(t, 200, "So far: 3 actions.", `value="back" title="Take back the last action"`)
	back := s.send("POST", run+"/actions", url.Values{"action": {"back"}, "at": {"9"}}).Header.Get("Location")
	s.get(back).wants(t, 200, "So far: 2 actions.", `name="past" value="1"`)

	again := s.send("POST", run+"/actions", url.Values{"action": {"step C2"}, "at": {"8"}, "past": {"1"}}).Header.Get("Location")
	s.get(again).wants(t, 200, `data-challenge="break"`, "So far: 3 actions.", "It cannot be broken", `aria-label="Branches" hidden`)
	for _, line := range []string{"step C2", "step C1", "step C1", "step C2", "step C2"} {
		s.act(again, line)
	}
	s.get(again).wants(t, 200, "data-solved", "Broken in 8")

	// Doing the same again opens nothing.
	if same := s.send("POST", run+"/actions", url.Values{"action": {"step C1"}, "at": {"8"}, "past": {"1"}}).Header.Get("Location"); !strings.HasPrefix(same, run) {
		t.Errorf("the same action leads to %s", same)
	}
}

// Before its start a challenge says where it begins, and nobody acts there.
func TestNobodyActsBeforeTheStart(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("race/break", nil)
	s.get(run+"?step=2").wants(t, 200, "The challenge begins after action 6.")
	s.send("POST", run+"/actions", url.Values{"action": {"step C3"}, "at": {"2"}, "past": {"1"}}).wants(t, http.StatusUnprocessableEntity, "The challenge begins after action 6: go there first.")
}

// A challenge has many tries, and a bound.
func TestTriesHaveABound(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("race/break", nil)
	s.act(run, "step C1")
	other := url.Values{"action": {"step C2"}, "at": {"6"}, "past": {"1"}}
	for range live.MaxTries - 1 {
		s.send("POST", run+"/actions", other).wants(t, http.StatusSeeOther)
	}
	s.send("POST", run+"/actions", other).wants(t, http.StatusUnprocessableEntity, "You have gone back and tried something else 200 times. Start over.")
}

// A claim asks why first. The search decides it whatever the reason, once for all, and the card replies to the reason: that
// it is right, that another one decides, or that it is not enough.
func TestAClaimAsksWhy(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("one-winner/two-winners", nil)
	page := s.get(run)
	page.wants(t, 200, "It cannot be broken, because …", `name="reason" value="absent"`, `name="reason" value="one-by-one"`, `name="reason" value="not-sure"`)
	page.lacks(t, "Nobody waits", "So one client creates the key", "data-solved")
	claims := func(run, reason string) {
		s.send("POST", run+"/claims", url.Values{"reason": {reason}}).wants(t, http.StatusSeeOther)
	}

	claims(run, "absent")
	s.get(run).wants(t, 200, "data-solved", `class="stamp holds"`, `data-states="`, "And you know why:", "So one client creates the key")
	s.get(run).lacks(t, "Your reason does not decide it:")
	claims(run, "one-by-one")
	s.get(run).wants(t, 200, "data-solved", "The reason:", "So one client creates the key", "Your reason does not decide it:", "That is true of every lock")
	s.get(run+"?lang=zh").wants(t, 200, "原因是：", "你选的理由还不足以说明这一点：", "这里每种锁都如此")
	claims(run, "not-sure")
	s.get(run+"?lang=en").wants(t, 200, "The reason:")
	s.get(run).lacks(t, "Your reason does not decide it:")

	broken := s.begin("race/break", nil)
	claims(broken, "setnx")
	s.get(broken).wants(t, 200, "A fair thought, but not enough:", "and so it does after the next <code>DEL</code>.", "It can be broken: the search has found a way.", "Look at a shortest way", `id="undo"`)
	s.get(broken).lacks(t, "data-solved", `id="claim"`)
	claims(broken, "no reason that there is")
	s.get(broken).lacks(t, "A fair thought")
}

// A reader with a wrong reason watches a run in which it fails. The run is one of the reader's own, at its beginning; played to
// its end it refutes the reason.
func TestARunRefutesAReason(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("one-winner/two-winners", nil)
	claims := func(reason string) answer {
		s.send("POST", run+"/claims", url.Values{"reason": {reason}}).wants(t, http.StatusSeeOther)
		return s.get(run)
	}
	claims("absent").lacks(t, "Watch that reason fail")
	claims("not-sure").lacks(t, "Watch that reason fail")
	claims("one-by-one").wants(t, http.StatusOK, "Watch that reason fail, in a new tab", `target="_blank"`)
	scenario := course.Builtin().Lesson("one-winner").Challenge("two-winners").Reason("one-by-one").Refuted.String()
	opened := s.send("POST", "/runs?lang=en", url.Values{"scenario": {scenario}})
	opened.wants(t, http.StatusSeeOther)
	own := opened.Header.Get("Location")
	if !strings.Contains(own, "step=2") { // its clients stand on their lanes
		t.Errorf("the run opens at %s, and not at its beginning", own)
	}
	path, _, _ := strings.Cut(own, "?")
	s.get(path+"?lang=en&step=end").wants(t, http.StatusOK, "both in the critical section")
}
