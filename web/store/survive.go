package store

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"

	"lockstep/web/survive"
)

// A panic in a goroutine would end the process, and with it everybody's runs. Every
// goroutine of this package is begun by survives, and every job is done by try.
type mistakes struct {
	logger *slog.Logger
	n      atomic.Int64
}

// errMistake is what a panic becomes for whoever waits for an answer.
var errMistake = errors.New("a mistake of the program")

// try calls do, and returns a panic as an error.
func (m *mistakes) try(do func() error) (err error) {
	survive.Func(func() { err = do() }, func(mistake any) {
		m.n.Add(1)
		m.logger.Error("panic in the store", "err", fmt.Sprint(mistake), "stack", string(debug.Stack()))
		err = fmt.Errorf("%w: %v", errMistake, mistake)
	})()
	return err
}

// survives returns a function for a goroutine that a panic ends, and nothing else.
func (m *mistakes) survives(do func()) func() {
	return func() { _ = m.try(func() error { do(); return nil }) }
}
