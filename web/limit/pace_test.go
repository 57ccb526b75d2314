package limit

import (
	"errors"
	"testing"
	"testing/synctest"
)

// An endless flood closes the socket. After a pause the count starts again.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPace(10_000, 1<<20)
		p.most = 100
		count := func(messages int) (told int, ended bool) {
			for range messages {
				switch err := p.Message(); {
				case errors.Is(err, ErrTooFast):
					told++
				case errors.Is(err, ErrFlood):
					return told, true
				}
			}
			return told, false
		}
		if told, ended := count(10_000); told != 0 || ended {
			t.Errorf("the messages of a second are told %d times, and the end is %t", told, ended)
		}
		if told, ended := count(100_000); told != 1 || !ended {
			t.Errorf("a flood is told %d times, and the end is %t", told, ended)
		}
	})
}
