package program

import (
	"embed"
	"sync"
)

//go:embed programs/*.star
var files embed.FS

// names is the teaching order: each program fixes a fault of an earlier one,
// or brings it back.
var names = []string{
	"naive", "naive-nonblocking", "naive-timeout",
	"timestamp", "del-setnx",
	"getset-plain", "getset", "getset-compare-delete",
	"getset-literal-equal", "getset-le", "getset-nil-lost",
	"takeover-cas", "java",
	"setnx-expire", "set-px-del", "set-px-get-del", "set-px", "set-px-late-lease",
	"set-px-watchdog", "set-px-fencing", "set-px-fencing-incr",
	"redlock",
}

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
func Names() []string { return append([]string(nil), names...) }
