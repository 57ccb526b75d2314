package redis

import "strings"

// Parts returns the commands that a command consists of: itself, or for a transaction MULTI, the queued commands and EXEC.
func Parts(command []string) [][]string {
	if len(command) < 2 || !strings.EqualFold(command[0], "MULTI") {
		return [][]string{command}
	}
	parts := make([][]string, len(command))
	for i, word := range command {
		parts[i] = []string{word}
		if i == 0 || i == len(command)-1 {
			continue
		}
		if words, refusal := Split(word); refusal == nil {
			parts[i] = words
		}
	}
	return parts
}

// Whole returns the command that consists of some parts.
func Whole(parts [][]string) []string {
	if len(parts) == 1 {
		return parts[0]
	}
	command := make([]string, len(parts))
	for i, part := range parts {
		if command[i] = part[0]; i > 0 && i < len(parts)-1 {
			command[i] = Quote(part)
		}
	}
	return command
}
