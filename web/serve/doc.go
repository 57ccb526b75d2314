// Package serve is what a site needs of a machine: the flags of the command that serves it, the addresses on which it listens, and what
// that command forgets on demand. The site itself, package web, is a handler that any listener may serve.
package serve
