package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine/cli"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
)

// pack-course writes a file, and check proves the course in it as in the directory.
func TestAPackedCourseIsProved(t *testing.T) {
	t.Chdir(t.TempDir())
	right := filepath.Join(courses, "right")
	var out bytes.Buffer
	h := &cli.Host{
		Out: &out, Err: &out, Write: func(path, text string) error { return os.WriteFile(path, []byte(text), 0o644) },
		Hands: func(func(explore.Figures) bool) explore.Runtime { return explore.Runtime{} },
	}
	if err := (&cli.PackCourse{Dir: right}).Run(h); err != nil {
		t.Fatal(err)
	}
	if said := out.String(); !strings.HasPrefix(said, "right"+course.PackedSuffix+": ") || !strings.HasSuffix(said, "Serve it with lockstep --course right.lockstep.zip\n") {
		t.Errorf("pack-course says %q", said)
	}
	var proved []string
	for _, from := range []string{right, "right.lockstep.zip"} {
		out.Reset()
		if err := (&cli.Check{Course: from}).Run(h); err != nil {
			t.Errorf("checking %s: %v", from, err)
		}
		proved = append(proved, out.String())
	}
	if proved[0] != proved[1] || !strings.Contains(proved[0], "3 challenges hold") {
		t.Errorf("check says %q", proved)
	}
	if err := os.WriteFile("spoiled.zip", []byte("spoiled"), 0o644); err != nil {
		t.Fatal(err)
	}
	h.Language = lang.Chinese
	if err := (&cli.Check{Course: "spoiled.zip"}).Run(h); err == nil || err.Error() != "spoiled.zip：这不是 zip 文件" || cli.ExitCode(err) != cli.ExitMalformed {
		t.Errorf("a spoiled file gives %v", err)
	}
}

var courses, _ = filepath.Abs("../course/testdata")

// export-course takes the built-in course by its name, and refuses in the user's language.
func TestACourseIsExported(t *testing.T) {
	t.Chdir(t.TempDir())
	h, out := host("")
	h.Write = func(path, text string) error { return os.WriteFile(path, []byte(text), 0o644) }
	if err := (&cli.ExportCourse{Course: "redis-lock", Lesson: "race", Server: "https://lockstep.example"}).Run(h); err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile("redis-lock-race.scorm.zip")
	if err != nil || !bytes.HasPrefix(packed, []byte("PK")) || !strings.Contains(out.String(), "--embed-from https://moodle.example") {
		t.Errorf("%v: export-course says %q", err, out)
	}
	if err := (&cli.ExportCourse{Course: filepath.Join(courses, "right"), Server: "https://lockstep.example", Output: "mine.zip"}).Run(h); err != nil {
		t.Fatal(err)
	}
	h.Language = lang.Chinese
	err = (&cli.ExportCourse{Course: "redis-lock", Lesson: "nothing-like-it", Server: "https://lockstep.example"}).Run(h)
	if err == nil || !strings.HasPrefix(err.Error(), "没有课文 nothing-like-it；可用的有 one-winner, ") || cli.ExitCode(err) != cli.ExitMalformed {
		t.Errorf("a lesson that is not there gives %v", err)
	}
}
