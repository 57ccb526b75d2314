package course

import (
	"embed"
	"io/fs"
	"sync"
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
