package program

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"lockstep/engine/testtools"
)

// Both languages tell a mistake at the same place.
func TestErrorsInBothLanguages(t *testing.T) {
	const rest = "\ndef release(c, lease):\n    pass\n"
	for _, c := range []struct{ source, english, chinese string }{
		{"def acquire(c):\n    while True:\n        pass\n" + rest, "while is not allowed: the driver calls", "不允许 while：在 acquire 返回租约之前"},
		{"def acquire(c):\n    return c.stnx(\"k\", 1)\n" + rest, "there is no .stnx; did you mean setnx?", "没有 .stnx；是不是想写 setnx？"},
		{"def acquire(c):\n    return expri\n\ndef expiry(c):\n    pass\n" + rest, "expri is not defined; did you mean expiry?", "expri 没有定义；是不是想写 expiry？"},
		{"def acquire(c):\n    return c.get()\n" + rest, "get takes 1 argument, but got 0; call it as get(key)", "get 需要 1 个参数，却给了 0 个：用法是 get(key)"},
		{"def acquire(c):\n    del c\n" + rest, "del is not part of the language: the command is c.delete(key)", "del 不是这种语言的一部分：命令写作 c.delete(key)"},
		{"def acquire(c):\n    return (\n" + rest, "this cannot be read: ", "这里读不懂："},
		{"timeout = 1 + None\ndef acquire(c):\n    pass\n" + rest, "a nil reply (None) does not go with a number (1) (+): the key did not exist, look for None first", "nil 回复（None）和数（1）不能搭配（+）：键不存在，请先判断 None"},
		{"timeout = 0\ndef acquire(c):\n    pass\n" + rest, "timeout is a whole number from 1 to ", "timeout 应为 1 到 "},
		{"def acquire(c):\n    return c.eval(\"x\")\n" + rest, `"x" is not the name of a script`, `"x" 不是脚本的名字`},
		{"\x01", "a control character is not allowed", "不允许控制字符"},
		{strings.Repeat("#", 9000), "the program is longer than 8 KB", "程序超过 8 KB"},
	} {
		_, err := Parse("mine", c.source)
		wrong := (*Error)(nil)
		if !errors.As(err, &wrong) || !strings.HasPrefix(wrong.English, c.english) || !strings.HasPrefix(wrong.Chinese, c.chinese) {
			t.Errorf("%q: %+v", c.source, wrong)
		}
	}
}

// Every sentence of the checker has its Chinese.
func chineseToo(t *testing.T, e *Error) {
	t.Helper()
	switch {
	case strings.Contains(e.Chinese, "%!") || strings.Contains(e.English, "%!"):
		t.Errorf("%q is said as %q in Chinese", e.English, e.Chinese)
	case !strings.ContainsFunc(e.Chinese, func(r rune) bool { return unicode.Is(unicode.Han, r) }):
		testtools.Untranslated(t, "%q is said as %q in Chinese", e.English, e.Chinese)
	}
}
