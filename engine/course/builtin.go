package course

import (
	"embed"
	"io/fs"
	"sync"
)

//go:embed redis-lock
var files embed.FS

// Builtin returns the course that comes with Lockstep.
var Builtin = sync.OnceValue(func() *Course {
	dir, err := fs.Sub(files, "redis-lock")
	if err != nil {
		panic(err) // the name is valid
	}
	return Load(dir, "redis-lock")
})
