//go:build ignore

// Command shorten writes what templ has written in a quarter of its lines; go generate runs it after templ.
//
// Templ checks for an error after each write, and opens each component with twenty lines. Package render does both in one
// place, and says why nothing is lost. A component is a short function that returns a long closure: the compiler would
// inline the function, and compile the closure once more for each caller.
package main

import (
	"bytes"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"regexp"
)

// A rule replaces each match of a pattern, in which ¶ is a line's end with the indentation of the next line.
type rule struct {
	pattern *regexp.Regexp
	text    string
}

func replace(pattern, text string) rule {
	return rule{regexp.MustCompile(`(?m)` + string(bytes.ReplaceAll([]byte(pattern), []byte("¶"), []byte(`\n\s*`)))), text}
}

const (
	check   = `¶if templ_Err != nil \{¶return (?:templ_Err|templ\.Error\{[^}]*\})¶\}`
	release = `¶if !templ_IsBuffer \{¶defer func\(\) \{¶templ_BufErr := templruntime\.ReleaseBuffer\(templ_Buffer\)¶if templ_Err == nil \{¶templ_Err = templ_BufErr¶\}¶\}\(\)¶\}`
	opening = `templruntime\.GeneratedTemplate\(func\(templ_Input templruntime\.GeneratedComponentInput\) \(templ_Err error\) \{¶templ_W, ctx := templ_Input\.Writer, templ_Input\.Context`
	buffer  = `¶templ_Buffer, templ_IsBuffer := templruntime\.GetBuffer\(templ_W\)` + release + `¶ctx = templ\.InitializeContext\(ctx\)`
)

// rules stand in their order.
var rules = []rule{
	replace(`templ_7745c5c3_`, `templ_`),
	replace(opening+`¶if templ_CtxErr := ctx\.Err\(\); templ_CtxErr != nil \{¶return templ_CtxErr¶\}`+buffer+`¶(templ_Var\d+) := templ\.GetChildren\(ctx\)¶if templ_Var\d+ == nil \{¶templ_Var\d+ = templ\.NopComponent¶\}¶ctx = templ\.ClearChildren\(ctx\)`,
		`render.Component(func(ctx context.Context, templ_w *render.Writer, $1 templ.Component) {`),
	replace(opening+buffer, `render.Children(func(ctx context.Context, templ_w *render.Writer) {`),
	replace(`templ_Err = templruntime\.WriteString\(templ_Buffer, \d+, (".*")\)`+check, `templ_w.WriteString($1)`),
	replace(`var templ_Var\d+ string¶templ_Var\d+, templ_Err = templ\.JoinStringErrs\(((?s:.*?))\)`+check+`¶_, templ_Err = templ_Buffer\.WriteString\(templ\.EscapeString\(templ_Var\d+\)\)`+check, `templ_w.WriteString(render.Text($1))`),
	replace(`var templ_Var\d+ templ\.SafeURL¶templ_Var\d+, templ_Err = templ\.JoinURLErrs\(((?s:.*?))\)`+check+`¶_, templ_Err = templ_Buffer\.WriteString\(templ\.EscapeString\(templ_Var\d+\)\)`+check, `templ_w.WriteString(render.URL($1))`),
	replace(`var templ_Var\d+ string¶templ_Var\d+, templ_Err = templ\.ResolveAttributeValue\(((?s:.*?))\)`+check+`¶_, templ_Err = templ_Buffer\.WriteString\(templ_Var\d+\)`+check, `templ_w.WriteString(render.Attribute($1))`),
	// The site's policy allows no style in a page, so a class has none to write.
	replace(`¶templ_Err = templ\.RenderCSSItems\(ctx, templ_Buffer, templ_Var\d+\.\.\.\)`+check, ``),
	replace(`templ_Err = templ\.RenderAttributes\(ctx, templ_Buffer, ((?s:.*?))\)`+check, `templ_w.Attributes(ctx, $1)`),
	replace(`templ_Err = ((?s:.*?))\.Render\((ctx|templ\.WithChildren\(ctx, templ_Var\d+\)), templ_Buffer\)`+check, `templ_w.Render($2, $1)`),
	replace(`¶return nil¶\}\)`, "\n})"),
	replace(`^import "github\.com/a-h/templ"\nimport templruntime "github\.com/a-h/templ/runtime"$`, "import (\n\"context\"\n\n\"github.com/a-h/templ\"\n\n\"lockstep/views/render\"\n)"),
	replace(`¶var _ = templruntime\.GeneratedTemplate`, ``),
	replace(`^//lint:file-ignore SA4006.*\n\n`, ``),
	replace(`^func .*\) templ\.Component \{$`, "//go:noinline\n$0"),
}

func main() {
	log.SetFlags(0)
	var names []string
	for _, pattern := range []string{"*_templ.go", "*/*_templ.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			log.Fatalf("looking for templ's files: %v, %v", found, err)
		}
		names = append(names, found...)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		if bytes.Contains(text, []byte("//go:noinline")) {
			continue // it is short already
		}
		for _, r := range rules {
			text = r.pattern.ReplaceAll(text, []byte(r.text))
		}
		if text, err = format.Source(text); err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		if left := regexp.MustCompile(`.*(templruntime|templ_Err|templ_Buffer).*`).Find(text); left != nil {
			log.Fatalf("%s: templ writes what shorten does not know: %s", name, left)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
