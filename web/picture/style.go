package picture

import (
	"image/color"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"lockstep/static"
)

// A sheet holds the rules of static/css/timeline.css, as far as a still picture needs them. It knows classes, the
// element text, children, descendants and :is(); a rule with anything else is about the pointer or the page.
type sheet []rule

type rule struct {
	selector []compound // from the outermost element to the one that the rule is about
	weight   int        // the rule of most weight wins, and the last of equals
	says     map[string]string
}

// A compound describes one element.
type compound struct {
	tag     string
	classes []string
	child   bool // of the element before it, not only below it
}

// An element of the picture, as a rule sees it.
type element struct {
	tag     string
	classes map[string]bool
}

var (
	comment    = regexp.MustCompile(`(?s)/\*.*?\*/`)
	block      = regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	choice     = regexp.MustCompile(`:is\(([^()]*)\)`)
	understood = regexp.MustCompile(`^\.timeline\b[ a-z0-9.>-]*$`)
)

// timeline is the style sheet of the timeline.
var timeline = sync.OnceValue(func() (rules sheet) {
	text, _, _ := strings.Cut(comment.ReplaceAllString(static.Text("css/timeline.css"), ""), "@media")
	_, text, _ = strings.Cut(text, "{") // of the layer
	for _, b := range block.FindAllStringSubmatch(text, -1) {
		says := map[string]string{}
		for line := range strings.SplitSeq(b[2], ";") {
			if name, value, ok := strings.Cut(line, ":"); ok {
				says[strings.TrimSpace(name)] = strings.TrimSpace(value)
			}
		}
		for _, selector := range alternatives(b[1]) {
			if understood.MatchString(selector) {
				r := rule{selector: compounds(selector), says: says}
				for _, c := range r.selector {
					r.weight += 10*len(c.classes) + len(c.tag)/4 // text is the one tag
				}
				rules = append(rules, r)
			}
		}
	}
	return rules
})

// alternatives returns the selectors of a list, without :is().
func alternatives(list string) (all []string) {
	if at := choice.FindStringSubmatchIndex(list); at != nil {
		// A list that :is() is part of is split at its own commas first.
		start, end := strings.LastIndex(list[:at[0]], ",")+1, len(list)
		if i := strings.Index(list[at[1]:], ","); i >= 0 {
			end = at[1] + i
		}
		for one := range strings.SplitSeq(list[at[2]:at[3]], ",") {
			all = append(all, alternatives(list[start:at[0]]+strings.TrimSpace(one)+list[at[1]:end])...)
		}
		return append(append(all, alternatives(list[:start])...), alternatives(strings.TrimPrefix(list[end:], ","))...)
	}
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.Join(strings.Fields(one), " "); one != "" {
			all = append(all, one)
		}
	}
	return all
}

func compounds(selector string) (all []compound) {
	child := false
	for word := range strings.FieldsSeq(selector) {
		if word == ">" {
			child = true
			continue
		}
		parts := strings.Split(word, ".")
		all = append(all, compound{tag: parts[0], classes: parts[1:], child: child})
		child = false
	}
	return all
}

// matches reports whether a rule is about the last of some elements, each within the one before it.
func (r rule) matches(path []element) bool {
	return below(r.selector, path)
}

func below(selector []compound, path []element) bool {
	last, inner := selector[len(selector)-1], path[len(path)-1]
	if !last.is(inner) {
		return false
	}
	selector, path = selector[:len(selector)-1], path[:len(path)-1]
	if len(selector) == 0 {
		return true
	}
	for i := len(path); i > 0; i-- {
		if below(selector, path[:i]) {
			return true
		}
		if last.child {
			return false
		}
	}
	return false
}

func (c compound) is(e element) bool {
	for _, class := range c.classes {
		if !e.classes[class] {
			return false
		}
	}
	return c.tag == "" || c.tag == e.tag
}

// A look is how a shape is drawn.
type look struct {
	fill, stroke color.Color // nil: none
	width        float64
	dash         []float64
	round        bool // caps and joins
	haloed       bool // a text's stroke is under its fill
	opacity      float64
	size         float64 // of a text
	bold, mono   bool
	hidden       bool
}

// of returns the look of the last of some elements.
func (s sheet) of(path []element, in theme) look {
	l := look{width: 1, opacity: 1}
	for i := range path {
		says, weights := map[string]string{}, map[string]int{}
		for _, r := range s {
			if !r.matches(path[:i+1]) {
				continue
			}
			for name, value := range r.says {
				if r.weight >= weights[name] {
					says[name], weights[name] = value, r.weight
				}
			}
		}
		l.take(says, in)
	}
	return l
}

// dressed returns the looks of a group's shapes. As in a browser (static/js/timeline/draw.js), one shape is the group.
func (s sheet) dressed(g group, in theme) []look {
	root := element{classes: set("timeline")}
	own := "mark " + g.Class
	if g.Blamed > 0 {
		own += " guilty"
	}
	looks := make([]look, len(g.Shapes))
	for i, shape := range g.Shapes {
		path := []element{root, {"g", set(own)}, {shape.Kind, set(shape.Class)}}
		if len(g.Shapes) == 1 {
			path = []element{root, {shape.Kind, set(own + " " + shape.Class)}}
		}
		looks[i] = s.of(path, in)
		looks[i].size = shape.Size
	}
	return looks
}

func set(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

func (l *look) take(says map[string]string, in theme) {
	for name, value := range says {
		switch name {
		case "fill":
			l.fill = in.color(value)
		case "stroke":
			l.stroke = in.color(value)
		case "stroke-width":
			l.width = number(value)
		case "stroke-dasharray":
			l.dash = nil
			for part := range strings.FieldsSeq(value) {
				l.dash = append(l.dash, number(part))
			}
		case "stroke-linecap", "stroke-linejoin":
			l.round = l.round || value == "round"
		case "paint-order":
			l.haloed = true
		case "opacity":
			l.opacity *= number(value)
		case "font-weight":
			l.bold = number(value) >= 600
		case "font-family":
			l.mono = strings.Contains(value, "mono")
		case "display":
			l.hidden = value == "none"
		}
	}
}

func number(text string) float64 {
	n, err := strconv.ParseFloat(strings.TrimSuffix(text, "px"), 64)
	if err != nil {
		return 0
	}
	return n
}
