package process_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lockstep/engine/explore"
	"lockstep/engine/testtools"
)

// The recordings of the course "The Redis lock" are what the programs do: recorded anew, each is the same text. The command
// line differs, and so does the port in a program's last words.
func TestTheCourseShowsWhatProgramsDo(t *testing.T) {
	testtools.Long(t, "starts about 50 processes")
	for name, command := range map[string]func(testing.TB) []string{
		"go-redis-setnx": built("goredis"),
		"ioredis-setnx":  node("ioredis", "ioredis_naive.mjs"),
		"redis-py-setnx": python("naive.py"),
		"redis-py-del":   python("set_px_del.py"),
		"redis-py-lock":  python("redis_lock.py"),
		"own-value":      built("ownvalue"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown, err := os.ReadFile(filepath.Join("../../engine/course/redis-lock", name+".star"))
			if err != nil {
				t.Fatal(err)
			}
			// Nothing violates lost-update where nobody writes to the storage: the search learns all.
			command := command(t)
			l := learner(t, command, false)
			got, _ := verdict(t, l, command, false, explore.Question{Property: "lost-update", Clients: 3, Ticks: 1, Crashes: 1, Losses: 1})
			if want, does := spoken(string(shown)), spoken(l.Program(name).Source); got != holds || does != want {
				t.Errorf("%s; the program does\n%s\nand the course shows\n%s", got, does, want)
			}
		})
	}
}

// spoken returns a recording's text without its command line, and without what a program says at its end.
func spoken(recording string) string {
	_, operations, _ := strings.Cut(strings.TrimSpace(recording), "\n")
	return lastWords.ReplaceAllString(operations, "$1$2")
}

var lastWords = regexp.MustCompile(`(?m)^( *end [1-9]\d*) ".*"$|^( *end) 0 ".*"$`)
