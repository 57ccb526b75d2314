package picture

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/dop251/goja"

	"lockstep/static"
)

// MostEvents bounds the events that are laid out for a card, and MostBytes their JSON. The interpreter takes about 0.2 ms
// for each. Only a run whose story ends within them has its timeline on the card.
const (
	MostEvents = 300
	MostBytes  = 256 << 10
)

// A laid run is what static/js/timeline/card.js returns.
type laid struct {
	Factor, From, Height float64
	Groups, Heads        []group
}

type group struct {
	Class  string
	Blamed int
	Shapes []shape
}

type shape struct {
	Kind, Class, D, Text, Anchor string
	X, Y, Width, Height, RX      float64
	Size                         float64 // of a text
	X1, Y1, X2, Y2               float64
	CX, CY, R                    float64
	Opacity                      *float64
	StrokeWidth                  *float64 `json:"stroke-width"`
}

// layouter is the program that lays runs out, compiled once: that takes about 40 ms.
var layouter = sync.OnceValue(func() *goja.Program {
	text, err := static.Bundle("js/timeline/card.js")
	if err != nil {
		panic(err) // the file is in the binary
	}
	return goja.MustCompile("card.js", string(text), true)
})

var errNoRun = errors.New("there is no run")

// layOut lays the card's run out. Each has an interpreter of its own, so none knows of another.
func (c Card) layOut() (laid, error) {
	if len(c.Events) == 0 {
		return laid{}, errNoRun
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(1000)
	if _, err := vm.RunProgram(layouter()); err != nil {
		return laid{}, fmt.Errorf("the program that lays runs out: %w", err)
	}
	asked, err := json.Marshal(map[string]any{"events": c.Events, "words": c.Words, "width": Width - edge/2, "height": tall})
	if err != nil {
		return laid{}, fmt.Errorf("encoding a run: %w", err)
	}
	if err := vm.Set("asked", string(asked)); err != nil {
		return laid{}, err
	}
	v, err := vm.RunString("JSON.stringify(picture.card(JSON.parse(asked)))")
	if err != nil {
		return laid{}, fmt.Errorf("laying a run out: %w", err)
	}
	var l laid
	if err := json.Unmarshal([]byte(v.String()), &l); err != nil {
		return laid{}, fmt.Errorf("reading a laid run: %w", err)
	}
	return l, nil
}
