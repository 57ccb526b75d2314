package export

import (
	"bufio"

	"lockstep/engine"
	"lockstep/engine/redis"
)

// redis-cli has no comments: it would send a line that begins with # to Redis.
// What is to be said is an ECHO, which changes nothing and is answered by itself,
// so that it stands among the replies too.
func writeRedisCLI(out *bufio.Writer, t *engine.Trace) {
	for _, s := range steps(t) {
		if s.comment != "" {
			s.command = []string{"ECHO", "# " + s.comment}
		}
		out.WriteString(redis.Quote(s.command) + "\n")
	}
}
