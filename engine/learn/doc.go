// Package learn learns what a real program does, as a recording that the engine can run.
package learn
