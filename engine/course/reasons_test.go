package course_test

import (
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
	const want = "polite: The clients are polite / 客户端都很礼貌\n" +
		"queue: Redis knows who is first / Redis 知道谁先到\n" +
		"one-command: SETNX looks and writes at once / SETNX 查看和写入是一步完成的\n"
	if got != want {
		t.Errorf("the reasons are\n%swant\n%s", got, want)
	}
	if right := c.Right(); right == nil || right.Name != "one-command" || right.After.English != "<p>Nobody fits in between.</p>\n" {
		t.Errorf("the right reason is %+v", right)
	}
	if c.Reason("queue").Right || c.Reason("nothing") != nil {
		t.Error("a reason has another's name")
	}
}
