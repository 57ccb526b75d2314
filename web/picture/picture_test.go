package picture

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"lockstep/engine/testtools"
)

// The fonts have every Chinese character of the site and of the built-in course.
func TestTheFontsWriteTheSite(t *testing.T) {
	missing := map[rune]string{}
	for _, dir := range []string{"engine", "views", "web"} {
		err := fs.WalkDir(os.DirFS("../.."), dir, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains([]string{".go", ".md", ".txt", ".yaml"}, path.Ext(name)) || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile("../../" + name)
			for _, r := range string(text) {
				if unicode.Is(unicode.Han, r) && !(bold.writes(string(r)) && plain.writes(string(r))) {
					missing[r] = name
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for r, name := range missing {
		t.Errorf("the fonts lack %c, which %s has: fonts/README.md tells how to add it", r, name)
	}
}

// A title that the fonts lack gives way to the next one, and a stretch of other text to an ellipsis: a box never shows.
func TestALetterThatTheFontsLackIsNoBox(t *testing.T) {
	foreign := "हिन्दी"
	if plain.writes(foreign) || !plain.writes("Łódź, Ωmega, Привет, 锁: “x” → 1 ≤ 2…") {
		t.Error("the fonts do not write what they should")
	}
	if c := (Card{Titles: []string{foreign, "Lesson 3"}}); c.title() != "Lesson 3" {
		t.Errorf("the title is %q", c.title())
	}
	if c := (Card{Titles: []string{foreign}}); c.title() != "Lockstep" {
		t.Errorf("the title is %q", c.title())
	}
	shown := code.letters("a" + foreign + "b")
	if ellipsis, _ := code.letter('…', shown[0].buffer); len(shown) != 3 || shown[1].glyph != ellipsis.glyph {
		t.Errorf("%d letters stand for %q between two", len(shown), foreign)
	}
	for _, l := range shown {
		if l.glyph == 0 {
			t.Error("a box is written")
		}
	}
}

func TestALineEndsWhereItMay(t *testing.T) {
	for _, c := range []struct {
		text string
		room float64
		want []string
	}{
		{"C1 and C2 are inside", 120, []string{"C1 and C2", "are inside"}},
		{"客户端同时在临界区，原因", 200, []string{"客户端同时在临界", "区，原因"}}, // no line begins with a comma
		{"C1 and C2 are inside and believe it", 120, []string{"C1 and C2", "are insid…"}},
		{strings.Repeat("x", 30), 120, []string{"xxxxxxx…"}},
	} {
		if got := plain.lines(c.text, 24, c.room, 2); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q is broken into %q, want %q", c.text, got, c.want)
		}
		for _, line := range plain.lines(c.text, 24, c.room, 2) {
			if w := plain.width(line, 24); w > c.room {
				t.Errorf("%q is %.0f px wide", line, w)
			}
		}
	}
}

// Every colour of the timeline is one of the themes.
func TestTheThemesHaveTheColoursOfTheTimeline(t *testing.T) {
	for _, r := range timeline() {
		for _, name := range []string{"fill", "stroke"} {
			value := r.says[name]
			if strings.HasPrefix(value, "var(") && (themes()[0].color(value) == nil || themes()[1].color(value) == nil) {
				t.Errorf("%s is no colour", value)
			}
		}
	}
	if len(timeline()) < 100 {
		t.Errorf("only %d rules are known", len(timeline()))
	}
	for _, name := range []string{"surface", "ink", "ink-quiet", "hold", "accent", "violation-ink"} { // card.go and mark.go name them
		if light, dark := themes()[0][name], themes()[1][name]; light.A == 0 || dark.A == 0 || light == dark {
			t.Errorf("%s is %v, and %v in the dark", name, light, dark)
		}
	}
}

// Shapes look as static/css says that they do on a page.
func TestShapesLookAsOnAPage(t *testing.T) {
	light, dark := themes()[0], themes()[1]
	for _, c := range []struct {
		g     group
		in    theme
		looks func(look) bool
	}{
		{one("section", "hold", 0), light, func(l look) bool { return l.fill == color.Color(light["hold"]) && l.stroke == nil }},
		{one("section", "hold", 0), dark, func(l look) bool { return l.fill == color.Color(dark["hold"]) }},
		{one("life", "node", 0), light, func(l look) bool { return l.stroke == color.Color(light["ink"]) && l.width == 4 && l.fill == nil }},
		{one("request", "flight", 0), light, func(l look) bool { return l.round && len(l.dash) == 2 && l.dash[1] == 5 }},
		{one("request", "flight", 3), light, func(l look) bool { return l.stroke == color.Color(light["violation"]) }},
		{two("request", "request-arrow", 3), light, func(l look) bool { return l.fill == color.Color(light["violation"]) && l.width == 3 }},
		{two("request", "request-arrow", 0), light, func(l look) bool { return l.fill == color.Color(light["ink"]) && l.width == 1.5 }},
		{text("label", "command", 0), light, func(l look) bool {
			return l.mono && l.bold && l.haloed && l.size == 15 && l.stroke == color.Color(light["surface"])
		}},
		{text("label", "command", 3), light, func(l look) bool { return l.mono && l.bold && l.fill == color.Color(light["violation-ink"]) }},
		{text("head", "badge-name", 0), light, func(l look) bool { return l.bold && l.size == 15 && l.stroke == nil }},
		{one("key-band", "band-hatch", 0), light, func(l look) bool { return l.opacity == 0.4 }},
	} {
		if got := timeline().dressed(c.g, c.in)[0]; !c.looks(got) {
			t.Errorf("%v looks like %+v", c.g, got)
		}
	}
}

func one(class, shapeClass string, blamed int) group {
	return group{Class: class, Blamed: blamed, Shapes: []shape{{Kind: "rect", Class: shapeClass}}}
}

func two(class, shapeClass string, blamed int) group {
	g := one(class, shapeClass, blamed)
	g.Shapes = append(g.Shapes, shape{Kind: "circle", Class: "other"})
	return g
}

func text(class, shapeClass string, blamed int) group {
	g := one(class, shapeClass, blamed)
	g.Shapes[0].Kind, g.Shapes[0].Size = "text", 15
	return g
}

func TestAPathIsDrawnAsInABrowser(t *testing.T) {
	for d, inside := range map[string][]image.Point{
		"M10 20a10 10 0 1 0 20 0a10 10 0 1 0-20 0Z": {{20, 20}, {20, 11}, {20, 28}, {12, 20}},
		"M10 10h20v20h-20Z":                         {{11, 11}, {29, 29}},
		"M10 10L30 10V30H10Z":                       {{11, 11}, {29, 29}},
		"m10 10l20 0 0 20-20 0z":                    {{11, 11}, {29, 29}},
		"M10 30C10 5 30 5 30 30Z":                   {{20, 20}, {12, 28}},
	} {
		p := newPen(40, 40, color.White)
		p.draw(shape{Kind: "path", D: d}, look{fill: color.Black, opacity: 1})
		black := func(at image.Point) bool { r, _, _, _ := p.Image().At(at.X, at.Y).RGBA(); return r < 0x8000 }
		for _, at := range inside {
			if !black(at) {
				t.Errorf("%v is not inside %s", at, d)
			}
		}
		for _, at := range []image.Point{{5, 20}, {35, 20}, {20, 5}, {20, 35}} {
			if black(at) {
				t.Errorf("%v is inside %s", at, d)
			}
		}
	}
}

// The icons are of the sizes that their heads tell.
func TestIconsAreOfTheirSizes(t *testing.T) {
	ico := Icon()
	if binary.LittleEndian.Uint16(ico[2:]) != 1 || binary.LittleEndian.Uint16(ico[4:]) != 3 {
		t.Fatalf("the icon begins with % x", ico[:6])
	}
	for i := range 3 {
		entry := ico[6+16*i:]
		from, size := binary.LittleEndian.Uint32(entry[12:]), binary.LittleEndian.Uint32(entry[8:])
		if c, err := png.DecodeConfig(bytes.NewReader(ico[from : from+size])); err != nil || c.Width != int(entry[0]) || c.Height != int(entry[1]) {
			t.Errorf("picture %d is %v: %v", i, c, err)
		}
	}
	if c, err := png.DecodeConfig(bytes.NewReader(TouchIcon())); err != nil || c.Width != 180 || c.Height != 180 {
		t.Errorf("the icon of a phone is %v: %v", c, err)
	}
	svg, style := Favicon()
	if !strings.Contains(style, "prefers-color-scheme: dark") || !bytes.Contains(svg, []byte(style)) {
		t.Errorf("the icon does not follow the theme: %s", svg)
	}
}

// full returns a card with as many events as one may have: commands of many clients to many keys.
func full(n int) Card {
	c := Card{Kind: "naive", Titles: []string{"Nine clients"}, Words: map[string]any{
		"waits": "waits", "asleep": "asleep", "inside": "inside", "releasing": "releasing", "done": "done", "crashed": "crashed", "failed": "failed", "paused": "paused", "down": "down",
		"storage": "Storage", "cause": "the cause", "expired": "expired", "by": "by {client}", "until": "until {time}", "lost": "lost", "leave": "", "accepted": "", "rejected": "", "diverges": "", "timeline": "", "property": map[string]string{},
	}}
	add := func(format string, arguments ...any) {
		if seq := len(c.Events) + 1; seq <= n {
			c.Events = append(c.Events, json.RawMessage(fmt.Sprintf(`{"seq":%d,"action":%d,"time":1000000,`, seq, seq)+fmt.Sprintf(format, arguments...)+`,"sentence":{"en":"x"}}`))
		}
	}
	for i := range n {
		client := fmt.Sprintf("C%d", i%9+1)
		if i < 9 {
			add(`"lane":%q,"kind":"spawn","spawned":{"program":"naive"}`, client)
		}
		call := fmt.Sprintf(`"call":{"id":%d,"client":%q,"node":"redis","command":["SET","k%d","value-%d"]}`, i+1, client, i%5, i)
		add(`"lane":%q,"kind":"send",%s`, client, call)
		add(`"lane":"redis","kind":"deliver",%s,"execution":{"order":%d,"reply":{"resp":"+OK\r\n","text":"OK"}},"changes":[{"key":"k%d","new":{"value":"value-%d","writer":%q,"order":%d}}]`, call, i+1, i%5, i, client, i+1)
		add(`"lane":"redis","kind":"reply",%s,"execution":{"order":%d,"reply":{"resp":"+OK\r\n","text":"OK"}}`, call, i+1)
		add(`"lane":%q,"kind":"receive",%s,"execution":{"order":%d,"reply":{"resp":"+OK\r\n","text":"OK"}}`, client, call, i+1)
	}
	return c
}

// A card with all the events that it may have shows lanes and keys.
func TestAFullCardShowsItsRun(t *testing.T) {
	c := full(MostEvents)
	if _, err := c.layOut(); err != nil {
		t.Fatal(err)
	}
	shown, err := png.Decode(bytes.NewReader(c.PNG()))
	if err != nil {
		t.Fatal(err)
	}
	keys := 0
	for y := int(stage); y < Height; y++ {
		for x := range Width {
			if color.NRGBAModel.Convert(shown.At(x, y)) == themes()[0]["band"] {
				keys++
			}
		}
	}
	if keys < 5000 {
		t.Errorf("%d px are of keys", keys)
	}
}

// The storage's verdict on a write is seen at a glance: a cross is in the knot of a rejected one, and a dot in that of an accepted one.
func TestARejectedWriteIsCrossedOut(t *testing.T) {
	for _, c := range []struct{ kind, seen, unseen string }{{"reject", "lost-cross", "written"}, {"write", "written", "lost-cross"}} {
		card := Card{Words: full(0).Words}
		for seq, says := range []string{
			`"lane":"C1","kind":"spawn","spawned":{"program":"naive"}`,
			`"lane":"C1","kind":"send","call":{"id":1,"client":"C1","node":"storage","command":["write","1"]}`,
			`"lane":"storage","kind":"` + c.kind + `","call":{"id":1,"client":"C1","node":"storage","command":["write","1"]},"fence":2,"execution":{"order":0,"reply":{"resp":":0\r\n","text":"(integer) 0"}}`,
		} {
			card.Events = append(card.Events, json.RawMessage(fmt.Sprintf(`{"seq":%d,"action":%d,"time":1000000,%s,"sentence":{"en":"x"}}`, seq+1, seq+1, says)))
		}
		run, err := card.layOut()
		if err != nil {
			t.Fatal(err)
		}
		has := func(class string) bool {
			return slices.ContainsFunc(run.Groups, func(g group) bool {
				return slices.ContainsFunc(g.Shapes, func(s shape) bool { return s.Class == class })
			})
		}
		if !has(c.seen) || has(c.unseen) {
			t.Errorf("%s: %s is drawn: %t; %s is drawn: %t", c.kind, c.seen, has(c.seen), c.unseen, has(c.unseen))
		}
	}
}

// A verdict that is bad is stamped in the colour of a violation, and a good one is not.
func TestAStampHasTheColourOfItsVerdict(t *testing.T) {
	in := themeOf(false)
	for _, holds := range []bool{true, false} {
		p := newPen(Width, 120, in["surface"])
		Card{Stamp: "Verdict", Holds: holds}.stamp(p, in, 50)
		good, bad := 0, 0
		for y := range 120 {
			for x := range Width {
				switch color.NRGBAModel.Convert(p.Image().At(x, y)) {
				case in["accent"]:
					good++
				case in["violation-ink"]:
					bad++
				}
			}
		}
		if (good > 500) != holds || (bad > 500) == holds {
			t.Errorf("of a verdict that holds: %t, %d px are in the colour of the good and %d in that of the bad", holds, good, bad)
		}
	}
}

// However long an address is, the name of the site stands beside it in the foot.
func TestALongAddressLeavesTheFootItsName(t *testing.T) {
	short, long := Card{Address: "x"}.PNG(), Card{Address: strings.Repeat("lockstep.example/", 40)}.PNG()
	foot := func(card []byte) (name []color.Color) {
		shown, err := png.Decode(bytes.NewReader(card))
		if err != nil {
			t.Fatal(err)
		}
		for y := int(stage + tall); y < Height; y++ {
			for x := range int(edge) + 200 {
				name = append(name, color.NRGBAModel.Convert(shown.At(x, y)))
			}
		}
		return name
	}
	if !slices.Equal(foot(short), foot(long)) {
		t.Error("the address is written over the name")
	}
}

// A run that cannot be laid out leaves its card alone, and no request fails for it.
func TestABrokenRunLeavesTheCardAlone(t *testing.T) {
	c := Card{Titles: []string{"A run"}, Events: []json.RawMessage{json.RawMessage(`{"kind":"send"}`)}}
	alone := Card{Titles: []string{"A run"}}
	if !bytes.Equal(c.PNG(), alone.PNG()) {
		t.Error("a broken run changes its card")
	}
}

// 30 events are a lesson's run; MostEvents are the bound.
func BenchmarkCard(b *testing.B) {
	for _, n := range []int{0, 30, 100, MostEvents} {
		b.Run(fmt.Sprint(n, " events"), func(b *testing.B) {
			c := full(n)
			size := 0
			for b.Loop() {
				size = len(c.PNG())
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}

// A stranger writes long notes, and long keys and values. What is cut off costs the card next to nothing: it is neither
// measured nor drawn.
func TestWhatIsCutOffCostsNothing(t *testing.T) {
	notes := func(letters int) Card {
		c := full(2)
		for i := range 280 {
			c.Events = append(c.Events, json.RawMessage(fmt.Sprintf(`{"seq":%d,"action":%d,"time":1000000,"kind":"note","text":%q,"sentence":{"en":"x"}}`, i+100, i+100, strings.Repeat("x", letters))))
		}
		return c
	}
	keys := func(letters int) Card {
		c := full(220)
		for i, e := range c.Events {
			c.Events[i] = regexp.MustCompile(`"(k|value-)(\d)`).ReplaceAll(e, []byte(`"`+strings.Repeat("k", letters)+`$2`))
		}
		return c
	}
	words := func(letters int) Card {
		c, text := full(2), strings.Repeat("锁", 10*letters)
		c.Kind, c.Titles, c.Sentence, c.Stamp, c.Address = text, []string{text}, text, "x", text
		return c
	}
	for name, make := range map[string]func(letters int) Card{"notes": notes, "keys": keys, "words beside the run": words} {
		cost := func(letters int) uint64 {
			c := make(letters)
			return testtools.Allocated(func() { c.PNG() })
		}
		short, long := cost(30), cost(390)
		t.Logf("%s of 30 letters take %d KB from memory, of 390 letters %d KB", name, short>>10, long>>10)
		if long > 2*short {
			t.Errorf("%s of 390 letters take %d bytes from memory, those of 30 take %d", name, long, short)
		}
	}
}
