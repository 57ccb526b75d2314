package redis

import (
	"slices"
	"strings"
)

// Fields returns how many fields a hash has, by its Content.Value.
func Fields(value string) int {
	words, _ := Split(value)
	return len(words) / 2
}

// Sorted returns the Content.Value of a key of some type whose words are in any order that Redis may reply. The fields of a
// hash, with their values, the members of a set, and those of a sorted set, with their scores, stand in the order of the
// alphabet. The order of a list is its own.
func Sorted(t Type, value string) string {
	size := 1
	switch t {
	case String, List:
		return value
	case Hash, ZSet:
		size = 2
	}
	words, _ := Split(value)
	pairs := slices.Collect(slices.Chunk(words, size))
	slices.SortFunc(pairs, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return Quote(slices.Concat(pairs...))
}

// SetsFields reports whether a checked command may set a field of the hash in a key.
func SetsFields(command []string, key string) bool {
	switch strings.ToUpper(command[0]) {
	case "HSET", "HSETNX", "HINCRBY":
		return slices.Contains(Keys(command), key)
	}
	return slices.ContainsFunc(Queued(command), func(q []string) bool { return SetsFields(q, key) })
}
