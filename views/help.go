package views

// A shortcut is a row of the table of keys.
type shortcut struct {
	labels []string // as a keyboard shows them
	does   string   // the key of its words
	of     string   // a selector that the page must match; empty: any page
}

// keyed returns the selector of the button that a key presses.
func keyed(key string) string { return `[aria-keyshortcuts~="` + key + `"]` }

var shortcuts = []shortcut{
	{[]string{"Space", "→", "PageDown"}, "step", keyed("Space")},
	{[]string{"←", "PageUp"}, "back", keyed("ArrowLeft")},
	{[]string{"Home"}, "first", keyed("Home")},
	{[]string{"End"}, "last", keyed("End")},
	{[]string{"K"}, "play", keyed("K")},
	{[]string{"V"}, "violation", keyed("V")},
	{[]string{"U", "Ctrl+Z"}, "undo", "#undo"},
	{[]string{"A", "B", "C", "1", "2", "3"}, "answer", ":is(#guide, #room-box)"},
	{[]string{"1", "…", "9"}, "client", "#clients"},
	{[]string{"↑", "↓"}, "choose", "#clients"},
	{[]string{"S"}, "spawn", keyed("S")},
	{[]string{"X"}, "crash", "#clients"},
	{[]string{"Z"}, "pause", "#clients"},
	{[]string{"R"}, "restart", "#clients"},
	{[]string{"N"}, "ahead", keyed("N")},
	{[]string{"T"}, "tick", keyed("T")},
	{[]string{"+", "−"}, "zoom", keyed("Plus")},
	{[]string{"0"}, "fit", keyed("0")},
	{[]string{"G"}, "go", keyed("G")},
	{[]string{"/"}, "search", keyed("/")},
	{[]string{"L"}, "list", keyed("L")},
	{[]string{"C"}, "code", keyed("C")},
	{[]string{"F"}, "full", keyed("F")},
	{[]string{"P"}, "projector", keyed("P")},
	{[]string{"J"}, "join", keyed("J")},
	{[]string{"B", "."}, "black", keyed("B")},
	{[]string{"F5"}, "full", ".presenting"},
	{[]string{"Esc"}, "escape", ""},
	{[]string{"?"}, "help", ""},
}

// A sign is an entry of the legend, drawn in the timeline's own classes.
type sign struct {
	name   string
	shapes []shape
}

type shape struct{ class, d string }

// lane and node are the two ends of a message.
var (
	lane = shape{"lane", "M0 12H72"}
	node = shape{"node", "M0 40H72"}
)

var signs = []sign{
	{"flight", []shape{{"lane", "M0 24H72"}, {"flight", "M12 24H64"}, {"sent", "M8 24a4 4 0 1 1 8 0a4 4 0 1 1 -8 0"}}},
	{"request", []shape{lane, node, {"request-arrow", "M30 12L36 35L30.6 28.4L36.4 26.8L36 35"}, {"knot", "M32 40a4 4 0 1 1 8 0a4 4 0 1 1 -8 0"}}},
	{"reply", []shape{lane, node, {"reply-shaft", "M36 36L42 13"}, {"reply-head", "M37.6 18.6L42 13l1.6 7"}, {"knot", "M32 40a4 4 0 1 1 8 0a4 4 0 1 1 -8 0"}}},
	{"lost", []shape{{"lane", "M0 24H72"}, {"flight", "M12 24H40"}, {"sent", "M8 24a4 4 0 1 1 8 0a4 4 0 1 1 -8 0"}, {"lost-cross", "M40 18l12 12m0-12l-12 12"}}},
	{"inside", []shape{{"lane", "M0 24H72"}, {"hold", "M8 16H64V32H8Z"}}},
	{"lease", []shape{{"lane", "M0 16H72"}, {"hold", "M8 8H64V24H8Z"}, {"lease", "M8 30H40V37H8Z"}, {"lease-over", "M40 30H64V37H40Z"}}},
	{"band", []shape{{"band", "M4 14H68V34H4Z"}, {"band-hatch", "M40 34L50 14M48 34L58 14M56 34L66 14"}}},
	{"expiry", []shape{{"band", "M4 14H48V34H4Z"}, {"expiry-mark", "M48 16l6 8l-6 8l-6-8Z"}}},
	{"violation", []shape{{"tint", "M12 0H60V48H12Z"}, {"hold", "M2 16H70V32H2Z"}, {"overlap", "M20 16H52V32H20Z"}, {"overlap-hatch", "M22 32L36 16M34 32L48 16"}}},
	{"cause", []shape{{"cause-arc", "M10 40C14 8 46 4 60 24"}, {"cause-head", "M62 27l-9-5l6-5Z"}}},
	{"crash", []shape{{"lane", "M0 24H36"}, {"lane-dead", "M46 24H72"}, {"crash-disc", "M26 24a10 10 0 1 1 20 0a10 10 0 1 1 -20 0"}, {"crash-cross", "M32 20l8 8m0-8l-8 8"}}},
	{"failover", []shape{{"lane", "M0 24H72"}, {"failover-ring", "M26 24a10 10 0 1 1 20 0a10 10 0 1 1 -20 0"}, {"failover-arrows", "M31 21h9l-3 -3M41 27h-9l3 3"}}},
	{"pause", []shape{{"lane", "M0 24H72"}, {"pause-box", "M12 12H60V36H12Z"}, {"pause-hatch", "M20 12V36M28 12V36M36 12V36M44 12V36M52 12V36"}}},
	{"tick", []shape{{"axis-line", "M0 8H72"}, {"axis-gap", "M32 4H40V12H32Z"}, {"axis-break", "M30 13l4-10m4 10l4-10"}, {"tick-line", "M36 14V48"}}},
}
