// Package cli is the engine on a command line: run, export, import, explore, test, check, pack-course and export-course.
//
//	flags and a file → engine → sentences or JSON, and an exit code
//
// Each command is a struct. Its fields are the flags, which main parses, and its
// method Run does the work. A command reaches the machine only through the Host
// that main hands in: files, the standard streams, the clock, the signal that
// interrupts a search, the workers of a search, and the processes of a test. Package cli therefore prints
// the same for the same input, and knows neither the site nor a goroutine.
//
// A command prints its result on standard output. A mistake of the user is one
// sentence on standard error, in the language of the Host. The exit
// code tells a script how it ended, see ExitUnmet and its neighbours.
package cli
