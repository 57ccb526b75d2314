package process

import "time"

// Bounds on what a program sends. A client of a lock stays far below them.
const (
	maxConnections = 16
	maxPipelined   = 64        // commands of one connection that wait, and commands of a transaction
	maxWaiting     = 1 << 20   // bytes of them
	maxBulk        = 64 << 10  // bytes in an argument, and in a line
	maxRequest     = 256 << 10 // bytes in the arguments of a command
	maxArguments   = 1024
	maxScripts     = 64
	maxScriptBytes = 256 << 10 // in all of a program's scripts
	maxAside       = 1000      // commands answered in the front, and connections, from one command at the door to the next
	maxUnread      = 1 << 20   // bytes of replies that a connection does not read
	maxSaid        = 2 << 10   // bytes kept of what a program says on its standard error
)

// defaultPatience is how long a program may take to its next command.
const defaultPatience = 10 * time.Second

// farewell bounds the wait for what a killed process leaves in the kernel.
const farewell = 5 * time.Second

// settling bounds the wait for a program to wait.
const settling = time.Second
