package testtools

import "time"

// Patience is how long a test waits for what must come. Only a test that fails waits this long: a busy machine takes its time
// for the work of a moment, and no test measures it.
const Patience = time.Minute

// Eventually reports whether a condition comes to hold before a test loses its patience.
func Eventually(holds func() bool) bool {
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return true
		}
	}
	return false
}
