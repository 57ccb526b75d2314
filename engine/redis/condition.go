package redis

import (
	"slices"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
)

// A Condition is the value that a key must have, or must not have, for a SET or a DELEX to change it.
type Condition struct {
	Value  string
	Differ bool // IFNE: it must not have the value, and need not exist
}

func isCondition(word string) bool {
	return strings.EqualFold(word, "IFEQ") || strings.EqualFold(word, "IFNE")
}

// ConditionOf returns the condition of a command that compares a key's value with one of its arguments, if it has one.
func ConditionOf(command []string) (c Condition, ok bool) {
	first := map[string]int{"SET": 3, "DELEX": 2, "DELIFEQ": 2}[strings.ToUpper(command[0])]
	if first == 0 || len(command) <= first {
		return c, false
	}
	if strings.EqualFold(command[0], "DELIFEQ") {
		return Condition{Value: command[first]}, true
	}
	i := slices.IndexFunc(command[first:], isCondition)
	if i < 0 || first+i+1 == len(command) {
		return c, false
	}
	return Condition{command[first+i+1], strings.EqualFold(command[first+i], "IFNE")}, true
}

// holds reports whether a key with this value, or a key that does not exist, meets the condition.
func (c Condition) holds(value string, exists bool) bool {
	return (exists && value == c.Value) != c.Differ
}

// setIf executes a SET with IFEQ or IFNE, which miniredis lacks. Nothing comes between a look at the key and the write,
// so setIf looks first, and hands miniredis the same SET with NX or XX: the one that holds just now where the condition
// holds, and the other one where it does not.
func (s *Server) setIf(peer *server.Peer, args []string) (done bool) {
	command := append([]string{"SET"}, args...)
	at := 3
	for at < len(command) && !isCondition(command[at]) {
		at++
	}
	if at >= len(command) {
		return false
	}
	c, ok := ConditionOf(command)
	if !ok || HasOption(command, "NX") || HasOption(command, "XX") || slices.ContainsFunc(command[at+2:], isCondition) {
		peer.WriteError("ERR syntax error")
		return true
	}
	value, exists, ok := s.text(peer, command[1])
	if !ok {
		peer.WriteError("WRONGTYPE Operation against a key holding the wrong kind of value")
		return true
	}
	instead := "NX"
	if exists == c.holds(value, exists) {
		instead = "XX"
	}
	s.mini.Server().Dispatch(peer, slices.Concat(command[:at], []string{instead}, command[at+2:]))
	return true
}

// text returns the string in a key, for a peer that has just begun a command. It is not ok when the key holds no string.
func (s *Server) text(peer *server.Peer, key string) (value string, exists, ok bool) {
	if peer == s.peer {
		c, exists := s.Get(key)
		return c.Value, exists, c.Type == String
	}
	r := s.aside(peer, "GET", key)
	value, exists = r.Text()
	return value, exists, r.Err() == ""
}

// delIfEqual executes DELIFEQ, which is Valkey's: what DELEX with IFEQ is in Redis.
func (s *Server) delIfEqual(peer *server.Peer, _ string, args []string) {
	if len(args) != 2 {
		peer.WriteError("ERR wrong number of arguments for 'delifeq' command")
		return
	}
	s.mini.Server().Dispatch(peer, []string{"DELEX", args[0], "IFEQ", args[1]})
}
