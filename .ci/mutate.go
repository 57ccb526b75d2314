//go:build ignore

// Mutate breaks the program on purpose, one fault at a time, and says which test catches each fault.
//
//	go run .ci/mutate.go [flags] [part of a name…]
//
// It reads .ci/mutations.txt and works on copies of the tracked files, so the tree itself stays as it is. For each mutation it runs
// the named tests in the first circle (see engine/testtools/circle.go). If they pass, it runs them in the second circle, then in the
// third. It prints a Markdown table and, at the end, how many faults each circle catches.
//
// To compile once for many mutations it grafts them: each function that a mutation changes has both bodies, and an environment
// variable says which one runs. Scripts and style sheets are read from the copy's directory. A mutation that cannot be grafted,
// such as one of a constant, is compiled by itself.
//
// The file has more than 400 lines, as a program that `go run` starts without a package is one file.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

var (
	list    = flag.String("list", ".ci/mutations.txt", "the file that lists the mutations")
	find    = flag.Bool("find", false, "where the named tests let a fault pass, run the package's own tests, then those of the packages above it")
	circles = flag.Int("circles", 3, "the last circle whose tests run: 1, 2 or 3")
	write   = flag.String("write", "", "write each result into the list, under this name: before or after")
	jobs    = flag.Int("j", 1, "how many mutations to try at once: 1 or 2")
	dir     = flag.String("dir", "", "where the copies go; the same place each time lets Go reuse what it has compiled")
	timeout = flag.Duration("timeout", 10*time.Minute, "how long one run of tests may take")
	pattern = flag.Bool("regexp", false, "the names on the command line are regular expressions")
	trust   = flag.Bool("trust", false, "believe that every test passes without a mutation, which saves a run of each")
	apart   = flag.Bool("apart", false, "compile each mutation by itself")
	few     = flag.Bool("few", false, "compile only the mutations that are tried")
	without = flag.String("without", "", "a package whose tests do not run, such as ./web/e2e")
	missing = flag.Bool("missing", false, "only mutations that have no result yet under the name that -write gives")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// A mutation is one fault that somebody could make.
type mutation struct {
	name   string
	edits  []edit
	tests  []test
	result map[string]string // "before" and "after", as the list has them
	line   int

	number  int  // by which the environment selects it
	grafted bool // it is compiled into the copies together with others
}

// An edit replaces one text of a file with another. The old text occurs exactly once in the file.
type edit struct{ file, old, new string }

// A test names some tests of a package.
type test struct{ pkg, pattern string }

// A verdict says what became of a mutation.
type verdict struct {
	mutation mutation
	circle   int    // that caught it: 1, 2, 3, or 0
	test     string // the cheapest one that failed
	pkg      string
	seconds  float64
	others   []string // further tests that failed
	trouble  string   // why there is no verdict: the old text is gone, or the mutated program does not compile
}

func run(ctx context.Context) error {
	out, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return fmt.Errorf("asking git for the root of the repository: %w", err)
	}
	root := strings.TrimSpace(string(out))
	path := *list
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	all, err := read(path)
	if err != nil {
		return err
	}
	chosen, err := choose(all, flag.Args())
	if err != nil {
		return err
	}
	*jobs = max(1, min(*jobs, 2, len(chosen)))
	base := *dir
	if base == "" {
		h := fnv.New32a()
		h.Write([]byte(root))
		base = filepath.Join(os.TempDir(), fmt.Sprintf("lockstep-mutate-%08x", h.Sum32()))
	}
	work := make(chan int)
	verdicts := make([]verdict, len(chosen))
	var wait sync.WaitGroup
	var mu sync.Mutex
	var failed error
	bins := &binaries{dir: base + "-bin", made: map[string]func() error{}}
	var copies []*workshop
	for _, dir := range []string{bins.dir, base + "-0", base + "-1"}[:1+*jobs] {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return fmt.Errorf("%w (another run works there, or one was killed: then remove it, or name another place with -dir)", err)
		}
		defer os.RemoveAll(dir)
		if dir == bins.dir {
			continue
		}
		c := &workshop{dir: dir, sound: map[string]bool{}, binaries: bins}
		if err := c.fill(root); err != nil {
			return err
		}
		copies = append(copies, c)
	}
	if !*apart {
		// All of them each time: Go has compiled the same text before.
		if *few {
			all = chosen
		}
		if err := graft(ctx, copies, all); err != nil {
			return err
		}
		if chosen, err = choose(all, flag.Args()); err != nil {
			return err
		}
	}
	for _, c := range copies {
		wait.Go(func() {
			for i := range work {
				v := c.try(ctx, chosen[i])
				if ctx.Err() != nil {
					continue
				}
				mu.Lock()
				verdicts[i] = v
				fmt.Fprintf(os.Stderr, "%s %3d/%d %s: %s\n", time.Now().Format("15:04:05"), i+1, len(chosen), v.mutation.name, v.sentence())
				if *write != "" && v.trouble == "" && (v.circle > 0 || *without == "") {
					failed = cmp.Or(failed, note(path, v))
				}
				mu.Unlock()
			}
		})
	}
	for i := range chosen {
		work <- i
	}
	close(work)
	wait.Wait()
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	table(verdicts)
	return failed
}

// read reads the list. A stanza begins with "== NAME"; then come "file: PATH" with lines that begin with "-" and "+", as often as the
// mutation has edits, "test: PACKAGE PATTERN" for tests that may catch it, the cheapest first, and results.
func read(path string) ([]mutation, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []mutation
	seen := map[string]bool{}
	for i, line := range strings.Split(string(text), "\n") {
		wrong := func(why string) error { return fmt.Errorf("%s:%d: %s: %q", path, i+1, why, line) }
		if name, ok := strings.CutPrefix(line, "== "); ok {
			if seen[name] {
				return nil, wrong("two mutations have one name")
			}
			seen[name] = true
			all = append(all, mutation{name: name, line: i + 1, result: map[string]string{}})
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if len(all) == 0 {
			return nil, wrong("a line before the first mutation")
		}
		m := &all[len(all)-1]
		switch key, value, _ := strings.Cut(line, ": "); {
		case key == "file":
			m.edits = append(m.edits, edit{file: value})
		case line[0] == '-' || line[0] == '+':
			if len(m.edits) == 0 {
				return nil, wrong("an edit without its file")
			}
			e := &m.edits[len(m.edits)-1]
			if line[0] == '-' {
				e.old += line[1:] + "\n"
			} else {
				e.new += line[1:] + "\n"
			}
		case key == "test":
			pkg, pattern, ok := strings.Cut(value, " ")
			if !ok {
				pattern = "."
			}
			m.tests = append(m.tests, test{pkg, pattern})
		case key == "before" || key == "after":
			m.result[key] = value
		default:
			return nil, wrong("no such line")
		}
	}
	for i := range all {
		h := fnv.New32a()
		h.Write([]byte(all[i].name))
		all[i].number = 1 + int(h.Sum32()>>1) // by the name, so that Go need not compile again what a longer list leaves as it was
		for j := range all[i].edits {
			e := &all[i].edits[j]
			e.old, e.new = strings.TrimSuffix(e.old, "\n"), strings.TrimSuffix(e.new, "\n")
			if e.old == "" {
				return nil, fmt.Errorf("%s:%d: an edit replaces nothing", path, all[i].line)
			}
		}
		if len(all[i].edits) == 0 {
			return nil, fmt.Errorf("%s:%d: a mutation changes nothing", path, all[i].line)
		}
	}
	return all, nil
}

// choose returns the mutations whose names or files contain one of the parts.
func choose(all []mutation, parts []string) ([]mutation, error) {
	var chosen []mutation
	for _, m := range all {
		if *missing && m.result[*write] != "" {
			continue
		}
		text := m.name
		for _, e := range m.edits {
			text += "\n" + e.file
		}
		wanted := len(parts) == 0
		for _, part := range parts {
			if !*pattern {
				part = regexp.QuoteMeta(part)
			}
			re, err := regexp.Compile("(?im)" + part)
			if err != nil {
				return nil, err
			}
			wanted = wanted || re.MatchString(text)
		}
		if wanted {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("no mutation has such a name")
	}
	return chosen, nil
}

// A workshop is a copy of the tree, where one mutation at a time is tried.
type workshop struct {
	dir      string
	sound    map[string]bool   // tests that pass without a mutation
	original map[string]string // the texts of files that have grafts
	bundled  string            // the name of the mutation that the bundles have; empty: none
	binaries *binaries
}

// fill copies the tracked files.
func (c *workshop) fill(root string) error {
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		return fmt.Errorf("asking git for the files: %w", err)
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		from, to := filepath.Join(root, name), filepath.Join(c.dir, name)
		info, err := os.Lstat(from)
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, and not committed yet
		}
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if info.Mode()&os.ModeSymlink != 0 {
			target, err := os.Readlink(from)
			if err != nil {
				return err
			}
			if err := os.Symlink(target, to); err != nil {
				return err
			}
			continue
		}
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, text, info.Mode().Perm()); err != nil {
			return err
		}
		// The same time each run: Go remembers the results of tests by the times of the files that they read.
		if err := os.Chtimes(to, info.ModTime(), info.ModTime()); err != nil {
			return err
		}
	}
	modules := filepath.Join(root, ".ci", "node_modules")
	if _, err := os.Stat(modules); err != nil {
		return nil
	}
	if err := os.Symlink(modules, filepath.Join(c.dir, ".ci", "node_modules")); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// try applies a mutation, runs tests until one fails, and takes the mutation back.
func (c *workshop) try(ctx context.Context, m mutation) verdict {
	v := verdict{mutation: m}
	restore, err := c.apply(ctx, m)
	defer restore()
	if err != nil {
		v.trouble = err.Error()
		return v
	}
	steps := m.tests
	if *find {
		steps = append(slices.Clone(steps), candidates(m)...)
	}
	steps = slices.DeleteFunc(slices.Clone(steps), func(t test) bool { return t.pkg == *without })
	for circle := 1; circle <= *circles; circle++ {
		for _, t := range steps {
			failures, err := c.test(ctx, m, t, circle)
			if err != nil {
				v.trouble = err.Error()
				return v
			}
			if len(failures) == 0 {
				continue
			}
			// A test that fails without the mutation, too, catches nothing.
			restore()
			failures = slices.DeleteFunc(failures, func(f failure) bool { return !c.passes(ctx, m, t.pkg, f.top(), circle) })
			if len(failures) > 0 {
				v.circle, v.pkg, v.test, v.seconds = circle, t.pkg, failures[0].test, failures[0].seconds
				for _, f := range failures[1:] {
					v.others = append(v.others, f.test)
				}
				return v
			}
			if restore, err = c.apply(ctx, m); err != nil {
				v.trouble = err.Error()
				return v
			}
		}
	}
	return v
}

// apply edits the files, and returns what puts them back.
func (c *workshop) apply(ctx context.Context, m mutation) (restore func(), err error) {
	type kept struct {
		text []byte
		time time.Time
	}
	before := map[string]kept{}
	restore = func() {
		for path, k := range before {
			if err := os.WriteFile(path, k.text, 0o644); err != nil {
				panic(err) // every verdict after this one would be wrong
			}
			if err := os.Chtimes(path, k.time, k.time); err != nil {
				panic(err)
			}
		}
		clear(before)
	}
	keep := func(path string) ([]byte, error) {
		if _, ok := before[path]; ok {
			return os.ReadFile(path)
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			before[path] = kept{text, info.ModTime()}
		}
		return text, err
	}
	for _, e := range m.edits {
		if m.grafted && !isStatic(e.file) {
			continue
		}
		path := filepath.Join(c.dir, e.file)
		_, again := before[path]
		text, err := keep(path)
		if err != nil {
			return restore, fmt.Errorf("stale: %s is gone", e.file)
		}
		if original, ok := c.original[e.file]; ok && !again {
			text = []byte(original)
		}
		if n := bytes.Count(text, []byte(e.old)); n != 1 {
			return restore, fmt.Errorf("stale: %s has the old text %d times", e.file, n)
		}
		text = bytes.Replace(text, []byte(e.old), []byte(e.new), 1)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return restore, err
		}
		if strings.HasSuffix(e.file, ".templ") {
			if _, err := keep(strings.TrimSuffix(path, ".templ") + "_templ.go"); err != nil {
				return restore, err
			}
			if out, err := c.command(ctx, 1, "go", "tool", "templ", "generate", "-f", e.file).CombinedOutput(); err != nil {
				return restore, fmt.Errorf("templ: %w\n%s", err, out)
			}
		}
	}
	return restore, nil
}

// isStatic reports whether the copies read a file again each time.
func isStatic(file string) bool {
	return strings.HasPrefix(file, "static/") && (strings.HasSuffix(file, ".js") || strings.HasSuffix(file, ".css"))
}

// selector is the environment variable that says which mutation runs, by its number.
const selector = "LOCKSTEP_MUTATION"

// graftFile is the file of a package with grafts that reads the selector.
const graftFile = "zz_mutation.go"

// graft compiles as many mutations as it can into the copies, and says which in their grafted fields.
func graft(ctx context.Context, copies []*workshop, chosen []mutation) error {
	first := copies[0]
	texts := map[string]string{}           // of the files as they are
	mutated := map[string]map[int]string{} // by file and number
	refused := map[int]bool{}              // cannot be grafted
	templ := map[string]string{}           // generated texts as they are, by file
	write := func(file, text string) error {
		return os.WriteFile(filepath.Join(first.dir, file), []byte(text), 0o644)
	}
	for i := range chosen {
		m := &chosen[i]
		own := map[string]string{}
		for _, e := range m.edits {
			if isStatic(e.file) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(first.dir, e.file))
			if err != nil || !strings.HasSuffix(e.file, ".go") && !strings.HasSuffix(e.file, ".templ") {
				refused[m.number] = true
				break
			}
			texts[e.file] = string(text)
			changed, ok := own[e.file]
			if !ok {
				changed = string(text)
			}
			if strings.Count(changed, e.old) != 1 {
				refused[m.number] = true // try says that it is stale
				break
			}
			own[e.file] = strings.Replace(changed, e.old, e.new, 1)
		}
		for file, text := range own {
			if refused[m.number] {
				break
			}
			if plain, ok := strings.CutSuffix(file, ".templ"); ok {
				generated := plain + "_templ.go"
				if _, ok := templ[generated]; !ok {
					was, err := os.ReadFile(filepath.Join(first.dir, generated))
					if err != nil {
						return err
					}
					templ[generated], texts[generated] = string(was), string(was)
				}
				if err := write(file, text); err != nil {
					return err
				}
				out, err := first.command(ctx, 1, "go", "tool", "templ", "generate", "-f", file).CombinedOutput()
				if ctx.Err() != nil {
					return ctx.Err()
				}
				now, failure := os.ReadFile(filepath.Join(first.dir, generated))
				if err := cmp.Or(write(file, texts[file]), write(generated, templ[generated]), failure); err != nil {
					return err
				}
				if err != nil {
					fmt.Fprintf(os.Stderr, "mutate: %s: templ: %v\n%s", m.name, err, out)
					refused[m.number] = true
					break
				}
				file, text = generated, string(now)
			}
			if mutated[file] == nil {
				mutated[file] = map[int]string{}
			}
			mutated[file][m.number] = text
		}
	}
	for range 20 {
		// A mutation has all of its grafts, or none.
		grafted := map[string]string{}
		dirs := map[string]bool{}
		for again := true; again; {
			again = false
			clear(grafted)
			clear(dirs)
			for file, by := range mutated {
				own := map[int]string{}
				for number, text := range by {
					if !refused[number] {
						own[number] = text
					}
				}
				text, cannot := graftInto(texts[file], own)
				for _, number := range cannot {
					refused[number], again = true, true
				}
				if text != texts[file] {
					grafted[file] = text
					dirs[filepath.Dir(file)] = true
				}
			}
		}
		for file, text := range mutatedOrNot(mutated, grafted, texts) {
			if err := write(file, text); err != nil {
				return err
			}
		}
		for file := range mutated { // a package that has lost its grafts keeps the file, which does no harm
			dir := filepath.Dir(file)
			name, err := packageOf(texts[file])
			if err != nil {
				return err
			}
			text := fmt.Sprintf("package %s\n\nimport (\n\t\"os\"\n\t\"strconv\"\n)\n\nvar theMutation = func() int { n, _ := strconv.Atoi(os.Getenv(%q)); return n }()\n\n"+
				"func pickMutation[T any](number int, mutated, original T) T {\n\tif theMutation == number {\n\t\treturn mutated\n\t}\n\treturn original\n}\n", name, selector)
			if err := write(filepath.Join(dir, graftFile), text); err != nil {
				return err
			}
		}
		var packages []string
		for dir := range dirs {
			packages = append(packages, "./"+filepath.ToSlash(dir))
		}
		slices.Sort(packages)
		if len(packages) == 0 {
			break
		}
		out, err := first.command(ctx, 1, "go", append([]string{"build"}, packages...)...).CombinedOutput()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			break
		}
		guilty := blame(string(out), grafted)
		if len(guilty) == 0 {
			return fmt.Errorf("compiling the grafts: %w\n%s", err, out)
		}
		for _, number := range guilty {
			refused[number] = true
		}
	}
	for _, c := range copies {
		c.original = texts
		if err := c.readsStatic(); err != nil {
			return err
		}
		if c == first {
			continue
		}
		for file := range mutated {
			for _, name := range []string{file, filepath.Join(filepath.Dir(file), graftFile)} {
				text, err := os.ReadFile(filepath.Join(first.dir, name))
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(c.dir, name), text, 0o644); err != nil {
					return err
				}
			}
		}
	}
	apart := 0
	for i := range chosen {
		if chosen[i].grafted = !refused[chosen[i].number]; !chosen[i].grafted {
			apart++
		}
	}
	fmt.Fprintf(os.Stderr, "mutate: %d mutations are compiled together, %d apart\n", len(chosen)-apart, apart)
	return nil
}

// mutatedOrNot returns the texts of all files that have mutations.
func mutatedOrNot(mutated map[string]map[int]string, grafted, texts map[string]string) map[string]string {
	all := map[string]string{}
	for file := range mutated {
		text, ok := grafted[file]
		if !ok {
			text = texts[file]
		}
		all[file] = text
	}
	return all
}

func packageOf(text string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	return f.Name.Name, nil
}

// A part is what may differ between a file and its mutation: the body of a function, or the value of a variable.
type part struct {
	from, to int // in the text, braces included
	function *ast.FuncDecl
	variable string
}

// partsOf returns the parts of a file, and the text without them.
func partsOf(text string) (parts []part, rest string, err error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, "", err
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				parts = append(parts, part{at(d.Body.Pos()), at(d.Body.End()), d, ""})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR && len(v.Names) == 1 && len(v.Values) == 1 && v.Names[0].Name != "_" {
					parts = append(parts, part{at(v.Values[0].Pos()), at(v.Values[0].End()), nil, v.Names[0].Name})
				}
			}
		}
	}
	last := 0
	for _, p := range parts {
		rest += text[last:p.from] + "\x00"
		last = p.to
	}
	return parts, rest + text[last:], nil
}

// graftInto returns a file with mutations in it, and the numbers of those that it has no place for.
func graftInto(text string, mutations map[int]string) (string, []int) {
	parts, rest, err := partsOf(text)
	var cannot, numbers []int
	for number := range mutations {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	if err != nil {
		return text, numbers
	}
	before := make([]string, len(parts)) // what stands at the beginning of a function's body, or of a variable's value
	picks := make([]int, len(parts))     // how many calls stand before a value
	for _, number := range numbers {
		mutated := mutations[number]
		others, otherRest, err := partsOf(mutated)
		if err != nil || otherRest != rest || len(others) != len(parts) {
			cannot = append(cannot, number)
			continue
		}
		own := make([]string, len(parts))
		possible := true
		for i, p := range parts {
			was, is := text[p.from:p.to], mutated[others[i].from:others[i].to]
			if was == is {
				continue
			}
			if p.function == nil {
				own[i] = fmt.Sprintf("pickMutation(%d, %s, // mutation %d\n", number, is, number)
				continue
			}
			possible = possible && !recovers(p.function)
			results, end := "", "\nreturn"
			if r := p.function.Type.Results; r != nil {
				results = text[p.from-int(p.function.Body.Pos()-r.Pos()) : p.from-int(p.function.Body.Pos()-r.End())]
				end = ""
			}
			call := "func() " + results + " " + is + "()"
			if end == "" {
				call = "return " + call
			}
			own[i] = fmt.Sprintf("\nif theMutation == %d { %s%s } // mutation %d\n", number, call, end, number)
		}
		if !possible {
			cannot = append(cannot, number)
			continue
		}
		for i := range own {
			if before[i] += own[i]; own[i] != "" {
				picks[i]++
			}
		}
	}
	var b strings.Builder
	last := 0
	for i, p := range parts {
		switch {
		case before[i] == "":
		case p.function != nil:
			b.WriteString(text[last:p.from+1] + before[i])
			last = p.from + 1
		default:
			b.WriteString(text[last:p.from] + before[i] + text[p.from:p.to] + strings.Repeat(")", picks[i]))
			last = p.to
		}
	}
	return b.String() + text[last:], cannot
}

// recovers reports whether a function calls recover itself, which works in no function within it.
func recovers(f *ast.FuncDecl) (does bool) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if _, inner := n.(*ast.FuncLit); inner {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "recover" {
				does = true
			}
		}
		return true
	})
	return does
}

var (
	compileError = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: `)
	mutationMark = regexp.MustCompile(`// mutation (\d+)$`)
)

// blame returns the mutations in which a compiler has found mistakes: the mark of each stands at its end.
func blame(out string, grafted map[string]string) (guilty []int) {
	for _, found := range compileError.FindAllStringSubmatch(out, -1) {
		line, _ := strconv.Atoi(found[2])
		lines := strings.Split(grafted[filepath.Clean(found[1])], "\n")
		for i := max(0, line-1); i < len(lines); i++ {
			if mark := mutationMark.FindStringSubmatch(lines[i]); mark != nil {
				number, _ := strconv.Atoi(mark[1])
				guilty = append(guilty, number)
				break
			}
		}
	}
	return guilty
}

// readsStatic has the server of the copy read scripts and style sheets from its directory.
func (c *workshop) readsStatic() error {
	path := filepath.Join(c.dir, "static", "static.go")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	const embedded = "var files embed.FS"
	if bytes.Count(text, []byte(embedded)) != 1 {
		return fmt.Errorf("static/static.go has no %q: a mutated script would not be served", embedded)
	}
	text = bytes.Replace(text, []byte(embedded), []byte("var embeddedFiles embed.FS"), 1)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	const reads = `package static

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

var files = mutableFS{}

type mutableFS struct{}

func (mutableFS) Open(name string) (fs.File, error) { return embeddedFiles.Open(name) }

func (mutableFS) ReadFile(name string) ([]byte, error) {
	content, err := embeddedFiles.ReadFile(name)
	if dir := os.Getenv("LOCKSTEP_MUTATION_STATIC"); dir != "" && err == nil && (strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".css")) {
		return os.ReadFile(filepath.Join(dir, name))
	}
	return content, err
}
`
	return os.WriteFile(filepath.Join(c.dir, "static", "zz_mutable.go"), []byte(reads), 0o644)
}

// The binaries are the compiled tests of packages, with all grafts.
type binaries struct {
	dir  string
	mu   sync.Mutex
	made map[string]func() error
}

// of returns the path of a package's compiled tests.
func (b *binaries) of(ctx context.Context, c *workshop, pkg string) (string, error) {
	path := filepath.Join(b.dir, strings.NewReplacer("./", "", "/", "-").Replace(pkg)+".test")
	b.mu.Lock()
	if b.made[pkg] == nil {
		b.made[pkg] = sync.OnceValue(func() error {
			if out, err := c.command(ctx, 1, "go", "test", "-c", "-vet=off", "-o", path, pkg).CombinedOutput(); err != nil {
				return fmt.Errorf("compiling the tests of %s: %w: %s", pkg, err, firstLines(string(out)))
			}
			return nil
		})
	}
	make := b.made[pkg]
	b.mu.Unlock()
	return path, make()
}

// passes reports whether a test passes without a mutation.
func (c *workshop) passes(ctx context.Context, m mutation, pkg, name string, circle int) bool {
	if name == "" || *trust {
		return true // the package fails as a whole, or nobody asks
	}
	key := fmt.Sprint(circle, pkg, name)
	if sound, ok := c.sound[key]; ok {
		return sound
	}
	failures, err := c.test(ctx, mutation{grafted: m.grafted}, test{pkg, "^" + name + "$"}, circle)
	c.sound[key] = err == nil && len(failures) == 0
	if !c.sound[key] && ctx.Err() == nil {
		fmt.Fprintf(os.Stderr, "mutate: %s %s fails without any mutation\n", pkg, name)
	}
	return c.sound[key]
}

// A failure is a test that failed.
type failure struct {
	test    string
	seconds float64
}

// top returns the function's name, without subtests.
func (f failure) top() string {
	name, _, _ := strings.Cut(f.test, "/")
	if name == wholePackage || strings.HasPrefix(name, "TestScripts ") {
		return "" // nobody runs it once more
	}
	return name
}

const wholePackage = "(the package)"

// test runs tests in a circle, and returns those that failed, the quickest first.
func (c *workshop) test(ctx context.Context, m mutation, t test, circle int) ([]failure, error) {
	if strings.HasSuffix(t.pkg, ".test.js") {
		return c.script(ctx, t.pkg, circle)
	}
	if err := c.bundle(ctx, m); err != nil {
		return nil, err
	}
	pattern := t.pattern
	command := c.command(ctx, circle, "go", "test", "-v", "-vet=off", "-timeout", timeout.String(), "-run", pattern, t.pkg)
	if m.grafted {
		binary, err := c.binaries.of(ctx, c, t.pkg)
		if err != nil {
			return nil, err
		}
		command = c.command(ctx, circle, binary, "-test.v", "-test.timeout", timeout.String(), "-test.run", pattern)
		command.Dir = filepath.Join(c.dir, t.pkg)
		command.Env = append(command.Env, "PWD="+command.Dir, fmt.Sprint(selector, "=", m.number))
	}
	if pattern == "." { // the first failure is enough, where a whole package is searched
		prefix := map[bool]string{true: "-test.failfast", false: "-failfast"}[m.grafted]
		command.Args = slices.Insert(command.Args, len(command.Args)-map[bool]int{true: 0, false: 1}[m.grafted], prefix)
	}
	out, err := command.CombinedOutput()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		return nil, nil
	}
	if text := string(out); !m.grafted && (strings.Contains(text, "[build failed]") || strings.Contains(text, "[setup failed]")) {
		return nil, fmt.Errorf("it does not compile: %s", firstLines(text))
	}
	return failuresIn(string(out)), nil
}

// bundle makes the bundles that a server serves of the scripts and style sheets as they are, with or without the mutation.
func (c *workshop) bundle(ctx context.Context, m mutation) error {
	want := ""
	if slices.ContainsFunc(m.edits, func(e edit) bool { return isStatic(e.file) }) {
		want = m.name
	}
	if c.bundled == want {
		return nil
	}
	if out, err := c.command(ctx, 1, "go", "generate", "./static").CombinedOutput(); err != nil {
		return fmt.Errorf("bundling: %w: %s", err, firstLines(string(out)))
	}
	c.bundled = want
	return nil
}

// script runs tests of scripts alone, of all those that TestScripts runs in one process.
func (c *workshop) script(ctx context.Context, pattern string, circle int) ([]failure, error) {
	text, err := os.ReadFile(filepath.Join(c.dir, "static", "js_test.go"))
	if err != nil {
		return nil, err
	}
	_, body, ok := strings.Cut(string(text), "func TestScripts(")
	if !ok {
		return nil, errors.New("static/js_test.go has no TestScripts: who runs the tests of the scripts now?")
	}
	body, _, _ = strings.Cut(body, "\n}\n")
	if strings.Contains(body, "testtools.Exhaustive(") && circle < 3 || strings.Contains(body, "testtools.Long(") && circle < 2 {
		return nil, nil
	}
	files, err := filepath.Glob(filepath.Join(c.dir, pattern))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("stale: there is no %s", pattern)
	}
	var failures []failure
	for _, file := range files {
		command := c.command(ctx, circle, "node", "--input-type=module", "--eval", "await import(process.argv[1])", "--", file)
		command.Dir = filepath.Join(c.dir, "static")
		began := time.Now()
		_, err := command.CombinedOutput()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
			return nil, err
		}
		if err != nil {
			name, _ := filepath.Rel(c.dir, file)
			failures = append(failures, failure{"TestScripts " + filepath.ToSlash(name), time.Since(began).Seconds()})
			break // one is enough
		}
	}
	return failures, nil
}

var (
	failed  = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+) \((\d+\.\d+)s\)`)
	running = regexp.MustCompile(`(?m)^=== (?:RUN|NAME|CONT) +(\S+)$`)
)

// failuresIn reads the failures in the output of tests. Where a test ends them all, the one that ran last has failed.
func failuresIn(out string) []failure {
	var failures []failure
	whole := map[string]float64{}
	for _, found := range failed.FindAllStringSubmatch(out, -1) {
		seconds, _ := strconv.ParseFloat(found[2], 64)
		f := failure{found[1], seconds}
		failures = append(failures, f)
		if !strings.Contains(f.test, "/") {
			whole[f.test] = seconds
		}
	}
	if len(failures) == 0 {
		name := wholePackage
		if last := running.FindAllStringSubmatch(out, -1); len(last) > 0 {
			name = last[len(last)-1][1]
		}
		return []failure{{test: name}}
	}
	// The whole test stands for its parts.
	failures = slices.DeleteFunc(failures, func(f failure) bool {
		_, ok := whole[f.top()]
		return ok && strings.Contains(f.test, "/")
	})
	slices.SortStableFunc(failures, func(a, b failure) int { return cmp.Compare(a.seconds, b.seconds) })
	return failures
}

// command prepares a command in the copy, in a circle. A group of its own lets an interrupt end everything that it has started.
func (c *workshop) command(ctx context.Context, circle int, name string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = c.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, selector) && !strings.HasPrefix(v, "CI=") && !strings.HasPrefix(v, "LOCKSTEP_TESTS=") && !strings.HasPrefix(v, "PWD=") {
			command.Env = append(command.Env, v)
		}
	}
	command.Env = append(command.Env, "PWD="+c.dir, "LOCKSTEP_MUTATION_STATIC="+filepath.Join(c.dir, "static"))
	if circle >= 2 {
		command.Env = append(command.Env, "CI=true")
	}
	if circle >= 3 {
		command.Env = append(command.Env, "LOCKSTEP_TESTS=all")
	}
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }
	command.WaitDelay = 5 * time.Second
	return command
}

// candidates returns the packages whose tests may see a fault of a mutation's files, the package's own and the quick ones first.
func candidates(m mutation) []test {
	var some []test
	add := func(packages ...string) {
		for _, p := range packages {
			if !slices.ContainsFunc(some, func(t test) bool { return t.pkg == p }) {
				some = append(some, test{p, "."})
			}
		}
	}
	for _, e := range m.edits {
		own := "./" + filepath.ToSlash(filepath.Dir(e.file))
		top, _, _ := strings.Cut(e.file, "/")
		switch top {
		case "engine":
			if matches, _ := filepath.Glob(filepath.Join(filepath.Dir(e.file), "*.go")); len(matches) > 0 {
				add(own)
			}
			add("./engine", "./engine/check", "./engine/export", "./engine/monitor", "./engine/cli", "./engine/course", "./web/present", "./web/search", "./web")
		case "static":
			add("./static", "./web/picture", "./web")
		case "views":
			add("./views", "./views/room", "./web/present", "./web")
		case "web":
			add(own, "./web/present", "./web")
		default:
			add("./web")
		}
	}
	return some
}

// sentence says what caught a mutation.
func (v verdict) sentence() string {
	switch {
	case v.trouble != "":
		return v.trouble
	case v.circle == 0:
		return "nothing"
	}
	s := fmt.Sprintf("circle %d, %s %s, %.2f s", v.circle, v.pkg, v.test, v.seconds)
	if len(v.others) > 0 {
		s += fmt.Sprintf(" (and %d more)", len(v.others))
	}
	return s
}

// note writes a verdict into the list.
func note(path string, v verdict) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	at := slices.Index(lines, "== "+v.mutation.name)
	if at < 0 {
		return fmt.Errorf("%s has no mutation %q any more", path, v.mutation.name)
	}
	end := at + 1
	for end < len(lines) && lines[end] != "" && !strings.HasPrefix(lines[end], "== ") {
		if strings.HasPrefix(lines[end], *write+": ") {
			lines = slices.Delete(lines, end, end+1)
			continue
		}
		end++
	}
	lines = slices.Insert(lines, end, *write+": "+v.sentence())
	return os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644)
}

// table prints the verdicts, and how many each circle has.
func table(verdicts []verdict) {
	before := slices.ContainsFunc(verdicts, func(v verdict) bool { return *write != "before" && v.mutation.result["before"] != "" })
	fmt.Print("| mutation | file |")
	if before {
		fmt.Print(" before |")
	}
	fmt.Print(" circle | cheapest test | seconds |\n|---|---|")
	if before {
		fmt.Print("---|")
	}
	fmt.Println("---|---|---|")
	var count [4]int
	troubles := 0
	for _, v := range verdicts {
		var files []string
		for _, e := range v.mutation.edits {
			if !slices.Contains(files, e.file) {
				files = append(files, e.file)
			}
		}
		fmt.Printf("| %s | %s |", v.mutation.name, strings.Join(files, ", "))
		if before {
			fmt.Printf(" %s |", v.mutation.result["before"])
		}
		switch {
		case v.trouble != "":
			troubles++
			fmt.Printf(" – | %s | – |\n", strings.ReplaceAll(v.trouble, "\n", " "))
		case v.circle == 0:
			count[0]++
			fmt.Println(" – | nothing | – |")
		default:
			count[v.circle]++
			fmt.Printf(" %s | `%s` %s | %.2f |\n", [...]string{"", "1", "2", "only --all"}[v.circle], v.pkg, v.test, v.seconds)
		}
	}
	fmt.Printf("\n%d mutations: %d caught in circle 1, %d in circle 2, %d only with --all, %d not caught, %d stale or broken.\n",
		len(verdicts), count[1], count[2], count[3], count[0], troubles)
}

// firstLines returns the beginning of a long text.
func firstLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[:min(len(lines), 4)], "; ")
}
