//go:build !unix

package web

import "time"

// processorTime is unknown here, so the fuzzer checks no processor time.
func processorTime() time.Duration { return 0 }
