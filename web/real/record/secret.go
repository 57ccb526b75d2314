package record

import (
	"slices"
	"strings"

	"lockstep/engine/redis"
)

// hidden stands in the file for what is not written, as MONITOR prints it.
const hidden = "(redacted)"

// public returns a command and its reply without passwords. cut says that the reply is not written.
func public(command []string, reply redis.Reply, wasCut bool) (_ []string, _ redis.Reply, cut bool) {
	hide := func(from int) {
		command = slices.Clone(command)
		for i := from; i < len(command); i++ {
			command[i] = hidden
		}
	}
	name := strings.ToUpper(command[0])
	switch {
	case strings.HasPrefix(string(reply), "-ERR unknown command"):
		// Somebody has mistyped a command, or typed a password in the wrong place; Redis repeats it in its reply.
		return []string{"(unknown)"}, "-ERR unknown command\r\n", wasCut
	case name == "AUTH":
		hide(1)
	case name == "HELLO", name == "MIGRATE":
		for i, word := range command {
			if strings.EqualFold(word, "AUTH") || strings.EqualFold(word, "AUTH2") {
				hide(i + 1)
				break
			}
		}
	case name == "CONFIG", name == "ACL":
		hide(2)
		return command, "", true
	}
	return command, reply, wasCut
}
