package limit

import (
	"errors"
	"testing"
)

// When there is no end to it, the socket is closed; a pause is enough to start anew.
func TestPace(t *testing.T) {
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
		t.Errorf("what may come in a second is told %d times, and the end is %t", told, ended)
	}
	if told, ended := count(100_000); told != 1 || !ended {
		t.Errorf("a flood is told %d times, and the end is %t", told, ended)
	}
}
