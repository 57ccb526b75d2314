// Package survive keeps a panic from ending the process.
//
// A panic that nobody recovers ends the process, and with it everybody's runs. So each goroutine of the server and of
// its store begins with a function that Func has made: the panic ends that goroutine and nothing else. The caller says
// what becomes of the panic, such as a line in the log.
package survive

// Func returns a function that calls do, and passes a panic of do to mistaken.
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
