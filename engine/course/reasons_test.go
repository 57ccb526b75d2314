package course_test

import (
	"bytes"
	"slices"
	"testing"

	"lockstep/engine/course"
)

// A claim's reasons have their words in both languages, in an order that names decide. One is right.
func TestReasons(t *testing.T) {
	c := course.Load(right(t), "right").Lesson("first").Challenge("break")
	got := ""
	for _, a := range c.Reasons {
		got += a.Name + ": " + a.Text.English + " / " + a.Text.Chinese + "\n"
	}
	const want = "one-command: SETNX looks and writes at once / SETNX 查看和写入是一步完成的\n" +
		"luck: It is luck / 全凭运气\n" +
		"queue: Redis knows who is first / Redis 知道谁先到\n" +
		"polite: The clients are polite / 客户端都很礼貌\n"
	if got != want {
		t.Errorf("the reasons are\n%swant\n%s", got, want)
	}
	if right := c.Right(); right == nil || right.Name != "one-command" || right.After.English != "<p>Nobody fits in between.</p>\n" {
		t.Errorf("the right reason is %+v", right)
	}
	if c.Reason("queue").Right || c.Reason("nothing") != nil {
		t.Error("a reason has another's name")
	}
	queue := c.Reason("queue").Refuted
	if queue == nil || len(queue.Actions()) != 3 || c.Right().Refuted != nil {
		t.Error("a run refutes each wrong reason, and not the right one")
	}
}

// A wrong answer comes from the misconception that its heading names, whether a translation repeats the name or not.
func TestMisconceptions(t *testing.T) {
	for _, translation := range []string{"", " .queue"} {
		dir := right(t)
		dir["first.zh.md"].Data = bytes.Replace(dir["first.zh.md"].Data, []byte("{#one}"), []byte("{#one"+translation+"}"), 1)
		c := course.Load(dir, "right")
		for _, m := range c.Mistakes {
			t.Error(m)
		}
		one, zero := c.Lesson("first").Moments[0].Answers[0], c.Lesson("first").Moments[0].Answers[1]
		if one.Right {
			one, zero = zero, one
		}
		if m := one.Misconception; m == nil || m.Name != "queue" || m.Says.English != "The lock keeps a queue" || m.Says.Chinese != "锁会排队" || zero.Misconception != nil {
			t.Errorf("the answers come from %+v and %+v", m, zero.Misconception)
		}
	}
}

// The express path lists lessons in the course's order.
func TestExpress(t *testing.T) {
	dir := right(t)
	dir["course.yaml"].Data = bytes.Replace(dir["course.yaml"].Data, []byte("express: [first]"), []byte("express: [second, first]"), 1)
	c := course.Load(dir, "right")
	if !slices.Equal(c.Express, c.Lessons) || len(c.Express) != 2 || len(c.Mistakes) > 0 || c.Lesson("first").Minutes != 3 {
		t.Errorf("the express path has %d lessons: %v", len(c.Express), c.Mistakes)
	}
}
