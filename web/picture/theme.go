package picture

import (
	"image/color"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"lockstep/static"
)

// A theme gives the names of static/css/tokens.css their colours.
type theme map[string]color.NRGBA

var token = regexp.MustCompile(`--([a-z-]+): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6})|var\(--([a-z-]+)\));`)

// themes are the light one and the dark one.
var themes = sync.OnceValue(func() (both [2]theme) {
	both = [2]theme{{}, {}}
	for _, t := range token.FindAllStringSubmatch(static.Text("css/tokens.css"), -1) {
		for i := range both {
			if same, ok := both[i][t[5]]; ok {
				both[i][t[1]] = same
			} else if t[5] == "" {
				both[i][t[1]] = hex(t[2+i] + t[4])
			}
		}
	}
	return both
})

func themeOf(dark bool) theme {
	if dark {
		return themes()[1]
	}
	return themes()[0]
}

// color returns the colour that a value of a style sheet names; nil: none.
func (t theme) color(value string) color.Color {
	if name, ok := strings.CutPrefix(value, "var(--"); ok {
		if c, ok := t[strings.TrimSuffix(name, ")")]; ok {
			return c
		}
	}
	if strings.HasPrefix(value, "#") {
		return hex(value)
	}
	return nil
}

func hex(text string) color.NRGBA {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 24)
	if err != nil {
		panic(err) // a style sheet of this site has it
	}
	return color.NRGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 255}
}
