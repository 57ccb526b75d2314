package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A Format is a way to write a run down.
type Format struct {
	Name       string // as the command line takes it
	Extension  string // of a file, without its first dot
	MediaType  string
	Title      lang.Text // its name in a menu
	Purpose    lang.Text // what it is for, one sentence
	Attachment bool      // a browser saves the file and never opens it as a page

	// Write writes a run, in one language where the format chooses one. It returns out's error.
	Write func(out io.Writer, t *engine.Trace, in lang.Language) error
}

// A List is the formats of a menu, in its order.
type List []Format

// Formats lists the formats that need nothing but the run.
var Formats = List{Scenario, JSON, NDJSON, Mermaid, ShiViz, RedisCLI, GoTest}

// Names returns the names of the formats, in their order.
func (l List) Names() []string {
	names := make([]string, len(l))
	for i, f := range l {
		names[i] = f.Name
	}
	return names
}

// Named returns the format with a name. It returns an error when the list has no such format.
func (l List) Named(name string) (Format, error) {
	for _, f := range l {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("there is no format %q; expected one of %s", name, strings.Join(l.Names(), ", "))
}

// buffered returns the Write of a format that is the same in each language.
func buffered(write func(out *bufio.Writer, t *engine.Trace)) func(io.Writer, *engine.Trace, lang.Language) error {
	return func(w io.Writer, t *engine.Trace, _ lang.Language) error {
		out := bufio.NewWriter(w)
		write(out, t)
		return out.Flush()
	}
}
