package store

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"

	"lockstep/web/survive"
)

// panics counts the panics that the store survives. An unrecovered panic would end the
// process, and with it every run. In this package survives wraps every goroutine, and try
// does every job.
type panics struct {
	logger *slog.Logger
	n      atomic.Int64
}

// errPanic answers a caller whose job panicked.
var errPanic = errors.New("a panic in the program")

// try calls do and returns a panic as an error.
func (p *panics) try(do func() error) (err error) {
	survive.Func(func() { err = do() }, func(mistake any) {
		p.n.Add(1)
		p.logger.Error("panic in the store", "err", fmt.Sprint(mistake), "stack", string(debug.Stack()))
		err = fmt.Errorf("%w: %v", errPanic, mistake)
	})()
	return err
}

// survives returns a function for a goroutine. A panic in do ends only that goroutine.
func (p *panics) survives(do func()) func() {
	return func() { _ = p.try(func() error { do(); return nil }) }
}
