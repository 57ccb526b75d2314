package shell

import (
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/alecthomas/kong"
)

// Numbers and lengths of time are read here: kong takes the -1 of "--ticks -1" for a flag, and speaks of bits.
var (
	numbers     = kong.KindMapper(reflect.Int, whole)
	longNumbers = kong.KindMapper(reflect.Int64, whole)
	lengths     = kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		text, err := word(ctx)
		if err != nil {
			return err
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a length of time such as 1s or 500ms", text)
		}
		target.SetInt(int64(d))
		return nil
	}))
)

var whole = kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := word(ctx)
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || target.OverflowInt(n) {
		return fmt.Errorf("%q is not a whole number", text)
	}
	target.SetInt(n)
	return nil
})

// word takes the next word, also where it begins with a hyphen.
func word(ctx *kong.DecodeContext) (string, error) {
	token := ctx.Scan.Pop()
	if token.IsEOL() {
		return "", fmt.Errorf("a value is missing")
	}
	return token.String(), nil
}
