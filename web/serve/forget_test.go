package serve

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lockstep/engine/testtools"
	"lockstep/web/class"
	"lockstep/web/live"
	"lockstep/web/room"
	"lockstep/web/store"
	"lockstep/web/store/redis"
	"lockstep/web/store/sqlite"
)

// realStores are those of the command.
var realStores = Stores{Directory: sqlite.Open, Redis: redis.Open, Erase: sqlite.Remove}

const annsName = "Ann who has a name of her own"

// keep puts a room with a run, and with Ann in it, into a store.
func keep(t *testing.T, in store.Store, code, run string) {
	t.Helper()
	runs, rooms := store.NewLog[live.Entry](in, live.RunLog(run)), store.NewLog[room.Entry](in, class.RoomLog(code))
	err := runs.Append(live.Entry{Begin: &live.Beginning{Epoch: run, Family: run}})
	for _, e := range []room.Entry{
		{Verb: room.VerbOpen, Code: code, Run: run, Key: room.HashKey("teacher")},
		{Verb: room.VerbSwitch, Free: true},
		{Verb: room.VerbJoin, Key: room.HashKey("ann")},
		{Verb: room.VerbName, Seat: 1, Text: annsName},
	} {
		if err == nil {
			err = rooms.Append(e)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// traces returns the texts that any file of a directory has.
func traces(t *testing.T, dir string, texts ...string) (found []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if bytes.Contains(data, []byte(text)) {
				found = append(found, fmt.Sprintf("%s in %s", text, file.Name()))
			}
		}
	}
	return found
}

// forgets runs lockstep --forget.
func forgets(f Flags) (said string, err error) {
	f.Keep, f.Stores = time.Hour, realStores
	if err := f.Validate(); err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = f.forget(&out)
	return out.String(), err
}

// --forget deletes all rooms of a directory, or one, says how many, and refuses while a server uses it.
func TestTheFlagForgets(t *testing.T) {
	dir := t.TempDir()
	forget := func(what string) (said string, err error) { return forgets(Flags{Data: dir, Forget: what}) }
	used, err := sqlite.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	keep(t, used, "111111", "aaaaaaaaaa")
	keep(t, used, "222222", "bbbbbbbbbb")
	if said, err := forget("all"); err == nil || !strings.Contains(err.Error(), "a server is using "+dir) {
		t.Errorf("while a server uses the directory: %s, %v", said, err)
	}
	if err := used.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := forget("000000"); err == nil || !strings.Contains(err.Error(), "no room with this code") {
		t.Errorf("a room that is none: %v", err)
	}
	if said, err := forget("111 111"); err != nil || said != "Lockstep has forgotten the room 111 111 and 1 run.\n" {
		t.Errorf("one room: %q, %v", said, err)
	}
	if left := traces(t, dir, "r/111111", "t/aaaaaaaaaa"); len(left) > 0 {
		t.Errorf("one room: %v", left)
	}
	if len(traces(t, dir, annsName)) == 0 || len(traces(t, dir, "r/222222")) == 0 {
		t.Error("the other room went with it")
	}
	if said, err := forget("all"); err != nil || said != "Lockstep has forgotten 1 room and 1 run.\n" {
		t.Errorf("all: %q, %v", said, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("the directory has %v: %v", files, err)
	}
	if _, err := forget("all"); err == nil || !strings.Contains(err.Error(), "nothing is kept in "+dir) {
		t.Errorf("an empty directory: %v", err)
	}
	for _, f := range []Flags{{Forget: "all"}, {Forget: "everything", Data: dir}, {Forget: "12345", Data: dir}} {
		if _, err := forgets(f); err == nil || !strings.Contains(err.Error(), "--forget") {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// The flag forgets in a Redis what servers share, but for the secret of their cookies.
func TestTheFlagForgetsInRedis(t *testing.T) {
	server := testtools.StartRedis(t, testtools.Durable...)
	command := func(words ...string) string {
		out, _ := exec.Command("redis-cli", append([]string{"-s", server.Socket}, words...)...).Output()
		return strings.TrimSpace(string(out))
	}
	testtools.Eventually(func() bool { return command("PING") == "PONG" })
	kept, err := redis.Open("unix://"+server.Socket, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	keep(t, kept, "111111", "aaaaaaaaaa")
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	if said, err := forgets(Flags{Store: "unix://" + server.Socket, Forget: "all"}); err != nil || !strings.HasPrefix(said, "Lockstep has forgotten 1 room and 1 run.") || !strings.Contains(said, "append-only file") {
		t.Errorf("%s, %v", said, err)
	}
	for key := range strings.FieldsSeq(command("KEYS", "*/*")) {
		if !strings.HasPrefix(key, "lockstep:k/") && !strings.HasPrefix(key, "lockstep:gone:") {
			t.Errorf("%s is left", key)
		}
	}
}

// The flag names itself where its value is wrong.
func TestABadFlagIsNamed(t *testing.T) {
	f := Flags{EmbedFrom: []string{"*"}, Keep: time.Hour}
	if err := f.Validate(); err == nil || !strings.HasPrefix(err.Error(), "--embed-from: ") {
		t.Errorf("the flag says %v", err)
	}
}
