package program

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

// Equivalents are the functions of a program in a language that its readers write: equivalents/NAME.EXTENSION. A line that
// begins with "= " quotes a line of the program, without its comment; the lines below it do the same, up to the next such
// line. The quotes have the program's order. Lines before the first quote belong to none.
//
//go:embed equivalents
var equivalents embed.FS

// A Tongue is a language in which some programs are shown, too.
type Tongue struct {
	Name     string // addresses contain it
	Title    string
	Language string // of the highlighter
	Library  string // whose client its texts call

	file string // how the names of its files end
}

// Tongues lists the languages of the equivalents.
var Tongues = []Tongue{
	{"go", "Go", "go", "go-redis", ".go.txt"},
	{"java", "Java", "java", "Jedis", ".java"},
	{"python", "Python", "python", "redis-py", ".py"},
}

// An Equivalent is a text that does the same as a program.
type Equivalent struct {
	Tongue
	Source string
	Of     []int // for each line of the source the program's line, counted from 1; 0: none
}

// equivalent is the key of an Equivalent.
type equivalent struct{ program, tongue string }

var allEquivalents = sync.OnceValue(func() map[equivalent]Equivalent {
	all := map[equivalent]Equivalent{}
	for _, name := range names {
		for _, tongue := range Tongues {
			if text, err := equivalents.ReadFile("equivalents/" + name + tongue.file); err == nil {
				p, _ := Builtin(name)
				all[equivalent{name, tongue.Name}], _ = parallel(p.Source, string(text), tongue)
			}
		}
	}
	return all
})

// InTongue returns the equivalent of a built-in program in a language, and reports whether there is one.
func InTongue(program, tongue string) (Equivalent, bool) {
	e, ok := allEquivalents()[equivalent{program, tongue}]
	return e, ok
}

// HasEquivalents reports whether a program is shown in other languages, too: then it is in all of them.
func HasEquivalents(program string) bool {
	_, ok := InTongue(program, Tongues[0].Name)
	return ok
}

// parallel takes an equivalent apart. It returns the quotes that it does not find in the program, which the tests refuse.
func parallel(program, text string, tongue Tongue) (Equivalent, []string) {
	e := Equivalent{Tongue: tongue}
	var source strings.Builder
	var missing []string
	lines := strings.Split(program, "\n")
	of := 0 // the line that the equivalent has got to
	for line := range strings.Lines(text) {
		quote, quotes := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "= ")
		if !quotes {
			source.WriteString(line)
			if line == "\n" || line == "}\n" { // the function has ended
				e.Of = append(e.Of, 0)
			} else {
				e.Of = append(e.Of, of)
			}
			continue
		}
		found := slices.IndexFunc(lines[of:], func(own string) bool {
			own, _, _ = strings.Cut(own, "  #")
			return strings.TrimSpace(own) == quote
		})
		if found < 0 {
			missing = append(missing, quote)
			continue
		}
		of += found + 1
	}
	e.Source = source.String()
	return e, missing
}
