package views

import (
	"os"
	"regexp"
	"testing"
)

// The legend draws in the timeline's own classes. A class that the sheet lacks would draw nothing.
func TestLegendDrawsAsTheTimeline(t *testing.T) {
	sheet, err := os.ReadFile("../static/css/timeline.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, sign := range signs {
		for _, shape := range sign.shapes {
			if !regexp.MustCompile(`\.` + regexp.QuoteMeta(shape.class) + `\b[^-]`).Match(sheet) {
				t.Errorf("%s is drawn as %s, which timeline.css does not have", sign.name, shape.class)
			}
		}
	}
}

// The legend names shapes: a colour differs from theme to theme.
func TestLegendNamesNoColour(t *testing.T) {
	colour := regexp.MustCompile(`(?i)\b(black|white|red|green|blue|yellow|orange|purple|gr[ae]y|brown)\b|[黑白红绿蓝黄橙紫灰棕]色?`)
	for _, sign := range signs {
		w := words["help.sign."+sign.name]
		for _, text := range []string{w.English, w.Chinese} {
			if name := colour.FindString(text); name != "" {
				t.Errorf("%s is called %q, which names the colour %s", sign.name, text, name)
			}
		}
	}
}
