//go:build !linux

package web

// repeatSoon does nothing: only Linux has these options.
func repeatSoon(uintptr) {}
