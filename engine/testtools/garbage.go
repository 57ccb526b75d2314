package testtools

import "runtime/debug"

// The heap of a test is small and dies soon. Collecting it as often as a server does is nearly half of what the tests of
// engine/explore take.
func init() { debug.SetGCPercent(400) }
