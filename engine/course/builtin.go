package course

import (
	"embed"
	"io/fs"
	"maps"
	"sync"

	"lockstep/engine/program"
)

//go:embed redis-lock
var files embed.FS

// BuiltinName is the name of the course that comes with Lockstep.
const BuiltinName = "redis-lock"

// Builtin returns the course that comes with Lockstep.
var Builtin = sync.OnceValue(func() *Course {
	dir, err := fs.Sub(files, BuiltinName)
	if err != nil {
		panic(err) // the name is valid
	}
	return Load(dir, BuiltinName)
})

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
	own, err := fs.ReadFile(files, BuiltinName+"/comments.zh.txt")
	if err != nil {
		panic(err) // the name is valid
	}
	all := program.ReadComments(string(own))
	maps.Copy(all, program.BuiltinComments())
	return all
})
