//go:build !linux

package door

// repeatSoon does nothing: only Linux has these options.
func repeatSoon(uintptr) {}
