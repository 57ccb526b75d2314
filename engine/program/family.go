package program

import (
	"slices"

	"lockstep/engine/lang"
)

// A Family is a stretch of the teaching order: built-in programs that share an idea.
type Family struct {
	Title    lang.Text
	Brief    lang.Text // the idea in a word or two
	First    string    // the member to look at first
	Programs []Member
}

// A Member is a program of a family, with its promise in one line. The program's header has the whole promise, and how it fails.
type Member struct {
	Name    string
	Promise lang.Text
}

// families is the teaching order: each program fixes a fault of an earlier one, or brings it back.
var families = []Family{
	{lang.Both("A key without an expiry", "没有过期时间的键"), lang.Both("One winner", "一个赢家"), "naive", []Member{
		{"naive", lang.Both("Two clients are never inside together.", "绝不会有两个客户端同时在临界区内。")},
		{"naive-nonblocking", lang.Both("Never two inside, and nobody waits.", "绝不会有两个同时在内，也没有人等待。")},
		{"naive-timeout", lang.Both("Never two inside, and nobody waits for ever.", "绝不会有两个同时在内，也没有人一直等下去。")},
	}},
	{lang.Both("SETNX with a timestamp", "SETNX 加时间戳"), lang.Both("Lease in the value", "值里写租约"), "del-setnx", []Member{
		{"timestamp", lang.Both("Never two inside: the value says until when.", "绝不会有两个同时在内：值里写明持有到何时。")},
		{"del-setnx", lang.Both("A crashed holder blocks nobody for long.", "持有者崩溃后，不会长时间挡住别人。")},
	}},
	{lang.Both("Takeover with GETSET", "用 GETSET 接管"), lang.Both("GETSET", "GETSET"), "getset", []Member{
		{"getset-plain", lang.Both("Of several that see it expired, one takes it.", "多个客户端都发现锁已过期，只有一个能接管。")},
		{"getset", lang.Both("One takes it; a late holder deletes nothing.", "只有一个能接管；迟到的持有者不删别人的锁。")},
		{"getset-compare-delete", lang.Both("Comparing and deleting are one moment.", "比较和删除在同一刻完成。")},
		{"getset-literal-equal", lang.Both("A takeover, in the very second of expiry.", "恰好在过期的那一秒可以接管。")},
		{"getset-le", lang.Both("As getset, in every second but one.", "与 getset 相同，只有一秒例外。")},
		{"getset-nil-lost", lang.Both("As getset, if nobody releases in between.", "与 getset 相同，前提是其间没有人释放锁。")},
		{"takeover-cas", lang.Both("One takes it, and a loser writes nothing.", "只有一个能接管，没抢到的什么也不写。")},
		{"java", lang.Both("The GETSET lock of a blog, in milliseconds.", "一篇博客里的 GETSET 锁，以毫秒计时。")},
	}},
	{lang.Both("A key that Redis lets expire", "由 Redis 让键过期"), lang.Both("Owner token", "持有者令牌"), "set-px", []Member{
		{"setnx-expire", lang.Both("Redis removes the lock of a crashed holder.", "持有者崩溃后，Redis 会删掉它的锁。")},
		{"set-px-del", lang.Both("No crash leaves a lock that never expires.", "任何崩溃都不会留下永不过期的锁。")},
		{"set-px-get-del", lang.Both("A late holder leaves another's key alone.", "迟到的持有者不会动别人的键。")},
		{"set-px", lang.Both("Two clients never both believe in a lease.", "绝不会有两个客户端都认为租约有效。")},
		{"set-px-late-lease", lang.Both("As set-px, while replies are fast.", "与 set-px 相同，前提是回复够快。")},
		{"set-px-watchdog", lang.Both("Work may take longer than a lease.", "工作时间可以超过租约。")},
		{"set-px-renew-blind", lang.Both("As set-px-watchdog, with one plain command.", "一条命令续约，不比较持有者。")},
	}},
	{lang.Both("With a fencing token", "加上防护令牌"), lang.Both("Fencing token", "防护令牌"), "set-px-fencing", []Member{
		{"set-px-fencing", lang.Both("The storage rejects a predecessor's write.", "存储拒绝前任持有者迟到的写入。")},
		{"set-px-fencing-write", lang.Both("As set-px-fencing, for work that reads first.", "与 set-px-fencing 相同，但先读后写。")},
		{"set-px-fencing-read", lang.Both("The token comes with the read, too.", "读的时候也出示令牌。")},
		{"set-px-fencing-incr", lang.Both("As set-px-fencing, with two commands.", "与 set-px-fencing 相同，但用两条命令。")},
	}},
	{lang.Both("A majority of several Redis", "多个 Redis 的多数派"), lang.Both("Redlock", "红锁"), "redlock", []Member{
		{"redlock", lang.Both("It works while most of the nodes are up.", "只要多数节点在运行，锁就有效。")},
	}},
}

// Families lists the built-in programs in teaching order.
func Families() []Family { return slices.Clone(families) }

var names = func() (all []string) {
	for _, family := range families {
		for _, member := range family.Programs {
			all = append(all, member.Name)
		}
	}
	return all
}()
