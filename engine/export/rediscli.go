package export

import (
	"bufio"

	"lockstep/engine"
	"lockstep/engine/redis"
)

// redis-cli has no comments: it sends a line that begins with # to Redis. The export puts a comment into an ECHO, which
// changes nothing and also appears among the replies.
func writeRedisCLI(out *bufio.Writer, t *engine.Trace) {
	for _, s := range steps(t) {
		if s.comment != "" {
			s.command = []string{"ECHO", "# " + s.comment}
		}
		out.WriteString(redis.Quote(s.command) + "\n")
	}
}
