package recovery

import (
	"errors"
	"fmt"
	"testing"
)

// A panic ends what it happens in, and goes no further than to whom it is told. What ends well is told to nobody.
func TestAPanicIsToldAndGoesNoFurther(t *testing.T) {
	none := map[string]int(nil)
	for _, c := range []struct {
		what string
		do   func()
		told string
	}{
		{"ends well", func() {}, "[]"},
		{"says a text", func() { panic("a mistake") }, "[a mistake]"},
		{"says an error", func() { panic(errors.New("a mistake")) }, "[a mistake]"},
		{"says nothing", func() { panic(nil) }, "[panic called with nil argument]"},
		{"writes into no map", func() { none["a"] = 1 }, "[assignment to entry in nil map]"},
	} {
		told := []any{}
		do := Func(c.do, func(mistake any) { told = append(told, mistake) })
		if len(told) > 0 {
			t.Errorf("%s: it has begun by itself", c.what)
		}
		do()
		if got := fmt.Sprint(told); got != c.told {
			t.Errorf("%s: told is %s, want %s", c.what, got, c.told)
		}
	}
}
