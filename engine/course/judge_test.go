package course_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// posed returns a challenge with these facts.
func posed(t *testing.T, facts string) *course.Challenge {
	t.Helper()
	const words = "Words.\n\n## Break it {#break}\nWords.\n\n### Solved {#solved}\nWords.\n"
	dir := fstest.MapFS{
		"course.yaml": {Data: []byte("title: {en: Challenges}\nincidents: one\n")},
		"one.en.md":   {Data: []byte("---\ntitle: One\ngoal: To judge.\nchallenges:\n  break:\n" + indented(facts) + "---\n" + words)},
	}
	looks, err := os.ReadFile("testdata/right/second.star")
	if err != nil {
		t.Fatal(err)
	}
	dir["looks.star"] = &fstest.MapFile{Data: looks}
	c := course.Load(dir, "challenges")
	if len(c.Mistakes) > 0 {
		t.Fatalf("%v\n%s", c.Mistakes, facts)
	}
	return c.Incidents[0].Challenges[0]
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + line)
	}
	return b.String()
}

// parsed returns the actions of a text, which are separated by |.
func parsed(t *testing.T, actions string) (all []engine.Action) {
	t.Helper()
	for text := range strings.SplitSeq(actions, "|") {
		if text == "" {
			continue
		}
		a, err := engine.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

// acted returns the challenge's run after these actions, one behind the other.
func acted(t *testing.T, run *engine.Run, actions string) *engine.Run {
	t.Helper()
	for _, a := range parsed(t, actions) {
		if _, err := run.Do(a); err != nil {
			t.Fatalf("%s: %v", a, err)
		}
	}
	return run
}

// standing writes the judge's result as a text.
func standing(s course.Standing) string {
	switch {
	case s.Foul != nil:
		return s.Foul.Sentence(lang.English) + "\n" + s.Foul.Sentence(lang.Chinese)
	case s.Broken:
		return fmt.Sprintf("broken in %d", s.Actions)
	}
	return fmt.Sprint(s.Actions)
}

// The challenges that the tests judge.
const (
	looks = `start: program looks.star timeout=2s retry=1s
property: overlap
clients: 2
ticks: 2
par: 6
`
	calm  = looks + "delays: 0\n"
	still = "start: program looks.star\nproperty: overlap\nclients: 2\nticks: 0\npar: 6\n"

	race = `start: program del-setnx timeout=2s retry=1s
property: overlap
clients: 2
ticks: 4
crashes: 1
holds: true
`
	late = `start: program set-px-late-lease timeout=2s retry=1s
property: mutual-exclusion
clients: 2
ticks: 4
replies: true
par: 8
`
	lossy = `start: program naive retry=1s
property: stuck
clients: 2
ticks: 2
losses: 1
par: 4
`
	lagging = `start: program set-px timeout=2s retry=1s
property: mutual-exclusion
clients: 2
ticks: 2
failovers: 1
par: 5
`
	fragile = `start: program redlock nodes=3 timeout=2s retry=1s
property: mutual-exclusion
clients: 2
ticks: 6
node-crashes: 2
lose: true
restart-delay: 2
holds: true
`
	begun = `start: |
  program looks.star timeout=2s retry=1s
  spawn C1
  step C1
  pause C1
property: overlap
clients: 2
ticks: 2
par: 5
`
	reborn = `start: |
  program looks.star timeout=2s retry=1s
  spawn C1
  step C1
  crash C1
  restart C1
property: overlap
clients: 2
ticks: 2
delays: 0
par: 5
`
)

// The test pins the judge's result: a number of actions, or that the lock is
// broken in that many, or why the run does not count.
func TestJudge(t *testing.T) {
	said := map[lang.Language][]string{}
	for _, test := range []struct {
		what      string
		challenge string
		actions   string
		want      string
	}{
		{"no action counts none", looks, "", "0"},
		{"both look, then both take", looks, "spawn C1|spawn C2|step C1|step C2|step C1|step C2", "broken in 6"},
		{"a step of two commands counts two", looks, "spawn C1|spawn C2|step C1 2|step C2", "5"},
		{"a step ends where one of its commands breaks the lock", looks, "spawn C1|spawn C2|step C1|step C2|step C1|step C2 9", "broken in 6"},
		{"a step of nine counts only the possible ones: C1 is inside after two", looks, "spawn C1|step C1 9", "3"},
		{"later actions make no difference", looks, "spawn C1|spawn C2|step C1|step C2|step C1|step C2|tick 9s|do C9 DEL lock.foo|skew C1 3s|crash C2|restart C2", "broken in 6"},
		{"a note does not count", looks, `spawn C1|note "now C2"|spawn C2`, "2"},

		// Pauses.
		{"a pause does not count: not stepping a client has the same effect", looks, "spawn C1|spawn C2|step C1|pause C1|tick 1s|step C2|resume C1|step C1|step C2", "broken in 7"},
		{"a pause in the start stays: the explorer lets C1 go on, which is an action", begun, "spawn C2|step C2|step C2|resume C1|step C1", "broken in 5"},
		{"another pause of the same client does not count", begun, "resume C1|pause C1|spawn C2|resume C1|step C1", "3"},
		{"a client that sleeps wakes when it is time; then it was too early to clear away the lock, and C2 sleeps again", race,
			"spawn C1|step C1|spawn C2|step C2 2|pause C2|tick 4s|resume C2|step C2|step C2|step C2",
			"Without its pauses this run cannot go on: C2 is asleep until 1005 and has nothing in flight. Here not to step a client is pause enough.\n" +
				"去掉停顿之后，这次运行无法继续：C2 休眠到 1005，没有在途的消息。在这里，不执行某个客户端就已经是停顿。"},
		{"the same, in one step: no action is impossible, but the lock is not broken", race,
			"spawn C1|step C1|spawn C2|step C2 2|pause C2|tick 4s|resume C2|step C2 4",
			"What broke the lock here is a pause. In this challenge only a client that has a command in flight, or is in the critical section, can stand still: do not step it.\n" +
				"在这里，攻破锁的是停顿。在这个挑战里，只有命令在途或身处临界区的客户端才能停住：不对它执行步骤就行。"},

		// Time.
		{"a tick counts one for each second", looks, "spawn C1|tick 2s", "3"},
		{"a tick counts one for each tick of the challenge", looks + "tick: 500ms\n", "spawn C1|tick 1s", "3"},
		{"a tick must be a multiple of the challenge's", looks, "spawn C1|tick 1500ms",
			"In this challenge time passes by 1s each.\n在这个挑战里，时间每次流逝 1s。"},
		{"two seconds may pass", looks, "spawn C1|tick 1s|spawn C2|tick 2s",
			"In this challenge at most 2s pass.\n在这个挑战里，至多流逝 2s。"},
		{"without delay nothing is under way while time passes", calm, "spawn C1|tick 1s",
			"In this challenge no message is under way while time passes: C1's is.\n在这个挑战里，时间流逝时不能有消息在途中：C1 的还在途中。"},
		{"a client inside may be slow", calm, "spawn C1|step C1 2|tick 2s", "5"},
		{"in two seconds a client that sleeps wakes after one, and sends", calm, "spawn C1|step C1 2|spawn C2|step C2|tick 2s",
			"In this challenge no message is under way while time passes: C2's is.\n在这个挑战里，时间流逝时不能有消息在途中：C2 的还在途中。"},
		{"a request of a client that has crashed is under way, too", calm + "crashes: 1\n", "spawn C1|crash C1|tick 1s",
			"In this challenge no message is under way while time passes: C1's is.\n在这个挑战里，时间流逝时不能有消息在途中：C1 的还在途中。"},
		{"a request that has arrived is no longer under way", calm + "crashes: 1\n", "spawn C1|crash C1|deliver C1|tick 1s", "4"},

		{"no time passes", still, "spawn C1|tick 1500ms", "In this challenge no time passes.\n在这个挑战里，时间不流逝。"},

		// Clients.
		{"two clients take part", looks, "spawn C1|spawn C2|spawn C3",
			"This challenge is about 2 clients.\n这个挑战只有 2 个客户端。"},
		{"clients come in their order", looks, "spawn C2",
			"The next client of this challenge is C1.\n这个挑战的下一个客户端是 C1。"},
		{"the program may be named", looks, "spawn C1 looks", "1"},
		{"no other program may be named", looks, "spawn C1 naive",
			"C1 runs naive; this challenge is about looks.\nC1 运行的是 naive；这个挑战针对的是 looks。"},
		{"a client has no options", looks, "spawn C1 timeout=1s",
			"In this challenge C1 has no options of its own.\n在这个挑战里，C1 不能有自己的选项。"},
		{"a client begins with a right clock", looks, "spawn C1 skew=-3s",
			"In this challenge C1 has no options of its own.\n在这个挑战里，C1 不能有自己的选项。"},
		{"a client keeps a right clock", looks, "spawn C1|skew C1 -3s", none("skew")},
		{"nobody types commands", looks, "do C9 SET lock.foo 1", none("do")},
		{"no client restarts", race, "spawn C1|crash C1|restart C1", none("restart")},

		// Faults.
		{"no client crashes", looks, "spawn C1|crash C1",
			"In this challenge no client crashes.\n在这个挑战里，客户端不会崩溃。"},
		{"one client crashes", race, "spawn C1|spawn C2|crash C1|crash C2",
			"Clients that crash in this challenge: at most 1.\n在这个挑战里，崩溃的客户端至多 1 个。"},
		{"a crashed client's request may still arrive", race, "spawn C1|crash C1|deliver C1", "3"},
		{"no message is lost", looks, "spawn C1|drop C1",
			"In this challenge no message is lost.\n在这个挑战里，消息不会丢失。"},
		{"a loss is an action", lossy, "spawn C1|deliver C1|drop C1", "3"},
		{"a reply that is lost leaves the lock behind", lossy, "spawn C1|deliver C1|drop C1|spawn C2", "broken in 4"},
		{"one message is lost", lossy, "spawn C1|drop C1|spawn C2|drop C2",
			"Messages that are lost in this challenge: at most 1.\n在这个挑战里，丢失的消息至多 1 条。"},
		{"where messages are lost, a reply takes time", lossy, "spawn C1|step C1", "3"},
		{"the request of an ended life is not lost: nobody delivers it", strings.Replace(reborn, "ticks: 2", "ticks: 2\nlosses: 1", 1), "drop C1",
			"In this challenge an old request of C1 need not be lost: do not deliver it.\n在这个挑战里，不必丢弃 C1 以前的请求：不送达它就行。"},
		{"a request and its reply are one action", looks, "spawn C1|deliver C1|receive C1",
			"In this challenge a reply takes no time: step C1, and its command and the reply are delivered at once.\n" +
				"在这个挑战里，回复不花时间：对 C1 执行一步，命令和回复就会一起送达。"},
		{"where a reply takes time, a request and its reply are two actions", late, "spawn C1|deliver C1|receive C1", "3"},
		{"where a reply takes time, a step counts both", late, "spawn C1|step C1", "3"},
		{"a step counts only the reply where the request has arrived", late, "spawn C1|deliver C1|step C1", "3"},
		{"a step counts neither where the client leaves the critical section", late, "spawn C1|step C1|step C1", "4"},
		{"steps are no faster than their parts", late, "spawn C1|deliver C1|tick 2s|spawn C2|step C2|step C1", "broken in 8"},
		{"the request of an ended life travels alone", reborn, "deliver C1|spawn C2|step C2", "3"},
		{"time waits for the request of an ended life", reborn, "step C1|step C1|tick 1s",
			"In this challenge no message is under way while time passes: C1's is.\n在这个挑战里，时间流逝时不能有消息在途中：C1 的还在途中。"},

		// Redis.
		{"no replica takes over", looks, "redis failover",
			"In this challenge no replica takes over.\n在这个挑战里，不会切换到副本。"},
		{"a failover is an action", lagging, "spawn C1|step C1|redis failover|spawn C2|step C2", "broken in 5"},
		{"one replica takes over", lagging, "redis failover|redis failover",
			"Failovers in this challenge: at most 1.\n在这个挑战里，故障转移至多 1 次。"},
		{"no node crashes", looks, "redis crash",
			"In this challenge no Redis node crashes.\n在这个挑战里，Redis 节点不会宕机。"},
		{"or two do", fragile, "redis crash 1 lose|redis crash 2 lose|redis crash 3 lose",
			"Redis nodes that crash in this challenge: at most 2.\n在这个挑战里，宕机的 Redis 节点至多 2 个。"},
		{"and lose their data", fragile, "redis crash 1 keep",
			"In this challenge a Redis node that crashes loses its data.\n在这个挑战里，宕机的 Redis 节点会丢失数据。"},
		{"or keep it", strings.Replace(fragile, "lose: true\n", "", 1), "redis crash 1 lose",
			"In this challenge a Redis node that crashes keeps its data.\n在这个挑战里，宕机的 Redis 节点会保留数据。"},
		{"a node needs its time", fragile, "redis crash 1 lose|tick 1s|redis restart 1",
			"In this challenge a Redis node is back after 2 ticks at the earliest.\n在这个挑战里，Redis 节点最早在时钟推进 2 次之后重启。"},
		{"each its own", fragile, "redis crash 1 lose|tick 2s|redis crash 2 lose|redis restart 1", "5"},
		{"which one that has just crashed has not had", fragile, "redis crash 1 lose|tick 2s|redis crash 2 lose|redis restart 2",
			"In this challenge a Redis node is back after 2 ticks at the earliest.\n在这个挑战里，Redis 节点最早在时钟推进 2 次之后重启。"},
		{"where none crashes, one that was down before the challenge stays down", `start: |
  program redlock nodes=3 timeout=2s retry=1s
  redis crash 1
property: mutual-exclusion
clients: 2
ticks: 2
holds: true
`, "redis restart 1", none("redis restart")},
	} {
		ch := posed(t, test.challenge)
		agrees(t, ch, test.actions)
		s := ch.Judge(acted(t, ch.Begin(), test.actions))
		if got := standing(s); got != test.want {
			t.Errorf("%s\n\t%s\nthe judge says\n%s\nwant\n%s", test.what, test.actions, got, test.want)
		}
		if s.Foul != nil {
			for _, in := range lang.All {
				said[in] = append(said[in], ": "+s.Foul.Sentence(in))
			}
		}
	}
	ch := posed(t, begun)
	for _, refused := range []error{
		ch.OtherProgram(),
		ch.Allows(engine.NewRun(ch.Start.Header), engine.Action{Verb: engine.VerbSpawn, Client: "C1"}),
		ch.Allows(ch.Begin(), engine.Action{Verb: engine.VerbSpawn, Client: "C2"}, engine.Action{Verb: engine.VerbPause, Client: "C2"}),
	} {
		why := (*engine.Refusal)(nil)
		if !errors.As(refused, &why) {
			t.Fatal(refused)
		}
		for _, in := range lang.All {
			said[in] = append(said[in], ": "+why.Sentence(in))
		}
	}
	if s := ch.Judge(acted(t, engine.NewRun(ch.Start.Header, check.All()...), "spawn C1|step C1")); !s.Before || s.Foul != nil {
		t.Errorf("a part of the start is before the challenge, and no foul: %+v", s)
	}
	// A run that belongs to no start of the challenge.
	for what, run := range map[string]*engine.Run{
		"it begins with nothing":        acted(t, engine.NewRun(ch.Start.Header, check.All()...), "spawn C2|step C2"),
		"it begins with something else": acted(t, engine.NewRun(ch.Start.Header, check.All()...), "spawn C1|step C1|tick 1s|pause C1"),
		"it is about another program":   acted(t, engine.NewRun(engine.Header{Program: "naive"}, check.All()...), "spawn C1|step C1|pause C1"),
		"its program is a mended one":   acted(t, renamed(t, ch.Start.Header), "spawn C1|step C1|pause C1"),
		"its locks last longer":         acted(t, longer(ch.Start.Header), "spawn C1|step C1|pause C1"),
		"it brings along another lock":  defined(t, ch.Begin()),
		"it says how many nodes it has": acted(t, moreNodes(ch.Start.Header), "spawn C1|step C1|pause C1"),
	} {
		want := "This run does not begin as the challenge does.\n这次运行的起点与挑战不同。"
		s := ch.Judge(run)
		if got := standing(s); got != want {
			t.Errorf("%s: the judge says %s", what, got)
		}
		for _, in := range lang.All {
			said[in] = append(said[in], ": "+s.Foul.Sentence(in))
		}
	}
	for _, pair := range sentencesOf(t, "judge.go") {
		english, chinese, found := pattern(pair[0]), pattern(pair[1]), false
		for i := range said[lang.English] {
			found = found || english.MatchString(said[lang.English][i]) && chinese.MatchString(said[lang.Chinese][i])
		}
		if !found {
			t.Errorf("the judge never says %q and %q", pair[0], pair[1])
		}
	}
}

// The umpire has no word on a client or a node that the run does not have: the engine refuses the action.
func TestTheEngineRefusesWhatIsNotThere(t *testing.T) {
	for _, test := range []struct{ challenge, actions string }{
		{lossy, "drop C9"}, {lossy, "spawn C1|drop C9"},
		{looks, "deliver C9"}, {looks, "step C9 2"}, {late, "step C9|step C9"}, {late, "receive C9"},
		{fragile, "redis restart 9"}, {fragile, "redis crash 9 lose|redis restart 9"},
	} {
		ch := posed(t, test.challenge)
		run, all := ch.Begin(), parsed(t, test.actions)
		if err := ch.Allows(run, all...); err != nil {
			t.Errorf("%s: the umpire says %v", test.actions, err)
		}
		if err := run.World().Can(all[len(all)-1]); err == nil {
			t.Errorf("the engine does not refuse %s", test.actions)
		}
	}
}

// agrees checks that the umpire allows, before they happen, the actions that the
// judge counts afterwards, and refuses the others with the judge's own sentence.
// Pauses are the exception: the judge takes them out of a run that has them, and
// the umpire allows none. All actions at once are as good as one after the other.
func agrees(t *testing.T, ch *course.Challenge, actions string) {
	t.Helper()
	if strings.Contains(actions, "pause") {
		return
	}
	run, ended := ch.Begin(), false
	var all []engine.Action
	var first error
	for _, a := range parsed(t, actions) {
		u := ch.Umpire(run)
		before, got := u.Standing, u.Allows(a)
		if again := u.Allows(a); u.Standing != before || fmt.Sprint(again) != fmt.Sprint(got) {
			t.Errorf("%s: after %s the umpire says first %v and then %v", actions, a, got, again)
		}
		u.Close()
		if _, err := run.Do(a); err != nil {
			t.Fatal(err)
		}
		after := ch.Judge(run)
		switch {
		case ended && got != nil, !ended && (got == nil) != (after.Foul == nil), got != nil && got.Error() != after.Foul.Error():
			t.Errorf("%s: before %s the umpire says %v, after it the judge says %v", actions, a, got, after.Foul)
		case !ended && got == nil && !ch.Offers(a):
			t.Errorf("%s: %s is allowed and never offered", actions, a)
		}
		if all = append(all, a); first == nil {
			first = got
		}
		ended = ended || after.Broken || after.Foul != nil
	}
	if got := ch.Allows(ch.Begin(), all...); fmt.Sprint(got) != fmt.Sprint(first) {
		t.Errorf("%s: at once the umpire says %v, one after the other %v", actions, got, first)
	}
}

// A challenge offers what its bounds can ever allow, and nothing else.
func TestOffers(t *testing.T) {
	const all = "spawn C1|step C1|tick 1s|tick 500ms|deliver C1|receive C1|crash C1|resume C1|redis crash 1 lose|redis crash 1 keep|redis restart 1|redis failover|" +
		"pause C1|drop C1|restart C1|skew C1 1s|do C9 GET x|note now"
	for challenge, want := range map[string]string{
		looks:   "spawn C1|step C1|tick 1s|note now",
		still:   "spawn C1|step C1|note now",
		race:    "spawn C1|step C1|tick 1s|deliver C1|crash C1|note now",
		late:    "spawn C1|step C1|tick 1s|deliver C1|receive C1|note now",
		lossy:   "spawn C1|step C1|tick 1s|deliver C1|receive C1|drop C1|note now",
		lagging: "spawn C1|step C1|tick 1s|redis failover|note now",
		fragile: "spawn C1|step C1|tick 1s|redis crash 1 lose|redis restart 1|note now",
		begun:   "spawn C1|step C1|tick 1s|resume C1|note now",
		reborn:  "spawn C1|step C1|tick 1s|deliver C1|note now",
		"start: |\n  program looks.star\n  spawn C1 C2\nproperty: overlap\nclients: 2\nticks: 2\ntick: 500ms\npar: 4\n": "step C1|tick 1s|tick 500ms|note now",
	} {
		ch := posed(t, challenge)
		var offered []string
		for text := range strings.SplitSeq(all, "|") {
			a, err := engine.ParseAction(text)
			if err != nil {
				t.Fatal(err)
			}
			if ch.Offers(a) {
				offered = append(offered, text)
			}
		}
		if got := strings.Join(offered, "|"); got != want {
			t.Errorf("%s\noffers %s\nwant   %s", challenge, got, want)
		}
	}
}

// none returns the judge's words for an action that belongs to no challenge.
func none(verb string) string {
	return verb + " is no part of this challenge: what counts are steps, time, and the faults that it names.\n" +
		verb + " 不属于这个挑战：只能执行步骤、让时间流逝，以及使用挑战允许的故障。"
}

func renamed(t *testing.T, h engine.Header) *engine.Run {
	t.Helper()
	s, err := engine.Parse("mended", "define looks\n| def acquire(c):\n|     if c.setnx(\"lock.foo\", c.name) == 1:\n|         return True\n|     return None\n| def release(c, lease):\n|     c.delete(\"lock.foo\")\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	h.Own = s.Own
	return engine.NewRun(h, check.All()...)
}

func longer(h engine.Header) *engine.Run {
	h.Options.Timeout = 9000
	return engine.NewRun(h, check.All()...)
}

func moreNodes(h engine.Header) *engine.Run {
	h.Nodes = 1
	return engine.NewRun(h, check.All()...)
}

func defined(t *testing.T, run *engine.Run) *engine.Run {
	t.Helper()
	s, err := engine.Parse("mine", "define mine\n| def acquire(c):\n|     return True\n| def release(c, lease):\n|     c.delete(\"lock.foo\")\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Define(s.Own[0]); err != nil {
		t.Fatal(err)
	}
	return run
}

// The judge treats a branch as a run of its own: it has the actions before it parted, and none of the other's.
func TestJudgeBranch(t *testing.T) {
	ch := posed(t, looks)
	run := acted(t, ch.Begin(), "spawn C1|spawn C2|step C1|step C2|do C9 DEL lock.foo|step C1|step C2")
	if s := ch.Judge(run); s.Foul == nil {
		t.Errorf("a command was typed: %+v", s)
	}
	branch := acted(t, run.Prefix(4), "step C2|step C1")
	if got := standing(ch.Judge(branch)); got != "broken in 6" {
		t.Errorf("the branch: %s", got)
	}
	if got := standing(ch.Judge(run.Prefix(3))); got != "3" {
		t.Errorf("its past: %s", got)
	}
}

// A lookahead has what a run has left of the bounds: whatever happened in it cannot happen again.
func TestALookaheadHasWhatIsLeftOfTheBounds(t *testing.T) {
	for _, test := range []struct{ challenge, actions, want string }{
		{race, "", "ticks=4 crashes=1 losses=0 failovers=0 node-crashes=0"},
		{race, "spawn C1|tick 3s", "ticks=1 crashes=1 losses=0 failovers=0 node-crashes=0"},
		{race, "spawn C1|crash C1|tick 4s", "ticks=0 crashes=0 losses=0 failovers=0 node-crashes=0"},
		{lossy, "spawn C1|drop C1|tick 1s", "ticks=1 crashes=0 losses=0 failovers=0 node-crashes=0"},
		{lagging, "redis failover", "ticks=2 crashes=0 losses=0 failovers=0 node-crashes=0"},
		{fragile, "redis crash 1 lose|tick 2s", "ticks=4 crashes=0 losses=0 failovers=0 node-crashes=1"},
		{fragile, "redis crash 1 lose|tick 5s", "ticks=1 crashes=0 losses=0 failovers=0 node-crashes=0"}, // another node would not be back in time
	} {
		ch := posed(t, test.challenge)
		q := ch.Lookahead(acted(t, ch.Begin(), test.actions), ch.Properties[0])
		if left := fmt.Sprintf("ticks=%d crashes=%d losses=%d failovers=%d node-crashes=%d", q.Ticks, q.Crashes, q.Losses, q.Failovers, q.NodeCrashes); left != test.want {
			t.Errorf("after %q a lookahead has %s, not %s", test.actions, left, test.want)
		}
	}
}

// The explorer and the judge agree on each of these challenges.
func TestJudgedChallengesHold(t *testing.T) {
	for name, facts := range map[string]string{"looks": looks, "calm": calm, "late": late, "lossy": lossy, "lagging": lagging, "begun": begun, "reborn": reborn} {
		ch := posed(t, facts)
		a, err := ch.Questions()[0].Search(course.Budget, explore.Runtime{}, 1)
		if err != nil || a.Verdict != violated || a.Counterexamples[0].Length != ch.Par {
			t.Errorf("%s: par is not %d: %+v %v", name, ch.Par, a, err)
			continue
		}
		run := ch.Begin()
		for _, action := range a.Counterexamples[0].Actions {
			if _, err := run.Do(action); err != nil {
				t.Fatal(err)
			}
		}
		if s := ch.Judge(run); !s.Broken || s.Foul != nil || s.Actions != ch.Par {
			t.Errorf("%s: the judge says %+v of\n%s", name, s, run.Scenario())
		}
	}
}

// A program that looks before it takes needs fixing. A program that violates
// nothing because it is no lock is no solution.
func TestTry(t *testing.T) {
	ch := posed(t, "start: program looks.star timeout=2s retry=1s\nproperty: overlap stuck\nclients: 2\nticks: 1\ncrashes: 1\nfix: set-px\n")
	for what, test := range map[string]struct{ program, want string }{
		"the solution": {ch.Fix.Source, ""},
		"everybody is inside, and nobody believes it": {`
def acquire(c):
    c.setnx("lock.foo", 1)
    return True
def holds(c, lease):
    return False
def release(c, lease):
    c.delete("lock.foo")
`, "mine lets in a client that does not believe that it holds the lock\nmine 放进来的客户端并不认为自己持有锁"},
		"the lock is never given back": {`
def acquire(c):
    if c.set("lock.foo", 1, nx=True, px=c.timeout_ms) == "OK":
        return True
    return None
def release(c, lease):
    return None
`, "mine does not let in C2 at once when nobody is inside: the lock is not given back\nmine 在没有人持有锁时不让 C2 立刻进入：锁没有被释放"},
		"only C1 gets it": {`
def acquire(c):
    if c.name == "C1" and c.setnx("lock.foo", 1) == 1:
        return True
    return None
def release(c, lease):
    c.delete("lock.foo")
`, "mine does not let in C2 at once when nobody is inside: the lock is not given back\nmine 在没有人持有锁时不让 C2 立刻进入：锁没有被释放"},
		"a crashed holder keeps it for a day": {`
def acquire(c):
    if c.set("lock.foo", 1, nx=True, px=86400000) == "OK":
        return True
    return None
def release(c, lease):
    c.delete("lock.foo")
`, "mine lets nobody in for more than 4s after its holder has crashed\n持有者崩溃之后，mine 超过 4s 仍不让任何客户端进入"},
	} {
		p, err := program.Parse("mine", test.program)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if why := ch.Try(p); why != nil {
			refused := (*engine.Refusal)(nil)
			if !errors.As(why, &refused) {
				t.Fatal(why)
			}
			got = refused.Sentence(lang.English) + "\n" + refused.Sentence(lang.Chinese)
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", what, got, test.want)
		}
	}
}
