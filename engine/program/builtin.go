package program

import (
	"embed"
	"slices"
	"sync"
)

//go:embed programs/*.star
var files embed.FS

var builtinPrograms = sync.OnceValue(func() map[string]*Program {
	programs := make(map[string]*Program, len(names))
	for _, name := range names {
		source, err := files.ReadFile("programs/" + name + ".star")
		if err != nil {
			panic(err) // a name without a file: the tests find it
		}
		p, err := Parse(name, string(source))
		if err != nil {
			panic(err)
		}
		programs[name] = p
	}
	return programs
})

// Builtin returns the built-in program with a name.
func Builtin(name string) (*Program, bool) {
	p, ok := builtinPrograms()[name]
	return p, ok
}

// Names lists the built-in programs in teaching order.
func Names() []string { return slices.Clone(names) }
