package course

import (
	_ "embed"
	"maps"
	"sync"

	"lockstep/engine/program"
)

//go:embed redis-lock/comments.zh.txt
var builtinComments string

// BuiltinComments returns the Chinese of the comments of all programs that come with Lockstep: the course's own, and those
// that it shares with every run.
var BuiltinComments = sync.OnceValue(func() program.Comments {
	all := program.ReadComments(builtinComments)
	maps.Copy(all, program.BuiltinComments())
	return all
})
