package program

// The bounds. Strangers bring programs, by a link or an edit box, and the programs
// run in everybody's process: each must cost little and end soon.
const (
	maxSource       = 8 << 10 // bytes of text
	maxSteps        = 2000    // statements and expressions evaluated by one call of Next or Holds
	maxString       = 512     // bytes of any string that is written, computed or replied
	maxNesting      = 32      // of brackets, blocks, operators, and of calls
	maxVariables    = 32      // of one function, parameters included
	maxOpen         = 64      // variables of all open calls
	maxRounds       = 16      // of one loop
	maxObservations = 200     // of one phase
	maxSeconds      = 1e6     // of an option default: 11 days

	maxRecording      = 128 << 10 // bytes of a recording's text
	maxRecordedTitle  = 200       // bytes of its title, and of what a program says at its end
	maxRecordedIndent = 2 * (maxObservations + 1)
)

// MaxOperations is how many operations a recorded client does in one life.
const MaxOperations = maxObservations

// MaxSleep is how long a recorded client sleeps at once, ms.
const MaxSleep = 86_400_000
