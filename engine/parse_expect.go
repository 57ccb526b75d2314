package engine

import (
	"slices"
	"strings"
)

func (p *parser) expect(words []word) (*Expectation, error) {
	args := words[1:]
	text := func(i int) string {
		if i < len(args) {
			return args[i].text
		}
		return ""
	}
	e := &Expectation{Column: words[0].column}
	switch {
	case text(0) == "violation", text(0) == "no" && text(1) == "violation":
		e.Subject, e.Not = ExpectViolation, text(0) == "no"
		args = args[1:]
		if e.Not {
			args = args[1:]
		}
		if len(args) > 0 && !isClient(args[0].text) {
			e.Property, e.Column = args[0].text, args[0].column
			if !isProgram(e.Property) {
				return nil, p.problem(e.Column, "%q is not a property's name",
					"%q 不是性质的名称", e.Property)
			}
			args = args[1:]
		}
		if !e.Not && e.Property == "" {
			return nil, p.problem(e.Column, "expect violation needs a property",
				"expect violation 后面应是性质的名称")
		}
		for _, w := range args {
			if !isClient(w.text) {
				return nil, p.problem(w.column, "%q is not a client",
					"%q 不是客户端", w.text)
			}
			e.Clients = append(e.Clients, w.text)
		}
		return e, nil
	case text(0) == "reply" && len(args) == 3 && isClient(text(1)):
		e.Subject, e.Clients, e.Word = ExpectReply, []string{text(1)}, text(2)
		return e, nil
	case text(0) == "key" && len(args) == 3:
		e.Subject, e.Key, e.Word = ExpectKey, text(1), text(2)
		return e, nil
	case len(args) == 2 && isClient(text(0)):
		if !slices.Contains(statuses, text(1)) {
			return nil, p.problem(args[1].column, "unknown word %q; expected %s",
				"%q 无法识别；这里应是 %s 之一", text(1), strings.Join(statuses, ", "))
		}
		e.Subject, e.Clients, e.Word = ExpectClient, []string{text(0)}, text(1)
		return e, nil
	}
	return nil, p.problem(words[0].column, "expected one of: expect violation PROPERTY C1 C2, expect no violation, expect C1 holds, expect reply C1 0, expect key lock.foo 1023",
		"expect 有这几种写法：expect violation PROPERTY C1 C2、expect no violation、expect C1 holds、expect reply C1 0、expect key lock.foo 1023")
}
