package process_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The recordings of the course "The Redis lock" are what the programs do: what was recorded of the fixtures, as text. The
// command line differs, and so does the port in a program's last words.
func TestTheCourseShowsWhatProgramsDo(t *testing.T) {
	for name, file := range map[string]string{
		"go-redis-setnx": "goredis",
		"ioredis-setnx":  "ioredis_naive.mjs",
		"redis-py-setnx": "naive.py",
		"redis-py-del":   "set_px_del.py",
		"redis-py-lock":  "redis_lock.py",
		"own-value":      "ownvalue",
	} {
		shown, err := os.ReadFile(filepath.Join("../../../engine/course/redis-lock", name+".star"))
		if err != nil {
			t.Fatal(err)
		}
		if want, does := spoken(string(shown)), spoken(fixture{file: file}.recorded(t).of[false].text); does != want {
			t.Errorf("%s: the program does\n%s\nand the course shows\n%s", name, does, want)
		}
	}
}

// spoken returns a recording's text without its command line, and without what a program says at its end.
func spoken(recording string) string {
	_, operations, _ := strings.Cut(strings.TrimSpace(recording), "\n")
	return lastWords.ReplaceAllString(operations, "$1$2")
}

var lastWords = regexp.MustCompile(`(?m)^( *end [1-9]\d*) ".*"$|^( *end) 0 ".*"$`)
