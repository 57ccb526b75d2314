package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/redis"
)

// A node makes its server when a command arrives, gives it the keys that the command names, and makes it again when it
// has many keys and its clock moves. Nobody can tell: the node answers, and its keys expire, as one server that has run
// all the time and knows every key, even after an action is rolled back.
func TestANodeAnswersAsOneServer(t *testing.T) {
	commands := 0
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		keys := 3 + int(seed)*3 // from a few to more than a server may keep
		key := func() string { return fmt.Sprintf("k%d", random.IntN(keys)) }
		line := func() string {
			k, ms := key(), random.IntN(3000)
			forms := []string{
				"SET " + k + " v", fmt.Sprintf("SET %s v PX %d", k, ms), fmt.Sprintf("SET %s w KEEPTTL XX", k), "SETNX " + k + " n", fmt.Sprintf("PSETEX %s %d p", k, ms),
				"GET " + k, "PTTL " + k, "TTL " + k, "STRLEN " + k, "TYPE " + k, "GETSET " + k + " g", "GETDEL " + k, fmt.Sprintf("GETEX %s PX %d", k, ms), "PERSIST " + k,
				fmt.Sprintf("DEL %s %s %s", k, key(), key()), fmt.Sprintf("UNLINK %s %s", k, key()), fmt.Sprintf("EXISTS %s %s %s", k, key(), k),
				fmt.Sprintf("MGET %s %s", k, key()), fmt.Sprintf("MSET %s a %s b", k, key()), fmt.Sprintf("MSETNX %s a %s b", k, key()), fmt.Sprintf("PEXPIRE %s %d LT", k, ms),
				fmt.Sprintf("EXPIREAT %s %d", k, 1000+random.IntN(100)), "INCR n" + k, "DECRBY n" + k + " 2", "DELEX " + k + " IFEQ v", "DELIFEQ " + k + " v",
				fmt.Sprintf("SET %s q IFEQ v PX %d", k, ms), "SET " + k + " v IFNE w GET", "SET " + k + " v IFEQ v KEEPTTL",
				"EVAL compare-and-delete 1 " + k + " v", "EVAL compare-and-set 1 " + k + " v c", fmt.Sprintf("EVAL compare-and-expire 1 %s v %d", k, ms),
				fmt.Sprintf("EVAL set-and-fence 2 %s n%s f %d", k, key(), ms), "PING", "TIME",
				"HSET " + k + " f v", fmt.Sprintf("HSET %s f w g %d", k, ms), "HSETNX " + k + " g n", "HINCRBY " + k + " g 1", "HDEL " + k + " f g", "HGETALL " + k, "HLEN " + k, "PUBLISH c m",
				fmt.Sprintf(`MULTI "SET %s v NX" "PEXPIRE %s %d" "INCR n%s" EXEC`, k, k, ms, key()), fmt.Sprintf(`MULTI "DEL %s" "HSET %s f v" "GET %s" EXEC`, k, k, key()),
				`SET ` + k + ` "\xff\x00"`, fmt.Sprintf("EVAL node-redlock-acquire 2 %s %s v %d", k, key(), 1+ms), fmt.Sprintf("EVAL node-redlock-release 2 %s %s v", k, key()),
			}
			return forms[random.IntN(len(forms))]
		}
		run := engine.NewRun(engine.Header{}, check.All()...)
		oracle := redis.New(int64(engine.Start))
		for range 400 {
			if random.IntN(4) == 0 {
				d := 1 + random.IntN(1500)
				if _, err := run.Do(engine.Action{Verb: engine.VerbTick, Time: engine.Time(d)}); err != nil {
					t.Fatal(err)
				}
				oracle.Advance(int64(d))
				for i := range 2 * keys {
					k := fmt.Sprintf("%sk%d", "n"[:i%2], i/2)
					want, ok := oracle.Get(k)
					if s := run.World().Stored(0, k); ok != (s != nil) || ok && (redis.Content{Value: s.Value, Type: s.Type, Expires: int64(s.Expires)}) != want {
						t.Fatalf("seed %d, at %s: %s is %+v, and in one server %+v (%v)", seed, run.World().Now(), k, s, want, ok)
					}
				}
				continue
			}
			if random.IntN(5) == 0 { // a rolled-back action loses a server
				done, err := run.Do(engine.Action{Verb: engine.VerbDo, Client: "A", Command: strings.Fields("SET k0 lost")}, engine.Action{Verb: engine.VerbTick, Time: 10})
				if err != nil {
					t.Fatal(err)
				}
				done.TakeBack()
			}
			words, _ := redis.Split(line())
			a := engine.Action{Verb: engine.VerbDo, Client: "A", Command: words}
			done, err := run.Do(a)
			if err != nil {
				if strings.Contains(err.Error(), "takes no more") { // the run has all the keys that commands may name
					continue
				}
				t.Fatalf("%s: %v", a, err)
			}
			command, _ := redis.Check(a.Command)
			want := oracle.Do(command...)
			for _, e := range done.Events {
				if e.Kind == engine.Deliver && e.Execution.Reply != want {
					t.Fatalf("seed %d, at %s: %s: %s, and one server answers %s", seed, run.World().Now(), a, e.Execution.Reply, want)
				}
			}
			commands++
			due := engine.Time(0)
			for _, s := range run.World().All(0) {
				if s.Expires > 0 && (due == 0 || s.Expires < due) {
					due = s.Expires
				}
			}
			if got := run.World().Due(); got != due {
				t.Fatalf("seed %d, at %s: after %s the next key expires at %s, not at %s", seed, run.World().Now(), a, due, got)
			}
		}
		oracle.Close()
		again := playText(t, run.Scenario().String()).Run.World()
		if again.Meter().Work() != run.World().Meter().Work() {
			t.Errorf("seed %d: the run has done %d units of work, and its text %d", seed, run.World().Meter().Work(), again.Meter().Work())
		}
		if sentences(again) != sentences(run.World()) {
			t.Errorf("seed %d: the run and its text differ\n%s", seed, firstDifference(sentences(again), sentences(run.World())))
		}
	}
	if commands < 5000 {
		t.Errorf("only %d commands were compared", commands)
	}
}
