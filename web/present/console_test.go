package present

import (
	"testing"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
	runview "lockstep/views/run"
)

// The page gets the help for every command, in the reader's language.
func TestConsoleHelp(t *testing.T) {
	for l, want := range map[lang.Language]runview.CommandHelp{
		lang.English: {
			Name: "SETNX", Syntax: "SETNX key value", Summary: "Sets the key only if it does not exist: SET if Not eXists.",
			Since: "1.0.0", Complexity: "O(1)", Categories: "@write @string @fast", Deprecated: "Deprecated since Redis 2.6.12: new code uses SET … NX.",
		},
		lang.Chinese: {
			Name: "SETNX", Syntax: "SETNX key value", Summary: "仅当键不存在时才设置它（SET if Not eXists）。",
			Since: "1.0.0", Complexity: "O(1)", Categories: "@write @string @fast", Deprecated: "自 Redis 2.6.12 起已弃用，新代码应使用 SET … NX。",
		},
	} {
		data := ConsoleData(l)
		if len(data.Commands) != len(redis.Commands()) {
			t.Errorf("%s: help for %d commands of %d", l, len(data.Commands), len(redis.Commands()))
		}
		found := false
		for _, got := range data.Commands {
			if got.Name != "SETNX" {
				continue
			}
			found = true
			replies := got.Replies
			got.Replies, got.Forms = nil, nil
			if len(replies) != 2 || got.Name != want.Name || got.Summary != want.Summary || got.Deprecated != want.Deprecated || got.Complexity != want.Complexity || got.Categories != want.Categories || got.Since != want.Since || got.Syntax != want.Syntax {
				t.Errorf("%s: %+v, not %+v", l, got, want)
			}
		}
		if !found {
			t.Errorf("%s: SETNX has no help", l)
		}
	}
}
