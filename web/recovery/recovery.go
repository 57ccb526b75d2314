// Package recovery keeps a panic from ending the process.
//
// An unrecovered panic ends the process, and with it every run. Each goroutine of the server and of its store therefore
// begins with a function from Func, so the panic ends only that goroutine. The caller handles the panic, for example with
// a line in the log.
package recovery

// Func returns a function that calls do, and passes a panic in do to mistaken.
func Func(do func(), mistaken func(mistake any)) func() {
	return func() {
		defer func() {
			if mistake := recover(); mistake != nil {
				mistaken(mistake)
			}
		}()
		do()
	}
}
