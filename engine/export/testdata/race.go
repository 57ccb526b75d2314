package lockstep

import (
	"context"
	"errors"
	"os"
	"reflect"
	"testing"

	"github.com/redis/go-redis/v9"
)

type (
	args     []any
	failed   string   // an error reply
	whatever struct{} // a reply that depends on the real clock, or on what was there before

	// A key's life before the command, in ms; 0: it has none, and the command gives it one.
	lives map[string]int64
)

// TestRun sends the commands of a Lockstep run to the Redis at REDIS_ADDR, in the
// order in which they were executed, and compares every reply. It deletes the keys
// that it uses. A command without a client stands for a key that expires, or for
// data that a crash loses.
//
// A real Redis does not wait for virtual time. So a key has a life only while a
// command runs that can see it, or that sets it: the three go to Redis as one
// transaction. Between commands no key can expire, however long the test takes.
func TestRun(t *testing.T) {
	address := os.Getenv("REDIS_ADDR")
	if address == "" {
		t.Skip("REDIS_ADDR is not set: host:port of a Redis to try this on")
	}
	ctx := context.Background()
	client := redis.NewClient(&redis.Options{Addr: address, Protocol: 2})
	defer client.Close()
	conn := client.Conn()
	defer conn.Close()
	for _, step := range []struct {
		client  string
		command args
		reply   any
		lives   lives
	}{
		{"", args{"DEL", "lock.foo"}, whatever{}, nil},
		{"C3", args{"SETNX", "lock.foo", "1011"}, int64(1), nil},
		// 12 s pass: it is 1012.
		{"C1", args{"SETNX", "lock.foo", "1023"}, int64(0), nil},
		{"C1", args{"GET", "lock.foo"}, "1011", nil},
		{"C2", args{"SETNX", "lock.foo", "1023"}, int64(0), nil},
		{"C2", args{"GET", "lock.foo"}, "1011", nil},
		{"C1", args{"DEL", "lock.foo"}, int64(1), nil},
		{"C1", args{"SETNX", "lock.foo", "1023"}, int64(1), nil},
		{"C2", args{"DEL", "lock.foo"}, int64(1), nil},
		// C2 has deleted C1's lock. Cause: Redis executes #8, DEL lock.foo from C2: lock.foo is gone; it held 1023, written by C1.
		{"C2", args{"SETNX", "lock.foo", "1023"}, int64(1), nil},
		// C1 and C2 are both in the critical section, and both believe that they hold the lock. Cause: Redis executes #8, DEL lock.foo from C2: lock.foo is gone; it held 1023, written by C1.
		// C1 and C2 are both in the critical section. Cause: Redis executes #8, DEL lock.foo from C2: lock.foo is gone; it held 1023, written by C1.
	} {
		var sent *redis.Cmd
		if len(step.lives) == 0 {
			sent = conn.Do(ctx, step.command...)
		} else if _, err := conn.TxPipelined(ctx, func(tx redis.Pipeliner) error {
			for key, ms := range step.lives {
				if ms > 0 {
					tx.Do(ctx, "PEXPIRE", key, ms)
				}
			}
			sent = tx.Do(ctx, step.command...)
			for key := range step.lives {
				tx.Do(ctx, "PERSIST", key)
			}
			return nil
		}); err != nil && sent.Err() == nil {
			t.Fatal(err)
		}
		reply, err := sent.Result()
		var refused redis.Error
		switch {
		case errors.Is(err, redis.Nil):
			reply = nil
		case errors.As(err, &refused):
			reply = failed(refused.Error())
		case err != nil:
			t.Fatal(err)
		}
		if step.reply != any(whatever{}) && !reflect.DeepEqual(reply, step.reply) {
			t.Errorf("%s %v: %#v, not %#v", step.client, step.command, reply, step.reply)
		}
	}
}
