//go:build unix

package course_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// A course's directory may come from a stranger, with links and pipes in it. Nothing is read through a link that leads out of
// the directory, nothing waits for a pipe, and a course file is not made of what stands behind a link.
func TestLinksAndPipes(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(secret, []byte("my secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(to, name string) func(dir string) error {
		return func(dir string) error {
			os.Remove(filepath.Join(dir, name))
			return os.Symlink(to, filepath.Join(dir, name))
		}
	}
	pipe := func(name string) func(dir string) error {
		return func(dir string) error {
			os.Remove(filepath.Join(dir, name))
			return syscall.Mkfifo(filepath.Join(dir, name), 0o600)
		}
	}
	const within, without = "%s is a link: a course file holds only files", "%s is a link that leads nowhere in the course"
	for _, test := range []struct {
		name   string
		change func(dir string) error
		check  string // the first mistake
		pack   string // the refusal; empty, as the other: a file without it is packed
	}{
		{"a pipe for course.yaml", pipe("course.yaml"), "course.yaml: course.yaml is no file", ""},
		{"a pipe for a lesson", pipe("second.en.md"), "course.yaml:11: second.en.md is no file", ""},
		{"a pipe for a program", pipe("second.star"), `second.en.md:5: reading the program: second.star is no file`, ""},
		{"a pipe for the sources", pipe("sources.yaml"), "sources.yaml: sources.yaml is no file", ""},
		{"a pipe for a README", pipe("README.md"), "", ""},
		{"a link to a secret, as a README", link(secret, "README.md"), "", within},
		{"a link to the system, as a licence", link("/etc/passwd", "LICENSE"), "", within},
		{"a link up, as a licence", link("../../secret.txt", "COPYING"), "", within},
		{"a link within, as a README", link("first.en.md", "README.md"), "", within},
		{"a link to nothing, as a README", link("nothing", "README.md"), "", within},
		{"a link to a secret, as a lesson", link(secret, "second.en.md"), "course.yaml:11: " + without, ""},
		{"a link to a device, as a lesson", link("/dev/zero", "second.en.md"), "course.yaml:11: " + without, ""},
		{"a link to a device, as course.yaml", link("/dev/zero", "course.yaml"), "course.yaml: " + without, ""},
		{"a link to itself", link("second.en.md", "second.en.md"), "course.yaml:11: " + without, ""},
		{"a lesson that is a link to another file of the course", func(dir string) error {
			if err := os.Rename(filepath.Join(dir, "second.en.md"), filepath.Join(dir, "other.md")); err != nil {
				return err
			}
			return os.Symlink("other.md", filepath.Join(dir, "second.en.md"))
		}, "", within},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "right")
			if err := os.CopyFS(dir, os.DirFS("testdata/right")); err != nil {
				t.Fatal(err)
			}
			if err := test.change(dir); err != nil {
				t.Fatal(err)
			}
			c, err := course.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			if len(c.Mistakes) > 0 {
				said = c.Mistakes[0].Sentence(lang.English)
				if c.Mistakes[0].Sentence(lang.Chinese) == said {
					t.Error("no Chinese")
				}
			}
			if want := strings.ReplaceAll(test.check, "%s", "second.en.md"); said != want && said != strings.ReplaceAll(test.check, "%s", "course.yaml") {
				t.Errorf("check says %q, want %q", said, want)
			}
			packed, err := course.Pack(course.Dir(dir), "right")
			switch {
			case test.check == "" && test.pack == "":
				if err != nil || bytes.Contains(packed, []byte("README")) {
					t.Errorf("pack-course takes the pipe, or says %v", err)
				}
			case err == nil:
				t.Error("pack-course takes it")
			case test.pack != "" && !strings.HasSuffix(err.Error(), " is a link: a course file holds only files"):
				t.Errorf("pack-course says %v", err)
			}
		})
	}
}
