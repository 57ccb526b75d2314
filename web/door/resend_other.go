//go:build !linux

package door

// setResend does nothing: only Linux has these options.
func setResend(uintptr) {}
