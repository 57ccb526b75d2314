//go:build !unix

package web

import "time"

// processorTime is not known here.
func processorTime() time.Duration { return 0 }
