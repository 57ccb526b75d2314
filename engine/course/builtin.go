package course

import (
	"embed"
	"io/fs"
	"sync"
)

//go:embed redis-lock
var files embed.FS

// Builtin is the course that Lockstep brings along.
var Builtin = sync.OnceValue(func() *Course {
	dir, err := fs.Sub(files, "redis-lock")
	if err != nil {
		panic(err) // the name is right
	}
	return Load(dir, "redis-lock")
})
