package detect

import (
	"slices"
	"testing"

	"lockstep/engine/redis"
)

// Of each command that Lockstep executes, this package and package redis agree on whether it changes a key.
func TestBothTablesSayWhatReads(t *testing.T) {
	keyless := []string{"PUBLISH", "MULTI"} // they change no key
	for _, name := range redis.Commands() {
		is := slices.Contains([]kind{nothingToDo, doRead, doGet}, lookUp([]byte(name)))
		if want := redis.Reads([]string{name}) || slices.Contains(keyless, name); is != want {
			t.Errorf("here %s is read as a command that changes nothing: %t; package redis says %t", name, is, want)
		}
	}
}
