package program

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"lockstep/engine/redis"
	"lockstep/engine/testtools"
)

// Each equivalent quotes lines of its program, in its order: each definition at least. A program has equivalents in all
// languages or in none, and no file is left over.
func TestEquivalentsQuoteTheirPrograms(t *testing.T) {
	files := map[string]bool{}
	for _, name := range Names() {
		p, _ := Builtin(name)
		for _, tongue := range Tongues {
			file := name + tongue.file
			text, err := equivalents.ReadFile("equivalents/" + file)
			if (err == nil) != HasEquivalents(name) {
				t.Errorf("%s is not in every language: %v", name, err)
			}
			if err != nil {
				continue
			}
			files[file] = true
			e, missing := parallel(p.Source, string(text), tongue)
			for _, quote := range missing {
				t.Errorf("%s: the program does not go on with the line %q", file, quote)
			}
			for i, line := range strings.Split(p.Source, "\n") {
				if strings.HasPrefix(line, "def ") && !slices.Contains(e.Of, i+1) {
					t.Errorf("%s lacks %q", file, line)
				}
			}
			if lines := strings.Count(e.Source, "\n"); lines != len(e.Of) {
				t.Errorf("%s: %d lines, and %d of the program", file, lines, len(e.Of))
			}
		}
	}
	entries, err := equivalents.ReadDir("equivalents")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !files[entry.Name()] {
			t.Errorf("%s belongs to no program", entry.Name())
		}
	}
	if len(files) < 27 {
		t.Errorf("%d files", len(files))
	}
}

func TestParallel(t *testing.T) {
	e, missing := parallel("# head\ndef acquire(c):\n    a = 1  # why\n    return a\n", "before\n= def acquire(c):\none\ntwo\n= return a\nthree\n}\n= a = 1\nfour\n", Tongue{})
	if got := fmt.Sprint(e.Of, missing); got != "[0 2 2 4 0 4] [a = 1]" || e.Source != "before\none\ntwo\nthree\n}\nfour\n" {
		t.Errorf("%s %q", got, e.Source)
	}
}

// Each equivalent has its program's own conversations (testdata/*.txt): it reads the clock and sends commands as the program
// does, at the same moments, and decides as the program does.
func TestEquivalentsConverse(t *testing.T) {
	for _, tongue := range []struct {
		name  string
		build func(t *testing.T, dir string, names []string) func(name string) *exec.Cmd
	}{{"go", goEquivalents}, {"java", javaEquivalents}, {"python", pythonEquivalents}} {
		t.Run(tongue.name, func(t *testing.T) {
			testtools.Long(t, "a process for each program")
			names := slices.DeleteFunc(Names(), func(name string) bool { return !HasEquivalents(name) })
			command := tongue.build(t, t.TempDir(), names)
			for _, name := range names {
				t.Run(name, func(t *testing.T) {
					text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
					if err != nil {
						t.Fatal(err)
					}
					s := newScripted(t)
					process := command(name)
					process.Args = append(process.Args, s.socket)
					ask := talking(t, process)
					for _, conversation := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
						title, lines, _ := strings.Cut(conversation, "\n")
						if problem := s.converse(strings.Split(lines, "\n"), ask); problem != "" {
							t.Errorf("%s\n%s", title, problem)
						}
					}
				})
			}
		})
	}
}

func sourceOf(t *testing.T, name, tongue string) string {
	t.Helper()
	e, ok := InTongue(name, tongue)
	if !ok {
		t.Fatalf("%s has no equivalent in %s", name, tongue)
	}
	return e.Source
}

func lay(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func fileOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func runs(t *testing.T, dir, tool string, arguments ...string) {
	t.Helper()
	command := exec.Command(tool, arguments...)
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", tool, err, out)
	}
}

// packageOf returns a package's name for a program.
func packageOf(name string) string { return "p" + strings.ReplaceAll(name, "-", "") }

// goEquivalents puts all programs into one package, where each one's names end in its own: a package that embeds the client of
// go-redis takes the compiler eight seconds.
func goEquivalents(t *testing.T, dir string, names []string) func(name string) *exec.Cmd {
	tool := testtools.Find(t, "go")
	for _, file := range []string{"go.mod", "go.sum"} { // the fixtures of real programs have go-redis, too
		lay(t, filepath.Join(dir, file), fileOf(t, filepath.Join("../../web/real/process/fixtures", file)))
	}
	lay(t, filepath.Join(dir, "harness.go"), fileOf(t, "testdata/equivalents/main.go.txt"))
	cases := ""
	for _, name := range names {
		suffix, source := packageOf(name), sourceOf(t, name, "go")
		work := "nil"
		if strings.Contains(source, "func work(") {
			work = "work" + suffix
		}
		used := "import \"context\"\n"
		if strings.Contains(source, "time.") {
			used += "import \"time\"\n"
		}
		if strings.Contains(source, "redis.Nil") {
			used += "import \"github.com/redis/go-redis/v9\"\n"
		}
		lay(t, filepath.Join(dir, name+".go"), renamed(t, "package main\n"+used+source, suffix))
		cases += fmt.Sprintf("case %q: play(acquire%[2]s, %[3]s, release%[2]s)\n", name, suffix, work)
	}
	lay(t, filepath.Join(dir, "main.go"), "package main\nimport \"os\"\nfunc main() {\nname := os.Args[1]\nos.Args = os.Args[1:]\nswitch name {\n"+cases+"}\n}\n")
	runs(t, dir, tool, "build", "-o", "equivalents", ".")
	return func(name string) *exec.Cmd { return exec.Command(filepath.Join(dir, "equivalents"), name) }
}

// renamed returns a file of Go in which all that it defines has a suffix.
func renamed(t *testing.T, text, suffix string) string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	defined, fields := map[string]bool{}, map[*ast.Ident]bool{}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			defined[d.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.ValueSpec); ok {
					defined[s.Names[0].Name] = true
				}
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			fields[n.Sel] = true
		case *ast.Ident:
			if defined[n.Name] && !fields[n] {
				n.Name += suffix
			}
		}
		return true
	})
	var b strings.Builder
	if err := format.Node(&b, files, file); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var javaLease = regexp.MustCompile(`static (\w+) acquire\(`)

func javaEquivalents(t *testing.T, dir string, names []string) func(name string) *exec.Cmd {
	compiler, java := testtools.Find(t, "javac"), testtools.Find(t, "java")
	arguments := []string{"-d", "out", "redis/clients/jedis/Jedis.java", "redis/clients/jedis/params/SetParams.java"}
	for _, file := range arguments[2:] {
		lay(t, filepath.Join(dir, file), fileOf(t, filepath.Join("testdata/equivalents", file)))
	}
	for _, name := range names {
		source := sourceOf(t, name, "java")
		work := "{}"
		if strings.Contains(source, "void work(") {
			work = "work(c, held);"
		}
		text := strings.NewReplacer("//PROGRAM", source, "LEASE", javaLease.FindStringSubmatch(source)[1], "WORK", work).Replace(fileOf(t, "testdata/equivalents/Main.java"))
		file := packageOf(name) + "/Main.java"
		lay(t, filepath.Join(dir, file), "package "+packageOf(name)+";\n"+text)
		arguments = append(arguments, file)
	}
	runs(t, dir, compiler, arguments...)
	return func(name string) *exec.Cmd {
		return exec.Command(java, "-cp", filepath.Join(dir, "out"), packageOf(name)+".Main")
	}
}

func pythonEquivalents(t *testing.T, dir string, names []string) func(name string) *exec.Cmd {
	python := testtools.Python(t, "redis")
	for _, name := range names {
		lay(t, filepath.Join(dir, name+".py"), strings.Replace(fileOf(t, "testdata/equivalents/main.py"), "#PROGRAM", sourceOf(t, name, "python"), 1))
	}
	return func(name string) *exec.Cmd { return exec.Command(python, filepath.Join(dir, name+".py")) }
}

// talking starts a process, and returns a function that tells it to do something and returns what it says.
func talking(t *testing.T, process *exec.Cmd) func(what string) string {
	t.Helper()
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	})
	said := bufio.NewScanner(out)
	return func(what string) string {
		if _, err := io.WriteString(in, what+"\n"); err != nil {
			return err.Error()
		}
		if !said.Scan() {
			return "the process has ended"
		}
		return said.Text()
	}
}

// scripted is a server that knows what it will be asked, and replies as a conversation says. The clock is a command, too.
type scripted struct {
	socket string

	mu       sync.Mutex
	expected []string
	problem  string
}

func newScripted(t *testing.T) *scripted {
	t.Helper()
	dir, err := os.MkdirTemp("", "equivalent") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	s := &scripted{socket: filepath.Join(dir, "s")}
	listener, err := net.Listen("unix", s.socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		listener.Close()
		os.RemoveAll(dir)
	})
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	return s
}

// converse has a process play the lines of a conversation, and returns what is wrong.
func (s *scripted) converse(lines []string, ask func(string) string) string {
	phase, told := "acquire", []string(nil)
	for _, line := range append(lines, "end") {
		switch verb, _, _ := strings.Cut(line, " "); verb {
		case "acquired", "not", "left", "released", "end":
			if phase == "" {
				continue
			}
			want := "done"
			if phase == "acquire" {
				if want = "acquired"; verb == "not" {
					want = "not acquired"
				}
			}
			s.mu.Lock()
			s.expected, s.problem = told, ""
			s.mu.Unlock()
			says := ask(phase)
			s.mu.Lock()
			left, problem := s.expected, s.problem
			s.mu.Unlock()
			switch {
			case problem != "":
				return problem
			case len(left) > 0:
				return fmt.Sprintf("%s: the text ends before %q", phase, left)
			case says != want:
				return fmt.Sprintf("%s: the text says %q, the program %q", phase, says, want)
			}
			phase, told = "", nil
		case "work", "release":
			phase, told = verb, nil
		case "inside", "believes", "doubts", "renewed":
		default:
			told = append(told, line)
		}
	}
	return ""
}

func (s *scripted) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		words, err := readWords(in)
		if err != nil {
			return
		}
		if _, err := io.WriteString(conn, s.reply(words)); err != nil {
			return
		}
	}
}

// reply returns the reply to a command that the conversation expects now.
func (s *scripted) reply(words []string) string {
	switch strings.ToUpper(words[0]) {
	case "HELLO":
		return "-ERR unknown command\r\n" // an old server, to which clients speak RESP2
	case "CLIENT":
		return "+OK\r\n"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := labelOf(words)
	if len(s.expected) == 0 {
		s.problem = fmt.Sprintf("the text goes on with %q", asked)
		return "-ERR " + s.problem + "\r\n"
	}
	next := s.expected[0]
	s.expected = s.expected[1:]
	want, reply, _ := strings.Cut(next, " -> ")
	if clock, ok := strings.CutPrefix(next, "clock = "); ok {
		want, reply = "clock", strconv.Quote(clock)
	}
	if want != asked {
		s.problem = fmt.Sprintf("the text does      %s\nthe program does  %s", asked, want)
		return "-ERR " + s.problem + "\r\n"
	}
	if text, err := strconv.Unquote(reply); err == nil {
		return fmt.Sprintf("$%d\r\n%s\r\n", len(text), text)
	}
	switch reply {
	case "nil":
		return "$-1\r\n"
	case "OK":
		return "+OK\r\n"
	}
	return ":" + reply + "\r\n"
}

// labelOf writes a command as conversations do: a script by its name, and the options of SET in one order. go-redis sends a
// lifetime of whole seconds as EX.
func labelOf(words []string) string {
	switch name := strings.ToUpper(words[0]); name {
	case "CLOCK", "WRITE":
		return strings.ToLower(strings.Join(words, " "))
	case "EVAL":
		for _, script := range redis.ScriptNames() {
			if lua, _, _, _ := redis.Script(script); slices.Equal(strings.Fields(lua), strings.Fields(words[1])) {
				words[1] = script
			}
		}
		return "EVAL " + strings.Join(words[1:], " ")
	case "SET":
		label := "SET " + strings.Join(words[1:3], " ")
		lasts := ""
		for i, word := range words[3:] {
			switch strings.ToUpper(word) {
			case "NX":
				label += " NX"
			case "EX":
				lasts = " PX " + words[3+i+1] + "000"
			case "PX":
				lasts = " PX " + words[3+i+1]
			}
		}
		return label + lasts
	default:
		return name + " " + strings.Join(words[1:], " ")
	}
}

// readWords reads a command.
func readWords(in *bufio.Reader) ([]string, error) {
	number := func(sign string) (int, error) {
		line, err := in.ReadString('\n')
		if err != nil {
			return 0, err
		}
		return strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(line), sign))
	}
	n, err := number("*")
	if err != nil {
		return nil, err
	}
	words := make([]string, n)
	for i := range words {
		length, err := number("$")
		if err != nil {
			return nil, err
		}
		text := make([]byte, length+2)
		if _, err := io.ReadFull(in, text); err != nil {
			return nil, err
		}
		words[i] = string(text[:length])
	}
	return words, nil
}
