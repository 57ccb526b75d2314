package testtools

import (
	"context"
	"io"
	"testing"
	"time"
)

// A radio takes as long as its weather says, and brings everything in the end.
func TestARadioDelaysAndLosesNothingForGood(t *testing.T) {
	Long(t, "its packets are late")
	w := Weather{Delay: 100 * time.Millisecond, Loss: 5, Rate: 2_000_000}
	r := NewRadio(t, w)
	t.Logf("shaped by %s", r.Shaped)
	l, err := r.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	const size = 100_000 // 400 ms at 2 Mbit/s
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write(make([]byte, size))
			_ = c.Close()
		}
	}()
	began := time.Now()
	c, err := r.Dial(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if took := time.Since(began); took < 2*w.Delay {
		t.Errorf("connecting takes %s, want at least %s", took, 2*w.Delay)
	}
	got, err := io.ReadAll(c)
	if took := time.Since(began); err != nil || len(got) != size || took < 2*w.Delay+400*time.Millisecond {
		t.Errorf("%d bytes come within %s: %v", len(got), took, err)
	} else {
		t.Logf("%d bytes come within %s", size, took)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*w.Delay)
	defer cancel()
	r.Becomes(t, Weather{Delay: w.Delay, Loss: 100, Rate: w.Rate})
	if _, err := r.Dial(ctx, "tcp", l.Addr().String()); err == nil {
		t.Error("a radio on which everything is lost brings something")
	}
}
