package cli

import (
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// found returns the last line of a run: its violations in the words of an expectation, each with its action and its time.
func found(w *engine.World) lang.Text {
	const most = 5 // named in a line
	var named []lang.Text
	count := 0
	for _, e := range w.Events() {
		if e.Kind != engine.Violated {
			continue
		}
		if count++; count <= most {
			what := strings.Join(append([]string{e.Violation.Property}, e.Violation.Clients...), " ")
			named = append(named, lang.Format("%s (action %d, at %s)", "%s（动作 %d，时刻 %s）", what, e.Action, e.When(e.Time)))
		}
	}
	if count == 0 {
		return lang.Both("No violation.", "没有违反任何性质。")
	}
	english, chinese := make([]string, len(named)), make([]string, len(named))
	for i, text := range named {
		english[i], chinese[i] = text.English, text.Chinese
	}
	more := lang.Text{}
	if count > most {
		more = lang.Format(", and %d more", "，另有 %d 次", count-most)
	}
	one := lang.Both("%d violations: %s%s.", "违反性质 %d 次：%s%s。")
	if count == 1 {
		one.English = "%d violation: %s%s."
	}
	return lang.Format(one.English, one.Chinese, count, lang.Both(strings.Join(english, ", "), strings.Join(chinese, "、")), more)
}
