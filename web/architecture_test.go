package web

import (
	"go/build"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/testtools"
)

// importRules say who imports whom, and why nobody else. A rule names some packages and what they may import besides the
// standard library.
var importRules = []struct {
	from    string // a pattern of import paths
	may     string // a pattern of import paths
	because string
}{
	{`lockstep/views/render`, `github\.com/a-h/templ(/.*)?`, "it writes components for templates, whatever they show"},
	{`lockstep/views`, `github\.com/a-h/templ(/.*)?|lockstep/(engine/lang|views/render)`, "a page is made of plain view models, so that it can be read without knowing the engine; its sentences are in the same two languages"},
	{`lockstep/views/(course|explore)`, `github\.com/a-h/templ(/.*)?|lockstep/(engine/lang|views(/render)?)`, "lessons and answers of the explorer are shown by other pages, and show none of them"},
	{`lockstep/views/run`, `github\.com/a-h/templ(/.*)?|lockstep/(engine/lang|views(/(render|course|explore))?)`, "a run shows its task and what the explorer answers; its room comes as a component, so that a change of a room's page compiles no run's"},
	{`lockstep/views/room`, `github\.com/a-h/templ(/.*)?|lockstep/(engine/lang|views(/(render|course|run))?)`, "a phone and the projector show their run, and questions of a lesson"},
	{`lockstep/views/site`, `github\.com/a-h/templ(/.*)?|lockstep/(engine/lang|views(/(render|course))?)`, "the home page lists courses; of a run it shows what every page has"},
	{`lockstep/static(/sources)?`, `-`, "files are files: go generate has joined and shortened them, so that a server has no bundler in it"},
	{`lockstep/engine/lang`, `-`, "every package writes its sentences with it"},
	{`lockstep/engine/redis`, `github\.com/alicebob/miniredis/.*|lockstep/engine/lang`, "it is the one door to Redis, and knows no client and no run"},
	{`lockstep/engine/program`, `go\.starlark\.net/syntax|lockstep/engine/(redis|lang)`, "a program is a pure function of what its client has observed"},
	{`lockstep/engine`, `lockstep/engine/(redis|program|lang)`, "the world is worked out from its actions and nothing else: no HTTP, no files but a scenario's"},
	{`lockstep/engine/ask`, `lockstep/engine(/(redis|program|lang))?`, "a question about a world looks at it, at copies, and at runs of its own: it changes nothing, and knows no property and no search"},
	{`lockstep/engine/check`, `lockstep/engine(/(redis|program|lang))?`, "a property looks at a world and changes nothing"},
	{`lockstep/engine/tell`, `lockstep/engine(/(redis|lang))?`, "a story is made of what happened: nobody has to answer a question for it"},
	{`lockstep/engine/export`, `lockstep/engine(/(redis|program|lang))?`, "an export is made of what happened; nobody has to answer a question or fetch a file for it"},
	{`lockstep/engine/monitor/detect`, `-`, "what commands prove about locks follows from the commands alone"},
	{`lockstep/engine/monitor`, `lockstep/engine(/(redis|check|lang|monitor/detect))?`, "a log becomes a scenario by itself: it knows no file, no connection and no clock"},
	{`lockstep/engine/course`, `lockstep/engine(/(redis|program|check|explore|lang))?|github\.com/yuin/goldmark(/.*)?|go\.yaml\.in/yaml/v3`, "a course is files, read and proved by the engine; how it is shown is the site's business"},
	{`lockstep/engine/scorm`, `lockstep/engine(/(course|lang))?`, "a package for a platform is made of a course and an address: who serves the lessons is the site's business"},
	{`lockstep/engine/learn`, `lockstep/engine(/(redis|program|check|explore|lang))?`, "a real program is learned through an interface: who starts processes and reads sockets is the web layer's business"},
	{`lockstep/engine/cli`, `lockstep/engine(/(redis|program|check|course|explore|export|monitor|lang|learn|scorm))?`, "a command reads its flags and asks the engine; main hands it the machine and the list of formats"},
	{`lockstep/web/highlight`, `github\.com/alecthomas/chroma/v2(/lexers)?`, "it knows text and nothing of the site"},
	{`lockstep/web/limit`, `golang\.org/x/time/rate|lockstep/engine/lang`, "a limit depends only on how much each visitor has had: it knows neither HTTP nor a run"},
	{`lockstep/web/store`, `lockstep/(engine/lang|web/recovery)`, "an entry is some bytes, and only its writer knows their meaning; what keeps them needs no machine here"},
	{`lockstep/web/store/sqlite`, `modernc\.org/sqlite(/lib)?|lockstep/web/store`, "a driver is all that knows its library"},
	{`lockstep/web/store/redis`, `github\.com/gomodule/redigo/redis|lockstep/web/store`, "a driver is all that knows its library"},
	{`lockstep/web/store/storetest`, `lockstep/web/store`, "what drivers promise is said without any of them"},
	{`lockstep/web/real/record`, `lockstep/(engine(/(lang|monitor|redis))?|web/recovery)`, "it copies bytes between clients and a Redis of theirs: no page and no run is part of that"},
	{`lockstep/web/recovery`, ``, "every goroutine survives a panic in the same way"},
	{`lockstep/web/real/clock`, `golang\.org/x/(sys/unix|net/bpf)`, "it gives any program a clock: what the program is for, and who moves the clock, it does not know"},
	{`lockstep/web/real/process`, `lockstep/(engine/(learn|redis|lang)|web/(real/clock|recovery))`, "it holds what a real program sends until it is told the reply: what a command does, and which comes next, it does not know"},
	{`lockstep/web/room`, `golang\.org/x/text/unicode/norm|go\.mau\.fi/util/confusable|lockstep/engine/lang`, "a room is worked out from its entries and nothing else, as a run is from its actions, so that every server has the same one"},
	{`lockstep/web/refusal`, `lockstep/(views|engine/lang)`, "one type says why a request changed nothing: an error carries its code from where it arises, so that no package is known here"},
	{`lockstep/web/shelf`, `lockstep/engine/(course|lang)|lockstep/web/recovery`, "it reads files and knows courses: which pages show them is the server's business"},
	{`lockstep/web/metrics`, `-`, "it counts and writes numbers: what they are of is the server's business"},
	{`lockstep/engine/testtools`, ``, "tests need programs beside Go; nothing that a server runs does"},
	{`lockstep/web/picture`, `lockstep/(static|views)|git\.sr\.ht/~sbinet/gg|github\.com/dop251/goja|golang\.org/x/image/.*`, "a picture is a pure function of its card: how a run is laid out and coloured is the browser's own scripts' and style sheet's business"},
	{`lockstep/web/shell`, `lockstep/engine/(cli|lang)|github\.com/(alecthomas/kong|mattn/go-isatty)|golang\.org/x/(sys/unix|text/width)`, "it reads a command line and speaks about it: what a command does, and which there are, main knows"},
	{`lockstep/web/present`, `lockstep/(views(/.*)?|engine(/(ask|lang|redis|program|check|explore|course|tell))?|web/(highlight|picture|refusal|room|search))|github\.com/a-h/templ|rsc\.io/qr`, "a page is a pure function of the engine and the room: it knows neither what keeps them nor who asks"},
	{`lockstep/web/search`, `lockstep/(engine(/(check|course|explore|lang))?|web/limit)`, "a search is shared by who waits for it and ended by a clock: what it says is told elsewhere"},
	{`lockstep/web/hub`, `lockstep/web/(limit|store)`, "what stays in memory follows from who uses it and how large it is: it knows no run and no room"},
	{`lockstep/web/live`, `lockstep/(views(/.*)?|engine(/(ask|lang|program|check|explore|course))?|web/(hub|limit|picture|present|refusal|search|store))`, "a run is kept for those who watch: how a request or a socket reaches it is the server's business, and who may act on it is its room's"},
	{`lockstep/web/class`, `lockstep/(views(/.*)?|engine(/(ask|lang|check|course))?|web/(hub|limit|live|present|refusal|room|store))`, "a room is kept for those who are in it: how a request or a socket reaches it is the server's business"},
	{`lockstep/web/serve`, `lockstep/(engine(/lang)?|web(/(class|door|limit|live|room|shelf|store))?)`, "it brings the site to a machine: what the site shows is none of its business"},
	{`lockstep/web/real/attach`, `lockstep/(engine(/(check|cli|explore|lang|learn|program|redis))?|web(/(live|real/process|refusal|serve))?)`, "it joins a site with what runs programs, on clocks that the flags of the command test name: the site does not know them, and they do not know the site"},
	{`lockstep/web/door`, `lockstep/(views(/.*)?|static|engine(/(lang|course))?|web/(class|limit|live|picture|present|refusal|room|shelf|store|recovery|metrics))|github\.com/(go-chi|gorilla|a-h)/.*|golang\.org/x/sys/unix`, "who asks and how much is decided before any page: the door knows none"},
	{`lockstep/web/(run|room|course|explore)pages`, `lockstep/(views(/.*)?|static|engine(/.*)?|web/(class|door|limit|live|picture|present|refusal|room|search|store|(run|course)pages))|github\.com/(go-chi|a-h)/.*`, "a group of pages knows what it shows: not the server that it is part of, and no group but those whose runs or handouts it shows"},
	{`lockstep/web`, `lockstep/(views(/.*)?|static|engine(/.*)?|web(/.*)?)|github\.com/(go-chi|gorilla|a-h)/.*`, "it translates between HTTP and the engine; what a lock is, is the engine's business"},
}

// onlyImporters name the package that wraps a library: no other imports it, so the library can be exchanged in one place.
var onlyImporters = []struct {
	library, importer string // patterns
	because           string
}{
	{`github\.com/alicebob/miniredis/.*`, `lockstep/engine/redis`, "only that door may move Redis' clock"},
	{`go\.starlark\.net/.*`, `lockstep/engine/program`, "plain Starlark does not bound what a stranger's program costs"},
	{`github\.com/(go-chi|gorilla)/.*`, `lockstep/web(/.*)?`, "HTTP and websockets live there"},
	{`github\.com/alecthomas/chroma/.*`, `lockstep/web/highlight`, "which word has which colour is decided in one place"},
	{`github\.com/yuin/goldmark.*|go\.yaml\.in/.*`, `lockstep/engine/course`, "only lessons are written in Markdown and YAML"},
	{`github\.com/evanw/esbuild/.*`, `-`, "only static/bundler bundles, and a tag keeps it out of every other build"},
	{`git\.sr\.ht/~sbinet/gg|github\.com/dop251/goja|golang\.org/x/image/.*`, `lockstep/web/picture`, "pictures are drawn in one place, and no other Go code runs a script"},
	{`go\.mau\.fi/.*`, `lockstep/web/room`, "who looks like somebody else is decided in one place"},
	{`rsc\.io/qr`, `lockstep/web/present`, "a code is made where an address becomes a view model; how it is drawn is a view's business"},
	{`lockstep/web/store/(sqlite|redis)`, `lockstep`, "the site is a handler over a store that somebody hands to it: it builds where there is neither a disk nor a network"},
	{`lockstep/web/store/storetest`, `-`, "only tests test drivers"},
	{`modernc\.org/sqlite.*`, `lockstep/web/store/sqlite`, "no other file has a query in it"},
	{`github\.com/gomodule/redigo/.*`, `lockstep/web/store/redis`, "the Redis that keeps the logs is not the one that the pages teach, which engine/redis has"},
	{`github\.com/(redis/go-redis|go-redsync)/.*`, `-`, "the fixtures are locks that other people take with them, in a module of their own; a server does without so large a client"},
	{`github\.com/(alecthomas/kong|mattn/go-isatty)`, `lockstep|lockstep/web/shell`, "help, manual, completion and mistakes come from one model, in one place"},
	{`lockstep/engine/testtools`, `-`, "only tests start a redis-server, SPIN, Node or a browser"},
	{`net/http`, `lockstep|lockstep/(web|static)(/.*)?`, "the engine is run by the command line and by tests as well as by a server"},
}

func TestImportsFollowTheRules(t *testing.T) {
	for path, p := range packages(t) {
		for _, imported := range p.Imports {
			for _, rule := range importRules {
				if matches(rule.from, path) && !matches(rule.may, imported) && !standard(imported) {
					t.Errorf("%s imports %s: %s", path, imported, rule.because)
				}
			}
			for _, rule := range onlyImporters {
				if matches(rule.library, imported) && !matches(rule.importer, path) {
					t.Errorf("%s imports %s: %s", path, imported, rule.because)
				}
			}
		}
	}
}

// The site is the second of three storeys: it needs no machine. Nothing that a request to it could set off starts a program,
// opens a database or listens for connections: the site and all that it is made of cannot. The commands serve, test and attach do,
// and main joins them.
func TestASiteNeedsNoMachine(t *testing.T) {
	all := packages(t)
	starts := regexp.MustCompile(`^(os/(exec|signal)|plugin|lockstep/web/(real/.*|serve|shell|store/.*)|lockstep/engine/(cli|testtools)|modernc\.org/.*|github\.com/gomodule/.*)$`)
	seen := map[string]bool{}
	var look func(path string)
	look = func(path string) {
		p := all[path]
		if p == nil || seen[path] {
			return
		}
		seen[path] = true
		for _, imported := range p.Imports {
			if starts.MatchString(imported) {
				t.Errorf("%s imports %s", path, imported)
			}
			look(imported)
		}
		for _, name := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if found := regexp.MustCompile(`\b(os\.StartProcess|syscall\.(Exec|ForkExec|StartProcess))\b`).Find(text); found != nil {
				t.Errorf("%s/%s: %s", path, name, found)
			}
		}
	}
	look("lockstep/web")
	if len(seen) < 15 {
		t.Errorf("only %d packages were looked at", len(seen))
	}
}

// The engine takes time and chance as arguments and has no goroutines, so the same actions always give the same
// events. A room is the same kind of fold, and a page is made of both. Package testtools is exempt: tests use it to
// wait for real programs.
func TestEngineIsDeterministic(t *testing.T) {
	forbidden := regexp.MustCompile(`\btime\.(Now|Since|Until|Sleep|After|Tick|NewTimer|NewTicker)\b|"(math/rand(/v2)?|crypto/rand)"|\bgo func\b|(?m)^\s*go \w+[.(]|\bselect \{`)
	for path, p := range packages(t) {
		pure := strings.HasPrefix(path, "lockstep/engine") && path != "lockstep/engine/testtools" || path == "lockstep/web/room" || path == "lockstep/web/present" || path == "lockstep/web/picture"
		if !pure {
			continue
		}
		for _, name := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range forbidden.FindAllString(string(text), -1) {
				t.Errorf("%s/%s: %s", path, name, strings.TrimSpace(found))
			}
		}
	}
}

// What is larger than most says why: a package of more than 25 files, a file of more than 400 lines, a type of more than 40
// methods. A package's doc.go has the reason, and a file that is no Go has its own. A reason that no longer applies goes.
func TestWhatIsLargeHasItsReason(t *testing.T) {
	const mostFiles, mostLines, mostMethods = 25, 400, 40
	method := regexp.MustCompile(`(?m)^func \(\w+ \*?(\w+)`)
	reason := regexp.MustCompile(`(\S+) has more than (25 files|400 lines|40 methods)`)
	root := os.DirFS("..")
	files := map[string]int{}    // by directory
	large := map[string]string{} // what, to where its reason belongs
	given := map[string]string{} // what, to where its reason is
	methods := map[[2]string]int{}
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		dir, name := filepath.Split(path)
		if entry != nil && entry.IsDir() && path != "." && (strings.HasPrefix(name, ".") && name != ".ci" || slices.Contains([]string{"testdata", "fixtures", "node_modules", "vendor", "built"}, name)) {
			return fs.SkipDir
		}
		kind := filepath.Ext(name)
		if err != nil || entry.IsDir() || !slices.Contains([]string{".go", ".templ", ".js", ".css"}, kind) || strings.HasSuffix(name, "_templ.go") || strings.Contains(name, "test.") || strings.Contains(name, ".testdata.") {
			return err
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		home := path
		if kind == ".go" && dir != ".ci/" || kind == ".templ" {
			home = dir + "doc.go"
			files[dir]++
		}
		if strings.Count(string(text), "\n") > mostLines {
			what := name
			if home == path {
				what = "The file" // says so itself
			}
			large[home+": "+what+" has more than 400 lines"] = home
		}
		if kind == ".go" {
			for _, of := range method.FindAllStringSubmatch(string(text), -1) {
				methods[[2]string{dir, of[1]}]++
			}
		}
		if name == "doc.go" || home == path {
			for _, found := range reason.FindAllStringSubmatch(regexp.MustCompile(`\n(//| \*) ?`).ReplaceAllString(string(text), " "), -1) {
				what := found[0]
				switch found[1] {
				case "package", "file":
					what = "The " + what
				}
				given[path+": "+what] = path
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, n := range files {
		if n > mostFiles {
			large[dir+"doc.go: The package has more than 25 files"] = dir
		}
	}
	for of, n := range methods {
		if n > mostMethods {
			large[of[0]+"doc.go: "+of[1]+" has more than 40 methods"] = of[0]
		}
	}
	for what := range large {
		if given[what] == "" {
			t.Errorf("%s: say why, or divide it", what)
		}
	}
	for what := range given {
		if large[what] == "" {
			t.Errorf("%s: it has not", what)
		}
	}
	if len(files) < 30 || len(large) < 5 {
		t.Errorf("only %d directories and %d large things were found", len(files), len(large))
	}
}

// packages returns the packages of the module, without their tests, by import path.
func packages(t *testing.T) map[string]*build.Package {
	t.Helper()
	found := map[string]*build.Package{}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); dir != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && dir != root {
			return fs.SkipDir // another module
		}
		p, err := build.ImportDir(dir, 0)
		if _, none := err.(*build.NoGoError); none {
			return nil
		}
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		found[strings.TrimSuffix("lockstep/"+filepath.ToSlash(relative), "/.")] = p
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 7 {
		t.Fatalf("only %d packages are found", len(found))
	}
	return found
}

func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return first != "lockstep" && !strings.Contains(first, ".")
}

func matches(pattern, path string) bool {
	return regexp.MustCompile(`^(?:` + pattern + `)$`).MatchString(path)
}

// Anybody can make up a Host header, and a cookie's name depends on the scheme of the request. One file reads each of
// them, and guards against both.
func TestOneFileReadsEachUntrustedName(t *testing.T) {
	files := filesOf(t, ".", "door", "runpages", "roompages", "coursepages", "explorepages")
	for reader, pattern := range map[string]string{"door/host.go": `\b(r|request|req)\.Host\b`, "door/cookie.go": `\.Cookies?\(|http\.SetCookie\(`} {
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(name, "_test.go") && (name == reader) != regexp.MustCompile(pattern).Match(text) {
				t.Errorf("%s: %s is for %s to read", name, pattern, reader)
			}
		}
	}
}

// filesOf returns the Go files in some directories.
func filesOf(t *testing.T, directories ...string) (files []string) {
	t.Helper()
	for _, dir := range directories {
		in, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(in) == 0 {
			t.Fatalf("%s has no files: %v", dir, err)
		}
		files = append(files, in...)
	}
	return files
}

// A browser can run the site, because it builds for one.
func TestTheSiteBuildsForABrowser(t *testing.T) {
	testtools.Long(t, "compiles the site once more")
	build := exec.Command("go", "build", "-o", os.DevNull, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
