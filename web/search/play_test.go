package search

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/web/limit"
)

// A picture judges only the property of its question: every property would take too much work, and draw what nobody has asked.
func TestPictureOfAnExpensiveCounterexample(t *testing.T) {
	text := "program patient timeout=24h\ndefine patient\n| def acquire(c):\n|     return True if c.setnx(\"k\", 1) else None\n| def release(c, lease):\n|     pass\n| def holds(c, lease):\n" +
		"|     x = 0\n|     for i in range(16):\n|         for j in range(16):\n|             x = x + i\n|     return x > 0\n"
	for i := range 15 {
		text += fmt.Sprintf("spawn C%d skew=%dms\n", i+1, 7*i+1)
	}
	text += "step C1\ncrash C1\n" + strings.Repeat("tick 1s\nstep C2\n", 20)
	scenario, err := engine.Parse("expensive", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	left := int64(2 * playWork)
	if trace, err := Playing("", &left, context.Background())(scenario); err == nil {
		t.Errorf("every property is judged, in %d units of work", trace.Run.World().Meter().Effort())
	}
	trace, err := Playing("overlap", &left, context.Background())(scenario)
	if err != nil {
		t.Fatal(err)
	}
	if work := trace.Run.World().Meter().Effort(); work > playWork {
		t.Errorf("one property is judged, in %d units of work", work)
	}
	if left >= playWork {
		t.Errorf("of the request's work, %d units are left", left)
	}
	// The rest of the request's work bounds the picture, too, but a picture always gets its usual work.
	longer, err := engine.Parse("longer", text+strings.Repeat("tick 1s\nstep C2\n", 20), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []int64{0, 10 * playWork} {
		left := of
		if _, err := Playing(check.Stuck.Name, &left, context.Background())(longer); errors.Is(err, limit.ErrTooMuch) != (of == 0) || left < of-9*playWork {
			t.Errorf("of %d units of work %d are left: %v", of, left, err)
		}
	}
}
