package present

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/tell"
	"lockstep/views"
	exploreview "lockstep/views/explore"
)

// A question reads as one sentence, and what the sentence has no place for is said after it.
func TestQuestionIsASentence(t *testing.T) {
	for _, c := range []struct {
		query, english, chinese string
		also, alsoChinese       string
	}{
		{"", "Can two of 3 clients of del-setnx hold the lock at once, in 5 ticks of 1 s, with leases of 2 s, no crash and any delay?",
			"3 个运行 del-setnx 的客户端，时钟推进 5 次、每次 1 秒，租约 2 秒，没有崩溃，延迟不限：会有两个同时持有锁吗？", "", ""},
		{"program=naive&property=stuck&clients=1&ticks=1&tick=3&crashes=1&delays=1&losses=1&skew-C1=-1.5",
			"Can 1 client of naive lock everybody out for ever, in 1 tick of 3 s, with leases of 2 s, one crash and a delay of 1 tick?",
			"1 个运行 naive 的客户端，时钟推进 1 次、每次 3 秒，租约 2 秒，最多崩溃 1 次，最多延迟 1 次推进：会出现死锁吗？",
			"Lost messages: 1; clock of C1: −1.5 s", "丢失的消息数：1；C1 的时钟：−1.5 秒"},
		{"program=redlock&property=none&nodes=3&node-crashes=1&lose=1&replies=1",
			"How many states can 3 clients of redlock reach, in 5 ticks of 1 s, with leases of 2 s, no crash and any delay?",
			"3 个运行 redlock 的客户端，时钟推进 5 次、每次 1 秒，租约 2 秒，没有崩溃，延迟不限：一共有多少个状态？",
			"Replies take time, too; Redis nodes: 3; Node crashes: 1; A node that crashes loses its data", "回复在途中也要时间；Redis 节点数：3；节点宕机次数：1；宕机的节点丢失数据"},
	} {
		fields, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		q, err := ReadQuestion(fields)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []struct {
			in             lang.Language
			sentence, also string
		}{{lang.English, c.english, c.also}, {lang.Chinese, c.chinese, c.alsoChinese}} {
			page := ExploreForm(q, time.Second, 1, views.Site{Lang: want.in})
			if said := sentenceOf(page); said != want.sentence || page.Also != want.also {
				t.Errorf("%s is asked as\n%s (%s)", c.query, said, page.Also)
			}
		}
	}
}

// sentenceOf returns what a reader sees of a question's sentence.
func sentenceOf(p exploreview.Page) string {
	chosen := func(all []exploreview.Choice, value string) string {
		for _, c := range all {
			if c.Value == value {
				return c.Label
			}
		}
		return ""
	}
	var b strings.Builder
	for _, w := range p.Words() {
		switch {
		case w.Clauses != nil:
			b.WriteString(chosen(w.Clauses, p.Property))
		case w.Field == "program":
			b.WriteString(p.Program)
		case w.Field != "":
			b.WriteString(chosen(p.Values[w.Field].Choices, p.Values[w.Field].Chosen) + w.Ends)
		default:
			b.WriteString(w.Text)
		}
	}
	return b.String()
}

// Words of a story name the mark that they mean: a command by its number, and a lease by the end of its key or, where the key
// stays, by what has expired.
func TestStoryNamesMarks(t *testing.T) {
	events := []engine.Event{
		{Seq: 1, Time: 1, Kind: engine.Deliver, Execution: &engine.Execution{Order: 7}},
		{Seq: 2, Time: 2, Kind: engine.Expire, Changes: []engine.Change{{Key: "k"}}},
		{Seq: 3, Time: 2, Kind: engine.Expire, Lane: "C1"},
		{Seq: 4, Time: 3, Kind: engine.Expire, Lane: "C1"},
	}
	for _, c := range []struct {
		part tell.Part
		ref  string
	}{{tell.Part{Event: 1}, "#7"}, {tell.Part{Event: 3, Lease: true}, "seq 2"}, {tell.Part{Event: 4, Lease: true}, "expired"}, {tell.Part{Event: 4}, "seq 4"}} {
		if ref := markOf(c.part, events); ref != c.ref {
			t.Errorf("%+v names %s", c.part, ref)
		}
	}
}
