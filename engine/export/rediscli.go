package export

import (
	"bufio"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// RedisCLI is the commands for a real Redis.
var RedisCLI = Format{
	Name: "redis-cli", Extension: "redis-cli", MediaType: "text/plain; charset=utf-8",
	Title:   lang.Both("Commands for redis-cli", "redis-cli 命令"),
	Purpose: lang.Both("The commands in the order in which Redis executed them, to paste into redis-cli.", "按 Redis 的执行顺序排列的命令，可直接粘贴到 redis-cli。"),
	Write:   buffered(writeRedisCLI),
}

// redis-cli has no comments: it sends a line that begins with # to Redis. The export puts a comment into an ECHO, which
// changes nothing and also appears among the replies.
func writeRedisCLI(out *bufio.Writer, t *engine.Trace) {
	for _, s := range steps(t, false) {
		if s.comment != "" {
			s.command = []string{"ECHO", "# " + s.comment}
		}
		out.WriteString(redis.Quote(s.command) + "\n")
	}
}
