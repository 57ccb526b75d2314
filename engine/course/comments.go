package course

import (
	_ "embed"
	"io/fs"
	"maps"
	"sync"

	"lockstep/engine/program"
)

//go:embed redis-lock/comments.zh.txt
var builtinComments string

// Ships reports whether a program comes with Lockstep, as it stands: its comments are English.
func Ships(p *program.Program) bool {
	builtin, ok := program.Builtin(p.Name)
	if ok && builtin.Source == p.Source {
		return true
	}
	own, err := fs.ReadFile(files, BuiltinName+"/"+p.Name+".star")
	return err == nil && string(own) == p.Source
}

// BuiltinComments returns the Chinese of the comments of all programs that come with Lockstep: the course's own, and those
// that it shares with every run.
var BuiltinComments = sync.OnceValue(func() program.Comments {
	all := program.ReadComments(builtinComments)
	maps.Copy(all, program.BuiltinComments())
	return all
})
