package program

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
	"lockstep/engine/testtools"
)

// Each file is a program that Names lists, and each has its conversations.
func TestBuiltinFiles(t *testing.T) {
	for pattern, ext := range map[string]string{"programs/*.star": ".star", "testdata/*.txt": ".txt"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, path := range paths {
			found = append(found, strings.TrimSuffix(filepath.Base(path), ext))
		}
		listed := Names()
		slices.Sort(found)
		slices.Sort(listed)
		if !slices.Equal(found, listed) {
			t.Errorf("%s:\n%v\nNames:\n%v", pattern, found, listed)
		}
	}
	if _, ok := Builtin("no-such-lock"); ok {
		t.Error("Builtin found a program that is not there")
	}
}

// The teaching order is that of the families. Each program has a promise that fits on a line of the narrowest menu, in
// both languages; the header's own promise is the long one.
func TestFamilies(t *testing.T) {
	if names := Names(); names[0] != "naive" || names[4] != "del-setnx" || names[len(names)-1] != "redlock" {
		t.Errorf("the teaching order is %v", names)
	}
	seen := map[string]string{}
	for _, family := range Families() {
		if !family.Title.Has(lang.English) || len(family.Programs) == 0 {
			t.Errorf("the family %q has no title, or no program", family.Title)
		} else if !family.Title.Has(lang.Chinese) {
			testtools.Untranslated(t, "the family %q has no title in Chinese", family.Title.English)
		}
		for _, member := range family.Programs {
			for l, most := range map[lang.Language]int{lang.English: 46, lang.Chinese: 28} {
				if l == lang.Chinese && !member.Promise.Has(l) {
					testtools.Untranslated(t, "%s has no promise in Chinese", member.Name)
					continue
				}
				text := member.Promise.In(l)
				if n := utf8.RuneCountInString(text); !member.Promise.Has(l) || n > most {
					t.Errorf("%s promises in %s %q, which has %d characters of %d", member.Name, l, text, n, most)
				}
				if other := seen[text]; other != "" {
					t.Errorf("%s promises the same as %s", member.Name, other)
				}
				seen[text] = member.Name
			}
		}
	}
}

// A learner reads a program in a code pane: its header tells what it promises and
// how it fails, and no line is wider than the pane.
func TestBuiltinHeaders(t *testing.T) {
	for _, name := range Names() {
		source, err := os.ReadFile("programs/" + name + ".star")
		if err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(string(source), "\n\n")
		if !strings.HasPrefix(header, "# "+name+": ") {
			t.Errorf("%s: the header does not begin with its name", name)
		}
		for _, part := range []string{"\n# Promises  ", "\n# Fails     ", "\n# From      "} {
			if !strings.Contains(header, part) {
				t.Errorf("%s: the header has no %s", name, strings.Trim(part, "\n# "))
			}
		}
		for i, line := range strings.Split(string(source), "\n") {
			if utf8.RuneCountInString(line) > 66 || strings.Contains(line, "\t") || line != strings.TrimRight(line, " ") {
				t.Errorf("%s:%d: wider than 66 columns, or with stray space: %q", name, i+1, line)
			}
		}
	}
}

func TestBuiltinDefaults(t *testing.T) {
	for _, name := range Names() {
		p, _ := Builtin(name)
		want := Defaults{}
		switch name {
		case "naive-timeout":
			want.AcquireTimeout = 5000
		case "java":
			want.Retry = 10
		}
		d := p.Defaults
		if nonblocking := d.Blocking != nil && !*d.Blocking; nonblocking != (name == "naive-nonblocking") {
			t.Errorf("%s: blocking is %v", name, d.Blocking)
		}
		if d.Blocking = nil; d != want {
			t.Errorf("%s: %+v, want %+v", name, d, want)
		}
	}
}

// Every command that the language has may reach Redis.
func TestCommandsAreAllowed(t *testing.T) {
	for _, c := range commands {
		if !slices.Contains(redis.Commands(), c.redis) {
			t.Errorf("redis refuses %s", c.redis)
		}
		if len(c.params)+len(c.options) > mostArguments {
			t.Errorf("%s takes more than %d arguments", c.name, mostArguments)
		}
	}
	for _, name := range redis.ScriptNames() {
		if _, keys, args, _ := redis.Script(name); keys+args > mostArguments {
			t.Errorf("%s takes more than %d arguments", name, mostArguments)
		}
	}
}
